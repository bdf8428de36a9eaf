"""*Show all* and *Show details*: what would be done, and what a card says in short, read whole and page by page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given

from app.core.conversation.card import NotesCard, ReviewCard, StepCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.copy import permission_cards, texts
from app.core.state.permission import LABELS
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.sheet import Sheet
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import Use, UseState
from app.playground.slack.blocks.views import check_view
from handlers.slack import action_ids
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows import show_all_window
from handlers.views.windows.forms import build_notice
from tests.fakes import virtual
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, example
from tests.unit.decision.sheets.walls import laid
from tests.unit.handlers import steps_of
from tests.unit.handlers.editing.fronts import step
from tests.unit.handlers.front import TRIGGER, Front, pressed_below, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.shown import HARD, show
from tests.unit.handlers.steps_of import DRAFT, REVIEW
from tests.unit.handlers.talks import placed, talk, waiting

CARD, OTHER_CARD = 3, 2
LONG = "".join(f"Line {number} of the news.\n" for number in range(9_000))
PERMISSION = Question(
    id="1.3",
    kind=QuestionKind.CHOICE,
    prompt="post to #ops",
    options=tuple(label for _, label in LABELS),
    origin=Origin.PERMISSION,
    card=CARD,
)

Json = dict[str, Any]


def asking(shown: str = LONG, **more: Any) -> Conversation:
    """A conversation of Maya's that waits until she allows the second of two posts."""
    done = Use(id="t1", tool="post_message", input="{}", state=UseState.DONE, shown="The first.")
    asked = Use(id="t2", tool="post_message", input="{}", state=UseState.ASKED, title="post to #ops", shown=shown)
    turn = Turn(id="turn", reply=2, uses=(done, asked))
    state: dict[str, Any] = {
        "status": Status.WAITING_INPUT,
        "run": TurnState.AWAITING,
        "question": PERMISSION,
        "cards": (CARD,),
        "head": 3,
    }
    return talk(1, turn=turn, **{**state, **more})


def pressed(now: Conversation, user: str = MAYA, card: int = CARD) -> Json:
    body = pressed_below(now.thread.channel, action_ids.SHOW_ALL, user, str(card))
    body["message"]["thread_ts"] = now.thread.root
    return body


def quoted(view: Json) -> str:
    return "".join(
        element["text"]
        for block in view["blocks"]
        if block["type"] == "rich_text"
        for part in block["elements"]
        for element in part["elements"]
    )


def buttons(view: Json) -> list[tuple[str, str]]:
    """Label and value of what can be pressed."""
    return [
        (each["text"]["text"], each["value"])
        for block in view["blocks"]
        if block["type"] == "actions"
        for each in block["elements"]
    ]


def names() -> Iterator[str]:
    """What Slack calls blocks that have no name."""
    return map(str, count())


def read_through(now: Conversation) -> list[Json]:
    """All pages, one after the other, as the buttons lead through them."""
    views = [show_all_window.build_window(now)]
    while following := [value for label, value in buttons(views[-1]) if label == texts.NEXT_PAGE]:
        views.append(show_all_window.build_window(now, int(following[0])))
    return views


@virtual
async def test_the_owner_is_shown_the_use_that_waits_and_nothing_is_decided_by_looking(front: Front) -> None:
    now = await front.has(asking("The *rota* for <everybody>."))
    assert await front.sends(pressed(now)) == ""
    (opened,) = front.made("views.open")
    assert (opened["trigger_id"], front.taken) == (TRIGGER, [])
    assert quoted(opened["view"]) == "The *rota* for <everybody>."
    assert opened["view"]["blocks"][0]["text"]["text"] == "*Post to #ops*"
    assert buttons(opened["view"]) == []


@virtual
@pytest.mark.req("SE-06")
async def test_an_owner_who_sees_the_channel_no_more_is_shown_no_use() -> None:
    front = Front()
    now = await front.has(asking("The rota."))
    front.unseen.add((MAYA, now.thread.channel))
    await front.sends(pressed(now))
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], front.made("views.open")) == (texts.NOT_SEEN, [])


@pytest.mark.req("SE-04")
def test_each_place_that_a_card_only_counts_is_named_in_the_window() -> None:
    now = asking("The rota.")
    assert now.turn
    places = tuple(f"This was read in #{number} & co." for number in range(30))
    uses = tuple(replace(use, remarks=places) for use in now.turn.uses)
    views = read_through(replace(now, turn=replace(now.turn, uses=uses)))
    told = [block["elements"][0]["text"] for view in views for block in view["blocks"] if block["type"] == "context"]
    assert [each for each in told if each.startswith("🔒")] == [
        f"🔒 This was read in #{each} &amp; co." for each in range(30)
    ]
    assert all(check_view(view, "modal", names().__next__) for view in views)


