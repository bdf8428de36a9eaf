"""A finished step is gone back on: what builds on it is flagged and told, nothing of it is lost, and it is renewed."""

from __future__ import annotations

from copy import deepcopy

import pytest

from app.core.copy import decision_steps
from app.core.state.decision import ComponentStatus
from app.core.state.lifecycle import Lifecycle
from app.decision.schema.paths import Draft
from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    APPROVE,
    approves,
    card,
    conversation,
    decides,
    decision,
    details,
    gone,
    interview,
    leads_example,
    leads_to_card,
    leads_to_record,
    presses,
    starts,
    submission,
    submits,
    versions,
)
from tests.unit.decision.components.worked import example, minimal

REVISED = ComponentStatus.NEEDS_REVISION
SEVENTH = {"handle": "O7", "description": "Keep the volunteers as friends", "origin": "user"}


async def stands(room: Chat, hub: str) -> dict[str, ComponentStatus]:
    return {step.key: step.status for step in (await decision(room, hub)).steps}


def seven_objectives() -> Draft:
    objectives = deepcopy(example("objectives"))
    objectives["fundamental_objectives"].append(SEVENTH)
    return objectives


def all_rated() -> Draft:
    """The example's ratings, and those on the seventh objective."""
    ratings = deepcopy(example("consequences"))
    ratings["table"]["cells"] += [
        {"alternative_id": f"A{number}", "objective_id": "O7", "rating": 1} for number in range(2, 7)
    ]
    return ratings


async def reopens(room: Chat, thread: str) -> None:
    room.will_answer("What has changed?")
    await presses(room, thread, action_ids.REOPEN)
    await room.sees("What has changed?", thread=thread)
    await room.rests()


async def revises(room: Chat, thread: str, key: str, data: Draft) -> None:
    """Maya says that this was all of what has changed, and approves the second version."""
    room.will_answer(*submits(key, data))
    await room.says("done", thread=thread)
    await card(room, thread)
    await approves(room, thread, version=2)
    await room.rests()


@pytest.mark.req("S0-226", "S0-268", "S0-271")
async def test_a_second_version_flags_what_builds_on_the_first_and_keeps_all_that_was_found(room: Chat) -> None:
    hub, threads = await leads_example(room, "recommendation")
    await reopens(room, threads["objectives"])
    assert (await stands(room, hub))["objectives"] is ComponentStatus.IN_PROGRESS
    await revises(room, threads["objectives"], "objectives", seven_objectives())
    found = await stands(room, hub)
    assert [found[key] for key in ("issue_raising", "problem_frame", "objectives")] == [ComponentStatus.COMPLETE] * 3
    assert [found[key] for key in ("consequences", "tradeoffs", "recommendation")] == [REVISED] * 3
    kept = await versions(room, hub)
    one, two = (kept["objectives", number].data["fundamental_objectives"] for number in (1, 2))
    assert [each["id"] for each in two[:6]] == [each["id"] for each in one], "what stays keeps its id"
    assert [each["handle"] for each in two] == ["O1", "O2", "O3", "O4", "O5", "O6", "O7"]
    await room.until(
        lambda: (
            decision_steps.BASED_ON.format(versions="Objectives v1")
            in text_of(room.slack.people.sees("Maya", "#general", hub)[0])
        )
    )
    review = await card(room, threads["consequences"], "was made before this changed: Objectives v2")
    assert "Still needed: " in text_of(review), "nobody has rated O7 yet"
    assert "Still valid" not in text_of(review)
    assert "After it: Tradeoffs and Recommendation." in text_of(review)
    at_card = f"p{review.ts.replace('.', '')}?thread_ts={threads['consequences']}"
    await room.until(lambda: at_card in str(room.slack.people.sees("Maya", "#general", hub)[0].blocks))
    await room.rests()
    for key in ("consequences", "tradeoffs", "recommendation"):
        led = await conversation(room, threads[key])
        assert (led.lifecycle, led.approved) == (Lifecycle.COMPLETE, 1), "it is finished until its owner says otherwise"
        asks = [m for m in room.thread(threads[key]) if "was made before this changed" in text_of(m)]
        assert len(asks) == (key == "consequences"), "one step speaks of the change, the others when it is their turn"
    await rates_again(room, hub, threads)


