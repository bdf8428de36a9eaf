"""All that is stored of one person: listed, exported and erased by command, and what stays is told."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pymongo import MongoClient

from app.cli import maintenance
from app.cli.maintenance import Belongings, Erasure
from app.clock import SystemClock
from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.state.interview import Interview
from app.ports.store import KeptFile, Store
from store.crypto.cipher import MasterKeys
from store.database.schema import AUDIT, CONVERSATIONS, KEYS, MESSAGES
from store.open import open_store
from tests.contract.store.rules import rule
from tests.contract.store.versions import version
from tests.flow.command_line.test_upkeep import Place
from tests.mongo import Documents
from tests.unit.handlers.decided import changed, hub
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.talks import placed, planned, put_away, talk
from tests.unit.runtime.test_scheduler import PREPARED
from tests.wrapped import secrets_dir, wrapping

STEP, ANNS = talk(61).thread, talk(5).thread


def wrote(seq: int, author: str, text: str) -> Message:
    return Message(seq=seq, role=Role.PERSON, text=text, ts=f"177{seq}.0001", author=author)


def interview(decision: Conversation) -> Interview:
    return Interview(component="issue_raising", decision=decision.thread, prepared=PREPARED)


@pytest.fixture
async def place(mongo_uri: str, tmp_path: Path) -> Place:
    """Maya has a decision with a step, a schedule, an archived thread and a rule; she wrote in Ann's thread, too."""
    key, database = MasterKeys.generate(), f"person_{uuid4().hex[:12]}"
    store = await open_store(mongo_uri, database, wrapping(key, database), SystemClock())
    decision = await placed(store, changed(hub(1), "issue_raising", thread=STEP))
    await placed(store, talk(61, interview=interview(decision), head=1), wrote(1, MAYA, "the boiler"))
    await placed(store, planned(3))
    await placed(store, put_away(4))
    await placed(store, talk(5, owner=ANN, head=2), wrote(1, ANN, "whose turn?"), wrote(2, MAYA, "mine, on Mondays"))
    for user in (MAYA, ANN):
        await store.permissions.keep(rule(team=TEAM, user=user))
    store.close()
    return Place(mongo_uri, database, key, decision, tmp_path)


@contextmanager
def opened(place: Place) -> Generator[Documents]:
    with MongoClient[dict[str, Any]](place.uri) as client:
        yield client[place.database]


async def left(place: Place) -> Belongings:
    return await maintenance.find_belongings(place.settings(place.master_key), MAYA)


def all_agree(found: Belongings) -> bool:
    return True


async def test_the_list_names_each_thing_of_a_person_by_ids_and_changes_nothing(place: Place) -> None:
    for _ in range(2):
        status, out, _ = await place.says("export", "--list", "--owner", MAYA)
        lines = [line.partition("  ")[2] for line in out.splitlines()[:5]]
        assert (status, lines) == (
            0,
            [
                f"{STEP.channel}  {STEP.root}  step of a decision",
                f"{talk(3).thread.channel}  {talk(3).thread.root}  thread, with a schedule",
                f"{talk(4).thread.channel}  {talk(4).thread.root}  thread",
                f"{talk(1).thread.channel}  {talk(1).thread.root}  decision",
                "",
            ],
        )
        assert "rule: always post_message since 2026-03-01" in out
        assert f"{ANNS.channel}  {ANNS.root}  of {ANN}, has words of theirs (1)" in out
        assert "stay until the messages are deleted in Slack" in out
        assert "boiler" not in out


