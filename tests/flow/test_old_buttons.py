"""Buttons of cards after what they were about has moved on: those that are left, and those that an old screen has.

Each is a link, or something happens where it was pressed: private words in that thread, a window, or the card changes.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from app.cli.demo.playscript import shift_dates
from app.clock import SystemClock
from app.core.copy import decision_steps, texts
from app.decision.playbook.playbook import load_proact
from app.playground.claude import Turn
from app.playground.slack.values.controls import Control, find_controls
from app.playground.slack.values.model import Message
from app.playground.slack.values.surfaces import View
from handlers.slack import action_ids
from handlers.views.kit.plain_text import extract_text
from tests.flow.called import asks
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    APPROVE,
    CHANGE,
    approves,
    begins,
    beside,
    card,
    decides,
    deciding,
    leads_to_card,
    leads_to_record,
    opens,
    presses,
    starts,
    submits,
    thread_of,
)
from tests.flow.permitting import ALLOW, ALWAYS, asked, posting, wants
from tests.flow.permitting import presses as permits
from tests.flow.scheduled import planned
from tests.unit.decision.components.worked import example, minimal

HEARD = 5.0
"""Seconds within which something is seen of a press."""

Shown = list[tuple[str, str]]


@pytest.fixture
async def room(mongo_uri: str) -> AsyncGenerator[Chat]:
    async with deciding(mongo_uri) as chat:
        chat.claude.script.answer_always(lambda _prompt: Turn(text="What else shall I know?"))
        yield chat


def seen(room: Chat, thread: str | None) -> Shown:
    """All that Maya sees there, and the window in front of it."""
    people = room.slack.people
    view = people.modal("Maya")
    messages = [(each.ts, f"{text_of(each)}{each.blocks}") for each in people.sees("Maya", "#general", thread)]
    return [*messages, *([("window", str(view.given))] if view else [])]


def now(room: Chat, message: Message) -> Message | None:
    return room.slack.workspace.message(message.channel, message.ts)


def choices(message: Message | View) -> Iterator[tuple[Control, str | None]]:
    """What can be pressed or chosen in a message or at Home, but for links, which the client follows."""
    for control in find_controls(message.blocks or []):
        if "url" in control.element:
            continue
        options: list[Any] = control.element.get("options") or [None]
        yield from ((control, each and each["value"]) for each in options)


async def presses_all(room: Chat, old: Message, *, drawn: bool) -> None:
    """Press all of a card: as it was drawn before, or what is left of it."""
    people, pressed = room.slack.people, 0
    while (card := old if drawn else now(room, old)) and (left := list(choices(card))[pressed:]):
        control, value = left[0]
        pressed += 1
        await room.rests()
        before = seen(room, old.thread_ts)
        await people.uses_as_drawn("Maya", card, control, value)
        try:
            await people.waits(lambda before=before: seen(room, old.thread_ts) != before, HEARD)
        except TimeoutError:
            name = f"{control.action_id} ({value or control.element.get('text', {}).get('text')})"
            raise AssertionError(f"nothing is seen of {name} on {text_of(card)[:80]!r}") from None
        await room.rests()
        while people.modal("Maya"):
            await people.closes("Maya")


async def are_answered(room: Chat, *old: Message) -> None:
    """Press each button of these cards: what is left of them, and what an old screen has of them."""
    for drawn in (False, True):
        for each in old:
            await presses_all(room, each, drawn=drawn)


async def home(room: Chat, *offered: str) -> View:
    """Wait until Maya's Home offers all these; gives it as it stands."""
    people = room.slack.people

    def shown() -> list[View]:
        view = people.home("Maya")
        return [view] if view and all(each in str(view.given) for each in offered) else []

    await room.rests()
    return deepcopy((await people.waits(shown))[0])


