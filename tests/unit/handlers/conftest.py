"""Fixtures of the handlers' tests."""

from __future__ import annotations

import pytest

from tests.unit.handlers.front import Front
from tests.unit.handlers.place import Place


@pytest.fixture
def front() -> Front:
    return Front()


@pytest.fixture
def place() -> Place:
    return Place()
