"""The line on what tools have done, below an answer that waits for a permission and is told to wait."""

from __future__ import annotations

import pytest

from app.core.conversation.effect import FinishReply
from app.core.state.tool_use import UseState
from tests.unit.core.live import Live
from tests.unit.core.lives import permitting, use


@pytest.mark.req("AG-04")
def test_an_answer_that_is_told_to_wait_is_finished_if_there_is_something_to_say_of_its_tools() -> None:
    live = Live().talks().says("Post it.")
    live.reports(use("t1", UseState.ASKED), activity="Looked at #ops").posts_cards()
    reply = live.reply.seq
    assert [effect.reply for effect in live.says("Write it shorter").new(FinishReply)] == [reply]
    assert permitting().says("Write it shorter").new(FinishReply) == []
