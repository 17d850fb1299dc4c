"""The protocol, step by step over a store in memory: who wins, what is sent, what comes back, when it gives up."""
from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.team import sync, wire
from lib.team.manifest import Manifest
from lib.team.problems import StoreProblem, TooLarge
from lib.team.store import Hashes, Snapshot
from lib.team.sync import Local, Pushed
from tests.team.members import Shelf, local_of

TEXT = st.characters(exclude_categories=["Cs"])
KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


def pushed(shelf: Shelf, texts: dict[str, str], base: Manifest | None = None) -> Pushed:
    return sync.push(shelf, lambda: local_of(texts), base or Manifest())


def base_of(shelf: Shelf) -> Manifest:
    return Manifest(shelf.checksum, {key: wire.checksum(text) for key, text in shelf.entries.items()})


def test_only_what_differs_is_sent() -> None:
    shelf = Shelf({"same.md": "1", "mine.md": "old"})
    base = base_of(shelf)
    done = pushed(shelf, {"same.md": "1", "mine.md": "new", "more.md": "2"}, base)
    assert shelf.bodies == [{"mine.md": "new", "more.md": "2"}]
    assert done.sent == ["mine.md", "more.md"] and done.held == {}
    assert done.manifest.checksum == shelf.checksum, "what is known whole needs no second look"


def test_an_old_copy_does_not_undo_somebody_elses_newer_text() -> None:
    shelf = Shelf({"a.md": "old"})
    base = base_of(shelf)
    shelf.entries["a.md"] = "newer"
    done = pushed(shelf, {"a.md": "old", "b.md": "mine"}, base)
    assert shelf.entries == {"a.md": "newer", "b.md": "mine"}
    assert done.sent == ["b.md"] and done.held == {}
    assert done.manifest.checksum == "", "the newer text is still to be pulled"


def test_a_text_that_both_changed_stays_the_teams_and_is_named() -> None:
    shelf = Shelf({"a.md": "old"})
    base = base_of(shelf)
    shelf.entries["a.md"] = "theirs"
    done = pushed(shelf, {"a.md": "mine"}, base)
    assert shelf.entries == {"a.md": "theirs"}
    assert "somebody else" in done.held["a.md"]


def test_a_name_that_the_team_has_already_is_not_overwritten() -> None:
    shelf = Shelf({"a.md": "theirs"})
    assert list(pushed(shelf, {"a.md": "mine"}).held) == ["a.md"]
    assert "the same file as a.md" in pushed(shelf, {"A.md": "mine"}).held["A.md"]
    assert shelf.entries == {"a.md": "theirs"}


def test_leaving_an_entry_out_deletes_nothing_and_the_next_pull_brings_it_back() -> None:
    shelf = Shelf({"a.md": "1", "b.md": "2"})
    base = base_of(shelf)
    assert sync.changed_here(local_of({"b.md": "2"}), base.entries) == []
    pushed(shelf, {"b.md": "2"}, base)
    assert set(shelf.entries) == {"a.md", "b.md"}
    pulled = sync.pull(shelf, local_of({"b.md": "2"}), base)
    assert pulled and pulled.write == {"a.md": "1"} and pulled.yielded == []


def test_a_store_that_moved_is_asked_again_and_what_goes_is_read_and_scanned_again() -> None:
    shelf, reads = Shelf({"a.md": "1"}), 0

    def read() -> Local:
        nonlocal reads
        reads += 1
        return local_of({"mine.md": "clean" if reads == 1 else f"token {KEY}", "b.md": "2"})

    def other() -> None:
        shelf.before_put = lambda: None
        shelf.entries["other.md"] = "x"

    shelf.before_put = other
    done = sync.push(shelf, read, Manifest())
    assert shelf.asked == ["hashes", "put", "hashes", "put"]
    assert set(shelf.entries) == {"a.md", "other.md", "b.md"}
    assert "secret" in done.held["mine.md"] and KEY not in repr(done)


def test_after_two_retries_it_gives_up_for_now() -> None:
    shelf = Shelf({"a.md": "1"})

    def always() -> None:
        shelf.entries["other.md"] = shelf.entries.get("other.md", "") + "x"

    shelf.before_put = always
    done = pushed(shelf, {"mine.md": "1"})
    assert done.moved and done.sent == [] and shelf.asked.count("put") == 1 + sync.RETRIES


def test_what_went_before_the_store_moved_is_not_sent_twice() -> None:
    shelf = Shelf(body_limit=60)
    puts = 0

    def second() -> None:
        nonlocal puts
        puts += 1
        if puts == 2:
            shelf.entries["other.md"] = "x"

    shelf.before_put = second
    done = pushed(shelf, {"a.md": "1" * 30, "b.md": "2" * 30})
    assert done.sent == ["a.md", "b.md"]
    assert shelf.bodies == [{"a.md": "1" * 30}, {"b.md": "2" * 30}]


