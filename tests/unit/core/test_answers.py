"""Whatever asks has its way to be answered: by a click, in words, and by the model that reads the words."""

from __future__ import annotations

import pytest

from app.core.answers import ANSWERS
from app.core.calling import RESOLUTIONS
from app.core.question import Origin


@pytest.mark.parametrize("origin", Origin)
def test_whatever_asks_has_its_way_to_be_answered(origin: Origin) -> None:
    assert origin in ANSWERS
    assert origin in RESOLUTIONS
