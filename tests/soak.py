"""`make soak`: many conversations at once through a stormy Slack and a moody model, judged by Slack's own journal.

    python -m tests.soak [--turns 600] [--seed N]

The verdict: every message that wants an answer got exactly one, whole or marked as failed, and nothing else was posted.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.playground.claude import Cut, HttpFault, Pace, Prompt, Turn
from tests.flow.chat import UNLIMITED, Chat, chatting, text_of
from tests.mongo import running_mongod

THREADS = 12
"""Conversations at the same time."""


@dataclass(frozen=True)
class Verdict:
    """What the journal says about a run."""

    turns: int
    whole: int
    failed: int
    wrong: tuple[str, ...]


def moody(seed: int, unrest: float) -> tuple[random.Random, list[Cut | HttpFault]]:
    """The dice and the faults of a model that fails now and then."""
    cuts: list[Cut | HttpFault] = [Cut("dropped", after=9), Cut("ended", after=9), Cut("overloaded", after=9)]
    faults = [*cuts, HttpFault(529), HttpFault(429, retry_after=1)]
    return random.Random(f"{seed} {unrest}"), faults


def answers(seed: int, unrest: float) -> Callable[[Prompt], Turn]:
    """An answer that names what it answers, so that the verdict can match them."""
    dice, faults = moody(seed, unrest)

    def answer(prompt: Prompt) -> Turn:
        asked = prompt.last_user_text.split()[-1]
        fault = dice.choice(faults) if dice.random() < unrest else None
        return Turn(text=f"Answer to {asked}. {'word ' * dice.randrange(60)}end.", pace=Pace(chunk=24), fault=fault)

    return answer


async def run(uri: str, turns: int, seed: int, unrest: float = 0.15) -> Verdict:
    """Hold many conversations and judge them."""
    async with chatting(uri, limits=False, seed=seed, **UNLIMITED) as chat:
        chat.claude.script.answer_always(answers(seed, unrest))
        chat.slack.faults.storm(unrest, seed)
        each = turns // THREADS
        places = [("Maya", "#general"), ("Maya", "#ops")]
        places += [(who, await chat.slack.people.opens_dm(who)) for who in ("Maya", "Sam", "Priya")]
        talks = [Talk(chat, number, *places[number % len(places)]) for number in range(THREADS)]
        await asyncio.gather(*(talk.hold(each) for talk in talks))
        chat.slack.faults.storm(0, seed)
        await chat.rests()
        return judge(talks, each)


@dataclass
class Talk:
    """One thread: somebody writes, waits for the end of the answer, and writes again."""

    chat: Chat
    number: int
    who: str
    where: str
    thread: str = ""

    async def hold(self, turns: int) -> None:
        """Talk through so many turns."""
        self.thread = await self.chat.says(f"@Threadwise q{self.number}.0", who=self.who, where=self.where)
        await self._answered(1)
        for turn in range(1, turns):
            await self.chat.says(f"q{self.number}.{turn}", who=self.who, where=self.where, thread=self.thread)
            await self._answered(turn + 1)

    def shown(self) -> list[str]:
        """What the app says in the thread."""
        return [text_of(message) for message in self.chat.thread(self.thread, who=self.who, where=self.where)]

    async def _answered(self, count: int) -> None:
        await self.chat.slack.people.waits(lambda: sum(map(is_end, self.shown())) >= count, 60)


def is_end(text: str) -> bool:
    """True for an answer that is whole or says that it failed."""
    return text.endswith("end.") or "Reference `" in text or "interrupted" in text


def judge(talks: list[Talk], each: int) -> Verdict:
    """Read the threads as people see them."""
    wrong: list[str] = []
    whole = failed = 0
    for number, shown in enumerate(talk.shown() for talk in talks):
        if len(shown) != each:
            wrong.append(f"thread {number}: {len(shown)} answers to {each} messages")
        for turn, text in enumerate(shown):
            if text.endswith("end.") and text.startswith(f"Answer to q{number}.{turn}."):
                whole += 1
            elif is_end(text):
                failed += 1
            else:
                wrong.append(f"thread {number}, turn {turn}: {text[:80]!r}")
    return Verdict(turns=each * len(talks), whole=whole, failed=failed, wrong=tuple(wrong))


def main() -> int:
    """Run it, print the verdict, exit 1 if anything is wrong."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--turns", type=int, default=600)
    ask.add_argument("--seed", type=int, default=int(time.time()))
    args = ask.parse_args()
    print(f"seed {args.seed}")
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_mongod(Path(folder)) as uri,
    ):
        verdict = asyncio.run(run(uri, args.turns, args.seed))
    print(f"{verdict.turns} messages: {verdict.whole} answered whole, {verdict.failed} marked as failed")
    print(*verdict.wrong or ["nothing lost, nothing twice"], sep="\n")
    return 1 if verdict.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
