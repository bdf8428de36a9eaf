"""What the form that begins a decision offers."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps
from handlers.slack import action_ids
from handlers.views.windows.new_decision import DecisionOrigin, FormOptions, build_form


@pytest.mark.parametrize(
    ("readers", "said"),
    [
        (None, decision_steps.HERE),
        (1, decision_steps.HERE_READ.format(readers="1 person")),
        (12, decision_steps.HERE_READ.format(readers="12 people")),
    ],
)
def test_a_channel_is_offered_with_the_number_of_its_readers_where_that_is_known(
    readers: int | None, said: str
) -> None:
    shown = build_form(
        DecisionOrigin(channel="C1"), FormOptions(private=False, readers=readers, here=True), "Should we?"
    )
    (place,) = [each for each in shown["blocks"] if each.get("block_id") == action_ids.DECIDE_PLACE_FIELD]
    assert [each["text"]["text"] for each in place["element"]["options"]] == [decision_steps.DIRECT, said]
