"""The line below a reply, and its window: what was looked at and done."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from app.core.conversation.call import OfferDecision
from app.core.conversation.conversation import ROUNDS, Message, MessageStatus, Role
from app.core.copy import texts
from app.core.errors import FailureKind
from app.core.state.tool_use import UNKNOWN_OUTCOME
from app.core.thread import ThreadKey
from app.playground.slack.blocks.views import check_view
from handlers.slack import action_ids
from handlers.views.kit import blocks
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows.show_all_window import build_activity_window

THREAD = ThreadKey(team="T1", channel="C1", root="1770000000.000001")
LINE = "Looked at #ops (20 messages)"
NAMES = map(str, count())


def content(*uses: tuple[str, Any, str]) -> str:
    """A turn with these uses: tool, input, result."""
    calls = [
        {"type": "tool_use", "id": str(place), "name": name, "input": given}
        for place, (name, given, _) in enumerate(uses)
    ]
    came = [
        {"type": "tool_result", "tool_use_id": str(place), "content": told} for place, (*_, told) in enumerate(uses)
    ]
    said: list[dict[str, Any]] = [{"role": "assistant", "content": calls}, {"role": "user", "content": came}]
    return json.dumps([*said, {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}])


def reply(kept: str = "[]", status: MessageStatus = MessageStatus.COMPLETE, **values: Any) -> Message:
    given: dict[str, Any] = {"activity": LINE, **values}
    return Message(seq=3, role=Role.ASSISTANT, status=status, text="Done.", content=kept, **given)


@pytest.mark.req("AG-04")
def test_the_line_stands_below_a_reply_that_is_over_with_its_details() -> None:
    (line,) = blocks.render_activity(reply())
    assert extract_text([line]) == f"🔎 {LINE}"
    assert (line["text"]["type"], line["accessory"]["action_id"], line["accessory"]["value"]) == (
        "plain_text",
        action_ids.SHOW_ALL,
        "3",
    )
    (bare,) = blocks.render_activity(reply(""))
    assert "accessory" not in bare
    assert blocks.render_activity(reply(activity="")) == ()
    assert blocks.render_activity(reply(status=MessageStatus.HELD)) == ()
    assert blocks.render_page("", (line,)).text == f"🔎 {LINE}"


@pytest.mark.parametrize("status", list(MessageStatus))
def test_a_guided_decision_is_offered_below_a_reply_that_was_meant(status: MessageStatus) -> None:
    asked = (OfferDecision(question="Where?"), OfferDecision(question="Where do we meet?"))
    shown = blocks.render_start(reply(status=status, calls=asked))
    meant = status in (MessageStatus.COMPLETE, MessageStatus.TRUNCATED, MessageStatus.LIMITED)
    assert [each["elements"][0]["value"] for each in shown] == ["Where do we meet?"] * meant
    assert blocks.render_start(reply()) == ()


@pytest.mark.req("FA-14")
def test_amounts_that_nobody_said_are_named_below_the_reply_that_stands() -> None:
    (line,) = blocks.render_unsaid(reply(unsaid=("14,000 above it", "15 April")))
    assert line == blocks.build_context(texts.UNSAID_FIGURES.format(figures='"14,000 above it" and "15 April"'))
    (line,) = blocks.render_unsaid(reply(unsaid=tuple(str(each) for each in range(900))))
    assert '"19" and 880 more, and' in line["elements"][0]["text"], "Slack refuses a long line"
    assert blocks.render_unsaid(reply()) == ()
    assert blocks.render_unsaid(reply(unsaid=("14,000",), status=MessageStatus.DELETED)) == ()


@pytest.mark.req("AG-04")
def test_a_pause_shows_the_line_and_continue_and_no_more() -> None:
    paused = reply(status=MessageStatus.LIMITED, rounds=1)
    assert [block["type"] for block in (*blocks.render_activity(paused), *blocks.render_ending(paused))] == [
        "section",
        "actions",
    ]
    longest = reply(status=MessageStatus.LIMITED, rounds=ROUNDS)
    assert texts.LIMITED in str(blocks.render_ending(longest))
    full = str(blocks.render_ending(replace(paused, failure=FailureKind.TOO_LONG.value)))
    assert texts.READ_TOO_MUCH in full
    assert texts.FAILURES[FailureKind.TOO_LONG] not in full, "it goes on, unlike a reply that failed so"


@pytest.mark.req("AG-04")
def test_the_window_has_arguments_and_results_of_what_reached_outside_page_by_page() -> None:
    kept = content(
        ("read_channel", {"channel": "#ops"}, json.dumps({"messages": ["Van 4 is broken"], "action": "Go on."})),
        ("set_goal", {"description": "secret goal"}, "{}"),
        ("tracker__list_tickets", {}, "{}"),
    )
    window = build_activity_window(reply(kept), {"read_channel"}, THREAD)
    check_view(window, "modal", NAMES.__next__)
    shown = extract_text(window["blocks"])
    assert [words in shown for words in ("Read channel", "channel: #ops", "Van 4 is broken", "“list tickets”")] == [
        True
    ] * 4
    assert not any(words in shown for words in ("secret goal", "Go on.", "{", "read_channel"))
    assert texts.BROUGHT_NOTHING in shown
    many = content(*[("read_channel", {"channel": f"#c{number}"}, "x" * 9_000) for number in range(20)])
    first = build_activity_window(reply(many), {"read_channel"}, THREAD)
    last = build_activity_window(reply(many), {"read_channel"}, THREAD, 99)
    check_view(first, "modal", NAMES.__next__)
    check_view(last, "modal", NAMES.__next__)
    assert "#c0" in extract_text(first["blocks"])
    assert "#c19" not in extract_text(first["blocks"])
    assert f"{action_ids.SHOW_ALL_PAGE_PREFIX}previous" in str(last)


@pytest.mark.req("NC-06")
@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("limit: Input should be less than or equal to 200", texts.BROUGHT_FAILED),
        (UNKNOWN_OUTCOME, texts.PERHAPS_BROUGHT),
        ('{"result": "error", "said": "The board is full."}', "said: The board is full."),
    ],
)
def test_why_a_tool_failed_is_told_in_words_for_people_and_not_in_those_for_the_model(told: str, shown: str) -> None:
    kept = content(("read_channel", {"channel": "#ops"}, told))
    failed = kept.replace('"type": "tool_result"', '"type": "tool_result", "is_error": true')
    lines = extract_text(build_activity_window(reply(failed), {"read_channel"}, THREAD)["blocks"])
    assert shown in lines
    assert told not in lines


def test_no_page_ends_with_a_heading() -> None:
    several = [("read_channel", {"channel": f"#c{number}"} if number % 2 else {}, '"x"') for number in range(30)]
    for page in range(15):
        shown = build_activity_window(reply(content(*several)), {"read_channel"}, THREAD, page)["blocks"]
        kinds = [block["type"] for block in shown]
        assert kinds[kinds.index("actions") - 1] == "rich_text"


def test_of_a_reply_whose_turn_is_not_kept_the_window_says_so() -> None:
    assert texts.NO_DETAILS in str(build_activity_window(reply(""), {"read_channel"}, THREAD))
