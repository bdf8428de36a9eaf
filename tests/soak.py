"""`make soak`: thousands of turns while processes are killed, MongoDB goes down, and Slack and the model have bad days.

    python -m tests.soak [--turns 2000] [--jobs 2000] [--seed N] [--processes 3] [--workspaces 4]

The program keeps Slack's fifty edits a minute by the real clock, so several workspaces go on side by side, each with a
MongoDB of its own.
For the first quarter one process serves the workspace, then several share one MongoDB and one Slack. The verdict is
that of the crash matrix: it reads what people see. The same seed throws the same dice; time adds its own. Due schedules
(`tests.soak_runs`) come after that.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.playground.claude import Cut, HttpFault, Pace, Prompt, Text, Thinking, Turn
from app.playground.slack.values.model import Channel
from store.database.embedded import run_mongod
from tests import soak_runs
from tests.crash import answers
from tests.crash.stage import Stage, nursed, staging
from tests.crash.talk import Talk
from tests.crash.verdict import Ending, Kind, Said, Verdict, Wrong, judge

SLACK_UNREST, MODEL_UNREST = 0.06, 0.06
KINDS = ("",) * 16 + ("s",) * 3 + ("l",)
"""Most answers come at once: Slack allows fifty edits a minute, so only some can be watched as they grow."""
SLOW_SECONDS = 1.0
WHIMS = ("edit",) * 2 + ("delete", "more", "more", "intrude", "again") + ("",) * 13
"""What people do while they wait for an answer."""
PATIENCE = 300.0  # seconds; fifty edits a minute are few for this many threads of a workspace
CALM = 180.0  # seconds after which nothing may be under way any more

TIMES = {"LEASE_SECONDS": "2.0", "HEARTBEAT_SECONDS": "0.4", "WRITE_SECONDS": "1.2", "POLL_SECONDS": "0.5"}
"""Short, so that a process that died is missed soon; long enough for a machine that has much to do."""

FAULTS: tuple[Cut | HttpFault, ...] = (
    Cut("dropped", after=40),
    Cut("ended", after=40),
    Cut("overloaded", after=40),
    HttpFault(529),
    HttpFault(429, retry_after=1),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of a soak."""

    turns: int
    seed: int
    processes: int = 3
    rooms: int = 12
    """Conversations at the same time, each in a channel of its own: a channel takes one post a second."""
    turns_per_thread: int = 8
    turns_per_kill: int = 15
    turns_per_outage: int = 250


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: its figures and what is wrong."""

    table: dict[str, int]
    wrong: tuple[Wrong, ...]


@dataclass
class Soak:
    """A run. `counts` are what happened, for the table."""

    plan: Plan
    stage: Stage
    break_mongod: Callable[[], None]
    progress: Callable[[int], None]
    counts: Counter[str] = field(default_factory=Counter[str])
    calm: bool = False
    talks: list[Talk] = field(default_factory=list[Talk])

    def __post_init__(self) -> None:
        self.dice = random.Random(self.plan.seed)
        self.model_dice = random.Random(f"{self.plan.seed} model")
        self.stage.claude.script.answer_always(self.answer)

    def answer(self, prompt: Prompt) -> Turn:
        """The model's answer, if it has a good day."""
        tokens = answers.asked(prompt)
        text = answers.whole(tokens, len(prompt.messages))
        fault = None
        if not self.calm and self.model_dice.random() < MODEL_UNREST:
            fault = self.model_dice.choice(FAULTS)
            self.counts["model faults"] += 1
        slow = any(token.endswith("s") for token in tokens)
        pace = Pace(chunk=24, seconds=SLOW_SECONDS * 24 / len(text)) if slow else Pace(chunk=len(text))
        return Turn(parts=(Thinking("Let me see."), Text(text)), pace=pace, fault=fault)

    async def room(self, where: str) -> None:
        """Hold one thread after the other until enough was said; when all is calm, say one thing more."""
        while self.counts["turns"] < self.plan.turns:
            talk = Talk(self.stage, len(self.talks), self.dice.choice(("Maya", "Sam")), where)
            self.talks.append(talk)
            for _ in range(self.plan.turns_per_thread):
                await self.turn(talk)

    async def turn(self, talk: Talk) -> None:
        """Say something, do what comes to mind, wait for the answer."""
        said = await talk.says(self.dice.choice(KINDS))
        self.took_place()
        await self.follow(self.dice.choice(WHIMS), talk, said)
        await talk.settled(*talk.said[-3:], patience=PATIENCE)
        if talk.replies()[-1].ending is Ending.MARKED and self.dice.random() < 0.7:
            self.counts["retries"] += 1
            await talk.presses_retry(patience=PATIENCE)

    async def follow(self, whim: str, talk: Talk, said: Said) -> None:
        """Do what people do while they wait.

        In a new thread nothing but edits: what overtakes the message that opens its thread belongs to no thread yet.
        """
        self.counts[f"whim {whim}"] += bool(whim)
        match whim:
            case "edit":
                await talk.edits(said)
            case "delete" if len(talk.said) > 1:
                await talk.deletes(said)
            case "more" if len(talk.said) > 1:
                await talk.says()
                self.took_place()
            case "intrude" if len(talk.said) > 1:
                await talk.says(who="Priya", wish="lock")
            case "again":
                deliveries = self.stage.slack.journal.entries[-50:]
                names = [each["name"] for each in deliveries if each["kind"] == "ack" and each["name"][:2] == "Ev"]
                self.stage.slack.deliver_again(self.dice.choice(names)) if names else None
            case _:
                return

    def took_place(self) -> None:
        """Count a turn, and let happen what is due."""
        self.counts["turns"] += 1
        turns, plan = self.counts["turns"], self.plan
        self.progress(turns)
        if turns == plan.turns // 4:
            self.stage.wanted = plan.processes
        if turns % plan.turns_per_kill == 0 and self.stage.programs:
            self.dice.choice(self.stage.programs).kill()
        if turns % plan.turns_per_outage == 0:
            self.counts["MongoDB killed"] += 1
            self.break_mongod()

    async def hold(self) -> Verdict:
        """The whole run."""
        slack, seed = self.stage.slack, self.plan.seed
        slack.faults.storm(SLACK_UNREST, seed)
        rooms = [_channel(self.stage, number) for number in range(self.plan.rooms)]
        late = await asyncio.gather(*map(self.room, rooms), return_exceptions=True)
        slack.faults.storm(0, seed)
        self.calm = True
        troubles = [Wrong(Kind.LOST, f"waited in vain: {each!r}") for each in late if isinstance(each, BaseException)]
        troubles += await self.stage.rests(CALM)
        troubles += await self.last_words()
        troubles += [*await self.stage.rests(CALM), *self.stage.refused()]
        verdicts = [judge(talk.seen()) for talk in self.talks]
        wrong = (*troubles, *(fault for verdict in verdicts for fault in verdict.wrong))
        return Verdict(sum(v.whole for v in verdicts), sum(v.marked for v in verdicts), wrong)

    async def last_words(self) -> list[Wrong]:
        """In a calm workspace the next turn of each thread must work, whatever it went through; some are tried."""
        talks = self.talks[-self.plan.rooms :]

        async def last_ending(talk: Talk) -> Ending:
            await talk.settled(await talk.says(), patience=PATIENCE)
            return talk.replies()[-1].ending

        endings = await asyncio.gather(*map(last_ending, talks), return_exceptions=True)
        return [
            Wrong(Kind.LOST, f"thread {talk.number}: its next turn came to {ending!r}")
            for talk, ending in zip(talks, endings, strict=True)
            if ending is not Ending.WHOLE
        ]


