"""Orders: what people press, and the few words that are orders when they are the whole message."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.events.acts import (
    ArchiveRequested,
    ContinuePressed,
    EraseConfirmed,
    EraseRequested,
    HelpRequested,
    ReopenRequested,
    StopRequested,
)
from app.core.events.heard import Ignored, MessagePosted
from app.core.thread import ThreadKey
from tests.unit.handlers.payloads import BOT, CHANNEL, MAYA, ROOT, TEAM, heard, payload

THREAD = ThreadKey(team=TEAM, channel=CHANNEL, root=ROOT)


def clicked(**changes: Any) -> Any:
    body = payload("block_actions_retry")
    body["actions"][0] |= changes
    return heard(body)


@pytest.mark.parametrize("text", ["stop", "Stop!", " STOP. ", f"<@{BOT}> stop"])
def test_stop_as_a_whole_message_in_a_thread_is_an_order(text: str) -> None:
    event = heard(payload("message_reply", text=text))
    assert isinstance(event, StopRequested)
    assert (event.thread, event.written) == (THREAD, True)
    assert event.receipt == f"message:{TEAM}:{CHANNEL}:{event.ts}"


@pytest.mark.parametrize("text", ["stop that", "don't stop", "erase", "nonstop"])
def test_words_that_only_contain_an_order_are_speech(text: str) -> None:
    assert isinstance(heard(payload("message_reply", text=text)), MessagePosted)


def test_stop_as_the_first_message_of_a_thread_is_speech_because_nothing_runs_there() -> None:
    assert isinstance(heard(payload("message_mention", text=f"<@{BOT}> stop")), MessagePosted)


def test_erase_must_be_said_to_us() -> None:
    event = heard(payload("message_reply", text=f"<@{BOT}> erase"))
    assert isinstance(event, EraseRequested)
    assert (event.thread, event.user) == (THREAD, event.user)


def test_slacks_own_stop_names_its_thread_and_has_the_deliverys_id_as_receipt() -> None:
    assert heard(payload("agent_session_stopped")) == StopRequested(
        receipt=f"event:{TEAM}:Ev0STOP001", thread=THREAD, ts="", at="1770000240.001600", user=MAYA
    )


@pytest.mark.parametrize("change", [{"user": None}, {"thread_ts": None}, {"event_ts": "now"}])
def test_a_stop_that_is_not_whole_is_ignored(change: dict[str, Any]) -> None:
    assert heard(payload("agent_session_stopped", **change)) == Ignored(reason="incomplete")


def test_a_stop_without_the_deliverys_id_is_ignored_because_it_could_not_be_told_from_another() -> None:
    assert heard(payload("agent_session_stopped") | {"event_id": None}) == Ignored(reason="incomplete")


def test_the_button_on_a_draft_is_a_stop() -> None:
    event = clicked(action_id="stop")
    assert isinstance(event, StopRequested)
    assert (event.thread, event.user, event.written) == (THREAD, MAYA, False)


def test_the_button_under_a_reply_that_was_cut_off_names_the_reply() -> None:
    event = clicked(action_id="continue", value="4")
    assert isinstance(event, ContinuePressed)
    assert (event.thread, event.reply) == (THREAD, 4)


def test_the_button_that_erases_names_the_thread_itself_because_a_private_message_does_not() -> None:
    body = payload("block_actions_retry")
    body["actions"][0] |= {"action_id": "erase", "value": ROOT}
    body["container"] = {
        "type": "message",
        "message_ts": "1770000110.001100",
        "channel_id": CHANNEL,
        "is_ephemeral": True,
    }
    del body["message"]
    event = heard(body)
    assert isinstance(event, EraseConfirmed)
    assert (event.thread, event.user) == (THREAD, MAYA)


@pytest.mark.parametrize("change", [{"action_id": "erase", "value": "here"}, {"action_id": "continue", "value": "x"}])
def test_a_button_with_a_value_that_we_did_not_give_is_ignored(change: dict[str, Any]) -> None:
    assert clicked(**change) == Ignored(reason="unknown_action")


Order = ArchiveRequested | EraseRequested | ReopenRequested | HelpRequested

ORDERS: list[tuple[str, type[Order]]] = [
    ("archive", ArchiveRequested),
    ("Archive!", ArchiveRequested),
    ("reopen", ReopenRequested),
    ("REOPEN.", ReopenRequested),
    ("erase", EraseRequested),
    ("status", HelpRequested),
    ("Status?", HelpRequested),
    ("help", HelpRequested),
    ("help?!", HelpRequested),
]


@pytest.mark.parametrize(("words", "kind"), ORDERS)
def test_what_is_said_to_us_as_a_whole_message_in_a_thread_is_an_order(words: str, kind: type[Order]) -> None:
    event = heard(payload("message_reply", text=f"<@{BOT}> {words}"))
    assert isinstance(event, Order)
    assert isinstance(event, kind)
    assert (event.thread, event.at, event.user) == (THREAD, event.ts, payload("message_reply")["event"]["user"])
    assert event.receipt == f"message:{TEAM}:{CHANNEL}:{event.ts}"


@pytest.mark.parametrize(("words", "kind"), ORDERS)
def test_in_a_direct_message_nobody_needs_to_be_mentioned(words: str, kind: type[Order]) -> None:
    assert isinstance(heard(payload("message_im", text=words, thread_ts=ROOT)), kind)


@pytest.mark.parametrize(("words", "_"), ORDERS)
def test_the_same_words_are_speech_among_people_and_where_a_thread_begins(words: str, _: type[Order]) -> None:
    assert isinstance(heard(payload("message_reply", text=words)), MessagePosted)
    assert isinstance(heard(payload("message_mention", text=f"<@{BOT}> {words}")), MessagePosted)
    assert isinstance(heard(payload("message_im", text=words)), MessagePosted)


@pytest.mark.parametrize("words", ["done", "archive?", "help me", "archive it", "status of the plan", "do not reopen"])
def test_other_words_that_are_said_to_us_are_speech(words: str) -> None:
    assert isinstance(heard(payload("message_reply", text=f"<@{BOT}> {words}")), MessagePosted)


@pytest.mark.parametrize("word", ["status", "help"])
def test_what_is_asked_for_is_named(word: str) -> None:
    event = heard(payload("message_reply", text=f"<@{BOT}> {word}"))
    assert isinstance(event, HelpRequested)
    assert event.word == word


@pytest.mark.parametrize("word", ["archive", "reopen"])
def test_an_order_in_words_knows_that_its_message_can_be_marked(word: str) -> None:
    event = heard(payload("message_reply", text=f"<@{BOT}> {word}"))
    assert isinstance(event, ArchiveRequested | ReopenRequested)
    assert event.written
