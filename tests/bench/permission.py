"""Group 7: a turn that waits for its owner: how soon they are asked, and what a press on each button takes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from time import time

from rich.table import Table

from app.core.copy import permission_cards
from app.core.state.permission import PermissionChoice
from app.playground.claude import Prompt, ToolCall, Turn
from app.playground.slack import Message
from handlers.slack import action_ids
from tests.bench import table
from tests.bench.stage import OURS, PATIENCE, WHO, Lab, Stage, at_work, prepared

FAR = 0.05
MINUTE = 61.0
"""Seconds in which the program allows itself fifty looks at channels, as Slack does; a press on *Allow* takes four."""
ALLOW, WAIT = list(PermissionChoice).index(PermissionChoice.ALLOW), list(PermissionChoice).index(PermissionChoice.WAIT)
"""The places of the two buttons."""
NOTE = (
    "The model wants to post in another channel. Asked: from the end of its stream to the arrival of the question at "
    "Slack's door; the channel is looked up in between. Allow: from the press to the arrival of the post that was "
    "allowed. Wait: from the press to the arrival of the words that say so. Times at the door leave out what Slack "
    "takes for that call, and hold what it takes for those before it."
)


FULL, QUICK = 8, 3
"""How often each of the two buttons is pressed."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Seconds until the owner was asked, and from their press until what followed was at Slack's door."""

    asked: float
    followed: float


def _figures(followed: str, limit: float | None) -> Sequence[table.Figure[Decided]]:
    return (
        table.Figure("the question is at Slack's door", table.milliseconds, lambda d: d.asked, limit),
        table.Figure(followed, table.milliseconds, lambda d: d.followed),
    )


async def measure(lab: Lab) -> Table:
    """Press the two buttons in turn, before a Slack that answers at once and before one that takes its time."""
    presses = QUICK if lab.quick else FULL
    rows: list[table.Row] = []
    async with prepared(limits=False) as stage, at_work(stage, OURS, lab):
        stage.claude.script.answer_always(_wish)
        await _decide(stage, ALLOW)
        for latency in (0.0, FAR):
            stage.latency["*"] = latency
            if latency and not lab.quick:
                await asyncio.sleep(MINUTE)
            allowed: list[Decided] = []
            waited: list[Decided] = []
            for _ in range(presses):
                allowed.append(await _decide(stage, ALLOW))
                waited.append(await _decide(stage, WAIT))
            slack = f"Slack takes {table.milliseconds(latency)}" if latency else "Slack answers at once"
            limit = None if latency else 0.1
            rows += table.compared(f"Allow, {slack}", _figures("pressed → what it allows", limit), allowed)
            rows += table.compared(f"Wait, {slack}", _figures("pressed → it says so", limit), waited)
    return table.drawn("7. Permission", rows, NOTE)


def _wish(prompt: Prompt) -> Turn:
    """The model posts where it is told to, and has nothing more to say then."""
    if prompt.messages[-1].of("tool_result"):
        return Turn(text="Done.")
    channel = re.findall(r"to (bench-\d+)", prompt.last_user_text)[-1]
    return Turn(parts=[ToolCall("post_message", {"channel": channel, "text": "The news."})])


async def _decide(stage: Stage, place: int) -> Decided:
    """Ask in one channel for a post in another, and press a button; each is new, for Slack's pace is one of each."""
    channel, target = stage.channels(2)
    wish = f"please, post it to {stage.slack.workspace.channels[target].name}"
    root = await stage.slack.people.says(WHO, channel, f"@Threadwise {wish}")

    def card() -> Message | None:
        shown = stage.slack.people.sees(WHO, channel, root)
        return next((each for each in shown if f"{action_ids.ANSWER_PREFIX}{ALLOW}" in str(each.blocks)), None)

    question = await stage.slack.people.waits(card, PATIENCE)
    assert question is not None
    wanted_at = stage.exchange(wish).ended_at
    assert wanted_at is not None, "a request that led to a question has ended"
    await stage.rest()
    pressed_at = time()
    await stage.slack.people.clicks(WHO, channel, question.ts, f"{action_ids.ANSWER_PREFIX}{place}")
    where, words = (target, "The news.") if place == ALLOW else (channel, permission_cards.INTERRUPTED)
    await stage.slack.people.waits(lambda: _at_the_door(stage, where, words), PATIENCE)
    followed_at = _at_the_door(stage, where, words)
    await stage.rest()
    asked_at = _at_the_door(stage, channel, f"{action_ids.ANSWER_PREFIX}{ALLOW}")
    return Decided(asked_at - wanted_at, followed_at - pressed_at)


def _at_the_door(stage: Stage, channel: str, words: str) -> float:
    """When the first post or edit with these words in that channel had come to Slack's door; 0 if none has."""
    calls = (entry for entry in stage.writes() if entry["args"].get("channel") == channel)
    shown_at = next((entry["at"] for entry in calls if words in str(entry["args"])), 0.0)
    return shown_at and shown_at - stage.latency["*"]
