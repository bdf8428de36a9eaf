"""What a request costs: all that is sent is counted, also what the model is told beside the words."""

from __future__ import annotations

from app.core.context import api_messages, new_epoch, tokens
from app.core.model import Message, Turn
from app.core.states import Run
from tests.unit.core.threads import conversation, reply, said

BUDGET = 1_000
TOLD = "Your question is still open: " + "word " * 300


def talk(turns: int) -> list[Message]:
    """Short words, and each reply was told of a long question that is still open."""
    pairs = ((said(seq, "And then?"), reply(seq + 1, "Go on.", directive=TOLD)) for seq in range(1, 2 * turns, 2))
    return [row for pair in pairs for row in pair]


def test_the_estimate_is_not_far_below_what_is_sent() -> None:
    rows = talk(4)
    sent = api_messages(conversation(head=9, run=Run.STREAMING, turn=Turn(id="t", reply=9)), rows)
    chars = sum(len(str(message["content"])) for message in sent)
    assert tokens(rows) >= 0.95 * chars / 4


def test_a_history_that_is_long_by_what_was_told_beside_the_words_begins_anew() -> None:
    now = conversation(head=9, run=Run.STREAMING, turn=Turn(id="t", reply=9))
    epoch = new_epoch(now, talk(4), BUDGET)
    assert epoch is not None
    kept = [row for row in talk(4) if row.seq > epoch.since]
    assert tokens(kept) <= BUDGET // 2
