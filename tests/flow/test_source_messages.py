"""Somebody changes or deletes a message that a decision was drafted from, or that an approved result quotes."""

from __future__ import annotations

import json

import pytest

from app.core.conversation.conversation import Role
from app.core.copy import decision_steps, texts
from app.core.state.lifecycle import Lifecycle
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    CHANGE,
    approves,
    begins,
    card,
    conversation,
    interview,
    leads_to_card,
    presses,
    submission,
    thread_of,
    versions,
    window,
)
from tests.unit.decision.components.worked import minimal

OPENS, SAID = "We must sort out the winter rota", "The evenings in Leeds are uncovered"
QUOTED = {
    **minimal("issue_raising"),
    "potential_decisions": [
        {"handle": "D1", "description": "Who covers the evenings", "origin": "user", "evidence": [{"quote": SAID}]}
    ],
}
REMARK = [{"message_id": "deleted", "quote": "(deleted)"}]


async def discussed(room: Chat) -> tuple[str, str]:
    """Sam and Priya talk about it; gives their thread, and Priya's message in it."""
    root = await room.says(OPENS, who="Sam")
    return root, await room.says(SAID, who="Priya", thread=root)


async def drafts(room: Chat, root: str, place: str) -> tuple[str, str, str]:
    """Maya drafts a decision from their thread and approves its first step; gives its channel, hub and thread."""
    before = {channel.id for channel in room.slack.workspace.channels.values()}
    room.will_answer("One decision.", "Summary: the rota.", submission("issue_raising", QUOTED))
    people = room.slack.people
    newest = people.sees("Maya", "#general")[-1].ts
    await people.uses_shortcut("Maya", "#general", root, action_ids.DRAFT_SHORTCUT)
    await window(room, decision_steps.FROM_THREAD)
    await people.fills("Maya", place=place)
    assert await people.submits("Maya") == {}
    made = [each.id for each in room.slack.workspace.channels.values() if each.id not in before]
    where = next(iter(made), "#general")
    step = await thread_of(room, "Issue raising", where=where, after=newest)
    await card(room, step, where=where)
    await approves(room, step, where=where)
    await room.rests()
    hub = [m.ts for m in people.sees("Maya", where) if text_of(m).startswith("🧭")][-1]
    return where, hub, step


def whispered(room: Chat, who: str, where: str, thread: str) -> list[Message]:
    """What somebody alone is told in a thread."""
    return [m for m in room.thread(thread, who=who, where=where) if m.seen_by]


@pytest.mark.req("FA-20")
async def test_an_edit_elsewhere_is_told_its_author_there_and_the_owner_in_the_step_each_once(room: Chat) -> None:
    root, said = await discussed(room)
    where, _, step = await drafts(room, root, "private")
    await room.slack.people.edits("Priya", "#general", said, "The mornings in York are uncovered")

    theirs = await room.sees("You changed a message that a decision was drafted from", who="Priya", thread=root)
    assert text_of(theirs) == f"{decision_steps.SOURCE_EDITED} {decision_steps.DECISION_OWNER_KNOWS}"
    assert labels(theirs) == []
    mine = await room.sees("changed a message that *Issue raising* v1 quotes", thread=step, where=where)
    assert labels(mine) == [decision_steps.DISCUSS_AGAIN]
    for event in room.deliveries_of("message"):
        room.slack.deliver_again(event)
    room.will_answer("What should follow?")
    await presses(room, step, action_ids.REOPEN, where=where)
    await room.sees("What should follow?", thread=step, where=where)
    assert (await conversation(room, step, where=where)).lifecycle is Lifecycle.IN_PROGRESS
    assert len(whispered(room, "Priya", "#general", root)) == 1
    assert len(whispered(room, "Maya", where, step)) == 1
    assert whispered(room, "Maya", "#general", root) == []
    prompts = "".join(m.text for m in room.claude.requests[-1].prompt.messages)
    assert SAID in prompts
    assert "York" not in prompts, "what is written in #general now was not shown to who reads the decision"


