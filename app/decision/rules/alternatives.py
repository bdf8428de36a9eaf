"""Rules for options: exactly one status quo, distinct options, and strategies with one choice in each column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.decision.comparing import plain
from app.decision.findings import Finding, Issue, IssueKind, Remark
from app.decision.paths import Draft, Place, places, value, values
from app.decision.so_far import SoFar

TOO_MANY: Final = 7
"""Number of options from which they are screened before they are compared one by one."""


def one_status_quo(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Require that at most one option is marked as status quo, and that `status_quo_id` names it."""
    marked = [place for place in places(draft, "alternatives[]") if place.value.get("is_status_quo")]
    named = value(draft, "status_quo_id") or (marked[0].value["handle"] if marked else "")
    for place in marked:
        if place.value["handle"] != named:
            yield Issue(f"{place.name}.is_status_quo", f"false: {named} is the status quo", "two of them", True)


def strategies(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Require that each strategy picks one existing option in every column, and that no two strategies are alike."""
    columns = {each["handle"]: each["options"] for each in values(draft, "strategy_table.decision_columns[]")}
    rows = places(draft, "strategy_table.strategies[]")
    picks = [{each["column_id"]: each["option"] for each in place.value["selections"]} for place in rows]
    owners = [place.value["alternative_id"] for place in rows]
    for index, place in enumerate(rows):
        yield from _picked(place, columns, picks[index])
        if len(picks[index]) == len(columns) and picks[index] in picks[:index]:
            yield Issue(place.name, "a row that differs from all others", "same as another row", owners[index])
        if owners[index] in owners[:index]:
            yield Issue(f"{place.name}.alternative_id", "one row for each option", "has two rows", owners[index])


def same_as_status_quo(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about an option that changes nothing: it is the status quo."""
    options = values(draft, "alternatives[]")
    baseline = next((each for each in options if each["handle"] == value(draft, "status_quo_id")), None)
    for each in options:
        if baseline and each is not baseline and plain(each["description"]) == plain(baseline["description"]):
            yield Remark(f"{_label(each)} reads like the status quo {_label(baseline)}. Are they the same?")


def few_options(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for more options, because one idea is rarely the best."""
    if len(values(draft, "alternatives[]")) == 2:
        yield Remark("One idea beside the status quo is rarely the best. Two more are worth a minute.")


def many_options(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Propose to screen many options by the limits first."""
    if len(values(draft, "alternatives[]")) > TOO_MANY:
        yield Remark("That is a lot to compare. Which ones break a limit, and can be kept as a note?")


def broken_limits(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask if an option that breaks a limit is dropped, or if the limit is softened. People decide."""
    for each in values(draft, "alternatives[]"):
        if broken := each.get("broken_limits"):
            yield Remark(f"{_label(each)} breaks a limit ({'; '.join(broken)}). Drop it, or soften the limit?")


def _picked(place: Place, columns: dict[str, list[str]], picked: dict[str, str]) -> Iterator[Finding]:
    given = [each["column_id"] for each in place.value["selections"]]
    required = f"one selection for each of {', '.join(columns)}"
    if sorted(given) != sorted(columns):
        kind = IssueKind.MISSING if set(given) < columns.keys() and len(given) == len(picked) else IssueKind.INVALID
        yield Issue(f"{place.name}.selections", required, "not one for each column", ", ".join(given), kind)
    for column, option in picked.items():
        if option not in columns.get(column, [option]):
            yield Issue(f"{place.name}.selections", f"one of {', '.join(columns[column])}", "no such option", option)


def _label(each: dict[str, str]) -> str:
    return f"{each['handle']} {each['name']}"
