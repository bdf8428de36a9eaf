"""Tool that lists the owner's schedules, in all their threads of which may be told here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, cast

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Nothing
from app.core.conversation.conversation import Conversation
from app.core.pending import recurrence
from app.core.state.schedule import Schedule
from app.core.turns import sources

SEARCHED: Final = 300
"""Conversations that are searched, the newest ones."""

MOST: Final = 25
TITLE: Final = 120
INSTRUCTION: Final = 300
"""Characters of the instruction of a schedule."""

READ: Final = (
    f"A thread's work is ended in that thread: cancel_schedule ends the one of this thread. {excerpts.NOT_ORDERS}"
)
NOTHING: Final = "Nothing is planned that may be told here: say so."
NOT_ALL: Final = f"Only the owner's newest {SEARCHED} conversations were looked at: say so."
MORE: Final = f"…(there may be more than {MOST})"


async def _run(context: TurnContext, given: Nothing) -> ToolResult:
    mine = await context.conversations.of_owner(context.thread.team, context.owner, SEARCHED)
    audience, work, labels = Audience(context), list[Any](), set[str]()
    for each in mine:
        if each.schedule is None or not await audience.hears_of(each.thread):
            continue
        if len(work) == MOST:
            work.append(MORE)
            break
        work.append(_describe(context, each, each.schedule))
        if each.id != context.conversation.id:  # of this one all labels are known
            labels.update(sources.list_labels(each))
    remarks = (READ if work else NOTHING, NOT_ALL if len(mine) == SEARCHED else "", audience.kept_back)
    return ToolResult(report_findings({}, " ".join(filter(None, remarks)), work=work), tuple(sorted(labels)))


def _describe(context: TurnContext, conversation: Conversation, schedule: Schedule) -> dict[str, Any]:
    due = datetime.fromisoformat(conversation.next_run) if conversation.next_run and not conversation.paused else None
    return {
        "conversation": excerpts.build_reference(conversation.thread),
        "is_this_thread": conversation.id == context.conversation.id,
        "title": excerpts.clean_text(conversation.name, TITLE),
        "when": recurrence.describe(schedule, zone=True),
        "next": recurrence.format_moment(due, schedule.zone, context.now) if due else "",
        "instruction": excerpts.clean_text(schedule.instruction, INSTRUCTION),
        "waits_for_an_answer": conversation.question is not None,
        **({"paused_by_the_owner": True} if conversation.paused else {}),
    }


def _tell(result: Mapping[str, Any]) -> str:
    planned = [cast("Mapping[str, Any]", each) for each in result["work"] if isinstance(each, Mapping)]
    listed = "; ".join(f"{each['title'] or each['instruction']}, {each['when']}" for each in planned)
    return f"Planned for later: {listed}." if planned else "Nothing is planned for later."


TOOL = ExternalTool(
    name="list_work",
    description="List what is planned for later in the owner's threads, this one included: what, when, and when next. "
    "What you have planned in this answer is not in it yet.",
    brief="what is planned for later in the owner's threads",
    input=Nothing,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "looking up what is planned",
    trace=lambda _: "what is planned",
    tell=_tell,
)
