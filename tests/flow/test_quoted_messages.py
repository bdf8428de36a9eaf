"""Somebody changes or deletes what an approved result quotes, and is told so."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps
from app.core.state.lifecycle import Lifecycle
from app.playground.slack.values.model import Message
from handlers.slack import action_ids
from tests.flow.called import labels
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import CHANGE, approves, begins, conversation, leads_to_card, presses
from tests.unit.decision.components.worked import minimal

MINE, THEIRS = "We might leave Hamburg for good", "The hall in Bergen is too small"
QUOTED = {
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
    await leads_to_card(room, thread, "issue_raising", QUOTED, f"{MINE}, or stay.")
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
