"""The worker: how often it looks for work, and that nothing waits for its next look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import pytest

from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.conversation.effect import FinishReply, PublishHome, RunTurn
from app.core.errors import StoreUnavailable
from app.core.events.heard import MessagePosted
from app.core.thread import ThreadKey
from app.ports import Claimed, Conversations, Outlet, Profile, WriteGuard
from app.runtime.intake import WakingIntake
from app.runtime.lease import LeaseTimes
from app.runtime.scheduler import Scheduler, SchedulerSettings
from app.runtime.worker import ATTEMPTS, Worker, WorkerSettings
from tests.fakes import virtual
from tests.unit.agent.scripted import PaperDraft, Part, answers
from tests.unit.handlers.talks import placed, planned
from tests.unit.voiced import PaperOutlet, Voiced
from tests.virtual import START, VirtualClock

THREAD = ThreadKey(team="T1", channel="C1", root="1770000100.000100")
POLL = 60.0
"""Longer than any test lasts: what is found was heard of."""


class QuietOutlet(PaperOutlet):
    """Delivers nothing, successfully. Each answer has a paper of its own. Home is shown once `home` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.is_broken = False
        self.homes, self.home = 0, asyncio.Event()
        self.home.set()

    def draft(self, conversation: Conversation, reply: Message, keeper: WriteGuard) -> PaperDraft:
        self.paper = PaperDraft()
        return super().draft(conversation, reply, keeper)

    async def finish(self, *_: Any) -> None: ...

    async def profile_of(self, team: str, user: str) -> Profile:
        if self.is_broken:
            raise RuntimeError
        return await super().profile_of(team, user)

    async def publish_home(self, *_: Any) -> None:
        self.homes += 1
        await self.home.wait()

    async def react(self, *_: Any) -> None: ...

    async def unreact(self, *_: Any) -> None: ...


