"""The windows to archive and reopen: what they offer, what they say, and what they give back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.copy import texts
from app.core.state.schedule import Schedule, ScheduleKind
from handlers.views.kit import blocks
from handlers.views.windows.conversation_picker import (
    ArchiveAction,
    build_empty,
    build_notice,
    build_picked,
    has_select,
    is_possible,
    list_options,
    read,
    was_warned,
)
from tests.unit.handlers.front import option, shown
from tests.unit.handlers.payloads import CHANNEL, TEAM
from tests.unit.handlers.talks import planned, put_away, talk, waiting
from tests.virtual import START

NAMES = {CHANNEL: "ops"}
MINE = (waiting(4, channel="D0DIRECT1"), planned(3), talk(2, "Coffee"), put_away(1))


def labels(act: ArchiveAction, typed: str = "") -> list[str]:
    return [each["text"]["text"] for each in list_options(act, MINE, NAMES, START, typed)]


def said(view: dict[str, Any]) -> str:
    return "\n".join(block["text"]["text"] for block in view["blocks"] if block["type"] == "section")


def is_taken(view: dict[str, Any]) -> None:
    model: Any = View(**view)  # pyright: ignore[reportArgumentType]  it takes dictionaries as well
    model.validate_json()
    assert all(len(view[name]["text"]) <= 24 for name in ("title", "submit", "close") if name in view)
    assert len(view.get("private_metadata", "")) <= 3_000
    assert all(len(block["text"]["text"]) <= 3_000 for block in view["blocks"] if "text" in block)


@pytest.mark.req("NC-07")
def test_options_tell_state_title_place_and_what_comes_next_newest_first() -> None:
    assert labels(ArchiveAction.ARCHIVE) == [
        "❓ Rota plan · DM · waiting for you",
        "⏰ Weekly ops digest · #ops · next tomorrow 09:00 (Berlin)",
        "💬 Coffee · #ops",
    ]


@pytest.mark.req("M-008")
def test_only_what_can_be_archived_or_reopened_is_offered() -> None:
    assert labels(ArchiveAction.REOPEN) == ["📦 Old plans · #ops"]
    assert [is_possible(ArchiveAction.ARCHIVE, each) for each in MINE] == [True, True, True, False]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ROTA", ["Rota plan"]),
        ("ops week", ["Weekly ops digest"]),
        ("background", ["Weekly ops digest"]),
        ("zebra", []),
    ],
)
def test_what_is_typed_is_looked_for_in_title_channel_and_state(typed: str, found: list[str]) -> None:
    assert [label.split(" · ")[0][2:] for label in labels(ArchiveAction.ARCHIVE, typed)] == found


def test_a_channel_without_a_name_is_a_channel() -> None:
    (made,) = list_options(ArchiveAction.ARCHIVE, [talk(1)], {}, START, "")
    assert made["text"]["text"] == f"💬 Winter rota · {texts.SOME_CHANNEL}"


def test_a_long_title_makes_room_for_place_and_next_run() -> None:
    (made,) = list_options(ArchiveAction.ARCHIVE, [planned(1, "Please help me to write the " * 9)], NAMES, START, "")
    label = made["text"]["text"]
    assert label.startswith("⏰ Please help me to ")
    assert label.endswith("… · #ops · next tomorrow 09:00 (Berlin)")


def test_a_paused_schedule_is_told_as_such() -> None:
    (made,) = list_options(ArchiveAction.ARCHIVE, [replace(planned(1), paused=True)], NAMES, START, "")
    assert made["text"]["text"].endswith("· paused")


@given(st.lists(st.text(max_size=200), max_size=130))
def test_slack_takes_the_options_whatever_the_titles_are(titles: list[str]) -> None:
    made = list_options(ArchiveAction.ARCHIVE, [talk(n, title) for n, title in enumerate(titles)], {}, START, "")
    assert len(made) == min(len(titles), 100)
    assert all(1 <= len(each["text"]["text"]) <= 75 and len(each["value"]) <= 150 for each in made)


@pytest.mark.parametrize("act", ArchiveAction)
def test_slack_takes_each_window(act: ArchiveAction) -> None:
    for view in (build_empty(act, choices=True), build_empty(act, choices=False), build_notice(act, "Sorry.")):
        is_taken(view)
    for now in MINE:
        is_taken(build_picked(act, now, fixed=True))
        is_taken(build_picked(act, now, fixed=False))


def test_a_window_without_anything_to_pick_says_so_and_offers_nothing() -> None:
    view = build_empty(ArchiveAction.REOPEN, choices=False)
    assert said(view) == texts.NOTHING_TO_PICK["reopen"]
    assert "submit" not in view
    assert [block["type"] for block in view["blocks"]] == ["section"]


def test_the_select_asks_for_options_before_anything_is_typed() -> None:
    (field,) = build_empty(ArchiveAction.ARCHIVE, choices=True)["blocks"]
    assert field["element"]["min_query_length"] == 0
    assert field["dispatch_action"] is True


@pytest.mark.req("S2-058")
def test_what_archiving_would_stop_is_said_before() -> None:
    assert "every Monday at 09:00" in said(build_picked(ArchiveAction.ARCHIVE, planned(1), fixed=False))
    assert texts.CANCELS_QUESTION in said(build_picked(ArchiveAction.ARCHIVE, waiting(1), fixed=False))
    assert said(build_picked(ArchiveAction.ARCHIVE, talk(1), fixed=False)) == ""
    assert said(build_picked(ArchiveAction.REOPEN, put_away(1), fixed=False)) == texts.REOPEN_NOTE


def test_a_window_about_one_conversation_names_it_and_has_no_select() -> None:
    view = build_picked(ArchiveAction.ARCHIVE, planned(1, "<!here> *now*"), fixed=True)
    assert "<!here>" not in said(view)
    assert not any(block["type"] == "input" for block in view["blocks"])
    assert not has_select(view)
    assert has_select(build_picked(ArchiveAction.ARCHIVE, planned(1), fixed=False))


@pytest.mark.parametrize("fixed", [True, False])
def test_what_was_picked_comes_back(fixed: bool) -> None:
    now = planned(1)
    view = shown(
        build_picked(ArchiveAction.ARCHIVE, now, fixed=fixed),
        **({} if fixed else {"pick": option(blocks.format_address(now.thread))}),
    )
    assert read(view).thread(TEAM) == now.thread
    assert was_warned(ArchiveAction.ARCHIVE, read(view), now)


@pytest.mark.req("S2-058")
def test_a_warning_that_was_not_read_does_not_count() -> None:
    unread = read(shown(build_empty(ArchiveAction.ARCHIVE, choices=True), pick=option("C1:1.1")))
    assert not was_warned(ArchiveAction.ARCHIVE, unread, planned(1))
    assert was_warned(ArchiveAction.ARCHIVE, unread, talk(1))
    assert was_warned(ArchiveAction.REOPEN, unread, put_away(1))
    daily = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron="0 9 * * *")
    of_monday = read(shown(build_picked(ArchiveAction.ARCHIVE, planned(1), fixed=True)))
    assert not was_warned(ArchiveAction.ARCHIVE, of_monday, replace(planned(1), schedule=daily))


@pytest.mark.parametrize(
    "view",
    [
        {},
        shown(build_empty(ArchiveAction.ARCHIVE, choices=True)),
        shown({"private_metadata": "{"}, pick=option("nowhere")),
        shown({"private_metadata": "[]"}, pick={"selected_option": None}),
    ],
)
def test_a_window_in_which_nothing_is_picked_names_no_thread(view: dict[str, Any]) -> None:
    assert read(view).thread(TEAM) is None
