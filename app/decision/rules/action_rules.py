"""What planned actions work on, and the questions about what no action works on.

A link that the server shows and a question that it asks come from the same reading of an action, so they agree.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.core.text.labels import join_words
from app.decision.analysis.quality import ACCEPTABLE, FULL, Element
from app.decision.record import DecisionRecord
from app.decision.schema.findings import Finding, Remark
from app.decision.schema.paths import Draft, find_value, find_values, read_name
from app.decision.schema.similarity import find_telling_words, normalize, split_words
from app.decision.schema.terms import FEW, name_element

SHARED: Final = 2
"""Words that an action and what it works on have in common at least."""
LONG: Final = 4
"""Letters of a word that counts beside another one: "load" beside "test"."""
NAMED: Final = 3
"""Things that one question names."""
_CALENDAR: Final = find_telling_words(" ".join((*month_name, *day_name)))
"""Words that tell when something is done, and not what for."""
_HANDLE: Final = re.compile(r"\b[AOU][0-9]{1,3}\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"(?:\b(?:on|and)\b|[\s,/×:;+&()])*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Aim:
    """Something that an action can work on."""

    name: str
    words: frozenset[str]
    handles: frozenset[str] = frozenset()
    """Handles that name it together; empty if there are none."""


def find_aim(action: Mapping[str, Any], draft: Mapping[str, Any], so_far: DecisionRecord) -> str:
    """Return what an action works on: what people said, or what its handles or else its words name without a doubt."""
    given = str(action.get("addresses", ""))
    handles = _read_handles(given)
    if given and not (handles and _BETWEEN.fullmatch(_HANDLE.sub("", given))):
        return given
    tiers = _list_aims(draft, so_far)
    handles |= _read_handles(str(action.get("action", "")))
    named = [each for tier in tiers for each in tier if each.handles and each.handles <= handles]
    most = [each.name for each in named if len(each.handles) == max(len(one.handles) for one in named)]
    if named:
        return most[0] if len(set(most)) == 1 else given
    said = find_telling_words(str(action.get("action", ""))) - _CALENDAR
    for tier in tiers:
        shared = {each.name: len(said & each.words) for each in tier}
        best = [name for name, count in shared.items() if count == max(shared.values()) and count >= SHARED]
        if best:
            return best[0] if len(best) == 1 else given
    return given


def find_need(action: Mapping[str, Any], draft: Mapping[str, Any], so_far: DecisionRecord) -> str:
    """Return what an action works on that the decision needs before it; empty if it is to carry the decision out.

    That is what is not known, and each element of quality but the commitment to what is decided.
    """
    aim = find_aim(action, draft, so_far)
    unknown = [each.name for tier in _list_unknown(so_far) for each in tier]
    elements = [each.value for each in Element if each is not Element.COMMITMENT]
    return next((each for each in (*unknown, *elements) if _is_about(aim, each)), "")


def weakest_addressed(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for an action on the weakest element, or on the first of many; and on heavy uncertainties."""
    actions = find_values(draft, "planned_actions[]")
    ways = _map_left(actions, draft, so_far)
    if len(ways) > FEW:
        named = join_words(map(name_element, ways), NAMED)
        told = f"No step works on the weakest elements: {named}. Which one comes first?"
        yield Remark(told, about=[(each,) for each in ways])
    for element, way in ways.items() if len(ways) <= FEW else ():
        asked = f"You said: {way}. Which step is that?" if way else "What would raise it?"
        yield Remark(f"No step works on the weakest element, {name_element(element)}. {asked}", about=[(element,)])
    if idle := _list_idle(actions, draft, so_far):
        worth = "Is it worth one?" if len(idle) == 1 else "Are they worth one?"
        yield Remark(f"No step works on {name_few(idle)}. {worth}", about=[(normalize(each),) for each in idle])


def _map_left(actions: Sequence[Mapping[str, Any]], draft: Draft, so_far: DecisionRecord) -> dict[str, str]:
    """Return what would raise each of the weakest elements that no action works on, by element."""
    quality = so_far.results.get("decision_quality", {})
    weakest = quality.get("weakest", ()) if quality.get("overall_score") != FULL else ()
    said = {each["name"]: each.get("improvement_path", "").rstrip(".") for each in quality.get("elements", ())}
    aims = [find_aim(each, draft, so_far) for each in actions if weakest]
    ways = {each: said.get(each, "") for each in weakest if not any(_is_about(aim, each) for aim in aims)}
    return {each: way for each, way in ways.items() if not any(_has_words_of(one, way) for one in actions)}


def _list_idle(actions: Sequence[Mapping[str, Any]], draft: Draft, so_far: DecisionRecord) -> list[str]:
    """Return the heavy uncertainties that no action works on."""
    said, idle = find_telling_words(_tell_actions(actions, draft, so_far)), list[str]()
    for each in find_values(so_far.results.get("recommendation"), "remaining_uncertainties[]"):
        told = find_telling_words(f"{each['description']} {each.get('resolution_path', '')}")
        linked = any(_is_about(find_aim(one, draft, so_far), each["description"]) for one in actions)
        if each.get("impact") == "high" and not linked and not told & said:
            idle.append(each["description"])
    return idle


