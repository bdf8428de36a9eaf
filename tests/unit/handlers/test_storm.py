"""Many answers at once over several processes that share one ledger, before a Slack that counts strictly.

Virtual time: an hour of Slack takes as long as its calls.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from app.core.conversation.conversation import MessageStatus
from app.ports import Ledger
from handlers.slack.budget import TIERS
from tests.memory_store import MemoryLedger
from tests.unit.handlers.place import outlet_to
from tests.unit.handlers.strict_slack import Call, Notes, StrictSlack, conversation, reply
from tests.virtual import VirtualClock, in_virtual_time

PROCESSES, CHANNELS = 3, 20
WINDOW = TIERS["chat.update"].window


@dataclass
class Answer:
    """What became of one answer. Times are seconds since the beginning."""

    number: int
    asked: float = 0.0
    ended: float = 0.0
    delivered: float = 0.0
    notes: Notes = field(default_factory=Notes)

    @property
    def parts(self) -> tuple[str, ...]:
        return self.notes.texts[-1][1]

    @property
    def words(self) -> str:
        return f"answer {self.number} " + "word " * 60 + "end"


class Storm:
    """`tier` is how many edits a minute Slack allows, which nobody tells the program."""

    def __init__(self, tier: int) -> None:
        self.clock = VirtualClock()
        self.slack = StrictSlack(self.clock, {"chat.update": tier}, seconds=0.1)
        ledger: Ledger = MemoryLedger(self.clock)
        self.outlets = [outlet_to(self.slack, self.clock, ledger, process=f"{each}a7e") for each in range(PROCESSES)]

    async def answers(self, count: int, seconds: float) -> list[Answer]:
        """All of them asked within a second, each streamed for so long."""
        answers = [Answer(number) for number in range(count)]
        await asyncio.gather(*(self._answer(answer, seconds) for answer in answers))
        for outlet in self.outlets:
            await outlet.close()
        return answers

    async def _answer(self, answer: Answer, seconds: float) -> None:
        outlet = self.outlets[answer.number % PROCESSES]
        thread = conversation(answer.number, f"C{answer.number % CHANNELS}")
        await self.clock.sleep(answer.number / 100)
        answer.asked = self.clock.monotonic()
        draft = outlet.draft(thread, reply(), answer.notes)
        words = answer.words
        for share in range(1, 101):
            await self.clock.sleep(seconds / 100)
            draft.show(words[: len(words) * share // 100])
        parts = await draft.close()
        answer.ended = self.clock.monotonic()
        final = replace(reply(words, MessageStatus.COMPLETE), parts=parts)
        await outlet.finish(thread, final, answer.notes, draft)
        answer.delivered = self.clock.monotonic()

    def most_refusals_in_a_window(self) -> int:
        times = [call.at for call in self.slack.too_early]
        return max((sum(at <= other < at + 60 for other in times) for at in times), default=0)

    def shown(self, answer: Answer) -> list[Call]:
        """Each time people saw something new of it."""
        root = conversation(answer.number).thread.root
        posts = [call for call in self.slack.made("chat.postMessage") if call.arguments["thread_ts"] == root]
        return posts + [call for call in self.slack.made("chat.update") if call.arguments["ts"] in answer.parts]


def assert_all_said(storm: Storm, answers: list[Answer]) -> None:
    for answer in answers:
        (ts,) = answer.parts
        assert storm.slack.posts[ts].markdown == answer.words
        assert storm.slack.posts[ts].actions == []


def assert_in_turns(times: list[list[float]]) -> None:
    """While one of these answers stood still, no other went on more than twice."""
    for still in times:
        for earlier, later in pairwise(still):
            assert max(sum(earlier < at < later for at in other) for other in times) <= 2


def raise_storm(tier: int, count: int, seconds: float) -> tuple[Storm, list[Answer]]:
    """So many answers at once, each streamed for so long: the storm, when it is over, and what became of them."""

    async def run() -> tuple[Storm, list[Answer]]:
        storm = Storm(tier)
        return storm, await storm.answers(count, seconds)

    return in_virtual_time(run())


@pytest.mark.parametrize(("tier", "seconds"), [(50, 5), (10, 40)])
def test_a_hundred_answers_at_once_lose_no_word_raise_no_storm_and_are_begun_and_delivered_as_early_as_slack_allows(
    tier: int, seconds: float
) -> None:
    storm, answers = raise_storm(tier, 100, seconds)
    assert_all_said(storm, answers)
    assert storm.most_refusals_in_a_window() <= 1
    bound = (math.ceil(len(answers) / tier) + 1) * WINDOW
    assert max(answer.delivered - answer.ended for answer in answers) <= bound
    posts = TIERS["chat.postMessage"]
    queue = len(answers) / CHANNELS / posts.calls * posts.window
    assert max(storm.shown(answer)[0].at - answer.asked for answer in answers) <= queue + 3


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("count", [1, 5])
def test_where_slack_allows_four_edits_a_minute_answers_meet_one_refusal_a_window_at_most_and_lose_no_word(
    count: int,
) -> None:
    storm, answers = raise_storm(4, count, 180)
    assert_all_said(storm, answers)
    assert storm.most_refusals_in_a_window() <= 1
    assert len(storm.slack.too_early) <= 3, "each try for more is later than the one before"
    bound = (math.ceil(count / 4) + 1) * WINDOW
    assert max(answer.delivered - answer.ended for answer in answers) <= bound


@pytest.mark.parametrize("tier", [50, 10])
def test_no_answer_stands_still_while_others_grow(tier: int) -> None:
    storm, answers = raise_storm(tier, 30, 900)
    assert storm.most_refusals_in_a_window() <= 1
    times = [[call.at for call in storm.shown(answer)] for answer in answers]
    for process in range(PROCESSES):
        assert_in_turns(times[process::PROCESSES])
    edits = [sum(map(len, times[process::PROCESSES])) for process in range(PROCESSES)]
    assert max(edits) <= 2 * min(edits), "no process is always too late"
