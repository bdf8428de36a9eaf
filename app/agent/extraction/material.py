"""What an extraction is made from, as text: the day, earlier steps, transcript, draft, and last what is asked for.

The order is S0-229's; the schema comes before, with the tool. Whatever people wrote is cleaned, and stands within marks
that it cannot end. Nothing that we told the model goes in: neither system prompts nor directives.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.text.marks import clean, clean_data, mark, write_block
from app.core.turns.history import EARLIER, SHARE, format_correction, format_speech, is_by_other, sort_as_written
from app.core.turns.history import LEFT_OUT as OTHERS_LEFT_OUT
from app.decision.drafts.rating_edits import describe_ratings, remove_chosen
from app.decision.record import SoFar

TODAY = "Today is {today:%A, %d %B %Y}."
"""Without it, "by 1 March" is a day of any year."""

NOTHING_SAID = "Nothing was said yet."
LEFT_OUT = "<note>The beginning is left out: the thread is too long.</note>"

TRANSCRIPT_BYTES = 400_000
"""Of a transcript: its end, if it is longer. At three bytes a token it takes two thirds of a window of 200,000."""


def build_material(conversation: Conversation, rows: Iterable[Message], so_far: SoFar) -> tuple[str, ...]:
    """What every stage is given: the day, what earlier steps found, the transcript, and the draft so far."""
    draft = find_current_draft(conversation, so_far)
    ratings = describe_ratings(draft, so_far)
    return (
        TODAY.format(today=so_far.today),
        write_block("earlier_steps", _dump_json(so_far.results)) if so_far.results else "",
        _render_element("transcript", render_transcript(conversation, rows)),
        write_block("draft", _dump_json(remove_chosen(draft, so_far))) if draft else "",
        *([write_block("chosen", ratings)] if ratings else []),
    )


def find_current_draft(conversation: Conversation, so_far: SoFar) -> Mapping[str, Any]:
    """The draft so far; without one the version that was approved last: its items keep their handles (S0-226)."""
    interview = conversation.interview
    return interview.draft if interview and interview.draft else so_far.before


def render_transcript(conversation: Conversation, rows: Iterable[Message]) -> str:
    """Who said what, in order. People's messages carry ids, so that evidence can name them."""
    before = [row for row in rows if conversation.turn is None or row.seq < conversation.turn.reply]
    told = ((row, _render_line(row, conversation.owner)) for row in sort_as_written(before))
    lines = [(line, is_by_other(row, conversation)) for row, line in told if line]
    if conversation.summary and all(row.seq > conversation.since for row in before):
        lines.insert(0, (EARLIER.format(summary=clean(conversation.summary)), False))
    return "\n".join(_fit_lines(lines)) or NOTHING_SAID


def build_messages(*parts: str) -> list[dict[str, Any]]:
    """The messages of a fresh request: the parts that say something, in this order."""
    return [{"role": "user", "content": "\n\n".join(filter(None, parts))}]


def render_summary(summary: str) -> str:
    """The summary as the serialize stage is given it."""
    return write_block("summary", summary)


def render_reasoning(text: str) -> str:
    """What the model came to in the one turn of a discussion without people."""
    return write_block("reply", text) if text else ""


def measure_draft(draft: Mapping[str, Any]) -> int:
    """How many characters a draft takes up."""
    return len(_dump_json(draft))


def _fit_lines(lines: list[tuple[str, bool]]) -> list[str]:
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


def _render_line(row: Message, owner: str) -> str:
    if not row.text.strip() or row.status is MessageStatus.DELETED:
        return ""
    match row.role:
        case Role.PERSON:
            return format_speech(row, id=row.ts, role="owner" if row.author == owner else "")
        case Role.ASSISTANT:
            return mark("reply", row.text) if row.is_sendable else ""
        case Role.NOTE:
            return format_correction(row, owner) if row.author else mark("note", row.text)
        case Role.CARD:  # what it asked for is answered by a message
            return ""


def _render_element(name: str, lines: str) -> str:
    """An element around others, which are clean."""
    return f"<{name}>\n{lines}\n</{name}>"


def _dump_json(value: Any) -> str:
    return json.dumps(clean_data(value), ensure_ascii=False, separators=(",", ":"))
