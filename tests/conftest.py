"""What tests share: one real MongoDB for the whole run of a test process, and how properties search."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.mongo import running_mongod
from tests.properties import SUITE

settings.load_profile(SUITE)


@pytest.fixture(scope="session")
def mongo_uri() -> Generator[str]:
    """The URI of a real mongod; a socket's path must be short, so it does not live under pytest's own folder."""
    folder = Path(tempfile.mkdtemp(prefix="tw-"))
    try:
        with running_mongod(folder) as uri:
            yield uri
    finally:
        shutil.rmtree(folder, ignore_errors=True)
