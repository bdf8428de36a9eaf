"""Whatever asks has its way to be answered: by a click, in words, and by the model that reads the words."""

from __future__ import annotations

import pytest

from app.core.reactions.answers import ANSWERS
from app.core.state.question import Origin
from app.core.turns.model_call import RESOLUTIONS


@pytest.mark.parametrize("origin", Origin)
def test_whatever_asks_has_its_way_to_be_answered(origin: Origin) -> None:
    assert origin in ANSWERS
    assert origin in RESOLUTIONS
