"""Tool that reads another conversation of the owner: its results and its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.conversation.conversation import Conversation, Message, Role
from app.core.errors import OutOfReach
from app.core.state.decision import DecisionStep
from app.core.turns import sources
from app.decision.drafts.noting import render_text

MOST: Final = 8_000
"""Characters of the messages that are told."""

ROWS: Final = 200
"""Messages of the transcript that are read, the newest ones."""

RESULT: Final = 2_000
"""Characters of the approved result of one step."""

LINE: Final = 300
"""Characters of a title, goal, question or gist."""

SPEAKERS: Final = (Role.PERSON, Role.ASSISTANT)
UNREADABLE: Final = "That names no conversation: take what search_conversations gives, or the link of a message in it."
NOT_OWN: Final = "The owner has no such conversation with you: only their own can be read."
READ: Final = f"Answer from it, and say where it is from. {excerpts.NOT_ORDERS}"
SILENT: Final = "Nobody has written anything there that is still kept."


class Which(Input):
    """Input of `read_conversation`."""

    conversation: str = Field(
        min_length=1,
        max_length=500,
        description="As search_conversations gives it, or the link of a message in it.",
    )


async def _run(context: TurnContext, given: Which) -> ToolResult:
    conversation = await _find(context, given.conversation)
    rows = await context.conversations.transcript(conversation, max(conversation.head - ROWS, 0))
    said = [_render_line(context, row) for row in rows if row.role in SPEAKERS and row.is_sendable and row.text.strip()]
    about = _describe_purpose(conversation, await context.results(conversation.thread))
    messages = excerpts.keep_newest(said, MOST, is_end=conversation.head > ROWS)
    query = {"conversation": excerpts.build_reference(conversation.thread)}
    came = report_findings(query, READ if said or about else SILENT, about=about, messages=messages)
    return ToolResult(came, sources.list_labels(conversation))


async def _find(context: TurnContext, words: str) -> Conversation:
    """Return the conversation that is meant. The error does not tell whether another owner has such a one."""
    thread = excerpts.find_thread(words, context.thread.team)
    if thread is None:
        raise OutOfReach(UNREADABLE)
    conversation = await context.conversations.find(thread)
    if conversation is None or conversation.owner != context.owner:
        raise OutOfReach(NOT_OWN)
    await Audience(context).place(thread.channel)
    return conversation


def _render_line(context: TurnContext, row: Message) -> dict[str, Any]:
    when = excerpts.render_time(row.ts or next(iter(row.parts), ""), context.now.tzinfo)
    if row.role is Role.ASSISTANT:
        return excerpts.render_own(when, row.text)
    role = "owner" if row.author == context.owner else ""
    return excerpts.render_message(row.author_name or row.author, when, row.text, user=row.author, role=role)


def _describe_purpose(conversation: Conversation, results: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return its purpose and results; empty ones are left out."""
    goal, decision = conversation.goals.goal, conversation.decision
    told_of = {
        "title": excerpts.clean_text(conversation.name, LINE),
        "goal": excerpts.clean_text(goal.description, LINE) if goal else "",
        "goals_before": [excerpts.clean_text(each.description, LINE) for each in conversation.goals.completed],
        "decision": excerpts.clean_text(decision.name, LINE) if decision else "",
        "steps": [_render_step(each, results.get(each.key, {})) for each in (decision.steps if decision else ())],
    }
    return {name: value for name, value in told_of.items() if value}


def _render_step(step: DecisionStep, result: Mapping[str, Any]) -> Mapping[str, Any]:
    approved = {"approved_result": excerpts.clean_text(render_text(result), RESULT)} if result else {}
    return {
        "title": excerpts.clean_text(step.title, LINE),
        "status": step.status,
        "version": step.version,
        "gist": excerpts.clean_text(step.gist, LINE),
        **approved,
    }


def _tell(result: Mapping[str, Any]) -> str:
    title = result["about"].get("title") or "another conversation"
    return f"Read {title}: {excerpts.count_messages(result)}."


TOOL = ExternalTool(
    name="read_conversation",
    description="Read another conversation or decision of the owner with you: what it is for, how its steps stand with "
    "their approved results, and the end of what was said, with who and when.",
    brief="another conversation or decision of the owner, by link or by search_conversations",
    input=Which,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "reading another conversation",
    trace=lambda _: "1 conversation",
    tell=_tell,
)
