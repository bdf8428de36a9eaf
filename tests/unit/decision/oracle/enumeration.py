"""The analysis by plain enumeration, from the sentences that define it. Shares no code with the engine.

A gap may hold any step of its objective. What is said of all contents is tried on all of them where they are few, and
else on the smallest and largest difference of each objective.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import prod

from tests.unit.decision.oracle.decisions import Decision, Place, Rated

MANY = 500
"""Contents of two rows up to which each is tried."""

ZERO = Rated(0)


# The table


def rated_at(decision: Decision, option: str, objective: str) -> Rated | None:
    """The rating of a place; None for a gap."""
    return ZERO if option == decision.today else decision.rated.get((option, objective))


def rating(decision: Decision, option: str, objective: str) -> int | None:
    found = rated_at(decision, option, objective)
    return found.rating if found else None


def row(decision: Decision, option: str) -> list[int | None]:
    return [rating(decision, option, each) for each in decision.objectives]


def known_row(decision: Decision, option: str) -> list[int]:
    """The ratings of an option that has no gap."""
    return [each for each in row(decision, option) if each is not None]


def is_full(decision: Decision, option: str) -> bool:
    return None not in row(decision, option)


def gaps(decision: Decision) -> list[Place]:
    """The gaps, objective by objective."""
    return [(a, o) for o in decision.objectives for a in decision.options if rated_at(decision, a, o) is None]


def known(decision: Decision) -> Decision:
    """The decision with a gap where nobody knows the rating."""
    return replace(decision, rated={at: each for at, each in decision.rated.items() if not each.is_unknown})


def regarding(decision: Decision, objectives: Sequence[str]) -> Decision:
    """The decision on these objectives only."""
    kept = tuple(each for each in decision.objectives if each in objectives)
    return replace(
        decision,
        objectives=kept,
        rated={at: each for at, each in decision.rated.items() if at[1] in kept},
        directions={each: how for each, how in decision.directions.items() if each in kept},
        amounts={at: each for at, each in decision.amounts.items() if at[1] in kept},
        points=tuple(points for each, points in zip(decision.objectives, decision.points, strict=True) if each in kept),
    )


def among(decision: Decision, options: Sequence[str]) -> Decision:
    """The decision between these options only."""
    kept = tuple(each for each in decision.options if each in options)
    return replace(
        decision,
        options=kept,
        rated={at: each for at, each in decision.rated.items() if at[0] in kept},
        today=decision.today if decision.today in kept else None,
    )


def counted(decision: Decision) -> Decision:
    """The decision without the objectives that people left out, unless that were all."""
    left = [each for each in decision.objectives if each not in decision.left_out]
    return regarding(decision, left or decision.objectives)


# Dominance


def contents_of(decision: Decision, option: str, objective: str, ranges: bool) -> tuple[int, ...]:
    """The ratings that a place may have: any step in a gap; with `ranges`, all of the range that was given."""
    found = rated_at(decision, option, objective)
    if found is None or found.is_unknown:
        return decision.scale(objective)
    return found.contents if ranges else (found.rating,)


def differences(decision: Decision, one: str, other: str, ranges: bool) -> list[tuple[int, ...]]:
    """What `one` may be ahead by, for each objective."""
    return [
        tuple(
            mine - theirs
            for mine in contents_of(decision, one, objective, ranges)
            for theirs in contents_of(decision, other, objective, ranges)
        )
        for objective in decision.objectives
    ]


def is_ahead(ahead: Sequence[int]) -> bool:
    """As good everywhere, and better somewhere."""
    return all(each >= 0 for each in ahead) and any(each > 0 for each in ahead)


def always_ahead(decision: Decision, one: str, other: str, ranges: bool) -> bool:
    """`one` dominates for every content."""
    ahead = differences(decision, one, other, ranges)
    if prod(map(len, ahead)) <= MANY:
        return all(map(is_ahead, product(*ahead)))
    return always_ahead_by_bounds(ahead)


def sometimes_ahead(decision: Decision, one: str, other: str, ranges: bool) -> bool:
    """`one` dominates for some content."""
    ahead = differences(decision, one, other, ranges)
    if prod(map(len, ahead)) <= MANY:
        return any(map(is_ahead, product(*ahead)))
    return sometimes_ahead_by_bounds(ahead)


def always_ahead_by_bounds(ahead: Sequence[Sequence[int]]) -> bool:
    return min(map(min, ahead)) >= 0 and max(map(min, ahead)) > 0


def sometimes_ahead_by_bounds(ahead: Sequence[Sequence[int]]) -> bool:
    return min(map(max, ahead)) >= 0 and max(map(max, ahead)) > 0


def kept_beside(decision: Decision, option: str) -> list[str]:
    """The dominators beside which people keep the option, as long as the one that they were shown still dominates."""
    over = dominators(decision, option, amounts=True)
    said = [(shown, then) for each, shown, then in decision.kept if each == option and shown in ("", *over)]
    return [by for by in over if any(not shown or by in then for shown, then in said)]


def needs_more(decision: Decision, by: str, option: str) -> bool:
    """Whether something has to come for `by` that `option` can do without."""
    return any((option, what) not in decision.counts_on for each, what in decision.counts_on if each == by)


def drops(decision: Decision, option: str) -> bool:
    """Whether another option sets it aside: nobody keeps it beside that one, nor has people's word to wait for."""
    kept = kept_beside(decision, option)
    agreed = [shown for each, shown in decision.agreed if each == option]
    return any(
        by not in kept and (by in agreed or "" in agreed or not needs_more(decision, by, option))
        for by in dominators(decision, option, amounts=True)
    )


