"""A form that begins something in a channel is checked when it is sent: does its sender see the channel now?"""

from __future__ import annotations

import pytest

from app.core.copy import texts
from handlers.slack import action_ids
from handlers.views.windows.new_decision import DecisionOrigin, DecisionPlace, FormOptions, build_form
from tests.fakes import virtual
from tests.unit.handlers.front import Front, sent, written
from tests.unit.handlers.payloads import CHANNEL, MAYA
from tests.unit.handlers.welcoming import IN_CHANNEL, begun, failed

pytestmark = pytest.mark.req("SE-06")

READ, ROOT = "C0BOARD01", "1770000100.000100"


def closed(front: Front, channel: str, *, is_known: bool) -> str:
    """Maya sees a channel no more, or nobody can tell whether she does; gives what she is told."""
    if is_known:
        front.unseen.add((MAYA, channel))
        return texts.NOT_SEEN
    front.unknown.add(channel)
    return texts.CANNOT_LOOK


@virtual
@pytest.mark.parametrize("is_known", [True, False])
async def test_no_conversation_begins_in_a_channel_that_its_owner_may_not_see(front: Front, is_known: bool) -> None:
    said = closed(front, CHANNEL, is_known=is_known)
    assert await front.sends(begun(IN_CHANNEL)) == failed(said)
    assert (front.slack.calls, front.taken) == ([], [])


@virtual
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    ("channel", "place"),
    [(CHANNEL, DecisionPlace.HERE), (READ, DecisionPlace.HERE), (READ, DecisionPlace.PRIVATE)],
)
async def test_no_decision_begins_in_or_from_a_channel_that_its_owner_may_not_see(
    front: Front, channel: str, place: DecisionPlace, is_known: bool
) -> None:
    said = closed(front, channel, is_known=is_known)
    form = build_form(
        DecisionOrigin(channel=CHANNEL, thread=ROOT, source=READ), FormOptions(private=True, here=True), "Where?"
    )
    chosen = {"type": "radio_buttons", "selected_option": {"value": place.value}}
    answer = await front.sends(sent(form, question=written("Where?"), place=chosen))
    assert answer["errors"] == {action_ids.DECIDE_PLACE_FIELD: said}
    assert (front.slack.calls, front.taken) == ([], [])
