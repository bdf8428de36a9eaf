"""What somebody has allowed or forbidden for good: what they read of it, and that what they revoke is revoked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slack_sdk.models.views import View
from structlog.testing import capture_logs

from app.core import texts
from app.core import texts_permissions as words
from app.core.errors import SlackRefused
from app.core.permissions import ANY, Policy, Rule
from handlers import glance, permissions
from handlers.home import home
from handlers.manifest import THREADWISE
from handlers.permissions import AT_HOME, PAGE, REVOKE_ACTION, Permitted, mark
from tests.fakes import START, virtual
from tests.unit.handlers.front import RULES, TRIGGER, URL, Front, command, happened, interaction, pressed_in
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.talks import planned, put_away, talk, waiting

Json = dict[str, Any]
FORBIDS = Policy(denied=(("send_mail", ANY), (ANY, "#board")), allowed=(("fetch", "https://acme.example"),))
VIEW = glance.View(workspace_url=URL, now=START)


def rule(number: int = 1, *, allows: bool = True, **changes: Any) -> Rule:
    """A rule of Maya's."""
    fields: Json = {"label": f"post in #team-{number}", "scope": f"C{number:03}", "user": MAYA, **changes}
    return Rule(team=TEAM, tool="post_message", allows=allows, at="2026-02-03T09:00:00+00:00", **fields)


def permitted(*rules: Rule, policy: Policy = RULES.policy) -> Permitted:
    return Permitted(rules=rules, policy=policy)


def lines(view: Json) -> list[str]:
    return [block["text"]["text"] for block in view["blocks"] if "text" in block]


def revokes(view: Json) -> list[Json]:
    """The buttons that revoke."""
    return [block["accessory"] for block in view["blocks"] if "accessory" in block]


def turns(view: Json) -> list[str]:
    """The pages that can be turned to."""
    rows = (block["elements"] for block in view["blocks"] if block["type"] == "actions")
    return [button["value"] for row in rows for button in row]


async def front_with(*rules: Rule, policy: Policy = RULES.policy) -> Front:
    front = Front(replace(RULES, policy=policy))
    for each in rules:
        await front.store.permissions.keep(each)
    return front


def revoked(view: Json, which: Rule, user: str = MAYA) -> Json:
    """Somebody presses *Revoke* and says that they mean it."""
    return pressed_in(view, REVOKE_ACTION, user, value=mark(which))


async def left(front: Front, user: str = MAYA) -> tuple[Rule, ...]:
    return await front.store.permissions.of(TEAM, user)


# What is read


def test_each_rule_is_told_in_the_words_of_its_button_with_what_follows_and_since_when() -> None:
    always, never = lines(permissions.window(permitted(rule(1), rule(2, allows=False))))
    assert always.startswith("✅ Without asking: post in #team-1\n")
    assert never.startswith("🚫 Never: post in #team-2\n")
    for told in (always, never):
        assert told.endswith("<!date^1770109200^{date_short_pretty}|3 Feb 2026>")


def test_a_rule_without_words_of_its_own_is_told_by_tool_and_scope() -> None:
    [told] = lines(permissions.window(permitted(rule(label=""))))
    assert told.startswith("✅ Without asking: post_message: C001\n")


def test_before_anything_is_revoked_slack_asks_what_is_meant() -> None:
    always, never = revokes(permissions.window(permitted(rule(1), rule(2, allows=False))))
    assert (always["text"]["text"], always["confirm"]["title"]["text"]) == ("Revoke", "Revoke this?")
    assert always["confirm"]["text"]["text"] == "From now on I ask you again before I do it: post in #team-1"
    assert never["confirm"]["text"]["text"] == "From now on I may ask you again about it: post in #team-2"


def test_what_the_workspace_forbids_and_allows_stands_above_ones_own_rules() -> None:
    told, mine = lines(permissions.window(permitted(rule(), policy=FORBIDS)))
    assert told == (
        "🚫 For everybody in this workspace, never: send_mail, everything (#board)\n"
        "✅ For everybody in this workspace, without asking: fetch (https://acme.example)"
    )
    assert mine.startswith("✅ Without asking: post in")


def test_who_has_decided_nothing_reads_so_and_what_holds_for_everybody() -> None:
    assert permissions.nothing(Policy()) == texts.PERMISSIONS
    told = permissions.nothing(FORBIDS)
    assert told.startswith(words.NOTHING_OWN)
    assert "without asking: fetch" in told
    assert texts.PERMISSIONS not in told, "it would be untrue: something is done without asking"


def test_what_people_wrote_in_a_label_pings_nobody() -> None:
    [told] = lines(permissions.window(permitted(rule(label="post <!channel> in <https://evil.example|here>"))))
    assert "<!channel>" not in told
    assert "<https://evil" not in told


