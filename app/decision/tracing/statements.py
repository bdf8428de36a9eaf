"""What people said in a thread, as far as its messages hold numbers and dates.

A yes states what the question before it named: "By 14 March?" – "Yes". Of a message that was edited, only the last
version counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.conversation.transition import parse_ts
from app.core.text.replies import Verdict, read_lead
from app.decision.tracing.said import Statement

_ASKED: Final = re.compile(r"(?<![^.!?\n])(?<!\.(?=\w))[^.!?\n]*+(?:[.](?=\w)[^.!?\n]*+)*+\?")
"""A sentence that asks, from its beginning, so that each is read once. A dot within a number does not end it."""


def list_said(now: Conversation, rows: Iterable[Message]) -> Iterator[Statement]:
    """Yield what people wrote or pressed in this thread, with its day in the owner's time zone."""
    told = sorted(rows, key=lambda row: row.seq)
    newest = {row.ts: row.text for row in told if row.ts and _is_by_person(row)}
    day: date | None = None
    question = ""
    for row in told:
        if row.role is Role.ASSISTANT:
            question = _find_question(row.text)
        elif row.role is Role.CARD and isinstance(row.card, QuestionCard):
            question = row.card.question.prompt
        elif _is_by_person(row):
            day = parse_ts(row.ts).astimezone(ZoneInfo(now.zone or "UTC")).date() if row.ts else day
            yield Statement(newest.get(row.ts, row.text), day)
            if question and row.author == now.owner and _is_yes(row.text):
                yield Statement(question, day)


def _is_by_person(row: Message) -> bool:
    """Return True for a message or its correction."""
    is_correction = row.role is Role.NOTE and bool(row.author) and not row.data
    return (row.role is Role.PERSON or is_correction) and row.status is not MessageStatus.DELETED


def _is_yes(text: str) -> bool:
    lead = read_lead(text)
    return lead.verdict is Verdict.YES and not lead.objects


def _find_question(text: str) -> str:
    """Return the questions in the last paragraph of a reply."""
    paragraph = text.rstrip().rpartition("\n\n")[2]
    return " ".join(_ASKED.findall(paragraph))
