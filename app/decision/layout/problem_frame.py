"""Presenter of the problem frame: one card of short answers, then other decisions, and the people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from app.core.state.sheet import Facts, Mark, Section
from app.core.text.labels import join_words
from app.decision.layout.parts import words
from app.decision.layout.parts.result import (
    Result,
    build_item,
    build_line,
    build_listing,
    build_whole_line,
    join_items,
    select_notes,
    select_sections,
)
from app.decision.rules.framing_rules import list_last_words
from app.decision.schema.days import format_day
from app.decision.schema.paths import Draft, find_value

AUTHORITY: Final = "decision_maker.authority"
DOT: Final = " · "

_SEVERAL = re.compile(r"\w\W* (?:and|&|\+) \w")
"""Two names in one: "Maya and Anneke". A comma alone may part a name from a role."""
_FIRST_VERB = re.compile(r"^(\w+)s\b")


def build_sections(result: Result) -> tuple[Section, ...]:
    """Return the answers given. Missing answers are left out, because a frame need not fill all fields."""
    rows = tuple((label, answer) for label, answer in _list_answers(result) if answer)
    return select_sections(
        Facts(rows=rows) if rows else None,
        build_listing(
            words.ALREADY_DECIDED,
            (build_item(each, each.get("outcome", "")) for each in _list_tier(result, "already_made")),
        ),
        build_listing(words.DEFERRED, (build_item(each) for each in _list_tier(result, "deferred"))),
        build_listing(
            words.PEOPLE,
            (
                build_item(
                    each,
                    words.join_texts([words.ROLES.get(each.get("role", ""), ""), each.get("influence", "")], DOT)
                    or words.ROLE_OPEN,
                    words.CONCERNS.format(concerns=join_items(each["concerns"])) if each.get("concerns") else "",
                    marks=(Mark.SUGGESTED,) if _is_suggested(result, each) else (),
                )
                for each in result.all("parties[]")
            ),
        ),
    )


def write_essence(result: Result) -> tuple[str, ...]:
    """Return the question, who decides it by when, what is in and out, the limits, and the people."""
    return (
        build_line(words.DECISION, write_gist(result)),
        build_line(*describe_decider(result.draft, is_told=AUTHORITY not in result.unproven)),
        _describe_scope(result),
        build_whole_line(words.LIMITS, result.all("focal_decision.constraints[]")),
        build_line(
            words.PEOPLE,
            join_words([_name_party(result, each) for each in result.all("parties[]")], words.AT_MOST),
        ),
    )


def _describe_scope(result: Result) -> str:
    """Return a line on what is in, which are the words on the scope if nothing is listed, and on what is out."""
    inside, scope = result.all("focal_decision.in_scope[]"), result.text("focal_decision.scope")
    title, told = (words.IN, inside) if inside else (words.SCOPE, [scope] if scope else [])
    outside = result.all("focal_decision.out_of_scope[]")
    half = build_whole_line(title, told, words.LINE // 2)
    left_out = build_whole_line(words.OUT, outside, words.LINE - len(half + DOT))
    return words.join_texts([build_whole_line(title, told, words.LINE - len(DOT + left_out)), left_out], DOT)


def _name_party(result: Result, party: Mapping[str, Any]) -> str:
    return f"💡 {party['name']}" if _is_suggested(result, party) else party["name"]


def _is_suggested(result: Result, party: Mapping[str, Any]) -> bool:
    """Return True if nobody said the party's name."""
    return f"{party['handle']}.name" in result.unproven


def write_gist(result: Result) -> str:
    """Return the decision question, which is stored in two places once it is written down."""
    return result.text("focal_decision.statement") or result.text("decision_hierarchy.focal.statement")


def _list_answers(result: Result) -> tuple[tuple[str, str], ...]:
    due, scope = result.text("focal_decision.deadline"), result.text("focal_decision.scope")
    inside = join_items(result.all("focal_decision.in_scope[]"))
    return (
        (words.DECISION, write_gist(result)),
        (words.DECIDER, _describe_authority(result)),
        (words.BY_WHEN, format_day(due) if due else ""),
        (words.WHY_NOW, result.text("focal_decision.trigger")),
        (words.SCOPE, scope if scope != inside else ""),
        (words.IN, inside),
        (words.OUT, join_items(result.all("focal_decision.out_of_scope[]"))),
        (words.LIMITS, join_items(result.all("focal_decision.constraints[]"))),
    )


def describe_decider(frame: Draft, *, is_told: bool = True) -> tuple[str, str]:
    """Return the label of a line on who decides, how far and by when; and what it says.

    How far is marked unless it `is_told`. A role that nobody said is told as open where nothing else says how this
    person decides.
    """
    fields = ("name", "role", "decision_rule")
    name, role, rule = (find_value(frame, f"decision_maker.{each}") or "" for each in fields)
    due = find_value(frame, "focal_decision.deadline")
    told = word_authority(frame)
    told = f"💡 {told}" if told and not is_told else told
    mark = told or ("" if role or rule else words.ROLE_OPEN)
    decider = f"{name} ({mark})" if name and mark else name
    day = format_day(due) if due else ""
    said = words.BY_DAY.format(decider=decider, day=day) if decider and day else decider or day
    return words.DECIDER if decider else words.BY_WHEN, said


def word_authority(frame: Draft) -> str:
    """Return how far the decider decides, in words that fit one name or several; who has the last word, by name."""
    name, authority = find_value(frame, "decision_maker.name") or "", find_value(frame, AUTHORITY) or ""
    are_several = _SEVERAL.search(name) is not None
    told = words.DECIDE_TOGETHER if are_several and authority == "joint" else words.AUTHORITY.get(authority, "")
    if are_several:
        told = _FIRST_VERB.sub(r"\1", told)  # they decide, she decides
    others = [*list_last_words(frame)]
    named = told.replace(words.SOMEBODY_ELSE, join_words(others)) if others else told
    return named.removesuffix("s") if len(others) > 1 else named


def _describe_authority(result: Result) -> str:
    name, role = result.told("decision_maker.name"), result.text("decision_maker.role")
    authority = result.fact(AUTHORITY, word_authority(result.draft))
    how = select_notes([authority, result.text("decision_maker.decision_rule")])
    who = words.join_texts([name, role or (words.ROLE_OPEN if name and not how else "")], ", ")
    return DOT.join(select_notes([who, *how]))


def _list_tier(result: Result, name: str) -> list[dict[str, str]]:
    return result.all(f"decision_hierarchy.{name}[]")
