"""Labels: where what a conversation holds came from. Pure.

A label is Slack's id of a channel, or names what nobody can look up: it then has a colon in it. The owner's own words
have none, or nothing could be done with them without asking. Rule: labels are only ever added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.core.conversation.conversation import BEFORE, Conversation, Message, Role, Step
from app.core.events.heard import ComponentStarted, DecisionStarted, Event, NewsHeard

_TOOL, _THREAD = "tool:", "thread:"
_RESULT = '"tool_result"'
"""Stands in the content of each reply that has used tools."""


def build_tool_label(tool: str) -> str:
    """Return the label of what a tool brought that does not say from where."""
    return f"{_TOOL}{tool}"


def read_tool(label: str) -> str:
    """Return the tool that a label names; empty if it names none."""
    return label.removeprefix(_TOOL) if label.startswith(_TOOL) else ""


def is_place(label: str) -> bool:
    """True of a label whose readers can be looked up."""
    return ":" not in label


def list_labels(conversation: Conversation) -> tuple[str, ...]:
    """Return the labels of what is told of another conversation: where it was held, and what it holds itself."""
    return _sort_labels(
        {conversation.thread.channel, *(_resolve_label(label, conversation) for label in conversation.sources)}
    )


def resolve(conversation: Conversation, rows: Sequence[Message]) -> tuple[str, ...]:
    """Return the labels of a conversation of which these rows are sent; those without labels are looked through.

    What was left out before there were labels, or was brought by a tool then, may be from anywhere.
    """
    known = set(conversation.sources)
    if BEFORE not in known:
        return _sort_labels(known)
    known.remove(BEFORE)
    if any(_is_of_others(row, conversation.owner) for row in rows):
        known.add(conversation.thread.channel)
    if conversation.since or any(row.sources is None and _RESULT in row.content for row in rows):
        known.add(_resolve_label(BEFORE, conversation))
    return _sort_labels(known)


def carry(before: Conversation, event: Event, made: Step) -> Step:
    """Keep in the conversation the labels of what an event has added to it."""
    now = made.conversation
    known = set(now.sources) if before.head else set[str]()
    if now.owner != before.owner or (now.decision and isinstance(event, NewsHeard)):
        known.add(
            now.thread.channel
        )  # what was the owner's is somebody else's now; a step tells what others said in it
    if isinstance(event, DecisionStarted | ComponentStarted):
        known |= set(event.sources)
    for row in made.messages:
        if _is_of_others(row, now.owner):
            known.add(now.thread.channel)
        if row.sources is not None:
            known = known - {BEFORE} | set(row.sources)
    for use in now.turn.uses if now.turn else ():
        known |= set(use.sources)
    return replace(made, conversation=replace(now, sources=_sort_labels(known)))


def _is_of_others(row: Message, owner: str) -> bool:
    """True of what somebody else has said here; notes without an author are ours."""
    return row.author != owner and (row.role is Role.PERSON or (row.role is Role.NOTE and bool(row.author)))


def _resolve_label(label: str, conversation: Conversation) -> str:
    return f"{_THREAD}{conversation.id}" if label == BEFORE else label


def _sort_labels(labels: set[str]) -> tuple[str, ...]:
    return tuple(sorted(labels))