async def are_answered_at_home(room: Chat, old: View) -> None:
    """Press each button of a Home as an old screen has it: a window says something, or Home is shown anew.

    Nothing is said elsewhere: who looks at Home does not see it. The example is left alone: while it is made, Home
    changes by itself, which would be taken for an answer.
    """
    people, calls = room.slack.people, room.calls
    for control, value in choices(old):
        if control.action_id == action_ids.EXAMPLE:
            continue
        published, said = len(calls("views.publish")), len(calls("chat.postEphemeral"))
        await people.uses_as_drawn("Maya", old, control, value)
        name = f"{control.action_id} ({control.element.get('value')})"
        try:
            await people.waits(lambda n=published: people.modal("Maya") or len(calls("views.publish")) > n, HEARD)
        except TimeoutError:
            raise AssertionError(f"nothing is seen of {name} at Home") from None
        await room.rests()
        if view := people.modal("Maya"):
            assert view.given["blocks"], f"{name} opens an empty window"
            await people.closes("Maya")
        assert len(calls("chat.postEphemeral")) == said, f"{name} is answered elsewhere"


@pytest.mark.req("NC-09")
async def test_buttons_of_a_question_that_was_answered(room: Chat) -> None:
    room.will_answer(asks("Which evening?", "Monday", "Friday", allow_something_else=True))
    thread = await room.says("@Threadwise find an evening")
    card = await room.sees("Which evening?", thread=thread)
    await room.slack.people.clicks("Maya", "#general", card.ts, "answer:1")
    await room.sees("What else shall I know?", thread=thread)
    await are_answered(room, card)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_schedule_that_was_called_off(room: Chat) -> None:
    thread, card = await planned(room)
    await room.rests()
    await room.slack.people.clicks("Maya", "#general", card.ts, action_ids.CANCEL_SCHEDULE)
    await room.sees(texts.SCHEDULE_CANCELLED, thread=thread)
    await are_answered(room, card)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_permission_that_was_given(room: Chat) -> None:
    thread = await wants(room, posting("We close at five"), "It stands there.")
    card = await asked(room, thread)
    await permits(room, card, ALLOW)
    await room.sees("It stands there.", thread=thread)
    await are_answered(room, card)


@pytest.mark.req("NC-09")
async def test_buttons_of_an_answer_that_was_stopped_and_asked_for_again(room: Chat) -> None:
    room.will_answer(Turn(text="And then", stop_reason="max_tokens"))
    thread = await room.says("@Threadwise tell a story")
    card = await room.sees("And then", thread=thread)
    await room.rests()
    await room.says("another one", thread=thread)
    await room.rests()
    await are_answered(room, card)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_conversation_that_was_archived_and_taken_up_again(room: Chat) -> None:
    room.will_answer(asks("Which evening?", "Monday", "Friday"))
    thread = await room.says("@Threadwise find an evening")
    question = await room.sees("Which evening?", thread=thread)
    await room.says("@Threadwise archive", thread=thread)
    await room.rests()
    private = [each for each in room.thread(thread) if each.seen_by and each.blocks]
    for each in private:
        await presses_all(room, each, drawn=True)
    await room.rests()
    await are_answered(room, question, *private)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_step_that_was_approved_twice(room: Chat) -> None:
    _, thread = await begins(room)
    opening = room.thread(thread)[1]
    draft = await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "About it")
    await approves(room, thread)
    await room.rests()
    approved, following = now(room, draft), await room.sees("is in the record", thread=thread)
    assert approved is not None
    await presses(room, thread, action_ids.START_STEP)
    await thread_of(room, "Problem frame")
    await presses(room, thread, action_ids.REOPEN)
    await room.rests()
    reopened = room.thread(thread)[-1]
    room.will_answer(*submits("issue_raising", minimal("issue_raising")))
    await room.says("done", thread=thread)
    second = await card(room, thread)
    await room.rests()
    await approves(room, thread, version=2)
    await room.rests()
    await are_answered(room, opening, draft, approved, following, reopened, second)


