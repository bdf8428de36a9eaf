"""Sheets: the results of the steps laid out for people, as a facilitator would write them on a wall.

Each component names its presenter. Knows neither Slack nor Markdown: cards and reports are made of the same sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from app.core.state.sheet import Item, Listing, Mark, Section, Sheet, walk_texts
from app.core.text.labels import join_words
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
from app.decision.layout.parts.result import Result, build_item, build_line, build_listing, build_texts, select_sections
from app.decision.layout.parts.short_names import shorten_lines, shorten_repeats
from app.decision.layout.parts.told_parts import list_elsewhere, list_told_of
from app.decision.record import DecisionRecord
from app.decision.schema.component import Component
from app.decision.schema.corrections import CORRECTIONS, WORDS
from app.decision.schema.paths import Draft, find_value, is_object, walk_lists
from app.decision.schema.terms import list_lines, name_element


@dataclass(frozen=True, slots=True)
class Presenter:
    """Presenter of a component's results."""

    sections: Callable[[Result], tuple[Section, ...]]
    gist: Callable[[Result], str]
    """Summary in a few words."""
    essence: Callable[[Result], tuple[str, ...]]
    """What matters most, a line each, the first first; empty lines are left out."""
    works_out: tuple[str, ...] = ()
    """Components from whose newest results it computes findings that no draft holds."""
    first: int = words.LINE
    """Characters of the first line."""
    others: int = words.LINE
    """Characters of each other line."""


FACTS: Final = MappingProxyType(
    {
        "driver": "what {items} may depend on",
        "priority": "the priority of {items}",
        "resolvable": "whether {items} can be found out in time",
        "decision_maker.name": "who decides",
        "owner": "who does {items}",
        "authority": "how far the decider decides",
        "statement": "the heart of it",
        "user_understanding": "the tradeoff in your words",
        "user_leaning": "what you lean towards",
        "in_the_users_words": "the decision in your words",
    }
)
"""Facts that nobody said, by their place or the name of their field."""
_HANDLE: Final = re.compile(r"(?<!\w)[A-Z]{1,2}\d{1,4}(?!\w)")
_ANALYSED: Final = ("objectives", "alternatives", "consequences")
_DATED: Final = re.compile(r"\s\W*Written for [^.]*\.\W*$")
"""What stands behind a note on earlier ratings."""

PRESENTERS: Final[Mapping[str, Presenter]] = MappingProxyType(
    {
        "lists": Presenter(by_schema.build_sections, by_schema.write_gist, by_schema.write_essence),
        "issue_raising": Presenter(
            issue_raising.build_sections,
            issue_raising.write_gist,
            issue_raising.write_essence,
            others=issue_raising.WHOLE,
        ),
        "problem_frame": Presenter(problem_frame.build_sections, problem_frame.write_gist, problem_frame.write_essence),
        "objectives": Presenter(
            objectives.build_sections, objectives.write_gist, objectives.write_essence, others=objectives.LONG
        ),
        "alternatives": Presenter(alternatives.build_sections, alternatives.write_gist, alternatives.write_essence),
        "consequences": Presenter(
            consequences.build_sections, consequences.write_gist, consequences.write_essence, first=words.SUMMARY
        ),
        "tradeoffs": Presenter(tradeoffs.build_sections, tradeoffs.write_gist, tradeoffs.write_essence, _ANALYSED),
        "recommendation": Presenter(
            recommendation.build_sections,
            recommendation.write_gist,
            recommendation.write_essence,
            (*_ANALYSED, "tradeoffs"),
            words.SUMMARY,
        ),
        "decision_quality": Presenter(
            decision_quality.build_sections, decision_quality.write_gist, decision_quality.write_essence
        ),
        "notes_next_steps": Presenter(
            notes_next_steps.build_sections,
            notes_next_steps.write_gist,
            notes_next_steps.write_essence,
            (*_ANALYSED, "tradeoffs"),
        ),
    }
)
"""Presenters by the name that components use."""


