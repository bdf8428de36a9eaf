"""The check of requests finds one that neither goes on from the former one nor begins an epoch as it may."""

from __future__ import annotations

from typing import Any

import pytest

from app.playground.claude import Exchange
from tests.flow.epochs import find_fault, find_places

THOUGHT: dict[str, Any] = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
CALL: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "An oven."}
Said = tuple[str, Any]

HI, HELLO, AGAIN = ("user", "hi"), ("assistant", "Hello."), ("user", "again")
THINKS: Said = ("assistant", [THOUGHT, {"type": "text", "text": "Hello."}])
STATE = "<state>\nConversation Phase: greeting\nTurn Count: 1\nCompleted Goals: 0\n</state>"
CHANGED = "<state>\nChanged since; the rest stands.\nTurn Count: 2\n</state>"
TOLD = ("user", f"hi\n\n{STATE}")
SUMMED = ("user", "[Earlier conversation summarized: They said hi.]\n\nagain")
ROUND: list[Said] = [("assistant", [THOUGHT, CALL]), ("user", [RESULT])]


def asks(*messages: Said, **body: Any) -> Exchange:
    said = [{"role": role, "content": content} for role, content in messages]
    return Exchange(
        "req_1", {}, {"model": "claude-sonnet-5-5", "system": "Help.", "tools": [], **body, "messages": said}
    )


FAITHFUL: dict[str, tuple[Exchange | None, Exchange]] = {
    "the first": (None, asks(HI)),
    "the same": (asks(HI), asks(HI)),
    "the next": (asks(HI), asks(HI, THINKS, AGAIN)),
    "a round": (asks(HI), asks(HI, *ROUND)),
    "a paused answer": (asks(HI, THINKS), asks(HI, ("assistant", [*THINKS[1], CALL]), ROUND[1])),
    "results without a word": (
        asks(HI, *ROUND),
        asks(HI, ROUND[0], ("user", [RESULT, {"type": "text", "text": "ok"}])),
    ),
    "changes of a state": (asks(TOLD), asks(TOLD, THINKS, ("user", f"again\n\n{CHANGED}"))),
    "the same state": (asks(TOLD), asks(TOLD)),
    "a summary": (asks(HI), asks(SUMMED)),
    "other tools": (asks(HI, THINKS, AGAIN), asks(HI, HELLO, AGAIN, tools=[{"name": "look"}])),
    "another model": (asks(HI, THINKS, AGAIN), asks(HI, HELLO, AGAIN, model="claude-opus-5-5")),
}
BROKEN: dict[str, tuple[Exchange | None, Exchange, str]] = {
    "a state told twice": (asks(TOLD), asks(TOLD, THINKS, ("user", f"again\n\n{STATE}")), "whole state again"),
    "one space": (asks(HI), asks(("user", "hi "), HELLO, AGAIN), "for no reason"),
    "keys in another order": (
        asks(("user", [{"type": "text", "text": "hi"}])),
        asks(("user", [{"text": "hi", "type": "text"}]), HELLO, AGAIN),
        "for no reason",
    ),
    "nothing left out": (asks(HI, HELLO, AGAIN), asks(AGAIN), "for no reason"),
    "an answer that is lost": (
        asks(HI, *ROUND),
        asks(HI, ROUND[0], ("user", [RESULT, {"type": "text", "text": "ok"}]), HELLO, ("user", [RESULT])),
        "while a round is open",
    ),
    "thinking after a summary": (asks(HI), asks(SUMMED, THINKS, AGAIN), "thinking of the one before"),
    "thinking with other tools": (asks(HI), asks(HI, THINKS, AGAIN, tools=[{"name": "look"}]), "thinking of the one"),
    "thinking after nothing": (None, asks(HI, THINKS, AGAIN), "thinking of the one before"),
    "a round under way": (asks(HI, *ROUND), asks(SUMMED, *ROUND), "while a round is open"),
    "changes alone": (
        asks(HI),
        asks(("user", f"{SUMMED[1]}\n<step>\nChanged since; the rest stands.\n- O1 told\n</step>")),
        "changes of a state",
    ),
}


@pytest.mark.req("AG-19")
@pytest.mark.parametrize("what", FAITHFUL)
def test_what_goes_on_and_what_begins_an_epoch_for_its_reason_is_left_alone(what: str) -> None:
    assert find_fault(*FAITHFUL[what]) == ""


@pytest.mark.req("AG-19")
@pytest.mark.parametrize("what", BROKEN)
def test_a_request_that_breaks_an_epoch_is_found(what: str) -> None:
    before, after, fault = BROKEN[what]
    assert fault in find_fault(before, after)


def test_after_something_was_taken_back_a_round_may_stay_open_and_no_thinking_may() -> None:
    deleted = ("user", "<note>A message was deleted here.</note>")
    assert find_fault(asks(HI, *ROUND), asks(deleted, ("assistant", [CALL]), ROUND[1]), taken_back=True) == ""
    assert "thinking" in find_fault(asks(HI, *ROUND), asks(deleted, *ROUND), taken_back=True)


def test_the_log_tells_whose_request_it_was() -> None:
    log = '{"event": "model_answered", "conversation": "c1", "reference": "r1"}\nno JSON\n{"reference": "r2"}\n'
    assert find_places(log) == {"r1": "c1"}
