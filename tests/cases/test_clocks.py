"""A clock that went back: a time that lies ahead holds nobody up."""
from __future__ import annotations

import os

import pytest

from lib.dream import schedule
from lib.extract.schedule import pick_up
from lib.model.outage import Outage
from lib.recall import offer
from lib.recall.lexical import Selection
from tests.extract.test_schedule import OTHER, Desk

DAY = 86_400.0


def test_a_pause_that_began_tomorrow_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offer, "somebody", lambda call: True)
    call = desk.call("UserPromptSubmit", prompt="x")
    unsure = Selection((), certain=False)
    event = {"e": "selected", "t": call.now - 60, "pause": 100.0}
    assert offer.refusal(call, unsure, [event]) == "paused"
    assert offer.refusal(call, unsure, [{**event, "t": call.now + DAY}]) == ""


def test_a_session_that_seems_to_move_tomorrow_is_picked_up_today(desk: Desk) -> None:
    left = Desk(desk.project, OTHER)
    left.say("use pnpm")
    left.stop()
    assert left.work() == ["use pnpm"]
    left.say("and never npm")
    for ahead, found in ((0.0, False), (3 * DAY, True)):
        os.utime(left.transcript, (desk.now + ahead, desk.now + ahead))
        assert pick_up(desk.call("SessionStart")) is found
    assert left.work() == ["and never npm"]


def test_a_fault_of_tomorrow_and_a_look_that_is_put_off_for_ever_hold_nobody(desk: Desk) -> None:
    fault = Outage("network", "no network", since=desk.now, until=desk.now + 100)
    assert fault.lasts(desk.now + 1) and not fault.lasts(desk.now - DAY)
    state = desk.call().state
    os.makedirs(state)
    schedule.put_off(state, desk.now + 60)
    assert schedule.throttled(state, desk.now) and not schedule.throttled(state, desk.now - 30 * DAY)
