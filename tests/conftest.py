"""What several kinds of tests share: one real MongoDB for the whole run of a test process."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.mongo import quick_folder, running_mongod


@pytest.fixture(scope="session")
def mongo_uri() -> Generator[str]:
    """The URI of a real mongod."""
    with quick_folder() as folder, running_mongod(folder) as uri:
        yield uri
