"""Tokens put together: a list of pipelines, each a list of argument lists. Pure. Req: B4."""

from __future__ import annotations

from collections.abc import Iterable

from lib.model.scope import Denied
from lib.model.shell.words import Operator, Redirection, Token, Word

MAX_PIPELINES = 12
MAX_STAGES = 8
MAX_WORDS = 300


class Argv(list[str]):
    """One command and its arguments; `redirections` in their order, each one of the three that are allowed."""

    def __init__(self, words: Iterable[str] = (), redirections: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.redirections = tuple(redirections)


class Pipeline(list[Argv]):
    """Commands joined by `|`; `after` is what stands before it: "" for the first, else `&&`, `||` or `;`."""

    def __init__(self, stages: Iterable[Argv] = (), after: str = "") -> None:
        super().__init__(stages)
        self.after = after


class Pipelines(list[Pipeline]):
    """A whole command line."""


def assemble(tokens: Iterable[Token]) -> Pipelines | Denied:
    """The pipelines of a token list; an empty command anywhere is denied."""
    pipelines = Pipelines([Pipeline()])
    argv = Argv()
    for token in (*tokens, Operator("")):
        if isinstance(token, Word):
            argv.append(token.text)
        elif isinstance(token, Redirection):
            argv.redirections += (token.text,)
        else:
            if not argv:
                return Denied("A command is missing beside an operator or a redirection.")
            pipelines[-1].append(argv)
            argv = Argv()
            if token.text and token.text != "|":
                pipelines.append(Pipeline(after=token.text))
    if len(pipelines) > MAX_PIPELINES or any(len(pipeline) > MAX_STAGES for pipeline in pipelines):
        return Denied("Too many commands in one line; run fewer.")
    if any(len(argv) > MAX_WORDS for pipeline in pipelines for argv in pipeline):
        return Denied(f"A command has more than {MAX_WORDS} arguments; name fewer files.")
    return pipelines