def test_many_rules_are_shown_in_pages_and_each_stands_on_exactly_one() -> None:
    mine = [rule(number) for number in range(2 * PAGE + 1)]
    pages = [permissions.window(permitted(*mine), page) for page in range(3)]
    assert [each["value"] for view in pages for each in revokes(view)] == [mark(each) for each in mine]
    assert [turns(view) for view in pages] == [["1"], ["0", "2"], ["1"]]
    assert [permissions.page_of(view) for view in pages] == [0, 1, 2]


def test_behind_the_last_page_is_the_last_page_and_one_page_has_no_buttons_to_turn() -> None:
    assert permissions.window(permitted(rule()), 7) == permissions.window(permitted(rule()))
    assert turns(permissions.window(permitted(*map(rule, range(PAGE))))) == []


def test_home_shows_the_first_rules_and_says_how_to_see_the_others() -> None:
    section = permissions.at_home(permitted(*map(rule, range(AT_HOME + 3))))
    assert len(revokes({"blocks": section})) == AT_HOME
    assert section[-1]["elements"][0]["text"] == words.MORE.format(count=3)
    assert len(permissions.at_home(permitted(*map(rule, range(AT_HOME))))) == AT_HOME + 1


TEXTS = st.text(max_size=400)


@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=100), st.lists(st.tuples(TEXTS, TEXTS), max_size=9), TEXTS)
@example([("&" * 900, True)] * 100, [("&" * 128, "<" * 3_000)] * 9, "&" * 9_000)
@example([("", False)] * 100, [(ANY, ANY)], "<!here>" * 900)
def test_slack_takes_the_window_and_home_whatever_is_in_them(
    labels: list[tuple[str, bool]], pairs: list[tuple[str, str]], scope: str
) -> None:
    mine = [rule(label=label, allows=allows, scope=scope) for label, allows in labels]
    all_ = permitted(*mine, policy=Policy(denied=tuple(pairs), allowed=tuple(pairs)))
    talks = [kind(number) for kind in (talk, waiting, planned, put_away) for number in range(20)]
    for view in (permissions.window(all_), permissions.window(all_, 1), home(talks, VIEW, all_, 1)):
        model: Any = View(**view)
        model.validate_json()
        assert len(view["blocks"]) <= 100
        assert len(json.dumps(view)) <= 250_000
        assert all(1 <= len(each) <= 3_000 for each in lines(view))
        for button in revokes(view):
            assert len(button.get("confirm", {}).get("text", {}).get("text", "")) <= 300
    assert 1 <= len(permissions.nothing(all_.policy)) <= 3_000


@pytest.mark.parametrize(
    "other", [{"scope": "C0011"}, {"scope": "C00"}, {"tool": "post"}, {"allows": False}, {"at": "2026-02-04"}], ids=str
)
def test_another_decision_has_another_mark(other: Json) -> None:
    assert mark(rule()) != mark(replace(rule(), **other))
    assert mark(rule()) == mark(replace(rule(), label="in other words"))


@given(st.one_of(st.text(), st.integers().map(lambda page: json.dumps({"page": page})), st.just('{"page": "1"}')))
def test_the_page_of_any_view_is_a_number(metadata: str) -> None:
    assert isinstance(permissions.page_of({"private_metadata": metadata}), int)


# Over Bolt


@virtual
async def test_the_command_opens_a_window_with_the_callers_own_rules() -> None:
    front = await front_with(rule(1), rule(2, user=ANN))
    assert await front.sends(command(THREADWISE, " PERMISSIONS please")) == ""
    (opened,) = front.made("views.open")
    assert opened["trigger_id"] == TRIGGER
    assert opened["view"] == permissions.window(permitted(rule(1)))


@virtual
async def test_the_command_says_so_where_nothing_was_decided() -> None:
    front = await front_with(rule(2, user=ANN), policy=FORBIDS)
    assert await front.sends(command(THREADWISE, "permissions")) == permissions.nothing(FORBIDS)
    assert front.made("views.open") == []


@virtual
async def test_home_shows_ones_own_rules_and_those_of_the_workspace() -> None:
    front = await front_with(rule(1), rule(2, user=ANN), policy=FORBIDS)
    await front.sends(happened("app_home_opened", user=MAYA, channel="D0DIRECT1", tab="home"))
    (published,) = front.made("views.publish")
    assert [each["value"] for each in revokes(published["view"])] == [mark(rule(1))]
    assert "never: send_mail" in str(published["view"])


@virtual
async def test_what_is_revoked_in_the_window_is_gone_and_the_window_shows_the_rest_at_once() -> None:
    front = await front_with(rule(1), rule(2, allows=False))
    view = permissions.window(permitted(rule(1), rule(2, allows=False)))
    with capture_logs() as logged:
        assert await front.sends(revoked(view, rule(2, allows=False))) == ""
    assert await left(front) == (rule(1),)
    (updated,) = front.made("views.update")
    assert updated["view_id"] == "V0PICK001"
    assert updated["view"] == permissions.window(permitted(rule(1)))
    assert "hash" not in updated, "a second click would be refused, and its rule shown although it is revoked"
    told = [line for line in logged if line["event"] == "permission_revoked"]
    assert [(line["tool"], line["allows"]) for line in told] == [("post_message", False)]
    assert "C002" not in str(logged), "a scope may be somebody's words"


