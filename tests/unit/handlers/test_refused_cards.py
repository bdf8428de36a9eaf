"""A card that Slack refuses to render: its words are shown all the same, and a question can be answered in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import Card, HubCard, NoteCard, QuestionCard, ScheduleCard
from app.core.conversation.conversation import Message, Role
from app.core.errors import SlackRefused
from app.core.state.decision import Decision
from app.core.state.question import Question, QuestionKind, QuestionState
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.sheet import Grid, Head, Item, Listing, Matrix, Rating, Sheet
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.steps_of import DRAFT
from tests.unit.handlers.strict_slack import conversation

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
async def test_a_question_is_asked_in_words_with_what_can_be_answered(place: Place, code: str) -> None:
    await shown(place, ASKED, code)
    (post,) = place.posts
    assert post.text.endswith("<@U1> Which?\n1. Evening &amp; night\n2. Hiring")
    assert post.blocks == []
    assert len(place.parts) == 1


@virtual
async def test_a_question_that_is_closed_offers_nothing_any_more(place: Place) -> None:
    await shown(place, ASKED, "invalid_blocks")
    await shown(place, ANSWERED, "invalid_blocks", method="chat.update")
    (post,) = place.posts
    assert "Hiring" not in post.text


@virtual
async def test_what_is_planned_is_told_in_words(place: Place) -> None:
    await shown(place, PLANNED, "invalid_blocks")
    (post,) = place.posts
    assert "Every day at 09:00" in post.text


@virtual
async def test_a_channel_that_takes_nothing_is_not_asked_twice(place: Place) -> None:
    with pytest.raises(SlackRefused):
        await shown(place, ASKED, "is_archived")
    assert [call.method for call in place.slack.calls] == ["chat.postMessage"]


COSTS = Matrix(
    title="Ratings",
    rows=(Head(handle="A1", name="Wait"),),
    columns=(Head(handle="O1", name="Cost"),),
    cells=((Rating(value=-1),),),
)
GOALS = Listing(title="Goals", items=(Item(text="Be <!here>", handle="O1", inner=(Item(text="Run", handle="M1"),)),))


@virtual
async def test_a_draft_is_shown_in_words_and_can_be_approved_in_words(place: Place) -> None:
    await shown(place, replace(DRAFT, sheet=Sheet(sections=(GOALS, COSTS))), "invalid_blocks")
    (post,) = place.posts
    assert post.text.split("\n") == [
        "<@U1>, waiting for your OK · *Objectives* · draft 2",
        "Goals",
        "• O1 Be @\u2060here",
        "    • M1 Run",
        "Ratings",
        "• A1 Wait",
        "    • O1 Cost: 🟥 −1",
        "Would each of these matter?",
        "1. Approve",
        "2. Request changes",
    ]


@virtual
async def test_a_draft_that_lacks_something_cannot_be_approved_in_words_either(place: Place) -> None:
    await shown(place, replace(DRAFT, missing=("a measure",)), "invalid_blocks")
    assert "Approve" not in place.posts[0].text


@virtual
async def test_a_draft_that_is_long_in_words_needs_as_many_messages_as_its_words(place: Place) -> None:
    cells = tuple((f"step{number}", "who " * 20) for number in range(200))
    long = replace(DRAFT, sheet=Sheet(sections=(Grid(title="Steps", header=("What", "Who"), rows=cells),)))
    await shown(place, long, "msg_blocks_too_long")
    whole = "".join(post.text for post in place.posts)
    assert all(f"• step{number}\n" in whole for number in range(200))
    assert len(place.parts) == len(place.posts) > 3
    assert all(post.blocks == [] for post in place.posts)


@virtual
async def test_a_decision_and_a_note_are_told_in_words(place: Place) -> None:
    await shown(place, HubCard(decision=Decision(question="Hire?", steps=()), owner="U1"), "invalid_blocks")
    await shown(place, NoteCard(text="Edited by <@U1>"), "invalid_blocks", method="chat.update")
    (post,) = place.posts
    assert post.text == "Edited by <@U1>"
