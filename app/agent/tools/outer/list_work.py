"""Tool that lists the owner's schedules, in all their threads of which may be told here."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from app.agent.tools.outer import material, own
from app.agent.tools.outer.audience import Audience
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.outside import Access, TurnContext
from app.agent.tools.tool import ExternalTool, Nothing
from app.core import schedule as schedules
from app.core import sources
from app.core.model import Conversation
from app.core.schedule import Schedule

SEARCHED: Final = 300
"""Conversations that are searched, the newest ones."""

MOST: Final = 25
TITLE: Final = 120
INSTRUCTION: Final = 300
"""Characters of the instruction of a schedule."""

READ: Final = (
    f"A thread's work is ended in that thread: cancel_schedule ends the one of this thread. {material.NOT_ORDERS}"
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
            labels.update(sources.of_conversation(each))
    remarks = (READ if work else NOTHING, NOT_ALL if len(mine) == SEARCHED else "", audience.kept_back)
    return ToolResult(report_findings({}, " ".join(filter(None, remarks)), work=work), tuple(sorted(labels)))


def _describe(context: TurnContext, conversation: Conversation, schedule: Schedule) -> dict[str, Any]:
    due = conversation.next_run and datetime.fromisoformat(conversation.next_run)
    return {
        "conversation": own.reference(conversation.thread),
        "is_this_thread": conversation.id == context.conversation.id,
        "title": material.words(conversation.title, TITLE),
        "when": schedules.describe(schedule, zone=True),
        "next": schedules.when(due, schedule.zone, context.now) if due else "",
        "instruction": material.words(schedule.instruction, INSTRUCTION),
        "waits_for_an_answer": conversation.question is not None,
    }


TOOL = ExternalTool(
    name="list_work",
    description="List what is planned for later in the owner's threads, this one included: what, when, and when next. "
    "What you have planned in this answer is not in it yet.",
    input=Nothing,
    access=Access.READ,
    run=_run,
)
