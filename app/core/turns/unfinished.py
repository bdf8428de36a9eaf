"""A reply that broke off: its finished rounds stay, with calls, results and words, and a later reply goes on there.

A round is finished once all of its results are there. Of the round under way, only what people have seen is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from app.core.conversation.conversation import Message, MessageStatus, Role, Turn
from app.core.state.interview import Stage
from app.core.state.tool_use import (
    UNKNOWN_OUTCOME,
    Use,
    UseState,
    find_open_round,
    interrupt_use,
    list_accomplished,
    list_outputs,
)
from app.core.text.marks import clean

INTERRUPTED: Final = "[Conversation interrupted]"
"""The end of a reply that broke off. Its wording is fixed."""


def keep_finished(reply: Message, uses: Sequence[Use], rest: str) -> Message:
    """Return a reply that broke off, with what was finished.

    Its `content` holds its messages so far, the last ones perhaps with open uses: `uses` are those. `rest` is what
    people have read of the request under way.
    """
    said: list[dict[str, Any]] = json.loads(reply.content or "[]")
    if find_open_round(reply.content):
        said.append({"role": "user", "content": [_break_off(use).block() for use in uses]})
    stopped = reply.status is MessageStatus.CANCELLED
    if not said:  # without a round, its words are sent as text
        return replace(reply, content="", calls=(), standing=0, unfinished=not stopped and bool(rest.strip()))
    if stopped or rest.strip():
        said = _add_words(said, "\n\n".join(filter(None, (clean(rest).strip(), INTERRUPTED))))
    return replace(reply, content=_dump(said), calls=reply.calls[: reply.finished_calls], unfinished=True, standing=0)


def is_taken_back(rows: Iterable[Message], reply: Message, owner: str) -> bool:
    """Return True if the owner has deleted all that this reply was to answer. `rows` are the whole transcript."""
    before = [row for row in rows if row.seq < reply.seq]
    answered = max((row.seq for row in before if row.role is Role.ASSISTANT and row.is_sendable), default=0)
    said = (row for row in before if row.seq > answered and row.role is Role.PERSON and not row.preceding)
    asked = [row for row in said if row.author == owner]
    is_answer = bool(asked) and reply.stage is Stage.NONE
    return is_answer and all(row.status is MessageStatus.DELETED for row in asked)


def align(turn: Turn, reply: Message) -> tuple[Turn, Message] | None:
    """Return the turn and its reply at the end of the last finished round; None if no round is kept.

    The reply is stored before the state, so after a crash it may know a round more: nothing of that one was begun
    outside unless the state knows it too.
    """
    said: list[dict[str, Any]] = json.loads(reply.content or "[]")
    is_open = bool(find_open_round(reply.content))
    kept, rounds = said[:-1] if is_open else said, reply.rounds - is_open
    if not kept or rounds < turn.rounds:
        return None
    back = replace(reply, content=_dump(kept), rounds=rounds)
    if is_open:
        back = replace(back, calls=reply.calls[: reply.finished_calls], standing=reply.finished_text)
    return end_round(replace(turn, uses=(), rounds=rounds), turn.uses), back


def end_round(turn: Turn, uses: Iterable[Use]) -> Turn:
    """Return the turn with what the uses of a former round have done outside."""
    known = tuple(uses)
    return replace(
        turn,
        done=(*turn.done, *list_accomplished(known)),
        made=(*turn.made, *list_outputs(known)),
        unsure=(*turn.unsure, *(use for use in known if use.is_unsure)),
    )


def _break_off(use: Use) -> Use:
    """Return an open use with its result. A call to the conversation itself does not count: its round is not over."""
    if use.state is UseState.STARTED:
        return replace(use, state=UseState.DONE, result=UNKNOWN_OUTCOME, failed=True)
    is_outside = bool(use.since or use.title)
    return use if use.state is UseState.DONE and is_outside else interrupt_use(replace(use, state=UseState.OPEN))


def _add_words(said: list[dict[str, Any]], words: str) -> list[dict[str, Any]]:
    block = {"type": "text", "text": words}
    if said and said[-1]["role"] == "assistant":  # a reply that paused, and goes on in the same message
        return [*said[:-1], {**said[-1], "content": [*said[-1]["content"], block]}]
    return [*said, {"role": "assistant", "content": [block]}]


def _dump(said: Sequence[dict[str, Any]]) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