def compared(decision: Decision) -> Decision:
    """The decision without the dominated options that people set aside in words: nothing about them counts any more."""
    aside = [
        option
        for option, shown in decision.agreed
        if drops(decision, option) and shown in ("", *dominators(decision, option, amounts=True))
    ]
    return among(decision, [each for each in decision.options if each not in aside])


def waits(decision: Decision, option: str) -> bool:
    """Whether it would drop out only if what others need comes, and nobody has decided about it."""
    over = dominators(decision, option, amounts=True)
    return bool(over) and not drops(decision, option) and not kept_beside(decision, option)


def goodness(decision: Decision, objective: str, amount: float) -> float:
    """How good an amount is: the larger the better."""
    match decision.directions[objective]:
        case "maximize":
            return amount
        case "minimize":
            return -amount
        case _:
            return -abs(amount - decision.targets[objective])


def worse_amounts(decision: Decision, one: str, other: str) -> list[str]:
    """The objectives on which `one` has a worse amount than `other`; what is unknown is not worse."""
    return [
        each
        for each in decision.objectives
        if (one, each) in decision.amounts and (other, each) in decision.amounts
        if goodness(decision, each, decision.amounts[one, each])
        < goodness(decision, each, decision.amounts[other, each])
    ]


def dominators(decision: Decision, option: str, *, amounts: bool) -> list[str]:
    """Who dominates an option whatever is in the gaps; with `amounts`, only where no amount says otherwise."""
    found = [each for each in decision.options if each != option and always_ahead(decision, each, option, False)]
    return [each for each in found if not (amounts and worse_amounts(decision, each, option))]


def undominated(decision: Decision, *, amounts: bool = False) -> list[str]:
    return [each for each in decision.options if not dominators(decision, each, amounts=amounts)]


# Sums, gains, pairs


def net(decision: Decision, option: str) -> int | None:
    return sum(known_row(decision, option)) if is_full(decision, option) else None


def leaders(decision: Decision) -> list[str]:
    """Who has the largest sum; nobody while one is unknown."""
    sums = [net(decision, each) for each in decision.options]
    known = [each for each in sums if each is not None]
    return (
        [a for a, each in zip(decision.options, sums, strict=True) if each == max(known)]
        if len(known) == len(sums)
        else []
    )


def varying(decision: Decision) -> list[str]:
    """The objectives whose column is full and holds different ratings."""
    return [
        each
        for each in decision.objectives
        if None not in column(decision, each) and len(set(column(decision, each))) > 1
    ]


def column(decision: Decision, objective: str) -> list[int | None]:
    return [rating(decision, each, objective) for each in decision.options]


def full_column(decision: Decision, objective: str) -> list[int]:
    return [each for each in column(decision, objective) if each is not None]


def unvarying(decision: Decision) -> list[str]:
    """The objectives on which at least two options are all rated alike."""
    full = [each for each in decision.objectives if None not in column(decision, each)]
    return [each for each in full if len(decision.options) > 1 and len(set(column(decision, each))) == 1]


def best_on(decision: Decision, option: str) -> list[str]:
    return [o for o in varying(decision) if rating(decision, option, o) == max(full_column(decision, o))]


