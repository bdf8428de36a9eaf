"""What Slack tells twice at one moment is taken in one after the other; and whatever can be pressed is heard."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltRequest

from app.core.conversation.conversation import Conversation, Message, Role
from app.core.events.heard import FileDeleted, MessageChange, MessageEdited, MessagePosted
from app.core.thread import ThreadKey
from app.ports import KeptFile
from handlers.slack import action_ids
from handlers.views.kit import blocks
from handlers.views.windows import welcome
from tests.fakes import virtual
from tests.pressable import is_heard, unheard
from tests.unit.handlers.front import Front, happened, pressed_below
from tests.unit.handlers.ids import actions, ids
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA, TEAM
from tests.unit.handlers.talks import placed, talk

SECONDS = 1.0
"""What the store takes."""

ROOT, SAID = "1770000000.000100", "1770000000.000200"
"""A thread of another channel, and a message in it."""


def _told(kind: str, ts: str) -> dict[str, Any]:
    """A mention, as one of the two events by which Slack tells of it."""
    return happened(kind, channel=CHANNEL, channel_type="channel", user=MAYA, text=f"<@{BOT}> hi", ts=ts)


async def _taken_in(*bodies: dict[str, Any]) -> tuple[Front, float]:
    """Let Slack send all of these at one moment; gives how long it took."""
    it = Front()
    it.slowness = SECONDS
    began = asyncio.get_running_loop().time()
    requests = (AsyncBoltRequest(mode="socket_mode", body=body) for body in bodies)
    await asyncio.gather(*(it.app.async_dispatch(request) for request in requests))
    return it, asyncio.get_running_loop().time() - began


@virtual
async def test_a_mention_that_is_told_twice_at_one_moment_begins_one_conversation_only_once() -> None:
    it, seconds = await _taken_in(_told("app_mention", "1770000300.000300"), _told("message", "1770000300.000300"))
    assert [type(event) for event in it.taken] == [MessagePosted, MessagePosted]
    assert len(it.woken) == 1
    assert seconds == 2 * SECONDS


@virtual
async def test_a_correction_is_not_taken_in_before_the_message_that_it_corrects() -> None:
    root, ts = "1770000200.000200", "1770000300.000300"
    said = happened("message", channel=CHANNEL, channel_type="channel", user=MAYA, text="fourty", ts=ts, thread_ts=root)
    new = {"type": "message", "user": MAYA, "text": "forty", "ts": ts, "thread_ts": root}
    corrected = happened(
        "message",
        channel=CHANNEL,
        channel_type="channel",
        subtype="message_changed",
        ts="1770000300.000400",
        message={**new, "edited": {"user": MAYA, "ts": "1770000300.000400"}},
        previous_message={**new, "text": "fourty"},
    )
    it, seconds = await _taken_in(said, corrected)
    assert [type(event) for event in it.taken] == [MessagePosted, MessageEdited]
    assert seconds == 2 * SECONDS


@virtual
async def test_messages_of_different_threads_do_not_wait_for_each_other() -> None:
    it, seconds = await _taken_in(_told("app_mention", "1770000300.000300"), _told("app_mention", "1770000301.000300"))
    assert len(it.woken) == 2
    assert seconds == SECONDS


@virtual
async def test_what_happens_in_another_workspace_is_not_taken_in_and_still_acknowledged() -> None:
    it, told = Front(), _told("app_mention", "1770000300.000300")
    assert await it.sends({**told, "team_id": "T0OTHER01"}) == ""
    assert it.taken == []
    await it.sends(told)
    assert len(it.taken) == 1


@pytest.mark.req("IN-05")
async def test_a_deleted_file_is_told_to_each_thread_that_keeps_something_of_it_and_to_no_other() -> None:
    it = Front()
    for number, file in ((1, "F1"), (2, "F1"), (3, "F2")):
        now = await it.has(talk(number))
        await it.store.files.keep(now, KeptFile(file=file, content="[]", tokens=1, text="Berlin 1200"))
    assert await it.sends(happened("file_deleted", file_id="F1")) == ""
    assert [(type(event), event.thread) for event in it.taken] == [
        (FileDeleted, talk(number).thread) for number in (1, 2)
    ]


def _changed(subtype: str) -> dict[str, Any]:
    """An edit, or a deletion, of a message of a thread in which nobody has called us."""
    old = {"type": "message", "user": MAYA, "text": "fourty", "ts": SAID, "thread_ts": ROOT}
    new = {**old, "text": "forty", "edited": {"user": MAYA, "ts": "1770000300.000400"}}
    more = {"message": new} if subtype == "message_changed" else {"deleted_ts": SAID}
    place = {"channel": "C0OTHER01", "channel_type": "channel", "ts": "1770000300.000400"}
    return happened("message", subtype=subtype, previous_message=old, **place, **more)


def _said(ts: str = SAID) -> Message:
    return Message(seq=1, role=Role.PERSON, text="fourty", ts=ts, author=MAYA)


async def _drafted_from_it(it: Front, *numbers: int) -> list[Conversation]:
    """Steps that were drafted from that thread, and one more that was not."""
    steps = [await placed(it.store, talk(number, head=1), _said()) for number in numbers]
    await placed(it.store, talk(9, head=1), _said("1770000001.000200"))
    return steps


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("subtype", ["message_changed", "message_deleted"])
async def test_a_changed_message_is_told_to_each_step_that_was_drafted_from_it_and_once(subtype: str) -> None:
    it = Front()
    steps = await _drafted_from_it(it, 1, 2)
    for _ in range(2):  # Slack may deliver it again
        assert await it.sends(_changed(subtype)) == ""
    here = ThreadKey(team=TEAM, channel="C0OTHER01", root=ROOT)
    told = [(event.thread, event.origin) for event in it.taken[:3] if isinstance(event, MessageChange)]
    assert told == [(here, None), *((step.thread, here) for step in steps)]
    assert it.woken == [step.thread for step in steps]
    assert [len(await it.store.inbox.open_rows(step.thread)) for step in steps] == [1, 1]


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("subtype", ["message_changed", "message_deleted"])
@pytest.mark.parametrize("calls", [1, 2, 3])
async def test_slack_is_not_answered_before_every_step_has_it(subtype: str, calls: int) -> None:
    it = Front()
    steps = await _drafted_from_it(it, 1, 2)
    it.calls_left = calls  # of the four: the thread's own, which steps, and one for each
    assert await it.sends(_changed(subtype)) == 503
    it.calls_left = -1
    assert await it.sends(_changed(subtype)) == ""
    assert [len(await it.store.inbox.open_rows(step.thread)) for step in steps] == [1, 1]


@pytest.mark.req("FA-20")
async def test_a_thread_with_a_conversation_of_its_own_has_the_change_once_and_as_its_own() -> None:
    it = Front()
    there = ThreadKey(team=TEAM, channel="C0OTHER01", root=ROOT)
    await placed(it.store, replace(talk(3, head=1), thread=there), _said())
    (step,) = await _drafted_from_it(it, 1)
    assert await it.sends(_changed("message_changed")) == ""
    assert [event.thread for event in it.taken] == [there, step.thread]
    (row,) = await it.store.inbox.open_rows(there)
    assert isinstance(row.event, MessageEdited)
    assert row.event.origin is None


@pytest.mark.req("NC-05")
async def test_a_link_that_looks_like_a_button_is_heard_and_nothing_more_is_done() -> None:
    it = Front()
    assert await it.sends(pressed_below(CHANNEL, action_ids.OPEN_STEP)) == ""
    assert not it.taken
    assert not it.slack.calls


FAMILIES = {
    action_ids.ANSWER_PREFIX: ["0", "1", "2", "3"],
    action_ids.EDITING_PREFIX: ["0"],
    action_ids.PERMISSIONS_PAGE_PREFIX: ["0"],
    action_ids.RECORD_PAGE_PREFIX: ["0"],
    action_ids.RECORD_EXPORT_PREFIX: ["html"],
    action_ids.SHOW_ALL_PAGE_PREFIX: ["0"],
    action_ids.START_PREFIX: list(welcome.StartKind),
}
"""What the names of several controls begin with, and how they go on."""


@pytest.mark.req("NC-05")
async def test_whatever_has_the_name_of_an_action_has_somebody_who_listens_to_it() -> None:
    assert {*ids("_PREFIX").values()} == FAMILIES.keys()
    single = {*actions().values()}
    assert action_ids.OPEN_STEP in single
    all_of_them = single | {f"{family}{rest}" for family, each in FAMILIES.items() for rest in each}
    assert [name for name in sorted(all_of_them) if not await is_heard("block_actions", name)] == []


async def test_what_nobody_listens_to_is_found_wherever_it_is_shown() -> None:
    button = blocks.build_actions(
        blocks.build_button("nobody", "Press", "x"), blocks.build_button(action_ids.STOP, "Stop", "1")
    )
    search = {"type": "external_select", "action_id": "find"}
    window: dict[str, Any] = {
        "submit": blocks.build_plain_text("Send"),
        "notify_on_close": True,
        "callback_id": "form",
        "blocks": [{"type": "input", "element": search}],
    }
    calls: list[dict[str, Any]] = [{"args": {"blocks": [button]}}, {"args": {"view": window}}, {"args": {}}]
    assert await unheard(calls) == {
        ("block_actions", "nobody"),
        ("block_suggestion", "find"),
        ("view_submission", "form"),
        ("view_closed", "form"),
    }