@virtual
async def test_what_is_revoked_at_home_is_gone_and_home_shows_the_rest_at_once() -> None:
    front = await front_with(rule(1), rule(2))
    assert await front.sends(revoked(home([], VIEW, permitted(rule(1), rule(2)), 0), rule(1))) == ""
    assert await left(front) == (rule(2),)
    (published,) = front.made("views.publish")
    assert published["user_id"] == MAYA
    assert [each["value"] for each in revokes(published["view"])] == [mark(rule(2))]
    assert front.made("views.update") == []


@virtual
async def test_the_window_stays_on_its_page_after_revoking_as_long_as_there_is_one() -> None:
    mine = [rule(number) for number in range(PAGE + 2)]
    front = await front_with(*mine)
    await front.sends(revoked(permissions.window(permitted(*mine), 1), mine[-1]))
    await front.sends(revoked(permissions.window(permitted(*mine[:-1]), 1), mine[-2]))
    pages = [call["view"] for call in front.made("views.update")]
    assert [len(revokes(page)) for page in pages] == [1, PAGE]
    assert [turns(page) for page in pages] == [["0"], []]


@virtual
async def test_who_revokes_the_last_rule_reads_that_nothing_is_left() -> None:
    front = await front_with(rule())
    await front.sends(revoked(permissions.window(permitted(rule())), rule()))
    assert lines(front.made("views.update")[-1]["view"]) == [texts.PERMISSIONS]


@virtual
async def test_nobody_revokes_what_somebody_else_decided() -> None:
    front = await front_with(rule(user=ANN))
    await front.sends(revoked(permissions.window(permitted(rule(user=ANN))), rule(user=ANN)))
    assert await left(front, ANN) == (rule(user=ANN),)


@virtual
async def test_an_older_list_does_not_revoke_what_was_decided_since() -> None:
    never = rule(allows=False)
    front = await front_with(never)
    await front.sends(revoked(permissions.window(permitted(rule())), rule()))
    assert await left(front) == (never,)
    assert revokes(front.made("views.update")[-1]["view"])[0]["value"] == mark(never), "now it can be seen"


@virtual
async def test_a_second_click_on_the_same_changes_nothing_more() -> None:
    front = await front_with(rule(1), rule(2))
    view = permissions.window(permitted(rule(1), rule(2)))
    for _ in range(2):
        await front.sends(revoked(view, rule(1)))
    assert await left(front) == (rule(2),)
    assert [len(revokes(call["view"])) for call in front.made("views.update")] == [1, 1]


@virtual
async def test_pages_are_turned() -> None:
    mine = [rule(number) for number in range(PAGE + 1)]
    front = await front_with(*mine)
    view = permissions.window(permitted(*mine))
    for value in ("1", "nowhere"):
        assert await front.sends(pressed_in(view, f"{permissions.PAGE_ACTIONS}next", value=value)) == ""
    assert [len(revokes(call["view"])) for call in front.made("views.update")] == [1, PAGE]


@virtual
@pytest.mark.parametrize("trouble", ["away", "slow"])
async def test_what_could_not_be_revoked_in_time_is_said_above_the_window_and_stays(trouble: str) -> None:
    front = await front_with(rule())
    front.is_away, front.slowness = trouble == "away", 60.0 if trouble == "slow" else 0.0
    assert await front.sends(revoked(permissions.window(permitted(rule())), rule())) == ""
    (pushed,) = front.made("views.push")
    assert pushed["trigger_id"] == TRIGGER
    assert lines(pushed["view"]) == [texts.NOT_NOW]
    assert await left(front) == (rule(),)
    assert front.clock.monotonic() < 3


@virtual
async def test_what_could_not_be_revoked_at_home_is_said_in_a_window() -> None:
    front = await front_with(rule())
    front.is_away = True
    await front.sends(revoked(home([], VIEW, permitted(rule()), 0), rule()))
    assert lines(front.window) == [texts.NOT_NOW]
    assert front.made("views.push") == []


@virtual
async def test_a_window_that_was_closed_meanwhile_does_not_keep_the_rule() -> None:
    front = await front_with(rule())
    front.slack.faults["views.update"] = [SlackRefused("views.update", "not_found")]
    await front.sends(revoked(permissions.window(permitted(rule())), rule()))
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
    act = {"action_id": REVOKE_ACTION, "block_id": "b", "type": "button"}
    assert await front.sends(interaction("block_actions", actions=[act], view={})) == ""
    assert await left(front) == (rule(),)
