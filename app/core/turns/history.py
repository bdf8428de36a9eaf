"""The history for the model: the transcript as messages of the API, within a budget of tokens.

The history of an epoch is append-only. What was sent once is sent again unchanged, because the API binds the thinking
of a reply to everything before it. A new epoch replaces old messages by a summary.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from operator import attrgetter
from typing import Any

from app.core.conversation.call import DraftNoted
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.conversation.shared_file import SharedFile, name_files
from app.core.copy.decision_steps import RESTARTED_FOR_MODEL
from app.core.events.internal import EpochStarted
from app.core.state.interview import Phase, Stage
from app.core.text.marks import FORM, UNSEEN, clean, clean_name, mark
from app.core.turns.directive import shorten_directives
from app.core.turns.unfinished import INTERRUPTED

CHARS_PER_TOKEN = 4
"""Characters per token, as an estimate."""

TOKENS_PER_MESSAGE = 4
SNIPPETS = 3
SNIPPET_CHARS = 50
"""Length of each snippet in characters. Without a summary by the model, the owner's first three messages are quoted,
and the last.

Other people are not quoted, because a quote cannot show who speaks.
"""

SUMMARY_CHARS = 4_000
"""Characters of a summary by the model, at most; also those kept of a chain of summaries: its end."""

EARLIER = "[Earlier conversation summarized: {summary}]"
"""The preface of an epoch. Its wording is fixed."""

ACTED = "[Used tools without a word]"
"""Replaces a reply without text that only called tools, if its content is no longer sent as it was."""

LATE = "<note>This was written before your last reply and has only arrived now.</note>"

BEGINS = "<note>The step begins.</note>"
"""Precedes the opening of a step, which answers no message."""

SHARE = 4
"""Divisor of the budget.