@pytest.mark.req("FA-20")
async def test_a_message_that_is_deleted_elsewhere_is_gone_from_the_decision_and_its_export(room: Chat) -> None:
    root, said = await discussed(room)
    where, hub, step = await drafts(room, root, "here")
    assert SAID in str(await versions(room, hub, where=where))
    await room.slack.people.deletes("Priya", "#general", said)

    theirs = await room.sees("You deleted a message that a decision was drafted from", who="Priya", thread=root)
    assert text_of(theirs) == f"{decision_steps.SOURCE_DELETED} {decision_steps.DECISION_OWNER_KNOWS}"
    mine = await room.sees("deleted a message that *Issue raising* v1 quotes", thread=step)
    assert labels(mine) == [decision_steps.DISCUSS_AGAIN]
    await room.rests()
    after = await versions(room, hub)
    assert after["issue_raising", 1].data["potential_decisions"][0]["evidence"] == REMARK
    now = await conversation(room, step)
    rows = await room.store.conversations.transcript(now, 0)
    assert SAID not in f"{now} {[row for row in rows if row.role is not Role.ASSISTANT]} {[row.calls for row in rows]}"
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "export:json")
    (file,) = await room.slack.people.waits(lambda: room.slack.people.files("Maya", "#general", hub))
    assert SAID not in file.content.decode()
    assert json.loads(file.content)["versions"][0]["data"]["potential_decisions"][0]["evidence"] == REMARK


@pytest.mark.req("FA-20")
async def test_both_decisions_from_one_thread_are_told_and_one_that_was_erased_is_not(room: Chat) -> None:
    root, said = await discussed(room)
    one, two, gone = [(await drafts(room, root, "here"))[2] for _ in range(3)]
    await room.says("@Threadwise erase", thread=gone)
    offer = await room.sees("Shall I forget this conversation?", thread=gone)
    await room.slack.people.clicks("Maya", "#general", offer.ts, action_ids.ERASE)
    await room.sees(texts.format_erased(7), thread=gone)
    await room.exchanges("@Threadwise what do you make of it?", "A rota is missing.", thread=root)
    await room.rests()

    await room.slack.people.edits("Priya", "#general", said, "The mornings in York are uncovered")
    for step in (one, two):
        await room.sees("changed a message that *Issue raising* v1 quotes", thread=step)
    await room.until(lambda: len(whispered(room, "Priya", "#general", root)) == 2)
    await room.rests()
    assert not [m for m in whispered(room, "Maya", "#general", gone) if "changed a message" in text_of(m)]
    await room.exchanges("And now?", "So it is mornings.", thread=root)
    assert "York" in room.claude.requests[-1].prompt.messages[-1].text, "their own talk goes on with the new words"


MINE, THEIRS = "We might leave Hamburg for good", "The hall in Bergen is too small"
QUOTING = {
    **minimal("issue_raising"),
    "potential_decisions": [
        {"handle": "D1", "description": "Where to meet", "origin": "user", "evidence": [{"quote": MINE}]},
        {"handle": "D2", "description": "Which hall", "origin": "user", "evidence": [{"quote": THEIRS}]},
    ],
}


def written(room: Chat, thread: str, words: str) -> Message:
    return next(m for m in room.slack.people.sees("Maya", "#general", thread) if words in m.text)


async def test_who_changes_what_an_approved_result_quotes_is_told_and_the_owner_discusses_it_again(room: Chat) -> None:
    _, thread = await begins(room)
    await room.says(THEIRS, who="Sam", thread=thread)
    await leads_to_card(room, thread, "issue_raising", QUOTING, f"{MINE}, or stay.")
    await approves(room, thread)
    await room.rests()

    theirs, mine = written(room, thread, THEIRS), written(room, thread, MINE)
    await room.slack.people.edits("Sam", "#general", theirs.ts, "The hall in Oslo is too small")
    hint = await room.sees("You changed a message that *Issue raising* v1 quotes", who="Sam", thread=thread)
    assert labels(hint) == []
    owners = await room.sees("changed a message that *Issue raising* v1 quotes", thread=thread)
    assert labels(owners) == [decision_steps.DISCUSS_AGAIN]
    assert "You changed" not in text_of(owners)

    await room.slack.people.deletes("Maya", "#general", mine.ts)
    told = await room.sees("You deleted a message that *Issue raising* v1 quotes", thread=thread)
    assert labels(told) == [decision_steps.DISCUSS_AGAIN]
    assert (await conversation(room, thread)).lifecycle is Lifecycle.COMPLETE
    room.will_answer("What should follow?")
    await presses(room, thread, action_ids.REOPEN)
    await room.sees("What should follow?", thread=thread)
    rows = await conversation(room, thread)
    assert rows.lifecycle is Lifecycle.IN_PROGRESS


