"""Finds the owner's own conversations and decisions by what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import Field as About

from app.agent.tools.outer import material, own
from app.agent.tools.outer.results import told
from app.agent.tools.outside import Effect, Field, OuterTool
from app.agent.tools.tool import Input
from app.core.model import Conversation
from app.decision.comparing import all_plain, plain

SEARCHED: Final = 300
"""Conversations that are looked through, the newest ones."""

HITS: Final = 10
TITLE: Final = 120
LINE, LINES = 200, 3
"""Characters of what a conversation is about beside its title, and how many such lines are told of each."""

FOUND: Final = f"Read one with read_conversation. {material.NOT_ORDERS}"
NOTHING: Final = (
    f"None of the owner's newest {SEARCHED} conversations that may be told here is about that: say so, or ask the "
    "owner what it was called."
)


class Search(Input):
    """Input of `search_conversations`."""

    words: str = About(
        default="", max_length=200, description="Words that all have to be in it; none for the newest ones."
    )


async def _run(field: Field, given: Search) -> str:
    mine = await field.conversations.of_owner(field.thread.team, field.owner, SEARCHED)
    others = [each for each in mine if each.id != field.conversation.id]
    open_here = [each for each in others if own.may_be_told(field, each)]
    wanted = plain(given.words).split()
    hits = [each for each in open_here if _holds(all_plain((each.title, *_about(each))), wanted)]
    left_out = [f"…({len(hits) - HITS} more)"] if len(hits) > HITS else []
    found = [*(_hit(field, each, wanted) for each in hits[:HITS]), *left_out]
    kept_back = f" {own.ONLY_DIRECT}" if len(open_here) < len(others) else ""
    return told({"words": given.words}, f"{FOUND if found else NOTHING}{kept_back}", found=found)


def _holds(text: str, wanted: list[str]) -> bool:
    return all(word in text for word in wanted)


def _about(conversation: Conversation) -> Iterator[str]:
    """What it is about, in the words of whoever held it."""
    goals = conversation.goals
    for goal in (*((goals.goal,) if goals.goal else ()), *reversed(goals.completed)):
        yield goal.description
    if conversation.interview:
        yield conversation.interview.prepared.title
    if conversation.decision:
        yield conversation.decision.question
        for step in conversation.decision.steps:
            yield f"{step.title}: {step.gist}" if step.gist else step.title


def _hit(field: Field, conversation: Conversation, wanted: list[str]) -> dict[str, Any]:
    lines = [line for line in _about(conversation) if any(word in plain(line) for word in wanted)]
    return {
        "conversation": own.reference(conversation.thread),
        "title": material.words(conversation.title, TITLE),
        "kind": conversation.kind,
        "status": conversation.status,
        "newest": material.time_of(conversation.newest, field.now.tzinfo),
        "about": [material.words(line, LINE) for line in lines[:LINES]],
    }


TOOL = OuterTool(
    name="search_conversations",
    description="Find other conversations and decisions of the owner with you, by words of their titles, goals, "
    "questions and steps. The newest ten, newest first.",
    input=Search,
    effect=Effect.READ,
    run=_run,
)
