"""What an extraction is made from, as text: the day, earlier steps, transcript, draft, and last what is asked for.

The order is S0-229's; the schema comes before, with the tool. Whatever people wrote is cleaned, and stands within marks
that it cannot end. Nothing that we told the model goes in: neither system prompts nor directives.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.text.marks import block, clean, clean_data, mark
from app.core.turns.history import EARLIER, SHARE, as_written, corrected, is_anothers, said_by
from app.core.turns.history import LEFT_OUT as OTHERS_LEFT_OUT
from app.decision.drafts.rating_edits import describe_ratings, without_chosen
from app.decision.record import SoFar

TODAY = "Today is {today:%A, %d %B %Y}."
"""Without it, "by 1 March" is a day of any year."""

NOTHING_SAID = "Nothing was said yet."
LEFT_OUT = "<note>The beginning is left out: the thread is too long.</note>"

TRANSCRIPT_BYTES = 400_000
"""Of a transcript: its end, if it is longer. At three bytes a token it takes two thirds of a window of 200,000."""


def material(conversation: Conversation, rows: Iterable[Message], so_far: SoFar) -> tuple[str, ...]:
    """What every stage is given: the day, what earlier steps found, the transcript, and the draft so far."""
    draft = noted(conversation, so_far)
    ratings = describe_ratings(draft, so_far)
    return (
        TODAY.format(today=so_far.today),
        block("earlier_steps", _json(so_far.results)) if so_far.results else "",
        _element("transcript", transcript(conversation, rows)),
        block("draft", _json(without_chosen(draft, so_far))) if draft else "",
        *([block("chosen", ratings)] if ratings else []),
    )


def noted(conversation: Conversation, so_far: SoFar) -> Mapping[str, Any]:
    """The draft so far; without one the version that was approved last: its items keep their handles (S0-226)."""
    interview = conversation.interview
    return interview.draft if interview and interview.draft else so_far.before


def transcript(conversation: Conversation, rows: Iterable[Message]) -> str:
    """Who said what, in order. People's messages carry ids, so that evidence can name them."""
    before = [row for row in rows if conversation.turn is None or row.seq < conversation.turn.reply]
    told = ((row, _line(row, conversation.owner)) for row in as_written(before))
    lines = [(line, is_anothers(row, conversation)) for row, line in told if line]
    if conversation.summary and all(row.seq > conversation.since for row in before):
        lines.insert(0, (EARLIER.format(summary=clean(conversation.summary)), False))
    return "\n".join(_fitting(lines)) or NOTHING_SAID


def asked(*parts: str) -> list[dict[str, Any]]:
    """The messages of a fresh request: the parts that say something, in this order."""
    return [{"role": "user", "content": "\n\n".join(filter(None, parts))}]


def summarized(summary: str) -> str:
    """The summary as the serialize stage is given it."""
    return block("summary", summary)


def worked_out(text: str) -> str:
    """What the model came to in the one turn of a discussion without people."""
    return block("reply", text) if text else ""


def size(draft: Mapping[str, Any]) -> int:
    """How many characters a draft takes up."""
    return len(_json(draft))


def _fitting(lines: list[tuple[str, bool]]) -> list[str]:
    """As much of the end as the model can be given; of what others said a quarter. What is left out is said."""
    rooms = {True: TRANSCRIPT_BYTES // SHARE, False: TRANSCRIPT_BYTES}
    kept, left_out = list[str](), 0
    for line, is_others in reversed(lines):
        size = len(line.encode())
        rooms[True] -= size if is_others else 0
        if rooms[True] < 0 and is_others:
            left_out += 1
            continue
        rooms[False] -= size
        if rooms[False] < 0:
            kept.append(LEFT_OUT)
            break
        kept.append(line)
    return [*([OTHERS_LEFT_OUT.format(count=left_out)] if left_out else []), *reversed(kept)]


def _line(row: Message, owner: str) -> str:
    if not row.text.strip() or row.status is MessageStatus.DELETED:
        return ""
    match row.role:
        case Role.PERSON:
            return said_by(row, id=row.ts, role="owner" if row.author == owner else "")
        case Role.ASSISTANT:
            return mark("reply", row.text) if row.is_sendable else ""
        case Role.NOTE:
            return corrected(row, owner) if row.author else mark("note", row.text)
        case Role.CARD:  # what it asked for is answered by a message
            return ""


def _element(name: str, lines: str) -> str:
    """An element around others, which are clean."""
    return f"<{name}>\n{lines}\n</{name}>"


def _json(value: Any) -> str:
    return json.dumps(clean_data(value), ensure_ascii=False, separators=(",", ":"))
