"""Random decisions: two to twelve options and objectives, with all that people may leave open, doubt or decide."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product

from hypothesis import strategies as st

Place = tuple[str, str]
SCALE = (-2, -1, 0, 1, 2)
MOST = 12


@dataclass(frozen=True)
class Rated:
    """A rating, what else it may be, and whether it is doubted."""

    rating: int
    span: tuple[int, int] | None = None
    doubtful: bool = False
    scale: tuple[int, int] = (SCALE[0], SCALE[-1])
    """The steps that its objective has."""

    @property
    def steps(self) -> tuple[int, ...]:
        """Where it may be by what nobody has said: within the scale, and where people said something beyond."""
        low, high = self.span if self.span and not self.is_unknown else (self.rating, self.rating)
        return tuple(range(min(self.scale[0], low), max(self.scale[1], high) + 1))

    @property
    def contents(self) -> tuple[int, ...]:
        """What the rating may turn out to be by the range that was given."""
        low, high = self.span or (self.rating, self.rating)
        return self.steps if self.is_unknown else tuple(range(low, high + 1))

    @property
    def is_unknown(self) -> bool:
        """Whether anything is possible, so that the rating only holds its place."""
        return self.span == (SCALE[0], SCALE[-1])

    @property
    def ends(self) -> tuple[int, ...]:
        """Where its doubt may move it: to either end of its range or, without one, by a step."""
        if self.span:
            return self.contents[0], self.contents[-1]
        steps = (self.rating - 1, self.rating + 1) if self.doubtful else ()
        return tuple(each for each in steps if each in self.steps)


@dataclass(frozen=True)
class Decision:
    """One decision, as people told it."""

    options: tuple[str, ...]
    objectives: tuple[str, ...]
    rated: dict[Place, Rated]
    """Without the row of `today`, which is 0 everywhere. A place that is not in it is a gap."""
    today: str | None = None
    directions: dict[str, str] = field(default_factory=dict[str, str])
    """`maximize`, `minimize` or `target` for each objective with a measure."""
    targets: dict[str, float] = field(default_factory=dict[str, float])
    amounts: dict[Place, float] = field(default_factory=dict[Place, float])
    points: tuple[int, ...] = ()
    """Points in the order of the objectives; those that vary get them."""
    kept: frozenset[tuple[str, str, tuple[str, ...]]] = frozenset()
    """Options that people keep: each with the one that was shown as its dominator, empty for that of now, and with all
    that dominated it then."""
    agreed: frozenset[tuple[str, str]] = frozenset()
    """Options that people set aside in words, each with the dominator that was shown, empty for that of now."""
    counts_on: frozenset[tuple[str, str]] = frozenset()
    """Options with what has to come for them."""
    left_out: frozenset[str] = frozenset()
    """Objectives that people dismissed or called redundant."""
    gives_up: bool = False
    """True if people accept each practical dominance."""
    scales: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """The lowest and highest step of the objectives that do not have all; 0 is always among them."""

    def scale(self, objective: str) -> tuple[int, ...]:
        """The steps that an objective has."""
        low, high = self.scales.get(objective, (SCALE[0], SCALE[-1]))
        return tuple(range(low, high + 1))


@st.composite
def ratings(draw: st.DrawFn) -> Rated:
    """Any rating; few values, so that ties and dominance are common. A range is a doubt, whatever level it has."""
    rating = draw(st.sampled_from(SCALE))
    if draw(st.integers(0, 2)):
        return Rated(rating, doubtful=draw(st.booleans()))
    low, high = draw(st.integers(-2, rating)), draw(st.integers(rating, 2))
    return Rated(rating, (low, high), doubtful=True) if low < high else Rated(rating)


NEEDS = ("", "p", "p", "q", "pq")
"""What an option counts on, each thing a letter; few, so that two of a pair often count on the same."""


def _keep(option: str, shown: str, others: set[str]) -> tuple[str, str, tuple[str, ...]]:
    """A verdict to keep an option, beside another one or, drawn as beside itself, beside the one of now."""
    return (option, "", ()) if shown == option else (option, shown, tuple(sorted({shown, *others})))


@st.composite
def decisions(draw: st.DrawFn, most: int = MOST, gaps: int = 3) -> Decision:
    """Any decision of 2 to `most` options and objectives, with at most so many gaps."""
    options = tuple(f"A{number + 1}" for number in range(draw(st.integers(2, most))))
    objectives = tuple(f"O{number + 1}" for number in range(draw(st.integers(2, most))))
    today = draw(st.sampled_from([None, "A1"]))
    places = [at for at in product(options, objectives) if at[0] != today]
    missing = draw(st.sets(st.sampled_from(places), max_size=gaps))
    rated = {at: draw(ratings()) for at in places if at not in missing}
    if draw(st.booleans()):  # two options alike, or one much like another: rare if drawn freely
        rated = _copy_row(draw, rated, options, objectives, today)
    spans = st.tuples(st.integers(-2, 0), st.integers(0, 2))
    scales = draw(st.dictionaries(st.sampled_from(objectives), spans, max_size=3))
    rated = {at: replace(each, scale=scales.get(at[1], each.scale)) for at, each in rated.items()}
    directions = draw(st.dictionaries(st.sampled_from(objectives), st.sampled_from(["maximize", "minimize", "target"])))
    measured = [at for at in product(options, objectives) if at[1] in directions]
    amounts = {at: float(draw(st.integers(0, 6))) for at in measured if draw(st.booleans())}
    return Decision(
        options,
        objectives,
        rated,
        today,
        directions,
        {each: 3.0 for each, direction in directions.items() if direction == "target"},
        amounts,
        tuple(draw(st.sampled_from([0, 10, 40, 50, 100])) for _ in objectives),
        draw(
            st.frozensets(
                st.builds(_keep, *[st.sampled_from(options)] * 2, st.sets(st.sampled_from(options))), max_size=2
            )
        ),
        draw(st.frozensets(st.tuples(st.sampled_from(options), st.sampled_from(["", *options])), max_size=3)),
        frozenset((each, what) for each in options for what in draw(st.sampled_from(NEEDS))),
        draw(st.frozensets(st.sampled_from(objectives), max_size=1)),
        draw(st.booleans()),
        scales,
    )


def _copy_row(
    draw: st.DrawFn, rated: dict[Place, Rated], options: tuple[str, ...], objectives: tuple[str, ...], today: str | None
) -> dict[Place, Rated]:
    others = [each for each in options if each != today]
    source, target = draw(st.sampled_from(others)), draw(st.sampled_from(others))
    copied = {(target, each): rated[source, each] for each in objectives if (source, each) in rated}
    change = draw(st.sampled_from(objectives))
    if draw(st.booleans()):
        copied[target, change] = Rated(draw(st.sampled_from(SCALE)))
    return {**{at: each for at, each in rated.items() if at[0] != target}, **copied}
