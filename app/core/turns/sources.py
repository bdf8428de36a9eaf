"""Labels for the sources of a conversation's content. Pure.

A label is a Slack channel id, or names a source whose readers cannot be looked up and contains a colon. The owner's own
messages have none, or every use of them would need permission. Labels are only added, never removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.core.conversation.conversation import BEFORE, Conversation, Message, Role, Transition
from app.core.events.heard import ComponentStarted, DecisionStarted, Event, NoticeReceived
from app.core.state.interview import Stage

_TOOL, _THREAD = "tool:", "thread:"
WEB = "web:"
"""Label of what pages of the web say. All can read them, and anybody can write them."""

PEOPLE = f"{_TOOL}find_people"
"""Label of the list of who works in the workspace: no channel has just its readers."""

_RESULT = '"tool_result"'
"""Occurs in the content of each reply that has used tools."""


def build_tool_label(tool: str) -> str:
    """Return the label for output of a tool that names no source."""
    return f"{_TOOL}{tool}"


def read_tool(label: str) -> str:
    """Return the tool that the label names; empty if it names none."""
    return label.removeprefix(_TOOL) if label.startswith(_TOOL) else ""


def is_place(label: str) -> bool:
    """Return True if the readers of the source can be looked up."""
    return ":" not in label


def list_labels(conversation: Conversation) -> tuple[str, ...]:
    """Return the labels for content from another conversation: its channel, and its own labels."""
    return _sort_labels(
        {conversation.thread.channel, *(_resolve_label(label, conversation) for label in conversation.sources)}
    )


def resolve(conversation: Conversation, rows: Sequence[Message]) -> tuple[str, ...]:
    """Return the labels of a conversation with these messages. Messages without labels are examined.

    Content that was summarized or came from a tool before labels existed may be from anywhere.
    """
    known = set(conversation.sources)
    if BEFORE not in known:
        return _sort_labels(known)
    known.remove(BEFORE)
    known |= label_heard(conversation, rows)
    turns = (row for row in rows if row.stage is Stage.NONE)
    if conversation.since or any(row.sources is None and has_results(row) for row in turns):
        known.add(_resolve_label(BEFORE, conversation))
    return _sort_labels(known)


def has_results(reply: Message) -> bool:
    """Return True if the reply has used tools."""
    return _RESULT in reply.content


def label_heard(conversation: Conversation, rows: Iterable[Message]) -> frozenset[str]:
    """Return the labels of what people have written in this thread: its channel, if another person wrote some of it."""
    is_of_others = any(_is_of_others(row, conversation.owner) for row in rows)
    return frozenset({conversation.thread.channel} if is_of_others else ())


def carry(before: Conversation, event: Event, made: Transition) -> Transition:
    """Add the labels of an event's content to the conversation."""
    now = made.conversation
    known = set(now.sources) if before.head else set[str]()
    if now.owner != before.owner or (now.decision and isinstance(event, NoticeReceived)):
        # The former owner's content is another person's now, and a step's notices include what others said in it.
        known.add(now.thread.channel)
    if isinstance(event, DecisionStarted | ComponentStarted | NoticeReceived):
        known |= set(event.sources)
    if now.files:  # the owner brought them, and may not have written them: they are known to who reads the thread
        known.add(now.thread.channel)
    known |= label_heard(now, made.messages)
    for row in made.messages:
        if row.sources is not None:
            known = known - {BEFORE} | set(row.sources)
    for use in now.turn.uses if now.turn else ():
        known |= set(use.sources)
    return replace(made, conversation=replace(now, sources=_sort_labels(known)))


def _is_of_others(row: Message, owner: str) -> bool:
    """Return True if a person other than the owner wrote it. Notes without an author are the app's own."""
    return row.author != owner and (row.role is Role.PERSON or (row.role is Role.NOTE and bool(row.author)))


def _resolve_label(label: str, conversation: Conversation) -> str:
    return f"{_THREAD}{conversation.id}" if label == BEFORE else label


def _sort_labels(labels: set[str]) -> tuple[str, ...]:
    return tuple(sorted(labels))