def _channel(stage: Stage, number: int) -> str:
    workspace = stage.slack.workspace
    members = tuple(workspace.members)
    return workspace.add_channel(Channel(workspace.mint.id("C"), f"room-{number}", "channel", members, 0)).id


async def run(plan: Plan, folder: Path, progress: Callable[[int], None] = lambda turns: None) -> Outcome:
    """Run a soak in this folder."""
    began = time.monotonic()
    async with run_mongod(folder) as uri, staging(uri, folder, settings=_settings(), limits=False) as stage:
        soak = Soak(plan, stage, lambda: _kill_mongod(folder), progress)
        await stage.start()
        async with nursed(stage):
            verdict = await soak.hold()
        table = _table(soak, verdict, time.monotonic() - began, await stage.open_leases())
        return Outcome(table, verdict.wrong)


def _settings() -> dict[str, str]:
    return {f"THREADWISE_{name}": seconds for name, seconds in TIMES.items()}


def _kill_mongod(folder: Path) -> None:
    os.kill(int((folder / "mongodb" / "db" / "mongod.lock").read_text()), signal.SIGKILL)


def _table(soak: Soak, verdict: Verdict, seconds: float, leases: int) -> dict[str, int]:
    counts, kinds = soak.counts, Counter(wrong.kind for wrong in verdict.wrong)
    logs = "".join(log.read_text() for log in soak.stage.folder.glob("*.log"))
    calls = soak.stage.slack.journal.of("call")
    return {
        "seed": soak.plan.seed,
        "seconds": round(seconds),
        "turns": counts["turns"],
        "threads": len(soak.talks),
        "processes killed": soak.stage.kills,
        "MongoDB killed": counts["MongoDB killed"],
        "turns taken over": logs.count('"turn_taken_over"'),
        "Slack faults": sum(not call["answer"].get("ok") for call in calls),
        "model faults": counts["model faults"],
        "edits": counts["whim edit"],
        "deletions": counts["whim delete"],
        "delivered again": counts["whim again"],
        "Retry pressed": counts["retries"],
        "answered whole": verdict.whole,
        "marked with Retry": verdict.marked,
        "lost": kinds[Kind.LOST],
        "twice": kinds[Kind.TWICE],
        "half": kinds[Kind.HALF],
        "stray": kinds[Kind.STRAY],
        "open leases": leases,
    }


