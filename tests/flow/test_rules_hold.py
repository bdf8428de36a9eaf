"""An *Always* rule covers a channel as it was, not too often, and not for ever; each use stands in the audit trail."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.clock import SystemClock
from handlers.slack import action_ids
from tests.flow.carried import CREW, DONE, allows, asks, changes, of, posting, posts, presses, private, says, told
from tests.flow.chat import UNLIMITED, Chat, chatting, fixture_of

pytestmark = pytest.mark.req("SE-05")


room = fixture_of(chatting, **UNLIMITED, rule_writes_per_hour=2)


async def test_once_its_channel_is_shared_with_another_company_a_rule_asks_and_says_why(room: Chat) -> None:
    direct = await room.slack.people.opens_dm("Maya")
    await allows(room, direct)
    ops = room.slack.workspace.channel_named("#ops")
    assert ops
    changes(room, ops.id, is_shared=True)
    thread = await says(room, direct, posting("Tea is at four."), DONE)
    card = await asks(room, thread, direct)
    assert "Now it is a public channel shared with other companies" in card
    assert posts(room) == ["Lunch is at noon."]
    await presses(room, thread, direct, 1)
    await told(room, thread, direct)
    again = await says(room, direct, posting("Cake is at five."), DONE)
    await told(room, again, direct)
    assert posts(room) == ["Lunch is at noon.", "Tea is at four.", "Cake is at five."], "it was allowed as it is now"


async def test_once_a_private_channel_is_made_public_a_rule_asks(room: Chat) -> None:
    direct = await room.slack.people.opens_dm("Maya")
    private(room, CREW, "crew", "Maya", "Sam")
    await allows(room, direct, channel="#crew")
    changes(room, CREW, kind="channel")
    thread = await says(room, direct, posting("Tea is at four.", "#crew"))
    assert "when #crew was a private channel, with you in it. Now it is a public channel" in (
        await asks(room, thread, direct)
    )


async def test_once_its_owner_has_left_the_channel_a_rule_asks(room: Chat) -> None:
    direct = await room.slack.people.opens_dm("Maya")
    await allows(room, direct)
    ops = room.slack.workspace.channel_named("#ops")
    assert ops
    changes(room, ops.id, members=of(room, "Sam"))
    thread = await says(room, direct, posting("Tea is at four."))
    assert "Now it is a public channel, without you in it" in await asks(room, thread, direct)


async def test_so_many_posts_an_hour_and_no_more_also_over_a_restart_and_each_stands_in_the_trail(room: Chat) -> None:
    direct = await room.slack.people.opens_dm("Maya")
    await allows(room, direct)
    first = await says(room, direct, posting("One."), DONE)
    await told(room, first, direct)
    await room.stops()
    await room.starts()
    second = await says(room, direct, posting("Two."), DONE)
    await told(room, second, direct)
    third = await says(room, direct, posting("Three."))
    assert "2 times an hour" in await asks(room, third, direct)
    assert posts(room) == ["Lunch is at noon.", "One.", "Two."]
    uses = await trail(room, "rule_used")
    ops = room.slack.workspace.channel_named("#ops")
    assert ops
    traced = [(use["reason"], use["actor"], use["after"]) for use in uses]
    assert traced == [("post_message", room.id_of("Maya"), ops.id)] * 2


async def trail(room: Chat, type_: str) -> list[dict[str, Any]]:
    """What the audit trail holds of this kind."""

    def found() -> list[dict[str, Any]]:
        return list(room.mongo[room.settings.database]["audit_events"].find({"type": type_}))

    await room.until(lambda: len(found()) >= 2)
    return found()


async def test_a_rule_that_was_not_used_for_ninety_days_asks_and_the_list_says_that_it_has_ended(room: Chat) -> None:
    direct = await room.slack.people.opens_dm("Maya")
    await allows(room, direct)
    await room.slack.people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: "ends unless used by" in shown(room))
    await room.slack.people.closes("Maya")
    [rule] = await room.store.permissions.list(room.slack.team_id, room.id_of("Maya"))
    long_ago = SystemClock().now() - timedelta(days=91)
    await room.store.permissions.revoke(room.slack.team_id, rule.user, rule.tool, rule.scope)
    await room.store.permissions.keep(replace(rule, at=long_ago.isoformat()))  # no older one takes a newer one's place
    thread = await says(room, direct, posting("Tea is at four."))
    assert "was not used for 90 days" in await asks(room, thread, direct)
    await room.slack.people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: "ended, I ask again" in shown(room))
    assert posts(room) == ["Lunch is at noon."]


def shown(room: Chat) -> str:
    view = room.slack.people.modal("Maya")
    return str(view.blocks) if view and view.callback_id == action_ids.PERMISSIONS_WINDOW else ""
