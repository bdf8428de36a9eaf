"""The state block at the end of the newest user turn: where the thread stands, and in a free thread the time.

A step is told the day once, with its own state (`describe_day`).

The whole state is stored with the reply, and a request tells what has changed since the state before it. So an epoch
sends the same again, and the next one begins with the whole state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from app.core.conversation.conversation import Conversation, Message, Role
from app.core.conversation.transition import parse_ts
from app.core.goals import moves
from app.core.pending import recurrence, scheduling
from app.core.state.goal import (
    Call,
    PlanProposed,
    WorkFinished,
    WorkStarted,
    describe_information,
    list_ended,
    list_goal_outputs,
)
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.status import Kind
from app.core.text.marks import clean_line, clean_name, write_block
from app.core.turns.state_changes import ONCE, Section, Told, follow, gather, list_changes, write_changes

RUN_BY_SCHEDULE = (
    "This is a run of the schedule: nobody is waiting. Work on your own; ask only what you cannot do without. "
    "End it with complete_work, or with continue_work if another run has to go on with it."
)
PAUSABLE = "You cannot pause it: the owner can, with Pause on its card."
PAUSED = "Paused by the owner: no run begins until they press Resume on its card."
RUN_LATE = "It is late: it was due at {due}."
LATE = timedelta(minutes=15)
"""Delay from which a run is told when it was due: this program was down, or could not go on with it."""

RUN_RESUMED = "The run of the schedule goes on: the owner has answered what it asked. End it as any other run."
RUN_GAVE_WAY = (
    "A run of the schedule has stopped for the owner's message. Answer that alone: the run goes on by itself."
)
ASSUMING = "Enough has been asked. Plan now, and say which assumptions you make."
RESUMED = "The owner comes back to the goal that was left: say in half a sentence that you take it up again."
GUESSED = (
    "A rule has guessed this goal and what it needs from their words. Name it with set_goal if you know better, and "
    "ask for none of it that you can do without."
)
LEAVING = "The owner said goodbye while work goes on. Ask whether the work shall be dropped."


GOAL_TOOLS: Mapping[str, Call] = {
    "propose_plan": PlanProposed(),
    "start_work": WorkStarted(),
    "finish_work": WorkFinished(),
}
"""The call of each tool that moves a goal forward."""


GOAL: Final = "Current Goal:"
INFORMATION: Final = "Required Information:"
ARTEFACTS: Final = "Artefacts:"
QUESTION: Final = "Open question:"
SCHEDULE: Final = "Schedule:"
"""Headings of the state."""

_STATE = re.compile(r"<state>\n(.*?)\n</state>\n?", re.DOTALL)


def build_directive(now: Conversation, at: str) -> str:
    """Return the whole state for the turn that begins at this ts; empty if there is nothing to tell."""
    sections = [
        *(_describe_goal(now, at) if now.kind is Kind.FREE else ()),
        *_describe_question(now.question),
        *_describe_schedule(now, at),
    ]
    return _write_state("\n".join(list_changes(gather(sections), {})))


def shorten_directives(rows: Sequence[Message], plain: int) -> list[Message]:
    """Return the rows as one request tells them: the first state as a whole, and of each later one what has changed.

    `rows` are those that the request sends. Replies up to `plain` are sent without the state that they were made with.
    """
    told = Told()
    short = list[Message]()
    for row in rows:
        if row.role is Role.ASSISTANT and row.seq > plain:
            whole = _STATE.match(row.directive)
            now = Told()
            follow(whole[1] if whole else "", now)
            changes = [_write_state(write_changes(now, told)), row.directive[whole.end() if whole else 0 :]]
            row = replace(row, directive="\n".join(filter(None, changes)))
            told = now
        short.append(row)
    return short


def _write_state(told: str) -> str:
    return write_block("state", told) if told else ""


def _describe_clock(now: Conversation, at: str) -> str:
    zone = now.zone or "UTC"
    return f"Time: {parse_ts(at).astimezone(ZoneInfo(zone)):%a %d %b %Y %H:%M} ({zone})"


def describe_day(now: Conversation, rows: Sequence[Message]) -> str:
    """Return the day on which the active turn began, in the owner's time zone; empty without a turn."""
    zone = now.zone or "UTC"
    begun = [row.kept_at for row in rows if now.turn and row.seq == now.turn.reply and row.kept_at]
    return f"{parse_ts(begun[0]).astimezone(ZoneInfo(zone)):%a %d %b %Y} ({zone})" if begun else ""


