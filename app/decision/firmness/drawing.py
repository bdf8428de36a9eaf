"""Shares found by drawing cases at random: 4,000, the same ones for the same space.

The standard error of a share is at most 0.8 points of a hundred: the root of ½ · ½ / 4,000. The numbers come from a
hash of the space and not from the interpreter's generator, so they are the same on every machine and in every version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256, shake_256
from operator import add, mul
from struct import unpack
from typing import Final

from app.decision.analysis.ratings import BEST, WORST, At
from app.decision.analysis.swing import FULL_SWING
from app.decision.firmness.space import Column, Shares, Space

DRAWS: Final = 4_000
_REMEMBERED: Final = 32
"""Spaces whose shares are kept; those of the largest table take half a megabyte."""
_SPARE: Final = 200
"""Bytes drawn beyond need: of 4,200 about 16 are thrown away, so that each rating is equally likely."""
_FINE: Final = 1_000
"""Parts of a point, so that drawn points are hardly ever equal."""
_WORD: Final = 4
"""Bytes of a value; the largest, of 50 objectives at 4 steps, 12 units and 100,000 parts, is 240 million."""
_COUNTS: Final = range(2, BEST - WORST + 2)
_MAP: Final = {
    (low, count): bytes(low + each % count for each in range(256)) for low in range(BEST - WORST) for count in _COUNTS
}
"""The rating for each byte, by the lowest rating and the number of ratings."""
_UNEVEN: Final = {count: bytes(range(256 - 256 % count, 256)) for count in _COUNTS}
"""Bytes thrown away, because with them the first ratings would be likelier."""


def draw_cases(space: Space) -> Shares:
    """Return the shares of the drawn cases."""
    return _draw_once(space.alternatives, space.columns, tuple(sorted(space.bounds.items())))


@lru_cache(maxsize=_REMEMBERED)
def _draw_once(
    alternatives: tuple[str, ...], columns: tuple[Column, ...], bounds: tuple[tuple[At, tuple[int, int]], ...]
) -> Shares:
    """Return the shares for the parts of a space: a decision is read anew for each turn and card, mostly unchanged."""
    space = Space(alternatives, columns, dict(bounds))
    seed = sha256(repr((alternatives, columns, list(bounds))).encode()).digest()
    weights = {each.objective: _draw_weights(seed, each) for each in space.columns}
    ratings = {
        (alternative, column.objective): _draw_ratings(seed, space, (alternative, column.objective))
        for alternative in space.alternatives
        for column in space.columns
    }
    cases = _compute_values(space, weights, ratings)
    leads = dict(zip(space.alternatives, zip(*map(_measure_leads, cases), strict=True), strict=True))
    turning: dict[At, float] = {}
    for alternative, found in leads.items() if len(leads) > 1 else ():
        turning |= _find_turning(space, weights, ratings, alternative, found)
    firsts = {each: sum(lead > 0 for lead in found) / DRAWS for each, found in leads.items()}
    return Shares(firsts, tuple(each for each, found in leads.items() if 0 in found), turning)


def _draw_weights(seed: bytes, column: Column) -> list[int]:
    """Return the worth of one step in each case."""
    if column.points is not None:
        return [column.points * _FINE * column.unit] * DRAWS
    drawn = unpack(f"<{DRAWS}I", shake_256(seed + column.objective.encode()).digest(4 * DRAWS))
    return [(word * (FULL_SWING * _FINE + 1) >> 32) * column.unit for word in drawn]


def _draw_ratings(seed: bytes, space: Space, at: At) -> bytes:
    """Return the rating in each case, in steps above the worst of the scale."""
    low, high = (each - WORST for each in space.bounds[at])
    count = high - low + 1
    if count == 1:
        return bytes([low]) * DRAWS
    drawn = shake_256(seed + " ".join(at).encode()).digest(DRAWS + _SPARE)
    return drawn.translate(_MAP[low, count], _UNEVEN[count])[:DRAWS]


def _compute_values(
    space: Space, weights: Mapping[str, list[int]], ratings: Mapping[At, bytes]
) -> list[tuple[int, ...]]:
    """Return, for each case, the values of all alternatives.

    The ratings of all alternatives in one case are the digits of one large number, so that a single multiplication
    weighs them all: ten times as fast as one by one.
    """
    width = _WORD * len(space.alternatives)
    totals = [0] * DRAWS
    for column in space.columns:
        digits = bytearray(width * DRAWS)
        for index, alternative in enumerate(space.alternatives):
            digits[_WORD * index :: width] = ratings[alternative, column.objective]
        rows = [int.from_bytes(digits[at : at + width], "little") for at in range(0, len(digits), width)]
        totals = list(map(add, totals, map(mul, rows, weights[column.objective])))
    form = f"<{len(space.alternatives)}I"
    return [unpack(form, total.to_bytes(width, "little")) for total in totals]


def _measure_leads(values: Sequence[int]) -> list[int]:
    """Return how far each value is ahead of the best of the others; negative if it is behind."""
    first = max(values)
    leads = [value - first for value in values]
    index = leads.index(0)
    leads[index] = first - max((*values[:index], *values[index + 1 :]), default=first - 1)
    return leads


def _find_turning(
    space: Space, weights: Mapping[str, list[int]], ratings: Mapping[At, bytes], alternative: str, leads: Sequence[int]
) -> dict[At, float]:
    """Return the share of cases in which a cell turns the lead: its lowest rating ends it, or its highest brings it."""
    columns = [each.objective for each in space.columns if space.count_steps(alternative, each) > 1]
    spans = {each: tuple(step - WORST for step in space.bounds[alternative, each]) for each in columns}
    reach = max(((high - low) * max(weights[each]) for each, (low, high) in spans.items()), default=0)
    near = [(case, lead) for case, lead in enumerate(leads) if -reach <= lead <= reach]
    found: dict[At, float] = {}
    for objective, (low, high) in spans.items():
        worth, drawn = weights[objective], ratings[alternative, objective]
        turned = [
            case
            for case, lead in near
            if lead <= (drawn[case] - low) * worth[case] and -lead <= (high - drawn[case]) * worth[case]
        ]
        found[alternative, objective] = sum(worth[case] > 0 for case in turned) / DRAWS
    return found