@pytest.mark.req("SE-03")
async def test_all_of_a_person_is_erased_with_its_secrets_and_nothing_of_anybody_else(place: Place) -> None:
    status, out, _ = await place.says("erase", "--owner", MAYA, "--yes")
    assert (status, "All of it is erased. What is in Slack stays" in out) == (0, True)
    after = await left(place)
    assert (after.opened, after.unopened, after.rules, after.teams) == ((), (), (), ())
    assert [words.messages[0].text for words in after.words] == ["mine, on Mondays"]
    async with place.store(place.master_key) as store:
        kept = await store.conversations.find(ANNS)
        assert kept is not None
        assert await store.permissions.list(TEAM, ANN) == (rule(team=TEAM, user=ANN),)
    with opened(place) as database:
        assert [each["_id"] for each in database[CONVERSATIONS].find()] == [kept.id]
        assert database[MESSAGES].count_documents({}) == 2
        assert database[KEYS].count_documents({"_id": {"$regex": "^conversation:"}}) == 1
        assert database[AUDIT].count_documents({"type": "conversation_erased", "reason": "erase_command"}) == 4
    folder = secrets_dir() / place.database
    assert len([*folder.glob("secrets/*/*")]) == 2, "Ann's conversation and the rules"
    assert len([*folder.glob("tombstones/*/*")]) == 4


async def test_it_shows_the_list_then_asks_and_a_no_erases_nothing(place: Place) -> None:
    ours, theirs = os.openpty()
    try:
        process = await place.starts("erase", "--owner", MAYA, stdin=theirs)
        os.write(ours, b"n\n")
        out, _ = await process.communicate()
    finally:
        os.close(ours)
        os.close(theirs)
    told = out.decode()
    assert told.index("step of a decision") < told.index("Erase these conversations (4) and rules (1), for good? [y/N]")
    assert told.endswith("Nothing was erased.\n")
    assert len((await left(place)).opened) == 4


async def test_without_a_terminal_nothing_of_a_person_is_erased_unless_it_is_said(place: Place) -> None:
    status, _, errors = await place.says("erase", "--owner", MAYA)
    assert (status, "--yes" in errors, len((await left(place)).opened)) == (2, True, 4)


@pytest.mark.parametrize("command", [("erase", "--yes"), ("export", "--list"), ("export",)], ids=" ".join)
async def test_of_a_person_who_has_nothing_here_that_is_said(place: Place, command: tuple[str, ...]) -> None:
    status, out, errors = await place.says(*command, "--owner", "maya")
    assert (status, out) == (2, "")
    assert (
        errors == "No conversation and no rule here is of maya. An id begins with U or W; Slack shows it in the "
        "person's profile.\n"
    )


async def test_neither_command_takes_one_thing_and_a_person_at_once(place: Place) -> None:
    id_ = place.conversation.id
    for command in (("erase",), ("erase", id_, "--owner", MAYA), ("export", id_, "--owner", MAYA)):
        status, _, errors = await place.says(*command)
        assert (status, errors.startswith("Say which ")) == (2, True)


async def test_the_export_has_all_that_is_stored_of_a_person_and_is_for_its_owner_alone(place: Place) -> None:
    async with place.store(place.master_key) as store:
        step = await store.conversations.find(STEP)
        assert step is not None
        await store.files.keep(step, KeptFile(file="F1", content="[]", tokens=1, text="Boiler: 1,200 EUR"))
        await store.versions.keep(step, version("issue_raising", 1, decision=place.conversation.thread))
    status, out, _ = await place.says("export", "--owner", MAYA)
    file = place.folder / f"threadwise-{MAYA}.json"
    assert (status, out, file.stat().st_mode & 0o777) == (0, f"Written to {file.name}.\n", 0o600)
    told = json.loads(file.read_text("utf-8"))
    assert (told["schema"], told["person"], len(told["conversations"])) == ("threadwise.person/1", MAYA, 4)
    words = [row["text"] for each in told["conversations"] for row in each["messages"]]
    plans = [each["state"]["schedule"]["instruction"] for each in told["conversations"] if each["state"]["schedule"]]
    assert (words, plans) == (["the boiler"], ["Ask for the numbers."])
    held = {name: [one for each in told["conversations"] for one in each[name]] for name in ("files", "results")}
    assert [each["text"] for each in held["files"]] == ["Boiler: 1,200 EUR"]
    assert [each["data"] for each in held["results"]] == [version("issue_raising", 1).data]
    assert [each["scope"] for each in told["rules"]] == [rule().scope]
    [others] = told["words_in_conversations_of_others"]
    assert [row["text"] for row in others["messages"]] == ["mine, on Mondays"]
    assert "whose turn?" not in file.read_text("utf-8")