def _show(plan: Plan) -> Callable[[int], None]:
    began, step = time.monotonic(), max(plan.turns // 20, 1)

    def show(turns: int) -> None:
        if turns % step == 0:
            print(f"{turns:>6} of {plan.turns} turns, {time.monotonic() - began:>4.0f} s", file=sys.stderr, flush=True)

    return show


async def run_side_by_side(plan: Plan, workspaces: int, folder: Path) -> Outcome:
    """Share the turns among several workspaces; figures are added up, but for the seed and the seconds."""
    plans = [replace(plan, turns=plan.turns // workspaces, seed=plan.seed + nth) for nth in range(workspaces)]
    homes = [folder / str(nth) for nth in range(workspaces)]
    for home in homes:
        home.mkdir()
    shows = [_show(each) for each in plans]
    outcomes = await asyncio.gather(*(run(p, home, show) for p, home, show in zip(plans, homes, shows, strict=True)))
    tables = [outcome.table for outcome in outcomes]
    table = {name: sum(each[name] for each in tables) for name in tables[0]}
    table |= {"seed": plan.seed, "seconds": max(each["seconds"] for each in tables)}
    return Outcome(table, tuple(wrong for outcome in outcomes for wrong in outcome.wrong))


def main() -> int:
    """Run it, print the table, exit 1 if anything is wrong."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--turns", type=int, default=2000)
    ask.add_argument("--jobs", type=int, default=2000)
    ask.add_argument("--seed", type=int, default=int(time.time()))
    ask.add_argument("--processes", type=int, default=3)
    ask.add_argument("--workspaces", type=int, default=4)
    asked = ask.parse_args()
    plan = Plan(turns=asked.turns, seed=asked.seed, processes=asked.processes)
    jobs = soak_runs.Plan(jobs=asked.jobs, seed=asked.seed)
    print(f"seed {plan.seed}")
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder:
        turns = asyncio.run(run_side_by_side(plan, asked.workspaces, Path(folder)))
        wrong = _told(turns.table, turns.wrong)
        runs = asyncio.run(soak_runs.run_alone(jobs, Path(folder, "jobs")))
        wrong += _told(runs.table, runs.wrong)
    return 1 if wrong else 0


def _told(table: dict[str, int], wrong: tuple[Wrong, ...]) -> tuple[Wrong, ...]:
    print(*(f"{name:<20}{value:>12}" for name, value in table.items()), sep="\n")
    print(*wrong or ["nothing lost, nothing twice"], sep="\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
