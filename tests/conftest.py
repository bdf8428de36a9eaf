"""What tests share: one real MongoDB for the whole run of a test process, and how properties search."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.mongo import quick_folder, running_mongod
from tests.properties import SUITE

settings.load_profile(SUITE)


@pytest.fixture(scope="session")
def mongo_uri() -> Generator[str]:
    """The URI of a real mongod."""
    with quick_folder() as folder, running_mongod(folder) as uri:
        yield uri