One share bounds other people's messages, another the owner's messages that outlast a summary.
"""

LEFT_OUT = (
    "<note>Messages of other people that are left out here, since they wrote more than there is room for: {count}. "
    "The tools that look into this thread find them.</note>"
)

RESULTS_LEFT_OUT = (
    "What came of your reading before that is left out here. Read again what you need, and do not tell it from memory: "
    "{tools}"
)
"""The line that stays of results."""

LEFT_OUT_CHARS = 500
PLACES = ("channel", "thread", "conversation", "file")
"""Inputs of tools that name what was read."""

EARLIER_FILES = "Files shared earlier, of which you no longer see the content; read_file reads them again: {names}"

STANDING = "<note>From the earlier conversation, in the owner's own words:</note>"
GOES_ON = "<note>Here the conversation goes on.</note>"

THOUGHTS = frozenset({"thinking", "redacted_thinking"})
"""Blocks that the API accepts only after exactly the messages that they were made after."""

RESTARTED_FROM_INTRO = RESTARTED_FOR_MODEL.format(phase=Phase.INTRO.value)

DELETED_NOTE = "<note>A message was deleted here.</note>"


def count_tokens(rows: Iterable[Message], plain: int = 0) -> int:
    """Estimate the tokens that these messages cost, including their directives and files.

    Replies up to `plain` are sent as text only.
    """
    return sum(
        _count_chars(row, plain) // CHARS_PER_TOKEN + TOKENS_PER_MESSAGE + sum(file.tokens for file in row.brought)
        for row in rows
    )


def _count_chars(row: Message, plain: int) -> int:
    return len(row.content or row.text) + len(row.directive) if row.seq > plain else len(row.text)


def start_epoch(conversation: Conversation, rows: Sequence[Message], budget: int) -> EpochStarted | None:
    """Return the epoch that makes the history fit the budget; None while it fits.

    Messages of other people go first, down to half of their share. Next go the results of tools: that is enough if a
    quarter of the budget is free then. Otherwise messages go, too, until half of it is free. So the prefix stays
    unchanged for many turns. The newest message is always kept, however long it is.
    """
    told, quiet = _select_sent(conversation, rows), conversation.quiet
    if count_tokens(row for row in told if is_by_other(row, conversation)) > budget // SHARE:
        quiet = _find_quiet(conversation, told, budget // SHARE // 2)
    heard = [row for row in told if row.seq > quiet or not is_by_other(row, conversation)]
    standing = _list_standing(conversation, rows)
    fixed, bare = count_tokens(standing), conversation.head
    plain = _find_text_only(conversation)
    is_long = fixed + count_tokens(heard, plain) > budget
    is_long = is_long and fixed + count_tokens(shorten_directives(heard, plain), plain) > budget
    is_short_without = fixed + count_tokens(heard, bare) <= budget - budget // SHARE
    cut = _count_dropped(heard, budget // 2, bare) if is_long and not is_short_without else 0
    if cut == 0:
        is_changed = quiet > conversation.quiet or (is_long and is_short_without)
        return replace(repeat_epoch(conversation), quiet=quiet) if is_changed else None
    owners = [*standing, *(row for row in heard[:cut] if _is_instruction(row, conversation))]
    return EpochStarted(
        since=heard[cut - 1].seq,
        summary=_summarize(conversation, rows, heard[:cut]),
        standing=_choose_standing(owners, budget // SHARE),
        quiet=quiet,
    )


def repeat_epoch(conversation: Conversation) -> EpochStarted:
    """Return an epoch that sends the same messages as before, without thinking and tool results."""
    now = conversation
    return EpochStarted(since=now.since, summary=now.summary, standing=now.standing, quiet=now.quiet)


def list_bound(conversation: Conversation, rows: Iterable[Message]) -> list[Message]:
    """List the replies before the active turn that are sent again as they were made, with their thinking."""
    until = conversation.turn.reply if conversation.turn else conversation.head + 1
    sent = (row for row in rows if conversation.plain < row.seq < until and row.stage is Stage.NONE)
    return [row for row in sent if row.content]


def has_other_prelude(conversation: Conversation, rows: Iterable[Message], prelude: str) -> bool:
    """Return True if a reply was made after another prelude and would be sent again as it was made."""
    return any(row.prelude != prelude for row in list_bound(conversation, rows))


def renew_summary(conversation: Conversation, rows: Sequence[Message]) -> EpochStarted:
    """Return an epoch with the same messages and new quotes, because a message in the summary has changed.

    `rows` are the whole transcript.
    """
    return replace(repeat_epoch(conversation), summary=_summarize(conversation, rows, ()))


def list_unsummarized(conversation: Conversation, rows: Sequence[Message]) -> tuple[Message, ...]:
    """Return the rows that the summary has to tell of, each with its newest text.

    `rows` are all after `summarized`, since a correction is a row of its own and may come later.
    """
    newest = {row.ts: row.text for row in rows if row.ts and row.role in (Role.PERSON, Role.NOTE)}
    return tuple(replace(row, text=newest.get(row.ts, row.text)) for row in rows if row.seq <= conversation.since)


def _count_dropped(told: Sequence[Message], room: int, plain: int) -> int:
    """Count the oldest messages to drop, so that the others fit. The newest is never dropped."""
    cut, kept = len(told) - 1, count_tokens(told[-1:], plain)
    while cut > 0 and (kept := kept + count_tokens(told[cut - 1 : cut], plain)) <= room:
        cut -= 1
    return max(cut, 0)


def _find_quiet(conversation: Conversation, told: Sequence[Message], room: int) -> int:
    """Find the last message of other people to leave out, so that their newer ones fit."""
    others = [row for row in reversed(told) if is_by_other(row, conversation)]
    used = accumulate(count_tokens([row]) for row in others)
    return next(row.seq for row, so_far in zip(others, used, strict=True) if so_far > room)


def _choose_standing(owners: Sequence[Message], room: int) -> tuple[int, ...]:
    """Choose the owner's messages to keep: the first ones, which state the topic, then the newest."""
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
    """Return the `seq` before the first message that a request contains, or that its summary has to be made of."""
    first = min((*conversation.standing, conversation.since + 1)) - 1
    return min(first, conversation.summarized) if conversation.summary_due else first


def _summarize(conversation: Conversation, rows: Sequence[Message], dropped: Sequence[Message]) -> str:
    """Return the summary with quotes of these messages; of all that it stands for, if one of them has changed."""
    before = conversation.summary
    if conversation.summary_due and not conversation.summarized:
        until = dropped[-1].seq if dropped else conversation.since
        before, dropped = (
            "",
            [row for row in list_unsummarized(replace(conversation, since=until), rows) if _is_sent(row)],
        )
    said = [row.text for row in dropped if row.role is Role.PERSON and _is_instruction(row, conversation)]
    quotes = "; ".join(text[:SNIPPET_CHARS] for text in said[:SNIPPETS])
    last = f" … {said[-1][:SNIPPET_CHARS]}" if len(said) > SNIPPETS else ""
    own = f"{len(dropped)} earlier messages discussed: {quotes}{last}"
    return f"{before}; then {own}"[-SUMMARY_CHARS:] if before else own


