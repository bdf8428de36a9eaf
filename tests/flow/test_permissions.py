"""What somebody has allowed for good: shown by command and at Home, and revoked from either, whatever happens then."""

from __future__ import annotations

import pytest

from app.core.state.permission import Rule
from app.core.state.tool_use import DENIED
from app.playground.slack import View
from handlers.slack import action_ids
from handlers.views.windows.rules_window import identify_rule
from tests.flow.chat import Chat, chatting, fixture_of
from tests.flow.permitting import final, posted, posting, told, wants

room = fixture_of(chatting, time_scale=1.0, denied_tools="create_file")


async def allowed(chat: Chat, scope: str) -> Rule:
    """Maya has allowed something for good."""
    assert chat.app is not None
    rule = Rule(
        team=chat.app.identity.team,
        user=chat.id_of("Maya"),
        tool="post_message",
        scope=scope,
        allows=True,
        at="2026-03-01T09:00:00+00:00",
        label=f"post in {scope}",
    )
    await chat.store.permissions.keep(rule)
    return rule


def shown(view: View | None, *labels: str) -> bool:
    """True if a view names these rules and no other, with what the workspace forbids."""
    told = str(view.blocks) if view else ""
    return told.count("allowed it for good") == len(labels) and all(each in told for each in (*labels, "create_file"))


async def test_what_is_revoked_from_the_window_and_from_home_stays_revoked_after_a_restart(room: Chat) -> None:
    people = room.slack.people
    first, second = [await allowed(room, scope) for scope in ("#kitchen", "#stairs")]
    await people.opens_home("Maya")
    await room.until(lambda: shown(people.home("Maya"), "post in #kitchen", "post in #stairs"))

    await people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: shown(people.modal("Maya"), "post in #kitchen", "post in #stairs"))
    await people.clicks_in_modal("Maya", action_ids.REVOKE, identify_rule(first))
    await room.until(lambda: shown(people.modal("Maya"), "post in #stairs"))
    await people.closes("Maya")

    await people.opens_home("Maya")
    await room.until(lambda: shown(people.home("Maya"), "post in #stairs"))
    await people.clicks_in_home("Maya", action_ids.REVOKE, identify_rule(second))
    await room.until(lambda: shown(people.home("Maya")))

    await room.stops()
    await room.starts()
    await people.opens_home("Maya")
    await people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: "nothing for good" in str(people.modal("Maya")))
    assert shown(people.home("Maya"))


@pytest.mark.req("AG-09")
async def test_a_tool_that_maya_forbids_herself_is_not_used_for_her_until_she_revokes_that(room: Chat) -> None:
    people = room.slack.people
    await people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: people.modal("Maya") is not None)
    await people.clicks_in_modal("Maya", action_ids.FORBID_TOOL, "Post message")
    await room.until(lambda: "Never: Post message (the whole tool)" in str(people.modal("Maya")))
    await people.closes("Maya")

    room.will_answer(posting("The rota is ready."), "You have forbidden that.")
    thread = await room.says("@Threadwise post it to #ops")
    await final(room, thread, "You have forbidden that.")
    assert told(room) == [(DENIED.format(tool="post_message"), True)]
    assert posted(room) == []

    await people.commands("Maya", "#general", "/threadwise", "permissions")
    await room.until(lambda: people.modal("Maya") is not None)
    await people.clicks_in_modal("Maya", action_ids.REVOKE)
    await room.until(lambda: "nothing for good" in str(people.modal("Maya")))
    await people.closes("Maya")
    await wants(room, posting("The rota is ready."), "Posted.", said="now post it to #ops")