def worst_on(decision: Decision, option: str) -> list[str]:
    return [o for o in varying(decision) if rating(decision, option, o) == min(full_column(decision, o))]


def steps_between(decision: Decision, one: str, other: str) -> dict[str, int]:
    """By how many steps `one` is ahead, where both are rated."""
    return {
        each: mine - theirs
        for each in decision.objectives
        if (mine := rating(decision, one, each)) is not None and (theirs := rating(decision, other, each)) is not None
    }


def practical(decision: Decision) -> list[Place]:
    """An option that is ahead by one step on one objective, while another is by three on two or more."""
    found: list[Place] = []
    for by, option in product(decision.options, repeat=2):
        if by != option and is_full(decision, by) and is_full(decision, option):
            ahead = steps_between(decision, by, option).values()
            lost, gained = [-each for each in ahead if each < 0], [each for each in ahead if each > 0]
            if lost == [1] and len(gained) >= 2 and sum(gained) >= 3:
                found.append((option, by))
    return found


def orders(decision: Decision, one: str, other: str) -> tuple[int, int]:
    """How many pairs of options two objectives order against each other, and how many alike."""
    against = alike = 0
    for a, b in combinations(range(len(decision.options)), 2):
        first = full_column(decision, one)[a] - full_column(decision, one)[b]
        second = full_column(decision, other)[a] - full_column(decision, other)[b]
        against += first * second < 0
        alike += first * second > 0
    return against, alike


def regret(decision: Decision, option: str) -> list[int]:
    """What an option gives up on each objective against the best one there."""
    return [max(full_column(decision, o)) - (rating(decision, option, o) or 0) for o in decision.objectives]


# Points


def worth_of_steps(decision: Decision) -> dict[str, Fraction]:
    """The value of one step by the points, for each objective that varies: points over the range."""
    given = dict(zip(decision.objectives, decision.points, strict=True))
    spread = {o: max(full_column(decision, o)) - min(full_column(decision, o)) for o in varying(decision)}
    return {each: Fraction(given[each], spread[each]) for each in spread}


def values(decision: Decision, worth: dict[str, Fraction], ranges: Decision) -> dict[str, Fraction]:
    """The value of each option, above the worst of each range that the points were given for."""
    return {
        option: sum(
            (step * ((rating(decision, option, o) or 0) - min(full_column(ranges, o))) for o, step in worth.items()),
            Fraction(),
        )
        for option in decision.options
    }


def first_by(worths: dict[str, Fraction]) -> list[str]:
    return [each for each, value in worths.items() if value == max(worths.values())]


# Standing out


def moved(decision: Decision, at: Place, to: int) -> Decision:
    """The decision with another rating in one place."""
    return replace(decision, rated={**decision.rated, at: Rated(to, scale=decision.rated[at].scale)})


def list_moves(decision: Decision) -> Iterator[Place]:
    """The doubtful ratings."""
    return (at for at, each in decision.rated.items() if each.doubtful)


def shaking(decision: Decision, leader: str, weighed: Decision | None) -> list[Place]:
    """The doubtful ratings that alone, at an end of their range or a step on, end the lead by sum or by value."""
    found: list[Place] = []
    for at in list_moves(decision):
        for to in decision.rated[at].ends:
            then = moved(decision, at, to)
            by_value = weighed is not None and loses_by_value(decision, then, weighed, leader)
            if leaders(then) != [leader] or by_value:
                found.append(at)
                break
    return found


def loses_by_value(decision: Decision, then: Decision, weighed: Decision, leader: str) -> bool:
    """With the points as they were given, another one is not behind the leader any more, or has passed it.

    Who is set aside by the ratings of now counts, too: what moves may bring it back.
    """
    was, now = (values(each, worth_of_steps(weighed), weighed) for each in (decision, then))
    falls = now[leader] < was[leader]
    return any(now[each] >= now[leader] and (falls or was[each] < was[leader]) for each in now if each != leader)


def one_steps(decision: Decision) -> Iterator[tuple[Place, int]]:
    """Each rating that somebody knows, moved by one step inside of its range, if it has one."""
    for option, objective in product(decision.options, decision.objectives):
        found = decision.rated.get((option, objective))
        for step in (-1, 1):
            if found is None or found.is_unknown or option == decision.today:
                continue
            if found.rating + step in (found.contents if found.span else found.steps):
                yield (option, objective), found.rating + step
