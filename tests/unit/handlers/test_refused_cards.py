"""A card that Slack refuses to render: its words are shown all the same, and a question can be answered in words."""

from __future__ import annotations

import pytest

from app.core.cards import Card, QuestionCard, ScheduleCard
from app.core.errors import SlackRefused
from app.core.model import Message, Role
from app.core.question import Question, QuestionKind
from app.core.schedule import Schedule, ScheduleKind
from app.core.states import QuestionState
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.slack import conversation

WHICH = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=("Evening & night", "Hiring"))
ASKED = QuestionCard(question=WHICH, owner="U1")
ANSWERED = QuestionCard(question=WHICH, owner="U1", state=QuestionState.ANSWERED, answer="Hiring", by="U1", at="9.1")
DAILY = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron="0 9 * * *", instruction="Send the digest.")
PLANNED = ScheduleCard(schedule=DAILY, next_run="2026-03-02T09:00:00+00:00", at="1772323200.000001")


async def shown(place: Place, card: Card, code: str, *, method: str = "chat.postMessage") -> None:
    """Show a card whose blocks Slack refuses with this code."""
    place.slack.faults[method] = [SlackRefused(method, code)]
    parts = tuple(place.slack.posts)
    row = Message(seq=2, role=Role.CARD, text="", card=card, parts=parts)
    await place.outlet.show_card(conversation(), row, place.notes, unsure=False)


@pytest.mark.parametrize("code", ["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"])
@virtual
async def test_a_question_is_asked_in_words_with_what_can_be_answered(code: str) -> None:
    place = Place()
    await shown(place, ASKED, code)
    (post,) = place.posts
    assert post.text.endswith("<@U1> Which?\n1. Evening &amp; night\n2. Hiring")
    assert post.blocks == []
    assert len(place.parts) == 1


@virtual
async def test_a_question_that_is_closed_offers_nothing_any_more() -> None:
    place = Place()
    await shown(place, ASKED, "invalid_blocks")
    await shown(place, ANSWERED, "invalid_blocks", method="chat.update")
    (post,) = place.posts
    assert "Hiring" not in post.text


@virtual
async def test_what_is_planned_is_told_in_words() -> None:
    place = Place()
    await shown(place, PLANNED, "invalid_blocks")
    (post,) = place.posts
    assert "Every day at 09:00" in post.text


@virtual
async def test_a_channel_that_takes_nothing_is_not_asked_twice() -> None:
    place = Place()
    with pytest.raises(SlackRefused):
        await shown(place, ASKED, "is_archived")
    assert [call.method for call in place.slack.calls] == ["chat.postMessage"]
