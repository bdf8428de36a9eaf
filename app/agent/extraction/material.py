"""Input of an extraction as text: the day, earlier steps, the transcript, the draft, and the instruction last.

The schema comes before, with the tool. People's words are cleaned and stand within marks that they cannot end. It
contains no instructions to the model from earlier: neither system prompts nor directives. Files come before it, as the
talk was sent them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.conversation.card import QuestionCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.state.question import Origin
from app.core.text.marks import clean, clean_data, clean_line, mark, write_block
from app.core.turns.history import EARLIER, SHARE, format_correction, format_speech, is_by_other, sort_as_written
from app.core.turns.history import LEFT_OUT as OTHERS_LEFT_OUT
from app.decision.drafts.draft import find_unproven
from app.decision.drafts.noting import remove_kept
from app.decision.drafts.quote_sources import Sources, list_approved_texts
from app.decision.drafts.rating_edits import describe_ratings, remove_chosen
from app.decision.playbook.found_so_far import list_findings
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.outline import holds_quotes, list_lists
from app.decision.schema.paths import find_values
from app.decision.tracing.unsaid_claims import find_kept_claims

TODAY = "Today is {today:%A, %d %B %Y}."
"""Resolves dates without a year, such as "by 1 March"."""

KEPT = "Suggestions in the draft that nobody said: {places}. They may stay as they are; tell them nowhere as said."

UNQUOTED = "No words are quoted for {handles} of the draft: keep only what was said of them."

NOTHING_SAID = "Nothing was said yet."
LEFT_OUT = "<note>The beginning is left out: the thread is too long.</note>"

WRITTEN_SINCE = "This was written meanwhile. It counts as the transcript does:"

TRANSCRIPT_BYTES = 400_000
"""Bytes of a transcript, whose end is kept. At three bytes a token they fill two thirds of a window of 200,000."""


def build_material(
    conversation: Conversation,
    rows: Iterable[Message],
    component: Component,
    so_far: DecisionRecord,
    heard: Iterable[Message] = (),
) -> tuple[str, ...]:
    """Return the input of every stage: the day, results of earlier steps, the transcript, and the draft so far.

    The transcript ends with what was `heard` since the extraction began. The draft comes as it may be
    submitted: without its quotes and other values that the server keeps.
    """
    draft, rows, heard = find_current_draft(conversation, so_far), tuple(rows), tuple(heard)
    ratings, lead = describe_ratings(draft, so_far), conversation.interview
    said = Sources.of_step((*rows, *heard), so_far).said
    kept = find_kept_claims(draft, lead, so_far, said) if lead else ()
    return (
        TODAY.format(today=so_far.today),
        render_earlier(component, so_far, draft),
        _render_element("transcript", render_transcript(conversation, rows, heard=heard)),
        _render_draft(component, draft, so_far, said, kept) if draft else "",
        *([write_block("chosen", ratings)] if ratings else []),
    )


def _render_draft(
    component: Component,
    draft: Mapping[str, Any],
    so_far: DecisionRecord,
    said: Collection[str],
    kept: Collection[str],
) -> str:
    """Return the draft, with its `kept` suggestions and its items that claim to be said without a quote named."""
    block = write_block("draft", _dump_json(remove_kept(component, remove_chosen(draft, so_far))))
    held = (path for path in list_lists(component) if holds_quotes(component, path))
    items = {each["handle"] for path in held for each in find_values(draft, f"{path}[]") if "handle" in each}
    approved = list_approved_texts(component, so_far)
    found = [each for each in find_unproven(dict(draft), said, approved) if each in items]
    unquoted = [UNQUOTED.format(handles=", ".join(found))] if found else []
    suggested = [KEPT.format(places=", ".join(kept))] if kept else []
    return "\n".join((block, *unquoted, *suggested))


def render_earlier(component: Component, so_far: DecisionRecord, noted: Mapping[str, Any]) -> str:
    """Return what earlier steps have found, as the talk was told it; empty if there is nothing."""
    lines = [line for each in list_findings(component, so_far, noted) for line in (each.heading, *each.lines) if line]
    return write_block("earlier_steps", "\n".join(map(clean_line, lines))) if lines else ""


def find_current_draft(conversation: Conversation, so_far: DecisionRecord) -> Mapping[str, Any]:
    """Return the draft so far; without one the last approved version, so that its items keep their handles."""
    interview = conversation.interview
    return interview.draft if interview and interview.draft else so_far.before


def render_transcript(
    conversation: Conversation, rows: Iterable[Message], most: int = TRANSCRIPT_BYTES, heard: Iterable[Message] = ()
) -> str:
    """Return the transcript in order, its end if it has more than `most` bytes.

    It goes up to the active turn, and `heard` follows.

    People's messages carry ids, so that evidence can name them. What people chose in a window has the name that they
    wrote under.
    """
    before = [row for row in rows if conversation.turn is None or row.seq < conversation.turn.reply]
    written = _name_authors((*_cut_replies(sort_as_written(before)), *sort_as_written(heard)), before)
    told = ((row, _render_line(row, conversation.owner)) for row in written)
    lines = [(line, is_by_other(row, conversation)) for row, line in told if line]
    if conversation.summary and all(row.seq > conversation.since for row in before):
        lines.insert(0, (EARLIER.format(summary=clean(conversation.summary)), False))
    return "\n".join(_fit_lines(lines, most)) or NOTHING_SAID


def _cut_replies(rows: Sequence[Message]) -> Iterator[Message]:
    """Yield the rows with each message where it was read: after the words of a reply that stood there before it."""
    by_seq, placed = {row.seq: row for row in rows}, set[int]()
    for row in rows:
        if row.seq in placed:
            continue
        begin = 0
        for seq, at in zip(row.heard, row.heard_at, strict=False):  # an extraction notes no places
            if read := by_seq.get(seq):
                if row.text[begin:at].strip():
                    yield replace(row, text=row.text[begin:at].strip())
                    begin = at
                yield read
                placed.add(seq)
        yield replace(row, text=row.text[begin:].strip()) if begin else row


def render_heard(conversation: Conversation, rows: Iterable[Message], heard: Iterable[Message]) -> str:
    """Return what was `heard` between two rounds, after the transcript of these rows."""
    written = _name_authors(sort_as_written(heard), rows)
    lines = (line for row in written if (line := _render_line(row, conversation.owner)))
    return "\n".join((WRITTEN_SINCE, _render_element("transcript", "\n".join(lines))))


def _name_authors(written: Iterable[Message], before: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages with the names that their authors had before, where they have none."""
    names = {row.author: row.author_name for row in before if row.author_name}
    yield from (replace(row, author_name=row.author_name or names.get(row.author, "")) for row in written)


