"""What each setting means, in one line a person can decide by; docs/settings.md is made of it. Req: I4."""

from __future__ import annotations

# Every row of OPTIONS in lib/host/settings.py.
OPTIONS = {
    "enabled": "`false` switches everything of ours off and leaves the client's own memory as it is",
    "backend": "who reads a turn: `auto` (the first that works here), `claude` (your own client), `anthropic` (a key), "
    "`rules` (offline)",
    "models.extract": "the model that extraction asks; empty: the one that the backend takes by default",
    "models.dream": "the model that consolidates; empty: as above",
    "models.summary": "the model that writes session summaries; empty: as above",
    "models.select": "the model that chooses memories for a prompt; empty: as above",
    "extract.enabled": "`false`: nothing is learned from turns; what is there is still recalled",
    "extract.everyTurns": "look at every so many turns that ended",
    "extract.maxTurns": "rounds that one extraction may take",
    "extract.mode": "how your own client reads a turn: `fork` (of the session, sharing its prompt cache), `fresh` (a "
    "new run), `auto` (the cheaper one by estimate)",
    "extract.minCharacters": "a turn in which you said less starts no model",
    "recall.selector": "`auto`, `model`, `offline` (words alone), `off` (nothing is recalled); see the README",
    "recall.max": "memories that one prompt gets at most",
    "index.deliver": "who puts `MEMORY.md` into context: `auto` (the hooks where the client does not), `always`, "
    "`never`",
    "budget.dailyUsd": "US dollars that all calls of models may cost a day; beyond it the rules think",
    "budget.runInputTokens": "tokens that one run may read, those from the cache included",
    "session.enabled": "`false`: no session summary is kept",
    "session.initTokens": "tokens of conversation before the first summary",
    "session.updateTokens": "tokens between two updates of it",
    "session.updateToolCalls": "tool calls since the last update, unless the last reply had none",
    "archive.enabled": "`true` keeps transcripts that the client would delete, compressed",
    "archive.maxMb": "megabytes that the archive of one project may take; the oldest go first",
    "dream.minHours": "hours between two consolidations",
    "dream.minSessions": "sessions of the project since the last one",
    "dream.maxShare": "per cent of the memories that one consolidation may drop; beyond it is refused as a whole",
    "team.transport": "`project`: what `memory.py team setup` chose for a project; `off`: no team memory anywhere",
    "kairos": "`true`: statements go to daily logs, and nothing consolidates by itself",
}
# The client's own keys that we heed, in settings.json beside `memoryHooks`.
CLIENT = {
    "autoMemoryEnabled": "`false` switches memory off, the client's own and ours",
    "autoDreamEnabled": "`false`: nothing consolidates by itself; `memory.py dream` still does",
    "autoMemoryDirectory": "another memory directory; read from your own and managed settings only, never a project's",
    "disableAllHooks": "`true`: the client runs no hook at all",
    "cleanupPeriodDays": "after so many days the client deletes transcripts; the archive keeps them before that",
}
ENVIRONMENT = {
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "`1` switches memory off for what is started with it",
    "MEMORY_HOOKS_OFF": "any value: our hooks return at once",
    "MEMORY_HOOKS_TEAM_TOKEN": "the token for the team's server; sent to the address that was set up and nowhere else",
    "CLAUDE_CONFIG_DIR": "the configuration folder instead of `~/.claude`; an absolute path",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "the memory directory, before every setting; an absolute path",
    "ANTHROPIC_API_KEY": "what the backend `anthropic` thinks on; never written or logged",
    "ANTHROPIC_BASE_URL": "another address of the Messages API",
    "NO_COLOR": "any value: `memory.py` prints without colour",
    "VISUAL, EDITOR": "what `memory.py edit` opens",
}
_RULES = {
    "": "no",
    "less": "only a smaller number",
    "more": "only a larger number",
}


def rule(name: str, narrows: str, quieter: tuple[object, ...]) -> str:
    """What a project's own settings may do to an option, in a few words."""
    if narrows == "off":
        return "only " + " or ".join(f"`{_json(value)}`" for value in quieter)
    return _RULES[narrows]


def _json(value: object) -> str:
    return "false" if value is False else str(value)
