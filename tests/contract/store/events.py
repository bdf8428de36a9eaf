"""Events and threads as the contract tests need them, with receipts as intake makes them."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.audit import AuditEvent, AuditType
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.events.heard import (
    ComponentStarted,
    DecisionStarted,
    GoalIdled,
    MessageDeleted,
    MessagePosted,
    RunDue,
    build_message_receipt,
)
from app.core.thread import ThreadKey
from app.ports.store import Store

ERASED = AuditEvent(type=AuditType.CONVERSATION_ERASED, reason="erase_confirmed", actor="U1")
NEVER = 3600.0
"""Seconds: a lease or a delay that does not end during a test. One of 0 seconds has ended when it begins."""


def ts(number: int) -> str:
    """Return the ts of the n-th thing that happened in Slack."""
    return f"1770000000.{number:06d}"


def thread(number: int = 1, team: str = "T1") -> ThreadKey:
    return ThreadKey(team=team, channel="C1", root=ts(number))


def posted(number: int, where: ThreadKey | None = None, *, opens: bool = False, text: str = "Hello") -> MessagePosted:
    """Return the n-th message, in its own thread if no other is named."""
    where = where or thread(number)
    receipt = build_message_receipt(where, ts(number))
    return MessagePosted(
        receipt=receipt, thread=where, ts=ts(number), user="U1", text=text, opens=opens, addressed=True
    )


def deleted(number: int, where: ThreadKey, target: int) -> MessageDeleted:
    """Return the deletion of the message with ts `target`, as the n-th thing that happened."""
    return MessageDeleted(
        receipt=f"{where.team}:{where.channel}:{ts(target)}:{ts(number)}",
        thread=where,
        ts=ts(target),
        at=ts(number),
    )


def left(number: int, where: ThreadKey) -> GoalIdled:
    """Return that a thread was found quiet, as the n-th thing that happened."""
    return GoalIdled(receipt=f"idle:{where.team}:{ts(number)}", thread=where, at=ts(number), newest=where.root)


def due(number: int, where: ThreadKey) -> RunDue:
    """Return that a run was found due, as the n-th thing that happened."""
    return RunDue(
        receipt=f"due:{where.team}:{ts(number)}", thread=where, at=ts(number), due="2026-03-01T09:00:00+00:00"
    )


def decided(number: int, where: ThreadKey, user: str = "U2") -> DecisionStarted:
    """Return that a decision was begun there, as the n-th thing that happened."""
    receipt = f"decide:{where.team}:{ts(number)}"
    return DecisionStarted(receipt=receipt, thread=where, at=ts(number), user=user, question="Which?", steps=())


def step_begun(number: int, where: ThreadKey, user: str = "U2") -> ComponentStarted:
    """Return that a step of a decision was begun there, as the n-th thing that happened."""
    receipt, hub = f"step:{where.team}:{ts(number)}", thread(900)
    return ComponentStarted(
        receipt=receipt, thread=where, at=ts(number), user=user, decision=hub, component="objectives"
    )


def happened(reason: str, actor: str = "U1") -> AuditEvent:
    """Return a change of state with this reason."""
    return AuditEvent(
        type=AuditType.STATE_TRANSITION,
        reason=reason,
        actor=actor,
        before="idle",
        after="streaming",
        correlation="T1:C1:1",
        counts={"tokens": 3},
    )


def said(seq: int, text: str = "Hello", number: int | None = None) -> Message:
    """Return the row of what a person said."""
    return Message(seq=seq, role=Role.PERSON, text=text, ts=ts(number or seq), author="U1")


async def claimed(store: Store, number: int = 1, seconds: float = NEVER) -> Conversation:
    """Open a thread and claim its conversation."""
    await store.inbox.take_in(posted(number, opens=True))
    return await claim(store, seconds)


async def claim(store: Store, seconds: float = NEVER) -> Conversation:
    """Claim what is there to claim."""
    claims = await store.conversations.claim_some("T1", "worker", seconds, (), 1)
    assert claims, "there is nothing to claim"
    return claims[0].conversation


async def saved(
    store: Store, conversation: Conversation, *rows: Message, audit: tuple[AuditEvent, ...] = ()
) -> Conversation:
    """Save rows and commit them all."""
    head = max((conversation.head, *(row.seq for row in rows)))
    step = Transition(conversation=replace(conversation, head=head), messages=rows, audit=audit)
    return await store.conversations.save(step)
