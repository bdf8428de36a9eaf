"""What an extraction is made from, as text: the day, earlier steps, transcript, draft, and last what is asked for.

The order is S0-229's; the schema comes before, with the tool. Whatever people wrote stands within marks that it cannot
end. Nothing that we told the model goes in: neither system prompts nor directives.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.context import EARLIER, as_written
from app.core.model import Conversation, Message, MessageStatus, Role
from app.decision.chosen import told, without_chosen
from app.decision.so_far import SoFar

TODAY = "Today is {today:%A, %d %B %Y}."
"""Without it, "by 1 March" is a day of any year."""

NOTHING_SAID = "Nothing was said yet."
LEFT_OUT = "<note>The beginning is left out: the thread is too long.</note>"

TRANSCRIPT_BYTES = 400_000
"""Of a transcript: its end, if it is longer. At three bytes a token it takes two thirds of a window of 200,000."""


def material(conversation: Conversation, rows: Iterable[Message], so_far: SoFar) -> tuple[str, ...]:
    """What every stage is given: the day, what earlier steps found, the transcript, and the draft so far."""
    draft = noted(conversation, so_far)
    ratings = told(draft, so_far)
    return (
        TODAY.format(today=so_far.today),
        _marked("earlier_steps", _json(so_far.results)) if so_far.results else "",
        _marked("transcript", transcript(conversation, rows)),
        _marked("draft", _json(without_chosen(draft, so_far))) if draft else "",
        *([_marked("chosen", _contained(ratings))] if ratings else []),
    )


def noted(conversation: Conversation, so_far: SoFar) -> Mapping[str, Any]:
    """The draft so far; without one the version that was approved last: its items keep their handles (S0-226)."""
    interview = conversation.interview
    return interview.draft if interview and interview.draft else so_far.before


def transcript(conversation: Conversation, rows: Iterable[Message]) -> str:
    """Who said what, in order. People's messages carry ids, so that evidence can name them."""
    before = [row for row in rows if conversation.turn is None or row.seq < conversation.turn.reply]
    lines = [line for row in as_written(before) if (line := _line(row))]
    if conversation.summary and all(row.seq > conversation.since for row in before):
        lines.insert(0, EARLIER.format(summary=_contained(conversation.summary)))
    return "\n".join(_fitting(lines)) or NOTHING_SAID


def asked(*parts: str) -> list[dict[str, Any]]:
    """The messages of a fresh request: the parts that say something, in this order."""
    return [{"role": "user", "content": "\n\n".join(filter(None, parts))}]


def summarized(summary: str) -> str:
    """The summary as the serialize stage is given it."""
    return _marked("summary", _contained(summary))


def worked_out(text: str) -> str:
    """What the model came to in the one turn of a discussion without people."""
    return _marked("reply", _contained(text)) if text else ""


def size(draft: Mapping[str, Any]) -> int:
    """How many characters a draft takes up."""
    return len(_json(draft))


def _fitting(lines: list[str]) -> list[str]:
    """As much of the end as the model can be given; what is left out is said."""
    room = TRANSCRIPT_BYTES
    for place in reversed(range(len(lines))):
        room -= len(lines[place].encode())
        if room < 0:
            return [LEFT_OUT, *lines[place + 1 :]]
    return lines


def _line(row: Message) -> str:
    if not row.text.strip() or row.status is MessageStatus.DELETED:
        return ""
    text, who = _contained(row.text), _attribute(row.author_name or row.author)
    match row.role:
        case Role.PERSON:
            return f'<message id="{_attribute(row.ts)}" from="{who}">{text}</message>'
        case Role.ASSISTANT:
            return f"<reply>{text}</reply>" if row.is_sendable else ""
        case Role.NOTE if row.author:
            return f'<note>"{who}" corrected an earlier message. It now reads: "{text}"</note>'
        case Role.NOTE:
            return f"<note>{text}</note>"
        case Role.CARD:  # what it asked for is answered by a message
            return ""


def _marked(name: str, text: str) -> str:
    return f"<{name}>\n{text}\n</{name}>"


def _contained(text: str) -> str:
    return text.replace("</", "< /")


def _attribute(name: str) -> str:
    return "".join(char for char in name if char.isprintable() and char not in '<>"&')


def _json(value: Any) -> str:
    """Compact, and without anything that ends a mark: JSON may escape its slashes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
