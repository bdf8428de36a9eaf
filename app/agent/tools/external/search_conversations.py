"""Tool that finds the owner's conversations and decisions by what they are about."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.external import excerpts
from app.agent.tools.external.audience import Audience
from app.agent.tools.output import ToolResult, count_items, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.conversation.conversation import Conversation
from app.core.turns import sources
from app.decision.drafts.noting import render_text
from app.decision.schema.similarity import normalize, normalize_all

SEARCHED: Final = 300
"""Conversations that are searched, the newest ones."""

DECISIONS: Final = 30
"""Of them decisions whose approved results are searched, the newest ones."""

HITS: Final = 10
TITLE: Final = 120
LINE, LINES = 200, 3
"""Characters of a line on what a conversation is about, and how many such lines are told of each."""

FOUND: Final = f"Read one with read_conversation. {excerpts.NOT_ORDERS}"
NOTHING: Final = (
    f"None of the owner's newest {SEARCHED} conversations that may be told here is about that: say so, or ask the "
    "owner what it was called."
)
MORE: Final = "…(there may be more: ask with more words)"


class Search(Input):
    """Input of `search_conversations`."""

    words: str = Field(
        default="", max_length=200, description="Words that all have to be in it; none for the newest ones."
    )


async def _run(context: TurnContext, given: Search) -> ToolResult:
    wanted, audience, found = normalize(given.words).split(), Audience(context), list[Any]()
    labels = set[str]()
    async with aclosing(_find_hits(context, wanted)) as hits:
        async for conversation, about in hits:
            if not await audience.hears_of(conversation.thread):
                continue
            if len(found) == HITS:
                found.append(MORE)
                break
            found.append(
                _render_hit(
                    context, conversation, [line for line in about if any(word in normalize(line) for word in wanted)]
                )
            )
            labels.update(sources.list_labels(conversation))
    action = f"{FOUND if found else NOTHING} {audience.kept_back}".strip()
    return ToolResult(report_findings({"words": given.words}, action, found=found), tuple(sorted(labels)))


async def _find_hits(context: TurnContext, wanted: list[str]) -> AsyncGenerator[tuple[Conversation, list[str]]]:
    """Yield the other conversations that hold all the words, each with lines on what it is about."""
    decisions = 0
    for each in await context.conversations.of_owner(context.thread.team, context.owner, SEARCHED):
        about = [*_list_topics(each)]
        if wanted and each.decision and decisions < DECISIONS:
            decisions += 1
            about += [
                line
                for result in (await context.results(each.thread)).values()
                for line in render_text(result).splitlines()
            ]
        text = normalize_all((each.title, *about))
        if each.id != context.conversation.id and all(word in text for word in wanted):
            yield each, about


def _list_topics(conversation: Conversation) -> Iterator[str]:
    """Yield what a conversation is about, in its owner's words."""
    goals = conversation.goals
    for goal in (*((goals.goal,) if goals.goal else ()), *reversed(goals.completed)):
        yield goal.description
    if conversation.interview:
        yield conversation.interview.prepared.title
    if conversation.decision:
        yield from dict.fromkeys((conversation.decision.name, conversation.decision.question))
        for step in conversation.decision.steps:
            yield f"{step.title}: {step.gist}" if step.gist else step.title


def _render_hit(context: TurnContext, conversation: Conversation, about: list[str]) -> dict[str, Any]:
    return {
        "conversation": excerpts.build_reference(conversation.thread),
        "title": excerpts.clean_text(conversation.name, TITLE),
        "kind": conversation.kind,
        "status": conversation.status,
        "newest": excerpts.render_time(conversation.newest, context.now.tzinfo),
        "about": [excerpts.clean_text(line, LINE) for line in about[:LINES]],
    }


def _tell(result: Mapping[str, Any]) -> str:
    found = result["found"]
    listed = "; ".join(each["title"] for each in found if each["title"])
    return f"Found {count_items(len(found), 'conversation')}{f': {listed}' if listed else ''}."


TOOL = ExternalTool(
    name="search_conversations",
    description="Find other conversations and decisions of the owner with you, by words of their titles, goals, "
    "questions, steps and approved results. The newest ten, newest first.",
    brief="the owner's other conversations and decisions",
    input=Search,
    access=Access.READ,
    offered=Offer.BOTH,
    run=_run,
    working=lambda _: "searching your conversations",
    trace=lambda _: "the list of conversations",
    tell=_tell,
)
