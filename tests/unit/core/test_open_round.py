"""A turn that goes on with its round: what it has said is sent again, and whoever takes it over knows its row."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import MessageStatus, Role
from app.core.copy import permission_cards
from app.core.events.heard import MessageDeleted
from app.core.events.internal import EpochStarted
from app.core.state.status import TurnState
from app.core.state.tool_use import UseState, find_open_round
from app.core.text.marks import FORM
from app.core.turns.history import build_api_messages, build_partial_reply
from tests.unit.core.live import DAILY, Live
from tests.unit.core.lives import use
from tests.unit.core.threads import THREAD

THOUGHT = {"type": "thinking", "thinking": "", "signature": "s1"}
HIDDEN = {"type": "redacted_thinking", "data": "x"}
WISH: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "post_message", "input": {}}


def content(*blocks: dict[str, Any]) -> str:
    return json.dumps([{"role": "assistant", "content": list(blocks)}])


def asked() -> Live:
    """One whose turn waits, with its thinking."""
    live = Live().says("Post it.")
    return live.reports(use("t1", UseState.ASKED), content=content(THOUGHT, HIDDEN, WISH)).posts_cards()


def deletes(live: Live) -> Live:
    """The owner takes back what the turn answers."""
    said = next(row for row in live.transcript if row.role is Role.PERSON)
    here: dict[str, Any] = {"receipt": "d", "thread": THREAD, "ts": said.ts, "at": live.ts}
    live.apply(MessageDeleted(**here), "d")
    return live


def blocks(live: Live) -> list[dict[str, Any]]:
    return build_partial_reply(live.now, live.reply)[0]["content"]


@pytest.mark.req("AG-19")
def test_what_it_has_said_is_sent_again_as_it_was() -> None:
    assert blocks(asked().clicks("0")) == [THOUGHT, HIDDEN, WISH]


def test_without_what_it_was_made_after_its_thinking_is_not_sent_again() -> None:
    live = deletes(asked())
    assert "Post it." not in json.dumps(build_api_messages(live.clicks("0").now, live.transcript))
    assert blocks(live) == [WISH]


@pytest.mark.req("AG-19")
def test_what_began_with_an_epoch_is_sent_as_it_was_made_from_then_on() -> None:
    live = Live().talks("Hi").talks("And?").says("Post it.")
    assert live.now.turn
    live.apply(EpochStarted(since=2, summary="s"), live.now.turn.id)
    assert live.now.plain == live.now.turn.reply - 1
    live.reports(use("t1", UseState.ASKED), content=content(THOUGHT, WISH)).posts_cards()
    assert blocks(live.clicks("0")) == [THOUGHT, WISH]


def test_an_epoch_does_not_bring_back_what_a_deletion_has_broken() -> None:
    live = deletes(Live().says("Post it."))
    assert live.now.turn
    plain = live.now.plain
    live.apply(EpochStarted(since=0, summary="s"), live.now.turn.id)
    assert live.now.plain == plain >= live.now.turn.reply


def test_the_open_round_is_the_last_message_of_the_model() -> None:
    assert find_open_round("") == []
    assert find_open_round(content(THOUGHT, WISH)) == ["t1"]
    results = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}
    assert find_open_round(json.dumps([*json.loads(content(WISH)), results])) == []


# Somebody died


def torn(live: Live, **values: Any) -> Live:
    """The row was written, and then whoever wrote it died: the state knows nothing of it."""
    live.rows |= {live.reply.seq: replace(live.reply, **values)}
    return live.dies()


@pytest.mark.parametrize(("status", "text"), [(MessageStatus.HELD, "Let me."), (MessageStatus.STREAMING, "")])
def test_a_row_that_is_ahead_of_its_state_is_not_gone_on_from(status: MessageStatus, text: str) -> None:
    live = Live().says("Post").reports(use("t0", UseState.DONE), text="")
    torn(live, text=text, status=status, content=content(WISH))
    assert (live.now.run, live.now.turn) == (TurnState.IDLE, None)
    assert [row.status for row in live.transcript if row.role is Role.ASSISTANT] == [MessageStatus.INTERRUPTED]


def test_a_row_that_shows_nothing_and_tells_of_a_round_nobody_knows_is_begun_again() -> None:
    live = torn(Live().says("Post"), content=content(WISH))
    assert (live.now.run, live.reply.status) == (TurnState.STREAMING, MessageStatus.STREAMING)


def test_a_first_round_that_was_shown_and_that_nobody_knows_is_marked_as_broken_off() -> None:
    live = torn(Live().says("Post"), text="Let me.", status=MessageStatus.HELD, content=content(WISH))
    assert live.now.run is TurnState.IDLE


def test_a_turn_that_was_allowed_something_and_has_shown_more_since_keeps_its_words_and_is_not_run_again() -> None:
    live = torn(asked().clicks("3"), text="Let me.\n\nThen I", status=MessageStatus.STREAMING)
    assert (live.now.run, live.now.turn) == (TurnState.IDLE, None)
    (reply,) = [row for row in live.transcript if row.role is Role.ASSISTANT]
    assert (reply.status, reply.text) == (MessageStatus.INTERRUPTED, "Let me.\n\nThen I")


def test_a_turn_that_was_allowed_something_and_has_shown_nothing_since_goes_on() -> None:
    live = asked().clicks("3").dies()
    assert (live.now.run, blocks(live)) == (TurnState.STREAMING, [THOUGHT, HIDDEN, WISH])


@pytest.mark.parametrize("words", ["", "put it into #random instead"])
def test_who_has_it_wait_is_heard_again_after_a_crash_and_every_use_has_one_result_all_the_same(words: str) -> None:
    live = Live().says("Post").reports(use("t1", UseState.ASKED), calls=(DAILY,)).posts_cards()
    before, seq = live.now, live.reply.seq
    event = live.message(words) if words else live.click("2")
    live.apply(event, event.receipt)
    live.now = replace(before, fence=before.fence + 1)  # the rows were written, the state was not
    live.apply(event, event.receipt)
    said = json.loads(live.rows[seq].content)
    assert [message["role"] for message in said] == ["assistant", "user"]
    assert permission_cards.NOT_KEPT_FOR_MODEL in [row.text for row in live.transcript if row.role is Role.NOTE]


@pytest.mark.req("SE-08")
def test_a_round_that_was_open_while_the_form_changed_goes_on_without_its_thinking() -> None:
    live = asked().clicks("0")
    live.now = replace(live.now, form=FORM - 1)
    assert blocks(live) == [WISH]


@pytest.mark.req("SE-08", "AG-19")
def test_a_turn_begins_in_the_form_of_the_day_and_older_replies_lose_their_thinking_once() -> None:
    live = Live().talks("Hi")
    live.now = replace(live.now, form=FORM - 1)
    live.says("And?")
    assert (live.now.form, live.now.plain) == (FORM, live.reply.seq - 1)
    assert Live().talks("Hi").says("And?").now.plain == 0