def build_api_messages(
    conversation: Conversation, rows: Sequence[Message], reading: Container[str] = ()
) -> list[dict[str, Any]]:
    """Build the API's messages for the active turn. Roles alternate; the turn's own reply is left out.

    Tool results at the end of a reply precede the next messages, and a turn's directive follows them. Each stays where
    it was sent first. Of the tools in `reading`, which read, a line stands for results that are left out.
    """
    said = _list_preface(conversation, rows)
    plain = _find_text_only(conversation)
    messages: list[dict[str, Any]] = []
    results: list[Any] = []
    files = [block for row in _list_standing(conversation, rows) for block in _list_blocks(row)]
    reply = conversation.turn.reply if conversation.turn else 0
    own = [row for row in rows if row.seq == reply]
    sent = shorten_directives([*_select_sent(conversation, rows), *own], plain)
    directive = sent.pop().directive if own else ""
    within = {seq for row in sent if row.seq > plain and _is_kept(row) for seq in row.heard}
    for row in sort_as_written(row for row in sent if row.seq not in within):
        if row.role is Role.ASSISTANT:
            before = [*said, row.directive if row.seq > plain else ""]
            opens = conversation.interview is not None and not messages and not any(before)
            messages.append(_build_user_message([*results, *files], [BEGINS] if opens else before))
            files.clear()
            replied = _build_reply(row, plain)
            results = replied.pop()["content"] if replied[-1]["role"] == "user" else []
            messages += replied
            said = _list_left_out(row, reading) if row.seq <= plain else []
        elif row.status is not MessageStatus.DELETED and row.text.strip():
            line = _format_row(row, conversation.owner)
            said += [] if _is_wish(row) and line in said else [line]
            files += _list_blocks(row)
    return [*messages, _build_user_message([*results, *files], [*said, directive])]


def _list_blocks(row: Message) -> list[Mapping[str, Any]]:
    return [block for file in row.brought for block in file.blocks]


def list_wanted_files(conversation: Conversation, rows: Sequence[Message]) -> list[SharedFile]:
    """List the owner's files that the request of the active turn sends, the oldest first."""
    told = {row.seq for row in (*_select_sent(conversation, rows), *_list_standing(conversation, rows))}
    return [file for file in conversation.files if file.by_owner and file.seq in told]


def find_newly_asked(conversation: Conversation, rows: Sequence[Message]) -> int:
    """Return the `seq` of the last reply before the active turn: the turn answers what came after it."""
    return max((row.seq for row in _select_sent(conversation, rows) if row.role is Role.ASSISTANT), default=0)


def format_heard(conversation: Conversation, rows: Sequence[Message]) -> str:
    """Format messages that are read between two rounds of the active turn."""
    return "\n\n".join(_format_row(row, conversation.owner) for row in sort_as_written(rows))


def list_told(conversation: Conversation, rows: Sequence[Message]) -> tuple[str | Mapping[str, Any], ...]:
    """List what the request of the active turn tells of the step, oldest first.

    That is the directives of earlier turns, and the drafts that the calls in it came to.
    """
    plain = _find_text_only(conversation)
    sent = [row for row in _select_sent(conversation, rows) if row.role is Role.ASSISTANT and row.seq > plain]
    return tuple(each for row in sent for each in (row.directive, *_list_drafts(row)) if each)


def _list_drafts(row: Message) -> list[Mapping[str, Any]]:
    return [call.draft for call in row.calls if isinstance(call, DraftNoted)] if _is_kept(row) else []


def find_owner_name(conversation: Conversation, rows: Sequence[Message]) -> str:
    """Return the name under which the owner wrote last; empty if it is not known."""
    names = (row.author_name for row in reversed(rows) if row.author == conversation.owner and row.author_name)
    return next(names, "")


