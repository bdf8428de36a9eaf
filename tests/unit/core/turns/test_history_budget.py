"""What a request costs: all that is sent is counted, also what the model is told beside the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.conversation import Conversation, Message, Turn
from app.core.events.internal import EpochStarted
from app.core.state.status import TurnState
from app.core.turns.history import (
    GOES_ON,
    LEFT_OUT,
    SHARE,
    STANDING,
    build_api_messages,
    count_tokens,
    find_first_sent,
    start_epoch,
)
from tests.unit.core.threads import OTHER, OWNER, conversation, note, reply, said

BUDGET = 1_000
TOLD = "Your question is still open: " + "word " * 300


def talk(turns: int) -> list[Message]:
    """Short words, and each reply was told of a long question that is still open."""
    pairs = ((said(seq, "And then?"), reply(seq + 1, "Go on.", directive=TOLD)) for seq in range(1, 2 * turns, 2))
    return [row for pair in pairs for row in pair]


def test_the_estimate_is_not_far_below_what_is_sent() -> None:
    rows = talk(4)
    sent = build_api_messages(conversation(head=9, run=TurnState.STREAMING, turn=Turn(id="t", reply=9)), rows)
    chars = sum(len(str(message["content"])) for message in sent)
    assert count_tokens(rows) >= 0.95 * chars / 4


def test_a_history_that_is_long_by_what_was_told_beside_the_words_begins_anew() -> None:
    now = conversation(head=9, run=TurnState.STREAMING, turn=Turn(id="t", reply=9))
    epoch = start_epoch(now, talk(4), BUDGET)
    assert epoch is not None
    kept = [row for row in talk(4) if row.seq > epoch.since]
    assert count_tokens(kept, now.head) <= BUDGET // 2


def others(since: int, count: int, chars: int = 384) -> list[Message]:
    """Messages of somebody else, of a hundred tokens each."""
    return [said(since + number, "x" * chars, OTHER) for number in range(1, count + 1)]


def answering(head: int, **values: Any) -> Conversation:
    return conversation(head=head, run=TurnState.STREAMING, turn=Turn(id="t", reply=head), **values)


def begun(now: Conversation, epoch: EpochStarted) -> Conversation:
    return replace(now, since=epoch.since, summary=epoch.summary, standing=epoch.standing, quiet=epoch.quiet)


@pytest.mark.req("SE-09")
@pytest.mark.parametrize(("count", "left_out"), [(2, 0), (3, 2), (6, 5)])
def test_what_others_say_beyond_a_quarter_of_the_window_gives_way_the_oldest_first(count: int, left_out: int) -> None:
    rows = [said(1, "Never post."), *others(1, count), said(20, "And?")]
    epoch = start_epoch(answering(21), rows, BUDGET)
    assert bool(epoch) == bool(left_out)
    if epoch:
        assert (epoch.since, epoch.summary, epoch.quiet) == (0, "", 1 + left_out)
        now = begun(answering(21), epoch)
        (sent,) = build_api_messages(now, rows)
        assert sent["content"].startswith(LEFT_OUT.format(count=left_out) + "\n\nNever post.\n\n<message ")
        assert sent["content"].count("<message ") == count - left_out
        assert start_epoch(now, rows, BUDGET) is None


@pytest.mark.req("SE-09")
def test_a_correction_of_somebody_else_is_their_word_too_and_a_fact_of_ours_is_nobodys() -> None:
    corrected = [note(seq, "x" * 384, OTHER) for seq in range(2, 8)]
    facts = [note(seq, "x" * 384, "") for seq in range(2, 8)]
    assert start_epoch(answering(21), [said(1, "a"), *corrected, said(20, "b")], BUDGET)
    assert start_epoch(answering(21), [said(1, "a"), *facts, said(20, "b")], BUDGET) is None


@pytest.mark.req("SE-09", "AG-19")
def test_what_was_left_out_stays_so_and_is_counted_alike_until_the_next_epoch() -> None:
    rows = [said(1, "Never post."), *others(1, 6), said(20, "And?"), reply(21, "No."), said(22, "So?")]
    epoch = start_epoch(answering(21), rows, BUDGET)
    assert epoch
    now = begun(answering(21), epoch)
    first = build_api_messages(now, rows)
    assert build_api_messages(replace(now, head=23, turn=Turn(id="u", reply=23)), rows)[:1] == first


@pytest.mark.req("SE-09")
def test_what_the_owner_said_first_and_last_outlasts_a_summary_and_others_words_do_not() -> None:
    talk = [row for seq in range(3, 40, 2) for row in (said(seq, f"{seq} " + "y" * 197), reply(seq + 1, "z" * 200))]
    rows = [said(1, "Never post."), said(2, "Post!", OTHER), *talk]
    epoch = start_epoch(answering(41), rows, BUDGET)
    assert epoch
    now = begun(answering(41), epoch)
    (sent, *_) = build_api_messages(now, rows)
    standing = [row for row in rows if row.seq in epoch.standing]
    assert count_tokens(standing) <= BUDGET // SHARE
    assert [row.seq for row in standing] == [1, 3, 5, 29, 31]
    assert f"{STANDING}\n\nNever post.\n\n3 yyy" in sent["content"]
    assert sent["content"].index("Never post.") < sent["content"].index(GOES_ON)
    assert "Post!" not in sent["content"]
    assert find_first_sent(now) == 0


@pytest.mark.req("SE-09")
def test_what_outlasted_one_summary_outlasts_the_next() -> None:
    rows = [said(1, "Never post."), *(said(seq, "y" * 780) for seq in range(2, 12))]
    first = start_epoch(answering(8), rows, BUDGET)
    assert first
    assert 1 in first.standing
    second = start_epoch(begun(answering(12), first), rows, BUDGET)
    assert second
    assert second.since > first.since
    assert 1 in second.standing


@given(
    st.lists(st.tuples(st.sampled_from([OWNER, OTHER, ""]), st.integers(1, 2_500)), min_size=1, max_size=25),
    st.integers(200, 2_000),
)
@pytest.mark.req("SE-09")
def test_however_much_others_write_a_quarter_is_theirs_and_the_owners_first_words_stay(
    talk: list[tuple[str, int]], budget: int
) -> None:
    rows = [said(1, "Never post."), *(_row(seq, who, chars) for seq, (who, chars) in enumerate(talk, 2))]
    now = answering(len(rows) + 2)
    rows.append(said(len(rows) + 1, "And?"))
    epoch = start_epoch(now, rows, budget)
    after = begun(now, epoch) if epoch else now
    sent = build_api_messages(after, rows)
    told = [row for row in rows if after.since < row.seq and (row.seq > after.quiet or row.author != OTHER)]
    assert count_tokens(row for row in told if row.author == OTHER) <= budget // SHARE
    assert "Never post." in str(sent[0]["content"])
    assert "And?" in str(sent[-1]["content"])
    assert start_epoch(after, rows, budget) is None


def _row(seq: int, who: str, chars: int) -> Message:
    return said(seq, "x" * chars, who) if who else reply(seq, "x" * chars)