def build_messages(*parts: str, files: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return the messages of a fresh request: the blocks of files, then the parts that are not empty, in this order."""
    text = "\n\n".join(filter(None, parts))
    return [{"role": "user", "content": [*files, {"type": "text", "text": text}] if files else text}]


def list_file_blocks(rows: Iterable[Message]) -> tuple[Mapping[str, Any], ...]:
    """Return the blocks of the files that came with these messages, in order."""
    return tuple(block for row in rows for file in row.brought for block in file.blocks)


def render_reasoning(text: str) -> str:
    """Return the model's findings from the one turn of a discussion without people."""
    return write_block("reply", text) if text else ""


def measure_draft(draft: Mapping[str, Any]) -> int:
    """Return the length of a draft in characters."""
    return len(_dump_json(draft))


def _fit_lines(lines: list[tuple[str, bool]], most: int) -> list[str]:
    """Return the end of the lines that fits, with a quarter at most for others' messages, and say what is left out."""
    rooms = {True: most // SHARE, False: most}
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
    if row.role is Role.CARD:
        return _render_question(row)
    if not row.text.strip() or row.status is MessageStatus.DELETED:
        return ""
    match row.role:
        case Role.PERSON:
            return format_speech(row, id=row.ts, role="owner" if row.author == owner else "")
        case Role.ASSISTANT:
            return mark("reply", row.text) if row.is_sendable else ""
        case Role.NOTE:
            return format_correction(row, owner) if row.author else mark("note", row.text)


def _render_question(row: Message) -> str:
    """Return the question that a card asks for the discussion, with its options. Its answer is a message."""
    asked = row.card.question if isinstance(row.card, QuestionCard) else None
    if asked is None or asked.origin is not Origin.MODEL:
        return ""
    return mark("reply", " ".join((asked.prompt, *([f"[{' | '.join(asked.options)}]"] if asked.options else []))))


def _render_element(name: str, lines: str) -> str:
    return f"<{name}>\n{lines}\n</{name}>"


def _dump_json(value: Any) -> str:
    return json.dumps(clean_data(value), ensure_ascii=False, separators=(",", ":"))
