"""Input of one turn: its tools, its prompt, and the limits of a run that no one waits for."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from app.agent.reply import TurnSettings
from app.agent.thread_summary import UnwrittenSummary
from app.agent.tool_runner import NO_TOOLS, READ_FIRST, READ_NEXT, ToolRunner
from app.agent.tools.conversation.thread_toolset import Toolset
from app.core.conversation.conversation import Conversation, Message, Turn
from app.core.state.tool_use import Use
from app.core.turns.history import find_first_sent
from app.core.turns.takeover import can_resume

SYSTEM = resources.files("app.agent").joinpath("prompts/free.txt").read_text("utf-8")


_STEP = re.compile(r"\n?<step>\n.*?\n</step>", re.DOTALL)


def digest_prelude(settings: TurnSettings, said: str) -> str:
    """Return a digest of all that requests have before the messages: `said` is the prompt with the tools.

    Thinking is bound to it, and a cache holds nothing after a change in it.
    """
    return hashlib.sha256(json.dumps((settings.model, settings.account, said)).encode()).hexdigest()[:16]


Report = Callable[[Message, tuple[Use, ...], int, tuple[Message, ...]], Awaitable[None]]


async def _keep_nothing(_row: Message, _uses: tuple[Use, ...], _rounds: int, _heard: tuple[Message, ...]) -> None:
    """Save nothing: a turn without external tools has no progress to keep."""


async def _hear_nothing(_after: int) -> tuple[Message, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundLimits:
    """Limits of a scheduled run, for which no one waits: it shows nothing before its end and must be short."""

    seconds: float
    gives_way: Callable[[], bool]
    """Returns True if the owner has written a message that must be answered first."""


@dataclass(frozen=True, slots=True)
class TurnPrompt:
    """Input of a turn: the conversation with its transcript, the permitted tools, and the system prompt."""

    conversation: Conversation
    rows: tuple[Message, ...]
    tools: Toolset[Any]
    system: str = SYSTEM
    outside: ToolRunner = NO_TOOLS
    """The external tools."""
    prelude: str = ""
    """See `digest_prelude`."""
    report: Report = _keep_nothing
    """Saves the row with the text so far, the uses of its round, the number of requests, and what was read after it."""
    hear: Callable[[int], Awaitable[tuple[Message, ...]]] = _hear_nothing
    """Returns the messages after this `seq` if the owner has written one of them; none otherwise."""
    has_news: Callable[[], bool] = lambda: False
    """Returns True if the owner has written a message that no turn has read, and that this one can read."""
    hinder: Callable[[], str] = str
    """Returns why no further write begins, because the owner has written meanwhile; empty if one may."""
    unattended: BackgroundLimits | None = None
    notice: str = ""
    """What people are told before the model's words, such as which file could not be read."""
    drafts_from: tuple[str, ...] = ()
    """Slack's ids of the files from which the reply offers a draft of the step."""
    unwritten: UnwrittenSummary | None = None
    """The summary that is to be asked for first; None if it stands."""


def add_directive(rows: tuple[Message, ...], reply: int, told: str) -> tuple[Message, ...]:
    """Return the rows with this told after the message that the turn answers. `reply` is the row of the turn.

    It replaces what the turn was told of its step before, if it begins anew because its process died.
    """
    return tuple(
        replace(row, directive="\n".join(filter(None, (_STEP.sub("", row.directive), told))))
        if row.seq == reply
        else row
        for row in rows
    )


def find_hindrance(now: Conversation) -> str:
    """Return why the turn under way begins no further write: its owner has written since, or taken words back.

    Empty if nothing hinders it. The task of a due run is no message. Files are read when a turn begins, so a message
    with some waits for the next one.
    """
    unread, with_files = frozenset(now.asked) - {now.planned}, {file.seq for file in now.files}
    if not unread:
        return READ_FIRST if now.is_amended else ""
    return READ_FIRST if unread.isdisjoint(with_files) else READ_NEXT


def find_first_read(now: Conversation) -> int:
    """Return the `seq` before the first row that a turn is made from: that it sends, and of a step the first of all."""
    return 0 if now.interview else find_first_sent(now)


def find_reply(rows: Iterable[Message], seq: int) -> Message:
    """Return the row of a turn's reply."""
    return next(row for row in rows if row.seq == seq)


def find_finished(turn: Turn, rows: Iterable[Message]) -> Message | None:
    """Return the reply of a turn that goes on after finished rounds; None if it begins.

    A round that is not in the state is ignored: its process died before saving the state.
    """
    reply = find_reply(rows, turn.reply)
    return reply if turn.rounds and can_resume(turn, reply) else None