def list_arrived(conversation: Conversation, rows: Sequence[Message]) -> tuple[str, ...]:
    """Return the names of the others who wrote since the last reply before the active turn, each once.

    Who was read between two of its rounds has been heard. What a former owner pressed or chose is not written.
    """
    names, heard = list[str](), {seq for row in rows if row.stage is Stage.NONE for seq in row.heard}
    for row in rows:
        if conversation.turn is None or row.seq >= conversation.turn.reply:
            break
        if row.role is Role.ASSISTANT and _is_sent(row):
            names.clear()
        elif row.seq not in heard and _is_written_by_other(row, conversation):
            names.append(row.author_name)
    return tuple(dict.fromkeys(names))


def find_doubted(conversation: Conversation, rows: Sequence[Message]) -> tuple[str, ...]:
    """Return what people were told below the last reply before the active turn: that nobody had said it."""
    turn = conversation.turn
    before = [row for row in rows if turn and row.seq < turn.reply and row.role is Role.ASSISTANT and _is_sent(row)]
    return before[-1].unsaid if before else ()


def _is_written_by_other(row: Message, conversation: Conversation) -> bool:
    return row.role is Role.PERSON and is_by_other(row, conversation) and row.status is not MessageStatus.DELETED


def is_opening_answered(conversation: Conversation, rows: Sequence[Message]) -> bool:
    """Return True if the active turn answers the opening: the first reply, which no restart came after."""
    turn = conversation.turn
    before = [row for row in rows if turn and row.seq < turn.reply]
    spoken = [row for row in before if row.role is Role.ASSISTANT and _is_sent(row)]
    asked_anew = any(row.role is Role.NOTE and row.text == RESTARTED_FROM_INTRO for row in before)
    return len(spoken) == 1 and not asked_anew


def find_opening(conversation: Conversation, rows: Iterable[Message]) -> str:
    """Return the first reply of a step while its requests hold it; empty once they do not."""
    first = next((row for row in rows if row.role is Role.ASSISTANT and _is_sent(row)), None)
    return first.text if first and first.seq > conversation.since else ""


def _list_preface(conversation: Conversation, rows: Sequence[Message]) -> list[str]:
    """List the lines before the messages: a summary, the number left out, and the owner's messages that outlast the
    summary.
    """
    earlier = [EARLIER.format(summary=clean(conversation.summary))] if conversation.summary else []
    quiet = range(conversation.since + 1, conversation.quiet + 1)
    count = sum(row.seq in quiet and is_by_other(row, conversation) for row in rows)
    left_out = [LEFT_OUT.format(count=count)] if count else []
    gone = [
        name
        for name, file in name_files(conversation.files).items()
        if file.seq <= conversation.since and file.seq not in conversation.standing
    ]
    left_out += [mark("note", EARLIER_FILES.format(names=", ".join(gone)))] if gone else []
    lines = [_format_row(row, conversation.owner) for row in _list_standing(conversation, rows)]
    return [*earlier, *left_out, *([STANDING, *lines, GOES_ON] if lines else [])]


def sort_as_written(rows: Iterable[Message]) -> list[Message]:
    """Sort messages that wait for one reply by the time of writing.

    Slack may deliver two messages of one moment in either order, and they are numbered on arrival. A reply closes the
    group before it, so what was sent once keeps its order. What was said before the app was called stays before it.
    """
    groups = groupby(rows, lambda row: (row.role is Role.PERSON and bool(row.ts), row.preceding))
    return [row for (has_ts, _), group in groups for row in (sorted(group, key=attrgetter("ts")) if has_ts else group)]


def build_partial_reply(conversation: Conversation, row: Message) -> list[dict[str, Any]]:
    """Build the finished rounds of a resumed turn, and its last round without results.

    If a message was deleted since, thinking is left out, because the API binds it to everything before it.
    """
    said: list[dict[str, Any]] = json.loads(row.content or "[]")
    if row.seq > _find_text_only(conversation):
        return said
    return [{**message, "content": [*filter(_is_no_thought, message["content"])]} for message in said]


def _find_text_only(conversation: Conversation) -> int:
    """Return the last reply that is sent as text only: all replies, if the message format has changed.

    A turn starts in the current format. A turn that was open during an upgrade continues without its thinking.
    """
    return conversation.plain if conversation.form == FORM else conversation.head


def _is_no_thought(block: dict[str, Any]) -> bool:
    return block["type"] not in THOUGHTS


