"""Two clones of one repository under the real client: shared in the one, recalled in the other's next session. Req: H1.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.support.scene import Scene, git, reminders

SAID = "always use pnpm here, npm corrupts the lockfile"


def test_what_one_clone_shares_the_other_s_next_session_has(scene: Scene, tmp_path: Path) -> None:
    scene.install({"memoryHooks": {"backend": "rules"}})
    remote, theirs = tmp_path / "remote.git", tmp_path / "theirs"
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    (scene.stage.project / "README").write_text("ours\n")
    git(scene.stage.project, "add", "README")
    git(scene.stage.project, "commit", "--quiet", "-m", "first")
    git(scene.stage.project, "remote", "add", "origin", str(remote))
    git(scene.stage.project, "push", "--quiet", "origin", "HEAD:main")
    git(tmp_path, "clone", "--quiet", "--branch", "main", str(remote), str(theirs))

    scene.product("remember", SAID)
    scene.product("team", "setup", "--git")
    (name,) = {path.name for path in scene.stage.config.glob("projects/*/memory/*.md")} - {"MEMORY.md"}
    assert "team/" + name in scene.product("team", "share", name)

    mine, scene.stage = scene.stage.project, replace(scene.stage, project=theirs)
    scene.product("team", "setup", "--git")
    scene.ask("hello")  # its start takes in what is new, in the background
    scene.stage.settle(60)
    scene.ask("add a dependency for parsing dates")
    (block,) = reminders(scene.main_requests()[-1].body)
    assert f"team/{name}" in block and "shared in the team by" in block and "npm corrupts the lockfile" in block
    for clone in (mine, theirs):  # neither shows anything of it
        git(clone, "diff", "--quiet", "HEAD")
        assert not (clone / ".git" / "refs" / "memory").exists()
        assert b"memory/team" not in b"".join(path.read_bytes() for path in clone.glob(".git/packed-refs"))
