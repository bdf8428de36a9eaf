"""The reckoning of what a decision costs: it counts what was asked and answered, at the prices that were stored."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import islice
from pathlib import Path

import pytest

from app.agent.claude.prices import compute_cost
from app.decision.playbook.playbook import load_proact
from app.playground.claude import Text, ToolCall
from app.playground.claude.api.usage import count_output
from tests.bench import cost, talk
from tests.flow.deciding import deciding

TALK = Path(__file__).parents[2] / "app/decision/playbook/prompts/talk.txt"
"""The instructions that a step's talk is led by."""


def weighed(part: object) -> str:
    """The characters that the model sends of a part."""
    if isinstance(part, ToolCall):
        return json.dumps(part.input, ensure_ascii=False)
    return part.text if isinstance(part, Text) else ""


@pytest.mark.req("NC-01")
async def test_the_reckoning_counts_every_request_and_every_word_of_a_question_and_of_a_step(mongo_uri: str) -> None:
    first = load_proact().components[0]
    async with deciding(mongo_uri) as chat:
        answered = await cost.ask(chat)
        led = await cost.lead_decision(chat, [first])
        asked = len(chat.claude.requests)
        written = [count_output("".join(map(weighed, turn.parts))) for turn in chat.scripted]
    assert (answered.typed, answered.requests, led.typed, answered.requests + led.requests) == (1, 1, 7, asked)
    assert [answered.usage.output_tokens, led.usage.output_tokens] == [written[0], sum(written[1:])]
    assert led.dollars == pytest.approx(Decimal(compute_cost(led.model, led.usage)), rel=Decimal("0.001"))
    assert led.dollars_uncached > led.dollars


def test_an_answer_of_the_reckoning_is_as_long_as_a_step_allows() -> None:
    answers = [*islice(cost.speak(load_proact().components[0]), talk.TURNS)]
    assert [len(each.split()) for each in answers] == [cost.WORDS] * talk.TURNS
    assert f"Under {cost.WORDS} words" in TALK.read_text("utf-8")
