"""What somebody revokes is revoked, wherever they press; nobody else's rule is."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from app.core.copy import texts
from app.core.errors import SlackRefused
from app.core.state.permission import ANY
from handlers.slack import action_ids
from handlers.slack.manifest import THREADWISE
from handlers.views.windows import rules_window
from handlers.views.windows.forms import PAGE
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import identify_rule
from tests.fakes import virtual
from tests.unit.handlers.front import TRIGGER, command, happened, interaction, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA
from tests.unit.handlers.ruled import (
    FORBIDS,
    VIEW,
    forbidden,
    forbids,
    front_with,
    left,
    lines,
    permitted,
    revoked,
    revokes,
    rule,
    turns,
    unused,
)


@virtual
async def test_the_command_opens_a_window_with_the_callers_own_rules() -> None:
    front = await front_with(rule(1), rule(2, user=ANN))
    assert await front.sends(command(THREADWISE, " PERMISSIONS please")) == ""
    (opened,) = front.made("views.open")
    assert opened["trigger_id"] == TRIGGER
    assert opened["view"] == rules_window.build_window(unused(front, rule(1)))


@virtual
async def test_the_command_says_so_where_nothing_was_decided() -> None:
    front = await front_with(rule(2, user=ANN), policy=FORBIDS)
    assert await front.sends(command(THREADWISE, "permissions")) == ""
    (opened,) = front.made("views.open")
    assert lines(opened["view"])[0] == rules_window.describe_empty(FORBIDS)


@virtual
@pytest.mark.req("AG-09")
async def test_who_forbids_a_whole_tool_sees_it_forbidden_and_can_revoke_that() -> None:
    front = await front_with(rule(1))
    await front.sends(command(THREADWISE, "permissions"))
    (opened,) = front.made("views.open")
    assert forbids(opened["view"]) == ["post_message", "create_file", "read_channel"]
    assert await front.sends(forbidden(opened["view"], "create_file")) == ""
    (kept,) = [each for each in await left(front) if each.scope == ANY]
    assert (kept.tool, kept.allows, kept.user, kept.label) == (
        "create_file",
        False,
        MAYA,
        "Create file (the whole tool)",
    )
    view = front.made("views.update")[-1]["view"]
    assert forbids(view) == ["post_message", "read_channel"]
    assert "Never: Create file (the whole tool)" in str(lines(view))
    await front.sends(revoked(view, kept))
    assert await left(front) == (rule(1),)


@virtual
async def test_a_tool_that_there_is_not_cannot_be_forbidden() -> None:
    front = await front_with(rule(1))
    await front.sends(forbidden(rules_window.build_window(permitted(rule(1))), "rm_rf"))
    assert await left(front) == (rule(1),)


@virtual
async def test_what_could_not_be_forbidden_in_time_is_said_above_the_window() -> None:
    front = await front_with(rule())
    front.is_away = True
    await front.sends(forbidden(rules_window.build_window(permitted(rule())), "create_file"))
    (pushed,) = front.made("views.push")
    assert lines(pushed["view"]) == [texts.NOT_NOW]


@virtual
async def test_home_shows_ones_own_rules_and_those_of_the_workspace() -> None:
    front = await front_with(rule(1), rule(2, user=ANN), policy=FORBIDS)
    await front.sends(happened("app_home_opened", user=MAYA, channel="D0DIRECT1", tab="home"))
    (published,) = front.made("views.publish")
    assert [each["value"] for each in revokes(published["view"])] == [identify_rule(rule(1))]
    assert "never: send_mail" in str(published["view"])


@virtual
async def test_what_is_revoked_in_the_window_is_gone_and_the_window_shows_the_rest_at_once() -> None:
    front = await front_with(rule(1), rule(2, allows=False))
    view = rules_window.build_window(permitted(rule(1), rule(2, allows=False)))
    with capture_logs() as logged:
        assert await front.sends(revoked(view, rule(2, allows=False))) == ""
    assert await left(front) == (rule(1),)
    (updated,) = front.made("views.update")
    assert updated["view_id"] == "V0PICK001"
    assert updated["view"] == rules_window.build_window(unused(front, rule(1)))
    assert "hash" not in updated, "a second click would be refused, and its rule shown although it is revoked"
    told = [line for line in logged if line["event"] == "permission_revoked"]
    assert [(line["tool"], line["allows"]) for line in told] == [("post_message", False)]
    assert "C002" not in str(logged), "a scope may be somebody's words"


@virtual
async def test_what_is_revoked_at_home_is_gone_and_home_shows_the_rest_at_once() -> None:
    front = await front_with(rule(1), rule(2))
    assert await front.sends(revoked(render_home([], VIEW, permitted(rule(1), rule(2)), 0), rule(1))) == ""
    assert await left(front) == (rule(2),)
    (published,) = front.made("views.publish")
    assert published["user_id"] == MAYA
    assert [each["value"] for each in revokes(published["view"])] == [identify_rule(rule(2))]
    assert front.made("views.update") == []


@virtual
async def test_the_window_stays_on_its_page_after_revoking_as_long_as_there_is_one() -> None:
    mine = [rule(number) for number in range(PAGE + 2)]
    front = await front_with(*mine)
    await front.sends(revoked(rules_window.build_window(permitted(*mine), 1), mine[-1]))
    await front.sends(revoked(rules_window.build_window(permitted(*mine[:-1]), 1), mine[-2]))
    pages = [call["view"] for call in front.made("views.update")]
    assert [len(revokes(page)) for page in pages] == [1, PAGE]
    assert [turns(page) for page in pages] == [["0"], []]


@virtual
async def test_who_revokes_the_last_rule_reads_that_nothing_is_left() -> None:
    front = await front_with(rule())
    await front.sends(revoked(rules_window.build_window(permitted(rule())), rule()))
    assert lines(front.made("views.update")[-1]["view"])[0] == texts.PERMISSIONS


@virtual
async def test_nobody_revokes_what_somebody_else_decided() -> None:
    front = await front_with(rule(user=ANN))
    await front.sends(revoked(rules_window.build_window(permitted(rule(user=ANN))), rule(user=ANN)))
    assert await left(front, ANN) == (rule(user=ANN),)


@virtual
async def test_an_older_list_does_not_revoke_what_was_decided_since() -> None:
    never = rule(allows=False)
    front = await front_with(never)
    await front.sends(revoked(rules_window.build_window(permitted(rule())), rule()))
    assert await left(front) == (never,)
    assert revokes(front.made("views.update")[-1]["view"])[0]["value"] == identify_rule(never), "now it can be seen"


@virtual
async def test_a_second_click_on_the_same_changes_nothing_more() -> None:
    front = await front_with(rule(1), rule(2))
    view = rules_window.build_window(permitted(rule(1), rule(2)))
    for _ in range(2):
        await front.sends(revoked(view, rule(1)))
    assert await left(front) == (rule(2),)
    assert [len(revokes(call["view"])) for call in front.made("views.update")] == [1, 1]


@virtual
async def test_pages_are_turned() -> None:
    mine = [rule(number) for number in range(PAGE + 1)]
    front = await front_with(*mine)
    view = rules_window.build_window(permitted(*mine))
    for value in ("1", "nowhere"):
        assert await front.sends(pressed_in(view, f"{action_ids.PERMISSIONS_PAGE_PREFIX}next", value=value)) == ""
    assert [len(revokes(call["view"])) for call in front.made("views.update")] == [1, PAGE]


@virtual
@pytest.mark.parametrize("trouble", ["away", "slow"])
async def test_what_could_not_be_revoked_in_time_is_said_above_the_window_and_stays(trouble: str) -> None:
    front = await front_with(rule())
    front.is_away, front.slowness = trouble == "away", 60.0 if trouble == "slow" else 0.0
    assert await front.sends(revoked(rules_window.build_window(permitted(rule())), rule())) == ""
    (pushed,) = front.made("views.push")
    assert pushed["trigger_id"] == TRIGGER
    assert lines(pushed["view"]) == [texts.NOT_NOW]
    assert await left(front) == (rule(),)
    assert front.clock.monotonic() < 3


@virtual
async def test_what_could_not_be_revoked_at_home_is_said_in_a_window() -> None:
    front = await front_with(rule())
    front.is_away = True
    await front.sends(revoked(render_home([], VIEW, permitted(rule()), 0), rule()))
    assert lines(front.window) == [texts.NOT_NOW]
    assert front.made("views.push") == []


@virtual
async def test_a_window_that_was_closed_meanwhile_does_not_keep_the_rule() -> None:
    front = await front_with(rule())
    front.slack.faults["views.update"] = [SlackRefused("views.update", "not_found")]
    await front.sends(revoked(rules_window.build_window(permitted(rule())), rule()))
    assert await left(front) == ()
    assert front.made("views.push") == [], "it is not said that it could not be done"


@virtual
async def test_while_the_store_is_away_the_command_is_answered_with_a_sentence() -> None:
    front = await front_with(rule())
    front.is_away = True
    assert await front.sends(command(THREADWISE, "permissions")) == texts.NOT_NOW


@virtual
async def test_a_click_that_says_nothing_is_acknowledged_and_revokes_nothing() -> None:
    front = await front_with(rule())
    act = {"action_id": action_ids.REVOKE, "block_id": "b", "type": "button"}
    assert await front.sends(interaction("block_actions", actions=[act], view={})) == ""
    assert await left(front) == (rule(),)
