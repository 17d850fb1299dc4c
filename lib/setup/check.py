"""Does the installation work: what is registered against the table, and each command run once as it is registered."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from lib.host import registration, settings
from lib.host.registration import Hook
from lib.setup import json_spans, plugin_form, settings_merge, slash_commands, trial, user_file
from lib.setup import place as places
from lib.setup import record as records
from lib.setup.ownership import Ownership, script_of, shell_words
from lib.setup.place import Place
from lib.setup.problems import FileProblem
from lib.setup.settings_merge import Found, Refusal

INSTALL = "run: python install.py"


@dataclass(frozen=True)
class Row:
    """One line of the answer; `problem` "" = ok. `note` is worth knowing either way."""

    what: str
    problem: str = ""
    fix: str = ""
    note: str = ""


def rows(config: str, root: str, env: Mapping[str, str], cwd: str, place: Place | None = None) -> list[Row]:
    """Every finding, the good ones too; the person's own folders are read only. `place` is another host's."""
    at = place or places.claude(config)
    install, path = INSTALL + at.option, at.path
    try:
        held = user_file.read(path).text
        text = held if held.strip() else "{}"
        found = settings_merge.commands(text)
    except (Refusal, FileProblem) as problem:
        return [Row(path, str(problem), "mend the file, then " + install)]
    owns = Ownership(records.load(config, at.record).commands).owns
    ours = [one for one in found if owns(one.event, one.command)]
    judged = [(hook, *registered(hook, ours, root)) for hook in at.hooks]
    runnable = {hook: command for hook, command, problem in judged if not problem}
    outcomes = trial.outcomes(runnable)
    answer = [
        Row(hook.title, problem, install) if problem else _tried(hook, outcomes[hook], root, install)
        for hook, _, problem in judged
    ]
    answer += [Row(one.event, f"not in the table: {one.command}", install) for one in _strays(ours, at)]
    answer += _doubles(found, ours, root, path)
    if at.host:
        return answer
    if (form := plugin_form.row(config)) is not None:
        # Who uses the plugin has nothing in the settings, and nothing is missing there.
        answer = [*(answer if ours else []), Row("plugin", *form)]
    answer += _doubles_of_project(cwd, ours, owns, path)
    return answer + _switches(text, config, env, cwd)


def commands(config: str, root: str) -> list[Row]:
    """The slash commands of an installation; none where install.py registered nothing: the plugin brings its own."""
    if not records.load(config).commands:
        return []
    try:
        judged = slash_commands.judged(config, root)
    except FileProblem as problem:
        return [Row(os.path.join(config, slash_commands.FOLDER), str(problem), INSTALL)]
    return [Row(path, problem, INSTALL if problem else "", note) for path, problem, note in judged]


def registered(hook: Hook, ours: list[Found], root: str) -> tuple[str, str]:
    """The command registered for one row of the table, and what is wrong with how it stands there ("" = nothing)."""
    mine = [one for one in ours if _is_for(hook, one)]
    if not mine:
        return "", "not registered"
    one = mine[-1]
    if len(mine) > 1:
        return one.command, f"registered {len(mine)} times"
    words = shell_words(one.command)
    script = script_of(words)
    if not os.path.exists(script):
        return one.command, f"its script is gone: {script}"
    if os.path.realpath(script) != os.path.realpath(os.path.join(root, "hooks", hook.script)):
        return one.command, f"it runs another checkout: {script}"
    if os.path.dirname(words[0]) and not os.path.exists(words[0]):
        return one.command, f"its interpreter is gone: {words[0]}"
    table = settings_merge.wanted({hook.event: [registration.entry(hook, words[0], root)]})[0]
    if one == table:
        return one.command, ""
    if not one.current:
        return one.command, 'it stands under a doubled key, of which only the last counts: mend "hooks"'
    pairs = (("command", one.command, table.command), ("timeout", one.timeout, table.timeout),
             ("matcher", one.matcher, table.matcher), ("type", one.kind, table.kind))  # fmt: skip
    name, has, should = next(pair for pair in pairs if pair[1] != pair[2])
    return one.command, f"its {name} is {has!r}, in the table it is {should!r}"


def _is_for(hook: Hook, one: Found) -> bool:
    words = shell_words(one.command)
    script = script_of(words)
    if one.event != hook.event or os.path.basename(script) != hook.script:
        return False
    return tuple(words[words.index(script) + 1 :]) == hook.arguments


def _strays(ours: list[Found], at: Place) -> list[Found]:
    return [one for one in ours if not any(_is_for(hook, one) for hook in at.hooks)]


def _tried(hook: Hook, outcome: trial.Outcome, root: str, install: str) -> Row:
    fix = f"see that {root} is complete (git status), then {install}"
    return Row(hook.title, outcome.problem, fix if outcome.problem else "", f"{outcome.milliseconds} ms")


def _doubles(found: list[Found], ours: list[Found], root: str, path: str) -> list[Row]:
    """Commands that the person built around our scripts: they run besides ours."""
    theirs = [one for one in found if one not in ours]
    scripts = [f"{root}/hooks/{script}" for script in registration.SCRIPTS]
    doubled = [one for one in theirs if any(script in one.command for script in scripts)]
    return [Row(one.event, f"a command of your own runs our script too: {one.command}", f"take it out of {path}")
            for one in doubled]  # fmt: skip


def _doubles_of_project(cwd: str, ours: list[Found], owns: settings_merge.Owns, user_path: str) -> list[Row]:
    """A project's settings that register us in another spelling: the client runs both."""
    known = {one.command for one in ours}
    answer = []
    for name in ("settings.json", "settings.local.json"):
        path = os.path.join(cwd, ".claude", name)
        if not os.path.isfile(path) or os.path.realpath(path) == os.path.realpath(user_path):
            continue
        try:
            found = settings_merge.commands(user_file.read(path).text)
        except (Refusal, FileProblem):
            continue  # not ours to judge, and the client says so itself
        twice = [one for one in found if owns(one.event, one.command) and one.command not in known]
        answer += [Row(one.event, f"registered a second time in {path}", "take it out there") for one in twice]
    return answer


def _switches(text: str, config: str, env: Mapping[str, str], cwd: str) -> list[Row]:
    disabled = json_spans.parse(text).get("disableAllHooks")
    if disabled is not None and disabled.scalar is True:
        return [Row("disableAllHooks", "the settings switch every hook off", f"mend {places.claude(config).path}")]
    switch = settings.load({**env, "CLAUDE_CONFIG_DIR": config}, cwd).switched_off(env)
    return [Row("memory", note=f"switched off by {switch}")] if switch else []


def table(answer: list[Row]) -> str:
    """The rows as text, one a line, what to do below those that fail."""
    width = max(len(row.what) for row in answer)
    lines = []
    for row in answer:
        said = row.problem or row.note
        lines.append(f"{'FAIL' if row.problem else 'ok  '}  {row.what:<{width}}  {said}".rstrip())
        if row.problem and row.fix:
            lines.append(f"      {'':<{width}}  -> {row.fix}")
    return "\n".join(lines)
