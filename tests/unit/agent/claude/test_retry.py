"""When a request to the model is repeated: seldom, soon, and never behind words that people have seen; and its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest
from structlog.testing import capture_logs

from app.agent.claude.retry import LONGEST_WISH, PAUSES, RetryingModel, compute_pause, with_timeout
from app.core.errors import FailureKind, ModelFailed
from app.ports import ModelEvent
from tests.contract.store.clock import ManualClock
from tests.unit.agent.scripted import ANSWER, COUNTED, REQUEST, Part, ScriptedModel, deltas

PASSING = {FailureKind.BUSY, FailureKind.CUT, FailureKind.TIMEOUT, FailureKind.LIMITED}
BUSY = ModelFailed(FailureKind.BUSY, "req_0")


class Asked:
    """One answer of a patient model over a clock that stands still but for the pauses."""

    def __init__(self, *scripts: Sequence[Part], seconds: float = 120.0, clock: ManualClock | None = None) -> None:
        self.clock = clock or ManualClock()
        self.model = ScriptedModel(*scripts)
        self.patient = RetryingModel(self.model, self.clock, seconds, chance=lambda: 0.0)
        self.heard: list[ModelEvent] = []

    async def hear(self) -> None:
        async for event in self.patient.stream(REQUEST):
            self.heard.append(event)

    async def fails(self) -> ModelFailed:
        with pytest.raises(ModelFailed) as failed:
            await self.hear()
        return failed.value


@pytest.mark.parametrize("kind", FailureKind)
def test_only_what_passes_by_itself_is_asked_again(kind: FailureKind) -> None:
    pause = compute_pause(1, ModelFailed(kind), 0.0)
    assert (pause is not None) is (kind in PASSING)


@pytest.mark.parametrize(("chance", "pauses"), [(0.0, [0.5, 1.0, None]), (1.0, [0.375, 0.75, None])])
def test_pauses_double_and_there_are_two_of_them(chance: float, pauses: list[float | None]) -> None:
    assert [compute_pause(failures, BUSY, chance) for failures in (1, 2, 3)] == pauses


@pytest.mark.parametrize(("wish", "pause"), [(0.1, 0.375), (7.0, 7.0), (LONGEST_WISH, LONGEST_WISH), (30.1, None)])
def test_the_servers_wish_is_a_minimum_and_too_long_a_one_is_not_granted(wish: float, pause: float | None) -> None:
    assert compute_pause(1, ModelFailed(FailureKind.LIMITED, after=wish), 1.0) == pause


async def test_an_answer_after_a_failure_is_one_answer() -> None:
    asked = Asked([BUSY], [COUNTED, *deltas("Hello"), ANSWER])
    with capture_logs() as lines:
        await asked.hear()
    assert asked.heard == [COUNTED, *deltas("Hello"), ANSWER]
    assert asked.clock.monotonic() == PAUSES[0]
    assert lines == [
        {"event": "model_retried", "attempt": 1, "code": "busy", "request": "req_0", "log_level": "warning"}
    ]


async def test_the_third_failure_is_the_last() -> None:
    asked = Asked([BUSY], [BUSY], [BUSY], [ANSWER])
    assert (await asked.fails()) is BUSY
    assert len(asked.model.asked) == 3


async def test_once_a_word_was_shown_nothing_is_asked_again() -> None:
    asked = Asked([COUNTED, *deltas("Hel"), BUSY], [ANSWER])
    assert (await asked.fails()) is BUSY
    assert len(asked.model.asked) == 1


async def test_a_failure_before_the_first_word_is_asked_again_though_tokens_were_counted() -> None:
    asked = Asked([COUNTED, ModelFailed(FailureKind.CUT)], [ANSWER])
    await asked.hear()
    assert asked.heard == [COUNTED, ANSWER]


async def test_what_does_not_pass_by_itself_fails_at_once() -> None:
    asked = Asked([ModelFailed(FailureKind.MISCONFIGURED)], [ANSWER])
    assert (await asked.fails()).kind is FailureKind.MISCONFIGURED
    assert (len(asked.model.asked), asked.clock.monotonic()) == (1, 0.0)


async def test_a_limit_with_a_long_wait_fails_at_once_and_says_how_long() -> None:
    asked = Asked([ModelFailed(FailureKind.LIMITED, after=3600)], [ANSWER])
    assert (await asked.fails()).after == 3600
    assert (len(asked.model.asked), asked.clock.monotonic()) == (1, 0.0)


async def test_a_retry_that_does_not_fit_into_the_time_is_not_begun() -> None:
    asked = Asked([ModelFailed(FailureKind.LIMITED, after=20)], [ANSWER], seconds=20)
    assert (await asked.fails()).kind is FailureKind.LIMITED
    assert (len(asked.model.asked), asked.clock.monotonic()) == (1, 0.0)


@pytest.mark.req("AG-01")
async def test_an_answer_that_is_too_slow_is_cut_off_and_not_asked_for_again() -> None:
    clock = ManualClock()
    slow = [*deltas("Hel"), lambda: clock.advance(121), *deltas("lo"), asyncio.Event()]
    asked = Asked(slow, [ANSWER], clock=clock)
    assert (await asked.fails()).kind is FailureKind.TIMEOUT
    assert asked.heard == deltas("Hel", "lo")
    assert len(asked.model.asked) == 1
    assert asked.model.closed.is_set()


@pytest.mark.req("AG-01")
@pytest.mark.parametrize(("spent", "answers"), [(119.0, 1), (119.5, 0)])
async def test_retries_share_the_time_of_one_answer(spent: float, answers: int) -> None:
    clock = ManualClock()
    asked = Asked([lambda: clock.advance(spent), BUSY], [ANSWER], clock=clock)
    if answers:
        await asked.hear()
    else:
        assert (await asked.fails()) is BUSY
    assert len(asked.heard) == answers


@pytest.mark.req("AG-01")
async def test_a_retry_has_the_time_that_is_left_and_no_more() -> None:
    clock = ManualClock()
    asked = Asked([lambda: clock.advance(119), BUSY], [lambda: clock.advance(1), asyncio.Event()], clock=clock)
    assert (await asked.fails()).kind is FailureKind.TIMEOUT


async def test_who_stops_listening_closes_the_stream() -> None:
    asked = Asked([*deltas("Hel"), asyncio.Event()])
    stream = asked.patient.stream(REQUEST)
    assert [await anext(stream)] == deltas("Hel")
    await stream.aclose()
    assert asked.model.closed.is_set()


class Source:
    """Gives two numbers at once and then nothing."""

    def __init__(self) -> None:
        self.closed = False

    async def events(self) -> AsyncGenerator[int, None]:
        try:
            yield 1
            yield 2
            await asyncio.Event().wait()
        finally:
            self.closed = True


async def test_a_consumer_that_takes_its_time_is_not_cancelled_and_a_source_that_does_is() -> None:
    source, heard = Source(), list[int]()

    async def consume() -> None:
        async for number in with_timeout(lambda: 0.0, source.events()):
            for _ in range(3):
                await asyncio.sleep(0)
            heard.append(number)

    with pytest.raises(TimeoutError):
        await consume()
    assert heard == [1, 2]
    assert source.closed


async def test_the_time_is_asked_for_before_each_event() -> None:
    asked: list[float] = []

    def seconds() -> float:
        asked.append(1.0)
        return 60.0

    events = with_timeout(seconds, Source().events())
    assert [await anext(events), await anext(events)] == [1, 2]
    assert len(asked) == 2
    await events.aclose()


async def test_who_stops_listening_closes_the_source() -> None:
    source = Source()
    events = with_timeout(lambda: 60.0, source.events())
    await anext(events)
    await events.aclose()
    assert source.closed
