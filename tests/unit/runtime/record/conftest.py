"""Fixtures of the tests on records."""

from __future__ import annotations

import pytest

from tests.unit.stored_decision import StoredDecision


@pytest.fixture
def stored() -> StoredDecision:
    return StoredDecision()
