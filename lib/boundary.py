"""Between the host and our code: stdin to handler to stdout, and no way to harm the agent that is served.

The one broad `except` of the project stands here. A hook exits 0, prints nothing or one JSON object, ends within its
own deadline, and leaves one line in the log when something was wrong. Req: B1, design rule 2.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself imports enum: a third of a hook's start
import gc
import os
import sys
import time

from lib.host import children, jsontext, paths, payload, reply
from lib.host.call import CHILD_MARK, Call, alarm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NoReturn

    from lib.host.hosts import Adapter

DEADLINE = 1.8  # seconds; a hook that is not done by then ends in silence
LOG_LIMIT = 1_000_000  # bytes, then the log is set aside once


def serve(event: str, handler: Callable[[Call], str]) -> NoReturn:
    """Run one hook to its end; the process never returns from here and always exits 0."""
    gc.disable()  # a process of milliseconds has no garbage worth looking for
    started = time.time()
    config = ""

    def answer() -> bytes:
        nonlocal config
        _arm(event)
        config = paths.config_dir(os.environ)
        quiet = os.environ.get(CHILD_MARK) or os.environ.get("MEMORY_HOOKS_OFF")
        return b"" if quiet else _answer(event, handler, started)

    out, error = _guarded(answer)
    if error:
        note(config, event, f"{type(error).__name__}: {where(error)}")
        out, _ = _guarded(lambda: _failed(config, event, error))
    try:
        while out:
            out = out[os.write(1, out) :]
    except OSError:
        note(config, event, "the host closed the pipe")
    os._exit(0)  # not sys.exit: interpreter teardown costs milliseconds and could still print


def _guarded(step: Callable[[], bytes]) -> tuple[bytes, BaseException | None]:
    """What a step gives, or what went wrong in it."""
    try:
        return step(), None
    except BaseException as error:
        return b"", error


def _answer(event: str, handler: Callable[[Call], str], started: float) -> bytes:
    given = payload.read()
    env: Mapping[str, str] = os.environ
    host: Adapter | None = None
    if "--host" in sys.argv:  # registered with another agent than Claude Code
        from lib.host import hosts

        host = hosts.named(sys.argv)
        given, env = hosts.translated(host, given), hosts.environment(host, env)
    call = Call(event, given, env, started)
    named = given.text("hook_event_name")
    if given.problem:
        note(call.config, event, given.problem)
    elif named != event:
        note(call.config, event, f"payload is for {named[:40]!r}" if named else "payload names no event")
    elif not call.usable:
        note(call.config, event, "payload names no session, or no absolute cwd")
    elif "--plugin" in sys.argv and _gives_way(call):
        return b""
    elif not children.known(call.config, call.session, given.text("cwd")):
        said = handler(call)
        # Other hosts are not known to show it, and what was taken is gone.
        return reply.context(host.EVENTS[event] if host else event, said, "" if host else _alarm(call.config, event))
    return b""


def _gives_way(call: Call) -> bool:
    from lib.host import plugin

    return plugin.gives_way(call, os.path.basename(sys.argv[0]))


def _alarm(config: str, event: str) -> str:
    """What the worker has to tell the person, with a prompt: one failed `open` when there is nothing."""
    if event != "UserPromptSubmit" or not (text := alarm(config)):
        return ""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return f"memory-hooks: {text}. See what to do: python {root}/memory.py doctor"


def _failed(config: str, event: str, error: BaseException) -> bytes:
    """A hook of ours failed: counted, and said at the third time within hours."""
    from lib.journal import failing

    failing.failed(config, f"the {event} hook", f"{type(error).__name__}: {where(error)}", gap=3600.0)
    return reply.context(event, "", "" if "--host" in sys.argv else _alarm(config, event))


def _arm(event: str) -> None:
    def give_up(signum: int, frame: object) -> None:
        note(paths.config_dir(os.environ), event, f"gave up after {DEADLINE} s")
        os._exit(0)

    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, give_up)
        _signal.setitimer(_signal.ITIMER_REAL, DEADLINE)


def where(error: BaseException) -> str:
    """The message and the innermost line of ours: what a person needs to report it, no values of theirs."""
    trace = error.__traceback__
    place = ""
    while trace:
        code = trace.tb_frame.f_code
        place = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    detail = f"{error.strerror} {error.filename!r}" if isinstance(error, OSError) else ""
    return f"{detail} ({place})".strip()


def note(config: str, event: str, what: str) -> None:
    """Append one line to the log: when, which hook, what happened; never a value of the environment."""
    if not config:
        return
    folder = paths.own_dir(config)
    path = os.path.join(folder, "log.jsonl")
    line = jsontext.dumps({"t": round(time.time(), 3), "hook": event, "what": what[:500]}) + "\n"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
        os.write(descriptor, line.encode("ascii"))
        if os.fstat(descriptor).st_size > LOG_LIMIT:
            os.replace(path, path + ".1")
        os.close(descriptor)
    except OSError:
        pass  # a full or read-only disk: there is nowhere left to say it
