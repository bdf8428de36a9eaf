"""What an answer of the rehearsal model costs in time: how many deltas it comes in, and how long each is waited for."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.playground.claude import Prompt, Text, ToolCall, Turn
from app.playground.claude.api.answer import compose
from app.playground.claude.api.usage import Usage
from app.playground.claude.demo.model import HUMAN_PACE, rehearsal
from tests.contract.playground_claude.asking import SONNET, Json

WORDS_A_SECOND = 15.0
"""Three times what people read."""
MOST_SECONDS = 0.5
"""For what nobody reads."""

STEP = "You write up one step of a decision in a Slack thread: Consequences. "
SUBMIT: Json = {"name": "submit_consequences", "input_schema": {"type": "object", "properties": {}}}
TABLE = "A cell for each option on each objective, with a reason that somebody gave for it. "
ORDERS = (
    ("propose_plan", "ask_user"),
    ("post_message",),
    ("schedule_work",),
    ("set_goal", "ask_user"),
    ("record_information", "propose_plan", "ask_user"),
)


def deltas(prompt: Prompt, turn: Turn) -> int:
    """How many pieces of content an answer is sent in."""
    frames = compose(turn, prompt, Usage(1), lambda _: "signed").frames()
    return sum(frame.event == "content_block_delta" for frame in frames)


def asks(words: str, tools: Sequence[Json] = (), system: str = "") -> tuple[Prompt, Turn]:
    """An answer of the model at the pace of the demo."""
    messages = [{"role": "user", "content": words}]
    prompt = Prompt.read({"model": SONNET, "system": system, "messages": messages, "tools": list(tools)})
    return prompt, rehearsal()(prompt)


@pytest.mark.req("NC-04")
@given(cells=st.integers(0, 400))
def test_a_table_of_any_size_is_handed_in_at_once_and_in_few_pieces(cells: int) -> None:
    rows = [{"alternative_id": "A1", "objective_id": f"O{n}", "rating": 1, "rationale": TABLE} for n in range(cells)]
    draft = json.dumps({"table": {"cells": rows}})
    prompt, turn = asks(f"<draft>\n{draft}\n</draft>", [SUBMIT], STEP)
    (call,) = turn.parts
    assert isinstance(call, ToolCall)
    assert len(call.input["table"]["cells"]) == cells
    assert turn.pace.seconds == 0
    assert deltas(prompt, turn) <= 2 + len(json.dumps(call.input)) / 4_000


@pytest.mark.req("NC-04")
@pytest.mark.parametrize(
    "words",
    [
        "Hi, I'm Maya",
        "Should we hire a nurse or outsource the night shift?",
        "I want to build a rota for the night shift, with who is on and whom to call",
        "post to #ops: we close at five, because of the snow, and everybody may leave as soon as the last van is in",
        "Every Monday at 9, ask me for the three numbers of the week and what they mean for the plan of the month",
        "Please give me a long answer",
        "thanks!",
    ],
)
def test_nobody_waits_longer_for_an_answer_of_a_script_than_for_its_reading(words: str) -> None:
    names = sorted({name for order in ORDERS for name in order})
    tools: list[Json] = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in names]
    prompt, turn = asks(f"{words}\n\n<state>\nTime: Sat 21 Nov 2026 12:10 (America/New_York)\n</state>", tools)
    read = sum(len(part.text.split()) for part in turn.parts if isinstance(part, Text))
    assert turn.pace.seconds == HUMAN_PACE.seconds
    assert deltas(prompt, turn) * turn.pace.seconds <= MOST_SECONDS + read / WORDS_A_SECOND