@pytest.mark.req("NC-09")
async def test_buttons_of_notes_and_of_a_draft_that_people_went_back_from(room: Chat) -> None:
    _, thread = await begins(room)
    draft = await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "About it")
    await room.rests()
    await presses(room, thread, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES, thread=thread)
    await room.exchanges("It is not right", "What should be different?", thread=thread)
    await room.rests()
    await presses(room, thread, action_ids.SHOW)
    notes = await room.sees(decision_steps.NOTHING_HAS_ENDED, thread=thread)
    await room.says("@Threadwise archive", thread=thread)
    await room.rests()
    await are_answered(room, draft, notes, *[each for each in room.thread(thread) if each.ts > notes.ts])


@pytest.mark.req("NC-09")
async def test_buttons_of_a_step_whose_ground_had_changed_and_of_a_decision_that_has_gone_on(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", example("issue_raising"))
    board = room.slack.people.sees("Maya", "#general", hub)[0]
    await starts(room, hub, "problem_frame")
    frame = await leads_to_record(room, "problem_frame", example("problem_frame"))
    changed = deepcopy(example("issue_raising"))
    changed["considerations"].append({"handle": "C9", "text": "Nothing is certain", "origin": "user"})
    room.will_answer("What has changed?")
    await presses(room, first, action_ids.REOPEN)
    await room.sees("What has changed?", thread=first)
    await room.rests()
    await leads_to_card(room, first, "issue_raising", changed, "Nothing is certain")
    await presses(room, first, APPROVE)
    review = await room.sees(decision_steps.STILL_VALID, thread=frame)
    await room.rests()
    await presses(room, frame, action_ids.STILL_VALID)
    await room.until(lambda: (left := now(room, review)) is not None and action_ids.STILL_VALID not in str(left.blocks))
    latest = room.slack.people.sees("Maya", "#general", hub)[0]
    await are_answered(room, review, board, latest)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_decision_that_was_closed(room: Chat) -> None:
    hub, thread, today = await decides(room), "", SystemClock().now().date()
    for number, step in enumerate(load_proact().components):
        if number:
            await presses(room, thread, action_ids.START_STEP)
        thread = await leads_to_record(room, step.key, shift_dates(example(step.key), today))
    board, last = room.slack.people.sees("Maya", "#general", hub)[0], room.thread(thread)[-2:]
    await room.slack.people.opens_home("Maya")
    old = await home(room, action_ids.THREADS, decision_steps.ALL_DONE)
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "close")
    await room.sees(decision_steps.DECISION_CLOSED, thread=hub)
    await home(room, decision_steps.CLOSED_ROW)
    await are_answered_at_home(room, old)
    await are_answered(room, board, *last)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_decision_that_was_handed_over_under_the_hands_of_who_gave_it_away(room: Chat) -> None:
    people = room.slack.people
    hub, thread = await begins(room)
    opening = room.thread(thread)[1]
    board = people.sees("Maya", "#general", hub)[0]
    draft = await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "About it")
    await room.rests()
    await opens(room, lambda: people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW))
    await people.fills("Maya", to="Sam")
    assert await people.submits("Maya") == {}
    await card(room, thread, f"<@{room.id_of('Sam')}>, waiting for your OK")
    await room.rests()
    await are_answered(room, opening, draft, board)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_conversation_that_was_erased(room: Chat) -> None:
    room.will_answer(asks("Which evening?", "Monday", "Friday"))
    thread = await room.says("@Threadwise find an evening")
    question = await room.sees("Which evening?", thread=thread)
    await room.rests()
    await room.says("@Threadwise erase", thread=thread)
    offer = await room.sees("Shall I forget this conversation?", thread=thread)
    await room.slack.people.clicks("Maya", "#general", offer.ts, "erase")
    await room.sees(texts.ERASED, thread=thread)
    await room.rests()
    await are_answered(room, question)