class Watched:
    """The conversations of a store, which count how often somebody looks for work, and remember what is saved."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self.looks = self.searches = 0
        self.is_away = self.is_blind = False
        """Whether threads cannot be claimed without a search, or what waits in them is not known."""
        self.saved: list[Conversation] = []
        self.reads = self.releases = 0
        self.while_looking: Callable[[], object] = lambda: None
        self.after_claim: Callable[[], Awaitable[object]] | None = None
        self.before_release: Callable[[], Awaitable[object]] | None = None
        """What happens just before a conversation is let go, once."""
        self.after_release: Callable[[], Awaitable[object]] | None = None
        """What happens once when a save has let a conversation go, before its inbox rows are closed."""

    async def claim_some(
        self, team: str, worker: str, seconds: float, busy: Collection[ThreadKey], limit: int
    ) -> tuple[Claimed, ...]:
        self.searches += 1
        self._look()
        claimed = await self._conversations.claim_some(team, worker, seconds, busy, limit)
        if claimed and self.after_claim:
            await self.after_claim()
        return claimed

    async def claim_thread(self, worker: str, seconds: float, thread: ThreadKey, receipt: str) -> Claimed | None:
        self._look()
        if self.is_away:
            raise StoreUnavailable
        if self.is_blind:
            return None
        claimed = await self._conversations.claim_thread(worker, seconds, thread, receipt)
        if claimed and self.after_claim:
            await self.after_claim()
        return claimed

    def _look(self) -> None:
        self.looks += 1
        self.while_looking()

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        self.saved.append(await self._conversations.save(step, head))
        return self.saved[-1]

    async def save_and_release(self, conversation: Conversation) -> Conversation:
        await self._act("before_release")
        self.saved.append(await self._conversations.save_and_release(conversation))
        await self._act("after_release")
        return self.saved[-1]

    async def transcript(self, conversation: Conversation, after: int) -> tuple[Message, ...]:
        self.reads += 1
        return await self._conversations.transcript(conversation, after)

    async def release(self, conversation: Conversation) -> None:
        self.releases += 1
        await self._act("before_release")
        await self._conversations.release(conversation)

    async def _act(self, moment: str) -> None:
        act = getattr(self, moment)
        setattr(self, moment, None)
        if act:
            await act()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conversations, name)


class Working(Voiced):
    """A worker on a store in memory."""

    def __init__(self, *scripts: Sequence[Part], threads: int = 200) -> None:
        super().__init__(*scripts, clock=VirtualClock())
        self.conversations, self.quiet = Watched(self.store.conversations), QuietOutlet()
        outlet, self.limits = cast("Outlet", self.quiet), self._resources.limits
        resources = replace(
            self._resources,
            outlet=outlet,
            conversations=cast("Conversations", self.conversations),
            recorder=replace(self._resources.recorder, outlet=outlet),
        )
        settings = WorkerSettings(team=THREAD.team, name="w", lease=LeaseTimes(), poll=POLL, threads=threads)
        self.worker = Worker(self.store.inbox, resources, self.clock, settings)
        self.intake = WakingIntake(self.store.inbox, self.worker.wake)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[Working]:
        """Let it work for the length of the block."""
        work = asyncio.ensure_future(self.worker.run())
        try:
            yield self
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def says(self, number: int) -> None:
        """The owner writes, and the worker hears of it."""
        ts = THREAD.root if number == 1 else f"177000010{number}.000100"
        posted = MessagePosted(
            receipt=f"r{number}", thread=THREAD, ts=ts, user="U1", text=f"Word {number}.", opens=True, addressed=True
        )
        await self.intake.accept(posted)

    async def answers(self, number: int) -> None:
        """The owner writes once more and is answered, and all that follows from it is done."""
        await self.says(number)
        await self.was_asked(number)
        await asyncio.sleep(1)

    async def was_asked(self, times: int) -> float:
        """Wait until the model was asked so often; gives when that was."""
        while len(self.model.asked) < times:
            await asyncio.sleep(0.1)
        return asyncio.get_running_loop().time()


@virtual
async def test_what_comes_while_a_thread_is_worked_on_goes_to_its_session_and_nobody_looks_for_work() -> None:
    go_on = asyncio.Event()
    async with Working([go_on, *answers(text="One.")], answers(text="Two.")).at_work() as it:
        await it.answers(1)
        looks = it.conversations.looks
        await it.says(2)
        await asyncio.sleep(1)
        assert it.conversations.looks == looks
        go_on.set()
        assert await it.was_asked(2) < POLL


@pytest.mark.parametrize("moment", ["before_release", "after_release"])
@virtual
async def test_what_comes_too_late_for_a_session_that_ends_is_found_at_once(moment: str) -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        setattr(it.conversations, moment, lambda: it.says(2))
        await it.says(1)
        assert await it.was_asked(2) < POLL


@virtual
@pytest.mark.req("MW-09")
async def test_the_last_save_of_a_turn_ends_the_lease_and_nothing_is_open_after_it() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        await it.answers(1)
        assert it.conversations.releases == 0
        assert await it.store.inbox.open_rows(THREAD) == ()
        assert not it.worker.busy


@virtual
async def test_another_process_that_claims_a_thread_before_its_rows_are_closed_finds_them_applied() -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        claims: list[Claimed] = []

        async def be_faster() -> None:
            claims.extend(await it.store.conversations.claim_some(THREAD.team, "other", POLL, (), 1))

        it.conversations.after_release = be_faster
        await it.answers(1)
    [claimed] = claims
    assert [row.receipt for row in claimed.rows or ()] == ["r1"]
    assert claimed.conversation.applied == ("r1",)
    assert await it.store.inbox.open_rows(THREAD) == ()


@virtual
async def test_a_run_that_the_calendar_finds_due_is_taken_up_without_a_poll() -> None:
    it = Working(answers(text="The digest."))
    await placed(it.store, replace(planned(1), thread=THREAD, next_run=START.isoformat()))
    async with it.at_work():
        await asyncio.sleep(1)
        looks = SchedulerSettings(team=THREAD.team, idle_minutes=10)
        await Scheduler(it.intake, it.store.conversations, it.clock, looks).look()
        assert await it.was_asked(1) < POLL


@virtual
async def test_a_worker_that_looks_whether_there_is_work_is_busy_until_it_knows() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        busy: list[bool] = []
        it.conversations.while_looking = lambda: busy.append(it.worker.busy)
        await it.answers(1)
        assert (busy, it.worker.busy) == ([True] * it.conversations.looks, False)


@virtual
@pytest.mark.req("MW-09")
async def test_news_of_a_thread_that_is_just_being_claimed_begins_no_second_look() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        await asyncio.sleep(1)
        looks = it.conversations.looks
        it.conversations.while_looking = lambda: it.worker.wake(THREAD)
        await it.answers(1)
        assert it.conversations.looks == looks + 1


@virtual
@pytest.mark.req("MW-09")
async def test_an_event_that_is_told_twice_wakes_once() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        await asyncio.sleep(1)
        searches = it.conversations.searches
        for _ in range(2):
            it.worker.wake(THREAD, "message:1")
            await asyncio.sleep(0.01)
        assert it.conversations.searches == searches + 1


@virtual
@pytest.mark.req("MW-09")
async def test_what_comes_between_the_search_and_the_session_is_taken_in_at_once() -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        await asyncio.sleep(1)

        async def come() -> None:
            it.conversations.after_claim = None
            await it.says(2)

        it.conversations.after_claim = come
        began = asyncio.get_running_loop().time()
        await it.says(1)
        assert await it.was_asked(2) - began < POLL


@virtual
async def test_news_of_another_thread_during_a_look_is_looked_for() -> None:
    other = replace(THREAD, root="1770000999.000100")
    async with Working(answers(text="One.")).at_work() as it:
        await asyncio.sleep(1)
        looks = it.conversations.looks
        came = [other, THREAD]

        def hear() -> None:
            while came:
                it.worker.wake(came.pop())

        it.conversations.while_looking = hear
        await it.answers(1)
        assert it.conversations.looks >= looks + 2


@virtual
@pytest.mark.parametrize("threads", [200, 1])
@pytest.mark.req("MW-09")
async def test_what_comes_while_its_thread_is_claimed_is_read_by_that_session(threads: int) -> None:
    go_on = asyncio.Event()
    async with Working([go_on, *answers(text="One.")], answers(text="Two."), threads=threads).at_work() as it:
        late = MessagePosted(
            receipt="r2", thread=THREAD, ts="1770000102.000100", user="U1", text="Word 2.", opens=True, addressed=True
        )
        it.conversations.after_claim = lambda: it.intake.accept(late)
        await it.answers(1)
        saved = it.conversations.saved[-1]
        go_on.set()
        assert {"r1", "r2"} <= set(saved.applied)


@virtual
@pytest.mark.req("MW-09")
async def test_what_a_process_has_written_of_a_thread_it_does_not_read_again_at_the_next_turn() -> None:
    async with Working(*(answers(text=text) for text in ("One.", "Two."))).at_work() as it:
        for number in (1, 2):
            await it.answers(number)
    assert it.conversations.reads == 0
    assert [str(each.messages).count("Word") for each in it.model.asked] == [1, 2]


@virtual
@pytest.mark.req("MW-09")
async def test_that_home_was_shown_is_saved_with_the_next_step_of_the_turn() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        await it.answers(1)
        begun, ended, delivered = it.conversations.saved
    assert {type(effect) for effect in begun.effects} == {RunTurn, PublishHome}
    assert {type(effect) for effect in ended.effects} == {FinishReply}
    assert (it.quiet.homes, delivered.effects) == (1, ())


@virtual
async def test_what_is_shown_after_all_else_was_saved_is_saved_by_itself() -> None:
    async with Working(answers(text="One.")).at_work() as it:
        it.quiet.home.clear()
        await it.answers(1)
        waiting = it.conversations.saved[-1]
        it.quiet.home.set()
        await asyncio.sleep(1)
    assert {type(effect) for effect in waiting.effects} == {PublishHome}, "the reply is not delivered again"
    assert it.conversations.saved[-1].effects == ()
    kept = await it.store.conversations.find(THREAD)
    assert kept is not None
    assert kept.effects == ()


@virtual
async def test_an_event_that_failed_too_often_is_parked_before_another_process_could_close_it() -> None:
    parked: list[int] = []
    async with Working().at_work() as it:
        it.quiet.is_broken = True

        async def look() -> None:
            parked.append((await it.store.inbox.queue(THREAD.team)).parked)

        await it.says(1)
        await asyncio.sleep((ATTEMPTS - 1) * POLL - 1)
        it.conversations.before_release = look
        await asyncio.sleep(2 * POLL)
        assert it.conversations.saved[-1].effects == ()
    assert parked == [1]


@virtual
@pytest.mark.req("MW-09")
async def test_a_thread_whose_event_came_to_this_process_is_leased_without_a_search() -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        await asyncio.sleep(1)
        searches = it.conversations.searches
        for number in (1, 2):
            await it.answers(number)
        assert it.conversations.searches == searches


@pytest.mark.parametrize("why", ["is_blind", "is_away"])
@virtual
async def test_what_cannot_be_leased_without_a_search_is_searched_for(why: str) -> None:
    async with Working(answers(text="One.")).at_work() as it:
        await asyncio.sleep(1)
        searches = it.conversations.searches
        setattr(it.conversations, why, True)
        await it.says(1)
        await it.was_asked(1)
        assert it.conversations.searches > searches


def opens_another() -> MessagePosted:
    other = ThreadKey(team="T1", channel="C1", root="1770000050.000100")
    return MessagePosted(
        receipt="r9", thread=other, ts=other.root, user="U1", text="Word 9.", opens=True, addressed=True
    )


@virtual
async def test_a_thread_that_could_not_be_leased_is_searched_for_with_the_next_event() -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        await asyncio.sleep(1)
        it.conversations.is_away = True
        await it.says(1)
        await asyncio.sleep(1)
        it.conversations.is_away = False
        await it.intake.accept(opens_another())
        assert await it.was_asked(2) < POLL


@virtual
async def test_a_thread_of_another_process_is_found_by_the_next_poll_though_threads_are_leased_here() -> None:
    async with Working(answers(text="One."), answers(text="Two.")).at_work() as it:
        await asyncio.sleep(1)
        await it.store.inbox.take_in(opens_another())
        await it.says(1)
        await it.was_asked(1)
        assert await it.was_asked(2) <= 2 * POLL


@virtual
async def test_no_more_threads_are_leased_than_there_is_room_for_and_the_rest_is_searched_for() -> None:
    go_on = asyncio.Event()
    async with Working([go_on, *answers(text="One.")], answers(text="Two."), threads=1).at_work() as it:
        await asyncio.sleep(1)
        await it.says(1)
        await it.was_asked(1)
        await it.intake.accept(opens_another())
        await asyncio.sleep(1)
        assert len(it.model.asked) == 1
        go_on.set()
        assert await it.was_asked(2) < POLL
