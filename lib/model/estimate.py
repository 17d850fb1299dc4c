"""What a run will cost before it starts, and whether a fork or a fresh run is cheaper. Pure. Req: B7, J3.

A fork reads the whole context of its parent from the cache in each round; a fresh run of another model reads the
latest turns alone, but nothing of it is cached yet. Which is cheaper depends on the sizes and on both models.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.host.usage import LastRequest
from lib.model import prices
from lib.model.task import Usage

CHARACTERS = 3.5  # of a token, for text of several languages
ROUNDS = 2  # that a run has as a rule: one that reads, one that writes
REPLY = 400  # tokens of output a round
RESULTS = 600  # tokens that a round's answers to its calls add
OUR_TOOLS = 2_500  # tokens of the tools and of the client's own words in a fresh run


@dataclass(frozen=True)
class Plan:
    """How an agent's run shall go: `mode` fork or delta, its estimate in US dollars, and why, as a sentence."""

    mode: str
    usd: float
    reason: str


def fresh(model: str, characters: int, rounds: int = ROUNDS) -> float:
    """US dollars of a run that begins with nothing in the cache."""
    return prices.cost(model, _rounds(characters / CHARACTERS + OUR_TOOLS, 0, rounds))


def fork(last: LastRequest, characters: int, now: float, rounds: int = ROUNDS) -> float:
    """US dollars of a fork of that session; the whole context is new to the cache when that has gone cold."""
    new = characters / CHARACTERS
    if last.warm(now):
        return prices.cost(last.model, _rounds(new, last.context, rounds))
    return prices.cost(last.model, _rounds(new + last.context, 0, rounds))


def _rounds(new: float, cached: int, rounds: int) -> Usage:
    """The tokens of a run: what is new is written once and read in every later round, with what these add."""
    total = Usage()
    for n in range(rounds):
        added = new if n == 0 else REPLY + RESULTS
        total += Usage(output=REPLY, cache_read=round(cached), cache_write=round(added))
        cached += round(added)
    return total


def plan(
    wanted: str, last: LastRequest | None, model: str, *, fork_characters: int, delta_characters: int, now: float,
    most_tokens: int, obstacle: str = "",
) -> Plan:  # fmt: skip
    """`wanted` is the person's extract.mode; `obstacle` says why the session cannot be forked at all, or ""."""
    delta = fresh(model, delta_characters)
    if wanted == "delta":
        return Plan("delta", delta, "the settings ask for delta")
    if obstacle or last is None:
        return Plan("delta", delta, obstacle or "the session's last request is not known")
    forked = fork(last, fork_characters, now)
    needed = (last.context + round(fork_characters / CHARACTERS)) * ROUNDS
    if needed > most_tokens:
        told = f"a fork would read {needed:,} tokens, over {most_tokens:,} (budget.runInputTokens)"
        return Plan("delta", delta, told)
    if wanted == "fork":
        return Plan("fork", forked, "the settings ask for fork")
    told = f"fork ${forked:.4f} ({last.context:,} tokens{'' if last.warm(now) else ', cold'}), delta ${delta:.4f}"
    return Plan("fork", forked, told) if forked <= delta else Plan("delta", delta, told)
