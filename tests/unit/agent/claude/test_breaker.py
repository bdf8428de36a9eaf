"""While the model is plainly away nobody waits for its timeouts, and one request at a time finds out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

import pytest

from app.agent.claude.breaker import FAILURES_TO_OPEN, OPEN_SECONDS, PROBE_SECONDS, Breaker
from app.core.errors import FailureKind, ModelFailed
from app.ports import ModelReply
from tests.contract.store.clock import ManualClock
from tests.unit.agent.scripted import ANSWER, COUNTED, REQUEST, Part, ScriptedModel, deltas

BUSY, INVALID = [ModelFailed(FailureKind.BUSY)], [ModelFailed(FailureKind.INVALID)]
FIVE = [BUSY] * FAILURES_TO_OPEN


class Line:
    """A breaker in front of a scripted model."""

    def __init__(self, *scripts: Sequence[Part]) -> None:
        self.clock = ManualClock()
        self.model = ScriptedModel(*scripts)
        self.breaker = Breaker(self.model, self.clock)

    async def ask(self) -> ModelFailed | None:
        """Ask as a turn does: who has the whole reply listens no longer."""
        try:
            async with aclosing(self.breaker.stream(REQUEST)) as events:
                async for event in events:
                    if isinstance(event, ModelReply):
                        return None
        except ModelFailed as failure:
            return failure
        return None

    async def ask_times(self, times: int) -> None:
        for _ in range(times):
            await self.ask()


async def test_after_five_failures_in_a_row_nobody_is_asked_for_thirty_seconds() -> None:
    line = Line(*FIVE)
    await line.ask_times(5)
    line.clock.advance(OPEN_SECONDS - 10)
    refused = await line.ask()
    assert refused is not None
    assert (refused.kind, refused.after) == (FailureKind.BUSY, 10.0)
    assert len(line.model.asked) == 5


@pytest.mark.parametrize(
    "script",
    [[ModelFailed(FailureKind.TIMEOUT)], [*deltas("Hel"), *BUSY]],
    ids=["a timeout", "a stream that fails half way"],
)
async def test_whatever_fails_counts(script: list[Part]) -> None:
    line = Line(*[script] * 5)
    await line.ask_times(6)
    assert len(line.model.asked) == 5


@pytest.mark.parametrize("proof", [[ANSWER], INVALID, [ModelFailed(FailureKind.LIMITED)]], ids=str)
async def test_whatever_shows_that_somebody_answers_starts_the_count_anew(proof: list[Part]) -> None:
    line = Line(*FIVE[1:], proof, *FIVE[1:], [ANSWER])
    await line.ask_times(9)
    assert await line.ask() is None
    assert len(line.model.asked) == 10


async def test_after_the_pause_an_answer_closes_the_circuit() -> None:
    line = Line(*FIVE, [ANSWER], *FIVE[1:], [ANSWER])
    await line.ask_times(5)
    line.clock.advance(OPEN_SECONDS)
    await line.ask_times(5)
    assert await line.ask() is None
    assert len(line.model.asked) == 11


async def test_a_probe_that_fails_opens_it_for_another_pause() -> None:
    line = Line(*FIVE, BUSY)
    await line.ask_times(5)
    line.clock.advance(OPEN_SECONDS)
    await line.ask_times(2)
    refused = await line.ask()
    assert refused is not None
    assert refused.after == OPEN_SECONDS
    assert len(line.model.asked) == 6


async def test_only_one_at_a_time_finds_out_and_its_first_sign_lets_the_others_in() -> None:
    first, rest = asyncio.Event(), asyncio.Event()
    line = Line(*FIVE, [first, COUNTED, rest, ANSWER], [ANSWER])
    await line.ask_times(5)
    line.clock.advance(OPEN_SECONDS)
    probe = line.breaker.stream(REQUEST)
    sign = asyncio.ensure_future(anext(probe))
    line.model.begun.clear()
    await line.model.begun.wait()
    refused = await line.ask()
    assert refused is not None
    assert (refused.kind, refused.after) == (FailureKind.BUSY, PROBE_SECONDS)
    first.set()
    assert await sign is COUNTED
    assert await line.ask() is None
    await probe.aclose()


async def test_a_probe_that_a_person_stops_leaves_the_finding_out_to_the_next() -> None:
    line = Line(*FIVE, [asyncio.Event()], [ANSWER])
    await line.ask_times(5)
    line.clock.advance(OPEN_SECONDS)
    line.model.begun.clear()
    probe = asyncio.ensure_future(line.ask())
    await line.model.begun.wait()
    probe.cancel()
    await asyncio.wait({probe})
    assert await line.ask() is None
