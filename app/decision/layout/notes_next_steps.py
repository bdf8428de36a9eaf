"""Presenter of notes and next steps: the decision's state, tasks with owners and days, and open points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.core.state.sheet import Facts, Grid, Item, Listing, Mark, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.firm_parts import list_first_to_know
from app.decision.layout.parts.limit_parts import write_mark
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_prose,
    build_texts,
    pack_lines,
    select_notes,
    select_sections,
)
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.days import format_day
from app.decision.schema.paths import find_values

LATEST: Final = "9999-12-31"
"""Sorts what has no date after all that has one."""


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the next steps and notes."""
    return select_sections(
        Facts(rows=tuple(_describe_decision(result))),
        _build_actions(result),
        _list_unsettled(result),
        list_first_to_know(result, result.so_far.firmness),
        build_texts(words.OPEN_QUESTIONS, result.all("open_questions[]")),
        build_texts(words.NOTES, result.all("notes[]")),
        build_texts(words.TRIGGERS, result.all("revisit_triggers[]")),
        build_prose(result.text("decision_affirmation"), words.AFFIRMATION),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the decision, people's own words on it, and who does what next."""
    due = [each for each in result.all("planned_actions[]") if each.get("status") != "completed"]
    soon = sorted(due, key=lambda each: each.get("due_date", LATEST))
    own = result.told("decision.in_the_users_words")
    others = (
        build_line(words.DECISION, _describe_standing(result) or (words.NOT_SAID if own else "")),
        build_line(words.OWN_WORDS, own),
        build_line(words.REOPENED_BY, words.join_texts(result.all("revisit_triggers[]"))),
    )
    room = words.ESSENCE_LINES - len(select_notes(others))
    name = result.label if len(soon) <= room else result.short
    actions = pack_lines([_describe_action(each, name(each["handle"])) for each in soon], room)
    return (*others[:-1], *(actions or (words.NO_ACTION,)), others[-1])


def _describe_action(each: Mapping[str, Any], name: str) -> str:
    day = format_day(each["due_date"]) if "due_date" in each else words.NO_DATE
    return words.ACTION_LINE.format(day=day, what=name, who=each.get("owner", words.NOBODY))


def write_gist(result: Result) -> str:
    """Return the number of tasks, and the decision's state."""
    actions = words.count_noun(len(result.all("planned_actions[]")), words.ACTION)
    return words.join_texts([actions, _describe_standing(result)], ", ")


def _describe_decision(result: Result) -> Iterator[tuple[str, str]]:
    yield words.DECISION, _describe_standing(result) or words.NOT_SAID
    if said := result.told("decision.in_the_users_words"):
        yield words.OWN_WORDS, said


def _describe_standing(result: Result) -> str:
    status, option = words.STATES.get(result.text("decision.status"), ""), result.text("decision.alternative_id")
    if not option:
        return status
    named = _name_chosen(result, option)
    return f"{status}: {named}" if status else f"{named} · {words.STATUS_OPEN}"


def _name_chosen(result: Result, option: str) -> str:
    """Return the option with a mark if it breaks a limit, so that nobody leans to it unaware."""
    described = find_values(result.so_far.results.get("alternatives"), "alternatives[]")
    is_noted = any(each["handle"] == option and each.get("broken_limits") for each in described)
    mark = write_mark(option, find_beyond(result.so_far), is_noted=is_noted)
    return words.IN_BRACKETS.format(option=result.label(option), marks=mark) if mark else result.label(option)


def _build_actions(result: Result) -> Grid:
    actions = result.all("planned_actions[]")
    aimed = any("addresses" in each for each in actions)
    return Grid(
        title=words.NEXT_STEPS,
        header=(*words.ACTION_HEADER, *([words.WORKS_ON] if aimed else [])),
        rows=tuple(
            (
                result.label(each["handle"]),
                each.get("owner", words.NOBODY),
                format_day(each["due_date"]) if "due_date" in each else words.NO_DATE,
                words.STATUSES[each.get("status", "planned")],
                *([each.get("addresses", "")] if aimed else []),
            )
            for each in actions
        ),
        empty=words.NO_ACTION,
    )


def _list_unsettled(result: Result) -> Listing | None:
    """List open steps without an owner or a day, because nobody tends to do them."""
    open_ones = [each for each in result.all("planned_actions[]") if each.get("status") != "completed"]
    return build_listing(
        words.UNSETTLED, (_build_gap(each) for each in open_ones if not {"owner", "due_date"} <= each.keys())
    )


def _build_gap(each: Mapping[str, Any]) -> Item:
    lacking = [words.WHO if "owner" not in each else "", words.WHEN if "due_date" not in each else ""]
    return build_item(each, words.join_texts(lacking, " "), marks=(Mark.GAP,))
