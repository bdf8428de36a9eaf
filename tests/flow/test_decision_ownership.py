"""Whose decision it is: others are heard and do not lead; it is handed over, put away, and forgotten."""

from __future__ import annotations

import asyncio

import pytest

from app.cli import maintenance
from app.core.copy import decision_record, decision_steps, texts
from app.core.state.decision import ComponentStatus
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status
from app.playground.slack.values.faults import Moment
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    APPROVE,
    QUESTION,
    approves,
    begins,
    card,
    conversation,
    decides,
    decision,
    edits,
    gone,
    interview,
    leads_to_card,
    leads_to_record,
    presses,
    starts,
    submits,
    thread_of,
    versions,
    window,
)
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")


async def waiting(room: Chat) -> tuple[str, str]:
    """A draft of the first step waits for Maya's OK: hub and thread."""
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", ISSUES, "Where do we meet?")
    await room.rests()
    return hub, thread


async def hands_over(room: Chat, hub: str, to: str) -> None:
    """Maya hands the decision over."""
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
    await window(room, decision_record.HAND_OVER_LABEL)
    await room.slack.people.fills("Maya", to=to)
    assert await room.slack.people.submits("Maya") == {}


@pytest.mark.req("S0-002")
async def test_what_others_write_is_context_for_the_owners_next_turn_and_starts_none(room: Chat) -> None:
    _, thread = await begins(room)
    await room.says("Ask about the heating!", who="Sam", thread=thread)
    locked = await room.says("@Threadwise ask about the heating!", who="Sam", thread=thread)
    await room.until(lambda: "lock" in room.marks(locked))
    await room.rests()
    assert not room.claude.requests, "nobody but the owner is answered"
    await room.exchanges("Where do we meet?", "Is the heating a part of it?", thread=thread)
    told = "\n".join(message.text for message in room.claude.requests[-1].prompt.messages)
    assert 'from="Sam"' in told
    assert "Ask about the heating!" in told


