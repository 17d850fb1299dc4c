"""What commonly fails without a word, each with its cause and its exact fix: docs/troubleshooting.md comes from here.
"""

from __future__ import annotations

from dataclasses import dataclass

INSTALL = "python install.py"


@dataclass(frozen=True)
class Ailment:
    """`id` is stable; `sign` is how a person notices; `mends` says what `doctor --fix` does ("" = nothing)."""

    id: str
    title: str
    sign: str
    cause: str
    fix: str
    mends: str = ""


TABLE = (
    Ailment("hooks-off", "hooks are switched off", "nothing is recalled or learned, and `why` shows nothing new",
            '"disableAllHooks": true stands in a settings file: the client runs no hook at all',
            'take "disableAllHooks" out of the file that is named'),
    Ailment("settings-unparseable", "a settings file cannot be read", "the client ignores the file, hooks and all",
            "the file is no strict JSON: a comment, a comma too many, a torn write",
            "mend the file at the place that is named, then: " + INSTALL),
    Ailment("hooks-missing", "hooks are not registered", "nothing happens",
            "install.py was not run for this configuration folder, or the entries were taken out", INSTALL,
            "runs install.py; `install.py --uninstall` gives the settings back byte for byte"),
    Ailment("interpreter-gone", "the hooks' interpreter is gone", "the client shows a hook error, or nothing at all",
            "the .venv beside install.py was removed, or Python was upgraded away under it", INSTALL,
            "runs install.py, which makes the environment anew"),
    Ailment("moved-checkout", "the checkout was moved", "the client shows a hook error, or nothing at all",
            "the registered commands name the folder in which install.py was run", INSTALL + " in the new place",
            "runs install.py, which registers this place instead"),
    Ailment("registered-twice", "hooks are registered more than once", "a memory is delivered twice",
            "a second settings file, or a command of your own, runs the same scripts",
            "take the second one out of the file that is named"),
    Ailment("plugin-and-settings", "both plugin and settings hold the hooks", "the plugin's copy stays quiet",
            "install.py was run and the plugin is enabled as well",
            "disable the plugin under /plugin in the client, or: python install.py --uninstall"),
    Ailment("hook-fails", "a registered command does not work", "an error in the client, or silence",
            "the command that is registered was run once and did not end well",
            "git status in the checkout, then: " + INSTALL, "runs install.py"),
    Ailment("commands-missing", "slash commands are missing", "/memories, /remember or /dream are unknown",
            "the files in the client's folder `commands` were removed, or a file of yours has the name", INSTALL,
            "runs install.py"),
    Ailment("packages-missing", "a package is missing", "the rules think though a backend is set up",
            "the interpreter that runs this has not got what requirements.txt names", INSTALL,
            "runs install.py, which installs them into its .venv"),
    Ailment("no-thinker", "the backend that is set cannot think", "`status` names the rules",
            "there is neither a client that is logged in nor a key, or the one that the settings ask for is not there",
            "log in once (run `claude`), or set ANTHROPIC_API_KEY, or: python install.py --backend rules"),
    Ailment("backend-failing", "a backend does not answer", "`why` says that the rules looked instead",
            "the login has ended, a limit is reached, or the network fails; it is left alone for a while",
            "see the reason: run `claude` once, or check the key",
            "forgets the fault, so that the next turn tries it again"),
    Ailment("memory-off", "memory is switched off", "nothing is recalled or learned",
            "a setting or a variable switches it off", "take out the switch that is named"),
    Ailment("resting", "memory is paused or on recall only", "nothing is learned, `why` says paused or recall only",
            "memory.py pause or recall-only was said", "memory.py resume, with --all for what holds everywhere",
            "resumes"),
    Ailment("native-off", "nobody delivers the index", "the model does not know what there is",
            "the client does not load MEMORY.md (old, or its memory is off) and index.deliver is never",
            'set "index": {"deliver": "auto"} in memoryHooks'),
    Ailment("index-over-limits", "MEMORY.md is over its limits", "the memories at its end are not in context",
            "more than 200 lines or 25,000 bytes: what is beyond is not loaded",
            "memory.py dream, or shorten it yourself"),
    Ailment("index-stale", "MEMORY.md and the files differ", "a memory is not listed, or a line leads nowhere",
            "files were changed past the hooks", "memory.py lint --fix", "mends the index; one entry of the history"),
    Ailment("memory-unreadable", "memories cannot be read", "a memory is never recalled",
            "a file is no text, has no frontmatter, or may not be read", "memory.py lint names them"),
    Ailment("dead-lock", "the consolidation's lock is damaged", "memories are never tidied up",
            ".consolidate-lock has a time in the future, is no plain file, or belongs to somebody else",
            "remove the file that is named; the next consolidation makes it anew",
            "sets it aside under another name"),
    Ailment("disk-full", "the disk is full", "nothing is saved, `log.jsonl` ends",
            "less than 50 MB are free where memories or state lie", "make room on the disk that is named"),
    Ailment("not-writable", "a folder cannot be written", "nothing is saved",
            "a file stands where a folder should, or it belongs to another user",
            "make it a folder that you can read and write"),
    Ailment("worker-failing", "the worker fails again and again", "a line in the client after the third time",
            "the cause is named; details stand in memory-hooks/log.jsonl and `memory.py why`",
            "mend the cause; it is forgotten when it works again"),
    Ailment("worker-absent", "no worker comes", "turns end, and nothing of them is looked at",
            "the Stop hook could not start it, or it is ended before its work is done",
            "see memory-hooks/log.jsonl, then: " + INSTALL),
    Ailment("other-host", "another agent's hooks do not work", "that agent recalls and learns nothing",
            "its settings name a checkout or an interpreter that is gone, or were changed", INSTALL + " --host NAME",
            "runs install.py for that host"),
    Ailment("shared-folder", "two projects share a memory", "what belongs to one project is recalled in the other",
            "their paths differ only in characters that the client does not tell apart",
            "set autoMemoryDirectory for one, or rename it"),
    Ailment("python-old", "the plugin runs under an old Python", "nothing happens",
            "the first python3 on PATH is older than 3.10", "put a newer python3 first on PATH"),
)  # fmt: skip
BY_ID = {ailment.id: ailment for ailment in TABLE}
