"""The program is killed or stopped while a decision is led: nothing is lost, and nothing is said twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.core.copy import decision_steps, texts
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.playground.claude import Gate, Turn
from handlers.slack import action_ids
from tests.crash.processes import Program
from tests.flow.chat import Chat, chatting, fixture_of, text_of
from tests.flow.deciding import (
    APPROVE,
    approves,
    begins,
    card,
    conversation,
    decides,
    deciding,
    decision,
    leads_to_card,
    presses,
    submission,
    thread_of,
    versions,
)
from tests.flow.process import serving
from tests.unit.decision.components.worked import minimal

ISSUES = minimal("issue_raising")
WORKING, CHECKING = decision_steps.SUMMARIZING.strip(), decision_steps.MAKING_CARD.strip()


room = fixture_of(deciding, drain_seconds=0.0)
stage = fixture_of(chatting, runs=False)


def never() -> asyncio.Event:
    """What a gate waits for that is never opened."""
    return asyncio.Event()


def held(stage: str) -> Sequence[Turn]:
    """The answers of an extraction that comes no further than this stage."""
    summary = "Summary: where to meet."
    if stage == "summarize":
        return (Turn(text=summary, gates=[Gate(0, never())]),)
    submitted = submission("issue_raising", ISSUES)
    return (Turn(text=summary), Turn(parts=submitted.parts, gates=[Gate(5, never())]))


async def talks(room: Chat, thread: str) -> None:
    await room.exchanges("Where do we meet?", "What else?", thread=thread)


async def kill(program: Program) -> None:
    program.kill()
    await program.ended.wait()


@pytest.mark.req("MW-21")
async def test_killed_in_an_extraction_the_next_process_makes_it_anew_in_the_same_message(
    stage: Chat, tmp_path: Path
) -> None:
    await stage.starts()
    _, thread = await begins(stage)
    await talks(stage, thread)
    await stage.rests()
    await stage.stops()
    async with serving(stage, tmp_path) as first:
        stage.will_answer(*held("serialize"))
        await stage.says("done", thread=thread)
        await stage.sees(CHECKING, thread=thread)
        await stage.claude.arrival(3)
        await kill(first)
    stage.will_answer("Summary: where to meet.", submission("issue_raising", ISSUES))
    await stage.starts()
    await card(stage, thread)
    await approves(stage, thread)
    await stage.rests()
    shown = [text_of(m) for m in stage.thread(thread)]
    assert len([text for text in shown if "Approved as v1" in text]) == 1
    assert not [text for text in shown if "⏳" in text], "nothing of its progress is left"


async def test_killed_twice_in_an_extraction_it_is_offered_again_where_it_stood(stage: Chat, tmp_path: Path) -> None:
    await stage.starts()
    _, thread = await begins(stage)
    await talks(stage, thread)
    await stage.rests()
    await stage.stops()
    stage.will_answer(*held("serialize"), *held("serialize"))
    async with serving(stage, tmp_path) as first:
        await stage.says("done", thread=thread)
        working = await stage.sees(CHECKING, thread=thread)
        await stage.claude.arrival(3)
        await kill(first)
    async with serving(stage, tmp_path) as second:
        await stage.claude.arrival(5)
        await kill(second)
    await stage.starts()
    cut = await stage.sees(texts.INTERRUPTED_EARLY, thread=thread)
    assert cut.ts == working.ts
    assert "⏳" not in text_of(cut)
    stage.will_answer("Summary: where to meet.", submission("issue_raising", ISSUES))
    await stage.slack.people.clicks("Maya", "#general", cut.ts, action_ids.RETRY)
    await card(stage, thread)


@pytest.mark.parametrize("stage", ["summarize", "serialize"])
async def test_stopped_in_an_extraction_the_program_makes_it_anew_when_it_is_back(room: Chat, stage: str) -> None:
    _, thread = await begins(room)
    await talks(room, thread)
    room.will_answer(*held(stage))
    await room.says("done", thread=thread)
    await room.sees(WORKING if stage == "summarize" else CHECKING, thread=thread)
    await room.claude.arrival(2 if stage == "summarize" else 3)  # or the next process would be given what is held
    await room.stops()
    room.will_answer("Summary: where to meet.", submission("issue_raising", ISSUES))
    await room.starts()
    await card(room, thread)
    await room.rests()
    back = await conversation(room, thread)
    assert (back.phase, back.lifecycle) == (Phase.CONFIRM, Lifecycle.CONFIRMED)


async def test_a_card_waits_through_a_restart_and_is_answered_in_the_next_process(room: Chat) -> None:
    hub, thread = await begins(room)
    waiting = await leads_to_card(room, thread, "issue_raising", ISSUES, "Where do we meet?")
    await room.stops()
    await room.starts()
    approved = await approves(room, thread)
    assert approved.ts == waiting.ts
    assert f"'{APPROVE}'" not in str(approved.blocks)
    await room.rests()
    assert [*await versions(room, hub)] == [("issue_raising", 1)]


async def test_killed_between_the_approval_and_the_record_it_is_in_the_record_once(stage: Chat, tmp_path: Path) -> None:
    await stage.starts()
    hub, thread = await begins(stage)
    await leads_to_card(stage, thread, "issue_raising", ISSUES, "Where do we meet?")
    await stage.rests()
    await stage.stops()
    async with serving(stage, tmp_path) as first:
        dead = asyncio.Event()

        async def die() -> None:
            await kill(first)
            dead.set()

        stage.slack.faults.at("chat.update", moment="instead", act=die)
        await presses(stage, thread, APPROVE)
        await dead.wait()
    await stage.starts()
    await stage.sees("Approved as v1", thread=thread)
    await stage.sees("v1 is in the record", thread=thread)
    await presses(stage, thread, action_ids.START_STEP)
    await thread_of(stage, "Problem frame")
    assert len([m for m in stage.thread(thread) if "is in the record" in text_of(m)]) == 1
    assert [*await versions(stage, hub)] == [("issue_raising", 1)]
    assert (await decision(stage, hub)).steps[0].version == 1


@pytest.mark.parametrize(("nth", "moment"), [(2, "instead"), (2, "after"), (3, "after")])
async def test_killed_between_hub_and_first_step_the_step_begins_once(
    stage: Chat, tmp_path: Path, nth: int, moment: str
) -> None:
    """The first post is the hub, the second one begins the step's thread, the third one is its opening."""
    async with serving(stage, tmp_path) as first:
        dead = asyncio.Event()

        async def die() -> None:
            await kill(first)
            dead.set()

        stage.slack.faults.at("chat.postMessage", nth=nth, moment="after" if moment == "after" else "instead", act=die)
        hub = await decides(stage)
        await dead.wait()
    await stage.starts()
    thread = await thread_of(stage, "Issue raising")
    await talks(stage, thread)
    roots = [m for m in stage.slack.people.sees("Maya", "#general") if " of 9 · " in text_of(m)]
    assert len(roots) == 1
    shown = [text_of(m) for m in stage.thread(thread)[1:]]
    assert len([text for text in shown if "What situation are you thinking about?" in text]) == 1
    await stage.rests()
    assert [step.key for step in (await decision(stage, hub)).steps if step.thread] == ["issue_raising"]
