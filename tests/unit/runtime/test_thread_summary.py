"""What stands for the messages of a thread that are no longer sent: written by the model, or quotes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from app.agent.thread_summary import SYSTEM
from app.core.conversation.audit import AuditType
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.facts import Facts
from app.core.errors import FailureKind, ModelFailed
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.machine import apply
from app.core.turns.history import CHARS_PER_TOKEN, SUMMARY_CHARS
from tests.unit.agent.scripted import COST, REMEMBERED, Part, answers
from tests.unit.decision.components.worked import PLAYBOOK
from tests.unit.voiced import Voiced

KEY = "issue_raising"
FIRST = "Our hall is cold on Mondays."
TALK = [FIRST, *["x" * (PLAYBOOK[KEY].context_tokens * CHARS_PER_TOKEN // 8)] * 8, "And then?"]


async def outgrown(*said: Part) -> Voiced:
    """A step whose talk has outgrown its window; the model says this when it is asked for the summary."""
    voiced = Voiced(answers(text="I see."))
    voiced.model.remembers = said
    await voiced.begins(KEY, *TALK)
    return voiced


def sent(voiced: Voiced, place: int = -1) -> str:
    return "".join(str(message["content"]) for message in voiced.model.asked[place].messages)


@pytest.mark.req("FA-34")
async def test_a_thread_that_outgrew_its_window_is_told_as_the_model_has_summed_it_up() -> None:
    voiced = await outgrown()
    closed = await voiced.answering.end()
    summing, asking = voiced.model.asked
    assert (summing.system, summing.tools, FIRST in sent(voiced, 0)) == (SYSTEM, (), True)
    assert f"[Earlier conversation summarized: {REMEMBERED}]" in sent(voiced)
    assert SYSTEM not in asking.system
    now = voiced.hold.conversation
    assert (now.summary, now.summary_due, now.summarized) == (REMEMBERED, 0, now.since)
    assert closed.usage == COST + COST, "the summary is paid for"


@pytest.mark.req("FA-34")
@pytest.mark.parametrize(
    "said",
    [
        [ModelFailed(FailureKind.BUSY)],
        answers(text="x" * (SUMMARY_CHARS + 1)),
        answers(text="They have talked", status=MessageStatus.TRUNCATED),
        answers(text=" \n"),
    ],
    ids=["an outage", "too long", "cut off", "empty"],
)
async def test_quotes_stand_for_what_the_model_did_not_sum_up_and_the_answer_comes_all_the_same(
    said: list[Part],
) -> None:
    voiced = await outgrown(*said)
    closed = await voiced.answering.end()
    assert (closed.status, closed.text) == (MessageStatus.COMPLETE, "I see.")
    assert f"earlier messages discussed: {FIRST}; " in sent(voiced)
    assert (voiced.hold.conversation.summary_due, voiced.hold.conversation.summarized) == (0, 0)


async def test_a_summary_leaves_a_line_in_the_audit_log_without_a_word_of_it() -> None:
    voiced = await outgrown()
    await voiced.answering.end()
    await voiced.store.conversations.release(voiced.hold.conversation)
    (line,) = [each for each in voiced.store.audit.values() if each.type is AuditType.THREAD_SUMMARIZED]
    assert (line.reason, line.counts["characters"]) == ("written", len(REMEMBERED))
    assert REMEMBERED not in str(line)


async def test_a_summary_that_is_stopped_is_asked_for_again_by_the_next_turn() -> None:
    voiced = await outgrown(asyncio.Event())
    await voiced.model.begun.wait()
    await voiced.answering.cut(MessageStatus.CANCELLED)
    assert voiced.hold.conversation.summary_due


@pytest.mark.req("FA-34")
async def test_the_tools_that_a_request_offers_take_their_part_of_the_window() -> None:
    first = Voiced(answers(text="I see."))
    await first.begins(KEY, FIRST)
    await first.answering.end()
    (request,) = first.model.asked
    tools = len(json.dumps(request.tools))
    budget = (PLAYBOOK[KEY].context_tokens - PLAYBOOK[KEY].reserved_tokens) * CHARS_PER_TOKEN
    room = budget - len(request.system) - tools - len(str(request.messages))
    assert tools > 4_000
    for size, asked in ((room - 2_000, 1), (room + tools // 2, 2)):
        voiced = Voiced(answers(text="I see."))
        voiced.model.remembers = answers(text=REMEMBERED)
        await voiced.begins(KEY, FIRST, *["x" * (size // 4)] * 4, "And then?")
        await voiced.answering.end()
        assert len(voiced.model.asked) == asked


def target(voiced: Voiced) -> Message:
    author = voiced.hold.conversation.owner
    return Message(seq=1, role=Role.PERSON, text=FIRST, ts="9.1", author=author)


def change(voiced: Voiced, *, deleted: bool) -> None:
    """Its owner changes the first message, which only the summary still tells of."""
    now, facts = voiced.hold.conversation, Facts(targets=(target(voiced),))
    at, thread = "1770000200.000000", now.thread
    event = (
        MessageDeleted(receipt="c", thread=thread, ts="9.1", at=at)
        if deleted
        else MessageEdited(receipt="c", thread=thread, ts="9.1", at=at, user=now.owner, text="Our hall is warm.")
    )
    voiced.hold.conversation = apply.apply(replace(now, turn=None), event, "c", facts).conversation


@pytest.mark.req("FA-34")
@pytest.mark.parametrize("deleted", [True, False])
async def test_a_summary_is_written_again_when_a_message_in_it_was_changed_or_deleted(*, deleted: bool) -> None:
    voiced = await outgrown()
    await voiced.answering.end()
    change(voiced, deleted=deleted)
    now = voiced.hold.conversation
    assert now.summary_due
    assert now.summarized == 0
    assert not deleted or REMEMBERED not in now.summary


@pytest.mark.req("FA-34")
async def test_a_summary_of_a_message_that_was_deleted_meanwhile_is_not_kept() -> None:
    waits = asyncio.Event()
    voiced = await outgrown(waits, *answers(text=f"They said: {FIRST}"))
    await voiced.model.begun.wait()
    now, facts = voiced.hold.conversation, Facts(targets=(target(voiced),))
    event = MessageDeleted(receipt="c", thread=now.thread, ts="9.1", at="1770000200.000000")
    await voiced.hold.apply(event, "c", facts)
    waits.set()
    await voiced.answering.end()
    assert FIRST not in voiced.hold.conversation.summary
    assert voiced.hold.conversation.summary_due
