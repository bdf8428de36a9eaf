"""Notes of the scripted demo model in the step that frames a decision: the question, who decides, when, and limits.

Pure.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import named_in
from app.playground.claude.demo.step.calls import TEXT, Taken, cut, fill, is_needed, note, sort_pieces
from app.playground.claude.demo.step.people import decider
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import clauses
from app.playground.claude.demo.times import day_in

STATEMENT = "How would you put the decision as one question, and for when?"
WHO = "Who makes this decision in the end, and in what role?"
SCOPE = "What is part of it, and what is not?"
LIMITS = "Which limits are fixed, and who set them?"
BY_WHEN = "By when does it have to be decided?"

_AGREES = re.compile(
    r"^\W*(?:yes|yep|yeah|sure|exactly|right|correct|it is|that is it|that's (?:it|the one)|ok(?:ay)?)\b", re.I
)
_LEAST_STATEMENT = 10
_MOST_NAMING = 5  # words with which one of the decisions is named; more are words of one's own
_MOST_WORDS = 12  # of a clause that says who decides
_DECIDER = re.compile(
    r"(?:\bI|\b[A-Z]\w+(?: [A-Z]\w+)?) (?:will |would )?decides?\b|\bI am the one who decides\b"
    r"|^\W*(?:I|[Ww]e)(?: all)? (?:do|will)\b(?:,| as |\W*$)"
)
_DUE = re.compile(r"\b(?:by|before|until|till|deadline|at the latest|due)\b", re.IGNORECASE)
_UNTIL = re.compile(r"^\W*(?:by|before|until|till|no later than|not later than|at the latest)\b", re.IGNORECASE)
_BY = re.compile(r"^\W*by\b", re.IGNORECASE)
_WHEN = re.compile(r"[,\s]+(?=(?:by|before|until|till|no later than)\b)", re.IGNORECASE)
_A_DAY = re.compile(r"^\W*(?:on )?(?:the )?[\w.,]+(?: (?:of )?[\w.,]+){0,3}\W*$")
"""Words so few that a day among them is all that they say."""
_PLACES: Mapping[str, int] = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_PLACE = re.compile(
    rf"^\W*(?:the )?(?P<place>{'|'.join(_PLACES)}|this|that)(?: (?:one|decision))?(?:,? please)?\W*$", re.IGNORECASE
)
_LIMIT = re.compile(
    r"\b(?:at most|no more than|up to|tops|max|at least|must|have to|has to|limit|budget|cannot|can't|not allowed"
    r"|by law)\b",
    re.IGNORECASE,
)
_NO_LIMIT = re.compile(
    r"^\W*(?:no|none|nothing|not any|there (?:are|is) (?:no|none|nothing))\b(?:\W+\w+){0,3}\W*$", re.IGNORECASE
)
_BOUNDED = re.compile(
    r"^\W*(?:(?:yes|yep|ok(?:ay)?|but)\b\W*)*(?:it is |it['’]?s )?(?:just|only)\b.*\b(?:not|without|except)\b"
    r"|\b(?:in|out of) scope\b|\bpart of (?:it|this)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Words that say what is part of the decision, whatever was asked: "just the office, not the warehouse"."""
