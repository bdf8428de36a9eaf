"""An old backup is put back: the program refuses to run, and after `threadwise restored` it repeats nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.cli import restored
from app.clock import SystemClock
from app.core.conversation.conversation import Transition
from app.core.copy import permission_cards, texts
from app.core.errors import SettingsError
from app.playground.claude import Gate, Turn
from app.playground.slack.values.model import Message
from app.wiring import connect_store
from handlers.slack import action_ids
from store.admin.diagnosis import Trouble
from store.crypto.erasure_secrets import ErasureSecrets
from store.database.schema import AUDIT, PACING, RATE_LIMITS, SHAPES
from tests.flow.chat import Chat, chatting, fixture_of, text_of
from tests.flow.permitting import ALLOW, decides, posted, posting, wants
from tests.flow.scheduled import planned

COPIED = [name for name in SHAPES if name not in (PACING, RATE_LIMITS, AUDIT)]


room = fixture_of(chatting, look_seconds=0.1, poll_seconds=0.1)


class Backup:
    """A copy of the database."""

    def __init__(self, chat: Chat) -> None:
        self._chat, self._database = chat, chat.mongo[chat.settings.database]
        self._documents = {name: [*self._database[name].find()] for name in COPIED}

    def put_back(self) -> None:
        self._chat.is_put_back = True
        for name, documents in self._documents.items():
            self._database[name].delete_many({})
            if documents:
                self._database[name].insert_many(documents)


def spoken(chat: Chat) -> int:
    """How often the program has said or changed something in Slack."""
    methods = ("chat.postMessage", "chat.update", "chat.postEphemeral", "chat.delete", "reactions.add")
    return sum(len(chat.calls(method)) for method in methods)


def actions(message: Message) -> str:
    """Whatever can be pressed in a message."""
    return str(message.blocks)


@pytest.mark.req("MW-22")
async def test_of_an_hour_old_backup_nothing_posts_by_itself_and_all_goes_on_with_its_owners(room: Chat) -> None:
    plan, _ = await planned(room)
    await room.rests()
    erased = await room.exchanges("@Threadwise the word is marmalade", "I shall remember marmalade.")
    await room.rests()
    go_on = asyncio.Event()
    room.will_answer(Turn(text="Half of it, and the other half.", gates=[Gate(12, go_on)]))
    open_ = await room.says("@Threadwise tell me all")
    await room.sees("Half of it", thread=open_)
    soon = SystemClock().now() + timedelta(seconds=0.5)
    planned_soon = replace(await room.conversation(plan), next_run=soon.isoformat())
    await room.store.conversations.save(Transition(conversation=planned_soon))
    room.will_answer("Your three numbers, please.")
    backup = Backup(room)
    go_on.set()
    await room.sees("the other half.", thread=open_)
    await room.sees("Your three numbers", thread=plan)
    await room.rests()
    await room.says("@Threadwise erase", thread=erased)
    offer = await room.sees("Shall I forget this conversation?", thread=erased)
    await room.slack.people.clicks("Maya", "#general", offer.ts, "erase")
    await room.sees(texts.ERASED, thread=erased)
    await room.stops()

    backup.put_back()
    for _ in range(2):
        with pytest.raises(SettingsError, match=r"put back from an older copy.*`threadwise restored`"):
            await room.starts()
        await room.stops()
    done = await restored.restore(room.settings)
    assert (done.broken_off, done.paused, done.parked) == (1, 1, 1)
    said, asked = spoken(room), len(room.claude.requests)
    await room.starts()
    await asyncio.sleep(5 * room.settings.look_seconds)
    await room.rests()
    assert (spoken(room), len(room.claude.requests)) == (said, asked), "it has done something by itself"
    with pytest.raises(AssertionError, match="there is no conversation"):
        await room.conversation(erased)

    await room.says("@Threadwise status", thread=open_)
    await room.until(lambda: any(action_ids.RETRY in actions(message) for message in room.thread(open_)))
    await room.says("@Threadwise status", thread=plan)
    await room.until(lambda: any("answer:0" in actions(message) for message in room.thread(plan)))
    [question] = [message for message in room.thread(plan) if "answer:0" in actions(message)]
    assert texts.SHALL_I_GO_ON in text_of(question)
    room.will_answer("Again: your numbers, please.")
    await room.slack.people.clicks("Maya", "#general", question.ts, "answer:0")
    await room.sees("Again: your numbers", thread=plan)


async def begins_to_answer(room: Chat) -> tuple[str, asyncio.Event]:
    """Maya asks; gives the thread once half of the answer is shown, and what lets the other half come."""
    go_on = asyncio.Event()
    room.will_answer(Turn(text="Half of it, and the other half.", gates=[Gate(12, go_on)]))
    thread = await room.says("@Threadwise tell me all")
    await room.sees("Half of it", thread=thread)
    return thread, go_on


@pytest.mark.req("MW-22")
async def test_what_was_open_can_be_tried_again_by_hand(room: Chat) -> None:
    thread, go_on = await begins_to_answer(room)
    backup = Backup(room)
    go_on.set()
    await room.sees("the other half.", thread=thread)
    await room.rests()
    await room.stops()
    backup.put_back()
    assert (await restored.restore(room.settings)).parked == 1
    assert (await restored.restore(room.settings)).parked == 0, "it can be done again"
    async with connect_store(room.settings, SystemClock()) as store:
        assert Trouble.PARKED in {case.trouble for case in await store.diagnosis.cases()}


@pytest.mark.req("MW-22")
async def test_of_what_was_being_done_outside_nobody_knows_and_nobody_does_it_again(room: Chat) -> None:
    copies: list[Backup] = []

    async def copied() -> None:
        copies.append(Backup(room))

    thread = await wants(room, posting("The night shift is done."), "I have posted it.")
    room.slack.faults.at("chat.postMessage", moment="before", act=copied)
    await decides(room, thread, ALLOW)
    await room.sees("I have posted it.", thread=thread)
    await room.rests()
    assert len(posted(room)) == 1
    await room.stops()
    copies[0].put_back()
    await restored.restore(room.settings)
    async with connect_store(room.settings, SystemClock()) as store:
        [now] = await store.conversations.of_owner(room.slack.team_id, room.id_of("Maya"))
        assert (now.turn, now.effects) == (None, ())
    room.will_answer("I do not know whether I have posted it.")
    await room.starts()
    await room.says("Did you post it?", thread=thread)
    await room.sees("I do not know whether", thread=thread)
    await room.sees(permission_cards.OUTCOME_UNKNOWN.partition("{")[0].strip(), thread=thread)
    assert "It is not known whether it was done" in room.claude.requests[-1].prompt.last_user_text
    assert len(posted(room)) == 1


@pytest.mark.req("MW-22")
async def test_nothing_is_settled_while_a_process_answers_on_that_database(room: Chat) -> None:
    thread, go_on = await begins_to_answer(room)
    with pytest.raises(SettingsError, match="Somebody works on this database: stop each `threadwise run`"):
        await restored.restore(room.settings)
    go_on.set()
    await room.sees("the other half.", thread=thread)
    await room.rests()


@pytest.mark.req("MW-22")
async def test_nothing_is_settled_while_a_process_waits_for_work_on_that_database(room: Chat) -> None:
    await room.rests()
    with pytest.raises(SettingsError, match="Somebody works on this database: stop each `threadwise run`"):
        await restored.restore(room.settings)
    await room.stops()
    held = ErasureSecrets(room.settings.secrets_folder, room.settings.database).hold(alone=True)
    with held, pytest.raises(SettingsError, match="`threadwise restored` works on"):
        await room.starts()
    await room.stops()
    await room.starts()


@pytest.mark.req("MW-22", "SE-03")
async def test_nothing_is_erased_while_a_process_answers_on_that_database_though_its_secrets_are_not_found(
    room: Chat, tmp_path: Path
) -> None:
    thread, go_on = await begins_to_answer(room)
    elsewhere = room.settings.model_copy(update={"secrets_dir": str(tmp_path)})
    with pytest.raises(SettingsError, match="Somebody works on this database: stop each `threadwise run`"):
        await restored.restore(elsewhere, lambda lost, of: lost <= of)
    go_on.set()
    await room.sees("the other half.", thread=thread)
    await room.rests()
    await room.exchanges("And more?", "Nothing more.", thread=thread)
    await room.rests()
