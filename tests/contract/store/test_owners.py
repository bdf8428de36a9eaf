"""Who owns conversations, as far as that can be told without opening one."""

from __future__ import annotations

from dataclasses import replace

from app.ports.store import Store
from tests.contract.store.events import ERASED, claimed, posted, said, saved, thread


async def test_everybody_with_a_conversation_is_named_once_and_whoever_has_none_any_more_is_not(store: Store) -> None:
    first = await saved(store, await claimed(store), said(1))
    for number, user in ((2, "U1"), (3, "U7")):
        await store.inbox.take_in(replace(posted(number, opens=True), user=user))
    await store.inbox.take_in(replace(posted(4, thread(4, "T2"), opens=True), user="U9"))
    assert await store.upkeep.owners() == (("T1", "U1"), ("T1", "U7"), ("T2", "U9"))
    second = await store.conversations.find(thread(2))
    assert second is not None
    await store.conversations.erase(first, ERASED)
    await store.conversations.erase(second, ERASED)
    assert await store.upkeep.owners() == (("T1", "U7"), ("T2", "U9"))


async def test_the_conversations_of_one_person_are_named_without_those_that_are_erased_or_anybody_elses(
    store: Store,
) -> None:
    first = await saved(store, await claimed(store), said(1))
    for number, user in ((2, "U1"), (3, "U7")):
        await store.inbox.take_in(replace(posted(number, opens=True), user=user))
    assert [(each.thread, each.owner) for each in await store.upkeep.owned_by("U1")] == [
        (thread(1), "U1"),
        (thread(2), "U1"),
    ]
    await store.conversations.erase(first, ERASED)
    assert [each.thread for each in await store.upkeep.owned_by("U1")] == [thread(2)]
    assert await store.upkeep.owned_by("U9") == ()
