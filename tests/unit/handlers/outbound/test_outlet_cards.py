"""Cards in a thread: posted once, found again, and edited from then on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.core.conversation.card import Card, FiledCard, QuestionCard
from app.core.conversation.conversation import Message, Role
from app.core.errors import SlackUnavailable
from app.core.state.interview import Interview
from app.core.state.question import Question, QuestionKind, QuestionState
from handlers.outbound.pacer import Pacer
from tests.fakes import virtual
from tests.unit.core.interviews import PREPARED
from tests.unit.handlers.place import WORKSPACE_URL, Place
from tests.unit.handlers.strict_slack import TEAM, conversation

UPDATE, POST, REPLIES = "chat.update", "chat.postMessage", "conversations.replies"
ASKED = QuestionCard(
    question=Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=("D1", "D2")), owner="U1"
)
ANSWERED = replace(ASKED, state=QuestionState.ANSWERED, answer="D1", by="U1", at="1770000250.001700")


def row(card: Card, parts: tuple[str, ...] = ()) -> Message:
    return Message(seq=9, role=Role.CARD, text="", card=card, parts=parts)


@virtual
async def test_a_card_is_posted_with_its_buttons_and_kept_where_it_stands(place: Place) -> None:
    await place.outlet.show_card(conversation(), row(ASKED), place.notes, unsure=False)
    (post,) = place.posts
    assert (post.text, post.actions) == ("❓ <@U1> Which?", ["answer:0", "answer:1"])
    assert post.metadata["event_payload"] == {"key": "c1:9:0"}
    assert place.notes.texts == [("", tuple(place.slack.posts))]


@pytest.mark.req("FA-17")
@virtual
async def test_a_card_in_a_step_leads_to_the_hub_of_its_decision() -> None:
    place, hub = Place(), replace(conversation().thread, root="1650000000.000100")
    step = replace(conversation(), interview=Interview(decision=hub, component="objectives", prepared=PREPARED))
    await place.outlet.show_card(step, row(ASKED), place.notes, unsure=False)
    (post,) = place.posts
    assert f"<{WORKSPACE_URL}archives/C1/p1650000000000100|the decision>" in str(post.blocks)


@virtual
async def test_a_card_that_changes_is_edited_and_its_thread_not_read(place: Place) -> None:
    await place.outlet.show_card(conversation(), row(ASKED), place.notes, unsure=False)
    await place.outlet.show_card(conversation(), row(ANSWERED, place.parts), place.notes, unsure=False)
    (post,) = place.posts
    assert post.actions == []
    assert place.slack.made(REPLIES) == []
    assert len(place.notes.texts) == 1


@virtual
async def test_a_card_whose_post_may_have_arrived_is_found_and_not_posted_twice(place: Place) -> None:
    place.slack.faults[POST] = [SlackUnavailable(POST, ambiguous=True)]
    await place.outlet.show_card(conversation(), row(ASKED), place.notes, unsure=False)
    await place.outlet.show_card(conversation(), row(ASKED), place.notes, unsure=True)  # by another process
    assert len(place.posts) == 1
    assert [parts for _, parts in place.notes.texts] == [tuple(place.slack.posts)] * 2


@pytest.mark.parametrize(("answered", "since"), [(7, "1650000000.000100"), (10, "")])
@virtual
async def test_a_card_is_looked_for_among_what_can_be_newer_than_it(place: Place, answered: int, since: str) -> None:
    now = replace(conversation(), heard="1650000000.000100", answered=answered)
    await place.outlet.show_card(now, row(ASKED), place.notes, unsure=True)
    (call,) = place.slack.made(REPLIES)
    assert call.arguments["oldest"] == (since or now.thread.root)


@pytest.mark.parametrize(
    ("card", "first"),
    [(ASKED, "Hello."), (ANSWERED, "❓ <@U1> Which?"), (FiledCard(by="U1", at="1770000250.001700"), "📦")],
)
@virtual
async def test_an_open_question_lets_answers_go_first_and_no_other_card_does(
    place: Place, card: Card, first: str
) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(POST, "C1", 20)
    showing = asyncio.ensure_future(place.outlet.show_card(conversation(), row(card), place.notes, unsure=False))
    await asyncio.sleep(1)
    await asyncio.gather(showing, place.says("Hello."))
    assert place.posts[0].text.startswith(first)
