"""Before each request of an answer but the first its budgets are looked at, and what it has used is told."""

from __future__ import annotations

import asyncio

import pytest

from app.agent.claude.prices import compute_cost
from app.agent.metered import Metered
from app.core.conversation.usage import Usage
from app.core.errors import FailureKind, OutOfBudget
from app.core.turns.rate_limits import Refusal
from app.ports import Counted, ModelReply
from tests.unit.agent.scripted import COST, MODEL, REQUEST, Part, ScriptedModel, answers

SPENT = Refusal(kind=FailureKind.SPENT_TODAY, seconds=60)


class Looks:
    """What was told of an answer at each look."""

    def __init__(self, *refusals: Refusal | None) -> None:
        self._refusals = list(refusals)
        self.told: list[tuple[Usage, str]] = []
        self.beside: list[int] = []

    async def look(self, usage: Usage, price: str, beside: int = 0) -> Refusal | None:
        self.beside.append(beside)
        self.told.append((usage, price))
        return self._refusals.pop(0) if self._refusals else None


async def asked(model: Metered) -> ModelReply:
    events = [event async for event in model.stream(REQUEST)]
    assert isinstance(events[-1], ModelReply)
    return events[-1]


def scripted(count: int) -> ScriptedModel:
    counted: Part = Counted(usage=COST, model=MODEL)
    return ScriptedModel(*([counted, *answers(text="One.")] for _ in range(count)))


async def test_the_first_request_of_an_answer_that_has_begun_is_not_looked_at() -> None:
    looks = Looks()
    await asked(Metered(scripted(1), Usage(), looks.look, is_allowed=True))
    assert looks.told == []


@pytest.mark.req("SE-07")
async def test_each_later_request_is_looked_at_with_all_that_was_used_before() -> None:
    looks, model = Looks(), scripted(3)
    metered = Metered(model, Usage(), looks.look, is_allowed=True)
    for _ in range(3):
        await asked(metered)
    assert [usage for usage, _ in looks.told] == [COST, COST + COST]


@pytest.mark.req("SE-07")
async def test_a_request_that_the_budget_does_not_allow_is_not_made() -> None:
    model = scripted(2)
    metered = Metered(model, Usage(), Looks(SPENT).look, is_allowed=True)
    await asked(metered)
    with pytest.raises(OutOfBudget) as refusal:
        await asked(metered)
    assert (refusal.value.after, len(model.asked)) == (60, 1)


@pytest.mark.req("SE-07")
async def test_an_answer_that_has_waited_is_looked_at_before_its_next_request() -> None:
    looks, model = Looks(SPENT), scripted(1)
    with pytest.raises(OutOfBudget):
        await asked(Metered(model, COST, looks.look, is_allowed=False))
    assert (looks.told, model.asked) == ([(COST, compute_cost(REQUEST.model, COST))], [])


@pytest.mark.req("SE-07", "AG-11")
async def test_near_the_end_of_a_budget_requests_beside_each_other_are_made_one_after_another() -> None:
    model, seen = scripted(3), list[tuple[Usage, int]]()

    async def look(usage: Usage, _price: str, beside: int) -> Refusal | None:
        seen.append((usage, beside))
        return SPENT if beside else None

    metered = Metered(model, Usage(), look, is_allowed=False)
    first = metered.stream(REQUEST)
    assert isinstance(await anext(first), Counted)
    others = [asyncio.create_task(asked(metered)) for _ in range(2)]
    await asyncio.sleep(0.01)
    assert len(model.asked) == 1, "the others wait for what it costs"
    _ = [event async for event in first]
    await asyncio.gather(*others)
    assert len(model.asked) == 3
    assert {beside for _, beside in seen} == {0, 1}
    assert [usage for usage, beside in seen if not beside] == [Usage(), COST, COST + COST]


@pytest.mark.req("SE-07", "AG-11")
async def test_a_request_that_waited_for_the_others_is_not_made_if_they_used_the_budget_up() -> None:
    model = scripted(2)

    async def look(usage: Usage, _price: str, beside: int) -> Refusal | None:
        return SPENT if beside or usage != Usage() else None

    metered = Metered(model, Usage(), look, is_allowed=False)
    first = metered.stream(REQUEST)
    await anext(first)
    other = asyncio.create_task(asked(metered))
    await asyncio.sleep(0.01)
    await first.aclose()
    with pytest.raises(OutOfBudget):
        await other
    assert len(model.asked) == 1
