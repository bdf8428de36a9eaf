"""The worked example end to end: nine threads, one after the other, and what the server computes on the way.

The model claims the opposite of what the ratings say: what stands in the record is computed.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.cli.demo.playscript import shift_dates
from app.clock import SystemClock
from app.core.copy import decision_steps
from app.core.state.decision import ComponentStatus
from app.core.state.lifecycle import Lifecycle
from app.decision.drafts.readiness import read_command
from app.decision.playbook.playbook import load_proact
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    card,
    conversation,
    decides,
    decision,
    details,
    presses,
    submits,
    thread_of,
    versions,
)
from tests.flow.recorded import differences
from tests.unit.decision.components.worked import example
from tests.unit.decision.tables import COMPONENTS, EXAMPLE, EXPECTED

TODAY = SystemClock().now().date()
"""The example is played as on this day: no date of it is over."""
DEADLINE = shift_dates({"deadline": "2026-12-18"}, TODAY)["deadline"]

ENDS = "I have it, thank you."

SHOWN = {
    "issue_raising": ("How to cover urgent 'no heat' requests",),
    "consequences": ("🟩 +2", "🟥 −2", "⬜ 0"),
    "tradeoffs": (
        "A2 Specialist partner with onboarding is as good or better everywhere",
        "A4 Three part-time weekend agents is as good or better everywhere",
        "By your ratings: O1 Solve urgent off-hours problems quickly against O3 Keep extra cost low",
        "Counted once, A4 Three part-time weekend agents still leads",
    ),
    "recommendation": (
        "it leads on the plain sum and by your swing points. No single doubtful rating takes either lead away",
        "On another reading A5 AI triage plus paid on-call is ahead",
    ),
    "decision_quality": ("Overall: 60 % (the weakest link)", "◀ weakest"),
}
"""What people read of it, by step: computed, but for the first."""


def claimed(key: str) -> dict[str, Any]:
    """The example's result as the model hands it in: what it claims to have computed is wrong."""
    draft = shift_dates(example(key), TODAY)
    for each in draft.get("tensions", ()):
        each |= {"gains": each["losses"], "losses": each["gains"], "net_score": -each["net_score"]}
    for each in draft.get("dominated_alternatives", ()):
        each |= {"better_on": each["equal_on"], "equal_on": each["better_on"]}
    if key == "decision_quality":
        draft |= {"overall_score": 100}
    return draft


async def leads(chat: Chat, key: str, thread: str) -> None:
    """Maya says her lines in a step, and approves what comes of them."""
    component, lines = load_proact()[key], EXAMPLE["user_lines"][key]
    for place, line in enumerate(lines):
        is_last = place == len(lines) - 1
        by_button = is_last and read_command(component, line) is None
        answer = ENDS if by_button else f"Noted, {place + 1}. What else?"
        chat.will_answer(*([answer] if by_button or not is_last else submits(key, claimed(key))))
        await chat.says(line, thread=thread)
        if by_button or not is_last:
            await chat.sees(answer, thread=thread)
            await chat.rests()
        if by_button:
            chat.will_answer(*submits(key, claimed(key)))
            await presses(chat, thread, action_ids.SUMMARIZE)
    await card(chat, thread)
    await approves(chat, thread)
    await chat.rests()
    shown = await details(chat, thread)
    assert [words for words in SHOWN.get(key, ()) if words not in shown] == []


@pytest.mark.req("S0-047", "S0-054", "S4-001")
@pytest.mark.req("S0-092", "S0-153", "S0-196")
@pytest.mark.req("S0-225", "S0-278", "S4-059")
async def test_the_worked_decision_goes_through_nine_threads_to_nine_approved_results(room: Chat) -> None:
    hub = await decides(room, EXAMPLE["title"])
    for number, component in enumerate(load_proact().components):
        thread = await thread_of(room, component.title)
        await leads(room, component.key, thread)
        led = await conversation(room, thread)
        assert (led.lifecycle, led.approved) == (Lifecycle.COMPLETE, 1)
        if number < 8:
            await presses(room, thread, action_ids.START_STEP)
    await room.rests()
    whole = await decision(room, hub)
    assert [step.status for step in whole.steps] == [ComponentStatus.COMPLETE] * 9
    assert whole.deadline == DEADLINE
    kept = {key: dict(version.data) for (key, _), version in (await versions(room, hub)).items()}
    ids: dict[str, str] = {}
    for key in (component.key for component in load_proact().components):
        assert [*differences(kept[key], shift_dates(COMPONENTS[key], TODAY), ids, key)] == []
    cells = kept["consequences"]["table"]["cells"]
    assert len(cells) == EXPECTED["consequences"]["cells_expected"]
    assert all(key == f"{cell['alternative_id']}:{cell['objective_id']}" for key, cell in cells.items())
    await closes_and_reopens(room, hub)


async def closes_and_reopens(room: Chat, hub: str) -> None:
    """The decision is closed from its hub, which then offers to reopen it and no step."""
    stands = text_of(room.slack.people.sees("Maya", "#general", hub)[0])
    assert [
        words
        for words in (decision_steps.NEXT_NOTHING, "60 % · weakest", f"by 18 Dec {DEADLINE[:4]}")
        if words not in stands
    ] == []
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "close")
    await room.sees(decision_steps.DECISION_CLOSED, thread=hub)
    await room.rests()
    assert (await decision(room, hub)).closed
    assert decision_steps.NEXT_CLOSED in text_of(room.slack.people.sees("Maya", "#general", hub)[0])
    await room.slack.people.chooses("Maya", "#general", hub, action_ids.HUB_MENU, "reopen")
    await room.sees(decision_steps.DECISION_REOPENED, thread=hub)
    assert not (await decision(room, hub)).closed
