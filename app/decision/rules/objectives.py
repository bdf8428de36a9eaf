"""Rules for objectives: means without circles, no double counting, weights for all or none."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import Any, Final

from app.decision.comparing import plain
from app.decision.findings import Finding, Issue, Remark
from app.decision.paths import Draft, value, values
from app.decision.so_far import SoFar

ROUNDING: Final = 0.01
"""Tolerance for the sum of the weights, which should be 1."""


def circle(draft: Draft) -> list[dict[str, Any]]:
    """Return means that serve each other in a circle, the first one again at the end; empty if there are none."""
    means = {each["handle"]: each for each in values(draft, "means_objectives[]")}
    try:
        TopologicalSorter({handle: each.get("via", []) for handle, each in means.items()}).prepare()
    except CycleError as error:
        return [means[handle] for handle in error.args[1]]
    return []


def no_circles(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about means that serve each other. Neither is dropped; people say which one they would want alone."""
    if around := circle(draft):
        one, other = (f"{each['handle']} “{each['description']}”" for each in (around[0], around[1]))
        yield Remark(
            f"{one} and {other} serve each other. If you could have the first with no change in the second, "
            "would you still want it?",
            blocking=True,
        )


def weights(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Require weights for all objectives or for none, with a sum of 1."""
    objectives = values(draft, "fundamental_objectives[]")
    given = [each["weight"] for each in objectives if "weight" in each]
    if given and (len(given) < len(objectives) or abs(sum(given) - 1) > ROUNDING):
        required = "no weights at all, or one for each objective that add up to 1"
        yield Issue("fundamental_objectives", required, "weights do not add up", sum(given))


def measures(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for missing measures, because an objective without one is hard to rate."""
    without = [each for each in values(draft, "fundamental_objectives[]") if "performance_measure" not in each]
    if without:
        names = ", ".join(f"{each['handle']} “{each['description']}”" for each in without)
        yield Remark(f"Without a measure: {names}. How would you know if you achieved this?")


def double_counting(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about two objectives with the same measure, which count the same thing twice."""
    for one, other in combinations(values(draft, "fundamental_objectives[]"), 2):
        metrics = [plain(value(each, "performance_measure.metric") or "") for each in (one, other)]
        if metrics[0] and metrics[0] == metrics[1]:
            yield Remark(f"{one['handle']} and {other['handle']} have the same measure. Are they one objective?")


def only_one(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for more objectives: with one alone there is nothing to weigh."""
    if len(values(draft, "fundamental_objectives[]")) == 1:
        yield Remark("There is one objective so far. What else would make you regret the choice in a year?")
