"""Threads as tests find them: one that waits, one with something planned, one that was put away."""

from __future__ import annotations

from typing import Any

from app.core.conversation.call import AskPerson, Call, SetSchedule
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import Use, UseState
from tests.unit.core.live import CHOICE, DAILY, Live


def waiting(ask: AskPerson = CHOICE, *calls: Call) -> Live:
    """One that waits for an answer, and whose cards are shown; `calls` come before."""
    live = Live().talks("Hi", *calls, ask).posts_cards()
    assert live.now.status is Status.WAITING_INPUT
    return live


def use(id_: str = "t1", state: UseState = UseState.OPEN, **values: Any) -> Use:
    """A wish to post something; of one that is asked about or was judged it is known what it would do."""
    about: dict[str, Any] = {
        "title": "post to #ops",
        "shown": "Hello",
        "scope": "channel:C2",
        "covers": "posting to #ops",
    }
    judged = about if state is not UseState.OPEN else {}
    return Use(id=id_, tool="post_message", input='{"channel":"#ops"}', state=state, **(judged | values))


def permitting(*calls: Call) -> Live:
    """One whose turn waits for a permission, with another wish behind it; `calls` come in the turn before."""
    live = Live().talks("Hi", *calls).posts_cards().says("Post it.")
    live.reports(use("t1", UseState.ASKED), use("t2")).posts_cards()
    assert live.now.run is TurnState.AWAITING
    return live


def in_background(plan: SetSchedule = DAILY) -> Live:
    """One with something planned, whose card is shown."""
    live = Live().talks("Hi", plan).posts_cards()
    assert live.now.status is Status.BACKGROUND
    return live


def archived() -> Live:
    return Live().talks().archives().posts_cards()
