"""What the model is sent: the transcript as the API's messages, within a budget of tokens.

The history of an epoch is append-only: what was once sent is sent again unchanged, because a reply's thinking is bound
to all that came before it (design D11). A new epoch replaces old rows by a summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from app.core.findings import EpochStarted
from app.core.model import Conversation, Message, MessageStatus, Role
from app.core.states import Stage

CHARS_PER_TOKEN = 4
"""S0-242: tokens are estimated at about four characters each."""

TOKENS_PER_MESSAGE = 4
SNIPPETS = 3
SNIPPET_CHARS = 50
"""S0-243: the summary quotes the first three messages of the owner, fifty characters each.

Of nobody else: in a summary there is no telling who speaks.
"""

SUMMARY_CHARS = 1_000
"""What is kept of a chain of summaries: its end."""

EARLIER = "[Earlier conversation summarized: {summary}]"
"""S0-241, to the letter."""

INTERRUPTED = "[Conversation interrupted]"
"""What the model is told at the end of an answer that a person stopped (S3, to the letter)."""

ACTED = "[Used tools without a word]"
"""What is told of a reply that only called tools, where what it called is not kept as it was."""

LATE = "<note>This was written before your last reply and has only arrived now.</note>"

BEGINS = "<note>The step begins.</note>"
"""Before the opening of a step, which nobody had to ask for."""

THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Blocks that the API takes back only after exactly what they were made after."""

DELETED_NOTE = "<note>A message was deleted here.</note>"


def tokens(rows: Iterable[Message]) -> int:
    """Estimate what these rows cost to send, with what the model was told beside the words."""
    said = (len(row.content or row.text) + len(row.directive) for row in rows)
    return sum(chars // CHARS_PER_TOKEN + TOKENS_PER_MESSAGE for chars in said)


def new_epoch(conversation: Conversation, rows: Sequence[Message], budget: int) -> EpochStarted | None:
    """Say where the history must be cut so that it fits the budget again; None while it fits.

    Half of the budget is kept for what comes, so that the prefix stays unchanged for many turns. The newest message is
    always kept, however long it is.
    """
    told = _told(conversation, rows)
    if tokens(told) <= budget:
        return None
    cut, kept = len(told) - 1, tokens(told[-1:])
    while cut > 0 and (kept := kept + tokens(told[cut - 1 : cut])) <= budget // 2:
        cut -= 1
    if cut == 0:
        return None
    return EpochStarted(since=told[cut - 1].seq, summary=_summary(conversation, told[:cut]))


def _summary(conversation: Conversation, dropped: Sequence[Message]) -> str:
    said = [row.text for row in dropped if row.role is Role.PERSON and row.author == conversation.owner and row.text]
    snippets = "; ".join(text[:SNIPPET_CHARS] for text in said[:SNIPPETS])
    own = f"{len(dropped)} earlier messages discussed: {snippets}"
    return f"{conversation.summary}; then {own}"[-SUMMARY_CHARS:] if conversation.summary else own


def api_messages(conversation: Conversation, rows: Sequence[Message]) -> list[dict[str, Any]]:
    """Build the API's messages for the turn under way: the rows of its epoch below its reply, the roles alternating.

    What came of the tools at the end of a reply goes before the words of the next turn, and what the model was told
    beside the words stands after them: each where it was when it was first sent.
    """
    said = [EARLIER.format(summary=conversation.summary)] if conversation.summary else []
    messages: list[dict[str, Any]] = []
    results: list[Any] = []
    for row in as_written(_told(conversation, rows)):
        if row.role is Role.ASSISTANT:
            before = [*said, row.directive if row.seq > conversation.plain else ""]
            opens = conversation.interview is not None and not messages and not any(before)
            messages.append(_said(results, [BEGINS] if opens else before))
            replied = _reply(row, conversation.plain)
            results = replied.pop()["content"] if replied[-1]["role"] == "user" else []
            messages += replied
            said = []
        elif row.status is not MessageStatus.DELETED and row.text.strip():
            said.append(_line(row, conversation.owner))
    return [*messages, _said(results, [*said, _directive(conversation, rows)])]


def as_written(rows: Iterable[Message]) -> list[Message]:
    """The same rows, in which messages that wait for one answer stand in the order in which they were written.

    Slack may deliver two messages of one moment in either order, and rows are numbered as they arrive. A reply closes
    the group before it, so what was once sent stays as it was.
    """
    groups = groupby(rows, lambda row: row.role is Role.PERSON and bool(row.ts))
    return [row for has_ts, group in groups for row in (sorted(group, key=attrgetter("ts")) if has_ts else group)]


def said_so_far(conversation: Conversation, row: Message) -> list[dict[str, Any]]:
    """What a turn that goes on has said already, its last round without results.

    If a message was taken back since, its thinking is left out: it is bound to what came before it (design D11).
    """
    said: list[dict[str, Any]] = json.loads(row.content or "[]")
    if row.seq > conversation.plain:
        return said
    return [{**message, "content": [*filter(_is_no_thought, message["content"])]} for message in said]


def _is_no_thought(block: dict[str, Any]) -> bool:
    return block["type"] not in THOUGHTS


def _directive(conversation: Conversation, rows: Sequence[Message]) -> str:
    reply = conversation.turn.reply if conversation.turn else 0
    return next((row.directive for row in rows if row.seq == reply), "")


def _told(conversation: Conversation, rows: Sequence[Message]) -> list[Message]:
    until = conversation.turn.reply if conversation.turn else conversation.head + 1
    return [row for row in rows if conversation.since < row.seq < until and _is_told(row)]


def _is_told(row: Message) -> bool:
    if row.role is Role.ASSISTANT:
        is_said = row.stage is Stage.NONE and row.is_sendable
        return is_said and (row.acted or bool(row.text.strip()))
    return row.role is not Role.CARD


def _reply(row: Message, plain: int) -> list[dict[str, Any]]:
    """The messages of one reply: one of the assistant, and two more for each round of tools."""
    stopped = row.status is MessageStatus.CANCELLED
    if row.content and row.seq > plain and not stopped:
        return json.loads(row.content)
    said = row.text if row.text.strip() else ACTED
    text = f"{row.text}\n\n{INTERRUPTED}" if stopped else said
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}]


def _said(results: list[Any], lines: Sequence[str]) -> dict[str, Any]:
    text = "\n\n".join(filter(None, lines)) or DELETED_NOTE
    return {"role": "user", "content": [*results, {"type": "text", "text": text}] if results else text}


def _line(row: Message, owner: str) -> str:
    """One row as the model reads it. Only the owner speaks plainly; all else is marked, so that it cannot pose."""
    is_owner = row.author == owner
    name = _attribute(row.author_name or row.author)
    text = row.text.replace("</", "< /")
    if row.role is Role.NOTE and not row.author:
        return f"<note>{text}</note>"
    if row.role is Role.NOTE:
        who = "The owner" if is_owner else f'Another person, "{name}",'
        return f'<note>{who} corrected an earlier message. It now reads: "{text}"</note>'
    said = row.text if is_owner else f'<message from="{name}">{text}</message>'
    return f"{LATE}\n{said}" if row.late else said


def _attribute(name: str) -> str:
    return "".join(char for char in name if char.isprintable() and char not in '<>"&')
