"""Presenter of the problem frame: one card of short answers, then other decisions, and the people."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.state.sheet import Facts, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result, item, laid_out, listing, told


def sections(result: Result) -> tuple[Section, ...]:
    """Return the answers given. Missing answers are left out, because a frame need not fill all fields."""
    rows = tuple((label, answer) for label, answer in _answers(result) if answer)
    return laid_out(
        Facts(rows=rows) if rows else None,
        listing(words.ALREADY_DECIDED, (item(each, each.get("outcome", "")) for each in _tier(result, "already_made"))),
        listing(words.DEFERRED, (item(each) for each in _tier(result, "deferred"))),
        listing(
            words.PEOPLE,
            (
                item(
                    each,
                    words.joined([words.ROLES.get(each.get("role", ""), ""), each.get("influence", "")], " · "),
                    words.CARES_ABOUT.format(concerns="; ".join(each["concerns"])) if each.get("concerns") else "",
                )
                for each in result.all("parties[]")
            ),
        ),
    )


def gist(result: Result) -> str:
    """Return the decision question, which is stored in two places once it is written down."""
    return result.text("focal_decision.statement") or result.text("decision_hierarchy.focal.statement")


def _answers(result: Result) -> Iterator[tuple[str, str]]:
    due = result.text("focal_decision.deadline")
    yield words.DECISION, gist(result)
    yield words.DECIDER, _decider(result)
    yield words.BY_WHEN, words.day(due) if due else ""
    yield words.WHY_NOW, result.text("focal_decision.trigger")
    yield words.SCOPE, result.text("focal_decision.scope")
    yield words.IN, "; ".join(result.all("focal_decision.in_scope[]"))
    yield words.OUT, "; ".join(result.all("focal_decision.out_of_scope[]"))
    yield words.LIMITS, "; ".join(result.all("focal_decision.constraints[]"))


def _decider(result: Result) -> str:
    who = words.joined([result.text("decision_maker.name"), result.text("decision_maker.role")], ", ")
    authority = words.AUTHORITY.get(result.text("decision_maker.authority"), "")
    return " · ".join(told([who, authority, result.text("decision_maker.decision_rule")]))


def _tier(result: Result, name: str) -> list[dict[str, str]]:
    return result.all(f"decision_hierarchy.{name}[]")
