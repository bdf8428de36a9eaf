"""What tests share: one real MongoDB for the whole run of a test process, and how properties search."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.mongo import quick_folder, running_mongod
from tests.properties import SUITE

settings.load_profile(SUITE)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: all that is made then stays, and is looked through in vain."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def mongo_uri() -> Generator[str]:
    """The URI of a real mongod."""
    with quick_folder() as folder, running_mongod(folder) as uri:
        yield uri
