"""First sight: greetings and the start form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.views import View

from app.core.copy import texts
from app.core.errors import SlackRefused, SlackUnavailable
from app.core.events.heard import MessagePosted
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.views.windows import welcome
from tests.fakes import virtual
from tests.unit.handlers.front import TRIGGER, URL, Front, happened, pressed_below, pressed_in, shortcut, shown, written
from tests.unit.handlers.payloads import ANN, BOT, CHANNEL, MAYA, TEAM
from tests.unit.handlers.welcoming import (
    ANYWHERE,
    DIRECT,
    EPHEMERAL,
    IN_CHANNEL,
    POST,
    actions,
    begun,
    failed,
    joined,
    looked,
)


@pytest.mark.parametrize(
    "view",
    [
        welcome.build_start_form(CHANNEL),
        welcome.build_started_window(URL),
        welcome.build_notice(texts.NOT_NOW),
        welcome.build_example_window(URL),
    ],
)
def test_slack_takes_each_window(view: dict[str, Any]) -> None:
    model: Any = View(**view)
    model.validate_json()
    assert all(len(view[name]["text"]) <= 24 for name in ("title", "submit", "close") if name in view)


@pytest.mark.parametrize(("words", "read"), [(" Rent\na van ", "Rent\na van"), (None, ""), ("  ", "")])
def test_what_was_written_comes_back_with_where_the_button_stood(words: str | None, read: str) -> None:
    assert welcome.read_start(shown(IN_CHANNEL, start=written(words))) == welcome.Start(channel=CHANNEL, words=read)


@pytest.mark.parametrize(
    ("value", "read"), [("decision", ""), ("Where do we meet?", "Where do we meet?"), ("x" * 600, "x" * 500)]
)
def test_a_button_below_a_reply_brings_its_question_along(value: str, read: str) -> None:
    assert welcome.read_question({"actions": [{"action_id": action_ids.START_DECISION, "value": value}]}) == read


def test_a_press_without_a_button_brings_no_question() -> None:
    assert welcome.read_question({}) == ""


def test_a_form_that_is_not_whole_is_no_beginning() -> None:
    assert welcome.read_start({}) == welcome.Start(channel="", words="")


@given(st.text(max_size=3_000))
def test_what_is_posted_in_somebodys_name_pings_nobody_else(words: str) -> None:
    posted = welcome.render_root(MAYA, words)
    assert posted.startswith(f"<@{MAYA}> asks: ")
    assert "<" not in posted.removeprefix(f"<@{MAYA}>")


@virtual
@pytest.mark.parametrize(("event", "place"), [(joined(), CHANNEL), (looked(), DIRECT)])
async def test_a_place_is_greeted_once_with_three_ways_to_begin(
    front: Front, event: dict[str, Any], place: str
) -> None:
    for _ in range(2):
        await front.sends(event)
    (greeting,) = front.made(POST)
    assert (greeting["channel"], greeting["text"]) == (place, texts.WELCOME)
    assert actions(greeting["blocks"]) == ["start:decision", "start:task", "example"]


@virtual
async def test_others_who_join_a_channel_are_not_greeted(front: Front) -> None:
    await front.sends(joined(user=MAYA))
    await front.sends(joined() | {"team_id": "T0OTHER01"})
    await front.sends(happened("member_joined_channel", user=BOT))
    await front.sends(happened("app_home_opened", user=MAYA, tab="messages"))
    assert front.made(POST) == []


@virtual
async def test_each_person_and_each_channel_is_a_place_of_its_own(front: Front) -> None:
    for event in (looked(), looked(ANN), joined(), joined(channel="C0OTHER01")):
        await front.sends(event)
    assert len(front.made(POST)) == 4


@virtual
async def test_a_button_opens_the_form_for_the_channel_it_stands_in(front: Front) -> None:
    await front.sends(pressed_below(CHANNEL, "start:task", value="task"))
    (opened,) = front.made("views.open")
    assert opened == {"trigger_id": TRIGGER, "view": IN_CHANNEL}
    assert front.taken == []


@virtual
async def test_at_home_and_by_shortcut_the_form_is_for_direct_messages(front: Front) -> None:
    await front.sends(pressed_in({}, "start:task"))
    await front.sends(shortcut(action_ids.NEW_CONVERSATION_SHORTCUT))
    assert [call["view"] for call in front.made("views.open")] == [ANYWHERE, ANYWHERE]


@virtual
@pytest.mark.req("M-008")
async def test_what_was_asked_is_posted_first_and_then_taken_in_as_theirs(front: Front) -> None:
    assert await front.sends(begun(IN_CHANNEL)) == ""
    (root,) = front.made(POST)
    assert root["channel"] == CHANNEL
    assert root["text"].startswith(f"<@{MAYA}> asks: Find a *van* ")
    assert "<!here>" not in root["text"]
    (ts,) = front.slack.posts
    thread = ThreadKey(team=TEAM, channel=CHANNEL, root=ts)
    assert front.taken == [
        MessagePosted(
            receipt=f"message:{TEAM}:{CHANNEL}:{ts}",
            thread=thread,
            ts=ts,
            user=MAYA,
            text="Find a *van* <!here>",
            opens=True,
            addressed=True,
        )
    ]
    assert front.woken == [thread]


@virtual
async def test_what_was_asked_nowhere_begins_in_direct_messages_and_says_where(front: Front) -> None:
    answered = await front.sends(begun(ANYWHERE))
    (ts,) = front.slack.posts
    assert front.made("conversations.open") == [{"users": MAYA}]
    assert front.made(POST)[0]["channel"] == f"D{MAYA}"
    assert answered == {
        "response_action": "update",
        "view": welcome.build_started_window(f"{URL}archives/D{MAYA}/p{ts.replace('.', '')}"),
    }


@virtual
@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (SlackRefused(POST, "not_in_channel"), texts.INVITE_ME),
        (SlackRefused(POST, "channel_not_found"), texts.INVITE_ME),
        (SlackRefused(POST, "restricted_action"), texts.CANNOT_POST),
        (SlackUnavailable(POST, after=30), texts.CANNOT_POST),
    ],
)
async def test_what_slack_does_not_post_is_an_error_below_the_field_and_begins_nothing(
    front: Front, trouble: Exception, sentence: str
) -> None:
    front.slack.faults[POST] = [trouble]
    assert await front.sends(begun(IN_CHANNEL)) == failed(sentence)
    assert front.taken == []


@pytest.mark.parametrize(("slack", "store"), [(60.0, 0.0), (1.9, 1.4)], ids=["a slow Slack", "both are slow"])
@virtual
async def test_who_begins_while_all_takes_too_long_is_told_in_time(front: Front, slack: float, store: float) -> None:
    front.slack.seconds, front.slowness = slack, store
    assert await front.sends(begun(IN_CHANNEL)) == failed(texts.CANNOT_POST)
    assert front.clock.monotonic() < 3


@virtual
async def test_a_post_that_nothing_can_follow_is_taken_back(front: Front) -> None:
    front.is_away = True
    assert await front.sends(begun(IN_CHANNEL)) == failed(texts.CANNOT_POST)
    assert front.slack.posts == {}


@virtual
async def test_blanks_are_no_question(front: Front) -> None:
    assert await front.sends(begun(IN_CHANNEL, "  \n ")) == failed(texts.START_EMPTY)
    assert front.made(POST) == []


@virtual
@pytest.mark.parametrize("action", ["start:task", "example"])
async def test_a_button_that_slack_does_not_follow_says_so_where_it_was_pressed(front: Front, action: str) -> None:
    for method in ("views.open", "conversations.open", EPHEMERAL):
        front.slack.faults[method] = [SlackRefused(method, "expired_trigger_id")]
    await front.sends(pressed_below(CHANNEL, action))
    assert front.made(EPHEMERAL)[-1]["text"] == texts.NOT_NOW
    front.slack.faults["views.open"] = [SlackRefused("views.open", "internal")]
    await front.sends(pressed_in({}, "start:task"))
    assert front.window == welcome.build_notice(texts.NOT_NOW)
