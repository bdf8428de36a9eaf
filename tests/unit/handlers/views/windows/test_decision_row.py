"""One decision as one row: at Home, in the list, and unfolded."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.conversation.conversation import Conversation
from app.core.conversation.effect import OpenStep
from app.core.copy import decision_record, decision_steps, texts
from app.core.events.acts import StepRequested
from app.core.state.decision import ComponentStatus, DecisionStep
from app.core.state.interview import Interview, JudgedDraft, PreparedStep
from app.core.state.permission import Policy
from app.core.state.question import Origin
from app.core.state.sheet import Sheet
from app.core.state.status import Kind, Status, TurnState
from handlers.slack import action_ids
from handlers.views.windows import command_replies, conversation_picker, export_window
from handlers.views.windows.command_replies import ReplyContext
from handlers.views.windows.decision_row import (
    DecisionRow,
    build_row,
    build_threads_window,
    explain_no_start,
    find_row,
    group_decisions,
    render_line,
)
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import PermissionOverview
from tests.fakes import virtual
from tests.unit.handlers.decided import ALL, changed, hub
from tests.unit.handlers.front import RULES, Front, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.pressing import pressed
from tests.unit.handlers.ruled import VIEW
from tests.unit.handlers.talks import put_away, talk, waiting
from tests.virtual import START

PREPARED = PreparedStep(
    title="Objectives", opening="", confirm_question="", approve="", prompt_version="1", schema_version="1", max_turns=9
)


def led(of: Conversation, number: int, key: str = "objectives", made: Any = talk, **more: Any) -> Conversation:
    """The thread of a step of this decision."""
    interview = Interview(decision=of.thread, component=key, prepared=PREPARED)
    return made(number, f"Step {key}", kind=Kind.COMPONENT, interview=interview, **more)


def begun(number: int = 1, **more: Any) -> tuple[Conversation, Conversation]:
    """A decision whose third step is under way, and the thread of that step."""
    decided = hub(number, *ALL[:2], **more)
    thread = led(decided, number + 1)
    return changed(decided, "objectives", status=ComponentStatus.IN_PROGRESS, thread=thread.thread), thread


def at_home(*mine: Conversation) -> dict[str, Any]:
    return render_home(mine, VIEW, PermissionOverview(rules=(), policy=Policy()), 0)


def buttons(row: DecisionRow) -> dict[str, dict[str, Any]]:
    _, actions = build_row(row, VIEW)
    return {each["action_id"]: each for each in actions["elements"]}


@pytest.mark.req("FA-17")
def test_a_decision_and_its_threads_are_one_row_where_the_newest_of_them_stands() -> None:
    decided, thread = begun(1)
    lunch, old = talk(5, "Lunch"), talk(0, "Old")
    assert group_decisions((replace(thread, newest="9"), lunch, decided, old)) == [
        DecisionRow(decided, (replace(thread, newest="9"),)),
        lunch,
        old,
    ]


def test_a_step_whose_decision_is_not_among_the_newest_stands_alone() -> None:
    decided, thread = begun()
    assert group_decisions((thread,)) == [thread]
    assert group_decisions((decided,)) == [DecisionRow(decided)]


@pytest.mark.req("FA-17")
def test_the_row_says_where_the_decision_is_and_who_is_waited_for() -> None:
    decided, thread = begun()
    stands = f"|How do we cover no-heat calls?> · <#{decided.thread.channel}> · 3 of 9 Objectives · your turn"
    assert render_line(DecisionRow(decided, (thread,)), VIEW).endswith(stands)
    asks = led(decided, 2, made=waiting)
    assert "waiting for you: “By when?”" in render_line(DecisionRow(decided, (asks,)), VIEW)
    writes = replace(asks, run=TurnState.STREAMING)
    assert decision_steps.WORKING in render_line(DecisionRow(decided, (writes,)), VIEW)
    drafted = changed(decided, "objectives", waits=True)
    assert decision_steps.STEP_WAITS in render_line(DecisionRow(drafted, (thread,)), VIEW)
    lacking = changed(decided, "objectives", waits=True, lacks=True)
    assert render_line(DecisionRow(lacking, (thread,)), VIEW).endswith(f"· {decision_steps.STEP_LACKS}")
    assert "⚠" not in render_line(DecisionRow(decided, (thread,)), VIEW)


def test_a_decision_whose_owner_has_the_next_word_waits_for_them_in_the_status_too() -> None:
    asked = ReplyContext(view=VIEW, rules=RULES, conversations=begun())
    assert decision_steps.YOUR_TURN in command_replies.answer("list", asked).text
    told = command_replies.answer("status", asked).text
    assert texts.NOTHING_WAITS not in told
    assert decision_steps.YOUR_TURN in told
    decided, thread = begun()
    writes = DecisionRow(decided, (replace(thread, run=TurnState.STREAMING),))
    assert writes.status is Status.ACTIVE


@pytest.mark.req("FA-17")
def test_home_asks_for_no_ok_while_the_draft_of_a_step_lacks_something() -> None:
    decided, _ = begun()
    told = {"missing": ("a rating of A4 on O1",), "whole": ()}
    rows = dict[str, str]()
    for name, missing in told.items():
        asks = led(decided, 2, made=waiting)
        assert asks.interview
        assert asks.question
        judged = JudgedDraft(draft={}, sheet=Sheet(), missing=missing)
        asked = replace(asks.question, origin=Origin.EXTRACTION)
        asks = replace(asks, question=asked, interview=replace(asks.interview, drafted=judged))
        rows[name] = render_line(DecisionRow(decided, (asks,)), VIEW)
    assert rows["missing"].endswith(f"· {decision_steps.STEP_LACKS}")
    assert rows["whole"].endswith("waiting for you: “By when?”")


@pytest.mark.req("FA-17")
def test_the_row_warns_of_steps_that_need_another_look() -> None:
    stale = changed(begun()[0], "issue_raising", status=ComponentStatus.NEEDS_REVISION)
    assert "⚠ 1 to look at again" in render_line(DecisionRow(stale), VIEW)


def test_a_decision_that_is_done_or_closed_says_so_and_offers_no_next_act() -> None:
    done = hub(1, *ALL)
    assert decision_steps.ALL_DONE in render_line(DecisionRow(done), VIEW)
    assert done.decision is not None
    closed = replace(done, decision=replace(done.decision, closed=True))
    assert render_line(DecisionRow(closed), VIEW).endswith(decision_steps.CLOSED_ROW)
    assert [*buttons(DecisionRow(done))] == [*buttons(DecisionRow(closed))] == [action_ids.THREADS, "home:archive"]


@pytest.mark.req("FA-17")
def test_a_closed_decision_stands_apart_from_what_is_active_and_from_what_waits() -> None:
    closed = ending(changed(begun()[0], "issue_raising", waits=True))
    view = at_home(talk(5, "Lunch"), closed, put_away(3))
    said = [block["text"]["text"] for block in view["blocks"] if "text" in block]
    places = [said.index(each) for each in (texts.HOME_ACTIVE, texts.HOME_CLOSED, texts.HOME_ARCHIVED)]
    assert places == sorted(places)
    assert "Lunch" in said[places[0] + 1]
    assert said[places[1] + 1].startswith("✅ ")
    assert said[places[1] + 1].endswith(decision_steps.CLOSED_ROW)
    counts = command_replies.answer(
        "status", ReplyContext(view=VIEW, rules=RULES, conversations=(talk(5), closed, put_away(3)))
    ).text
    assert "💬 Active 1 · " in counts
    assert "❓ Waiting for you 0 · 📦 Archived 1 · ✅ Closed 1" in counts
    assert texts.NOTHING_WAITS in counts
    assert (
        command_replies.answer("list", ReplyContext(view=VIEW, rules=RULES, conversations=(closed,))).text.count("✅")
        == 1
    )
    filed = replace(closed, status=Status.ARCHIVED)
    assert texts.HOME_CLOSED not in str(at_home(filed))
    assert (
        "Closed"
        not in command_replies.answer("status", ReplyContext(view=VIEW, rules=RULES, conversations=(filed,))).text
    )


def ending(of: Conversation) -> Conversation:
    """The decision once it was closed."""
    assert of.decision is not None
    return replace(of, decision=replace(of.decision, closed=True))


@pytest.mark.req("FA-17")
def test_the_next_act_is_a_button_that_opens_the_step_or_starts_it() -> None:
    decided, thread = begun()
    offered = buttons(DecisionRow(decided, (thread,)))
    assert list(offered) == [action_ids.OPEN_STEP, action_ids.THREADS, action_ids.HOME_ARCHIVE]
    opens = offered[action_ids.OPEN_STEP]
    assert opens["url"].endswith(thread.thread.root.replace(".", ""))
    fresh = hub(1, *ALL[:2])
    starts = buttons(DecisionRow(fresh))[action_ids.START_STEP]
    assert starts["value"] == f"objectives:{fresh.thread.channel}:{fresh.thread.root}"


def test_an_archived_decision_is_archived_whatever_its_threads_wait_for_and_can_be_reopened() -> None:
    decided = replace(hub(1), status=Status.ARCHIVED)
    row = DecisionRow(decided, (led(decided, 2, made=waiting),))
    assert row.status is Status.ARCHIVED
    assert [*buttons(row)] == [action_ids.THREADS, action_ids.HOME_REOPEN]


@pytest.mark.parametrize(
    ("made", "status"), [(talk, Status.ACTIVE), (waiting, Status.WAITING_INPUT), (put_away, Status.ACTIVE)]
)
@pytest.mark.req("FA-17")
def test_a_decision_stands_where_what_its_threads_wait_for_stands(made: Any, status: Status) -> None:
    decided = hub(1, *ALL)
    assert DecisionRow(decided, (led(decided, 2, made=made),)).status is status
    assert DecisionRow(changed(decided, "objectives", waits=True)).status is Status.WAITING_INPUT


@pytest.mark.req("FA-17")
def test_home_shows_a_decision_once_and_the_list_has_one_line_for_it() -> None:
    decided, thread = begun()
    shown = at_home(thread, decided)
    assert str(shown).count("How do we cover no-heat calls?") == 1
    assert "Step objectives" not in str(shown)
    told = command_replies.answer("list", ReplyContext(view=VIEW, rules=RULES, conversations=(thread, decided)))
    assert len(told.blocks) == 2
    assert texts.HOME_WAITING in str(shown)


@pytest.mark.req("FA-17")
def test_home_the_list_the_picker_and_the_export_name_a_decision_by_the_question_that_was_approved() -> None:
    decided, thread = begun()
    asked = "Who answers no-heat calls at night?"
    framed = changed(decided, "problem_frame", question=asked)
    told = command_replies.answer("list", ReplyContext(view=VIEW, rules=RULES, conversations=(thread, framed)))
    picked = conversation_picker.list_options(conversation_picker.ArchiveAction.ARCHIVE, (framed,), {}, START, "night")
    for shown in (at_home(thread, framed), told.blocks, picked, export_window.build_form((framed,))):
        assert asked in str(shown)
        assert "How do we cover" not in str(shown)


@pytest.mark.req("FA-17")
def test_its_threads_unfold_in_the_order_of_the_steps() -> None:
    decided, third = begun()
    first = led(decided, 7, "issue_raising")
    decided = changed(decided, "issue_raising", thread=first.thread)
    body = str(build_threads_window(DecisionRow(decided, (third, first)), VIEW)["blocks"])
    assert body.index("How do we cover") < body.index("|Issue raising>") < body.index("|Objectives>")
    assert body.count("How do we cover") == 1


def test_a_row_is_found_by_the_address_of_its_hub() -> None:
    decided, thread = begun()
    address = f"{decided.thread.channel}:{decided.thread.root}"
    assert find_row((thread, decided), address) == DecisionRow(decided, (thread,))
    assert find_row((thread, decided), "C1:1.0") is None


def why(now: Conversation | None, key: str = "objectives", user: str = MAYA) -> str:
    return explain_no_start(now, user, key, VIEW)


@pytest.mark.req("NC-09")
def test_a_start_at_home_that_does_not_apply_any_more_says_why() -> None:
    fresh, (started, thread) = hub(1, *ALL[:2]), begun()
    opening = replace(fresh, effects=(OpenStep(id="e1", component="objectives"),))
    closed = replace(fresh, decision=replace(started.decision, closed=True)) if started.decision else fresh
    told = {
        why(fresh): "",
        why(None): decision_record.NO_DECISION,
        why(talk(1)): decision_record.NO_DECISION,
        why(fresh, user=ANN): texts.NOT_OWNER.format(owner=f"<@{MAYA}>"),
        why(replace(fresh, status=Status.ARCHIVED)): texts.ARCHIVED,
        why(closed): decision_steps.START_IN_CLOSED,
        why(fresh, "weather"): decision_steps.RETIRED,
        why(opening): decision_steps.STEP_IS_OPENING.format(step="Objectives"),
        why(fresh, "tradeoffs"): decision_steps.PREREQUISITE.format(step="Consequences"),
    }
    assert [said for said, wanted in told.items() if said != wanted] == []
    begun_already = why(started)
    assert begun_already.startswith(decision_steps.STEP_BEGUN.format(step="Objectives"))
    assert thread.thread.root.replace(".", "") in begun_already, "a link to it"


@given(st.lists(st.sampled_from(["decision", "talk", "waiting", "archived"]), max_size=60))
def test_slack_takes_home_with_any_number_of_decisions(kinds: list[str]) -> None:
    made = {"decision": hub, "talk": talk, "waiting": waiting, "archived": put_away}
    view = at_home(*(made[kind](number) for number, kind in enumerate(kinds)))
    model: Any = View(**view)
    model.validate_json()
    assert len(view["blocks"]) <= 100


# Over Bolt


@virtual
async def test_a_step_is_started_from_home_by_an_event_of_its_decision(front: Front) -> None:
    decided = await front.has(hub(1, *ALL[:2]))
    value = f"objectives:{decided.thread.channel}:{decided.thread.root}"
    assert await front.sends(pressed_in(at_home(decided), action_ids.START_STEP, value=value)) == ""
    at = "1770000300.000200"
    receipt = f"action:{TEAM}:{decided.thread.channel}:home:{at}:{MAYA}"
    expected = StepRequested(receipt=receipt, thread=decided.thread, ts="", at=at, user=MAYA, component="objectives")
    assert front.taken == [expected]


@virtual
async def test_a_step_that_is_started_in_a_message_is_asked_for_once(front: Front) -> None:
    decided = await front.has(hub(1, *ALL[:2]))
    value = f"objectives:{decided.thread.channel}:{decided.thread.root}"
    assert await front.sends(pressed(decided, action_ids.START_STEP, value)) == ""
    assert [type(event) for event in front.taken] == [StepRequested]


@pytest.mark.req("NC-09")
@pytest.mark.parametrize("user", [MAYA, ANN])
@virtual
async def test_a_step_that_cannot_be_started_from_home_is_told_in_a_window_there(front: Front, user: str) -> None:
    decided = await front.has(hub(1, *ALL[:2]))
    value = f"tradeoffs:{decided.thread.channel}:{decided.thread.root}"
    assert await front.sends(pressed_in(at_home(decided), action_ids.START_STEP, user, value=value)) == ""
    expected = "Start Consequences first." if user == MAYA else texts.NOT_OWNER.format(owner=f"<@{MAYA}>")
    assert expected in str(front.window["blocks"])
    assert front.taken == []
    assert front.made("chat.postEphemeral") == []


@pytest.mark.req("NC-09")
@virtual
async def test_a_step_that_is_not_installed_any_more_is_told_in_a_window_at_home(front: Front) -> None:
    decided = hub(1)
    assert decided.decision is not None
    decided = replace(decided, decision=replace(decided.decision, steps=(DecisionStep(key="weather", title="Sky"),)))
    await front.has(decided)
    value = f"weather:{decided.thread.channel}:{decided.thread.root}"
    await front.sends(pressed_in(at_home(decided), action_ids.START_STEP, value=value))
    assert decision_steps.RETIRED in str(front.window["blocks"])
    assert front.taken == []


@pytest.mark.req("NC-09")
@virtual
async def test_an_outage_while_a_step_is_started_from_home_is_told_in_a_window_there(front: Front) -> None:
    decided = await front.has(hub(1, *ALL[:2]))
    front.is_away = True
    value = f"objectives:{decided.thread.channel}:{decided.thread.root}"
    await front.sends(pressed_in(at_home(decided), action_ids.START_STEP, value=value))
    assert texts.NOT_NOW in str(front.window["blocks"])


@pytest.mark.req("SE-06")
@virtual
async def test_a_step_of_another_workspace_on_the_same_database_is_not_started_from_home(front: Front) -> None:
    decided = hub(1, *ALL[:2])
    decided = await front.has(replace(decided, thread=replace(decided.thread, team="T0OTHER01")))
    value = f"objectives:{decided.thread.channel}:{decided.thread.root}"
    press = pressed_in(at_home(decided), action_ids.START_STEP, value=value)
    await front.sends({**press, "team": {"id": "T0OTHER01"}})
    assert (decision_record.NO_DECISION in str(front.window["blocks"]), front.taken) == (True, [])


@pytest.mark.parametrize("value", ["objectives", "objectives:C1:", "objectives:C1:12", "objectives:C1:1.x"])
@virtual
async def test_a_button_at_home_that_names_no_step_does_nothing(front: Front, value: str) -> None:
    await front.sends(pressed_in(at_home(), action_ids.START_STEP, value=value))
    assert front.taken == []


@virtual
async def test_threads_open_in_a_window_for_their_owner_alone(front: Front) -> None:
    decided = await front.has(hub(1))
    address = f"{decided.thread.channel}:{decided.thread.root}"
    click = pressed_in(at_home(decided), action_ids.THREADS, value=address)
    assert await front.sends(click) == ""
    assert "How do we cover" in str(front.window["blocks"])
    other = Front()
    await other.has(hub(1))
    await other.sends(pressed_in(at_home(), action_ids.THREADS, ANN, value=address))
    assert decision_steps.THREADS_GONE in str(other.window["blocks"])


@pytest.mark.req("FA-17")
def test_status_counts_a_decision_once_like_the_list_whatever_threads_it_has() -> None:
    decided, thread = begun(1)
    asked = ReplyContext(
        view=VIEW, rules=RULES, conversations=(led(decided, 3, made=waiting), thread, decided, talk(5))
    )
    counts, _, told = command_replies.answer("status", asked).text.split("\n")
    assert counts == "💬 Active 1 · ⏰ In the background 0 · ❓ Waiting for you 1 · 📦 Archived 0"
    assert "waiting for you: “By when?”" in told
    assert len(command_replies.answer("list", asked).blocks) == 1 + 2
