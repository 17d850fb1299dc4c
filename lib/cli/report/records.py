"""What the report tells, gathered before anything is drawn: plain records, texts as they are stored."""

from __future__ import annotations

from dataclasses import dataclass, field

DAYS = 30  # what the report looks back on


@dataclass(frozen=True)
class Link:
    """A `[[name]]` in a memory; `file` "" when no memory answers to the name."""

    name: str
    file: str


@dataclass(frozen=True)
class Card:
    """One memory. `noted` and `last_recalled` in seconds since the epoch, the latter 0 for never."""

    file: str
    kind: str
    statement: str
    body: str
    noted: float
    source: str
    session: str = ""
    quote: str = ""
    links: tuple[Link, ...] = ()
    gone: tuple[str, ...] = ()  # what it names and the project no longer has, as sentences
    stale: bool = False
    problem: str = ""
    recalled: int = 0
    last_recalled: float = 0.0


@dataclass(frozen=True)
class Step:
    """One entry of the history on its day: what was done to which files, by whom."""

    at: float
    who: str
    why: str
    session: str
    created: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Day:
    """A calendar day of the person's; `recalled` file -> how often."""

    date: str
    steps: tuple[Step, ...] = ()
    prompts: int = 0
    recalled: dict[str, int] = field(default_factory=dict)

    @property
    def learned(self) -> int:
        return sum(len(step.created) + len(step.changed) for step in self.steps if step.who not in ("dream", "undo"))

    @property
    def consolidated(self) -> int:
        return sum(step.who == "dream" for step in self.steps)


@dataclass(frozen=True)
class Decision:
    """How often one gate gave one reason."""

    gate: str
    reason: str
    count: int
    last: float


@dataclass(frozen=True)
class Cost:
    """Calls of models in one group; tokens read from and written to caches count as input."""

    name: str
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float


@dataclass(frozen=True)
class Held:
    """A memory that waits for the person's word."""

    file: str
    reason: str
    at: float


@dataclass(frozen=True)
class Report:
    """Everything, as of `now`; `days` the last DAYS, oldest first, `spent` dollars of each of them."""

    project: str
    memory: str
    now: float
    switched_off: str
    total: int
    cards: tuple[Card, ...]
    held: tuple[Held, ...]
    days: tuple[Day, ...]
    decisions: tuple[Decision, ...]
    spent: tuple[float, ...]
    costs: tuple[Cost, ...]
    elsewhere: float  # dollars, of other projects
    missing: tuple[str, ...] = ()  # what could not be read, as sentences

    @property
    def doubtful(self) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.gone or card.problem)
