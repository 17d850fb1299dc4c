"""A payload is read at its closing brace; whatever else comes in is answered, never raised."""
from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.host import payload


def through_a_pipe(write: Callable[[int], None], patience: float = payload.PATIENCE) -> payload.Payload:
    reader, writer = os.pipe()
    thread = threading.Thread(target=write, args=(writer,))
    thread.start()
    try:
        return payload.read(reader, patience)
    finally:
        os.close(reader)
        thread.join()


def test_an_object_is_answered_before_the_pipe_is_closed() -> None:
    release = threading.Event()

    def write(fd: int) -> None:
        os.write(fd, '{"prompt":"あ\\"x"}'.encode())
        release.wait(30)
        os.close(fd)

    reader, writer = os.pipe()
    thread = threading.Thread(target=write, args=(writer,))
    thread.start()
    found = payload.read(reader, 20)
    still_open = thread.is_alive()
    release.set()
    thread.join()
    os.close(reader)
    assert still_open
    assert found.text("prompt") == 'あ"x'


def test_drops_of_three_bytes_are_put_together() -> None:
    text = '{"a": {"b": "}"}, "c": "é}"}'.encode()

    def write(fd: int) -> None:
        for at in range(0, len(text), 3):
            os.write(fd, text[at : at + 3])
            time.sleep(0.001)
        os.close(fd)

    assert through_a_pipe(write).fields == {"a": {"b": "}"}, "c": "é}"}


def test_a_pipe_that_stays_open_without_an_object_ends_the_patience() -> None:
    stop = threading.Event()

    def write(fd: int) -> None:
        os.write(fd, b'{"a": ')
        stop.wait(30)
        os.close(fd)

    reader, writer = os.pipe()
    thread = threading.Thread(target=write, args=(writer,))
    thread.start()
    found = payload.read(reader, 0.05)
    stop.set()
    thread.join()
    os.close(reader)
    assert (found.fields, found.problem) == ({}, "input did not end in time")


def test_a_large_payload_in_many_pieces_is_whole() -> None:
    text = b'{"x": "' + b"}" * 3_000_000 + b'"}'

    def write(fd: int) -> None:
        view = memoryview(text)
        while view:
            view = view[os.write(fd, view) :]
        os.close(fd)

    assert len(through_a_pipe(write, 20).text("x")) == 3_000_000


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "empty input"), (b"  \n", "empty input"), (b"null", "input is NoneType, not an object"),
        (b"[]", "input is list, not an object"), (b"hello", "input is not JSON"),
        (b"[" * 100_000, "input nested too deeply"), (b'{"a":' * 100_000, "input nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "input is not JSON"),
    ],
)  # fmt: skip
def test_what_is_no_object_is_named(raw: bytes, problem: str) -> None:
    found = payload.parse(raw)
    assert (found.fields, found.problem) == ({}, problem)


def test_the_first_object_counts_and_a_mark_at_the_start_does_not() -> None:
    assert payload.parse(b'\xef\xbb\xbf{"a": "1"} {"a": "2"} rest').text("a") == "1"


def test_fields_of_another_type_are_empty() -> None:
    found = payload.parse(b'{"cwd": null, "prompt": ["x"], "tool_input": "x", "stop_hook_active": "true"}')
    assert [found.text("cwd"), found.text("prompt"), found.text("none")] == ["", "", ""]
    assert found.mapping("tool_input") == {}
    assert found.flag("stop_hook_active") is False


def test_lone_surrogates_become_replacement_characters() -> None:
    assert payload.parse(b'{"prompt": "ok \\ud83d end \\ud83d\\ude00"}').text("prompt") == "ok \ufffd end 😀"


@given(st.binary(max_size=200))
def test_no_bytes_raise(raw: bytes) -> None:
    found = payload.parse(raw)
    assert found.fields or found.problem or raw.strip().startswith((b"{", b"\xef"))


@given(st.text())
def test_whole_text_can_always_be_written(text: str) -> None:
    assert payload.whole(text).encode().decode() == payload.whole(text)
