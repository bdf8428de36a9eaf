"""Values that the tests of the core begin with: one thread, its owner, somebody else, and what they do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role
from app.core.errors import FailureKind
from app.core.events.acts import RetryPressed
from app.core.events.heard import MessageDeleted, MessageEdited, MessagePosted
from app.core.state.lifecycle import Lifecycle
from app.core.text.marks import FORM
from app.core.thread import ThreadKey

THREAD = ThreadKey(team="T1", channel="C1", root="1770000000.000001")
OWNER, OTHER = "UOWNER", "UOTHER"
LATER = "1770000999.000001"


def conversation(**values: Any) -> Conversation:
    """In the form of the day, as every conversation is from its first turn on."""
    begun = Conversation(id="c1", thread=THREAD, owner=OWNER, title="A thread", lifecycle=Lifecycle.IN_PROGRESS)
    return replace(begun, **{"form": FORM, **values})


def ts(number: int) -> str:
    return f"1770000000.{number:06d}"


def posted(number: int, text: str, user: str = OWNER, *, opens: bool = False, addressed: bool = True) -> MessagePosted:
    return MessagePosted(
        receipt=f"message:{number}",
        thread=THREAD,
        ts=ts(number),
        user=user,
        text=text,
        opens=opens,
        addressed=addressed,
    )


def edited(row: Message, text: str) -> MessageEdited:
    return MessageEdited(receipt=f"edit:{row.seq}", thread=THREAD, ts=row.ts, at=LATER, user=row.author, text=text)


def deleted(row: Message) -> MessageDeleted:
    return MessageDeleted(receipt=f"delete:{row.seq}", thread=THREAD, ts=row.ts, at=LATER)


def retried(reply: Message | None, user: str = OWNER) -> RetryPressed:
    return RetryPressed(
        receipt="action:1", thread=THREAD, ts=ts(99), at=LATER, user=user, reply=reply.seq if reply else 1
    )


def said(seq: int, text: str, author: str = OWNER, author_name: str = "") -> Message:
    return Message(seq=seq, role=Role.PERSON, text=text, ts=ts(seq), author=author, author_name=author_name)


def note(seq: int, text: str, author: str = OWNER, author_name: str = "") -> Message:
    return Message(seq=seq, role=Role.NOTE, text=text, ts=ts(seq), author=author, author_name=author_name)


def reply(seq: int, text: str, status: MessageStatus = MessageStatus.COMPLETE, **values: Any) -> Message:
    failure = FailureKind.BUSY.value if status is MessageStatus.FAILED else ""
    return replace(Message(seq=seq, role=Role.ASSISTANT, text=text, status=status, failure=failure), **values)
