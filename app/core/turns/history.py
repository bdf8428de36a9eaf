"""What the model is sent: the transcript as the API's messages, within a budget of tokens.

The history of an epoch is append-only: what was once sent is sent again unchanged, because a reply's thinking is bound
to all that came before it (design D11). A new epoch replaces old rows by a summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from operator import attrgetter
from typing import Any

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.events.internal import EpochStarted
from app.core.state.interview import Stage
from app.core.text.marks import FORM, UNSEEN, clean, clean_name, mark

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

SHARE = 4
"""One part in so many of the budget is what others may say, and one is what of the owner's words outlasts a summary."""

LEFT_OUT = (
    "<note>Messages of other people that are left out here, since they wrote more than there is room for: {count}. "
    "The tools that look into this thread find them.</note>"
)

STANDING = "<note>From the earlier conversation, in the owner's own words:</note>"
GOES_ON = "<note>Here the conversation goes on.</note>"

THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Blocks that the API takes back only after exactly what they were made after."""

DELETED_NOTE = "<note>A message was deleted here.</note>"


def count_tokens(rows: Iterable[Message]) -> int:
    """Estimate what these rows cost to send, with what the model was told beside the words."""
    said = (len(row.content or row.text) + len(row.directive) for row in rows)
    return sum(chars // CHARS_PER_TOKEN + TOKENS_PER_MESSAGE for chars in said)


def start_epoch(conversation: Conversation, rows: Sequence[Message], budget: int) -> EpochStarted | None:
    """Say where the history must be cut so that it fits the budget again; None while it fits.

    What others said gives way first, down to half of their share. Then half of the budget is kept for what comes, so
    that the prefix stays unchanged for many turns. The newest message is always kept, however long it is.
    """
    told, quiet = _select_sent(conversation, rows), conversation.quiet
    if count_tokens(row for row in told if is_by_other(row, conversation)) > budget // SHARE:
        quiet = _find_quiet(conversation, told, budget // SHARE // 2)
    heard = [row for row in told if row.seq > quiet or not is_by_other(row, conversation)]
    standing = _list_standing(conversation, rows)
    cut = 0 if count_tokens(standing) + count_tokens(heard) <= budget else _count_dropped(heard, budget // 2)
    if cut == 0:
        return replace(repeat_epoch(conversation), quiet=quiet) if quiet > conversation.quiet else None
    owners = [*standing, *(row for row in heard[:cut] if row.author == conversation.owner and row.text.strip())]
    return EpochStarted(
        since=heard[cut - 1].seq,
        summary=_summarize(conversation, heard[:cut]),
        standing=_choose_standing(owners, budget // SHARE),
        quiet=quiet,
    )


def repeat_epoch(conversation: Conversation) -> EpochStarted:
    """Return an epoch that sends the same words as before, without thinking and without results of tools."""
    now = conversation
    return EpochStarted(since=now.since, summary=now.summary, standing=now.standing, quiet=now.quiet)


def _count_dropped(told: Sequence[Message], room: int) -> int:
    """How many rows go so that the others have room; the newest never."""
    cut, kept = len(told) - 1, count_tokens(told[-1:])
    while cut > 0 and (kept := kept + count_tokens(told[cut - 1 : cut])) <= room:
        cut -= 1
    return max(cut, 0)


def _find_quiet(conversation: Conversation, told: Sequence[Message], room: int) -> int:
    """Up to which row the words of others go, the oldest first, so that those that stay have room."""
    others = [row for row in reversed(told) if is_by_other(row, conversation)]
    used = accumulate(count_tokens([row]) for row in others)
    return next(row.seq for row, so_far in zip(others, used, strict=True) if so_far > room)


def _choose_standing(owners: Sequence[Message], room: int) -> tuple[int, ...]:
    """Which of the owner's words are sent on: the first ones, which say what it is all about, then the newest."""
    kept, half = list[int](), room // 2
    for row in owners:
        if (half := half - count_tokens([row])) < 0:
            break
        kept.append(row.seq)
    room -= count_tokens(owners[: len(kept)])
    for row in reversed(owners[len(kept) :]):
        if (room := room - count_tokens([row])) < 0:
            break
        kept.append(row.seq)
    return tuple(sorted(kept))


def find_first_sent(conversation: Conversation) -> int:
    """The row before the first one that a request is made from."""
    return min((*conversation.standing, conversation.since + 1)) - 1


def _summarize(conversation: Conversation, dropped: Sequence[Message]) -> str:
    said = [row.text for row in dropped if row.role is Role.PERSON and row.author == conversation.owner and row.text]
    snippets = "; ".join(text[:SNIPPET_CHARS] for text in said[:SNIPPETS])
    own = f"{len(dropped)} earlier messages discussed: {snippets}"
    return f"{conversation.summary}; then {own}"[-SUMMARY_CHARS:] if conversation.summary else own


def build_api_messages(conversation: Conversation, rows: Sequence[Message]) -> list[dict[str, Any]]:
    """Build the API's messages for the turn under way: the rows of its epoch below its reply, the roles alternating.

    What came of the tools at the end of a reply goes before the words of the next turn, and what the model was told
    beside the words stands after them: each where it was when it was first sent.
    """
    said = _list_preface(conversation, rows)
    plain = _find_text_only(conversation)
    messages: list[dict[str, Any]] = []
    results: list[Any] = []
    for row in sort_as_written(_select_sent(conversation, rows)):
        if row.role is Role.ASSISTANT:
            before = [*said, row.directive if row.seq > plain else ""]
            opens = conversation.interview is not None and not messages and not any(before)
            messages.append(_build_user_message(results, [BEGINS] if opens else before))
            replied = _build_reply(row, plain)
            results = replied.pop()["content"] if replied[-1]["role"] == "user" else []
            messages += replied
            said = []
        elif row.status is not MessageStatus.DELETED and row.text.strip():
            said.append(_format_row(row, conversation.owner))
    return [*messages, _build_user_message(results, [*said, _find_directive(conversation, rows)])]


