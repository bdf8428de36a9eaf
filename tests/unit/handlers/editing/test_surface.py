"""The windows of a step's result: who may open them, what a click and a form take in, and what is seen meanwhile."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltRequest

from app.core.conversation.conversation import Conversation
from app.core.copy import decision_steps, draft_editing, texts
from app.core.events.acts import DraftEdited
from app.core.state.interview import Phase
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Status
from app.decision.record import DecisionRecord
from handlers.inbound.surfaces.on_edit import PATIENCE, REDRAW_SECONDS
from handlers.slack import action_ids
from handlers.views.editing import window_state
from handlers.views.editing.window_state import WindowCommand
from tests.fakes import virtual
from tests.unit.core.interviews import THREAD
from tests.unit.decision.components.worked import before, example, minimal
from tests.unit.handlers.editing.fronts import (
    BELOW,
    FixedSteps,
    click,
    filled,
    form,
    front_of,
    front_with,
    opened,
    pressed,
    saved,
    shown,
    step,
)
from tests.unit.handlers.editing.windows import chosen, said, taken, written
from tests.unit.handlers.front import Front, interaction, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.talks import talk

NOW = step()
"""A step of Maya's, with the draft of the example."""


@virtual
@pytest.mark.req("S0-264")
async def test_what_is_filled_in_is_one_edit_of_the_edition_that_was_seen_and_the_list_shows_it_at_once() -> None:
    front = await front_of(NOW)
    sent = await form(front, await opened(front, NOW), WindowCommand.EDIT, "fundamental_objectives.0")
    assert await front.sends(filled(sent, description=written("Answer sooner"))) == ""
    (event,) = front.taken
    assert isinstance(event, DraftEdited)
    assert (event.thread, event.user, event.edition, event.said) == (NOW.thread, MAYA, 4, "")
    assert event.draft["fundamental_objectives"][0]["description"] == "Answer sooner"
    assert event.receipt == f"view:{TEAM}:V0FORM001:1.abc"
    assert front.made("views.update")[-1]["view_id"] == BELOW
    assert "O1 Answer sooner" in said(shown(front))
    seen = window_state.read_state(shown(front))
    assert seen is not None
    assert (seen.edition, seen.digest) == (5, window_state.compute_digest(dict(event.draft)))


@virtual
async def test_the_list_below_shows_what_was_saved_before_the_form_is_gone() -> None:
    front = await front_of(NOW)
    sent = await form(front, await opened(front, NOW), WindowCommand.EDIT, "fundamental_objectives.0")
    saved = filled(sent, description=written("Answer sooner"))
    await front.app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=saved))
    assert "Answer sooner" in str(front.made("views.update")), "a click in an older list would be told of a change"


@virtual
async def test_a_list_that_is_slow_to_change_keeps_no_form_open() -> None:
    front = await front_of(NOW)
    sent = await form(front, await opened(front, NOW), WindowCommand.EDIT, "fundamental_objectives.0")
    front.slack.seconds, begun = 3.0, front.clock.monotonic()
    await front.app.async_dispatch(
        AsyncBoltRequest(mode="socket_mode", body=filled(sent, description=written("Answer sooner")))
    )
    assert front.clock.monotonic() - begun < 2 * REDRAW_SECONDS
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.gather(*others, return_exceptions=True)
    assert len(front.taken) == 1


