"""*Show details*: all that a step's card says in short is read whole in a window, by whoever can see the thread."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.card import NotesCard, ReviewCard, StepCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.copy import texts
from app.core.state.sheet import Sheet
from app.playground.slack.blocks.views import check_view
from handlers.slack import action_ids
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows import show_all_window
from tests.fakes import virtual
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, example
from tests.unit.decision.sheets.walls import laid
from tests.unit.handlers.editing.fronts import step
from tests.unit.handlers.front import Front, pressed_below, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA
from tests.unit.handlers.shown import show
from tests.unit.handlers.steps_of import DRAFT, LONG, REVIEW
from tests.unit.handlers.talks import placed, talk
from tests.unit.handlers.views.windows.test_show_all_window import names

CARD = 3


def row(card: StepCard | ReviewCard) -> Message:
    return Message(seq=CARD, role=Role.CARD, text="", status=MessageStatus.COMPLETE, card=card)


async def standing(front: Front, card: StepCard | ReviewCard) -> Conversation:
    return await placed(front.store, talk(1, head=CARD), row(card))


def pressed(now: Conversation, user: str = ANN) -> dict[str, Any]:
    """Somebody presses *Show details*: Ann, who is not the owner, if nobody is named."""
    body = pressed_below(now.thread.channel, action_ids.SHOW_ALL, user, str(CARD))
    body["message"]["thread_ts"] = now.thread.root
    return body


@virtual
@pytest.mark.req("FA-13")
async def test_everybody_in_the_thread_reads_the_whole_result(front: Front) -> None:
    now = await standing(front, replace(DRAFT, missing=("a measure",), remarks=("O1 and O2 overlap.",)))
    assert await front.sends(pressed(now)) == ""
    told = json.dumps(front.window, ensure_ascii=False)
    assert [each for each in ("a measure", "Faster response", "O1 and O2 overlap.") if each not in told] == []


@pytest.mark.req("SE-06")
@virtual
async def test_who_cannot_see_the_channel_any_more_reads_nothing(front: Front) -> None:
    now = await standing(front, DRAFT)
    front.unseen.add((ANN, now.thread.channel))
    await front.sends(pressed(now))
    assert (front.made("chat.postEphemeral")[-1]["text"], front.made("views.open")) == (texts.NOT_SEEN, [])


OPENING = Message(seq=CARD, role=Role.ASSISTANT, text="Let us begin.", status=MessageStatus.COMPLETE, offers=True)


@pytest.mark.req("SE-06")
@virtual
async def test_what_is_known_below_an_opening_is_read_by_whoever_can_see_the_channel_and_by_nobody_else(
    front: Front,
) -> None:
    now = await placed(front.store, step(draft={}, head=CARD), OPENING)
    await front.sends(pressed(now))
    (opened,) = front.made("views.open")
    assert opened["view"]["title"]["text"] == "Objectives"
    front.unseen.add((ANN, now.thread.channel))
    await front.sends(pressed(now))
    assert (front.made("chat.postEphemeral")[-1]["text"], front.made("views.open")) == (texts.NOT_SEEN, [opened])


LOOKED = Message(
    seq=CARD,
    role=Role.ASSISTANT,
    text="One van is out.",
    status=MessageStatus.COMPLETE,
    activity="Looked at #board",
    sources=("C0BOARD01",),
)


@pytest.mark.req("SE-06")
@virtual
async def test_what_was_done_for_a_reply_is_read_by_its_owner_alone(front: Front) -> None:
    now = await placed(front.store, talk(1, head=CARD), LOOKED)
    await front.sends(pressed(now))
    sentence = texts.NOT_OWNER.format(owner=f"<@{MAYA}>")
    assert (front.made("chat.postEphemeral")[-1]["text"], front.made("views.open")) == (sentence, [])
    await front.sends(pressed(now, MAYA))
    assert front.window["callback_id"] == action_ids.SHOW_ALL_WINDOW


@pytest.mark.req("SE-06")
@virtual
@pytest.mark.parametrize("place", [talk(1).thread.channel, "C0BOARD01"])
async def test_an_owner_who_sees_the_channel_or_a_place_that_was_read_no_more_reads_nothing_of_it(
    front: Front, place: str
) -> None:
    now = await placed(front.store, talk(1, head=CARD), LOOKED)
    front.unseen.add((MAYA, place))
    await front.sends(pressed(now, MAYA))
    assert (front.made("chat.postEphemeral")[-1]["text"], front.made("views.open")) == (texts.NOT_SEEN, [])


@virtual
async def test_a_long_result_is_read_page_by_page(front: Front) -> None:
    long = replace(LONG, sections=LONG.sections * 8)
    now = await standing(front, replace(REVIEW, sheet=long))
    await front.sends(pressed(now))
    await front.sends(pressed_in(front.window, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next", value="1", user=ANN))
    assert front.made("views.update")[-1]["view"] == show_all_window.build_details_window(
        replace(REVIEW, sheet=long), now.thread, CARD, 1
    )


@pytest.mark.req("FA-13")
@pytest.mark.parametrize("key", KEYS)
def test_slack_takes_the_details_of_every_step_of_the_example(key: str) -> None:
    card = replace(DRAFT, title=PLAYBOOK[key].title, sheet=laid(key, example(key)))
    assert check_view(show_all_window.build_details_window(card, talk(1).thread, CARD), "modal", names().__next__)


@pytest.mark.req("FA-23")
@pytest.mark.parametrize("key", KEYS)
def test_no_card_in_a_thread_has_a_table_and_details_have_one_row_a_line(key: str) -> None:
    card = replace(DRAFT, title=PLAYBOOK[key].title, sheet=laid(key, example(key)))
    view = show_all_window.build_details_window(card, talk(1).thread, CARD)
    assert [block for block in (*show(card).blocks, *view["blocks"]) if block["type"] == "table"] == []


@pytest.mark.req("FA-23")
def test_owner_and_day_of_each_action_stand_below_it() -> None:
    card = replace(DRAFT, sheet=laid("notes_next_steps", example("notes_next_steps")))
    told = extract_text(show_all_window.build_details_window(card, talk(1).thread, CARD)["blocks"]).splitlines()
    at = next(number for number, line in enumerate(told) if "N1 Replay 400 urgent tickets" in line)
    assert told[at + 1 : at + 3] == ["Who: Lena Fischer", "By when: 11 December 2026"]


def test_a_result_with_nothing_in_it_is_a_window_all_the_same() -> None:
    view = show_all_window.build_details_window(replace(REVIEW, sheet=Sheet()), talk(1).thread, CARD)
    assert check_view(view, "modal", names().__next__)


@pytest.mark.req("FA-18")
def test_notes_are_read_whole_with_what_is_still_needed() -> None:
    card = NotesCard(title="Objectives", sheet=DRAFT.sheet, missing=("a measure",))
    told = json.dumps(show_all_window.build_details_window(card, talk(1).thread, CARD), ensure_ascii=False)
    assert [each for each in ("a measure", "Faster response") if each not in told] == []
