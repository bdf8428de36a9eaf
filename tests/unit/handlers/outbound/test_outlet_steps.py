"""Cards of several messages, the hub, and the threads of steps: each posted once, and none left over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import Card, HubCard, StepState
from app.core.conversation.conversation import Conversation, Message, Role
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from handlers.slack import permalinks
from handlers.views.cards.thread_cards import is_waiting
from tests.fakes import virtual
from tests.unit.handlers.place import WORKSPACE_URL, Place
from tests.unit.handlers.steps_of import ALTERNATIVES, DECISION, DRAFT, LONG, NEXT, REVIEW
from tests.unit.handlers.strict_slack import Post, conversation

UPDATE, POST = "chat.update", "chat.postMessage"
HISTORY = "conversations.history"
LONG_DRAFT = replace(DRAFT, sheet=LONG)
PUT_ASIDE = replace(LONG_DRAFT, state=StepState.CHANGING, by="U1")


async def show(place: Place, card: Card, parts: tuple[str, ...] = (), *, unsure: bool = False) -> None:
    row = Message(seq=9, role=Role.CARD, text="", card=card, parts=parts)
    await place.outlet.show_card(conversation(), row, place.notes, unsure=unsure)


@virtual
async def test_a_long_draft_is_posted_in_order_and_each_message_is_kept_when_there_is_one(place: Place) -> None:
    await show(place, LONG_DRAFT)
    assert len(place.posts) > 1
    assert [post.actions != [] for post in place.posts] == [False] * (len(place.posts) - 1) + [True]
    assert [len(parts) for _, parts in place.notes.texts] == [*range(1, len(place.posts) + 1)]


@virtual
async def test_a_draft_that_no_longer_counts_leaves_one_message(place: Place) -> None:
    await show(place, LONG_DRAFT)
    await show(place, PUT_ASIDE, place.parts)
    (post,) = place.posts
    assert post.text == "*Objectives* · draft 2"
    assert place.parts == tuple(place.slack.posts)


@virtual
async def test_an_approved_draft_keeps_its_messages_and_none_is_written_twice(place: Place) -> None:
    await show(place, LONG_DRAFT)
    count = len(place.posts)
    await show(place, replace(LONG_DRAFT, state=StepState.APPROVED, version=1, by="U1"), place.parts)
    assert len(place.posts) == count
    assert len(place.slack.made(UPDATE)) == count
    assert [bool(post.actions) for post in place.posts] == [False] * (count - 1) + [True], "only to reopen it"


@virtual
async def test_a_later_message_whose_post_may_have_arrived_is_found_and_not_posted_twice(place: Place) -> None:
    place.slack.faults[POST] = [None, SlackUnavailable(POST, ambiguous=True)]
    await show(place, LONG_DRAFT)
    count = len(place.posts)
    await show(place, LONG_DRAFT, place.parts[:1], unsure=True)  # by another process
    assert len(place.posts) == count
    assert len(place.parts) == count


@virtual
async def test_the_hub_is_changed_where_it_stands(place: Place) -> None:
    root = conversation().thread.root
    place.slack.posts[root] = Post("C1", "🧭", [], {})
    await show(place, HubCard(decision=DECISION, owner="U1"), (root,))
    (post,) = place.posts
    assert post.text == "🧭 How do we cover no-heat calls?"
    assert place.slack.made(POST) == []


@pytest.mark.parametrize(
    ("card", "waiting"),
    [
        (DRAFT, True),
        (PUT_ASIDE, False),
        (REVIEW, True),
        (replace(REVIEW, done=True), False),
        (NEXT, False),
    ],
)
def test_a_card_waits_as_long_as_somebody_has_to_answer_it(card: Card, waiting: bool) -> None:
    assert is_waiting(card) is waiting


# --- the thread of a step ---------------------------------------------------------------------------


def decision() -> Conversation:
    return replace(conversation(), decision=DECISION)


@virtual
async def test_a_step_begins_a_thread_of_its_own_in_the_channel_of_its_decision(place: Place) -> None:
    key = await place.outlet.begin_step(decision(), "objectives", unsure=False)
    ((ts, post),) = place.slack.posts.items()
    assert key == ThreadKey(team="T1", channel="C1", root=ts)
    assert (post.text, post.thread) == ("Step 3 of 7 · *Objectives* · <@U1>", "")
    assert post.metadata["event_payload"] == {"key": "c1:step:objectives:0"}
    assert (post.channel, place.slack.made(HISTORY)) == ("C1", [])
    assert permalinks.link_thread(WORKSPACE_URL, decision().thread) in str(post.blocks)


@virtual
async def test_the_first_message_of_a_step_is_changed_where_it_stands_and_of_an_erased_step_there_is_none() -> None:
    place, begun = Place(), ALTERNATIVES.thread
    assert begun is not None
    place.slack.posts[begun.root] = Post("C1", "before", [], {})
    handed_over = replace(decision(), owner="U2")
    for component in ("alternatives", "ratings", "weather"):
        await place.outlet.update_step_head(handed_over, component)
    await place.outlet.update_step_head(conversation(), "alternatives")
    (post,) = place.posts
    assert post.text == "Step 4 of 7 · *Alternatives* · <@U2>"
    assert permalinks.link_thread(WORKSPACE_URL, handed_over.thread) in str(post.blocks)
    assert len(place.slack.calls) == 1


@virtual
async def test_a_step_whose_first_message_may_have_arrived_is_found_and_not_begun_twice(place: Place) -> None:
    place.slack.faults[POST] = [SlackUnavailable(POST, ambiguous=True)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.begin_step(decision(), "objectives", unsure=False)
    for number in range(250):  # others talk meanwhile
        place.slack.posts[f"1800000000.{number:06}"] = Post("C1", "theirs", [], {})
    key = await place.outlet.begin_step(decision(), "objectives", unsure=True)
    assert key.root == next(iter(place.slack.posts))
    assert len(place.slack.made(POST)) == 1
    assert {call.arguments["oldest"] for call in place.slack.made(HISTORY)} == {decision().thread.root}


@virtual
async def test_the_first_message_of_another_step_is_not_taken_for_this_one(place: Place) -> None:
    other = await place.outlet.begin_step(decision(), "alternatives", unsure=False)
    key = await place.outlet.begin_step(decision(), "objectives", unsure=True)
    assert key != other
    assert len(place.posts) == 2


@virtual
async def test_the_first_message_of_a_thread_that_was_erased_is_not_taken_for_the_one_that_follows_it(
    place: Place,
) -> None:
    erased = await place.outlet.begin_step(decision(), "objectives", unsure=False)
    step = DECISION.step("objectives")
    assert step is not None
    anew = replace(decision(), decision=DECISION.replace_step(replace(step, erased=1)))
    key = await place.outlet.begin_step(anew, "objectives", unsure=True)
    assert key != erased
    assert await place.outlet.begin_step(anew, "objectives", unsure=True) == key
    assert len(place.posts) == 2


@virtual
async def test_a_channel_that_takes_nothing_says_so(place: Place) -> None:
    place.slack.faults[POST] = [SlackRefused(POST, "is_archived")]
    with pytest.raises(SlackRefused):
        await place.outlet.begin_step(decision(), "objectives", unsure=False)