@virtual
@pytest.mark.parametrize(
    ("now", "user", "sentence"),
    [
        (step(), ANN, texts.NOT_OWNER.format(owner=f"<@{MAYA}>")),
        (step(status=Status.ARCHIVED), MAYA, texts.ARCHIVED),
        (step(lifecycle=Lifecycle.COMPLETE), MAYA, decision_steps.CANNOT_REVISE),
        (step(lifecycle=Lifecycle.READY), MAYA, decision_steps.NO_EXTRACTION),
        (step(draft={}), MAYA, decision_steps.NO_EXTRACTION),
        (step(phase=Phase.EXTRACT), MAYA, decision_steps.ALREADY_WORKING),
        (step(interview=None), MAYA, decision_steps.NO_EXTRACTION),
    ],
)
async def test_who_may_not_edit_or_has_nothing_to_edit_is_told_alone(
    now: Conversation, user: str, sentence: str
) -> None:
    front = await front_of(now)
    await front.sends(pressed(now, user=user))
    (told,) = front.made("chat.postEphemeral")
    assert (told["user"], told["text"], told["thread_ts"]) == (user, sentence, now.thread.root)
    assert front.made("views.open") == []


@virtual
@pytest.mark.req("SE-06")
async def test_an_owner_who_sees_the_channel_no_more_edits_nothing_not_even_in_a_window_that_is_open() -> None:
    front = await front_of(NOW)
    view = await opened(front, NOW)
    sent = await form(front, view, WindowCommand.EDIT, "fundamental_objectives.0")
    front.unseen.add((MAYA, NOW.thread.channel))
    await front.sends(pressed(NOW))
    (told,) = front.made("chat.postEphemeral")
    assert (told["text"], len(front.made("views.open"))) == (texts.NOT_SEEN, 1)
    await front.sends(click(view, WindowCommand.REMOVE, "fundamental_objectives.1"))
    assert said(shown(front)) == texts.NOT_SEEN
    answered = await front.sends(filled(sent, description=written("mine")))
    assert (answered["errors"], front.taken) == ({"description": texts.NOT_SEEN}, [])


@virtual
async def test_a_thread_that_was_forgotten_and_a_store_that_is_away_are_told() -> None:
    front = await front_of(talk(2))
    await front.sends(pressed(step()))
    front.is_away = True
    await front.sends(pressed(step()))
    assert [told["text"] for told in front.made("chat.postEphemeral")] == [texts.NOTHING_HERE, texts.NOT_NOW]


@virtual
async def test_a_button_that_stands_nowhere_opens_nothing() -> None:
    front = await front_of(step())
    await front.sends(pressed_in({}, action_ids.EDIT))
    await front.sends(click({}, WindowCommand.REMOVE, "x"))
    await front.sends(pressed_in(await opened(front, step()), action_ids.EDITING_BUTTON, value="song"))
    assert (
        front.made(
            "views.update",
        )
        == []
    )


@virtual
async def test_removing_is_one_edit_and_a_second_click_waits_until_it_is_saved() -> None:
    front = await front_of(NOW)
    await front.sends(click(await opened(front, NOW), WindowCommand.REMOVE, "fundamental_objectives.0"))
    first = front.taken[0]
    assert isinstance(first, DraftEdited)
    assert draft_editing.REMOVED.format(item="O1")[:-1] in said(shown(front))

    async def later() -> None:
        await asyncio.sleep(0.7)
        await saved(front, NOW, dict(first.draft), 5)

    task = asyncio.ensure_future(later())
    await front.sends(click(shown(front), WindowCommand.REMOVE, "fundamental_objectives.0"))
    await task
    second = front.taken[1]
    assert isinstance(second, DraftEdited)
    assert second.edition == 5
    assert len(second.draft["fundamental_objectives"]) == len(first.draft["fundamental_objectives"]) - 1


@virtual
async def test_while_a_change_is_not_saved_the_window_says_so_and_takes_nothing_in() -> None:
    front = await front_of(NOW)
    await front.sends(click(await opened(front, NOW), WindowCommand.REMOVE, "fundamental_objectives.0"))
    for _ in range(2):
        start = front.clock.monotonic()
        await front.sends(click(shown(front), WindowCommand.REMOVE, "fundamental_objectives.0"))
        assert front.clock.monotonic() - start < 3
        assert said(shown(front)).count(draft_editing.SAVING) == 1
    assert len(front.taken) == 1


