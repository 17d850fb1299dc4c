"""Pages of docs/ that code gives: the settings from their table, the troubles from what `doctor` looks for."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lib.cli import ailments
from lib.host import settings
from lib.setup import option_texts

NOTE = "<!-- Made by `python -m lib.setup.generated`; change the tables, not this page. -->\n"
COMMANDS = "python memory.py doctor\npython memory.py status\npython memory.py why\npython install.py --check"


def settings_page() -> str:
    """The text of docs/settings.md."""
    rows = [
        (f"`{name}`", f"`{json.dumps(default)}`", option_texts.OPTIONS[name],
         option_texts.rule(name, narrows, settings.QUIETER.get(name, ())))
        for name, (default, narrows) in settings.OPTIONS.items()
    ]  # fmt: skip
    return "\n".join((
        NOTE + "# Settings\n",
        "All are optional. They stand in the client's own `settings.json` in your configuration folder",
        "(`$CLAUDE_CONFIG_DIR`, else `~/.claude`), whichever agent runs, under the key `memoryHooks`. A name with a",
        "dot is a key inside a key:\n",
        '```json\n{"memoryHooks": {"recall": {"max": 3}, "kairos": false}}\n```\n',
        "Managed settings win over yours. A project's own `.claude/settings.json` and `settings.local.json` can only "
        "narrow:",
        "the last column says how. A value of another type than the default counts as not set; the verb",
        "`memory.py doctor` names files that cannot be read.\n",
        _table(("under `memoryHooks`", "default", "what it does", "a project may set"), rows),
        "## The client's own keys\n",
        "Beside `memoryHooks`, heeded as the client heeds them:\n",
        _table(("key", "what it does"), [(f"`{name}`", told) for name, told in option_texts.CLIENT.items()]),
        "## Environment\n",
        _table(("variable", "what it does"), [(f"`{name}`", told) for name, told in option_texts.ENVIRONMENT.items()]),
    )).rstrip("\n") + "\n"  # fmt: skip


def troubles_page() -> str:
    """The text of docs/troubleshooting.md."""
    parts = [
        NOTE + "# When something does not work\n",
        "Run these in the project. `doctor` looks for each of the things below, names the one it finds and the exact",
        "fix; `--fix` asks before it mends anything. `why` says which gate decided what, and `log.jsonl` in",
        "`memory-hooks/` of the configuration folder has one line about every fault.\n",
        f"```sh\n{COMMANDS}\n```\n",
        "After three failures of one kind in a row the client shows one line about it, once.\n",
    ]
    for one in ailments.TABLE:
        parts.append(f"## {one.title[:1].upper()}{one.title[1:]}\n")
        parts.append(f"<a id=\"{one.id}\"></a>\n")
        parts.append(f"- **You notice:** {one.sign}.\n- **Cause:** {one.cause}.\n- **Fix:** {one.fix}.")
        parts.append(f"- **`doctor --fix`:** {one.mends}.\n" if one.mends else "")
    return "\n".join(parts).rstrip("\n") + "\n"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows)]
    return "\n".join(lines) + "\n"
