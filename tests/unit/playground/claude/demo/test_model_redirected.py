"""What the rehearsal model makes of an order that was stopped: it is done otherwise, left, or gives way to another."""

from __future__ import annotations

import pytest

from app.playground.claude.demo.external import items_in
from tests.unit.playground.claude.outside import Outside


@pytest.fixture
def talk() -> Outside:
    return Outside()


@pytest.mark.parametrize(
    ("answer", "channel", "text"),
    [
        ("shorter", "#ops", "We close at five"),
        ("make it shorter, please", "#ops", "We close at five"),
        ("no, make it polite", "#ops", "Hello everybody. We close at five, because of the snow. Thank you!"),
        ("say it politely", "#ops", "Hello everybody. We close at five, because of the snow. Thank you!"),
        ("to #random instead", "#random", "We close at five, because of the snow."),
        ("no, put it to #random instead", "#random", "We close at five, because of the snow."),
        ("#random: stay at home", "#random", "Stay at home"),
        ("tell #random that we close", "#random", "We close"),
        ("say we close at seven instead", "#ops", "We close at seven"),
        ("Say: Snow! We close early.", "#ops", "Snow! We close early."),
        ("Closed from five on. Drive home safely.", "#ops", "Closed from five on. Drive home safely."),
    ],
)
def test_what_was_stopped_is_tried_again_as_the_owner_says(talk: Outside, answer: str, channel: str, text: str) -> None:
    talk.says("post to #ops: We close at five, because of the snow.")
    talk.is_stopped()
    talk.says(answer)
    assert (talk.call.name, dict(talk.call.input)) == ("post_message", {"channel": channel, "text": text})


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("post to #ops and #random: we close early", "We close early"),
        ("tell #ops, #random that we close early", "We close early"),
        ("let #ops, and #random know: snow", "Snow"),
    ],
)
def test_of_several_channels_each_gets_the_post_also_after_it_was_stopped(talk: Outside, words: str, text: str) -> None:
    talk.says(words)
    assert [dict(call.input) for call in talk.calls] == [
        {"channel": channel, "text": text} for channel in ("#ops", "#random")
    ]
    talk.is_stopped()
    talk.says("say: We close at three")
    assert [dict(call.input) for call in talk.calls] == [
        {"channel": channel, "text": "We close at three"} for channel in ("#ops", "#random")
    ]


@pytest.mark.parametrize(
    ("answer", "tool"),
    [
        ("what is new in #ops?", "read_channel"),
        ("no, what did we say about the rota?", "search_conversations"),
        ("What time is it in Tokyo?", "date_and_time"),
        ("make a CSV of eggs, milk", "create_file"),
        ("post to #random: hello", "post_message"),
        ("why do you ask me?", ""),
    ],
)
@pytest.mark.parametrize("order", ["post to #ops: We close at five.", "make a CSV of Sam, Priya"])
def test_another_order_or_a_question_does_not_become_the_content_of_what_was_stopped(
    talk: Outside, order: str, answer: str, tool: str
) -> None:
    talk.says(order)
    talk.is_stopped()
    assert talk.says(answer) or talk.calls
    assert "".join(call.name for call in talk.calls) == tool
    assert not [call for call in talk.calls if answer in str(call.input)]


def test_what_is_shortened_again_and_again_ends_in_words(talk: Outside) -> None:
    talk.says("post to #ops: we close early")
    for shorter in ("We close", "We"):
        talk.is_stopped()
        talk.says("shorter")
        assert talk.call.input["text"] == shorter
    talk.is_stopped()
    assert "as short as" in talk.says("shorter")
    assert talk.calls == []


def test_a_stopped_file_comes_in_another_format_or_with_other_things(talk: Outside) -> None:
    talk.says("make a CSV of Sam, Priya")
    for answer, kind, items in (
        ("as JSON", "json", ["Sam", "Priya"]),
        ("markdown is better", "markdown", ["Sam", "Priya"]),
        ("csv named Team", "csv", ["Sam", "Priya"]),
        ("Maya and Sam", "csv", ["Maya", "Sam"]),
    ):
        talk.is_stopped()
        talk.says(answer)
        assert (talk.call.input["format"], items_in(talk.call.input)) == (kind, items)
    assert talk.call.input["name"] == "Team"


@pytest.mark.parametrize("answer", ["Never mind", "Leave it.", "no", "no, don't post it"])
def test_what_was_stopped_is_left_if_the_owner_says_so(talk: Outside, answer: str) -> None:
    talk.says("post to #ops: hi")
    talk.is_stopped()
    assert "nothing was done" in talk.says(answer)
    assert talk.calls == []


def test_what_was_stopped_is_changed_by_the_next_words_alone(talk: Outside) -> None:
    talk.says("post to #ops: hi there")
    talk.is_stopped()
    talk.says("never mind")
    talk.says("A much shorter day would be nice.")
    assert talk.calls == []
