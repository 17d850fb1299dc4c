#!/usr/bin/env python3
"""What is remembered in this project, and why: the person's side of the memory.

usage: python memory.py VERB [ARGUMENTS]

Look
  status          is it on, who thinks and why, when it last learned and tidied up, what waits, what is wrong
  list            what is remembered here, newest first
  show NAME       one memory as it is stored
  search TEXT     what a prompt would recall, and what else matches
  why [--last N]  what was recalled, extracted or skipped, by which gate
  history         who changed which memories: `history [--last N]`
  diff [ENTRY]    what an entry of the history changed; the newest of an agent without one
  transcript [S]  the sessions here; with an id (or a file) its live conversation
  report          one HTML page of all of it, to read and filter: `report [--open YES|NO] [--out FILE]`
  cost            what the models cost: today, 7 days, by project and job, estimate and outcome
Change
  remember TEXT   keep one statement, through the same checks as everything else
  edit NAME       in $VISUAL or $EDITOR; checked before it is saved
  forget NAME...  take memories away; `undo` brings them back
  review          what was held back for you; `review accept NAME`, `review reject NAME`
  lint [--fix]    what is wrong with the memories and the index; `--fix` mends what is safe
  dream           tidy up now: merge, date, shorten; `--dry-run` shows it, `--force` skips the limit
  undo [ENTRY]    take an entry of the history back; what was changed later stays and is named
  import          CLAUDE.md and memories of a folder that was renamed: `import`, `import --from SLUG|PATH [--yes]`
  agents          sub-agents with memories of their own: `agents`, `agents snapshot AGENT`, `agents AGENT list|undo|...`
  team            what a team shares: `team setup`, `team share NAME`, `team pull`, `team push`, `team off`
Switch
  pause           learn and recall nothing here; `--all` everywhere
  recall-only     recall, but learn nothing
  resume          both again
  doctor [--fix]  each part that has to work, what was found, what to do
  completion      a script for bash, zsh or fish: `completion bash`

Every verb that looks takes --json and prints one object then. Works on the project of the current folder.
Exit status: 0 done, 1 not done or something needs attention (one sentence says what), 2 wrong usage.
"""
import importlib
import os
import sys

# This file keeps to the syntax of Python 3.6: whatever `python` is here may start it, and it hands over to its own.
ROOT = os.path.dirname(os.path.realpath(__file__))
HANDED_OVER = "MEMORY_HOOKS_HANDED_OVER"
NEEDED = ("yaml", "psutil")
VERBS = {"status": "status", "list": "listing", "show": "show", "search": "search", "why": "why", "history": "history",
         "diff": "diff", "transcript": "transcript", "cost": "cost", "remember": "remember", "edit": "edit",
         "forget": "forget", "review": "review", "lint": "lint", "dream": "dream", "undo": "undo", "import": "take_in",
         "agents": "agents", "team": "team", "report": "report", "pause": "pause",
         "recall-only": "recall_only", "resume": "resume", "doctor": "doctor",
         "completion": "completion", "complete": "completion", "memories": "overview"}  # fmt: skip
# They judge frontmatter as YAML; the others do with less under any Python that is new enough.
JUDGING = ("remember", "edit", "review", "lint", "dream", "import", "agents", "team")
UNLISTED = ("complete", "memories")  # asked by the shell, and by the client's slash command


def main(arguments: "list[str]") -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print((__doc__ or "").strip())
        return 0 if arguments else 2
    from lib.cli.place import Trouble, Usage, here, sentence

    verb, *rest = arguments
    if verb not in VERBS:
        listed = ", ".join(name for name in VERBS if name not in UNLISTED)
        print(f"memory.py: {verb!r} is no verb; the verbs are {listed}", file=sys.stderr)
        return 2
    try:
        module = importlib.import_module(f"lib.cli.{VERBS[verb]}")
        if rest[:1] in (["-h"], ["--help"]):
            print((module.__doc__ or "").strip())
            return 0
        status: int = module.run([verb, *rest] if VERBS[verb] == "completion" else rest, here(os.getcwd(), os.environ))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # `| head` closed the pipe: nothing is wrong
        return 0
    except (Trouble, OSError) as error:
        print(f"memory.py: {sentence(error)}", file=sys.stderr)
        return 2 if isinstance(error, Usage) else 1
    except KeyboardInterrupt:
        print("memory.py: interrupted", file=sys.stderr)
        return 130
    return status


def lacks() -> str:
    """What the running interpreter has not got that the bundle needs, as the end of a sentence, or ""."""
    version = f"this is {sys.version_info[0]}.{sys.version_info[1]} ({sys.executable})"
    if sys.version_info < (3, 10):  # noqa: UP036
        return f"needs Python 3.10 or newer; {version}"
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    return f"needs {' and '.join(missing)}, which {sys.executable} has not got" if missing else ""


def own_interpreter() -> str:
    """The interpreter that install.py set up: .venv beside this file, else the one that the hooks run under, or ""."""
    path = os.path.join(ROOT, ".venv", *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
    if os.access(path, os.X_OK):
        return path
    import json
    import shlex

    folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    try:
        with open(os.path.join(folder, "memory-hooks", "install.json"), encoding="utf-8") as file:
            commands = json.load(file)["commands"]
        found = [shlex.split(command) for command in commands if isinstance(command, str)]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    ours = [words[0] for words in found if any(os.path.realpath(word).startswith(ROOT + os.sep) for word in words)]
    return next((path for path in ours if os.path.isabs(path) and os.access(path, os.X_OK)), "")


def hand_over(arguments: "list[str]") -> str:
    """Go on under our own interpreter when this one will not do; returns only when that is not to be had, and says why.

    Once: what was handed over and still lacks something is told to the person, where it cannot do without. `doctor`
    and whatever only looks must work when the environment is broken.
    """
    problem = lacks()
    again = os.environ.pop(HANDED_OVER, "")
    if not problem:
        return ""
    python = "" if again else own_interpreter()
    if python:
        command = [python, "-I", os.path.join(ROOT, "memory.py")] + arguments
        env = dict(os.environ, **{HANDED_OVER: "1"})
        try:
            if os.name == "nt":
                import subprocess

                sys.exit(subprocess.call(command, env=env))
            os.execve(python, command, env)
        except OSError as error:
            problem = f"cannot start {python} ({error.strerror})"
    from importlib.util import find_spec

    judges = not arguments or arguments[0] in JUDGING
    if sys.version_info >= (3, 10) and not (judges and find_spec("yaml") is None):
        return ""
    return f"memory.py {problem}; run `python install.py` in {ROOT} with Python 3.10 or newer once, it prepares one"


if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    refusal = hand_over(sys.argv[1:])
    if refusal:
        sys.exit(refusal)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
