"""Who takes a thread over from a process that died in mid-answer: what is saved, when, and when it is too late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from app.core.conversation.conversation import Message, MessageStatus
from tests.fakes import virtual
from tests.unit.agent.scripted import COST, COUNTED, Part, answers, deltas
from tests.unit.runtime.test_worker import THREAD, Working


def half() -> Sequence[Part]:
    """An answer that comes no further."""
    return (COUNTED, *deltas("Half of it"), asyncio.Event())


class Dying(Working):
    """Workers that die one after the other over one answer."""

    async def dies_over(self, text: str, asked: int = 1) -> Message:
        """Let it work until Slack shows this of its answer, and end it; gives the row as it is left."""
        async with self.at_work():
            await self.was_asked(asked)
            await self.quiet.keepers[-1].record(text, ("9.7",))
        return await self.reply()

    async def reply(self) -> Message:
        """The row of its newest answer."""
        now = await self.store.conversations.find(THREAD)
        assert now
        row = await self.store.conversations.row(now, now.answered)
        assert row
        return row

    async def is_over(self) -> Message:
        """Let it work until the answer has ended, and give its row."""
        async with self.at_work():
            while (row := await self.reply()).status is MessageStatus.STREAMING:
                await asyncio.sleep(0.1)
        return row


@virtual
@pytest.mark.req("MW-21")
async def test_that_it_goes_on_is_saved_before_the_model_is_asked() -> None:
    seen: list[bool] = []
    it = Dying(half(), [lambda: seen.append(is_taken_up()), *answers(text="All of it.")])

    def is_taken_up() -> bool:
        held = it.conversations.saved[-1].turn
        return held is not None and held.taken_up

    await it.says(1)
    await it.dies_over("Half of it")
    assert not is_taken_up()
    row = await it.is_over()
    assert seen == [True]
    assert (row.text, row.status, row.parts) == ("All of it.", MessageStatus.COMPLETE, ("9.1", "9.2"))


@virtual
@pytest.mark.req("MW-21")
async def test_what_the_round_that_was_cut_has_cost_is_counted() -> None:
    it = Dying(half(), answers(text="All of it."))
    await it.says(1)
    await it.dies_over("Half of it")
    assert (await it.is_over()).usage == COUNTED.usage + COST
    tokens = await it.limits.tokens_today(THREAD.team, "U1")
    assert tokens == sum((7, 1, 10, 2))


@virtual
@pytest.mark.req("MW-21")
async def test_eleven_minutes_later_it_is_marked_and_the_model_is_not_asked() -> None:
    it = Dying(half())
    await it.says(1)
    await it.dies_over("Half of it")
    await asyncio.sleep(11 * 60)
    row = await it.is_over()
    assert (row.text, row.status, row.parts) == ("Half of it", MessageStatus.INTERRUPTED, ("9.7",))
    assert len(it.model.asked) == 1


@virtual
@pytest.mark.req("MW-21")
async def test_nine_minutes_later_it_goes_on() -> None:
    it = Dying(half(), answers(text="All of it."))
    await it.says(1)
    await it.dies_over("Half of it")
    await asyncio.sleep(9 * 60)
    assert (await it.is_over()).text == "All of it."


@virtual
@pytest.mark.req("MW-21")
async def test_who_dies_over_it_again_leaves_it_marked_with_the_words_that_stood_there() -> None:
    it = Dying(half(), half())
    await it.says(1)
    await it.dies_over("Half of it")
    await it.dies_over("Half of it", asked=2)
    row = await it.is_over()
    assert (row.text, row.status) == ("Half of it", MessageStatus.INTERRUPTED)
    assert len(it.model.asked) == 2


@virtual
@pytest.mark.req("MW-21")
async def test_what_its_owner_wrote_since_goes_first_and_is_answered() -> None:
    it = Dying(half(), answers(text="To the second."))
    await it.says(1)
    cut = await it.dies_over("Half of it")
    await it.says(2)
    async with it.at_work():
        await it.was_asked(2)
        while (await it.reply()).status is MessageStatus.STREAMING:
            await asyncio.sleep(0.1)
    now = await it.store.conversations.find(THREAD)
    assert now
    marked = await it.store.conversations.row(now, cut.seq)
    assert marked
    assert (marked.status, (await it.reply()).text) == (MessageStatus.INTERRUPTED, "To the second.")


@virtual
async def test_what_was_asked_before_the_kill_and_waited_is_answered_after_it_has_gone_on() -> None:
    it = Dying(half(), answers(text="All of it."), answers(text="To the second."))
    await it.says(1)
    async with it.at_work():
        await it.was_asked(1)
        await it.quiet.keepers[-1].record("Half of it", ("9.7",))
        await it.says(2)
        await asyncio.sleep(1)
    async with it.at_work():
        await it.was_asked(3)
    assert ["Word 2." in str(request.messages[-1]) for request in it.model.asked] == [False, False, True]
