"""`memory.py completion bash|zsh|fish`: a script that completes verbs, options, memories and entries in that shell.

bash: `eval "$(python /path/memory.py completion bash)"` in ~/.bashrc; zsh the same in ~/.zshrc; fish:
`python /path/memory.py completion fish | source` in ~/.config/fish/config.fish.
It completes for `memory.py` and for `memory`, if you name it so (a link in a folder on PATH, or an alias).
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shlex
import sys
from collections.abc import Iterable

from lib.cli import arguments as usages
from lib.cli import history as entries
from lib.cli.examination import ROOT
from lib.cli.place import Place, Trouble, Usage
from lib.dream import sessions
from lib.memory import store

USAGE = "completion bash|zsh|fish"
SHELLS = ("bash", "zsh", "fish")
_BASH = """\
_memory_hooks() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do
    [[ $line == "${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <({face} complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _memory_hooks memory.py memory
"""
_ZSH = """\
_memory_hooks() {
  local -a found
  found=("${(@f)$({face} complete -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -a found
}
(( $+functions[compdef] )) || { autoload -Uz compinit; compinit; }
compdef _memory_hooks memory.py memory
"""
_FISH = """\
function __memory_hooks
  set -l words (commandline -opc)
  {face} complete -- $words[2..-1] 2>/dev/null
end
complete -c memory.py -f -a '(__memory_hooks)'
complete -c memory -f -a '(__memory_hooks)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def run(arguments: list[str], place: Place) -> int:
    """The script of a shell; as `complete` what may come after the words before the cursor, one a line."""
    verb, *rest = arguments
    if verb == "complete":
        print("\n".join(line for line in candidates(rest[1:] if rest[:1] == ["--"] else rest, place) if _plain(line)))
        return 0
    if len(rest) != 1 or rest[0] not in SHELLS:
        raise Usage(f"completion takes the name of a shell: {', '.join(SHELLS)}")
    face = " ".join(shlex.quote(word) for word in (sys.executable, "-I", os.path.join(ROOT, "memory.py")))
    print(_SCRIPTS[rest[0]].replace("{face}", face), end="")
    return 0


def candidates(words: list[str], place: Place) -> Iterable[str]:
    """What may stand after these words: a verb; then that verb's options, and the names that it takes."""
    face = importlib.import_module("memory")  # the table of verbs stands in the face, which is above this
    if not words:
        return [verb for verb in face.VERBS if verb not in face.UNLISTED]
    verb, *before = words
    if verb not in face.VERBS:
        return []
    module = importlib.import_module(f"lib.cli.{face.VERBS[verb]}")
    usage = str(getattr(module, "USAGE", "") or (module.__doc__ or "").partition(":")[0])
    offered = [option for option in usages.options(usage) if option not in before and option != "--until"]
    if verb == "completion":
        return SHELLS
    if verb == "review" and not before:
        offered += ["accept", "reject"]
    with contextlib.suppress(Trouble, OSError):
        offered += _names(usage, place)
    return offered


def _names(usage: str, place: Place) -> list[str]:
    if " NAME" in usage:
        return sorted(entry.file.removesuffix(".md") for entry in store.entries(place.memory))
    if "[ENTRY]" in usage:
        return [entry.id[:8] for entry in entries.entries(place)[:50]]
    if "[SESSION" in usage:
        found = sessions.since(sessions.folders(place.config, place.state, place.root), None, "")
        return [os.path.basename(path).removesuffix(".jsonl") for path in found[:50]]
    return []


def _plain(line: str) -> bool:
    """A name that a terminal would not show as it is is not offered to be typed."""
    return line.isprintable()
