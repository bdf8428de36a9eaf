"""Scores in people's words, for the scripted demo model: "frame 80, the rest 60". Pure."""

import re
from collections.abc import Mapping
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.step.calls import TEXT, Taken, note
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import ALL, REST, reason_in

ELEMENTS: Mapping[str, str] = {
    "Helpful Problem Frame": r"(?:helpful )?(?:problem )?frame|problem",
    "Clear Objectives": r"(?:clear )?objectives?|goals?|values",
    "Creative Alternatives": r"(?:creative )?alternatives?|options?",
    "Reliable Consequence Information": (
        r"(?:reliable )?consequences?(?: information)?|(?:reliable )?information|info|facts"
    ),
    "Logically Correct Reasoning": r"(?:logically correct )?reasoning|logic",
    "Clear Tradeoffs": r"(?:clear )?trade-?offs?",
    "Commitment to Follow Through": r"commitment(?: to follow[ -]through)?|follow[ -]through|action",
}
"""The seven elements, and people's words for them."""
_ELEMENT = rf"(?:{'|'.join(ELEMENTS.values())})"
_PERCENT = r"(?P<score>100|\d{1,2})(?!\d|[.,]\d|\s*/)\s*(?:%|percent|(?:out )?of 100\b)?"
_FORMS = (
    re.compile(rf"\b(?P<element>{_ELEMENT})\b[^\d\n;.,]{{0,40}}?[,:=]?\s*(?<![\d.,/-]){_PERCENT}", re.IGNORECASE),
    re.compile(rf"(?<![\d.,/-]){_PERCENT}\s+(?:for|on|to)\s+(?:the\s+)?(?P<element>{_ELEMENT})\b", re.IGNORECASE),
)
_FOR_SEVERAL = re.compile(rf"\s*(?:(?:for|on|to)\s+)?(?:{ALL}|{REST})", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.,/-]){_PERCENT}(?!\w)", re.IGNORECASE)
_PIECES = re.compile(
    rf"\n|;|(?<=[^\W\d])\.\s+|(?<=[\d%])\.\s+|,\s*(?:and\s+|but\s+)?(?=[^,]*\d)"
    rf"|(?<=[\d%])\s+(?={_ELEMENT}\b[^\d\n;.,]{{0,20}}\d)|\s+(?:and"
    rf"|but)\s+(?=(?:the\s+)?(?:{_ELEMENT}\b|\d|the rest\b|the others\b))",
    re.I,
)


def scored(scene: StepScene) -> Taken:
    """Return scores: "frame 80, the rest 60", "70 for all", seven numbers in a row. A bare one is for the question."""
    found, left = dict[str, ToolCall](), list[str]()
    pieces = [piece.strip() for piece in _PIECES.split(scene.words) if re.search(r"\w", piece)]
    question = scene.question.casefold()
    asked = next((name for name in ELEMENTS if name.casefold() in question), "")
    if len(pieces) == len(ELEMENTS) and all(_NUMBER.fullmatch(piece.strip(" .%")) for piece in pieces):
        pieces = [f"{name} {piece}" for name, piece in zip(ELEMENTS, pieces, strict=True)]
    for piece in pieces:
        names, score, rest = _scored(scene, piece, asked, found)
        if not names:
            left.append(piece)
        for name in names:
            found[name] = _score(name, score, rest)
    return Taken(list(found.values()), left)


def _scored(scene: StepScene, piece: str, asked: str, found: Mapping[str, Any]) -> tuple[list[str], int, str]:
    """Return the elements that a piece scores, the score, and its reason; no elements if it is not understood."""
    by_name = next((match for form in _FORMS if (match := form.search(piece))), None)
    number = by_name or _NUMBER.search(piece)
    if number is None or piece.endswith("?"):
        return [], 0, ""
    score, reason = int(number["score"]), reason_in(piece[number.end() :])
    before, after = piece[: number.start("score")], _FOR_SEVERAL.match(piece, number.end())
    scope = f"{before} {after[0] if after else ''}"  # "all" in a reason gives no score to all
    if re.search(REST, scope, re.IGNORECASE):
        needed = " ".join(scene.needs).casefold()
        missing = [name for name in ELEMENTS if name not in found and name.casefold() in needed]
        return missing or [name for name in ELEMENTS if name not in found], score, ""
    if re.search(ALL, scope, re.IGNORECASE):
        return list(ELEMENTS), score, ""
    if by_name:
        return [_element(by_name["element"])], score, reason
    is_bare = asked and re.fullmatch(
        r"\W*(?:(?:about|around|maybe|perhaps|say|roughly|i(?:'d| would) (?:say|give it))\W+)*",
        piece[: number.start()],
        re.I,
    )
    return ([asked] if is_bare else []), score, reason


def _element(called: str) -> str:
    return next(name for name, pattern in ELEMENTS.items() if re.fullmatch(pattern, called, re.IGNORECASE))


def _score(name: str, score: int, reason: str) -> ToolCall:
    because = {"rationale": reason[:TEXT]} if reason else {}
    return note("elements", {"name": name, "score": score, **because})
