"""The jobs of the soak: what each is, what the model says of it, and how it should be left.

Each fourth job takes two runs; each fifth one comes again, and was missed for days.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from app.clock import SystemClock
from app.core.conversation.conversation import Conversation, Transition
from app.core.events.heard import MessagePosted
from app.core.state.lifecycle import Lifecycle
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.status import Status
from app.core.thread import ThreadKey
from app.playground.claude import Prompt, ToolCall, Turn
from app.ports.store import Store

LEASE = 60.0  # seconds for which a conversation is held while it is planted


def words_of(number: int) -> tuple[str, ...]:
    """What the runs of a job have to say."""
    return tuple(f"Job {number}, run {run}." for run in range(1, 2 + _goes_on(number)))


def answer(prompt: Prompt) -> Turn:
    """What a run says: the job's number, and which of its runs this is."""
    asked = prompt.last_user_text
    job = re.search(r"Job (\d+)\.", asked)
    assert job, "only jobs are asked of this model"
    number, goes_on = int(job[1]), '"ran": 1' in asked
    message = f"Job {number}, run {1 + goes_on}."
    if goes_on or not _goes_on(number):
        return Turn(parts=[ToolCall("complete_work", {"message": message})])
    return Turn(parts=[ToolCall("continue_work", {"message": message, "state_update": {"ran": 1}})])


async def plan(store: Store, thread: ThreadKey, owner: str, number: int) -> None:
    """Begin a conversation in which this job is planned, and nothing else was ever said."""
    receipt = f"planted:{thread.channel}:{thread.root}"
    opener = MessagePosted(
        receipt=receipt, thread=thread, ts=thread.root, user=owner, text="Please.", opens=True, addressed=True
    )
    await store.inbox.take_in(opener)
    [claimed] = await store.conversations.claim_some(thread.team, "planting", LEASE, (), 1)
    stub = claimed.conversation
    assert stub.thread == thread, "nobody else is at work yet"
    planned = await store.conversations.save(Transition(conversation=_planned(stub, number)))
    await store.inbox.close_rows([receipt])
    await store.conversations.release(planned)


def _planned(stub: Conversation, number: int) -> Conversation:
    """The job planned, and due: what comes again has been missed day after day."""
    now, words = SystemClock().now(), f"Job {number}."
    at_once = Schedule(kind=ScheduleKind.IMMEDIATE, zone="UTC", instruction=words)
    far = now + timedelta(hours=12)
    daily = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron=f"{far.minute} {far.hour} * * *", instruction=words)
    missed = timedelta(days=1 + number % 7) if _comes_again(number) else timedelta()
    return replace(
        stub,
        lifecycle=Lifecycle.IN_PROGRESS,
        status=Status.BACKGROUND,
        schedule=daily if _comes_again(number) else at_once,
        next_run=(now - missed).isoformat(),
    )


def _goes_on(number: int) -> bool:
    return number % 4 == 0


def _comes_again(number: int) -> bool:
    return number % 5 == 1 and not _goes_on(number)


def is_at_rest(now: Conversation, number: int) -> bool:
    """True if nothing is planned any more; of what comes again, if it is planned for the future."""
    if not _comes_again(number):
        return (now.status, now.schedule) == (Status.ACTIVE, None)
    later = datetime.fromisoformat(now.next_run) if now.next_run else SystemClock().now()
    return now.status is Status.BACKGROUND and later > SystemClock().now()
