"""Fixtures of the tests on tools that reach outside of their thread."""

from __future__ import annotations

import pytest

from tests.unit.agent.tools.outer.afield import Afield


@pytest.fixture
def at() -> Afield:
    return Afield()