@virtual
@pytest.mark.parametrize(
    ("now", "card", "sentence"),
    [
        (asking(owner=ANN), CARD, texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (asking(), OTHER_CARD, permission_cards.DECIDED_ALREADY),
        (talk(1), CARD, permission_cards.DECIDED_ALREADY),
        (waiting(1), CARD, permission_cards.DECIDED_ALREADY),
    ],
)
async def test_nobody_else_sees_it_and_nobody_once_it_is_decided(
    front: Front, now: Conversation, card: int, sentence: str
) -> None:
    now = await front.has(now)
    await front.sends(pressed(now, card=card))
    (told,) = front.made("chat.postEphemeral")
    assert (told["user"], told["text"], told["thread_ts"]) == (MAYA, sentence, now.thread.root)
    assert front.made("views.open") == []


@virtual
@pytest.mark.parametrize("troubled", ["away", "slow", "unknown"])
async def test_whoever_presses_is_answered_in_time_whatever_the_store_does(front: Front, troubled: str) -> None:
    now = asking() if troubled == "unknown" else await front.has(asking())
    front.is_away, front.slowness = troubled == "away", 10.0 if troubled == "slow" else 0.0
    await front.sends(pressed(now))
    (told,) = front.made("chat.postEphemeral")
    assert told["text"] == (texts.NOTHING_HERE if troubled == "unknown" else texts.NOT_NOW)


@virtual
async def test_pages_are_turned_in_the_window_until_it_is_decided(front: Front) -> None:
    now = await front.has(asking())
    first = show_all_window.build_window(now)
    await front.sends(pressed_in(first, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next", value="1"))
    turned = front.made("views.update")[-1]["view"]
    assert quoted(turned) == quoted(show_all_window.build_window(now, 1)) != quoted(first)
    await front.sends(pressed_in(turned, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next", value="999"))
    assert front.made("views.update")[-1]["view"] == read_through(now)[-1]

    late = Front()
    await late.has(replace(now, question=None, run=TurnState.IDLE, turn=None, status=Status.ACTIVE, cards=()))
    await late.sends(pressed_in(first, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next", value="1"))
    assert late.made("views.update")[-1]["view"] == build_notice(
        permission_cards.SHOWN_TITLE, permission_cards.DECIDED_ALREADY
    )


@virtual
@pytest.mark.parametrize(
    ("metadata", "value"), [("", "1"), ('{"address": "C1:1.1", "card": "3"}', "1"), (None, "first")]
)
async def test_a_window_that_does_not_say_what_it_is_about_stays_as_it_is(
    front: Front, metadata: str | None, value: str
) -> None:
    view = show_all_window.build_window(await front.has(asking()))
    changed = view if metadata is None else view | {"private_metadata": metadata}
    assert await front.sends(pressed_in(changed, f"{action_ids.SHOW_ALL_PAGE_PREFIX}next", value=value)) == ""
    assert front.made("views.update") == []


def test_what_is_too_long_for_a_window_is_read_whole_through_its_pages_and_back() -> None:
    now = asking()
    views = read_through(now)
    assert len(views) > 2
    assert "".join(map(quoted, views)) == LONG.strip()
    assert [label for label, _ in buttons(views[1])] == [texts.PREVIOUS_PAGE, texts.NEXT_PAGE]
    assert buttons(views[-1]) == [(texts.PREVIOUS_PAGE, str(len(views) - 2))]
    assert show_all_window.find_card(views[-1], TEAM) == (now.thread, CARD)


@given(shown=HARD)
def test_slack_takes_every_window_and_nothing_in_it_is_markup(shown: str) -> None:
    for view in read_through(asking(f".{shown}")):
        assert check_view(view, "modal", names().__next__)
        assert [block["text"]["text"] for block in view["blocks"] if block["type"] == "section"] == ["*Post to #ops*"]


def test_slack_takes_windows_full_of_signs_that_become_long_on_the_way() -> None:
    for view in read_through(asking("😀" * 40_000)):
        assert check_view(view, "modal", names().__next__)


async def standing(front: Front, card: StepCard | ReviewCard) -> Conversation:
    return await placed(
        front.store,
        talk(1, head=CARD),
        Message(seq=CARD, role=Role.CARD, text="", status=MessageStatus.COMPLETE, card=card),
    )


@virtual
@pytest.mark.req("FA-13")
async def test_everybody_in_the_thread_reads_the_whole_result(front: Front) -> None:
    now = await standing(front, replace(DRAFT, missing=("a measure",), remarks=("O1 and O2 overlap.",)))
    assert await front.sends(pressed(now, ANN)) == ""
    told = json.dumps(front.window, ensure_ascii=False)
    assert [each for each in ("a measure", "Faster response", "O1 and O2 overlap.") if each not in told] == []


@pytest.mark.req("SE-06")
@virtual
async def test_who_cannot_see_the_channel_any_more_reads_nothing(front: Front) -> None:
    now = await standing(front, DRAFT)
    front.unseen.add((ANN, now.thread.channel))
    await front.sends(pressed(now, ANN))
    assert (front.made("chat.postEphemeral")[-1]["text"], front.made("views.open")) == (texts.NOT_SEEN, [])


OPENING = Message(seq=CARD, role=Role.ASSISTANT, text="Let us begin.", status=MessageStatus.COMPLETE, offers=True)


@pytest.mark.req("SE-06")
@virtual
async def test_what_is_known_below_an_opening_is_read_by_whoever_can_see_the_channel_and_by_nobody_else(
    front: Front,
) -> None:
    now = await placed(front.store, step(draft={}, head=CARD), OPENING)
    await front.sends(pressed(now, ANN))
    (opened,) = front.made("views.open")
    assert opened["view"]["title"]["text"] == "Objectives"
    front.unseen.add((ANN, now.thread.channel))
    await front.sends(pressed(now, ANN))
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
    await front.sends(pressed(now, ANN))
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
    long = replace(steps_of.LONG, sections=steps_of.LONG.sections * 8)
    now = await standing(front, replace(REVIEW, sheet=long))
    await front.sends(pressed(now, ANN))
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
