"""The state block at the end of the newest user turn: where the thread stands, and in a free thread the time.

A step is told the day once, with its own state (`describe_day`).

It is stored with the reply, because the history of an epoch must be sent again unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from app.core.conversation.conversation import Conversation, Message
from app.core.conversation.transition import parse_ts
from app.core.goals import moves
from app.core.pending import recurrence, scheduling
from app.core.state.goal import Call, PlanProposed, WorkFinished, WorkStarted, summarize_goals
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.status import Kind
from app.core.text.marks import clean_line, write_block

RUN_BY_SCHEDULE = (
    "This is a run of the schedule: nobody is waiting. Work on your own; ask only what you cannot do without. "
    "End it with complete_work, or with continue_work if another run has to go on with it."
)
RUN_RESUMED = "The run of the schedule goes on: the owner has answered what it asked. End it as any other run."
RUN_GAVE_WAY = (
    "A run of the schedule has stopped for the owner's message. Answer that alone: the run goes on by itself."
)
ASSUMING = "Enough has been asked. Plan now, and say which assumptions you make."
RESUMED = "The owner comes back to the goal that was left: say in half a sentence that you take it up again."
LEAVING = "The owner said goodbye while work goes on. Ask whether the work shall be dropped."


GOAL_TOOLS: Mapping[str, Call] = {
    "propose_plan": PlanProposed(),
    "start_work": WorkStarted(),
    "finish_work": WorkFinished(),
}
"""The call of each tool that moves a goal forward."""


def build_directive(now: Conversation, at: str) -> str:
    """Build the block for the turn that begins at this ts."""
    lines: list[str] = []
    if now.kind is Kind.FREE:
        lines += [*([_describe_clock(now, at)] if at else []), *_describe_goal(now)]
    if now.question and now.question.origin is not Origin.EXTRACTION:
        lines += ["", *_describe_question(now.question)]
    if now.schedule:
        instruction = clean_line(now.schedule.instruction)
        lines += ["", f"Scheduled: {recurrence.describe(now.schedule, zone=True)}. {instruction}"]
        lines += _describe_run(now)
    return write_block("state", "\n".join(lines).lstrip("\n")) if lines else ""


def _describe_clock(now: Conversation, at: str) -> str:
    zone = now.zone or "UTC"
    return f"Time: {parse_ts(at).astimezone(ZoneInfo(zone)):%a %d %b %Y %H:%M} ({zone})"


def describe_day(now: Conversation, rows: Sequence[Message]) -> str:
    """Return the day on which the active turn began, in the owner's time zone; empty without a turn."""
    zone = now.zone or "UTC"
    begun = [row.kept_at for row in rows if now.turn and row.seq == now.turn.reply and row.kept_at]
    return f"{parse_ts(begun[0]).astimezone(ZoneInfo(zone)):%a %d %b %Y} ({zone})" if begun else ""


def _describe_run(now: Conversation) -> list[str]:
    """Describe what this turn is to the schedule, and the progress of earlier runs."""
    work, lines = now.work, list[str]()
    if now.planned in now.asked:
        lines += ["", RUN_BY_SCHEDULE]
    elif scheduling.is_running(now):
        lines += ["", RUN_RESUMED]
    elif work.gave_way:
        lines += ["", RUN_GAVE_WAY]
    if work.context:
        lines.append(f"It is about: {clean_line(work.context)}")
    if work.last_run:
        zone = ZoneInfo(now.zone or "UTC")
        lines.append(f"Last run: {datetime.fromisoformat(work.last_run).astimezone(zone).isoformat()}")
    if lines or work.data:
        lines.append(f"Step: {work.step}. Data: {json.dumps(work.data, ensure_ascii=False)}")
    return lines


def _describe_goal(now: Conversation) -> list[str]:
    state = now.goals
    hints = ((ASSUMING, state.assuming), (RESUMED, state.resumed), (LEAVING, state.leaving))
    told = [summarize_goals(state), *(hint for hint, is_true in hints if is_true)]
    useless = list_useless_tools(now)
    return [*told, f"Of no use now: {', '.join(useless)}"] if useless else told


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


def _describe_question(asked: Question) -> list[str]:
    lines = [f'Your question is still open: "{clean_line(asked.prompt)}"']
    if asked.kind is not QuestionKind.INPUT:
        lines.append("Its answers: " + "; ".join(map(clean_line, asked.options)))
    lines.append("If the owner's message answers it, call resolve_question. If it asks back, answer that alone.")
    return lines