@given(
    st.dictionaries(st.from_regex(r"[a-z]{1,6}\.md", fullmatch=True), st.text(TEXT, max_size=80), max_size=12),
    st.integers(60, 400),
)
@settings(max_examples=60)
def test_no_body_is_over_the_limit_and_nothing_is_lost_on_the_way(texts: dict[str, str], limit: int) -> None:
    parts = sync._Parts(texts, limit)
    bodies = list(parts)
    assert all(len(sync.encoded(body)) <= limit for body in bodies)
    assert all(json.loads(sync.encoded(body)) == {"entries": body} for body in bodies)
    assert {**{key: text for body in bodies for key, text in body.items()}, **parts.too_large}.keys() == texts.keys()
    assert all(len(sync.encoded({key: texts[key]})) + len(", ") > limit for key in parts.too_large)


def test_one_entry_that_is_too_large_is_named_and_the_others_go() -> None:
    shelf = Shelf()
    done = pushed(shelf, {"a.md": "1", "big.md": "x" * (wire.BODY_BYTES + 1), "c.md": "3"})
    assert set(shelf.entries) == {"a.md", "c.md"}
    assert str(wire.BODY_BYTES) in done.held["big.md"]


def test_what_the_store_alone_finds_too_large_is_narrowed_down_to_the_one() -> None:
    class Strict(Shelf):
        def put(self, entries: object, if_match: str) -> str:
            assert isinstance(entries, dict)
            if "fat.md" in entries:
                raise TooLarge("over the server's limit")
            return super().put(entries, if_match)

    shelf = Strict()
    done = pushed(shelf, {"a.md": "1", "fat.md": "2", "z.md": "3"})
    assert set(shelf.entries) == {"a.md", "z.md"}
    assert done.held == {"fat.md": "over the server's limit"} and done.sent == ["a.md", "z.md"]


def test_a_secret_stays_here_and_is_named_by_rule_and_line() -> None:
    shelf = Shelf()
    done = pushed(shelf, {"a.md": "fine", "b.md": f"first\nthe token is {KEY}\n", f"{KEY}.md": "in the name"})
    assert shelf.entries == {"a.md": "fine"}
    assert "line 2" in done.held["b.md"] and len(done.held) == 2
    assert KEY not in done.held["b.md"] + done.held[f"{KEY}.md"]


def test_a_secret_in_the_store_is_not_taken_in() -> None:
    shelf = Shelf({"a.md": "fine", "b.md": f"the token is {KEY}"})
    pulled = sync.pull(shelf, local_of({}), Manifest())
    assert pulled and pulled.write == {"a.md": "fine"} and "secret" in pulled.held["b.md"]
    assert "b.md" not in pulled.entries


HOSTILE: list[tuple[str, str, str]] = [
    ("../x.md", "1", "relative"), ("a.md/b.md", "1", "folder"), ("MEMORY.md", "1", "its own index"),
    ("nul.md", "1", "Windows"), ("big.md", "x" * (wire.ENTRY_BYTES + 1), "over"), ("zero.md", "a\0b", "NUL"),
    ("half.md", "\ud800", "half a character"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "text", "why"), HOSTILE)
def test_a_bad_entry_is_left_out_and_the_rest_comes(key: str, text: str, why: str) -> None:
    class Sends(Shelf):
        def fetch_all(self, known: str = "") -> Snapshot | None:
            return Snapshot("sha256:" + "0" * 64, {"a.md": "1", key: text}, damaged={"torn.md": "torn"})

    pulled = sync.pull(Sends(), local_of({}), Manifest())
    assert pulled and pulled.write == {"a.md": "1"}
    assert why in pulled.held[key] and pulled.held["torn.md"] == "torn"


def test_a_pull_overwrites_what_was_changed_here_and_names_it() -> None:
    shelf = Shelf({"a.md": "theirs", "b.md": "2"})
    base = base_of(shelf)
    pulled = sync.pull(shelf, local_of({"a.md": "mine", "b.md": "2"}), base)
    assert pulled and pulled.write == {"a.md": "theirs"} and pulled.yielded == ["a.md"]


def test_a_change_that_waits_to_be_sent_stays_unless_somebody_else_changed_it_too() -> None:
    shelf = Shelf({"a.md": "1", "b.md": "2"})
    base = base_of(shelf)
    shelf.entries["b.md"] = "theirs"
    pulled = sync.pull(shelf, local_of({"a.md": "mine", "b.md": "my b"}), base, keep_pending=True)
    assert pulled and pulled.write == {"b.md": "theirs"} and pulled.yielded == ["b.md"]
    assert pulled.entries["a.md"] == wire.checksum("1")


def test_nothing_new_is_one_question_and_no_answer() -> None:
    shelf = Shelf({"a.md": "1"})
    assert sync.pull(shelf, local_of({"a.md": "1"}), base_of(shelf)) is None
    assert shelf.asked == ["all"]


def test_what_the_store_lost_is_given_back() -> None:
    shelf = Shelf({"a.md": "1"})
    base = base_of(shelf)
    shelf.entries.clear()
    assert sync.pull(shelf, local_of({"a.md": "1"}), base) is not None
    assert pushed(shelf, {"a.md": "1"}, base).sent == ["a.md"]


def test_what_a_store_says_goes_through() -> None:
    class Down(Shelf):
        def fetch_hashes(self) -> Hashes:
            raise StoreProblem("no network")

    with pytest.raises(StoreProblem, match="no network"):
        pushed(Down(), {"a.md": "1"})
