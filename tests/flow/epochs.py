"""Whether requests go on from each other: in every flow, each begins byte for byte with the one before it.

Requests belong together by conversation, which the log tells of each. The stages of an extraction and a summary begin
by themselves. Any other request that does not go on from the one before begins an epoch: for a reason that it shows,
without what was made in the epoch before, with the whole state, and never while a round is open.

A message that somebody takes back leaves the requests at once, so it is the one thing that breaks an epoch even while a
round is open: calls and results of that round stay, thinking does not.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from app.agent.attachments import NOT_READ
from app.agent.claude.web_answer import SYSTEM as WEB
from app.agent.subtask import SYSTEM as SUBTASK
from app.agent.thread_summary import SYSTEM as SUMMARY
from app.core.copy import permission_cards
from app.core.turns import history, state_changes
from app.playground.claude import Exchange

if TYPE_CHECKING:
    from tests.flow.chat import Chat

THINKING = frozenset({"thinking", "redacted_thinking"})
MADE = THINKING | {"tool_use", "tool_result"}
"""Blocks that an epoch begins without, since the API binds them to what was sent before them."""

PRELUDE = ("model", "system", "tools")
LEFT_OUT = tuple(told.split("{")[0] for told in (history.EARLIER, history.LEFT_OUT, history.RESULTS_LEFT_OUT))
"""How a request says that something is no longer in it."""

UNREAD = NOT_READ.split("{")[0]
UNKNOWN = permission_cards.UNKNOWN_FOR_MODEL.rpartition("}")[2]
"""How a request says that a database was put back while something was being done."""

EXTRACTING = "You write up one step of a decision"
IN_WHOLE_STATES = ("Conversation Phase: ", "Turn Count: ", "Completed Goals: ")
TAKEN_BACK = ("message_deleted", "tombstone", "file_deleted")
"""A message that has answers leaves a tombstone."""


def find_broken(chat: Chat) -> list[str]:
    """Find the requests of a flow that neither go on from the one before nor begin an epoch as they may."""
    return list(_find_broken(chat))


def find_fault(before: Exchange | None, after: Exchange, *, taken_back: bool = False) -> str:
    """Return what is wrong with a request after the former one that was answered; empty if nothing is."""
    made = {block["type"] for message in after.prompt.messages for block in message.blocks} & MADE
    if before is not None and goes_on(before, after):
        return "tells its whole state again" if _repeats_state(after) else ""
    is_round_open = bool(after.prompt.messages[-1].of("tool_result"))
    if state_changes.CHANGES in after.prompt.messages[-1].text and not is_round_open and not _holds_state(after):
        return "begins an epoch with changes of a state that it does not hold"
    if taken_back:
        return "goes on with thinking after something was taken back" if made & THINKING else ""
    if is_round_open:
        return "begins an epoch while a round is open"
    if made:
        return f"begins an epoch with {', '.join(sorted(made))} of the one before"
    return "" if before is None or _has_reason(before, after) else "begins an epoch for no reason that it shows"


def _holds_state(request: Exchange) -> bool:
    """Return True if an earlier turn of the request tells a state as a whole, which changes can follow."""
    told = [message.text for message in request.prompt.messages[:-1] if message.role == "user"]
    return any(IN_WHOLE_STATES[0] in text and state_changes.CHANGES not in text for text in told)


def _repeats_state(request: Exchange) -> bool:
    """Return True if the newest state of a free thread is told whole although the request holds an earlier one."""
    *earlier, newest = [message.text for message in request.prompt.messages if "<state>" in message.text] or [""]
    is_free = all(line in newest for line in IN_WHOLE_STATES)
    return bool(earlier) and is_free and state_changes.CHANGES not in newest


def goes_on(before: Exchange, after: Exchange) -> bool:
    """Return True if a request begins with the former one, byte for byte.

    Its last message may go on: an answer that had paused behind its own words, and results that were answered without a
    word with what came next.
    """
    *earlier, last = before.body["messages"]
    *repeated, newest = after.body["messages"][: len(earlier) + 1]
    is_last = len(after.body["messages"]) == len(earlier) + 1
    if isinstance(last["content"], list) and (last["role"] == "assistant" or is_last):
        newest = {**newest, "content": newest["content"][: len(last["content"])]}
    begun = [_write(before, *PRELUDE), json.dumps([*earlier, last])]
    return begun == [_write(after, *PRELUDE), json.dumps([*repeated, newest])]


def find_places(log: str) -> Mapping[str, str]:
    """Return the conversation of each request that the log tells of."""
    told = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    named = [line for line in told if "conversation" in line]
    return {line[key]: line["conversation"] for key in ("request", "reference") for line in named if line.get(key)}


def _find_broken(chat: Chat) -> Iterator[str]:
    places, gone = find_places(chat.heard.getvalue()), _find_taken_back(chat)
    former = defaultdict[str, list[Exchange]](list)
    for request in chat.claude.requests:
        place = places.get(request.id)
        if place is None or request.outcome == "refused" or _is_alone(request):
            continue
        is_extraction, is_first = _is_extraction(request), len(request.prompt.messages) == 1
        place = f"{place} (extraction)" if is_extraction else place
        answered = [None] if is_extraction and is_first else former[place][-1:] or [None]
        if answered[-1] and answered[-1].outcome == "aborted":  # what broke off is kept, or asked for again as a whole
            answered += former[place][-2:-1] or [None]
        if chat.is_put_back:
            answered += former[place][:-1]
        is_back = any(at < request.at for at in gone)
        faults = [find_fault(before, request, taken_back=is_back) for before in answered]
        if all(faults):
            yield f"{faults[0]}:\n{_tell(answered[0])}\n{_tell(request)}"
        # What was not answered is asked again in other words: with the time of day, and with what was said since.
        if request.outcome == "answered" or (request.outcome == "aborted" and request.sent):
            former[place].append(request)


def _has_reason(before: Exchange, after: Exchange) -> bool:
    is_other = _write(before, *PRELUDE) != _write(after, *PRELUDE)
    has_other_key = before.headers.get("x-api-key") != after.headers.get("x-api-key")
    return (
        is_other
        or has_other_key
        or _drops_more(before, after)
        or _text_of(before).count(UNREAD) > _text_of(after).count(UNREAD)  # a file that is there now
        or _text_of(after).count(UNKNOWN) > _text_of(before).count(UNKNOWN)
        or any(_text_of(after).count(each) > _text_of(before).count(each) for each in LEFT_OUT)
    )


def _drops_more(before: Exchange, after: Exchange) -> bool:
    """Return True if a request tells of messages that were left out, and has no more than the former one."""
    is_shorter = len(after.prompt.messages) <= len(before.prompt.messages)
    return is_shorter and any(each in after.prompt.messages[0].text for each in LEFT_OUT)


def _is_alone(request: Exchange) -> bool:
    """Return True for a request that is no part of a talk: for a summary, a sub-task or a search."""
    return any(block["text"] in (SUMMARY, SUBTASK, WEB) for block in request.prompt.system)


def _is_extraction(request: Exchange) -> bool:
    return any(EXTRACTING in block["text"] for block in request.prompt.system)


def _find_taken_back(chat: Chat) -> list[float]:
    """When Slack told of something deleted."""
    return [each["at"] for each in chat.slack.journal.of("delivery") if any(f"'{k}'" in str(each) for k in TAKEN_BACK)]


def _write(request: Exchange, *keys: str) -> str:
    return json.dumps([request.body.get(key) for key in keys])


def _text_of(request: Exchange) -> str:
    return "\n".join(message.text for message in request.prompt.messages)


def _tell(request: Exchange | None) -> str:
    said: list[Any] = request.body["messages"] if request else []
    return "\n".join(
        ["-" * 20, *chain.from_iterable((f"{each['role']}: {json.dumps(each['content'])}",) for each in said)]
    )
