"""Notes of the scripted demo model from people's numbers: ratings of options, and scores of the process. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.playground.claude.rehearsal_steps_scene import StepScene
from app.playground.claude.script import ToolCall

RATE = "rate"
_NOTE = "note_item"

_OBJECTIVE = re.compile(r"\bO\d{1,3}\b")
_LINES = re.compile(r"\n|;|(?<=\D)\.\s+")
_RATING = re.compile(
    r"\b(?P<option>A\d{1,3})\b(?:\s+on\s+(?P<objective>O\d{1,3}))?\s*[:=]?\s*(?:is|gets)?\s*(?P<rating>[+\-−–]?[0-2])(?![\d.])"
    r"(?:\s*(?:,?\s*because|,?\s*since|,?\s*as|:|\()\s*(?P<reason>[^;\n]+?)\)?(?=,?\s*\bA\d{1,3}\b|$|;|\n))?",
    re.IGNORECASE,
)
_MINUS = str.maketrans("−–", "--")

_ELEMENTS: Mapping[str, str] = {
    "Helpful Problem Frame": "frame|problem",
    "Clear Objectives": "objectives?|goals?|values",
    "Creative Alternatives": "alternatives?|options?",
    "Reliable Consequence Information": "consequences?|information|info|facts",
    "Logically Correct Reasoning": "reasoning|logic",
    "Clear Tradeoffs": "trade-?offs?",
    "Commitment to Follow Through": "commitment|follow[ -]through|action",
}
"""The seven elements, and how people call them."""
_SCORE = re.compile(
    rf"\b(?P<element>{'|'.join(_ELEMENTS.values())})\b[^\d\n;.,]{{0,40}}?[,:]?\s*(?P<score>100|\d{{1,2}})\s*%?(?![\d.]\d)"
    r"(?:\s*(?:,?\s*because|,?\s*since|:|\()\s*(?P<reason>[^.;\n)]+?)"
    rf"(?=,?\s*(?:and\s+)?\b(?:{'|'.join(_ELEMENTS.values())})\b[^\d\n]{{0,40}}\d|[.;\n)]|$))?",
    re.IGNORECASE,
)


def ratings(scene: StepScene) -> Sequence[ToolCall]:
    """Ratings by handle: "A2 +1 because it is cheaper". Without an objective, the one that was asked about is meant."""
    asked = _OBJECTIVE.findall(scene.asked.rsplit("\n\n", 1)[-1]) or _OBJECTIVE.findall(scene.asked)
    meant, rated = asked[-1] if asked else "", dict[str, list[Mapping[str, Any]]]()
    for line in _LINES.split(scene.words):
        first = _OBJECTIVE.match(line.strip())
        meant = first[0] if first else meant
        for found in _RATING.finditer(line):
            objective = (found["objective"] or meant).upper()
            if objective:
                rated.setdefault(objective, []).append(_rating(found))
    return [ToolCall(RATE, {"objective": objective, "ratings": given}) for objective, given in rated.items()]


def scores(scene: StepScene) -> Sequence[ToolCall]:
    """Scores by name: "frame 80, objectives 70". A bare number answers what was asked."""
    found = [(_element(each["element"]), int(each["score"]), each["reason"]) for each in _SCORE.finditer(scene.words)]
    bare = re.match(r"^\W*(100|\d{1,2})\b\s*%?\W*(?:because\s+)?(.*)$", scene.words, re.DOTALL)
    asked = [name for name in _ELEMENTS if name in scene.asked.rsplit("\n\n", 1)[-1]]
    if not found and bare and asked:
        found = [(asked[0], int(bare[1]), bare[2])]
    return [ToolCall(_NOTE, {"list": "elements", "fields": _scored(*each)}) for each in found]


def _rating(found: re.Match[str]) -> Mapping[str, Any]:
    reason = (found["reason"] or "").strip(" .,")
    rating = int(found["rating"].translate(_MINUS))
    return {"option": found["option"].upper(), "rating": rating, **({"reason": reason[:500]} if reason else {})}


def _element(called: str) -> str:
    return next(name for name, pattern in _ELEMENTS.items() if re.fullmatch(pattern, called, re.IGNORECASE))


def _scored(name: str, score: int, reason: str | None) -> Mapping[str, Any]:
    because = (reason or "").strip(" .,")
    return {"name": name, "score": score, **({"rationale": because[:500]} if because else {})}
