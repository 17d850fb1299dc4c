"""What an end-to-end test stands on: the real client, a network of its own, and a clear word where they are missing."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import client
from tests.support.netns import Network

REQUIRED = bool(os.environ.get("MEMORY_HOOKS_REQUIRE_CLIENT"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def program() -> Path:
    found = client.binary()
    if found is None:
        message = f"the client {client.VERSION} is not installed: `python tests` installs it where npm is present"
        if REQUIRED:
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture
def network() -> Iterator[Network]:
    with Network() as network:
        yield network
