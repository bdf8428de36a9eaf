"""Rules for the frame, the objectives and the alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from app.core.text.labels import join_words
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED
from app.decision.schema.days import format_day
from app.decision.schema.findings import Finding, Issue, IssueKind, Remark
from app.decision.schema.paths import Draft, Place, find_places, find_value, find_values, read_name
from app.decision.schema.similarity import find_telling_words, normalize, shares_half

TIERS: Final = ("already_made[]", "focal", "deferred[]")
CLOSED: Final = ("should", "shall", "do", "does", "is", "are", "can", "could", "will", "would", "may", "must")
"""First words of a question with only two answers, unless it says "or"."""
_HAS_LAST_WORD: Final = MappingProxyType(
    {
        "needs_approval": re.compile(r"\b(?:approves?|signs?|confirms?)\b(?! the (?:limit|budget))", re.IGNORECASE),
        "recommends": re.compile(r"\bdecides?\b", re.IGNORECASE),
    }
)
"""What is said of somebody who has the last word, by how far the decider decides."""


def list_last_words(frame: Mapping[str, Any]) -> Iterator[str]:
    """Yield the people who decide or approve what somebody else recommends or decides."""
    name, authority = (find_value(frame, f"decision_maker.{each}") or "" for each in ("name", "authority"))
    says = _HAS_LAST_WORD.get(authority)
    if says is None:
        return
    for each in find_values(frame, "parties[]"):
        is_other = each.get("name") and not re.search(rf"(?<!\w){re.escape(each['name'])}(?!\w)", name, re.IGNORECASE)
        if is_other and (each.get("role") == "decision_maker" or says.search(each.get("influence", ""))):
            yield each["name"]


def one_tier_each(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require each decision to be in one tier: made, in focus or deferred."""
    seen: dict[str, str] = {}
    for tier in TIERS:
        for place in find_places(draft, f"decision_hierarchy.{tier}.statement"):
            text = normalize(place.value)
            if seen.setdefault(text, tier) != tier:
                yield Issue(place.name, "a decision that stands in no other tier", "stands in two tiers", place.value)


