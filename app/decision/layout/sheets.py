"""Sheets: the results of the steps laid out for people, as a facilitator would write them on a wall.

Each component names its presenter. Knows neither Slack nor Markdown: cards and reports are made of the same sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from app.core.state.sheet import Section, Sheet
from app.decision.layout import (
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
)
from app.decision.layout.parts import words
from app.decision.layout.parts.result import Result
from app.decision.record import SoFar
from app.decision.schema.component import Component
from app.decision.schema.paths import Draft, is_object, lists, value


@dataclass(frozen=True, slots=True)
class Presenter:
    """Presenter of a component's results."""

    sections: Callable[[Result], tuple[Section, ...]]
    gist: Callable[[Result], str]
    """Summary in a few words."""
    works_out: tuple[str, ...] = ()
    """Components from whose newest results it computes findings that no draft holds."""


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
"""Presenters by the name that components use."""


def sheet(component: Component, draft: Draft, so_far: SoFar, unproven: Collection[str] = ()) -> Sheet:
    """Return the sheet of a whole draft.

    `unproven` are handles of items to be marked (`drafts.draft.unproven`).
    """
    return Sheet(sections=PRESENTERS[component.sheet].sections(Result(component, draft, so_far, unproven)))


def gist(component: Component, draft: Draft, so_far: SoFar) -> str:
    """Return a summary of a draft in one line of at most 80 characters."""
    return words.cut(PRESENTERS[component.sheet].gist(Result(component, draft, so_far)))


def worked_out_from(component: Component) -> tuple[str, ...]:
    """Return the components from whose newest results the sheet computes findings; none if it shows the draft alone."""
    return PRESENTERS[component.sheet].works_out


def deadline(component: Component, draft: Draft) -> str:
    """Return the ISO date by which the decision is due; empty if neither the component nor its draft has one."""
    return value(draft, component.deadline) or ""


def items(draft: Draft) -> int:
    """Return the number of items for the audit log: objects in lists, but not in lists inside an item."""
    outermost = (listed for name, listed in lists(draft) if not any(map(str.isdigit, name.split("."))))
    return sum(is_object(each) for listed in outermost for each in listed)
