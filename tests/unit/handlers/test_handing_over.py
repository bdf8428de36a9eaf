"""A decision is handed over to whom its owner picks, or it is said why not."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, texts
from app.core.errors import SlackUnavailable
from app.core.events.acts import OwnershipTransferred
from app.core.state.status import Status
from handlers.views.kit import mrkdwn
from handlers.views.windows import handover_window
from tests.fakes import virtual
from tests.unit.handlers.decided import hub
from tests.unit.handlers.front import Front, sent
from tests.unit.handlers.payloads import ANN, BOT, CHANNEL, MAYA, TEAM
from tests.unit.handlers.pressing import NOT_HERS, menu, whispers


def handed(now: Conversation, to: str, user: str = MAYA) -> dict[str, Any]:
    return sent(handover_window.build_form(now.thread), user, to={"type": "users_select", "selected_user": to or None})


@virtual
async def test_a_decision_is_handed_over_to_whom_its_owner_picks(front: Front) -> None:
    front.slack.channels[ANN] = ("C0RANDOM1", CHANNEL)
    now = await front.has(hub(1))
    await front.sends(menu(now, "hand_over"))
    assert front.window == handover_window.build_form(now.thread)
    assert await front.sends(handed(now, ANN)) == ""
    (event,) = front.taken
    assert isinstance(event, OwnershipTransferred)
    assert (event.thread, event.user, event.to) == (now.thread, MAYA, ANN)
    assert event.receipt == f"view:{TEAM}:V0PICK001:1.abc"
    assert front.woken == [now.thread]


@virtual
@pytest.mark.parametrize(
    ("to", "user", "person", "said"),
    [
        ("", MAYA, {}, decision_record.PICK_SOMEBODY),
        (MAYA, MAYA, {}, decision_record.YOURS_ALREADY),
        (ANN, ANN, {}, mrkdwn.resolve_markup(NOT_HERS)),
        (BOT, MAYA, {"is_bot": True}, decision_record.NOT_A_BOT),
        ("USLACKBOT", MAYA, {"is_bot": False}, decision_record.NOT_A_BOT),
        (ANN, MAYA, {"deleted": True}, decision_record.NOT_ACTIVE),
        pytest.param(ANN, MAYA, {"is_restricted": True}, decision_record.NOT_FOR_THEM, marks=pytest.mark.req("SE-12")),
        pytest.param(ANN, MAYA, {"is_stranger": True}, decision_record.NOT_FOR_THEM, marks=pytest.mark.req("SE-12")),
    ],
)
async def test_a_decision_is_not_handed_over_to(
    front: Front, to: str, user: str, person: dict[str, bool], said: str
) -> None:
    now = await front.has(hub(1))
    front.slack.people[to], front.slack.channels[to] = person, (CHANNEL,)
    answer = await front.sends(handed(now, to, user))
    assert answer == {"response_action": "errors", "errors": {"to": said}}
    assert front.taken == []


@virtual
async def test_a_decision_in_direct_messages_stays_with_the_one_who_can_read_it(front: Front) -> None:
    now = await front.has(hub(1, channel="D0MAYA01"))
    body = menu(now, "hand_over")
    body["channel"]["id"] = body["container"]["channel_id"] = now.thread.channel
    await front.sends(body)
    assert whispers(front) == [decision_record.NOT_FROM_HERE]
    assert front.made("views.open") == []
    answer = await front.sends(handed(now, ANN))
    assert answer["errors"] == {"to": decision_record.NOT_FROM_HERE}
    assert front.taken == []


@virtual
async def test_a_decision_that_was_put_away_is_handed_to_nobody_and_its_owner_is_told_at_once(front: Front) -> None:
    front.slack.channels[ANN] = (CHANNEL,)
    now = await front.has(hub(1, status=Status.ARCHIVED))
    await front.sends(menu(now, "hand_over"))
    assert (whispers(front), front.made("views.open")) == ([texts.ARCHIVED], [])
    answer = await front.sends(handed(now, ANN))
    assert answer["errors"] == {"to": mrkdwn.resolve_markup(texts.ARCHIVED)}
    assert front.taken == []


@virtual
@pytest.mark.parametrize("others", [(), ("C0RANDOM1", "C0RANDOM2")])
async def test_a_decision_is_not_handed_to_somebody_who_is_not_in_its_channel(
    front: Front, others: tuple[str, ...]
) -> None:
    front.slack.people[ANN], front.slack.channels[ANN] = {"profile": {"display_name": "Ann"}}, others
    now = await front.has(hub(1))
    answer = await front.sends(handed(now, ANN))
    assert answer["errors"] == {"to": decision_record.NOT_IN_CHANNEL.format(person="Ann")}
    assert front.taken == []
    front.slack.channels[ANN] = (*others, CHANNEL)
    assert await front.sends(handed(now, ANN)) == ""
    assert len(front.taken) == 1


@virtual
@pytest.mark.parametrize("method", ["users.info", "users.conversations"])
async def test_while_slack_tells_nothing_of_a_person_nothing_is_handed_over(front: Front, method: str) -> None:
    front.slack.channels[ANN] = (CHANNEL,)
    now = await front.has(hub(1))
    front.slack.faults[method] = [SlackUnavailable(method, ambiguous=True)]
    answer = await front.sends(handed(now, ANN))
    assert answer["errors"] == {"to": texts.NOT_NOW}
    assert front.taken == []