def one_decision_maker(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about two deciders, unless they decide together."""
    deciders = [each["name"] for each in find_values(draft, "parties[]") if each.get("role") == "decision_maker"]
    if len(deciders) > 1 and find_value(draft, "decision_maker.authority") != "joint":
        yield Remark(f"{join_words(deciders)} are both named as the one who decides. Who is it?", blocking=True)


def open_question(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about a statement that allows only yes or no, because it contains its solution."""
    statement = find_value(draft, "focal_decision.statement") or ""
    begun = normalize(statement).partition(" ")[0]
    if statement and "?" not in statement:
        yield Remark(
            "The decision is not put as a question yet. Which question would settle it?",
            about=[(normalize(statement),)],
        )
    elif begun in CLOSED and " or " not in normalize(statement):
        yield Remark(
            "The question allows only yes or no. What would that give you, and how else could you get it?",
            about=[(normalize(statement),)],
        )


def decider(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for the rule of a group, and for the decider if the person only advises."""
    authority = find_value(draft, "decision_maker.authority")
    if authority == "joint" and not find_value(draft, "decision_maker.decision_rule"):
        yield Remark("A group decides: by consensus, by vote, or does the chair decide?", about=[(authority,)])
    if authority == "recommends":
        yield Remark("This person recommends. Who decides, and how will they be involved?", about=[(authority,)])


def deadline(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about a deadline in the past."""
    given = find_value(draft, "focal_decision.deadline")
    if given and date.fromisoformat(given) < so_far.today:
        yield Remark(f"The deadline {format_day(given)} is over. By when does it have to be decided?", blocking=True)


ROUNDING: Final = 0.01
"""Tolerance for the sum of the weights, which should be 1."""


def find_circle(draft: Draft) -> list[dict[str, Any]]:
    """Return means that serve each other in a circle, the first one again at the end; empty if there are none."""
    means = {each["handle"]: each for each in find_values(draft, "means_objectives[]")}
    try:
        TopologicalSorter({handle: each.get("via", []) for handle, each in means.items()}).prepare()
    except CycleError as error:
        return [means[handle] for handle in error.args[1]]
    return []


def no_circles(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about means that serve each other. Neither is dropped; people say which one they would want alone."""
    if around := find_circle(draft):
        one, other = (f"{each['handle']} “{each['description']}”" for each in (around[0], around[1]))
        yield Remark(
            f"{one} and {other} serve each other. If you could have the first with no change in the second, "
            "would you still want it?",
            blocking=True,
        )


def weights(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require weights for all objectives or for none, with a sum of 1."""
    objectives = find_values(draft, "fundamental_objectives[]")
    given = [each["weight"] for each in objectives if "weight" in each]
    if given and (len(given) < len(objectives) or abs(sum(given) - 1) > ROUNDING):
        required = "no weights at all, or one for each objective that add up to 1"
        yield Issue("fundamental_objectives", required, "weights do not add up", sum(given))


def measures(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for measures, because an objective without one is hard to rate, and for the way in which one gets better."""
    objectives = find_values(draft, "fundamental_objectives[]")
    without = [each for each in objectives if "performance_measure" not in each]
    if without:
        names = join_words(f"{each['handle']} “{each['description']}”" for each in without)
        yield Remark(
            f"Without a measure: {names}. How would you know if you achieved this?",
            about=[(each["handle"],) for each in without],
        )
    for each in objectives:
        measure = each.get("performance_measure")
        if measure and "direction" not in measure:
            named = f"{each['handle']} “{each['description']}”"
            yield Remark(
                f"{named} is measured by “{measure['metric']}”. Is more of it better, or less?",
                about=[(each["handle"], normalize(measure["metric"]))],
            )


def double_counting(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about two objectives with the same measure, which count the same thing twice."""
    for one, other in combinations(find_values(draft, "fundamental_objectives[]"), 2):
        metrics = [normalize(find_value(each, "performance_measure.metric") or "") for each in (one, other)]
        if metrics[0] and metrics[0] == metrics[1]:
            yield Remark(
                f"{one['handle']} and {other['handle']} have the same measure. Are they one objective?",
                about=[(one["handle"], other["handle"], metrics[0])],
            )


def only_one(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for more objectives: with one alone there is nothing to weigh."""
    if len(find_values(draft, "fundamental_objectives[]")) == 1:
        yield Remark("There is one objective so far. What else would make you regret the choice in a year?")


TOO_MANY: Final = 7
"""Number of options from which they are screened before they are compared one by one."""


def wishes_taken_up(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about what people wanted in the first step and no objective or means says, in whatever words."""
    rows = [*find_values(draft, "fundamental_objectives[]"), *find_values(draft, "means_objectives[]")]
    sources = {each.get("source_objective_id") for each in rows}
    said = [find_telling_words(read_name(each)) for each in rows]
    wished = [
        each
        for each in find_values(so_far.results.get("issue_raising"), "objectives[]")
        if each.get("origin") != SUGGESTED
    ]
    left = [
        each["handle"]
        for each in wished
        if each["handle"] not in sources
        and not any(shares_half(find_telling_words(read_name(each)), words) for words in said)
    ]
    if left:
        yield Remark(
            f"You also wanted: {so_far.labels(left)}. Shall {'that' if len(left) == 1 else 'those'} count as well?",
            about=[(each,) for each in left],
        )


def one_status_quo(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that at most one option is marked as status quo, and that `status_quo_id` names it."""
    marked = [place for place in find_places(draft, "alternatives[]") if place.value.get("is_status_quo")]
    named = find_value(draft, "status_quo_id") or (marked[0].value["handle"] if marked else "")
    for place in marked:
        if place.value["handle"] != named:
            yield Issue(f"{place.name}.is_status_quo", f"false: {named} is the status quo", "two of them", True)


def strategies(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Require that each strategy picks one existing option in every column, and that no two strategies are alike."""
    columns = {each["handle"]: each["options"] for each in find_values(draft, "strategy_table.decision_columns[]")}
    rows = find_places(draft, "strategy_table.strategies[]")
    picks = [{each["column_id"]: each["option"] for each in place.value["selections"]} for place in rows]
    owners = [place.value["alternative_id"] for place in rows]
    for index, place in enumerate(rows):
        yield from _check_selections(place, columns, picks[index])
        if len(picks[index]) == len(columns) and picks[index] in picks[:index]:
            yield Issue(place.name, "a row that differs from all others", "same as another row", owners[index])
        if owners[index] in owners[:index]:
            yield Issue(f"{place.name}.alternative_id", "one row for each option", "has two rows", owners[index])


def same_as_status_quo(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask about an option that changes nothing: it is the status quo."""
    options = find_values(draft, "alternatives[]")
    baseline = next((each for each in options if each["handle"] == find_value(draft, "status_quo_id")), None)
    for each in options:
        means = normalize(each.get("description", ""))
        if baseline and means and each is not baseline and means == normalize(baseline.get("description", "")):
            yield Remark(
                f"{_label_strategy(each)} reads like the status quo {_label_strategy(baseline)}. Are they the same?",
                about=[(each["handle"], baseline["handle"])],
            )


def few_options(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for more options, because one idea is rarely the best."""
    if len(find_values(draft, "alternatives[]")) == 2:
        yield Remark("One idea beside the status quo is rarely the best. Two more are worth a minute.")


def many_options(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Propose to screen many options by the limits first."""
    if len(find_values(draft, "alternatives[]")) > TOO_MANY:
        yield Remark("That is a lot to compare. Which ones break a limit, and can be kept as a note?")


def broken_limits(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask if an option that breaks a limit is dropped, or if the limit is softened. People decide."""
    for each in find_values(draft, "alternatives[]"):
        if broken := each.get("broken_limits"):
            yield Remark(
                f"{_label_strategy(each)} breaks a limit ({'; '.join(broken)}). Drop it, or soften the limit?",
                about=[(each["handle"], normalize(limit)) for limit in broken],
            )


def _check_selections(place: Place, columns: dict[str, list[str]], picked: dict[str, str]) -> Iterator[Finding]:
    given = [each["column_id"] for each in place.value["selections"]]
    required = f"one selection for each of {', '.join(columns)}"
    if sorted(given) != sorted(columns):
        kind = IssueKind.MISSING if set(given) < columns.keys() and len(given) == len(picked) else IssueKind.INVALID
        yield Issue(f"{place.name}.selections", required, "not one for each column", ", ".join(given), kind)
    for column, option in picked.items():
        if option not in columns.get(column, [option]):
            yield Issue(f"{place.name}.selections", f"one of {', '.join(columns[column])}", "no such option", option)


def _label_strategy(each: dict[str, str]) -> str:
    return f"{each['handle']} {each['name']}"
