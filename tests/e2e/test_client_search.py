"""Where the person's own client searches for our agent, files of credentials inside the project stay closed too."""
from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.test_client_backend import Model, own, own_client
from tests.support.messages_api import Body, text, texts, tool_results, tool_use
from tests.support.scene import Scene

__all__ = ["own_client"]

SAID = "Remember: always use pnpm here, npm corrupts the lockfile"
MARK = "words_of_the_project"
SEALED = "a-secret-of-the-project"


@pytest.mark.parametrize("mode", ["fork", "delta"])
def test_the_clients_own_search_leaves_credentials_out(own_client: Scene, mode: str) -> None:
    scene = own_client
    project = scene.stage.project
    for name in (".env", "conf/.env.local", "conf/server.pem", ".aws/credentials", "conf/id_rsa", "conf/Secrets.json"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(f"{MARK} {SEALED}\n")
    (project / "conf" / "plain.txt").write_text(f"{MARK} in the open\n")
    results: dict[str, str] = {}

    def look(pattern: str, **more: Any) -> dict[str, Any]:
        return tool_use("Grep", {"pattern": pattern, "path": str(project), "output_mode": "content", **more})

    looks = [look(MARK), look(SEALED), look(MARK, glob="*.pem"), look(MARK, glob=".env*"), look(MARK, glob="**/*")]
    model = Model(scene, [looks, [text("Nothing to keep.")]])

    def listening(body: Body) -> Any:
        answered = model(body)
        if model.asked > 1 and not results:
            results.update({block["tool_use_id"]: str(block["content"]) for block in tool_results(body)})
        return answered

    scene.api.script = listening
    scene.install(own(mode))
    scene.ask(SAID)
    scene.stage.settle(90)
    # The client answers in the order in which the searches end.
    found = ["in the open" in results[call["id"]] for call in looks]
    # A fork of a session that has Bash is offered no Grep at all.
    assert found == ([True, False, False, False, True] if mode == "delta" else [False] * 5), results
    everything = "\n".join("\n".join(texts(request.body)) for request in scene.api.requests)
    assert SEALED not in everything
