"""What an answer costs, against prices worked out by hand from Anthropic's price list."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage

USAGE = Usage(input_tokens=1_000, output_tokens=100, cache_read_tokens=10_000, cache_write_tokens=2_000)
LONG = Usage(input_tokens=150_000, output_tokens=100)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-sonnet-5-5", USAGE, "0.009"),  # 1000 * 2 + 100 * 10 + 10000 * 0.10 + 2000 * 2.50
        ("claude-opus-5-5", USAGE, "0.018"),  # 1000 * 4 + 100 * 20 + 10000 * 0.20 + 2000 * 5
        ("claude-haiku-5-5", USAGE, "0.0005"),  # 1000 * 0.10 + 100 * 0.50 + 10000 * 0.01 + 2000 * 0.125
        ("claude-haiku-5-5", LONG, "0.07525"),  # beyond 100,000 tokens of input: 150000 * 0.50 + 100 * 2.50
        ("claude-haiku-4-5-20251001", Usage(output_tokens=1), "0.000005"),
    ],
)
def test_each_kind_of_token_has_its_price(model: str, usage: Usage, dollars: str) -> None:
    assert Decimal(compute_cost(model, usage)) == Decimal(dollars)


@pytest.mark.req("IN-08")
def test_each_search_of_the_web_has_its_price_beside_the_tokens() -> None:
    assert Decimal(compute_cost("claude-sonnet-5-5", replace(USAGE, searches=3))) == Decimal("0.039")


def test_a_price_is_written_as_a_plain_decimal_number() -> None:
    assert "E" not in compute_cost("claude-haiku-5-5", Usage(cache_read_tokens=1))


def test_a_model_that_the_list_does_not_know_has_an_unknown_price_and_not_a_free_one() -> None:
    assert compute_cost("claude-x-1", USAGE) == ""


def test_a_program_that_has_not_answered_yet_has_not_loaded_the_list() -> None:
    code = "import sys, app.agent.turn; sys.exit('genai_prices' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