async def test_what_cannot_be_opened_is_listed_and_erased_as_well(place: Place) -> None:
    document = {"root": talk(3).thread.root}
    with opened(place) as database:
        database[CONVERSATIONS].update_one(document, {"$set": {"sealed": b"\x02" + bytes(64)}})
    found = await left(place)
    assert [each.thread for each in found.unopened] == [talk(3).thread]
    assert f"{talk(3).thread.root}  cannot be opened" in "\n".join(maintenance.describe_belongings(found))
    told = await maintenance.export_belongings(place.settings(place.master_key), MAYA)
    assert json.loads(told or "")["cannot_be_opened"] == [found.unopened[0].id]
    assert await maintenance.erase_belongings(place.settings(place.master_key), MAYA, all_agree) is Erasure.DONE
    with opened(place) as database:
        assert database[CONVERSATIONS].count_documents(document) == 0


async def test_a_step_whose_decision_was_handed_over_stays_and_the_command_says_that_it_is_not_done(
    place: Place,
) -> None:
    async with place.store(place.master_key) as store:
        await changes(store, place.conversation, lambda now: replace(now, owner=ANN))
    found = await left(place)
    assert [each.thread for each in found.opened] == [talk(3).thread, talk(4).thread]
    status, _, errors = await place.says("erase", "--owner", MAYA, "--yes")
    assert (status, "Run this again" in errors) == (1, True)
    anns = await maintenance.find_belongings(place.settings(place.master_key), ANN)
    assert STEP in [each.thread for each in anns.opened], "it goes with its decision"


async def test_what_is_handed_over_while_the_command_asks_stays(place: Place) -> None:
    async def hands_over() -> None:
        async with place.store(place.master_key) as store:
            await changes(store, place.conversation, lambda now: replace(now, owner=ANN))

    def agrees(found: Belongings) -> bool:
        assert place.conversation.thread in [each.thread for each in found.opened]
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, hands_over()).result()
        return True

    done = await maintenance.erase_belongings(place.settings(place.master_key), MAYA, agrees)
    anns = await maintenance.find_belongings(place.settings(place.master_key), ANN)
    assert (done, place.conversation.thread in [each.thread for each in anns.opened]) == (Erasure.UNFINISHED, True)
    assert STEP in [each.thread for each in anns.opened], "it goes with its decision"


async def test_what_somebody_has_begun_in_a_thread_that_a_decision_names_is_not_erased_with_it(place: Place) -> None:
    async with place.store(place.master_key) as store:
        await changes(store, place.conversation, lambda now: changed(now, "objectives", thread=ANNS))
        done = await maintenance.erase_belongings(place.settings(place.master_key), MAYA, all_agree)
        assert (done, await store.conversations.find(ANNS) is None) == (Erasure.DONE, False)


async def changes(store: Store, now: Conversation, to: Callable[[Conversation], Conversation]) -> None:
    """Let a conversation be another, as its worker would write it."""
    held = await store.conversations.find(now.thread)
    assert held is not None
    await store.conversations.save(Transition(conversation=to(held)))


async def test_a_decision_that_cannot_be_opened_is_erased_with_its_steps(place: Place) -> None:
    with opened(place) as database:
        database[CONVERSATIONS].update_one({"_id": place.conversation.id}, {"$set": {"sealed": b"\x02" + bytes(64)}})
    asked: list[int] = []
    settings = place.settings(place.master_key)
    done = await maintenance.erase(settings, place.conversation.id, lambda found, steps: not asked.append(steps))
    assert (done, asked) == (Erasure.DONE, [1])
    assert STEP not in [each.thread for each in (await left(place)).opened]
