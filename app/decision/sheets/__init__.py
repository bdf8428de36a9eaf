"""Sheets: the result of each step laid out for people, as a facilitator would write it on a wall.

Each component names who lays it out. Knows neither Slack nor Markdown: cards and reports are made of the same sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from app.core.sheet import Section, Sheet
from app.decision.component import Component
from app.decision.paths import Draft, is_object, lists, value
from app.decision.sheets import (
    alternatives,
    by_schema,
    consequences,
    decision_quality,
    issue_raising,
    notes_next_steps,
    objectives,
    problem_frame,
    recommendation,
    tradeoffs,
    words,
)
from app.decision.sheets.result import Result
from app.decision.so_far import SoFar


@dataclass(frozen=True, slots=True)
class Presenter:
    """Who lays out the results of a component."""

    sections: Callable[[Result], tuple[Section, ...]]
    gist: Callable[[Result], str]
    """What is in it, in a few words."""
    works_out: tuple[str, ...] = ()
    """The components from whose newest results it works out findings that no draft holds."""


_ANALYSED: Final = ("objectives", "alternatives", "consequences")
PRESENTERS: Final[Mapping[str, Presenter]] = MappingProxyType(
    {
        "lists": Presenter(by_schema.sections, by_schema.gist),
        "issue_raising": Presenter(issue_raising.sections, issue_raising.gist),
        "problem_frame": Presenter(problem_frame.sections, problem_frame.gist),
        "objectives": Presenter(objectives.sections, objectives.gist),
        "alternatives": Presenter(alternatives.sections, alternatives.gist),
        "consequences": Presenter(consequences.sections, consequences.gist),
        "tradeoffs": Presenter(tradeoffs.sections, tradeoffs.gist, _ANALYSED),
        "recommendation": Presenter(recommendation.sections, recommendation.gist, (*_ANALYSED, "tradeoffs")),
        "decision_quality": Presenter(decision_quality.sections, decision_quality.gist),
        "notes_next_steps": Presenter(notes_next_steps.sections, notes_next_steps.gist),
    }
)
"""By the name that components give."""


def sheet(component: Component, draft: Draft, so_far: SoFar, unproven: Collection[str] = ()) -> Sheet:
    """All of a draft, for people. `unproven` are handles of items to be marked (`app.decision.draft.unproven`)."""
    return Sheet(sections=PRESENTERS[component.sheet].sections(Result(component, draft, so_far, unproven)))


def gist(component: Component, draft: Draft, so_far: SoFar) -> str:
    """What is in a draft, in one line of at most 80 characters."""
    return words.cut(PRESENTERS[component.sheet].gist(Result(component, draft, so_far)))


def worked_out_from(component: Component) -> tuple[str, ...]:
    """The components from whose newest results its sheet works out findings; none if it shows the draft alone."""
    return PRESENTERS[component.sheet].works_out


def deadline(component: Component, draft: Draft) -> str:
    """The ISO date by which the decision is due; empty if this component or its draft tells none."""
    return value(draft, component.deadline) or ""


def items(draft: Draft) -> int:
    """How many items a draft has, for the audit: objects in lists, without lists that belong to an item."""
    outermost = (listed for name, listed in lists(draft) if not any(map(str.isdigit, name.split("."))))
    return sum(is_object(each) for listed in outermost for each in listed)
