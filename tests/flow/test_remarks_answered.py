"""A question on a card is asked once: what its owner answered or passed by with an OK comes on no later one."""

from __future__ import annotations

from typing import Any

import pytest

from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import approves, begins, card, edits, leads_to_card, presses, submits, talks, window

ALIKE = "C1 “Rooms in May are dear” and C2"
OTHERS = "C3 “The harbour is closed” and C4"
DRAFT = "*Issue raising* · draft"


def issues(*, second: str = "Rooms in May are dear now", others: bool = False) -> dict[str, Any]:
    """Considerations, two of them almost alike; or two pairs of such."""
    named = ["Rooms in May are dear", second, *(["The harbour is closed", "The harbour is closed now"] * others)]
    return {
        "potential_decisions": [{"handle": "D1", "description": "Where to meet"}],
        "objectives": [],
        "uncertainties": [],
        "considerations": [{"handle": f"C{at}", "text": each} for at, each in enumerate(named, 1)],
    }


async def reads_card(room: Chat) -> str:
    """Maya comes to the first card of issue raising; gives its thread."""
    _, thread = await begins(room)
    first = await leads_to_card(room, thread, "issue_raising", issues(), "We have to decide where to meet")
    assert ALIKE in text_of(first)
    return thread


@pytest.mark.req("FA-15")
async def test_a_question_on_a_card_that_was_answered_in_words_is_not_asked_on_the_next_card(room: Chat) -> None:
    thread = await reads_card(room)
    await talks(room, thread, "no, they are two", "What else shall change?")
    room.will_answer(*submits("issue_raising", issues(second="Rooms in May are so dear")))
    await room.says("done", thread=thread)
    second = text_of(await card(room, thread, f"{DRAFT} 2"))
    assert "waiting for your OK" in second
    assert "sound alike" not in second


@pytest.mark.req("FA-15")
async def test_a_question_on_an_approved_card_is_not_asked_when_the_step_is_discussed_again(room: Chat) -> None:
    thread = await reads_card(room)
    await approves(room, thread)
    room.will_answer("What has changed?")
    await presses(room, thread, action_ids.REOPEN)
    await room.sees("What has changed?", thread=thread)
    await room.rests()
    room.will_answer(*submits("issue_raising", issues(others=True)))
    await room.says("done", thread=thread)
    shown = text_of(await card(room, thread))
    assert OTHERS in shown
    assert ALIKE not in shown


async def test_a_change_by_hand_leaves_the_other_questions_on_the_card_that_waits(room: Chat) -> None:
    thread = await reads_card(room)
    await edits(room, thread, "Where to meet in May")
    assert await room.slack.people.submits("Maya") == {}
    await window(room, "Where to meet in May")
    await room.slack.people.closes("Maya")
    changed = text_of(await card(room, thread, "Where to meet in May"))
    assert ALIKE in changed
