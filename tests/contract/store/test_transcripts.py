"""The contract of transcripts: what counts is what `head` commits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Role, Transition
from app.core.conversation.usage import Usage
from app.core.errors import LostConversation
from app.ports.store import Store
from tests.contract.store.events import ERASED, claim, claimed, said, saved, thread, ts

REPLY = Message(seq=2, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING, model="m")


async def test_a_transcript_is_what_was_saved_in_order_beyond_a_row(store: Store) -> None:
    rows = tuple(said(seq, f"message {seq}") for seq in range(1, 13))
    conversation = await saved(store, await claimed(store), *reversed(rows))
    assert await store.conversations.transcript(conversation, 0) == rows
    assert await store.conversations.transcript(conversation, 10) == rows[10:]
    assert await store.conversations.transcript(conversation, 12) == ()


async def test_every_field_of_a_row_comes_back(store: Store) -> None:
    usage = Usage(input_tokens=5, output_tokens=3, cache_read_tokens=2, cache_write_tokens=1)
    full = replace(
        REPLY,
        seq=1,
        text="Grüße 👋",
        parts=(ts(8), ts(9)),
        content='[{"a": 1}]',
        failure="busy",
        reference="r",
        usage=usage,
    )
    conversation = await saved(store, await claimed(store), full)
    assert await store.conversations.row(conversation, 1) == full


async def test_a_row_beyond_head_does_not_count_and_is_replaced(store: Store) -> None:
    first = await claimed(store)
    conversation = await saved(store, first, said(1))
    orphaned = await store.conversations.save(
        Transition(conversation=conversation, messages=(said(2, "of a dead worker"),))
    )
    assert await store.conversations.transcript(orphaned, 0) == (said(1),)
    assert await store.conversations.row(orphaned, 2) is None
    assert await store.conversations.rows_of(orphaned, ts(2)) == ()
    with pytest.raises(LostConversation):
        await store.conversations.record_draft(orphaned, said(2, "draft"))
    await store.conversations.release(orphaned)
    taken_over = await saved(store, await claim(store), said(2, "of the living"))
    assert await store.conversations.transcript(taken_over, 1) == (said(2, "of the living"),)


async def test_the_content_of_a_deleted_message_is_gone(store: Store) -> None:
    conversation = await saved(store, await claimed(store), said(1, "to be deleted"), said(2))
    erased = replace(said(1), text="", status=MessageStatus.DELETED)
    conversation = await saved(store, conversation, erased)
    assert await store.conversations.transcript(conversation, 0) == (erased, said(2))


async def test_a_persons_message_is_found_by_its_ts_in_its_own_conversation(store: Store) -> None:
    one = await saved(store, await claimed(store, 1), said(1, "a", number=71), said(2, "b", number=72))
    two = await saved(store, await claimed(store, 2), said(1, "c", number=73))
    assert await store.conversations.rows_of(one, ts(72)) == (said(2, "b", number=72),)
    assert await store.conversations.rows_of(two, ts(72)) == ()


@pytest.mark.req("FA-20")
async def test_the_threads_that_have_a_message_are_found_by_its_ts(store: Store) -> None:
    one = await saved(store, await claimed(store, 1), said(1, "a", number=71), said(2, "edited", number=71))
    await saved(store, await claimed(store, 2), said(1, "a", number=71), said(2, "b", number=72))
    await saved(store, await claimed(store, 3), said(1, "c", number=73))
    threads_of = store.conversations.threads_of
    assert await threads_of("T1", ts(71)) == (thread(1), thread(2))
    assert await threads_of("T1", ts(72)) == (thread(2),)
    assert await threads_of("T1", ts(74)) == ()
    assert await threads_of("T2", ts(71)) == ()
    await store.conversations.erase(one, ERASED)
    assert await threads_of("T1", ts(71)) == (thread(2),)


@pytest.mark.req("FA-20")
async def test_a_thread_that_is_just_taking_a_message_over_is_found_already(store: Store) -> None:
    now = await claimed(store)
    await store.conversations.save(Transition(conversation=now, messages=(said(1, "of a dead worker", number=71),)))
    assert await store.conversations.threads_of("T1", ts(71)) == (thread(1),)


async def test_a_draft_is_kept_in_its_row_without_a_new_version(store: Store) -> None:
    conversation = await saved(store, await claimed(store), said(1), REPLY)
    await store.conversations.record_draft(conversation, replace(REPLY, text="Well,"))
    await store.conversations.record_draft(conversation, replace(REPLY, text="Well, yes", parts=(ts(5),)))
    assert await store.conversations.row(conversation, 2) == replace(REPLY, text="Well, yes", parts=(ts(5),))
    await store.conversations.save(Transition(conversation=conversation))


async def test_a_closed_reply_is_final_for_drafts_but_the_parts_of_its_final_form_are_recorded(store: Store) -> None:
    closed = replace(REPLY, text="All of it", status=MessageStatus.COMPLETE, parts=(ts(5),))
    conversation = await saved(store, await claimed(store), said(1), closed)
    await store.conversations.record_draft(conversation, replace(REPLY, text="Half of it", parts=(ts(5), ts(6))))
    assert await store.conversations.row(conversation, 2) == closed
    await store.conversations.record_draft(conversation, replace(closed, parts=(ts(5), ts(6))))
    assert await store.conversations.row(conversation, 2) == replace(closed, parts=(ts(5), ts(6)))


async def test_a_card_that_was_answered_is_not_opened_again_by_a_late_record(store: Store) -> None:
    waiting = Message(seq=1, role=Role.CARD, text="Which one?", status=MessageStatus.OPEN)
    conversation = await saved(store, await claimed(store), waiting)
    await store.conversations.record_draft(conversation, replace(waiting, parts=(ts(5),)))
    assert await store.conversations.row(conversation, 1) == replace(waiting, parts=(ts(5),))
    answered = replace(waiting, text="The second", status=MessageStatus.COMPLETE)
    conversation = await saved(store, conversation, answered)
    await store.conversations.record_draft(conversation, replace(waiting, parts=(ts(5),)))
    assert await store.conversations.row(conversation, 1) == answered
    await store.conversations.record_draft(conversation, replace(answered, parts=(ts(5),)))
    assert await store.conversations.row(conversation, 1) == replace(answered, parts=(ts(5),))


async def test_drafts_that_race_with_the_end_of_a_reply_never_undo_it(store: Store) -> None:
    conversation = await saved(store, await claimed(store), said(1), REPLY)
    closed = replace(REPLY, text="All of it", status=MessageStatus.COMPLETE)
    drafts = [store.conversations.record_draft(conversation, replace(REPLY, text=f"draft {n}")) for n in range(20)]
    await asyncio.gather(saved(store, conversation, closed), *drafts)
    assert await store.conversations.row(conversation, 2) == closed


async def test_a_draft_of_a_row_that_does_not_exist_is_refused(store: Store) -> None:
    conversation = await claimed(store)
    with pytest.raises(LostConversation):
        await store.conversations.record_draft(replace(conversation, head=2), REPLY)
    assert await store.conversations.row(conversation, 2) is None
