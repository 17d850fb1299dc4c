#!/usr/bin/env python3
"""Set the hooks up, check them, or take them out again. Standard library only.

usage: python install.py [--check | --uninstall | --packages] [--print] [--no-venv] [--backend NAME]
                         [--config-dir DIR] [--host NAME]
exit status: 0 done, 1 something is wrong (one sentence says what), 2 wrong usage
"""
import os
import sys

# This file keeps to the syntax of Python 3.6, so that an older one can say this sentence instead of a traceback.
if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit(
        f"install.py needs Python 3.10 or newer; this is {sys.version_info[0]}.{sys.version_info[1]} "
        f"({sys.executable}). Run it with a newer one, e.g. python3.12 install.py"
    )

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, ROOT)


def main(arguments: "list[str]") -> int:
    import argparse

    from lib.setup import backend_option, plan, steps, targets
    from lib.setup.problems import SetupProblem

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    parser = argparse.ArgumentParser(description="Set the memory hooks up, check them, or take them out again.")
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--check", action="store_true", help="run each registered command once and say what works")
    act.add_argument("--uninstall", action="store_true", help="take our entries out of the settings; memories stay")
    act.add_argument("--packages", action="store_true", help="make .venv and stop: for the plugin form")
    parser.add_argument("--print", action="store_true", help="show what would change in settings.json, change nothing")
    parser.add_argument("--no-venv", action="store_true", help="use this interpreter and its packages, make no .venv")
    parser.add_argument("--config-dir", metavar="DIR", default="", help="instead of $CLAUDE_CONFIG_DIR or ~/.claude")
    parser.add_argument("--backend", choices=backend_option.BACKENDS, default="",
                        help="who reads your turns; rules stays offline and costs nothing")
    parser.add_argument("--host", choices=targets.CHOICES, default="",
                        help="another agent that shares the memory; all: Claude Code and every one that is found")
    chosen = parser.parse_args(arguments)
    if chosen.backend and chosen.host not in ("", targets.CLAUDE, targets.ALL):
        parser.error(f"--backend is one choice for every host: python install.py --backend {chosen.backend}")
    try:
        config = plan.config_folder(os.environ, chosen.config_dir)
        scene = steps.Scene(ROOT, config, not chosen.no_venv, os.environ, lambda line: print(line, flush=True),
                            chosen.backend)
        if chosen.packages:
            return steps.packages(scene)
        wanted = "check" if chosen.check else "uninstall" if chosen.uninstall else "install"
        if chosen.print:
            wanted = "print-uninstall" if chosen.uninstall else "print"
        return targets.run(scene, wanted, chosen.host)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # `| head` closed the pipe: nothing more can be said there
    except (SetupProblem, OSError) as problem:
        print(f"install.py: {problem}", file=sys.stderr)
    except KeyboardInterrupt:
        print("install.py: interrupted; run it again to finish", file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ImportError, OSError, MemoryError) as trouble:  # where our own modules could not be read either
        sys.exit(f"install.py: {trouble or 'out of memory'}; run it again")