def _list_preface(conversation: Conversation, rows: Sequence[Message]) -> list[str]:
    """What stands before the rows that are told: a summary, how much is left out, and what outlasted the summary."""
    earlier = [EARLIER.format(summary=clean(conversation.summary))] if conversation.summary else []
    quiet = range(conversation.since + 1, conversation.quiet + 1)
    count = sum(row.seq in quiet and is_by_other(row, conversation) for row in rows)
    left_out = [LEFT_OUT.format(count=count)] if count else []
    lines = [_format_row(row, conversation.owner) for row in _list_standing(conversation, rows)]
    return [*earlier, *left_out, *([STANDING, *lines, GOES_ON] if lines else [])]


def sort_as_written(rows: Iterable[Message]) -> list[Message]:
    """The same rows, in which messages that wait for one answer stand in the order in which they were written.

    Slack may deliver two messages of one moment in either order, and rows are numbered as they arrive. A reply closes
    the group before it, so what was once sent stays as it was.
    """
    groups = groupby(rows, lambda row: row.role is Role.PERSON and bool(row.ts))
    return [row for has_ts, group in groups for row in (sorted(group, key=attrgetter("ts")) if has_ts else group)]


def build_partial_reply(conversation: Conversation, row: Message) -> list[dict[str, Any]]:
    """What a turn that goes on has said already, its last round without results.

    If a message was taken back since, its thinking is left out: it is bound to what came before it (design D11).
    """
    said: list[dict[str, Any]] = json.loads(row.content or "[]")
    if row.seq > _find_text_only(conversation):
        return said
    return [{**message, "content": [*filter(_is_no_thought, message["content"])]} for message in said]


def _find_text_only(conversation: Conversation) -> int:
    """Replies up to here are sent as text only: all of them, if what came before them reads otherwise by now.

    A turn begins in the form of the day. One that was open while the program changed goes on without its thinking.
    """
    return conversation.plain if conversation.form == FORM else conversation.head


def _is_no_thought(block: dict[str, Any]) -> bool:
    return block["type"] not in THOUGHTS


def _find_directive(conversation: Conversation, rows: Sequence[Message]) -> str:
    reply = conversation.turn.reply if conversation.turn else 0
    return next((row.directive for row in rows if row.seq == reply), "")


def _select_sent(conversation: Conversation, rows: Sequence[Message]) -> list[Message]:
    until = conversation.turn.reply if conversation.turn else conversation.head + 1
    told = [row for row in rows if conversation.since < row.seq < until and _is_sent(row)]
    return [row for row in told if row.seq > conversation.quiet or not is_by_other(row, conversation)]


def _list_standing(conversation: Conversation, rows: Sequence[Message]) -> list[Message]:
    kept = frozenset(conversation.standing)
    return [row for row in rows if row.seq in kept and row.status is not MessageStatus.DELETED]


def is_by_other(row: Message, conversation: Conversation) -> bool:
    """True of what somebody else than the owner wrote."""
    return row.role in (Role.PERSON, Role.NOTE) and row.author not in ("", conversation.owner)


def _is_sent(row: Message) -> bool:
    if row.role is Role.ASSISTANT:
        is_said = row.stage is Stage.NONE and row.is_sendable
        return is_said and (row.acted or bool(row.text.strip()))
    return row.role is not Role.CARD


def _build_reply(row: Message, plain: int) -> list[dict[str, Any]]:
    """The messages of one reply: one of the assistant, and two more for each round of tools."""
    stopped = row.status is MessageStatus.CANCELLED
    if row.content and row.seq > plain and not stopped:
        return json.loads(row.content)
    text = clean(row.text)
    said = text if text.strip() else ACTED
    text = f"{text}\n\n{INTERRUPTED}" if stopped else said
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}]


def _build_user_message(results: list[Any], lines: Sequence[str]) -> dict[str, Any]:
    text = "\n\n".join(filter(None, lines)) or DELETED_NOTE
    return {"role": "user", "content": [*results, {"type": "text", "text": text}] if results else text}


def _format_row(row: Message, owner: str) -> str:
    """One row as the model reads it. Only the owner speaks plainly; all else is marked, so that it cannot pose."""
    if row.role is Role.NOTE and not row.author:
        return mark("note", row.text)
    if row.role is Role.NOTE:
        return format_correction(row, owner)
    said = (clean(row.text).strip() or UNSEEN) if row.author == owner else format_speech(row)
    return f"{LATE}\n{said}" if row.late else said


def format_correction(row: Message, owner: str) -> str:
    """A correction as the model reads it. What others wrote stands in an element of its own, which they cannot end."""
    if row.author == owner:
        return mark("note", f'The owner corrected an earlier message. It now reads: "{row.text}"')
    name = clean_name(row.author_name or row.author)
    told = mark("note", f'Another person, "{name}", corrected an earlier message. It now reads:')
    return f"{told}\n{format_speech(row)}"


def format_speech(row: Message, **more: str) -> str:
    """What a person wrote, and who that is: by their Slack id, since anybody may take any name."""
    return mark("message", row.text, **more, name=row.author_name or row.author, user=row.author)