def name_few(texts: Sequence[str]) -> str:
    """Return the first texts, each as a quotation, and the number of the others."""
    return join_words((f"“{each}”" for each in texts), NAMED)


def first_found_out(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask for an action on the doubt that is most telling.

    None is asked for if an action names it, has words of it, or works on an uncertainty about the same option.
    """
    actions = find_values(draft, "planned_actions[]")
    said, worked_on = _tell_actions(actions, draft, so_far), _list_worked_on(actions, draft, so_far)
    for option, objective, cause in so_far.doubts[:1] if so_far.firmness else ():
        place = _name_place(option, objective, so_far)
        is_named = {option, objective} <= _read_handles(said)
        if (
            not is_named
            and option not in worked_on
            and not find_telling_words(f"{place} {cause}") & find_telling_words(said)
        ):
            yield Remark(
                f"What to find out first has no step yet: {place}. Who looks into it, and by when?",
                about=[(option, objective)],
            )


def _list_worked_on(actions: Sequence[Mapping[str, Any]], draft: Draft, so_far: DecisionRecord) -> frozenset[str]:
    """Return the options that an uncertainty on which an action works puts in doubt."""
    aims = [find_aim(each, draft, so_far) for each in actions]
    unknown = find_values(so_far.results.get("recommendation"), "remaining_uncertainties[]")
    linked = [each for each in unknown if any(_is_about(aim, each["description"]) for aim in aims)]
    return frozenset(option for each in linked for option in each.get("about", ()))


def aims_named(draft: Draft, so_far: DecisionRecord) -> Iterator[Finding]:
    """Ask what the actions work on whose words do not tell, while something is left that no action works on."""
    open_ones = [each for each in find_values(draft, "planned_actions[]") if each.get("status") != "completed"]
    unclear = [each for each in open_ones if not find_aim(each, draft, so_far)]
    if unclear and any((*weakest_addressed(draft, so_far), *first_found_out(draft, so_far))):
        named = name_few([each["action"] for each in unclear])
        yield Remark(
            f"Which open point is this for: {named}? Or for something else?",
            about=[(each["handle"],) for each in unclear],
        )


def _has_words_of(action: Mapping[str, Any], way: str) -> bool:
    """Return True if an action may be what people said would raise an element, whatever else it works on.

    It shares a word that tells the topic, or two that are not short: "load test".
    """
    shared = split_words(action["action"]) & split_words(way)
    is_topical = find_telling_words(action["action"]) & find_telling_words(way)
    return bool(is_topical) or sum(len(each) >= LONG for each in shared) >= SHARED


def _list_aims(draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[Sequence[Aim], ...]:
    """Return what an action can work on, the nearest first. What is good enough needs no action."""
    quality, (unknown, doubts, raised) = so_far.results.get("decision_quality"), _list_unknown(so_far)
    elements = [each for each in find_values(quality, "elements[]") if each.get("score", FULL) < ACCEPTABLE]
    weak = [_build_aim(each["name"], each.get("improvement_path", "")) for each in elements]
    limits = find_value(so_far.results.get("problem_frame"), "focal_decision.constraints") or ()
    conditions = [_build_aim(each) for each in (*limits, *find_values(draft, "revisit_triggers[]"))]
    return (*weak, *unknown), (*doubts, *raised), conditions


def _list_unknown(so_far: DecisionRecord) -> tuple[list[Aim], list[Aim], list[Aim]]:
    """Return what is not known: what remains open, the doubtful ratings, and what was uncertain from the beginning."""
    closing = so_far.results.get("recommendation")
    unknown = [
        _build_aim(each["description"], each.get("resolution_path", ""), *each.get("about", ()))
        for each in find_values(closing, "remaining_uncertainties[]")
    ]
    doubts = [
        _build_aim(_name_place(option, objective, so_far), cause, option, objective)
        for option, objective, cause in so_far.doubts
    ]
    raised = [
        _build_aim(f"{each['handle']} {read_name(each)}", each.get("driver", ""), each["handle"])
        for each in find_values(so_far.results.get("issue_raising"), "uncertainties[]")
    ]
    return unknown, doubts, raised


def _build_aim(name: str, more: str = "", *handles: str) -> Aim:
    return Aim(name, find_telling_words(f"{name} {more}"), frozenset(handles))


def _tell_actions(actions: Sequence[Mapping[str, Any]], draft: Mapping[str, Any], so_far: DecisionRecord) -> str:
    return " ".join(f"{each['action']} {find_aim(each, draft, so_far)}" for each in actions)


def _name_place(option: str, objective: str, so_far: DecisionRecord) -> str:
    return f"{so_far.label(option)} on {so_far.label(objective)}"


def _is_about(aim: str, name: str) -> bool:
    """Return True if what an action works on names this, in whatever words around it."""
    words = find_telling_words(name)
    return f" {normalize(name)} " in f" {normalize(aim)} " or (bool(words) and words <= find_telling_words(aim))


def _read_handles(text: str) -> frozenset[str]:
    return frozenset(each.upper() for each in _HANDLE.findall(text))