_LABELLED = re.compile(
    r"^\W*(?:(?:the|our)\s+)?(?P<field>scope|question|decision|limits?|deadline|decider)\s*:\s*(?P<words>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that begins with the name of what it says, as the card shows it."""
_AGREED = re.compile(r"^\W*(?:(?:yes|yep|ok(?:ay)?|but)\b\W*)+", re.IGNORECASE)
_OUT = re.compile(r"\bnot\b|\bwithout\b|\bexcept\b|\bleave out\b", re.IGNORECASE)


def frame(scene: StepScene) -> Taken:
    """Note each clause by its words: decider, deadline, limit; else the question, then the scope."""
    calls, rest, labelled = list[ToolCall](), list[str](), [*_LABELLED.finditer(scene.words)]
    scene = replace(scene, words=_LABELLED.sub("", scene.words))
    found, left = sort_pieces([part for each in clauses(scene.words) for part in _part(each, scene)])
    for each in labelled:
        told = _fill(each["field"].lower(), each["words"], scene)
        calls += told.calls
        left += told.left
    is_scope = is_needed(scene, "in scope") and (SCOPE in scene.asked or _BOUNDED.search(scene.words) is not None)
    named, listed = is_needed(scene, "who decides") and not is_scope, list(_named_before(scene))
    is_stated = len(listed) == 1 and scene.asked == scene.opening and _AGREES.match(scene.words) is not None
    if is_stated:
        calls += _statement(scene, listed[0])
    for place, clause in enumerate(found):
        if _says_who(clause, scene, is_answer=named and place == 0):
            who = decider(clause, scene.writer_of(clause))
            calls.append(fill(decision_maker=who.fields))
            left += filter(None, [who.left])
        elif (bound := _bound(clause, scene)) is not None:
            calls += bound.calls
            left += bound.left
        else:
            rest.append(clause)
    if rest and not (is_stated or is_scope) and is_needed(scene, "the decision as one question"):
        stated = _statement(scene, rest[0])
        calls += stated
        left += () if stated else rest[:1]
        del rest[0]
    if rest and is_scope:
        calls.append(fill(focal_decision=_scope(rest)))
        rest = []
    return Taken(calls, [*left, *rest])


def names_field(words: str) -> bool:
    """Return True for words that begin with the name of a field: "scope: only the office"."""
    return _LABELLED.search(words) is not None


def _fill(field: str, words: str, scene: StepScene) -> Taken:
    """Note the words in the field that they name."""
    match field:
        case "scope":
            return Taken([fill(focal_decision=_scope([words]))])
        case "limit" | "limits":
            return Taken([note("focal_decision.constraints", {"text": words[:TEXT]})])
        case "deadline":
            day = day_in(words, scene.today)
            return Taken([fill(focal_decision={"deadline": day.isoformat()})] if day else [], [] if day else [words])
        case "decider":
            who = decider(words, scene.writer_of(words))
            return Taken([fill(decision_maker=who.fields)], [*filter(None, [who.left])])
        case _:
            return Taken([fill(focal_decision={"statement": cut(words, TEXT)})])


def is_date(clause: str) -> bool:
    """Return True for words that begin like the end of a time: "by Friday", "before the holidays"."""
    return _UNTIL.match(clause) is not None


def _part(clause: str, scene: StepScene) -> Sequence[str]:
    """Divide "I decide, by 15 March" into who decides and when."""
    who, *when = _WHEN.split(clause, maxsplit=1)
    return [who, *when] if when and _DECIDER.search(who) and day_in(when[0], scene.today) else [clause]


def _says_who(clause: str, scene: StepScene, *, is_answer: bool) -> bool:
    """Return True for "Tom decides", and for whatever answers the question who decides, but for a day."""
    if is_date(clause) or _due_day(clause, scene) is not None:
        return False
    says = _DECIDER.search(clause) is not None and len(clause.split()) <= _MOST_WORDS
    return says or (is_answer and WHO in scene.asked)


def _bound(clause: str, scene: StepScene) -> Taken | None:
    """Note a last day or a limit; None if the clause is neither. A time without a day is left."""
    if day := _due_day(clause, scene):
        return Taken([fill(focal_decision={"deadline": day.isoformat()})])
    if is_date(clause) and (SCOPE not in scene.asked or _BY.match(clause)):
        return Taken(left=[clause])
    if LIMITS in scene.asked and _NO_LIMIT.match(clause):
        return Taken()
    if _LIMIT.search(clause) or LIMITS in scene.asked:
        return Taken([note("focal_decision.constraints", {"text": clause[:TEXT]})])
    return None


def _due_day(clause: str, scene: StepScene) -> date | None:
    """Return the day that a clause names, if it is about when something has to be decided."""
    is_due = _DUE.search(clause) or BY_WHEN in scene.asked or _A_DAY.match(clause)
    return day_in(clause, scene.today) if is_due else None


def _statement(scene: StepScene, words: str) -> Sequence[ToolCall]:
    """Note a decision of the first step, by handle or by a word of its own; else the question as it was put."""
    listed = _named_before(scene)
    handle = re.search(r"\bD\d{1,3}\b", words)
    by_handle = next((each for each, known in listed.items() if handle and known == handle[0]), None)
    exact = words if words in listed else _named_by_place(words, list(listed))
    is_short = len(words.split()) <= _MOST_NAMING and not words.endswith("?")
    meant = by_handle or exact or (named_in(words, list(listed)) if is_short else None)
    if meant:
        return [fill(focal_decision={"statement": cut(meant, TEXT), "source_decision_id": listed[meant]})]
    is_statement = len(words) >= _LEAST_STATEMENT and not _PLACE.match(words)
    return [fill(focal_decision={"statement": cut(words, TEXT)})] if is_statement else []


def _named_by_place(words: str, listed: Sequence[str]) -> str | None:
    """Return which of the decisions is meant by "the second one"; by "that one", the only one."""
    found = _PLACE.match(words)
    if found is None or not listed:
        return None
    place = _PLACES.get(found["place"].lower())
    if place is None:
        return listed[0] if len(listed) == 1 else None
    return listed[place] if place < len(listed) else None


def _named_before(scene: StepScene) -> Mapping[str, str]:
    """Return the decisions of the first step that the opening names, with their handles."""
    found = re.findall(r"^• (D\d{1,3}) (.+)$", scene.opening, re.MULTILINE)
    found = found or re.findall(r"one decision: (D\d{1,3}) (.+?)\.?\s+Is that the one", scene.opening)
    return {words: handle for handle, words in found}


def _scope(said: Sequence[str]) -> Mapping[str, Any]:
    said = [_AGREED.sub("", clause) for clause in said]
    out = [clause for clause in said if _OUT.search(clause)]
    inside = [clause for clause in said if clause not in out]
    parts = {"in_scope": inside, "out_of_scope": out} if out and inside else {}
    sentences = (each if each.endswith((".", "!", "?")) else f"{each};" for each in said)
    whole = {"scope": cut(" ".join(sentences).removesuffix(";"), TEXT)}
    return {**whole, **{name: [cut(each, TEXT) for each in part] for name, part in parts.items()}}