@pytest.mark.req("NC-09")
async def test_buttons_of_a_home_that_shows_what_is_not_so_any_more(room: Chat) -> None:
    people = room.slack.people
    put_away = await room.says("@Threadwise archive this later")
    taken_up = await room.says("@Threadwise and this one now")
    await room.sees("What else shall I know?", thread=put_away)
    await room.sees("What else shall I know?", thread=taken_up)
    await room.rests()
    await room.says("@Threadwise archive", thread=taken_up)
    _, plan = await planned(room)
    await room.rests()
    allowed = await wants(room, posting("We close at five"), "It stands there.")
    await permits(room, await asked(room, allowed), ALWAYS)
    await room.sees("It stands there.", thread=allowed)
    await people.opens_home("Maya")
    old = await home(room, action_ids.REVOKE, action_ids.HOME_ARCHIVE, action_ids.HOME_REOPEN)
    await room.says("@Threadwise archive", thread=put_away)
    await people.clicks_in_home("Maya", action_ids.HOME_REOPEN)
    await people.clicks("Maya", "#general", plan.ts, action_ids.CANCEL_SCHEDULE)
    await people.clicks_in_home("Maya", action_ids.REVOKE)
    await room.rests()
    await room.until(lambda: action_ids.REVOKE not in str(people.home("Maya")))
    await are_answered_at_home(room, old)


@pytest.mark.req("NC-09")
@pytest.mark.parametrize("meanwhile", ["started", "archived", "erased", "handed over"])
async def test_buttons_of_a_home_whose_decision_has_gone_on(room: Chat, meanwhile: str) -> None:
    people = room.slack.people
    await people.opens_home("Maya")
    hub = await decides(room)
    await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    old = await home(room, action_ids.START_STEP, action_ids.THREADS, action_ids.HOME_ARCHIVE)
    match meanwhile:
        case "started":
            await starts(room, hub, "problem_frame")
        case "archived":
            await opens(room, lambda: people.clicks_in_home("Maya", action_ids.HOME_ARCHIVE))
            assert await people.submits("Maya") == {}
        case "erased":
            await room.says("@Threadwise erase", thread=hub)
            await people.clicks("Maya", "#general", (await beside(room, "Shall I forget")).ts, action_ids.ERASE)
            await beside(room, texts.ERASED)
        case _:
            pressed = partial(people.chooses, "Maya", "#general", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
            await opens(room, pressed)
            await people.fills("Maya", to="Sam")
            assert await people.submits("Maya") == {}
    await room.until(lambda: action_ids.START_STEP not in str(people.home("Maya")))
    await room.rests()
    while people.modal("Maya"):
        await people.closes("Maya")
    await are_answered_at_home(room, old)


@pytest.mark.req("NC-09")
async def test_a_window_for_an_answer_that_was_given_elsewhere_meanwhile(room: Chat) -> None:
    people = room.slack.people
    room.will_answer(asks("Which evening?", "Monday", "Friday", allow_something_else=True))
    thread = await room.says("@Threadwise find an evening")
    question = await room.sees("Which evening?", thread=thread)
    await room.rests()
    await opens(room, lambda: presses(room, thread, action_ids.ANSWER_FORM))
    await people.clicks("Maya", "#general", question.ts, "answer:0")
    await room.sees("What else shall I know?", thread=thread)
    await room.rests()
    before = [each.ts for each in room.thread(thread)]
    await people.fills("Maya", answer="Sunday")
    assert await people.submits("Maya") == {}
    (told,) = await people.waits(lambda: [each for each in room.thread(thread) if each.ts not in before], HEARD)
    assert "Monday" in text_of(told), "what was answered already"
    assert "Sunday" not in str([each.text for each in room.thread(thread) if not each.seen_by])


@pytest.mark.req("NC-09")
async def test_a_window_for_changes_of_a_draft_that_was_approved_elsewhere_meanwhile(room: Chat) -> None:
    people = room.slack.people
    _, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "About it")
    await room.rests()
    await opens(room, lambda: presses(room, thread, action_ids.EDIT))
    await approves(room, thread)
    await room.rests()
    before = (view := people.modal("Maya")) and view.given
    await people.clicks_in_modal("Maya", action_ids.EDITING_ROW, "remove:potential_decisions.0")
    await people.waits(lambda: (view := people.modal("Maya")) is None or view.given != before, HEARD)
    view = people.modal("Maya")
    assert view is not None
    assert "*Discuss again*" in extract_text(view.given["blocks"]), "what to do instead"
