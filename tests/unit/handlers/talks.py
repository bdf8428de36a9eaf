"""Conversations in the states that the surfaces tell apart, and how they get into a store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation, Message, Transition
from app.core.events.heard import MessagePosted
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.ports.store import Store
from tests.unit.handlers.payloads import CHANNEL, MAYA, TEAM

MONDAY = Schedule(kind=ScheduleKind.CRON, zone="Europe/Berlin", cron="0 9 * * 1", instruction="Ask for the numbers.")


def talk(number: int, title: str = "Winter rota", **more: Any) -> Conversation:
    """An active conversation of Maya's; the higher the number, the newer."""
    channel = more.pop("channel", CHANNEL)
    thread = ThreadKey(team=TEAM, channel=channel, root=f"17700001{number:02}.000100")
    state: dict[str, Any] = {"owner": MAYA, "lifecycle": Lifecycle.IN_PROGRESS, "newest": thread.root, **more}
    return Conversation(id=f"c{number}", thread=thread, title=title, **state)


def waiting(number: int, title: str = "Rota plan", **more: Any) -> Conversation:
    """One that waits for an answer."""
    asked = Question(id="q", kind=QuestionKind.INPUT, prompt="By when?", card=3)
    return talk(number, title, status=Status.WAITING_INPUT, question=asked, cards=(3,), **more)


def planned(number: int, title: str = "Weekly ops digest", **more: Any) -> Conversation:
    """One that runs on Mondays."""
    return talk(number, title, status=Status.BACKGROUND, schedule=MONDAY, next_run="2026-03-02T08:00:00+00:00", **more)


def put_away(number: int, title: str = "Old plans", **more: Any) -> Conversation:
    """One that is archived."""
    return talk(number, title, status=Status.ARCHIVED, **more)


async def placed(store: Store, now: Conversation, *rows: Message) -> Conversation:
    """Let there be this conversation, with these rows, in a store that has no other work."""
    opened = MessagePosted(
        receipt=f"made:{now.thread.root}",
        thread=now.thread,
        ts=now.thread.root,
        user=now.owner,
        text="x",
        opens=True,
        addressed=True,
    )
    await store.inbox.take_in(opened)
    [claimed] = await store.conversations.claim_some(now.thread.team, "maker", 60, (), 1)
    stub = claimed.conversation
    step = Transition(conversation=replace(now, id=stub.id, fence=stub.fence, version=stub.version), messages=rows)
    made = await store.conversations.save(step)
    await store.conversations.release(made)
    await store.inbox.close_rows([opened.receipt])
    return made
