"""What is remembered in this project, and why: the person's side of the memory.

usage: python memory.py VERB [ARGUMENTS]

  list            what is remembered here, newest first
  show NAME       one memory as it is stored
  search TEXT     what a prompt would recall, and what else matches
  why [--last N]  what was recalled, extracted or skipped, by which gate
  review          what was held back for you; `review accept NAME`, `review reject NAME`
  dream           tidy up now: merge, date, shorten; `--dry-run` shows it, `--force` skips the limit
  history         who changed which memories: `history [--last N]`
  diff [ENTRY]    what an entry of the history changed; the newest of an agent without one
  undo [ENTRY]    take it back; what was changed later stays and is named
  transcript [S]  the sessions here; with an id (or a file) its live conversation, `--json` for programs
  status          is it on, who thinks and why, what went wrong last, what waits
  cost            what the models cost: today, 7 days, by project and job, estimate and outcome
  doctor          each part that has to work, what was found, what to do

Works on the project of the current folder. Exit status: 0 done, 1 not done (one sentence says why), 2 usage.
"""

from __future__ import annotations

import importlib
import os
import sys

VERBS = {"list": "listing", "show": "show", "search": "search", "why": "why", "review": "review", "history": "history",
         "dream": "dream", "diff": "diff", "undo": "undo", "transcript": "transcript",
         "status": "status", "cost": "cost", "doctor": "doctor"}  # fmt: skip


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    from lib.cli.place import Trouble, here

    verb, *rest = arguments
    if verb not in VERBS:
        print(f"memory.py: {verb!r} is no verb; the verbs are {', '.join(VERBS)}", file=sys.stderr)
        return 2
    try:
        status: int = importlib.import_module(f"lib.cli.{VERBS[verb]}").run(rest, here(os.getcwd(), os.environ))
        sys.stdout.flush()
    except Trouble as error:
        print(f"memory.py: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # `| head` closed the pipe: nothing is wrong
        return 0
    return status


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv[1:]))