async def rates_again(room: Chat, hub: str, threads: dict[str, str]) -> None:
    """The ratings are reopened: only the new column is asked for; with them the tradeoffs are computed anew."""
    thread = threads["consequences"]
    cells = (await versions(room, hub))["consequences", 1].data["table"]["cells"]
    await reopens(room, thread)
    asked = room.claude.requests[-1].prompt.last_user_text
    needed = next(line for line in asked.splitlines() if line.startswith("Still needed"))
    assert all(f"A{number}" in needed for number in range(2, 7))
    assert "O7" in needed
    assert not [handle for handle in ("O1", "O2", "O3", "O4", "O5", "O6") if handle in needed]
    noted = (await interview(room, thread)).draft["table"]["cells"]
    assert len([cell for cell in noted if cell["objective_id"] != "O7"]) == len(cells) == 36
    await revises(room, thread, "consequences", all_rated())
    assert (await stands(room, hub))["consequences"] is ComponentStatus.COMPLETE
    again = (await versions(room, hub))["consequences", 2]
    assert {at: cell["rating"] for at, cell in again.data["table"]["cells"].items() if at in cells} == {
        at: cell["rating"] for at, cell in cells.items()
    }
    assert again.based_on["objectives"] == 2
    review = await card(room, threads["tradeoffs"], "Consequences v2")
    shown = text_of(review)
    assert "Objectives v2 and Consequences v2" in shown, "one card tells all that has changed"
    assert decision_steps.WOULD_CHANGE in shown
    whole = await details(room, threads["tradeoffs"])
    assert "Keep the volunteers as friends" in whole, "it is computed with what is approved now"
    (reviews,) = [m for m in room.thread(threads["tradeoffs"]) if "was made before this changed" in text_of(m)]
    assert reviews.ts == review.ts


def messages(room: Chat) -> int:
    """How many messages stand in the channel, threads included."""
    return sum(len(room.thread(m.ts)) for m in room.slack.people.sees("Maya", "#general"))


@pytest.mark.req("FA-13")
async def test_a_changed_rating_leads_to_one_message_that_begins_with_what_changes(room: Chat) -> None:
    hub, threads = await leads_example(room, "recommendation")
    await reopens(room, threads["consequences"])
    ratings = deepcopy(example("consequences"))
    for cell in ratings["table"]["cells"]:
        if (cell["alternative_id"], cell["objective_id"]) == ("A5", "O3"):
            cell["rating"] = 2
    room.will_answer(*submits("consequences", ratings))
    await room.says("done", thread=threads["consequences"])
    shown = text_of(await card(room, threads["consequences"]))
    assert "Since it was last shown: " in shown
    assert "A5 AI triage plus paid on-call is now level with A4" in shown
    before = messages(room)
    await presses(room, threads["consequences"], APPROVE)
    review = text_of(await card(room, threads["tradeoffs"], "was made before this changed: Consequences v2"))
    await room.rests()
    assert "\nWhat would differ: \nA5 AI triage plus paid on-call is now level with A4" in review
    assert messages(room) == before + 1
    approved = text_of(await card(room, threads["consequences"], "Approved as v2"))
    assert "it marks what builds on this" in approved
    await presses(room, threads["tradeoffs"], action_ids.STILL_VALID)
    await card(room, threads["recommendation"], "was made before this changed: Consequences v2")
    assert (await stands(room, hub))["recommendation"] is REVISED


async def test_what_is_still_valid_is_left_with_one_press(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    await starts(room, hub, "problem_frame")
    frame = await leads_to_record(room, "problem_frame", minimal("problem_frame"))
    await reopens(room, first)
    await revises(room, first, "issue_raising", minimal("issue_raising"))
    assert (await stands(room, hub))["problem_frame"] is REVISED
    await presses(room, frame, action_ids.STILL_VALID)
    await room.sees(decision_steps.LEFT_AS_IT_WAS.format(version=1), thread=frame)
    await gone(room, frame, "was made before this changed")
    await room.rests()
    assert (await stands(room, hub))["problem_frame"] is ComponentStatus.COMPLETE
    step = next(step for step in (await decision(room, hub)).steps if step.key == "problem_frame")
    assert step.based_on == {"issue_raising": 2}, "it was looked at with the new version"


async def test_a_draft_that_waits_is_brought_up_to_date_where_it_stands(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    frame = await starts(room, hub, "problem_frame")
    waiting = await leads_to_card(room, frame, "problem_frame", minimal("problem_frame"), "It is about May")
    await reopens(room, first)
    await revises(room, first, "issue_raising", minimal("issue_raising"))
    await room.sees(decision_steps.GROUND_CHANGED.format(title="Issue raising", version=2), thread=frame)
    await room.rests()
    assert (await card(room, frame)).ts == waiting.ts
    await approves(room, frame)
    await room.rests()
    assert (await versions(room, hub))["problem_frame", 1].based_on == {"issue_raising": 2}


async def test_an_interview_under_way_is_told_what_changed_and_goes_on(room: Chat) -> None:
    hub = await decides(room)
    first = await leads_to_record(room, "issue_raising", minimal("issue_raising"))
    frame = await starts(room, hub, "problem_frame")
    await room.exchanges("It is about May", "Who decides?", thread=frame)
    await reopens(room, first)
    room.will_answer("Summary: the same.", submission("issue_raising", minimal("issue_raising")))
    await room.says("done", thread=first)
    await card(room, first)
    await presses(room, first, APPROVE)
    await room.sees(decision_steps.GROUND_CHANGED.format(title="Issue raising", version=2), thread=frame)
    await room.exchanges("Ada does", "And by when?", thread=frame)
