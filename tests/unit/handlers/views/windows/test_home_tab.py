"""The Home tab: what it shows, when it is shown again, and its one button."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.events.acts import ReopenRequested
from app.core.state.permission import Policy, Rule
from handlers.slack import action_ids
from handlers.views.windows.conversation_picker import ArchiveAction
from handlers.views.windows.home_tab import ARCHIVED_SHOWN, SHOWN, render_home
from handlers.views.windows.rules_window import PermissionOverview
from tests.fakes import virtual
from tests.unit.handlers.front import Front, happened, interaction, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.ruled import VIEW
from tests.unit.handlers.talks import planned, put_away, talk, waiting
from tests.virtual import START


def at_home(*mine: Conversation) -> dict[str, Any]:
    return render_home(mine, VIEW, PermissionOverview(rules=(), policy=Policy()), 12_345)


def words(view: dict[str, Any]) -> list[str]:
    return [block["text"]["text"] for block in view["blocks"] if "text" in block]


def opened(tab: str = "home", user: str = MAYA) -> dict[str, Any]:
    return happened("app_home_opened", user=user, channel="D0DIRECT1", tab=tab)


@pytest.mark.req("S2-053", "S2-054", "S2-055")
def test_each_conversation_stands_where_it_belongs() -> None:
    view = at_home(waiting(4), planned(3), talk(2), put_away(1))
    headers = [block["text"]["text"] for block in view["blocks"] if block["type"] == "header"]
    assert headers == [
        texts.HOME_BEGIN,
        texts.HOME_WAITING,
        texts.HOME_BACKGROUND,
        texts.HOME_ACTIVE,
        texts.HOME_ARCHIVED,
        texts.HOME_PERMISSIONS,
    ]
    said = words(view)
    assert "waiting for you: “By when?”" in said[said.index(texts.HOME_WAITING) + 1]
    assert "· every Monday at 09:00 (Berlin) · next <!date^" in said[said.index(texts.HOME_BACKGROUND) + 1]
    assert "Winter rota> · <#C0OPS0001> · <!date^" in said[said.index(texts.HOME_ACTIVE) + 1]
    buttons = [block["accessory"] for block in view["blocks"] if "accessory" in block]
    assert [button["action_id"] for button in buttons] == [*[action_ids.HOME_ARCHIVE] * 3, action_ids.HOME_REOPEN]
    assert buttons[-1]["value"] == f"C0OPS0001:{put_away(1).thread.root}"


def test_who_has_nothing_reads_what_could_be_written() -> None:
    assert words(at_home())[1] == texts.HOME_EMPTY


def test_home_begins_with_the_three_ways_to_begin() -> None:
    (row,) = [block for block in at_home()["blocks"] if block["type"] == "actions"]
    assert [each["action_id"] for each in row["elements"]] == ["start:decision", "start:task", "example"]


def test_home_tells_permissions_and_what_was_used_today() -> None:
    assert texts.PERMISSIONS in words(at_home())[-1]
    assert at_home()["blocks"][-1]["elements"][0]["text"] == "Usage today: 12,345 tokens"


KINDS = st.sampled_from([talk, waiting, planned, put_away])


@given(st.lists(st.tuples(KINDS, st.text(max_size=300)), max_size=100))
def test_slack_takes_home_whatever_is_in_it(mine: list[tuple[Any, str]]) -> None:
    view = at_home(*(kind(number, title) for number, (kind, title) in enumerate(mine)))
    model: Any = View(**view)
    model.validate_json()
    assert len(view["blocks"]) <= 100
    assert all(1 <= len(each) <= 3_000 for each in words(view))


def test_a_row_keeps_its_name_when_home_is_shown_anew() -> None:
    """By its name Slack knows what is pressed while it changes, and the page keeps the focus there."""
    rule = Rule(team=TEAM, user=MAYA, tool="post_message", scope="", label="Post", allows=True, at=START.isoformat())
    before, after = (
        render_home(mine, VIEW, PermissionOverview(rules=(rule,), policy=Policy()), tokens)
        for mine, tokens in (((talk(1),), 0), ((waiting(4), talk(2), talk(1)), 9))
    )
    kept, among = ([block for block in view["blocks"] if "block_id" in block] for view in (before, after))
    assert len(kept) == 3
    assert all(row in among for row in kept)
    pressable = [block for block in after["blocks"] if "accessory" in block or "elements" in block]
    assert {block["type"] for block in pressable if "block_id" not in block} == {"context"}
    assert len({block["block_id"] for block in among}) == len(among)


def test_what_is_not_shown_is_counted() -> None:
    many = [*(talk(n) for n in range(SHOWN + 3)), *(put_away(n) for n in range(30, 31 + ARCHIVED_SHOWN))]
    more = [block["elements"][0]["text"] for block in at_home(*many)["blocks"] if block["type"] == "context"][:2]
    assert more == [texts.MORE_AT_HOME.format(count=3), texts.MORE_AT_HOME.format(count=1)]


# Over Bolt


@virtual
async def test_home_is_shown_to_whoever_opens_it_with_their_own_conversations(front: Front) -> None:
    await front.has(talk(1, "Mine"))
    await front.has(talk(2, "Hers", owner=ANN))
    await front.sends(opened())
    (published,) = front.made("views.publish")
    assert published["user_id"] == MAYA
    assert "Mine" in str(published["view"])
    assert "Hers" not in str(published["view"])


@virtual
@pytest.mark.req("S2-056")
async def test_home_is_shown_again_after_a_change_but_only_to_whoever_has_opened_it(front: Front) -> None:
    await front.outlet.publish_home(TEAM, MAYA)
    assert front.made("views.publish") == []
    await front.sends(opened())
    await front.has(talk(1, "News"))
    await front.outlet.publish_home(TEAM, MAYA)
    await front.outlet.publish_home(TEAM, ANN)
    assert ["News" in str(call["view"]) for call in front.made("views.publish")] == [False, True]


@virtual
async def test_home_of_another_workspace_is_not_ours_to_show(front: Front) -> None:
    await front.sends(opened() | {"team_id": "T0OTHER01"})
    await front.sends(happened("app_home_opened", tab="home"))
    assert front.made("views.publish") == []


@virtual
async def test_reopen_at_home_is_taken_in_before_it_is_acknowledged(front: Front) -> None:
    now = await front.has(put_away(1))
    click = pressed_in(at_home(now), action_ids.HOME_REOPEN, value=f"{now.thread.channel}:{now.thread.root}")
    assert await front.sends(click) == ""
    at = "1770000300.000200"
    assert front.taken == [
        ReopenRequested(receipt=f"action:{TEAM}:V0PICK001:{at}:{MAYA}", thread=now.thread, ts="", at=at, user=MAYA)
    ]


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (put_away(1, owner=ANN), texts.NOT_OWNER.format(owner=f"<@{ANN}>")),
        (talk(1), texts.NOT_ARCHIVED),
        (put_away(2), texts.NOT_OURS),
    ],
    ids=["given away", "open again", "forgotten"],
)
@virtual
async def test_reopen_at_a_home_that_shows_what_was_says_so_in_a_window(now: Conversation, sentence: str) -> None:
    front, was = Front(), put_away(1)
    await front.has(now)
    click = pressed_in(at_home(was), action_ids.HOME_REOPEN, value=f"{was.thread.channel}:{was.thread.root}")
    assert await front.sends(click) == ""
    assert words(front.window) == [sentence]
    assert front.taken == []


@virtual
async def test_archive_at_home_asks_in_a_window_and_takes_nothing_in_yet(front: Front) -> None:
    now = await front.has(talk(1, "Rota"))
    await front.sends(
        pressed_in(at_home(now), action_ids.HOME_ARCHIVE, value=f"{now.thread.channel}:{now.thread.root}")
    )
    assert front.window["callback_id"] == ArchiveAction.ARCHIVE
    assert "Rota" in str(front.window)
    assert front.taken == []


@pytest.mark.parametrize(
    ("user", "value", "sentence"),
    [
        (ANN, "", texts.NOT_OWNER.format(owner=f"<@{MAYA}>")),
        (MAYA, "nothing", texts.NOT_OURS),
        (MAYA, "C0OPS0001:1.000001", texts.NOT_OURS),
    ],
)
@virtual
async def test_archive_at_home_is_for_ones_own_conversations_that_are_there(
    front: Front, user: str, value: str, sentence: str
) -> None:
    now = await front.has(talk(1, "Rota"))
    place = value or f"{now.thread.channel}:{now.thread.root}"
    await front.sends(pressed_in(at_home(now), action_ids.HOME_ARCHIVE, user, value=place))
    assert words(front.window) == [sentence]


@pytest.mark.parametrize("button", [action_ids.HOME_ARCHIVE, action_ids.HOME_REOPEN])
@virtual
async def test_archive_and_reopen_while_the_store_is_away_say_so_in_a_window(front: Front, button: str) -> None:
    front.is_away = True
    await front.sends(pressed_in(at_home(), button, value="C1:1770000101.000100"))
    assert words(front.window) == [texts.NOT_NOW]


@virtual
async def test_a_button_at_home_that_names_no_thread_is_acknowledged_and_does_nothing(front: Front) -> None:
    assert await front.sends(pressed_in(at_home(), action_ids.HOME_REOPEN, value="nothing")) == ""
    act = {"action_id": action_ids.HOME_REOPEN, "block_id": "b", "type": "button"}
    assert await front.sends(interaction("block_actions", actions=[act], view={})) == ""
    assert front.taken == []