@virtual
async def test_a_change_that_was_refused_keeps_no_window_waiting() -> None:
    front = await front_of(NOW)
    await front.sends(click(await opened(front, NOW), WindowCommand.REMOVE, "fundamental_objectives.0"))
    await asyncio.sleep(PATIENCE)
    await front.sends(click(shown(front), WindowCommand.REMOVE, "fundamental_objectives.1"))
    assert draft_editing.NOT_TAKEN_IN in said(shown(front))
    assert len(front.taken) == 1
    await front.sends(click(shown(front), WindowCommand.REMOVE, "fundamental_objectives.1"))
    second = front.taken[1]
    assert isinstance(second, DraftEdited)
    assert second.edition == 4
    assert [each["handle"] for each in second.draft["fundamental_objectives"]][:2] == ["O1", "O3"]


@virtual
@pytest.mark.parametrize(("edition", "meanwhile"), [(5, "objectives"), (4, "other")])
async def test_what_was_changed_meanwhile_is_shown_and_nothing_is_taken_in(edition: int, meanwhile: str) -> None:
    front = await front_of(NOW)
    view = await opened(front, NOW)
    changed = example("objectives")
    changed["fundamental_objectives"][0]["description"] = f"Changed by {meanwhile}"
    await front.sends(click(view, WindowCommand.EDIT, "fundamental_objectives.0"))
    sent = taken(front.made("views.push")[-1]["view"])
    await front.store.inbox.take_in(nothing(NOW))
    await saved(front, NOW, changed, edition)
    await front.sends(click(view, WindowCommand.REMOVE, "fundamental_objectives.0"))
    assert draft_editing.CHANGED_MEANWHILE in said(shown(front))
    assert f"Changed by {meanwhile}" in said(shown(front))
    answered = await front.sends(filled(sent, description=written("mine")))
    assert answered == {"response_action": "errors", "errors": {"description": draft_editing.CHANGED_BELOW}}
    assert front.taken == []


def nothing(now: Conversation) -> DraftEdited:
    """Something to claim the conversation for."""
    return DraftEdited(receipt="x", thread=now.thread, ts="", at="1770000400.000100", user=MAYA, draft={}, edition=0)


@virtual
async def test_field_errors_travel_in_the_answer_and_nothing_is_lost() -> None:
    now = step("problem_frame")
    front = await front_of(now)
    sent = await form(front, await opened(front, now), WindowCommand.EDIT, "focal_decision")
    answered = await front.sends(filled(sent, constraints=written("x" * 501)))
    assert answered["response_action"] == "errors"
    assert list(answered["errors"]) == ["constraints"]
    assert (front.taken, front.made("views.update")) == ([], [])


@virtual
async def test_a_form_sent_unchanged_closes_and_is_no_edit() -> None:
    front = await front_of(NOW)
    sent = await form(front, await opened(front, NOW), WindowCommand.EDIT, "fundamental_objectives.0")
    assert await front.sends(filled(sent)) == ""
    assert (
        await front.sends(
            interaction("view_submission", view={"type": "modal", "callback_id": action_ids.EDIT_FORM_WINDOW})
        )
        == ""
    )
    assert front.taken == []


@virtual
async def test_a_form_that_cannot_be_taken_in_stays_open_with_a_sentence() -> None:
    front = await front_of(NOW)
    view = await opened(front, NOW)
    sent = await form(front, view, WindowCommand.EDIT, "fundamental_objectives.0")
    front.is_away = True
    answered = await front.sends(filled(sent, description=written("mine")))
    assert answered == {"response_action": "errors", "errors": {"description": texts.NOT_NOW}}
    await front.sends(click(view, WindowCommand.REMOVE, "fundamental_objectives.0"))
    assert front.made("chat.postEphemeral")[-1]["text"] == texts.NOT_NOW


