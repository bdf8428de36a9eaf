"""Slack's text, both ways."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.copy.texts import escape
from handlers.views.kit.mrkdwn import WORD_JOINER, disarm_mentions, resolve_markup

CONTROL = re.compile(r"<\s*[!@#]")
BROADCAST = re.compile(r"(?<![a-z0-9])@(channel|here|everyone|group)(?![a-z0-9])", re.IGNORECASE)

DANGEROUS = st.lists(
    st.one_of(
        st.sampled_from(
            [*"<>!@#|^._ \n", "<@U0ANN0001>", "<!channel>", "<!subteam^S1|@all>", "<#C1|ops>", "@here", "@Group"]
        ),
        st.sampled_from(
            ["U0ANN0001", "channel", "here", "everyone", "group", "date^1^x", "word", "é", "&lt;", "`", "*_"]
        ),
        st.text(max_size=3),
    ),
    max_size=25,
).map("".join)


@given(st.text())
def test_what_we_escape_is_read_back_as_it_was(text: str) -> None:
    assert resolve_markup(escape(text)) == text.strip()


@given(st.text())
def test_escaped_text_holds_no_markup(text: str) -> None:
    assert not set(escape(text)) & {"<", ">"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("&amp;lt; &amp;gt; &amp;amp;", "&lt; &gt; &amp;"),
        ("see <https://example.com>", "see https://example.com"),
        ("see <https://example.com|the plan>", "see the plan (https://example.com)"),
        ("<mailto:maya@example.com|maya@example.com>", "maya@example.com"),
        ("<@U0ANN0001> and <@U0ANN0001|ann>", "@U0ANN0001 and @ann"),
        ("in <#C0OPS0001|ops> and <#C0OPS0001|>", "in #ops and #C0OPS0001"),
        ("<!here> <!channel|channel> <!everyone|@everyone>", "@here @channel @everyone"),
        ("<!subteam^S0DESIGN1|@designers> <!subteam^S0DESIGN1>", "@designers @subteam"),
        ("by <!date^1770000000^{date_num}|2026-02-02>", "by 2026-02-02"),
        ("<!date^1770000000^{date_num}>", "!date^1770000000^{date_num}"),
        ("<>", ""),
    ],
)
def test_a_person_is_read_as_they_meant_it(written: str, meant: str) -> None:
    assert resolve_markup(written) == meant


@given(DANGEROUS)
def test_no_text_of_the_model_can_ping_anybody(text: str) -> None:
    said = disarm_mentions(text)
    assert not CONTROL.search(said)
    assert not BROADCAST.search(said)


@given(DANGEROUS)
def test_something_stays_something(text: str) -> None:
    # Slack refuses a message without words.
    assert bool(disarm_mentions(text).strip()) == bool(text.strip())


@given(DANGEROUS)
def test_a_harmless_text_is_left_as_it_is(text: str) -> None:
    once = disarm_mentions(text)
    assert disarm_mentions(once) == once


@given(st.text().filter(lambda text: "@" not in text and "<" not in text))
def test_text_without_a_mention_is_not_touched(text: str) -> None:
    assert disarm_mentions(text) == text


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("ask <@U0ANN0001>", "ask @U0ANN0001"),
        ("ask <@U0ANN0001|Ann Lee>", "ask @Ann Lee"),
        ("ask < @U0ANN0001>", "ask @U0ANN0001"),
        ("in <#C0OPS0001|ops>", "in #ops"),
        ("hey <!channel>, @here and _@everyone_", "hey @channel, @here and _@everyone_"),
        ("well.@channel", "well.@channel"),
        ("<<@U0ANN0001>>", "<@U0ANN0001>"),
        ("<!DOCTYPE html><!-- note -->", "<!DOCTYPE html><!-- note -->"),
        ("mail me@here.example or @heretic", "mail me@here.example or @heretic"),
    ],
)
def test_people_see_the_words_that_were_meant(written: str, seen: str) -> None:
    assert disarm_mentions(written).replace(WORD_JOINER, "") == seen
    assert not BROADCAST.search(disarm_mentions(written))


def test_an_address_of_mail_is_not_broken() -> None:
    assert disarm_mentions("me@here.example") == "me@here.example"
