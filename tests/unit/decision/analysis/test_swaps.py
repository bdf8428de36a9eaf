"""Even swaps: what may be swapped, what the imagined row says, and what follows from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.decision.analysis.measures import Direction, Measure, MeasuredTable
from app.decision.analysis.ratings import Flaw, InvalidInput, RatingTable
from app.decision.analysis.swaps import Beaten, Cancelled, EvenSwap, apply_swap, imagine
from tests.properties import limit_examples
from tests.unit.decision.tables import rows

PAY, HOURS = "O1", "O2"
MEASURED = MeasuredTable(
    {PAY: Measure(Direction.MAXIMIZE), HOURS: Measure(Direction.MINIMIZE)},
    {("A", PAY): 50, ("A", HOURS): 40, ("B", PAY): 45, ("B", HOURS): 35},
)
TABLE = rows({"A": [1, 0], "B": [0, 1]})
FAIR = EvenSwap("A", HOURS, 40, 35, PAY, 50, 44)


@pytest.mark.req("TR-10")
def test_a_swap_levels_one_objective_and_what_is_left_decides() -> None:
    found = imagine(TABLE, MEASURED, [FAIR])
    assert found.measured.amounts == {("A", PAY): 44, ("A", HOURS): 35, ("B", PAY): 45, ("B", HOURS): 35}
    assert found.swapped == (("A", PAY), ("A", HOURS))
    assert found.cancelled == (Cancelled(HOURS, "A", "B"),)
    assert found.beaten == (Beaten("A", "B"),)
    assert MEASURED.amounts["A", PAY] == 50


@pytest.mark.req("TR-10")
def test_before_any_swap_nothing_follows_and_rows_that_become_equal_are_equally_good() -> None:
    nothing = imagine(TABLE, MEASURED, [])
    assert (nothing.swapped, nothing.cancelled, nothing.beaten) == ((), (), ())
    alike = MeasuredTable(MEASURED.measures, {**MEASURED.amounts, ("A", HOURS): 35})
    assert imagine(TABLE, alike, []).cancelled == (), "what was equal before dropped out by no swap"
    level = imagine(TABLE, MEASURED, [EvenSwap("A", HOURS, 40, 35, PAY, 50, 45)])
    assert level.cancelled == (Cancelled(PAY, "A", "B"), Cancelled(HOURS, "A", "B"))
    assert level.beaten == ()


@pytest.mark.req("TR-10")
def test_a_second_swap_starts_from_the_imagined_amount_and_no_other() -> None:
    second = EvenSwap("A", HOURS, 38, 35, PAY, 48, 46)
    found = imagine(TABLE, MEASURED, [EvenSwap("A", HOURS, 40, 38, PAY, 50, 48), second])
    assert [found.measured.amounts["A", each] for each in (PAY, HOURS)] == [46, 35]
    assert found.beaten == (Beaten("B", "A"),)
    with pytest.raises(InvalidInput) as refused:
        apply_swap(MEASURED, second)
    assert (refused.value.flaw, refused.value.handles) == (Flaw.AMOUNT, ("A", HOURS))
    assert imagine(TABLE, MEASURED, [second]).measured == MEASURED


@pytest.mark.parametrize(
    "swap",
    [
        EvenSwap("A", HOURS, 40, 35, PAY, 50, 55),
        EvenSwap("A", HOURS, 40, 45, PAY, 50, 45),
        EvenSwap("A", HOURS, 40, 40, PAY, 50, 45),
        EvenSwap("A", HOURS, 40, 35, PAY, 50, 50),
        EvenSwap("A", HOURS, 40, 40, PAY, 50, 50),
        EvenSwap("A", HOURS, 40, 35, HOURS, 40, 45),
    ],
    ids=["both better", "both worse", "nothing levelled", "nothing paid", "nothing at all", "with itself"],
)
def test_what_gives_nothing_for_something_is_no_swap(swap: EvenSwap) -> None:
    with pytest.raises(InvalidInput) as refused:
        apply_swap(MEASURED, swap)
    assert refused.value.flaw is Flaw.NO_SWAP


@pytest.mark.parametrize(
    ("swap", "handles"),
    [
        (EvenSwap("C", HOURS, 40, 35, PAY, 50, 45), ("C", HOURS)),
        (EvenSwap("A", "O9", 40, 35, PAY, 50, 45), ("A", "O9")),
        (EvenSwap("A", HOURS, 40, 35, "O9", 50, 45), ("A", "O9")),
    ],
)
def test_only_known_amounts_are_swapped(swap: EvenSwap, handles: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refused:
        apply_swap(MEASURED, swap)
    assert (refused.value.flaw, refused.value.handles) == (Flaw.GAPS, handles)


def test_where_an_amount_is_missing_ratings_are_compared_and_a_gap_lets_nothing_be_said() -> None:
    swap = EvenSwap("A", HOURS, 40, 35, PAY, 50, 44)
    alike = imagine(rows({"A": [1, 0, 0], "B": [0, 1, 0]}), MEASURED, [swap])
    assert alike.beaten == (Beaten("A", "B"),)
    better = imagine(rows({"A": [1, 0, 1], "B": [0, 1, 0]}), MEASURED, [swap])
    assert better.beaten == ()
    gap = imagine(rows({"A": [1, 0, None], "B": [0, 1, 0]}), MEASURED, [swap])
    assert gap.beaten == ()


@pytest.mark.req("TR-10")
def test_a_swapped_amount_beside_an_unknown_one_is_not_compared_by_the_ratings_of_before() -> None:
    amounts = {("A", HOURS): 10.0, ("A", PAY): 60.0, ("B", PAY): 80.0}
    unknown = MeasuredTable({PAY: MEASURED.measures[HOURS], HOURS: MEASURED.measures[HOURS]}, amounts)
    swap = EvenSwap("A", HOURS, 10, 5, PAY, 60, 95)
    found = imagine(rows({"A": [-1, 1], "B": [-2, 1]}), unknown, [swap])
    assert found.swapped == (("A", PAY), ("A", HOURS))
    assert found.beaten == (), "A got better on the objective whose amount nobody knows for B"
    assert found.cancelled == ()
    known = MeasuredTable(unknown.measures, {**amounts, ("B", HOURS): 5})
    after = imagine(rows({"A": [-1, 1], "B": [-2, 1]}), known, [swap])
    assert (after.beaten, after.cancelled) == ((Beaten("A", "B"),), (Cancelled(HOURS, "A", "B"),))
    reverse = imagine(rows({"B": [-2, 1], "A": [-1, 1]}), unknown, [swap])
    assert (reverse.beaten, reverse.cancelled) == ((), ())


AMOUNTS = st.lists(st.integers(0, 3), min_size=6, max_size=6)


@pytest.mark.req("TR-10")
@limit_examples(50)
@given(AMOUNTS, st.integers(0, 3), st.integers(0, 3))
def test_now_beaten_are_those_that_plain_comparison_of_the_imagined_rows_finds(
    amounts: list[int], level: int, paid: int
) -> None:
    places = [(option, objective) for option in ("A", "B", "C") for objective in (PAY, HOURS)]
    measured = MeasuredTable(MEASURED.measures, dict(zip(places, map(float, amounts), strict=True)))
    table: RatingTable = rows({"A": [0, 0], "B": [0, 0], "C": [0, 0]})
    start = {at: float(each) for at, each in zip(places, amounts, strict=True)}
    swap = EvenSwap("A", HOURS, start["A", HOURS], level, PAY, start["A", PAY], paid)
    end = dict(start)
    if (level < start["A", HOURS] and paid < start["A", PAY]) or (level > start["A", HOURS] and paid > start["A", PAY]):
        end |= {("A", HOURS): level, ("A", PAY): paid}

    def beats(values: dict[tuple[str, str], float], one: str, other: str) -> bool:
        gains = [values[one, PAY] - values[other, PAY], values[other, HOURS] - values[one, HOURS]]
        return min(gains) >= 0 and max(gains) > 0

    found = imagine(table, measured, [swap])
    assert dict(found.measured.amounts) == end
    assert {(each.by, each.alternative) for each in found.beaten} == {
        (one, other)
        for one in "ABC"
        for other in "ABC"
        if one != other and beats(end, one, other) and not beats(start, one, other)
    }
