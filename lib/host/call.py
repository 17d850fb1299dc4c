"""One run of one hook: its payload and the places that follow from it, each worked out once and only when asked."""

from __future__ import annotations

import os

from lib.host import jsontext, paths, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from lib.host.payload import Payload

CHILD_MARK = "MEMORY_HOOKS_CHILD"
RESTING = "resting.txt"  # in our own folder: `slug<TAB>mode` a line, `*` for every project; the person's verbs write it
PAUSED, RECALL_ONLY = "paused", "recall_only"
ALARM = "alarm.txt"  # in our own folder: what the person has to be told once
_HEAD = 65_536  # bytes of a transcript in which its first working directory is looked for
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class Call:
    """Facts about this event; nothing here writes. Times are seconds since the epoch."""

    def __init__(self, event: str, payload: Payload, env: Mapping[str, str], now: float) -> None:
        self.event = event
        self.payload = payload
        self.env = env
        self.now = now
        self.config = paths.config_dir(env)
        self.session = session_name(payload.text("session_id"))
        # The type alone does not tell: a main session that was started as a named agent has one too.
        self.main_agent = not payload.text("agent_id")
        self._launch = ""
        self._root = ""
        self._settings: settings.Settings | None = None
        self._memory: str | None = None
        self._resting: str | None = None
        self._client: str | None = None

    @property
    def usable(self) -> bool:
        """Without a session, a configuration folder or a project there is nothing a memory could belong to."""
        return bool(self.config and self.session and self.launch)

    @property
    def launch(self) -> str:
        """The folder the session was started in; "" when nothing tells."""
        self._launch = self._launch or launch_dir(self.payload, self.env)
        return self._launch

    @property
    def root(self) -> str:
        self._root = self._root or paths.project_root(self.launch)
        return self._root

    @property
    def settings(self) -> settings.Settings:
        if self._settings is None:
            self._settings = settings.load(self.env, self.launch)
        return self._settings

    @property
    def memory(self) -> str:
        if self._memory is None:
            self._memory = paths.memory_path(self.launch, self.env, self.settings, self.root)
        return self._memory

    @property
    def state(self) -> str:
        return paths.state_dir(self.config, self.root)

    @property
    def transcript(self) -> str:
        """The session's transcript; looked for beside the named folder when the client named one that never was."""
        return find_transcript(self.payload.text("transcript_path"))

    @property
    def resting(self) -> str:
        """PAUSED, RECALL_ONLY or "", as the person switched it for this project or for all. Req: J6."""
        if self._resting is None:
            self._resting = resting(self.config, os.path.basename(self.state))
        return self._resting

    @property
    def client_version(self) -> str:
        """The client's version as the installer found it, "" when it did not."""
        if self._client is None:
            self._client = client_version(self.config)
        return self._client

    def off(self) -> str:
        """Why memory is off here, or "". Req: I1, J6."""
        if self.settings.switched_off(self.env):
            return "disabled"
        return PAUSED if self.resting == PAUSED else ""

    def learning_off(self) -> str:
        """Why nothing may be learned here, though it may be recalled, or "". Req: J6."""
        return self.off() or self.resting


def resting(config: str, project: str) -> str:
    """The stricter of what holds for a project's slug and for all; one failed `open` where nobody ever paused."""
    try:
        with open(os.path.join(paths.own_dir(config), RESTING), "rb", buffering=0) as file:
            rows = [line.split(b"\t") for line in file.read(1_000_000).split(b"\n")]
    except OSError:
        return ""
    ours = (b"*", os.fsencode(project))
    modes = {row[1] for row in rows if len(row) == 2 and row[0] in ours}
    return PAUSED if PAUSED.encode() in modes else RECALL_ONLY if RECALL_ONLY.encode() in modes else ""


def client_version(config: str) -> str:
    """The client's version as the installer found it, "" when it did not."""
    try:
        with open(os.path.join(paths.own_dir(config), "host.json"), "rb") as file:
            found = jsontext.loads(file.read(65_536))
        version = found["claude"]["version"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return ""
    return version if isinstance(version, str) else ""


def alarm(config: str) -> str:
    """What the person has to be told, once: whoever reads it takes it away. "" and one failed `open` when all is well.

    Written by lib/journal/failing.py.
    """
    path = os.path.join(paths.own_dir(config), ALARM)
    try:
        with open(path, "rb", buffering=0) as file:
            text = file.read(4_000)
        os.unlink(path)
    except OSError:
        return ""
    return text.decode("utf-8", "replace")


def session_name(session: str) -> str:
    """The session id as a file name, or "" when it could not be one."""
    return session if 0 < len(session) <= 100 and _SAFE.issuperset(session) else ""


def launch_dir(payload: Payload, env: Mapping[str, str]) -> str:
    """Where the session began, though the agent may have changed folder since: one session, one project."""
    named = paths.native(env.get("CLAUDE_PROJECT_DIR", ""))
    if os.path.isabs(named):
        return named
    cwd, transcript = _absolute(payload.text("cwd")), _absolute(payload.text("transcript_path"))
    # The transcript's folder is the slug of the launch folder: the working directory or one above it matches.
    wanted = os.path.basename(os.path.dirname(transcript))
    here = os.path.realpath(cwd) if cwd else ""
    while wanted and here:
        if paths.slug(here) == wanted:
            return here
        parent = os.path.dirname(here)
        here = parent if parent != here else ""
    return (_first_cwd(transcript) or cwd) if wanted else cwd


def _absolute(path: str) -> str:
    """The path if a file could lie there, else "": the system refuses a NUL with an error that is no OSError."""
    path = paths.native(path)
    return path if os.path.isabs(path) and "\0" not in path else ""


def _first_cwd(transcript: str) -> str:
    try:
        with open(transcript, "rb", buffering=0) as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    for line in head.split(b"\n"):
        if b'"cwd"' not in line:
            continue
        try:
            value = jsontext.loads(line)
        except (ValueError, RecursionError):
            continue
        cwd = value.get("cwd") if isinstance(value, dict) else None
        if isinstance(cwd, str) and _absolute(cwd):
            return cwd
    return ""


def find_transcript(named: str) -> str:
    """The transcript file, or one of the same name in a sibling project folder, or ""."""
    named = _absolute(named)
    if not named.endswith(".jsonl"):
        return ""
    if os.path.isfile(named):
        return named
    projects, name = os.path.dirname(os.path.dirname(named)), os.path.basename(named)
    try:
        folders = sorted(os.listdir(projects))[:5000]
    except OSError:
        return ""
    for folder in folders:
        candidate = os.path.join(projects, folder, name)
        if os.path.isfile(candidate):
            return candidate
    return ""