@virtual
async def test_a_step_whose_component_was_removed_is_kept_and_its_windows_say_so() -> None:
    now, steps = step(), FixedSteps()
    front = await front_with(steps, now)
    view = await opened(front, now)
    sent = await form(front, view, WindowCommand.EDIT, "fundamental_objectives.0")
    steps.installed.clear()
    await front.sends(pressed(now))
    await front.sends(pressed(now, action_ids.RATE))
    assert [told["text"] for told in front.made("chat.postEphemeral")] == [decision_steps.RETIRED] * 2
    await front.sends(click(view, WindowCommand.REMOVE, "fundamental_objectives.0"))
    assert decision_steps.RETIRED in said(shown(front))
    answer = await front.sends(filled(sent, description=written("Answer sooner")))
    assert decision_steps.RETIRED in answer["errors"].values()
    assert (len(front.made("views.open")), front.taken) == (1, [])


@virtual
async def test_whoever_is_not_the_owner_any_more_is_told_in_the_window() -> None:
    front = await front_of(NOW)
    view = await opened(front, NOW)
    sent = await form(front, view, WindowCommand.ADD, "fundamental_objectives")
    await front.sends(click(view, WindowCommand.REMOVE, "fundamental_objectives.0", user=ANN))
    assert said(shown(front)) == texts.NOT_OWNER.format(owner=f"<@{MAYA}>")
    answered = await front.sends(filled(sent, ANN, description=written("mine")))
    assert answered["errors"] == {"description": f"Only @{MAYA} can do that here."}
    assert front.taken == []


@virtual
async def test_a_form_that_comes_before_the_last_change_is_saved_is_asked_to_wait() -> None:
    front = await front_of(NOW)
    await front.sends(click(await opened(front, NOW), WindowCommand.REMOVE, "fundamental_objectives.1"))
    ahead = window_state.read_state(shown(front))
    assert ahead is not None
    await front.sends(click(await opened(front, NOW), WindowCommand.EDIT, "fundamental_objectives.0"))
    sent = {**front.made("views.push")[-1]["view"], "private_metadata": json.dumps(asdict(ahead))}
    answered = await front.sends(filled(sent, description=written("mine")))
    assert answered["errors"] == {"description": draft_editing.SAVING}


@virtual
async def test_what_cannot_be_done_and_what_has_no_form_is_said_on_top_of_the_list() -> None:
    draft = minimal("alternatives")
    draft["strategy_table"] = {
        "decision_columns": [{"handle": "S1", "name": "City", "options": ["x"]}],
        "strategies": [{"alternative_id": "A1", "selections": []}],
    }
    now = step("alternatives", draft)
    front = await front_of(now)
    await front.sends(click(await opened(front, now), WindowCommand.REMOVE, "strategy_table.decision_columns.0"))
    assert "That does not fit: Too few" in said(shown(front))
    await front.sends(click(shown(front), WindowCommand.EDIT, "songs"))
    assert draft_editing.NOTHING_TO_FILL_IN in said(shown(front))
    assert front.taken == []


@virtual
async def test_pages_are_turned_in_the_same_window() -> None:
    draft = minimal("issue_raising")
    draft["considerations"] = [{"handle": f"C{n}", "text": f"fact {n}"} for n in range(1, 51)]
    now = step("issue_raising", draft)
    front = await front_of(now)
    view = await opened(front, now)
    assert "C50" not in said(view)
    await front.sends(click(view, WindowCommand.PAGE, "1"))
    assert "C50 fact 50" in said(shown(front))
    await front.sends(click(shown(front), WindowCommand.PAGE, "none"))
    assert said(shown(front)) == said(view)


NOTHING = DraftEdited(receipt="x", thread=THREAD, ts="", at="1770000400.000100", user=MAYA, draft={}, edition=0)
"""Something to claim the conversation for."""