@pytest.mark.req("FA-20")
async def test_who_changes_what_a_draft_takes_a_figure_from_is_told_before_it_is_approved(room: Chat) -> None:
    _, thread = await begins(room)
    lost = {"handle": "C1", "text": "The cold room died; about 900 kg were thrown away"}
    draft = {**minimal("issue_raising"), "considerations": [lost]}
    await leads_to_card(room, thread, "issue_raising", draft, "The cold room died, we threw away about 900 kg.")
    mine = written(room, thread, "900 kg")
    await room.slack.people.edits("Maya", "#general", mine.ts, "The cold room died, we threw away about 700 kg.")

    told = await room.sees("You changed a message that the draft of *Issue raising* above takes 900", thread=thread)
    assert decision_steps.SHOULD_DRAFT_FOLLOW in text_of(told)
    assert labels(told) == []
    room.will_answer("What should follow?")
    await presses(room, thread, CHANGE)
    await room.sees(decision_steps.WRITE_CHANGES, thread=thread)
    await room.says("As I wrote it", thread=thread)
    await room.sees("What should follow?", thread=thread)
    assert "about 700 kg" in "".join(m.text for m in room.claude.requests[-1].prompt.messages)


SECRET = "We might leave Hamburg for good"
TELLING = {
    **minimal("issue_raising"),
    "potential_decisions": [
        {"handle": "D1", "description": "Where to meet", "origin": "user", "evidence": [{"quote": SECRET}]}
    ],
}


async def captured(room: Chat) -> tuple[str, str]:
    """A draft that quotes Maya and waits for her OK: hub and thread."""
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", TELLING, f"{SECRET}, or stay.")
    await room.rests()
    return hub, thread


async def deletes(room: Chat, thread: str) -> None:
    """Maya deletes what was quoted."""
    said = next(m for m in room.slack.people.sees("Maya", "#general", thread) if SECRET in m.text)
    assert (await interview(room, thread)).draft["potential_decisions"][0]["evidence"][0]["message_id"] == said.ts
    heard = await room.documents("inbox")
    await room.slack.people.deletes("Maya", "#general", said.ts)
    await room.settled_inbox(heard + 1)
    await room.rests()


async def test_what_was_approved_stays_and_its_quote_goes_from_the_record_and_the_export(room: Chat) -> None:
    hub, thread = await captured(room)
    await approves(room, thread)
    await room.rests()
    before = await versions(room, hub)
    assert SECRET in str(before)
    await deletes(room, thread)
    after = await versions(room, hub)
    assert after["issue_raising", 1].data["potential_decisions"][0]["evidence"] == REMARK
    assert (await conversation(room, thread)).lifecycle is Lifecycle.COMPLETE
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "export:json")
    (file,) = await room.slack.people.waits(lambda: room.slack.people.files("Maya", "#general", hub))
    assert SECRET not in file.content.decode()
    assert json.loads(file.content)["versions"][0]["data"]["potential_decisions"][0]["evidence"] == REMARK


async def test_a_draft_that_waits_is_approved_without_the_quote(room: Chat) -> None:
    hub, thread = await captured(room)
    await deletes(room, thread)
    await approves(room, thread)
    await room.rests()
    assert (await versions(room, hub))["issue_raising", 1].data["potential_decisions"][0]["evidence"] == REMARK
    now = await conversation(room, thread)
    rows = await room.store.conversations.transcript(now, 0)
    assert (
        SECRET not in f"{now} {[row for row in rows if row.role is not Role.ASSISTANT]} {[row.calls for row in rows]}"
    )
