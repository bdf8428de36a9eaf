"""What Slack tells twice at one moment is taken in one after the other; and whatever can be pressed is heard."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from slack_bolt.async_app import AsyncBoltRequest

from app.core.events.heard import FileDeleted, MessageEdited, MessagePosted
from app.ports import KeptFile
from handlers.slack import action_ids
from handlers.views.kit import blocks
from handlers.views.windows import welcome
from tests.fakes import virtual
from tests.pressable import is_heard, unheard
from tests.unit.handlers.front import Front, happened, pressed_below
from tests.unit.handlers.ids import actions, ids
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA
from tests.unit.handlers.talks import talk

SECONDS = 1.0
"""What the store takes."""


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
