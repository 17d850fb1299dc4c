"""Recall says what it left out and why, and whether anybody need be asked in addition; last turns' files count."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.recall import lexical
from lib.recall.lexical import consider, select
from tests.recall.folder import HARBOUR, memory, write


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return write(tmp_path / "memory", HARBOUR)


def names(hits: list[lexical.Hit]) -> list[str]:
    return [Path(hit.path).stem for hit in hits]


CERTAINTY = [
    ("which solver does the berth allocation use?", ["berth-allocation"], True),  # a whole name
    ("thanks, continue", [], True),  # small talk
    ("is it possible to print a haiku?", [], True),  # a question that nothing comes near
    ("write a haiku about the sea", [], False),  # an order: a preference may share no word with it
    ("warum ist das Meer so blau und kalt?", [], False),  # another language shares no words
    ("add a dependency", ["pnpm"], False),  # by its kind of work alone
]


@pytest.mark.parametrize(("prompt", "picked", "certain"), CERTAINTY)
@pytest.mark.parametrize("saved", [True, False])
def test_certain_is_a_name_or_a_question_that_nothing_comes_near(
    harbour: Path, tmp_path: Path, prompt: str, picked: list[str], certain: bool, saved: bool
) -> None:
    found = consider(harbour, prompt, index=tmp_path / "i.sqlite" if saved else None)
    assert (names(found.hits), found.certain) == (picked, certain)


def test_a_near_miss_is_not_certain_and_says_what_it_lacks(harbour: Path) -> None:
    found = consider(harbour, "is the outbox of the mail client full?")
    assert (found.hits, found.certain, names(found.left)) == ([], False, ["outbox"])
    assert found.left[0].why == "too few telling words in common"
    dense = {"rules": memory("harbour-rules", "Siren, ferry, pier, dawn, lamp, anchor, buoy, crane, quay and mooring")}
    found = consider(write(harbour.parent / "d", dense), "is the siren of the ferry painted green, white or purple?")
    assert (found.hits, found.certain) == ([], False) and found.left[0].why.startswith("clarity 0.")


def test_what_was_left_out_says_why(tmp_path: Path) -> None:
    extra = "applies: [tests]\n"
    texts = {f"p{n}": memory(f"preference-{n}", f"Rule {n}", extra=extra, kind="feedback") for n in range(5)}
    folder = write(tmp_path / "m", texts)
    found = consider(folder, "write tests for the siren")
    assert len(found.hits) == 3
    assert {hit.why for hit in found.left} == {"3 others already apply to this kind of work"}
    found = consider(folder, "write tests for the siren", limit=2)
    assert "over the limit of 2" in {hit.why for hit in found.left}
    old = write(tmp_path / "o", {"old": memory("tslint-setup", "We lint with TSLint", extra="status: superseded\n")})
    left = consider(old, "how is the tslint setup done?").left
    assert [hit.why for hit in left] == ["no longer holds by its own word"]


def test_select_is_what_consider_hits(harbour: Path) -> None:
    for prompt, picked, _ in CERTAINTY:
        assert names(select(harbour, prompt)) == picked


def test_of_equal_scores_the_persons_own_comes_first(tmp_path: Path) -> None:
    texts = {
        f"{n}-{kind}": memory("siren", "The siren is loud", kind=kind)
        for n, kind in enumerate(("project", "user", "reference", "feedback"))
    }
    folder = write(tmp_path / "m", texts)
    # the type is a word of the memory too, so that the scores are equal only where the prompt names none
    ranked = select(folder, "siren", abstain=False)
    assert len({hit.score for hit in ranked}) == 1
    assert [name[2:] for name in names(ranked)] == ["user", "feedback", "project", "reference"]


STANDING = {
    "types": memory("no-any", "No any, parse with zod", kind="feedback", extra="applies: [typescript]\n"),
    "sql": memory("plain-sql", "No ORM", kind="feedback", extra='applies: ["db/queries/"]\n'),
}


@pytest.mark.parametrize(
    ("prompt", "files", "picked"),
    [
        ("add the same check there", ["src/pay.ts"], ["types"]),
        ("add the same check there", ["src/pay.py"], []),
        ("add the same check there", [], []),
        ("add the same check there", ["db/queries/a.sql"], ["sql"]),
        ("what is a closure again?", ["src/pay.ts", "db/queries/a.sql"], []),
        ("thanks", ["src/pay.ts"], []),
    ],
)
def test_an_order_goes_on_in_the_files_of_the_last_turns(
    tmp_path: Path, prompt: str, files: list[str], picked: list[str]
) -> None:
    folder = write(tmp_path / "m", STANDING)
    assert names(consider(folder, prompt, recent_files=files).hits) == picked
    assert names(select(folder, prompt, recent_files=files)) == picked


MANY = {f"fact-{n}": memory(f"fact-{n}", f"The siren of pier {n} is loud") for n in range(40)}
MOCKS = {"mocks": memory("no-mocks", "Tests use the real thing", kind="feedback", extra="applies: [tests, docs]\n")}


@pytest.mark.parametrize(
    ("prompt", "fires"),
    [
        ("write tests for the siren", True),  # the memories know it
        ("write tests for the throttle middleware", False),  # nobody here does
        ("make the unit tests faster", True),  # about nothing in particular
        ("write tests for the siren and the throttle", True),
        ("write tests for the throttle of the siren middleware", False),
    ],
)
def test_an_order_about_what_nobody_here_knows_is_another_projects(tmp_path: Path, prompt: str, fires: bool) -> None:
    folder = write(tmp_path / "m", {**MANY, **MOCKS})
    assert ("mocks" in names(select(folder, prompt))) is fires
    # a few memories do not know the project's words
    assert names(select(write(tmp_path / "few", MOCKS), prompt)) == ["mocks"]


def test_the_projects_files_know_what_the_memories_do_not(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", {**MANY, **MOCKS})
    prompt = "write tests for the throttle middleware"
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    index = b"DIRC\0\0\0\2\0\0\0\1" + b"\0" * 62 + b"src/%s.ts\0"
    (project / ".git" / "index").write_bytes(index % b"Middleware/Throttle")
    assert names(consider(folder, prompt, project=str(project)).hits) == ["mocks"]
    (project / ".git" / "index").write_bytes(index % b"painting")
    assert names(consider(folder, prompt, project=str(project)).hits) == []
    # without a list of its files nobody can say that it does not know
    (project / ".git" / "index").unlink()
    assert names(consider(folder, prompt, project=str(project)).hits) == ["mocks"]
