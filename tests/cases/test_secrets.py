"""A secret that was said once: not in a memory, not in our notes, not in a question to a model, not recalled."""
from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from lib.host.call import Call
from lib.journal import Journal
from lib.memory import noting, secrets
from lib.memory.secrets.rules import RULES
from lib.recall import offer
from tests.extract.test_run import Room
from tests.extract.test_schedule import Desk
from tests.hooks.test_flow import Person
from tests.memory.secrets_samples import from_pattern, made

# Put together when the test runs: no whole token stands here.
TOKENS = {
    "github": "gh" + "p_{A36}", "fine-grained": "github_" + "pat_{A22}_{A59}", "anthropic": "sk-" + "ant-api03-{W93}AA",
    "slack": "xo" + "xb-{d12}-{d12}-{A24}", "aws": "AK" + "IA{U16}", "gitlab": "gl" + "pat-{W20}",
    "assignment": "export DB_PASS" + "WORD={A20}", "header": "Authorization: Ba" + "sic {A40}",
}  # fmt: skip


def token(kind: str) -> str:
    return made(TOKENS[kind], 3)


def value(kind: str) -> str:
    """The part of a token that must appear nowhere."""
    return token(kind).rpartition("=")[2].rpartition(" ")[2]


@pytest.mark.parametrize("kind", TOKENS)
def test_a_secret_that_was_said_is_in_no_memory_and_in_no_note_of_ours(desk: Desk, kind: str) -> None:
    desk.say(f"Remember: the deploy always needs {token(kind)} here")
    desk.stop(last_assistant_message=f"Noted, I will use {token(kind)} from now on.")
    assert "Noted, I will use" in str(desk.last()["last_said"])
    noted = [path for path in Path(desk.config, "memory-hooks").rglob("*") if path.is_file()]
    assert noted and not [path for path in noted if value(kind).encode() in path.read_bytes()]


@pytest.mark.parametrize("kind", ["github", "assignment"])
def test_an_extraction_keeps_a_secret_out(room: Room, kind: str) -> None:
    room.say(f"Remember: always deploy with {token(kind)} here")
    room.extract(backend="rules")
    assert not any(value(kind) in text for text in room.files().values())


def test_a_question_to_a_model_holds_no_secret_and_keeps_its_words(desk: Desk) -> None:
    call: Call = desk.call("UserPromptSubmit", prompt=f"why does {token('github')} fail at the harbour?")
    offer.ask(call, Journal(call.state, call.session), [])
    (asked,) = (event for event in desk.journal.events() if event["e"] == "ask")
    assert value("github") not in str(asked) and "fail at the harbour?" in str(asked["prompt"])


def test_a_secret_that_a_person_wrote_into_a_memory_is_not_recalled(person: Person) -> None:
    folder = person.stage.memory
    folder.mkdir(parents=True)
    said = f"description: The harbour gateway takes {token('github')}\nmetadata:\n  type: reference\n"
    (folder / "harbour-gateway.md").write_text(f"---\nname: harbour-gateway\n{said}---\nUse {token('github')}.\n")
    ran = person.hook("UserPromptSubmit", prompt="how do I reach the harbour gateway?")
    assert "harbour" in ran.context and value("github") not in ran.context


def test_what_a_rule_would_find_is_always_looked_for() -> None:
    missed = [
        rule.name for rule in RULES[::3]
        if not noting.suspect(text := f"it is {from_pattern(rule)} now") and secrets.scan(text)
    ]  # fmt: skip
    assert missed == []
    chance = random.Random(7)
    plain = " ".join("".join(chance.choices(string.ascii_lowercase, k=chance.randrange(2, 9))) for _ in range(12))
    assert noting.suspect(plain) is any(cue in plain for cue in noting._CUES)


def test_other_forms_of_letters_and_what_is_not_seen_hide_no_secret() -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in token("github"))
    split = "\u200b".join(token("github"))
    for hidden in (wide, split):
        assert noting.clean(f"it is {hidden} now") == "it is [secret: github-personal-token] now"


def test_words_without_a_secret_are_noted_as_they_are_and_search_nothing() -> None:
    said = "Done: the harbour pilots now see the rota. 3 files changed."
    assert noting.clean(said) is said and not noting.suspect(said)
    assert noting.opening("abc [secret: x] def", 200) == "abc " and noting.opening("abcdef", 3) == "abc"