def _select_sent(conversation: Conversation, rows: Sequence[Message]) -> list[Message]:
    until = conversation.turn.reply if conversation.turn else conversation.head + 1
    told = [row for row in rows if conversation.since < row.seq < until and _is_sent(row)]
    return [row for row in told if row.seq > conversation.quiet or not is_by_other(row, conversation)]


def _list_standing(conversation: Conversation, rows: Sequence[Message]) -> list[Message]:
    kept = frozenset(conversation.standing)
    return [row for row in rows if row.seq in kept and row.status is not MessageStatus.DELETED]


def is_by_other(row: Message, conversation: Conversation) -> bool:
    """Return True if a person other than the owner wrote it, or if it was said to others before the app was called."""
    return row.preceding or (row.role in (Role.PERSON, Role.NOTE) and row.author not in ("", conversation.owner))


def _is_wish(row: Message) -> bool:
    """Return True if the app wrote it in the owner's name, such as what a run shall do: each attempt has one."""
    return row.role is Role.PERSON and not row.ts


def _is_instruction(row: Message, conversation: Conversation) -> bool:
    """Return True if the owner said it to the app."""
    return row.author == conversation.owner and not row.preceding and bool(row.text.strip())


def _is_sent(row: Message) -> bool:
    if row.role is Role.ASSISTANT:
        is_said = row.stage is Stage.NONE and row.is_sendable
        return is_said and (row.acted or bool(row.text.strip()))
    return row.role is not Role.CARD


def _build_reply(row: Message, plain: int) -> list[dict[str, Any]]:
    """Build the messages of one reply: one of the assistant, and two more for each round."""
    stopped = row.status is MessageStatus.CANCELLED or row.unfinished
    if row.seq > plain and _is_kept(row):
        return json.loads(row.content)
    text = clean(row.text)
    said = text if text.strip() else ACTED
    text = f"{text}\n\n{INTERRUPTED}" if stopped else said
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}]


def _is_kept(row: Message) -> bool:
    """Return True if a reply is sent with all of its rounds, not as text only."""
    return bool(row.content) and (row.unfinished or row.status is not MessageStatus.CANCELLED)


def _list_left_out(row: Message, reading: Container[str]) -> list[str]:
    """List the note on the results that a reply has read and that are not sent with it; empty if there are none.

    Only places are told of the inputs, because the others may quote a message that was deleted since.
    """
    uses = (block for message in json.loads(row.content or "[]") for block in message["content"])
    read = dict.fromkeys(
        " ".join((use["name"], *(str(use["input"][key]) for key in PLACES if use["input"].get(key))))
        for use in uses
        if use["type"] == "tool_use" and use["name"] in reading
    )
    return [mark("note", RESULTS_LEFT_OUT.format(tools="; ".join(read))[:LEFT_OUT_CHARS])] if read else []


def _build_user_message(results: list[Any], lines: Sequence[str]) -> dict[str, Any]:
    text = "\n\n".join(filter(None, lines)) or DELETED_NOTE
    return {"role": "user", "content": [*results, {"type": "text", "text": text}] if results else text}


def _format_row(row: Message, owner: str) -> str:
    """Format one message for the model. Only the owner's is plain; all others are marked against impersonation."""
    if row.role is Role.NOTE and not row.author:
        return mark("note", row.text)
    if row.role is Role.NOTE:
        return format_correction(row, owner)
    if row.preceding:
        said = format_speech(row, role="owner" if row.author == owner else "")
    else:
        said = (clean(row.text).strip() or UNSEEN) if row.author == owner else format_speech(row)
    return f"{LATE}\n{said}" if row.late else said


def format_correction(row: Message, owner: str) -> str:
    """Format a correction for the model. Other people's text has an element of its own, which it cannot close."""
    if row.author == owner:
        return mark("note", f'The owner corrected an earlier message. It now reads: "{row.text}"')
    name = clean_name(row.author_name or row.author)
    told = mark("note", f'Another person, "{name}", corrected an earlier message. It now reads:')
    return f"{told}\n{format_speech(row)}"


def format_speech(row: Message, **more: str) -> str:
    """Format a person's message. The Slack id identifies the author, because anyone can choose any name.

    An owner whose name is not known has none: a summary would tell the id as one.
    """
    is_named = row.author_name or more.get("role") != "owner"
    named = {"name": row.author_name or row.author} if is_named else {}
    return mark("message", row.text, **more, **named, user=row.author)
