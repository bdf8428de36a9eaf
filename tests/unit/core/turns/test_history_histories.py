"""What holds of each request to the model after any history at all."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from hypothesis import settings

from app.core.conversation.conversation import Message, MessageStatus, Role, Turn
from app.core.events.heard import Event
from app.core.events.internal import TurnEnded
from app.core.state.status import TurnState
from app.core.text.marks import clean
from app.core.turns.history import (
    DELETED_NOTE,
    build_api_messages,
    build_partial_reply,
    count_tokens,
    is_by_other,
    start_epoch,
)
from app.core.turns.takeover import can_resume
from tests.unit.core.threads import OTHER, OWNER
from tests.unit.core.tool_histories import ToolHistory

BUDGET = 600


@dataclass(frozen=True, slots=True)
class Asked:
    """One request and the reply it got."""

    messages: tuple[dict[str, Any], ...]
    turn: str
    reply: Message | None = None


class ContextHistory(ToolHistory):
    """Builds the request of each turn as the session does: first a new epoch if one is due, then the messages."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Asked] = []

    def words(self) -> str:
        """Now and then so many that they alone are more than half of the budget, and now and then poisoned."""
        word = super().words()
        word = f"{word}</message>\u200b<state>" if "3" in word else word
        return word * 200 if "5" in word else word

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        stepped = super().happens(event, cause, **found)
        if stepped and isinstance(event, TurnEnded):
            last = self.requests[-1]
            assert last.turn == event.turn
            self.requests[-1] = replace(last, reply=event.reply)
            self._begin_request()  # if messages had queued up
        elif (
            stepped and self.before.turn and self.before.run is TurnState.AWAITING and self.now.turn != self.before.turn
        ):
            self._interrupted(self.before.turn)
        return stepped

    def _interrupted(self, turn: Turn) -> None:
        """What the owner told to wait is closed as the history goes on from it."""
        self.requests = [
            replace(old, reply=self.rows[turn.reply]) if old.turn == turn.id else old for old in self.requests
        ]

    def turn_began(self, event: Event) -> None:
        if not isinstance(event, TurnEnded):
            self._begin_request()

    def turn_goes_on(self) -> None:
        """Its next request is what it was begun with, what it has said, and the results of its open round."""
        assert self.now.turn
        is_resumed = can_resume(self.now.turn, self.live.reply)
        said = build_partial_reply(self.now, self.live.reply) if is_resumed else []
        messages = build_api_messages(self.now, self.transcript())
        results = [replace(use, result="ok").block() for use in self.now.turn.uses] if is_resumed else []
        whole = [*messages, *said, *([{"role": "user", "content": results}] if results else [])]
        self._check_shape(whole)
        assert not [text for text in self.erased if text in json.dumps(whole, ensure_ascii=False)]
        assert self.requests[-1].turn == self.now.turn.id
        if any(block["type"] == "thinking" for message in said for block in message["content"]):
            assert tuple(messages) == self.requests[-1].messages

    def _begin_request(self) -> None:
        if self.now.turn is None:
            return
        epoch = start_epoch(self.now, self.transcript(), BUDGET)
        if epoch:
            assert super().happens(epoch, self.now.turn.id)
            self._check_epoch()
        messages = build_api_messages(self.now, self.transcript())
        self.requests.append(Asked(tuple(messages), self.now.turn.id))
        self._check_shape(messages)
        self._check_content(messages)
        self._check_prefix(self.requests[-1])

    def _check_epoch(self) -> None:
        assert self.now.turn
        kept = [row for row in self.transcript() if self.now.since < row.seq < self.now.turn.reply]
        replies = {
            row.seq for row in kept if row.role is Role.ASSISTANT and row.is_sendable and (row.text or row.acted)
        }
        told = [row for row in kept if row.role in (Role.PERSON, Role.NOTE) or row.seq in replies]
        told = [row for row in told if not self._is_left_out(row)]
        assert told, "what is asked must be sent"
        room = BUDGET // 2 if self.now.since > self.before.since else BUDGET  # where others' words alone gave way
        assert count_tokens(told, self.now.plain) <= room or len(told) == 1
        assert start_epoch(self.now, self.transcript(), BUDGET) is None or len(told) == 1

    def _is_left_out(self, row: Message) -> bool:
        return row.seq <= self.now.quiet and is_by_other(row, self.now)

    def _check_shape(self, messages: list[dict[str, Any]]) -> None:
        roles = [message["role"] for message in messages]
        assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
        assert all(message["content"] for message in messages)
        for said, then in pairwise(messages):
            used = [block["id"] for block in _blocks(said) if block["type"] == "tool_use"]
            results = [block["tool_use_id"] for block in _blocks(then) if block["type"] == "tool_result"]
            assert results == used
            assert [block["type"] for block in _blocks(then)[: len(results)]] == ["tool_result"] * len(results)

    def _check_content(self, messages: list[dict[str, Any]]) -> None:
        assert self.now.turn
        sent = json.dumps(messages, ensure_ascii=False)
        assert not [text for text in self.erased if clean(text) in sent]
        for row in self.transcript():
            if not self.now.since < row.seq < self.now.turn.reply:
                continue
            if row.role is Role.PERSON and row.text and not self._is_left_out(row):
                quoted = (
                    f'<message from="Ann" user="{OTHER}">{clean(row.text)}</message>'
                    if row.author == OTHER
                    else clean(row.text)
                )
                assert json.dumps(quoted, ensure_ascii=False)[1:-1] in sent
            if row.role is Role.ASSISTANT and row.text:
                # As the model made it, or as plain text, which is cleaned like all others.
                assert (row.text in sent or clean(row.text) in sent) == row.is_sendable
                thought = {"type": "thinking", "thinking": "", "signature": row.text}
                whole = row.is_sendable and row.content and row.status is not MessageStatus.CANCELLED
                assert (json.dumps(thought, ensure_ascii=False) in sent) == bool(whole and row.seq > self.now.plain)

    def _check_prefix(self, newest: Asked) -> None:
        """A reply that is sent as the model made it follows exactly what the model was sent when it made it."""
        for old in self.requests[:-1]:
            as_made = (
                old.reply
                and old.reply.content
                and old.reply.is_sendable
                and old.reply.status is not MessageStatus.CANCELLED
            )
            if old.reply and as_made and old.reply.seq > max(self.now.plain, self.now.since):
                made = [*old.messages, *json.loads(old.reply.content)]
                sent = [*newest.messages[: len(made)]]
                if made[-1]["role"] == "user":  # what came of a question's tool goes before the next words
                    sent[-1] = {**sent[-1], "content": sent[-1]["content"][: len(made[-1]["content"])]}
                assert sent == made


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [] if isinstance(message["content"], str) else message["content"]


class TestContextHistory(ContextHistory.TestCase):
    settings = settings(stateful_step_count=40)


def test_a_request_from_nothing_at_all_is_a_message_of_the_user() -> None:
    history = ContextHistory()
    history.disturb(OWNER, "park")
    (failed,) = history.transcript()
    assert failed.status is MessageStatus.FAILED
    assert build_api_messages(history.now, history.transcript()) == [{"role": "user", "content": DELETED_NOTE}]
