"""Presenter of notes and next steps: the decision's state, tasks with owners and days, and open points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.state.sheet import Facts, Grid, Item, Listing, Mark, Section
from app.decision.layout.parts import words
from app.decision.layout.parts.findings.contender_parts import name_with_condition
from app.decision.layout.parts.limit_parts import write_mark
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_prose,
    build_texts,
    build_whole_line,
    pack_lines,
    select_notes,
    select_sections,
)
from app.decision.rules.action_rules import find_aim
from app.decision.rules.limit_rules import find_beyond
from app.decision.schema.days import format_day
from app.decision.schema.paths import find_values
from app.decision.schema.terms import name_element

_LATEST: Final = "9999-12-31"
"""Sorts what has no date after all that has one."""


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the next steps and notes."""
    return select_sections(
        Facts(rows=tuple(_describe_decision(result))),
        _build_actions(result),
        _list_unsettled(result),
        build_texts(words.OPEN_QUESTIONS, result.all("open_questions[]")),
        build_texts(words.NOTES, result.all("notes[]")),
        build_texts(words.TRIGGERS, result.all("revisit_triggers[]")),
        build_prose(result.text("decision_affirmation"), words.AFFIRMATION),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the decision, people's own words on it, and who does what next."""
    own = result.told("decision.in_the_users_words")
    others = (
        _write_decision(result) or build_line(words.DECISION, words.NOT_SAID if own else ""),
        build_line(words.OWN_WORDS, own),
        build_whole_line(words.REOPENED_BY, result.all("revisit_triggers[]")),
    )
    room = words.ESSENCE_LINES - len(select_notes(others))
    due = list_due(result.all("planned_actions[]"))
    actions = pack_lines([describe_action(each, result.label(each["handle"])) for each in due], room)
    return (*others[:-1], *(actions or (words.NO_ACTION,)), others[-1])


def _write_decision(result: Result) -> str:
    """Return a line with the decision's state, which is whole however long the name; empty if nobody has said it."""
    option, so_far = result.text("decision.alternative_id"), result.so_far
    if not option:
        return build_line(words.DECISION, _describe_standing(result, words.STANDING))
    mark = words.ON_CONDITION if so_far.list_assumptions(option) else ""
    names = (name_with_condition(so_far, option), result.label(option) + mark, result.short(option) + mark)
    told = [build_line(words.DECISION, _describe_standing(result, words.STANDING, each)) for each in names]
    return next((each for each in told if len(each) <= words.LINE), told[-1])


def list_due(planned: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the next steps that are not done, the earliest first."""
    due = (each for each in planned if each.get("status") != "completed")
    return sorted(due, key=lambda each: each.get("due_date", _LATEST))


def describe_action(each: Mapping[str, Any], name: str) -> str:
    """Return a next step in a line: by when what is done, and who does it."""
    day = format_day(each["due_date"]) if "due_date" in each else words.NO_DATE
    return words.ACTION_LINE.format(day=day, what=name, who=each.get("owner", words.NOBODY))


def write_gist(result: Result) -> str:
    """Return the number of tasks, and the decision's state."""
    actions = words.count_noun(len(result.all("planned_actions[]")), words.ACTION)
    return words.join_texts([actions, _describe_standing(result)], ", ")


def _describe_decision(result: Result) -> Iterator[tuple[str, str]]:
    yield words.DECISION, _describe_standing(result, words.STANDING) or words.NOT_SAID
    if said := result.told("decision.in_the_users_words"):
        yield words.OWN_WORDS, said


def _describe_standing(result: Result, form: str = words.SHORT_STANDING, name: str = "") -> str:
    """Return the state, and the option by its `name`: without one, with what it counts on."""
    status, option = words.STATES.get(result.text("decision.status"), ""), result.text("decision.alternative_id")
    if not option:
        return status
    named = _mark_chosen(result, option, name or name_with_condition(result.so_far, option))
    return form.format(status=status, option=named) if status else f"{named} · {words.STATUS_OPEN}"


def _mark_chosen(result: Result, option: str, name: str) -> str:
    """Return the name with a mark if the option breaks a limit: nobody leans to it unaware."""
    described = find_values(result.so_far.results.get("alternatives"), "alternatives[]")
    is_noted = any(each["handle"] == option and each.get("broken_limits") for each in described)
    return words.add_brackets(name, write_mark(option, find_beyond(result.so_far), is_noted=is_noted))


def _build_actions(result: Result) -> Grid:
    actions = result.all("planned_actions[]")
    aims = [_describe_aim(result, each) for each in actions]
    return Grid(
        title=words.NEXT_STEPS,
        header=(*words.ACTION_HEADER, *([words.WORKS_ON] if any(aims) else [])),
        rows=tuple(
            (
                result.label(each["handle"]),
                result.fact(f"{each['handle']}.owner", each.get("owner", "")) or words.NOBODY,
                format_day(each["due_date"]) if "due_date" in each else words.NO_DATE,
                words.STATUSES[each.get("status", "planned")],
                *([aim] if any(aims) else []),
            )
            for each, aim in zip(actions, aims, strict=True)
        ),
        empty=words.NO_ACTION,
    )


def _describe_aim(result: Result, action: Mapping[str, Any]) -> str:
    """Return what an action works on, as people said it, or as its words tell; empty if neither does."""
    if "addresses" in action:
        return name_element(action["addresses"])
    told = find_aim(action, result.draft, result.so_far)
    return words.BY_ITS_WORDS.format(aim=name_element(told)) if told else ""


def _list_unsettled(result: Result) -> Listing | None:
    """List open steps without an owner or a day, because nobody tends to do them."""
    open_ones = [each for each in result.all("planned_actions[]") if each.get("status") != "completed"]
    return build_listing(
        words.UNSETTLED, (_build_gap(each) for each in open_ones if not {"owner", "due_date"} <= each.keys())
    )


def _build_gap(each: Mapping[str, Any]) -> Item:
    lacking = [words.WHO if "owner" not in each else "", words.WHEN if "due_date" not in each else ""]
    return build_item(each, words.join_texts(lacking, " "), marks=(Mark.GAP,))
