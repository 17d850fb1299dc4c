"""What the tests beside their modules use: a machine for hooks, a session at a desk, a room for an extraction."""
from __future__ import annotations

from tests.dream.conftest import place
from tests.extract.test_run import room
from tests.extract.test_schedule import desk
from tests.hooks.conftest import stage
from tests.hooks.test_flow import person

__all__ = ["desk", "person", "place", "room", "stage"]