@virtual
async def test_a_column_is_rated_before_anything_was_noted_and_told_to_the_interview() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    view = await opened(front, now, action_ids.RATE)
    sent = await form(front, view, WindowCommand.RATE, "O1:0")
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("1")})) == ""
    (event,) = front.taken
    assert isinstance(event, DraftEdited)
    label = before("consequences").label
    assert event.said == f"{label('O1')}: {label('A2')} +1"
    assert "1 of" in said(shown(front))


@virtual
@pytest.mark.req("NC-09")
async def test_the_first_thing_in_a_step_may_be_a_rating_and_in_no_finished_one() -> None:
    fresh = step("consequences", {}, lifecycle=Lifecycle.READY, phase=Phase.INTRO)
    assert await opened(await front_of(fresh), fresh, action_ids.RATE)
    for state in (Lifecycle.INITIALIZING, Lifecycle.COMPLETE):
        front = await front_of(replace(fresh, lifecycle=state))
        await front.sends(pressed(fresh, action_ids.RATE))
        assert front.made("views.open") == []


def rated(objective: str, rating: int, **more: str) -> dict[str, Any]:
    """A draft in which somebody has rated the second option."""
    return {"table": {"cells": [{"alternative_id": "A2", "objective_id": objective, "rating": rating, **more}]}}


async def change(front: Front, now: Conversation, draft: dict[str, Any], edition: int) -> None:
    """Let the draft be changed by something else."""
    await front.store.inbox.take_in(replace(NOTHING, thread=now.thread))
    await saved(front, now, draft, edition)


@virtual
@pytest.mark.req("NC-09")
async def test_a_column_is_taken_in_although_notes_on_another_one_came_while_it_was_open() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    sent = await form(front, await opened(front, now, action_ids.RATE), WindowCommand.RATE, "O2:0")
    noted = rated("O1", 1, rationale="nearer")
    await change(front, now, noted, 6)
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")})) == ""
    (event,) = front.taken
    assert isinstance(event, DraftEdited)
    assert event.edition == 6
    cells = event.draft["table"]["cells"]
    given = {each["objective_id"]: each["rating"] for each in cells if each["alternative_id"] == "A2"}
    assert given == {"O1": 1, "O2": -1}


@virtual
@pytest.mark.parametrize("cell", [rated("O2", 1), rated("O2", 0, rationale="as it was")])
async def test_a_column_that_was_rated_otherwise_meanwhile_keeps_what_was_typed_and_is_not_taken_in(
    cell: dict[str, Any],
) -> None:
    now = step("consequences", rated("O2", 0))
    front = await front_of(now)
    sent = await form(front, await opened(front, now, action_ids.RATE), WindowCommand.RATE, "O2:0")
    await change(front, now, cell, 6)
    answered = await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")}))
    assert answered == {"response_action": "errors", "errors": {"A2.rating": draft_editing.CHANGED_BELOW}}
    assert front.taken == []


@virtual
async def test_the_next_column_opens_as_it_stands_now_whatever_was_noted_meanwhile() -> None:
    now = step("consequences", {})
    front = await front_of(now)
    view = await opened(front, now, action_ids.RATE)
    await change(front, now, rated("O2", 1), 6)
    sent = await form(front, view, WindowCommand.RATE, "O2:0")
    (asked,) = (each for each in sent["blocks"] if each["block_id"] == "A2.rating")
    assert asked["element"]["initial_option"]["value"] == "1"
    assert await front.sends(filled(sent, MAYA, **{"A2.rating": chosen("-1")})) == ""


@virtual
async def test_there_is_nothing_to_rate_before_there_are_options() -> None:
    class Nothing(FixedSteps):
        async def so_far(self, now: Conversation) -> DecisionRecord:
            return before("issue_raising")

    now = step("consequences", {})
    front = await front_with(Nothing(), now)
    await front.sends(pressed(now, action_ids.RATE))
    assert front.made("chat.postEphemeral")[-1]["text"] == draft_editing.NOTHING_TO_RATE