@pytest.mark.req("S0-044")
async def test_others_can_press_what_they_see_and_nothing_comes_of_it(room: Chat) -> None:
    hub, thread = await waiting(room)
    await presses(room, thread, APPROVE, who="Sam")
    await room.sees("Only <@", thread=thread, who="Sam")
    await presses(room, thread, action_ids.EDIT, who="Priya")
    await room.sees("Only <@", thread=thread, who="Priya")
    await presses(room, thread, action_ids.STEP_MENU, "restart:gather", who="Sam")
    await room.slack.people.chooses("Sam", "#general", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
    await room.until(
        lambda: len([m for m in room.slack.people.sees("Sam", "#general") if "Only <@" in text_of(m)]) == 1
    )
    await room.rests()
    assert room.slack.people.modal("Sam") is None
    assert room.slack.people.modal("Priya") is None
    assert (await conversation(room, thread)).lifecycle is Lifecycle.CONFIRMED
    assert await versions(room, hub) == {}


@pytest.mark.req("S0-002", "S0-270")
async def test_after_a_handover_the_new_owner_decides_and_the_old_one_does_not(room: Chat) -> None:
    hub, thread = await waiting(room)
    await hands_over(room, hub, "Sam")
    handed = decision_steps.HANDED_OVER.format(person=f"<@{room.id_of('Sam')}>")
    for place in (hub, thread):
        await room.sees(handed, thread=place)
    await card(room, thread, f"<@{room.id_of('Sam')}>, waiting for your OK")
    await room.sees(f"*Issue raising* · <@{room.id_of('Sam')}>", thread=thread)
    await room.rests()
    await presses(room, thread, APPROVE)
    await room.sees(texts.NOT_OWNER.format(owner=f"<@{room.id_of('Sam')}>"), thread=thread)
    assert (await conversation(room, thread)).lifecycle is Lifecycle.CONFIRMED
    await presses(room, thread, APPROVE, who="Sam")
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert (await versions(room, hub))["issue_raising", 1].approved_by == room.id_of("Sam")
    await presses(room, thread, action_ids.START_STEP, who="Sam")
    frame = await thread_of(room, "Problem frame")
    assert (await conversation(room, frame)).owner == room.id_of("Sam")


def hands_over_meanwhile(room: Chat, hub: str, method: str, moment: Moment, nth: int = 1) -> asyncio.Event:
    """Maya hands the decision over to Sam at a call of this method; gives the event that this is done."""
    handed, sam = asyncio.Event(), room.id_of("Sam")

    async def hand_over() -> None:
        await hands_over(room, hub, "Sam")
        told = decision_steps.HANDED_OVER.format(person=f"<@{sam}>")
        await room.until(lambda: told in text_of(room.thread(hub)[-1]))
        handed.set()

    room.slack.faults.at(method, moment=moment, act=lambda: asyncio.ensure_future(hand_over()), nth=nth)
    return handed


async def waits_for_sam_alone(room: Chat, thread: str) -> None:
    """One card of the thread waits in the end, for Sam and not for Maya."""
    await card(room, thread, f"<@{room.id_of('Sam')}>, waiting for your OK")
    await room.rests()
    waiting_for = [text_of(each) for each in room.thread(thread) if "waiting for your OK" in text_of(each)]
    assert len(waiting_for) == 1
    assert f"<@{room.id_of('Maya')}>, waiting" not in waiting_for[0]


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("nth", [1, 2])
async def test_a_card_that_is_posted_while_the_decision_is_handed_over_waits_for_its_new_owner_and_stands_once(
    room: Chat, nth: int, moment: Moment
) -> None:
    hub, thread = await begins(room)
    await room.exchanges("Where do we meet?", "What else?", thread=thread)
    handed = hands_over_meanwhile(room, hub, "chat.postMessage", moment, nth)
    room.will_answer(*submits("issue_raising", ISSUES))
    await room.says("done", thread=thread)
    await handed.wait()
    await waits_for_sam_alone(room, thread)
    await presses(room, thread, APPROVE, who="Sam")
    await room.sees("Approved as v1", thread=thread)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_card_that_is_edited_while_the_decision_is_handed_over_waits_for_its_new_owner(
    room: Chat, moment: Moment
) -> None:
    hub, thread = await waiting(room)
    handed = hands_over_meanwhile(room, hub, "chat.update", moment)
    await edits(room, thread, "Where to meet in May")
    assert await room.slack.people.submits("Maya") == {}
    await handed.wait()
    await waits_for_sam_alone(room, thread)


async def test_a_decision_in_a_private_channel_goes_to_nobody_who_was_not_invited_there(room: Chat) -> None:
    people = room.slack.people
    await people.commands("Maya", "#general", "/decide", QUESTION)
    await window(room, decision_steps.QUESTION)
    await people.fills("Maya", place="private", people=["Sam"])
    assert await people.submits("Maya") == {}
    await people.closes("Maya")
    place = next(each.id for each in room.slack.workspace.channels.values() if each.name.startswith("decide-"))
    step = await thread_of(room, "Issue raising", where=place)
    hub = next(m.ts for m in people.sees("Maya", place) if text_of(m).startswith("🧭"))
    await people.chooses("Maya", place, hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
    await window(room, decision_record.HAND_OVER_LABEL)
    await people.fills("Maya", to="Priya")
    assert await people.submits("Maya") == {
        action_ids.HAND_OVER_FIELD: decision_record.NOT_IN_CHANNEL.format(person="Priya")
    }
    with pytest.raises(PermissionError):
        people.sees("Priya", place)
    assert (await conversation(room, hub, where=place)).owner == room.id_of("Maya")
    await people.invites("Maya", place, "Priya")
    assert await people.submits("Maya") == {}, "the window is still there, with whom she had picked"
    handed = decision_steps.HANDED_OVER.format(person=f"<@{room.id_of('Priya')}>")
    await room.sees(handed, thread=hub, who="Priya", where=place)
    await room.sees(handed, thread=step, who="Priya", where=place)
    await room.exchanges("We have to cover it.", "Whose winter is it?", who="Priya", where=place, thread=step)


async def test_a_decision_is_not_handed_to_the_program_or_to_its_owner(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, action_ids.HAND_OVER_WINDOW)
    await window(room, decision_record.HAND_OVER_LABEL)
    for who, told in (("Threadwise", decision_record.NOT_A_BOT), ("Maya", decision_record.YOURS_ALREADY)):
        await room.slack.people.fills("Maya", to=who)
        assert await room.slack.people.submits("Maya") == {action_ids.HAND_OVER_FIELD: told}
    assert (await conversation(room, hub)).owner == room.id_of("Maya")


async def test_a_step_that_is_archived_while_its_draft_waits_asks_again_when_it_is_reopened(room: Chat) -> None:
    hub, thread = await waiting(room)
    first = await card(room, thread)
    await room.says("@Threadwise archive", thread=thread)
    await room.sees("cancels my open question", thread=thread)
    await presses(room, thread, action_ids.ARCHIVE)
    await gone(room, thread, "waiting for your OK")
    await room.rests()
    archived = await conversation(room, thread)
    assert (archived.status, archived.lifecycle, archived.question) == (Status.ARCHIVED, Lifecycle.CONFIRMED, None)
    await presses(room, thread, action_ids.REOPEN)
    again = await card(room, thread)
    assert again.ts != first.ts, "what waits for a person is a new post"
    await approves(room, thread)
    await room.rests()
    assert [*await versions(room, hub)] == [("issue_raising", 1)]


async def test_an_archived_step_that_is_finished_is_asked_about_before_it_is_discussed_again(room: Chat) -> None:
    await decides(room)
    thread = await leads_to_record(room, "issue_raising", ISSUES)
    await room.says("@Threadwise archive", thread=thread)
    await presses(room, thread, action_ids.REOPEN)
    await room.until(lambda: "Reopened by" in room.slack.people.transcript())
    await room.sees(decision_steps.REOPEN_STEP_TOO, thread=thread)
    await room.rests()
    now = await conversation(room, thread)
    assert (now.status, now.lifecycle) == (Status.ACTIVE, Lifecycle.COMPLETE)


async def test_a_step_that_is_erased_is_not_begun_any_more_and_can_be_begun_anew(room: Chat) -> None:
    hub = await decides(room)
    await leads_to_record(room, "issue_raising", ISSUES)
    frame = await starts(room, hub, "problem_frame")
    await leads_to_card(room, frame, "problem_frame", minimal("problem_frame"), "It is about May")
    await erases(room, frame)
    await room.rests()

    def stands() -> str:
        return text_of(room.slack.people.sees("Maya", "#general", hub)[0])

    await room.until(lambda: "start *Problem frame*" in stands())
    step = (await decision(room, hub)).steps[1]
    assert (step.status, step.thread, step.version) == (ComponentStatus.NOT_STARTED, None, 0)
    assert [*await versions(room, hub)] == [("issue_raising", 1)], "the other step keeps its result"
    await starts(room, hub, "problem_frame")
    again = await thread_of(room, "Problem frame", after=frame)
    assert (await interview(room, again)).draft == {}


async def test_a_step_that_an_operator_erases_is_not_begun_any_more_for_its_decision(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", ISSUES)
    await room.rests()
    id_ = (await conversation(room, first)).id
    assert await maintenance.erase(room.settings, id_, lambda found, steps: True) is maintenance.Erasure.DONE
    await room.until(lambda: "start *Issue raising*" in text_of(room.slack.people.sees("Maya", "#general", hub)[0]))
    step = (await decision(room, hub)).steps[0]
    assert (step.status, step.thread, step.version) == (ComponentStatus.NOT_STARTED, None, 0)
    await starts(room, hub, "issue_raising")
    assert await thread_of(room, "Issue raising", after=first) != first


async def erases(room: Chat, thread: str) -> None:
    """Maya has a step forgotten."""
    await room.says("@Threadwise erase", thread=thread)
    await presses(room, thread, action_ids.ERASE)
    await room.sees(texts.ERASED, thread=thread)


async def erases_all(room: Chat, hub: str) -> None:
    """Maya has a decision forgotten: what is said about it stands beside its hub."""
    people = room.slack.people

    def beside(words: str) -> list[Message]:
        return [m for m in people.sees("Maya", "#general") if m.seen_by and words in text_of(m)]

    await room.says("@Threadwise erase", thread=hub)
    offer = (await people.waits(lambda: beside(texts.ERASE_OFFER)))[-1]
    await people.clicks("Maya", "#general", offer.ts, action_ids.ERASE)
    await people.waits(lambda: beside(texts.ERASED))


async def test_a_decision_that_is_erased_leaves_nothing_of_any_step(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", ISSUES)
    frame = await starts(room, hub, "problem_frame")
    await leads_to_card(room, frame, "problem_frame", minimal("problem_frame"), "It is about May")
    await room.rests()
    kept = ("conversations", "messages", "extractions")
    assert 0 not in [await room.documents(collection) for collection in kept]
    await erases_all(room, hub)
    for thread in (first, frame):
        await room.sees(texts.ERASED, thread=thread)
    await room.rests()
    assert [await room.documents(collection) for collection in kept] == [0, 0, 0]
    assert await room.documents("keys", {"_id": {"$regex": "^(conversation|decision):"}}) == 0
    assert await room.documents("inbox", {"sealed": {"$exists": True}}) == 0
    assert await room.documents("audit_events", {"type": "conversation_erased"}) == 3
    await decides(room, f"{QUESTION} Again.")
    await thread_of(room, "Issue raising", after=frame)