def _describe_schedule(now: Conversation, at: str) -> list[Section]:
    """Describe the schedule, what this turn is to it, and the progress of earlier runs."""
    if now.schedule is None:
        return []
    work, zone = now.work, ZoneInfo(now.zone or "UTC")
    lines = [f"Scheduled: {recurrence.describe(now.schedule, zone=True)}. {clean_line(now.schedule.instruction)}"]
    lines.append(PAUSED if now.paused else PAUSABLE)
    if now.planned in now.asked:
        part = (RUN_BY_SCHEDULE, *_describe_delay(now, at))
    elif scheduling.is_running(now):
        part = (RUN_RESUMED,)
    else:
        part = (RUN_GAVE_WAY,) if work.gave_way else ()
    if work.context:
        lines.append(f"It is about: {clean_line(work.context)}")
    if work.last_run:
        lines.append(f"Last run: {datetime.fromisoformat(work.last_run).astimezone(zone).isoformat()}")
    if part or work.context or work.last_run or work.data:
        lines.append(f"Step: {work.step}. Data: {json.dumps(work.data, ensure_ascii=False)}")
    return [Section(SCHEDULE, tuple(lines)), Section(ONCE, part)]


def _describe_delay(now: Conversation, at: str) -> list[str]:
    due = datetime.fromisoformat(now.next_run)
    is_late = bool(at) and parse_ts(at) - due > LATE
    return [RUN_LATE.format(due=due.astimezone(ZoneInfo(now.zone or "UTC")).isoformat())] if is_late else []


def _describe_goal(now: Conversation, at: str) -> list[Section]:
    """Describe the time, the owner, the goal, and the tools that are of no use for it."""
    state, goal, useless = now.goals, now.goals.goal, list_useless_tools(now)
    head = [_describe_clock(now, at)] if at else []
    head += [f"Owner: {clean_name(now.owner_name)}"] if now.owner_name else []
    head += [f"Conversation Phase: {state.phase}", f"Turn Count: {state.turns}"]
    head += [f"Completed Goals: {len(state.completed)}"]
    # Results of tools have told of a goal since the state before: that it has ended must be told, too.
    head += [f"Ended last: {list_ended(state)[-1]}"] if state.completed and goal is None else []
    head += [f"Of no use now: {', '.join(useless)}"] if useless else []
    hints = (
        (GUESSED, state.guessed and bool(goal and goal.info)),
        (ASSUMING, state.assuming),
        (RESUMED, state.resumed),
        (LEAVING, state.leaving),
    )
    told = [Section("", tuple(head)), Section(ONCE, tuple(hint for hint, is_true in hints if is_true))]
    if goal is None:
        return told
    outputs = (f"• {each.name}" for each in list_goal_outputs(goal))
    return [
        *told,
        Section(GOAL, (f"Type: {goal.type}", f"Description: {goal.description}")),
        Section(INFORMATION, tuple(map(describe_information, goal.info))),
        Section(ARTEFACTS, tuple(outputs)),
    ]


def list_useless_tools(now: Conversation) -> tuple[str, ...]:
    """Return the names of the tools whose calls would be refused as things stand, in a free thread.

    The tools themselves stay the same through a conversation, because the model's thinking is bound to them.
    """
    goal = now.goals.goal
    works = {
        "resolve_question": now.question is not None,
        "record_information": goal is not None and bool(goal.info),
        **{name: moves.is_possible(now.goals, call) for name, call in GOAL_TOOLS.items()},
        "cancel_schedule": now.schedule is not None,
        "continue_work": scheduling.is_running(now),
        "complete_work": scheduling.is_running(now),
    }
    return tuple(name for name, is_of_use in works.items() if not is_of_use)


def _describe_question(asked: Question | None) -> list[Section]:
    if asked is None or asked.origin is Origin.EXTRACTION:
        return []
    lines = [f'Your question is still open: "{clean_line(asked.prompt)}"']
    if asked.kind is not QuestionKind.INPUT:
        lines.append("Its answers: " + "; ".join(map(clean_line, asked.options)))
    lines.append("If the owner's message answers it, call resolve_question. If it asks back, answer that alone.")
    return [Section(QUESTION, tuple(lines))]
