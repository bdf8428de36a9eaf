"""What a play cost: each request to the model counts, those that wrote a step up as well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import Message, MessageStatus, Role
from app.core.conversation.usage import Usage
from app.evaluation.play import Spent
from app.evaluation.play_reader import read_spent
from tests.unit.core.interviews import DRAFTED

USED = Usage(input_tokens=1_000, output_tokens=100)
WRITTEN_UP = Message(
    seq=4, role=Role.ASSISTANT, text="", status=MessageStatus.COMPLETE, model="claude-x", usage=USED, cost="0.0045"
)


@pytest.mark.req("FA-12")
def test_the_cost_of_a_step_holds_the_requests_that_wrote_it_up() -> None:
    extracted = replace(WRITTEN_UP, calls=(DraftExtracted(drafted=DRAFTED, attempts=2),))
    assert read_spent(extracted) == Spent(requests=3, usage=USED, dollars=0.0045)
    exhausted = replace(WRITTEN_UP, calls=(ExtractionExhausted(issues=("x",), attempts=4),), cost="")
    assert read_spent(exhausted) == Spent(requests=5, usage=USED, unpriced=1)
    assert read_spent(WRITTEN_UP).requests == 1, "it broke off at its summary"


@pytest.mark.req("FA-12")
def test_a_reply_costs_its_rounds_and_what_the_program_says_costs_nothing() -> None:
    assert read_spent(replace(WRITTEN_UP, text="I see.", rounds=2)).requests == 2
    assert read_spent(Message(seq=1, role=Role.PERSON, text="Hello")) == Spent()
    assert read_spent(replace(WRITTEN_UP, model="", usage=Usage(), cost="")) == Spent()
