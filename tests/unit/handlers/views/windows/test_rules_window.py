"""What somebody has allowed or forbidden for good: what they read of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.copy import permission_cards, texts
from app.core.state.permission import ANY, Policy, Span
from app.ports import ServedTool, ServerListing
from handlers.views.windows import rules_window
from handlers.views.windows.forms import PAGE, read_page
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import AT_HOME, identify_rule
from tests.unit.handlers.ruled import FORBIDS, VIEW, Json, forbids, lines, permitted, revokes, rule, turns
from tests.unit.handlers.talks import planned, put_away, talk, waiting


def test_each_rule_is_told_in_the_words_of_its_button_with_what_follows_and_since_when() -> None:
    always, never = lines(rules_window.build_window(permitted(rule(1), rule(2, allows=False))))
    assert always.startswith("✅ Without asking: post in #team-1\n")
    assert never.startswith("🚫 Never: post in #team-2\n")
    for told in (always, never):
        assert told.endswith("<!date^1770109200^{date_short_pretty}|3 Feb 2026>")


@pytest.mark.req("SE-05")
def test_a_rule_that_allows_tells_its_last_use_and_its_end() -> None:
    mine, now = [rule(number) for number in (1, 2, 3)], datetime(2026, 6, 1, tzinfo=UTC)
    spans = {
        ("post_message", "C001"): Span(used=datetime(2026, 5, 30, tzinfo=UTC), ends=datetime(2026, 8, 28, tzinfo=UTC)),
        ("post_message", "C002"): Span(used=None, ends=datetime(2026, 5, 4, tzinfo=UTC)),
    }
    used, ended, untold = lines(rules_window.build_window(replace(permitted(*mine), spans=spans, now=now)))
    assert "|3 Feb 2026> _· last used_ <!date^1780099200^{date_short_pretty}|30 May 2026>" in used
    assert used.endswith("_· ends unless used by_ <!date^1787875200^{date_short_pretty}|28 Aug 2026>")
    assert ended.endswith("_· ended, I ask again ·_ <!date^1777852800^{date_short_pretty}|4 May 2026>")
    assert "last used" not in ended
    assert untold.endswith("|3 Feb 2026>")


def test_a_rule_without_words_of_its_own_is_told_by_tool_and_scope() -> None:
    [told] = lines(rules_window.build_window(permitted(rule(label=""))))
    assert told.startswith("✅ Without asking: post_message: C001\n")


def test_before_anything_is_revoked_slack_asks_what_is_meant() -> None:
    always, never = revokes(rules_window.build_window(permitted(rule(1), rule(2, allows=False))))
    assert (always["text"]["text"], always["confirm"]["title"]["text"]) == ("Revoke", "Revoke this?")
    assert always["confirm"]["text"]["text"] == "From now on I ask you again before I do it: post in #team-1"
    assert never["confirm"]["text"]["text"] == "From now on I may ask you again about it: post in #team-2"


@pytest.mark.parametrize("by", ["tool", "workspace"])
def test_what_was_allowed_and_is_forbidden_by_another_choice_is_not_told_as_done_without_asking(by: str) -> None:
    whole = rule(2, allows=False, scope=ANY, label="Post message (the whole tool)")
    mine = [rule(1), *([whole] if by == "tool" else [])]
    denied = Policy(denied=(("post_message", ANY),)) if by == "workspace" else Policy()
    window = rules_window.build_window(permitted(*mine, policy=denied))
    [told] = [each for each in lines(window) if "post in #team-1" in each]
    assert told.startswith("🚫 Not done, in spite of this choice, because another one forbids it: post in #team-1\n")
    assert "Without asking: post in" not in str(window)
    sure = next(each["confirm"]["text"]["text"] for each in revokes(window))
    assert sure == "It stays forbidden all the same, by another choice: post in #team-1"


def test_what_the_workspace_forbids_and_allows_stands_above_ones_own_rules() -> None:
    told, mine = lines(rules_window.build_window(permitted(rule(), policy=FORBIDS)))
    assert told == (
        "🚫 For everybody in this workspace, never: send_mail and everything (#board)\n"
        "✅ For everybody in this workspace, without asking: fetch (https://acme.example)"
    )
    assert mine.startswith("✅ Without asking: post in")


def test_who_has_decided_nothing_reads_so_and_what_holds_for_everybody() -> None:
    assert rules_window.describe_empty(Policy()) == texts.PERMISSIONS
    told = rules_window.describe_empty(FORBIDS)
    assert told.startswith(permission_cards.NOTHING_OWN)
    assert "without asking: fetch" in told
    assert texts.PERMISSIONS not in told, "it would be untrue: something is done without asking"


def test_what_people_wrote_in_a_label_pings_nobody() -> None:
    [told] = lines(rules_window.build_window(permitted(rule(label="post <!channel> in <https://evil.example|here>"))))
    assert "<!channel>" not in told
    assert "<https://evil" not in told


def test_many_rules_are_shown_in_pages_and_each_stands_on_exactly_one() -> None:
    mine = [rule(number) for number in range(2 * PAGE + 1)]
    pages = [rules_window.build_window(permitted(*mine), page) for page in range(3)]
    assert [each["value"] for view in pages for each in revokes(view)] == [identify_rule(each) for each in mine]
    assert [turns(view) for view in pages] == [["1"], ["0", "2"], ["1"]]
    assert [read_page(view) for view in pages] == [0, 1, 2]


def test_behind_the_last_page_is_the_last_page_and_one_page_has_no_buttons_to_turn() -> None:
    assert rules_window.build_window(permitted(rule()), 7) == rules_window.build_window(permitted(rule()))
    assert turns(rules_window.build_window(permitted(*map(rule, range(PAGE))))) == []


def test_home_shows_the_first_rules_and_says_how_to_see_the_others() -> None:
    section = rules_window.render_home_section(permitted(*map(rule, range(AT_HOME + 3))))
    assert len(revokes({"blocks": section})) == AT_HOME
    assert section[-1]["elements"][0]["text"] == permission_cards.MORE.format(count=3)
    assert len(rules_window.render_home_section(permitted(*map(rule, range(AT_HOME))))) == AT_HOME + 1


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
    for view in (
        rules_window.build_window(all_),
        rules_window.build_window(all_, 1),
        render_home(talks, VIEW, all_, 1),
    ):
        model: Any = View(**view)
        model.validate_json()
        assert len(view["blocks"]) <= 100
        assert len(json.dumps(view)) <= 250_000
        assert all(1 <= len(each) <= 3_000 for each in lines(view))
        for button in revokes(view):
            assert len(button.get("confirm", {}).get("text", {}).get("text", "")) <= 300
    assert 1 <= len(rules_window.describe_empty(all_.policy)) <= 3_000


@pytest.mark.parametrize(
    "other", [{"scope": "C0011"}, {"scope": "C00"}, {"tool": "post"}, {"allows": False}, {"at": "2026-02-04"}], ids=str
)
def test_another_decision_has_another_mark(other: Json) -> None:
    assert identify_rule(rule()) != identify_rule(replace(rule(), **other))
    assert identify_rule(rule()) == identify_rule(replace(rule(), label="in other words"))


@given(st.one_of(st.text(), st.integers().map(lambda page: json.dumps({"page": page})), st.just('{"page": "1"}')))
def test_the_page_of_any_view_is_a_number(metadata: str) -> None:
    assert isinstance(read_page({"private_metadata": metadata}), int)


def served(name: str, *, reads: bool = False) -> ServedTool:
    return ServedTool(server="board", name=name, description="", schema={}, reads=reads, digest="d")


@pytest.mark.req("IN-13")
def test_tools_of_servers_stand_below_the_rules_by_server_with_what_is_asked_about() -> None:
    board = ServerListing(server="board", tools=(served("put_ticket"), served("drop"), served("look", reads=True)))
    gone = ServerListing(server="wiki", fault="it ended")
    window = rules_window.build_window(replace(permitted(rule()), servers=(board, gone)))
    _, first, second, _ = lines(window)
    assert first == (
        "⚙️ *Tools of the server board*\nYou are asked before: put ticket and drop\n"
        "Without asking, because they only read: look"
    )
    assert second == "⚙️ *Tools of the server wiki*\n_It cannot be reached just now._"


@pytest.mark.req("IN-13")
def test_a_full_page_of_rules_and_all_servers_with_all_their_tools_fit_a_window() -> None:
    tools = tuple(served(f"{'<&' * 30}{number}") for number in range(40))
    servers = tuple(ServerListing(server=f"s{number}", tools=tools, fault="x") for number in range(20))
    many = replace(permitted(*(rule(number) for number in range(3 * PAGE))), servers=servers)
    first, second = rules_window.build_window(many), rules_window.build_window(many, 1)
    assert len(first["blocks"]) <= 100
    assert all(len(line) <= 3_000 for line in lines(first))
    assert sum("Tools of the server" in line for line in lines(first)) == 20
    assert not any("Tools of the server" in line for line in lines(second))


@pytest.mark.req("AG-09")
def test_a_tool_of_a_server_can_be_forbidden_as_a_whole_like_our_own() -> None:
    board = ServerListing(server="board", tools=(served("put_ticket"),))
    overview = replace(permitted(), tools=("read_channel",), servers=(board,))
    assert forbids(rules_window.build_window(overview)) == ["read_channel", "board__put_ticket"]
    assert "“put ticket” of the server board" in str(rules_window.build_window(overview))
    many = ServerListing(server="board", tools=tuple(served(f"put_{number}") for number in range(120)))
    assert len(forbids(rules_window.build_window(replace(overview, servers=(many,))))) == 100, "Slack takes no more"
