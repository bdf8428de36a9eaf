"""What is checked and stored around each write of a reply or a card to Slack."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from app.clock import format_ts
from app.core.conversation.card import NoteCard
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition
from app.core.conversation.usage import Usage
from app.core.errors import LostConversation, StoreUnavailable
from app.ports import Conversations
from app.runtime.lease import CardWriteGuard, HeldConversation, ReplyWriteGuard
from tests.contract.store.clock import ManualClock
from tests.contract.store.events import claimed
from tests.memory_store import memory_store
from tests.unit.runtime.test_lease import TIMES

REPLY = Message(seq=1, role=Role.ASSISTANT, text="I look.", status=MessageStatus.HELD)
CARD = Message(seq=2, role=Role.CARD, text="", card=NoteCard(text="Stopped."))


class LateDrafts:
    """Conversations in which what is shown of a reply is written only when `gate` is open."""

    def __init__(self, kept: Conversations) -> None:
        self._kept, self.gate = kept, asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept, name)

    async def record_draft(self, conversation: Conversation, reply: Message) -> None:
        await self.gate.wait()
        await self._kept.record_draft(conversation, reply)


class Bench:
    """A held conversation with a reply and a card in it."""

    def __init__(self, clock: ManualClock, hold: HeldConversation, drafts: LateDrafts) -> None:
        self.clock, self.hold, self.drafts = clock, hold, drafts

    @classmethod
    async def set_up(cls) -> Bench:
        clock = ManualClock()
        store = memory_store(clock)
        drafts = LateDrafts(store.conversations)
        drafts.gate.set()
        kept = cast("Conversations", drafts)
        hold = HeldConversation(await claimed(store, seconds=TIMES.lease), kept, clock, TIMES)
        made = Transition(conversation=replace(hold.conversation, head=2), messages=(REPLY, CARD))
        await hold.change(lambda _: made)
        return cls(clock, hold, drafts)

    async def row(self, seq: int) -> Message:
        row = await self.hold.row(seq)
        assert row
        return row


def guards(bench: Bench) -> tuple[ReplyWriteGuard, CardWriteGuard]:
    return ReplyWriteGuard.of_turn(bench.hold, REPLY), CardWriteGuard(bench.hold, CARD.seq)


async def test_neither_a_reply_nor_a_card_is_written_without_a_lease_that_lasts() -> None:
    bench = await Bench.set_up()
    for guard in guards(bench):
        guard.check()
    bench.clock.advance(TIMES.lease - TIMES.margin + 0.01)
    for guard in guards(bench):
        with pytest.raises(StoreUnavailable):
            guard.check()
    bench.hold.lose()
    for guard in guards(bench):
        with pytest.raises(LostConversation):
            guard.check()


async def test_a_reply_that_waited_for_a_person_grows_on_from_what_was_said() -> None:
    reply, _ = guards(await Bench.set_up())
    assert (reply.reply.status, reply.reply.standing, reply.reply.stands) == (MessageStatus.STREAMING, 7, "I look.")


async def test_what_is_shown_of_a_reply_is_stored_with_its_place_its_cost_and_the_time() -> None:
    bench = await Bench.set_up()
    reply, _ = guards(bench)
    reply.spent = lambda row: replace(row, usage=Usage(input_tokens=7))
    bench.clock.advance(1)
    await reply.record("I look. There", ("9.1",))
    row = await bench.row(REPLY.seq)
    assert (row.text, row.parts, row.usage, row.kept_at) == (
        "I look. There",
        ("9.1",),
        Usage(input_tokens=7),
        format_ts(bench.clock.now()),
    )
    reply.spent = lambda row: replace(row, usage=Usage(input_tokens=9))
    await reply.leave()
    row = await bench.row(REPLY.seq)
    assert (row.text, row.parts, row.usage.input_tokens) == ("I look. There", ("9.1",), 9)


async def test_a_row_of_the_turn_keeps_the_place_where_the_reply_is_shown_and_the_time_of_its_progress() -> None:
    bench = await Bench.set_up()
    reply, _ = guards(bench)
    await reply.record("I look. There", ("9.1",))
    bench.clock.advance(1)
    row = reply.update(replace(REPLY, text="There it is.", parts=()))
    assert (row.text, row.parts, row.kept_at) == ("There it is.", ("9.1",), format_ts(bench.clock.now()))
    assert reply.reply is row


FINISHED = replace(
    REPLY, status=MessageStatus.STREAMING, text="I look.\n\nThere it is.", content="[]", rounds=2, standing=21
)
"""The reply when its second round is over."""


@pytest.mark.req("AG-02")
async def test_what_is_shown_of_a_round_and_written_late_does_not_undo_the_save_of_its_end() -> None:
    bench = await Bench.set_up()
    reply, _ = guards(bench)
    bench.drafts.gate.clear()
    showing = asyncio.ensure_future(reply.record("I look.\n\nThere", ("9.1",)))
    await asyncio.sleep(0)
    change = bench.hold.change(lambda now: Transition(conversation=now, messages=(reply.update(FINISHED),)))
    saving = asyncio.ensure_future(change)
    await asyncio.sleep(0)
    bench.drafts.gate.set()
    await asyncio.gather(showing, saving)
    row = await bench.row(REPLY.seq)
    assert (row.rounds, row.content, row.text, row.parts) == (2, "[]", FINISHED.text, ("9.1",))


@pytest.mark.req("AG-02")
async def test_what_was_shown_before_a_round_was_over_does_not_shorten_its_words() -> None:
    bench = await Bench.set_up()
    reply, _ = guards(bench)
    reply.update(FINISHED)
    await reply.record("I look.\n\nThere", ("9.1",))
    assert (await bench.row(REPLY.seq)).text == FINISHED.text
    await reply.record("I look.\n\nThere it is. And", ("9.1",))
    assert (await bench.row(REPLY.seq)).text == "I look.\n\nThere it is. And"


async def test_of_a_card_only_its_place_is_stored_since_what_it_shows_may_have_changed_meanwhile() -> None:
    bench = await Bench.set_up()
    _, card = guards(bench)
    later = replace(CARD, card=NoteCard(text="Resumed."))
    await bench.hold.change(lambda now: Transition(conversation=now, messages=(later,)))
    await card.record("Stopped.", ("9.2",))
    assert await bench.row(CARD.seq) == replace(later, parts=("9.2",))
