"""*Draft it for me*: any step is drafted from what its owner brings, and led with them as soon as they speak."""

from __future__ import annotations

import pytest

from app.core.copy import decision_steps
from app.core.state.interview import Mode
from app.decision.playbook.step_prompt import build_system_prompt
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    CHANGE,
    begins,
    card,
    decides,
    interview,
    leads_to_record,
    presses,
    starts,
    submission,
    window,
)
from tests.unit.decision.components.worked import PLAYBOOK, minimal

ISSUES, FRAME = minimal("issue_raising"), minimal("problem_frame")
OPENING = "I draft *Problem frame* from what there is"


async def second_step(room: Chat) -> str:
    """Issue raising is approved; gives the thread of the step after it."""
    hub = await decides(room)
    await leads_to_record(room, "issue_raising", ISSUES)
    return await starts(room, hub, "problem_frame")


@pytest.mark.req("AG-06")
async def test_a_later_step_is_drafted_from_ten_thousand_characters_and_then_talked_about(room: Chat) -> None:
    step = await second_step(room)
    await presses(room, step, action_ids.DRAFT_IT)
    await window(room, "I draft *Problem frame* at once")
    paper = ("The rota ends in May. " * 600)[:9_980] + "Signed: the board."
    parts = [paper[at : at + 2_900] for at in range(0, len(paper), 2_900)]
    await room.slack.people.fills("Maya", **{f"material:{place}": part for place, part in enumerate(parts)})
    asked = len(room.claude.requests)
    room.will_answer("It is clear enough.", "Summary: the frame.", submission("problem_frame", FRAME))
    assert await room.slack.people.submits("Maya") == {}
    await room.sees(OPENING, thread=step)
    await card(room, step)
    discussed = room.claude.requests[asked].prompt
    told = discussed.messages[0].text
    assert discussed.system[0]["text"] == build_system_prompt(PLAYBOOK["problem_frame"], Mode.DIRECT, told)
    assert "The rota ends in May. The rota" in discussed.messages[0].text
    assert "Signed: the board." in discussed.messages[0].text
    assert 'from="Maya"' in discussed.messages[0].text
    assert (await interview(room, step)).mode is Mode.DIRECT
    await presses(room, step, action_ids.DRAFT_IT)
    await room.sees(decision_steps.DRAFT_WAITS, thread=step)
    await presses(room, step, CHANGE)
    await room.exchanges("It is not right", "What shall change?", thread=step)
    talked = room.claude.requests[-1].prompt
    opening = (await interview(room, step)).prepared.opening
    assert talked.system[0]["text"] == build_system_prompt(PLAYBOOK["problem_frame"], Mode.INTERACTIVE, opening)
    assert "ready_to_summarize" in [tool["name"] for tool in talked.tools]
    assert "Signed: the board." in str(talked.messages), "what was brought is part of the talk"
    assert (await interview(room, step)).mode is Mode.INTERACTIVE


@pytest.mark.req("AG-06")
async def test_without_a_word_a_step_is_drafted_from_what_was_said_and_its_opening_asks_nothing(room: Chat) -> None:
    _, step = await begins(room, words="--direct How should we cover the winter rota?")
    room.will_answer("One decision.", "Summary: the rota.", submission("issue_raising", ISSUES))
    await room.sees("I draft *Issue raising* from what there is", thread=step)
    await card(room, step)
    assert not [m for m in room.thread(step) if "Welcome" in text_of(m)], "it is not opened as a talk"


@pytest.mark.req("AG-06")
async def test_a_talk_under_way_is_drafted_as_well_by_its_owner_alone(room: Chat) -> None:
    step = await second_step(room)
    await room.exchanges("The depot lead decides", "Who decides?", thread=step)
    await presses(room, step, action_ids.DRAFT_IT, who="Sam")
    await room.sees("Only", thread=step, who="Sam")
    await presses(room, step, action_ids.DRAFT_IT)
    await window(room, "I draft *Problem frame* at once")
    asked = len(room.claude.requests)
    room.will_answer("It is clear enough.", "Summary: the frame.", submission("problem_frame", FRAME))
    assert await room.slack.people.submits("Maya") == {}
    await card(room, step)
    assert "The depot lead decides" in room.claude.requests[asked].prompt.messages[0].text
