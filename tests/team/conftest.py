"""The databases of the team's server: each test gets an empty one, of SQLite and of PostgreSQL where that is here."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    if postgres.programs() is None:
        pytest.skip(postgres.MISSING)
    with postgres.Cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of an empty database, as a person gives it to the server."""
    if request.param == "sqlite":
        return str(Path(tmp_path_factory.mktemp("database")) / "team.sqlite")
    found: postgres.Cluster = request.getfixturevalue("cluster")
    return found.database()
