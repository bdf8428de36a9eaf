"""Archiving and reopening by command, shortcut and window: what is taken in, and what people are told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.errors import SlackRefused
from app.core.events.acts import ArchiveConfirmed, ArchiveRequested, ReopenRequested
from handlers.slack import action_ids, permalinks
from handlers.slack.manifest import ARCHIVE_THREAD, REOPEN_THREAD
from handlers.views.kit import blocks
from handlers.views.windows import conversation_picker
from handlers.views.windows.conversation_picker import ArchiveAction
from tests.fakes import virtual
from tests.unit.handlers.front import TRIGGER, URL, Front, command, option, pressed_in, searched, sent, shortcut
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.talks import planned, put_away, talk, waiting
from tests.virtual import START

ARCHIVING = conversation_picker.build_empty(ArchiveAction.ARCHIVE, choices=True)
REOPENING = conversation_picker.build_empty(ArchiveAction.REOPEN, choices=True)


def link(now: Conversation) -> str:
    return permalinks.link_thread(URL, now.thread)


def chosen(now: Conversation) -> dict[str, Any]:
    return {"pick": option(blocks.format_address(now.thread))}


def words(view: dict[str, list[dict[str, dict[str, str]]]]) -> str:
    return "\n".join(block["text"]["text"] for block in view["blocks"] if "text" in block)


# Commands


@virtual
async def test_a_command_alone_opens_the_picker_and_says_nothing(front: Front) -> None:
    await front.has(talk(1))
    assert await front.sends(command(ARCHIVE_THREAD)) == ""
    (opened,) = front.made("views.open")
    assert opened == {"trigger_id": TRIGGER, "view": ARCHIVING}
    assert front.taken == []


@virtual
@pytest.mark.parametrize(("name", "act"), [(ARCHIVE_THREAD, "archive"), (REOPEN_THREAD, "reopen")])
async def test_with_nothing_to_pick_the_window_says_so(front: Front, name: str, act: str) -> None:
    await front.has(talk(1, owner=ANN))
    await front.has(put_away(2, owner=ANN))
    await front.sends(command(name))
    assert words(front.window) == texts.NOTHING_TO_PICK[act]


@virtual
async def test_a_link_archives_at_once_what_loses_nothing_by_it(front: Front) -> None:
    now = await front.has(talk(1, "Coffee"))
    said = await front.sends(command(ARCHIVE_THREAD, link(now)))
    assert said == texts.ARCHIVING.format(title=f"<{link(now)}|Coffee>")
    (event,) = front.taken
    assert isinstance(event, ArchiveRequested)
    assert (event.thread, event.user, event.receipt) == (now.thread, MAYA, f"command:{TEAM}:{TRIGGER}")
    assert front.woken == [now.thread]
    assert front.made("views.open") == []


@virtual
@pytest.mark.req("S2-058")
@pytest.mark.parametrize("busy", [planned(1), waiting(1)])
async def test_a_link_to_what_would_stop_opens_the_warning_about_it_alone(front: Front, busy: Conversation) -> None:
    now = await front.has(busy)
    assert await front.sends(command(ARCHIVE_THREAD, link(now))) == ""
    assert front.window == conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=True)
    assert front.taken == []


@virtual
async def test_a_link_reopens(front: Front) -> None:
    now = await front.has(put_away(1, "Coffee"))
    said = await front.sends(command(REOPEN_THREAD, link(now)))
    assert said == texts.REOPENING.format(title=f"<{link(now)}|Coffee>")
    assert [type(event) for event in front.taken] == [ReopenRequested]


@virtual
@pytest.mark.parametrize(
    ("now", "name", "refused"),
    [
        (talk(1, owner=ANN), ARCHIVE_THREAD, texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (put_away(1, owner=ANN), REOPEN_THREAD, texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (put_away(1), ARCHIVE_THREAD, texts.ALREADY_ARCHIVED),
        (talk(1), REOPEN_THREAD, texts.NOT_ARCHIVED),
    ],
)
async def test_a_link_that_cannot_be_followed_says_why(
    front: Front, now: Conversation, name: str, refused: str
) -> None:
    await front.has(now)
    assert await front.sends(command(name, link(now))) == refused
    assert front.taken == []


@virtual
async def test_a_link_to_a_thread_that_is_not_ours_and_what_is_no_link_say_so(front: Front) -> None:
    assert await front.sends(command(ARCHIVE_THREAD, link(talk(1)))) == texts.NOT_OURS
    assert await front.sends(command(ARCHIVE_THREAD, "the rota thing")) == texts.NO_LINK


@virtual
async def test_a_picker_that_slack_does_not_open_is_one_kind_sentence(front: Front) -> None:
    front.slack.faults["views.open"] = [SlackRefused("views.open", "expired_trigger_id")]
    assert await front.sends(command(ARCHIVE_THREAD)) == texts.NOT_NOW


# Shortcuts


@virtual
async def test_a_shortcut_means_the_thread_of_the_message(front: Front) -> None:
    now = await front.has(talk(1))
    reply = {"ts": "1770000200.000200", "thread_ts": now.thread.root}
    assert await front.sends(shortcut(action_ids.ARCHIVE_SHORTCUT, reply)) == ""
    (event,) = front.taken
    assert isinstance(event, ArchiveRequested)
    assert event.thread == now.thread
    assert front.made("views.open") == []


@virtual
async def test_a_shortcut_on_what_would_stop_opens_the_warning(front: Front) -> None:
    now = await front.has(planned(1))
    await front.sends(shortcut(action_ids.ARCHIVE_SHORTCUT, {"ts": now.thread.root}))
    assert front.window == conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=True)


@virtual
@pytest.mark.parametrize("owner", [ANN, None])
async def test_a_shortcut_that_cannot_be_followed_says_why_in_a_window(front: Front, owner: str | None) -> None:
    if owner:
        await front.has(put_away(1, owner=owner))
    await front.sends(shortcut(action_ids.REOPEN_SHORTCUT, {"ts": put_away(1).thread.root}))
    assert words(front.window) == (texts.NOT_OWNER.format(owner=f"<@{ANN}>") if owner else texts.NOT_OURS)
    assert front.taken == []


@virtual
async def test_a_shortcut_while_the_store_is_away_says_so_in_a_window(front: Front) -> None:
    front.is_away = True
    await front.sends(shortcut(action_ids.REOPEN_SHORTCUT, {"ts": put_away(1).thread.root}))
    assert words(front.window) == texts.NOT_NOW


# The window


@virtual
@pytest.mark.req("M-008")
async def test_the_select_offers_the_callers_own_by_name(front: Front) -> None:
    await front.has(talk(1, "Coffee"))
    await front.has(talk(2, "Tea", channel="D0DIRECT1"))
    await front.has(talk(3, "Hers", owner=ANN))
    await front.has(put_away(4, "Old"))
    found = await front.sends(searched(ARCHIVING, ""))
    assert [each["text"]["text"] for each in found["options"]] == ["💬 Tea · DM", "💬 Coffee · #name-of-c0ops0001"]
    found = await front.sends(searched(REOPENING, "old"))
    assert [each["text"]["text"] for each in found["options"]] == ["📦 Old · #name-of-c0ops0001"]


@virtual
async def test_the_select_offers_nothing_while_the_store_is_away(front: Front) -> None:
    front.is_away = True
    assert await front.sends(searched(ARCHIVING, "")) == {"options": []}


@virtual
@pytest.mark.req("S2-058")
async def test_choosing_shows_what_would_stop(front: Front) -> None:
    now = await front.has(planned(1))
    await front.sends(pressed_in(ARCHIVING, "pick", **chosen(now)))
    (updated,) = front.made("views.update")
    assert updated == {
        "view_id": "V0PICK001",
        "hash": "1.abc",
        "view": conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=False),
    }
    assert front.taken == []


@virtual
async def test_choosing_what_is_not_ones_own_shows_nothing(front: Front) -> None:
    now = await front.has(planned(1, owner=ANN))
    await front.sends(pressed_in(ARCHIVING, "pick", **chosen(now)))
    await front.sends(pressed_in(ARCHIVING, "pick"))
    assert front.made("views.update") == []


@virtual
@pytest.mark.req("M-008")
@pytest.mark.parametrize(
    ("act", "kind"), [(ArchiveAction.ARCHIVE, ArchiveConfirmed), (ArchiveAction.REOPEN, ReopenRequested)]
)
async def test_sending_the_window_takes_the_wish_in_before_it_closes(
    front: Front, act: ArchiveAction, kind: type
) -> None:
    now = await front.has(planned(1) if act is ArchiveAction.ARCHIVE else put_away(1))
    view = conversation_picker.build_picked(act, now, fixed=False)
    assert await front.sends(sent(view, **chosen(now))) == ""
    (event,) = front.taken
    assert type(event) is kind
    assert (event.thread, event.receipt) == (now.thread, f"view:{TEAM}:V0PICK001:1.abc")
    assert float(event.at) >= START.timestamp()


@virtual
@pytest.mark.req("S2-058")
async def test_what_began_to_run_meanwhile_is_warned_of_before_it_is_archived(front: Front) -> None:
    now = await front.has(planned(1))
    answered = await front.sends(sent(ARCHIVING, **chosen(now)))
    assert answered == {
        "response_action": "update",
        "view": conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=False),
    }
    assert front.taken == []
    answered = await front.sends(sent(answered["view"], **chosen(now)))
    assert answered == ""
    assert [type(event) for event in front.taken] == [ArchiveConfirmed]


@virtual
async def test_sending_without_a_choice_is_an_error_below_the_field() -> None:
    assert await Front().sends(sent(ARCHIVING)) == {
        "response_action": "errors",
        "errors": {"pick": texts.PICK_FIRST},
    }


@virtual
@pytest.mark.parametrize("owner", [MAYA, ANN])
async def test_sending_what_cannot_be_done_any_more_is_an_error_and_no_event(front: Front, owner: str) -> None:
    now = await front.has(put_away(1, owner=owner))
    answered = await front.sends(sent(ARCHIVING, **chosen(now)))
    assert answered["response_action"] == "errors"
    assert front.taken == []


@virtual
@pytest.mark.parametrize("fixed", [True, False])
async def test_a_store_that_is_away_keeps_the_window_or_says_so_in_it(front: Front, fixed: bool) -> None:
    now = await front.has(planned(1))
    front.is_away = True
    view = conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=fixed)
    answered = await front.sends(sent(view, **({} if fixed else chosen(now))))
    if fixed:
        assert answered == {
            "response_action": "update",
            "view": conversation_picker.build_notice(ArchiveAction.ARCHIVE, texts.NOT_NOW),
        }
    else:
        assert answered == {"response_action": "errors", "errors": {"pick": texts.NOT_NOW}}


@virtual
async def test_the_same_window_sent_twice_is_one_wish(front: Front) -> None:
    now = await front.has(talk(1))
    view = conversation_picker.build_picked(ArchiveAction.ARCHIVE, now, fixed=False)
    for _ in range(2):
        await front.sends(sent(view, **chosen(now)))
    assert len({event.receipt for event in front.taken}) == 1
    assert front.woken == [now.thread]


def test_two_threads_have_two_addresses() -> None:
    now = talk(1)
    other = replace(now.thread, channel="C2")
    assert blocks.format_address(now.thread) != blocks.format_address(other)
