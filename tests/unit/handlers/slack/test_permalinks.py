"""Addresses of messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.thread import ThreadKey
from handlers.slack.permalinks import find_thread, link_reply, link_thread
from tests.unit.handlers.front import URL
from tests.unit.handlers.payloads import CHANNEL, ROOT, TEAM

THREAD = ThreadKey(team=TEAM, channel=CHANNEL, root=ROOT)


def test_what_we_write_is_what_we_read() -> None:
    assert find_thread(link_thread(URL, THREAD), TEAM) == THREAD
    assert find_thread(f"see <{link_reply(URL, THREAD, '1770000200.000200')}|this>", TEAM) == THREAD


def test_an_address_that_slack_escaped_still_names_its_thread() -> None:
    escaped = f"{URL}archives/{CHANNEL}/p1770000200000200?cid={CHANNEL}&amp;thread_ts={ROOT}"
    assert find_thread(escaped, TEAM) == THREAD


@pytest.mark.parametrize(
    "words",
    [
        "",
        "the one with the rota",
        f"{URL}archives/{CHANNEL}",
        f"{URL}archives/{CHANNEL}/p12345",
        f"{URL}archives/U0MAYA001/p1770000100000100",
        f"{URL}archives/{CHANNEL}/p1770000100000100x",
    ],
)
def test_what_is_no_address_of_a_message_is_none(words: str) -> None:
    assert find_thread(words, TEAM) is None


@given(st.text())
def test_reading_never_raises(words: str) -> None:
    find_thread(words, TEAM)
    find_thread(f"{URL}archives/C1/p{words}", TEAM)