def build_sheet(component: Component, draft: Draft, so_far: DecisionRecord, unproven: Collection[str] = ()) -> Sheet:
    """Return the sheet of a whole draft.

    `unproven` are handles of items to be marked (`drafts.draft.find_unproven`).
    """
    presenter, result = PRESENTERS[component.sheet], Result(component, draft, so_far, unproven)
    sections = select_sections(*presenter.sections(result), _list_corrected(result))
    warning, suggested = _list_warnings(result, sections)
    corrected = build_line(
        words.CORRECTED, "; ".join(f"{each['handle']} {each[WORDS]}" for each in result.all(f"{CORRECTIONS}[]"))
    )
    told = shorten_lines((warning, suggested, *filter(None, presenter.essence(result))), result.name)
    to_check, suggested, corrected = map(words.cut_sentences, (*told[:2], corrected))
    first = max(presenter.first, presenter.others)
    rest = [_cut(each, first if place == 0 else presenter.others) for place, each in enumerate(told[2:])]
    lines = [*filter(None, (suggested, *rest[:1], corrected, *rest[1:]))]
    cut = lines[words.ESSENCE_LINES :]
    if suggested and any(each.partition(" ")[0] in so_far.alternatives for each in cut):  # a card shows each option
        lines, to_check = lines[1:], words.join_texts([to_check, suggested], " · ")
    return Sheet(
        sections=tuple(shorten_repeats(each, result.name) for each in sections),
        essence=tuple(lines[: words.ESSENCE_LINES]),
        to_check=to_check,
    )


def _cut(line: str, most: int) -> str:
    """Shorten a line of an essence; its mark that it was written for earlier ratings stays, at least at half of it."""
    dated = _DATED.search(line) if len(line) > most else None
    own, mark = (line[: dated.start()], dated[0]) if dated else (line, "")
    return f"{words.cut_sentences(own, max(most // 2, most - len(mark)))}{mark}"


def recall(component: Component, sheet: Sheet, so_far: DecisionRecord) -> Sheet:
    """Return the sheet with what people told of the options it names, where the rest is, and the words of the method.

    A report has all of it in the steps where it was told.
    """
    result = Result(component, {}, so_far)
    texts = walk_texts(sheet.sections)
    named = {each for words in texts for each in _HANDLE.findall(words)} - {*so_far.objectives}
    told = tuple(list_told_of(result, named, is_uncertain=False))
    more = select_sections(*told, list_elsewhere(result, told), _explain_words(component))
    return replace(sheet, sections=(*sheet.sections, *more))


def _list_corrected(result: Result) -> Listing | None:
    """List what people have said here instead of facts of earlier steps."""
    noted = result.all(f"{CORRECTIONS}[]")
    items = (build_item(each, words.INSTEAD_OF.format(words=each["was"]), marks=result.marks(each)) for each in noted)
    return build_listing(words.CORRECTED, items)


def _explain_words(component: Component) -> Listing | None:
    lines = (build_line(name_element(each), line) for each, line in list_lines(component.terms).items())
    return build_texts(words.GLOSSARY, lines)


def _list_warnings(result: Result, sections: Iterable[Section]) -> Iterator[str]:
    """Yield a line each on items whose words nobody wrote, and on those that the model brought up."""
    items = [*_walk_items(item for each in sections if isinstance(each, Listing) for item in each.items)]
    for title, mark in ((words.TO_CHECK, Mark.CHECK), (words.SUGGESTED_BY_ME, Mark.SUGGESTED)):
        found = dict.fromkeys(each.handle for each in items if mark in each.marks and each.handle)
        facts = _name_facts(result) if mark is Mark.SUGGESTED else ()
        yield build_line(title, words.join_texts([result.few(found, words.FEW), *facts]))


def _name_facts(result: Result) -> Iterator[str]:
    """Yield what the model brought up about things of people."""
    for name, told in FACTS.items():
        found = (each for each in result.unproven if name in (each, each.rpartition(".")[2]))
        if items := [each.rpartition(".")[0].replace(":", " on ") for each in found]:
            yield told.format(items=join_words(items, words.FEW))


def _walk_items(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        yield from _walk_items(item.inner)


def write_gist(component: Component, draft: Draft, so_far: DecisionRecord) -> str:
    """Return a summary of a draft in one line of at most 80 characters."""
    return words.cut_gist(PRESENTERS[component.sheet].gist(Result(component, draft, so_far)))


def list_sources(component: Component) -> tuple[str, ...]:
    """Return the components from whose newest results the sheet computes findings; none if it shows the draft alone."""
    return PRESENTERS[component.sheet].works_out


def read_deadline(component: Component, draft: Draft) -> str:
    """Return the ISO date by which the decision is due; empty if neither the component nor its draft has one."""
    return find_value(draft, component.deadline) or ""


def read_question(component: Component, draft: Draft) -> str:
    """Return the question that the decision is to answer; empty if neither the component nor its draft words one."""
    return " ".join((find_value(draft, component.question) or "").split())


def count_items(draft: Draft) -> int:
    """Return the number of items for the audit log: objects in lists, but not in lists inside an item."""
    outermost = (listed for name, listed in walk_lists(draft) if not any(map(str.isdigit, name.split("."))))
    return sum(is_object(each) for listed in outermost for each in listed)
