"""What the rehearsal model understands when people want something changed that is noted: four plain forms. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.playground.claude.script import ToolCall

MOVE, DROP, CHANGE = "move_item", "drop_item", "change_item"

_AROUND = " :“”\"'."
_HANDLE = r"(?P<item>[A-Z]{1,2}\d{1,3})"
_LISTS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "means_objectives": r"\bmeans\b",
        "fundamental_objectives": r"\bfundamental\b",
        "potential_decisions": r"\bdecisions?\b",
        "objectives": r"\b(?:objectives?|goals?|wants?|wish(?:es)?)\b",
        "uncertainties": r"\b(?:uncertaint(?:y|ies)|unknowns?|risks?)\b",
        "considerations": r"\b(?:considerations?|facts?|background)\b",
    }.items()
}
_WORDS: Mapping[str, str] = {"C": "text", "A": "name", "H": "statement", "P": "name", "N": "action"}
"""Where the words of an item stand, by the letters of its handle; else in its description."""


def changes(words: str) -> Sequence[ToolCall]:
    """The changes that somebody asks for; none if these words ask for none that is understood."""
    for pattern, call in _FORMS:
        found = [call(each) for each in pattern.finditer(words)]
        if calls := [each for each in found if each]:
            return calls
    return ()


def _moved(found: re.Match[str]) -> ToolCall | None:
    to = next((name for name, pattern in _LISTS.items() if pattern.search(found["to"])), "")
    served = re.findall(r"\bO\d{1,3}\b", found["to"])
    fields = {"fields": {"supports": served}} if to == "means_objectives" and served else {}
    return ToolCall(MOVE, {"item": found["item"].upper(), "to": to, **fields}) if to else None


def _dropped(found: re.Match[str]) -> ToolCall | None:
    return ToolCall(DROP, {"item": found["item"].upper()})


def _changed(found: re.Match[str]) -> ToolCall | None:
    letters = found["item"].upper().rstrip("0123456789")
    given: dict[str, Any] = {_WORDS.get(letters, "description"): found["new"].strip(_AROUND)[:500]}
    return ToolCall(
        CHANGE, {"item": found["item"].upper(), "fields": given, "quote": found["new"].strip(_AROUND)[:200]}
    )


_FORMS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], ToolCall | None]]] = (
    (re.compile(rf"\b(?:move|put)\s+{_HANDLE}\s+(?:in)?to\s+(?P<to>[^.;\n]+)", re.IGNORECASE), _moved),
    (
        re.compile(rf"\b{_HANDLE}\s+(?:is|belongs (?:in)?to)\s+(?:the\s+|an?\s+)?(?P<to>\w+)[.!]?\s*$", re.IGNORECASE),
        _moved,
    ),
    (re.compile(rf"\b(?:drop|delete|remove|leave out|take out)\s+{_HANDLE}\b", re.IGNORECASE), _dropped),
    (
        re.compile(rf"\b(?:change|make|rename)\s+{_HANDLE}\s*(?:to|into|:|->|→)\s*(?P<new>[^\n]+)", re.IGNORECASE),
        _changed,
    ),
    (
        re.compile(rf"\b{_HANDLE}\s+(?:should (?:be|read|say)|means|is rather|reads)[:\s]+(?P<new>[^\n]+)", re.I),
        _changed,
    ),
    (
        re.compile(
            rf"\b{_HANDLE}\s+is (?:wrong|not right|incorrect)\W+(?:it(?:'s| is| should (?:be|read|say))|rather)\s+"
            r"(?P<new>[^\n]+)",
            re.IGNORECASE,
        ),
        _changed,
    ),
)
