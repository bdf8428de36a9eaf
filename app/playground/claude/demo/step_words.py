"""Sorting of people's words in a step by the scripted demo model, and reading of the changes they want."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.playground.claude.api.script import ToolCall

DECISIONS, WISHES, UNKNOWNS, FACTS = "potential_decisions", "objectives", "uncertainties", "considerations"

_SENTENCES = re.compile(r"[^.!?;\n]+(?:[.!?;]+(?=\s|$)|[.](?=\S)[^.!?;\n]*)*[.!?;]*")
_TURNS = re.compile(
    r",?\s+but\s+|,\s+(?:and\s+|or\s+)?(?=(?:i|we|the|they|our|my|nobody|somebody|everybody|whether)\b)|,\s+and\s+(?=\w+(?:\s+\w+){2})",
    re.IGNORECASE,
)
_LINES = re.compile(r"\n|;|(?<=[.!?])\s+")
_COMMAS = re.compile(r",\s*(?:and\s+|or\s+)?", re.IGNORECASE)
_WORDS = re.compile(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:(?:[-*•–]|\d{1,2}[.)])\s+|(?:and|or|also)\s+)+", re.IGNORECASE)
_AROUND = " \t,;:–—-"
_SHORT = 7  # words; a comma between longer pieces belongs to a sentence
_TERSE = 3  # words; in shorter text, "and" divides two things as well
_FRAGMENT = 3  # words; less says nothing by itself

_SIGNS: Sequence[tuple[str, re.Pattern[str]]] = tuple(
    (box, re.compile(pattern, re.IGNORECASE))
    for box, pattern in (
        (
            DECISIONS,
            r"\b(?:should|shall|could) (?:we|i)\b|\bwhether (?:to|we should|i should)\b"
            r"|\b(?:decid|choos|decision|choice)\w*|\b(?:pick|select)\b|\bhow (?:to|do we|can we|should)\b"
            r"|\bsort out\b",
        ),
        (
            UNKNOWNS,
            r"\b(?:not sure|unsure|no idea|(?:don't|do not|can't|cannot) (?:know|tell)|nobody knows|who knows"
            r"|uncertain\w*|unclear|unknown|might|may|maybe|perhaps|probably|depends|risk\w*|worr\w+|afraid|fear\w*|whether)\b",
        ),
        (
            WISHES,
            r"\b(?:want|wants|wish|hope|goal|aim|need|needs|would like|'d like|must not|should|matters?|important|avoid"
            r"|rather|better|cheap\w*|fewer|faster|safe\w*|keep(?:ing)?|as (?:soon|little|much|few) as)\b",
        ),
        (DECISIONS, r"\bor\b.*\?|\bwhich\b.*\?|\boptions?\b"),
    )
)
_TO_US = re.compile(r"^\W*(?:what|why|how|when|where|who|can|could|do|does|is|are)\b.*\?\W*$", re.IGNORECASE)
_CHAT = re.compile(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|cheers|ok(?:ay)?|yes|no|sure|right|great|good|fine|well|hm+|please|done"
    r"|go on|(?:good )?(?:morning|afternoon|evening)|that(?:'s| is) (?:all|it|everything)|nothing(?: else)?|no more"
    r"|i don't know|obviously|of course|definitely)"
    r"(?: there| threadwise| you| so far| for now)?\W*$"
    r"|^\W*(?:(?:ok(?:ay)?|yes)\W+)?(?:that|this|it)(?:'s| is| looks) (?:a )?(?:fair|fine|good|right|correct)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:that(?:'s| is| was) (?:all|it|everything)|nothing (?:else|more)|no more|i(?:'m| am) done|we(?:'re| are) done"
    r"|i(?:'m| am) ready)\b",
    re.IGNORECASE,
)


def clauses(words: str) -> list[str]:
    """Return the thoughts in a text, each exactly as written."""
    found = [piece for sentence in _SENTENCES.findall(words) for piece in _turns(sentence.strip(_AROUND))]
    return [piece for piece in found if not is_chat(piece)]


def items(words: str) -> list[str]:
    """Return the items of a list: lines, sentences, or short words between commas."""
    found = [piece for line in _LINES.split(words) for piece in _listed(line)]
    return [item for piece in found if (item := _BULLET.sub("", piece).strip(_AROUND + ".")) and not is_chat(item)]


def box_of(clause: str) -> str:
    """Return the list that a thought belongs to by its words; considerations if no word decides."""
    return next((box for box, sign in _SIGNS if sign.search(clause)), FACTS)


def is_for_us(clause: str) -> bool:
    """Return True if a clause asks the model something, and is no thought of its own."""
    return _TO_US.match(clause) is not None and box_of(clause) == FACTS


def is_chat(clause: str) -> bool:
    """Return True if the clause has no content."""
    return _CHAT.match(clause) is not None or re.search(r"\w", clause) is None


def was_all(words: str) -> bool:
    """Return True if the words say that this was all."""
    return _ALL.search(words) is not None


def _turns(sentence: str) -> list[str]:
    """Divide a sentence where its subject changes. Fragments stay with the words before them."""
    pieces, start = list[str](), 0
    for turn in _TURNS.finditer(sentence):
        piece = sentence[start : turn.start()]
        if len(piece.split()) >= _FRAGMENT and len(sentence[turn.end() :].split()) >= _FRAGMENT:
            pieces.append(piece)
            start = turn.end()
    return [piece for each in (*pieces, sentence[start:]) if (piece := each.strip(_AROUND))]


def _listed(line: str) -> list[str]:
    """Return the pieces of a line that lists things with commas; else the line itself."""
    pieces = _COMMAS.split(line)
    longest = max(len(piece.split()) for piece in pieces)
    if len(pieces) == 1 or longest > _SHORT:
        return [line]
    return _WORDS.split(line) if longest <= _TERSE else pieces


MOVE, DROP, CHANGE = "move_item", "drop_item", "change_item"

_QUOTES = " :“”\"'."
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
_WORDS_OF: Mapping[str, str] = {"C": "text", "A": "name", "H": "statement", "P": "name", "N": "action"}
"""Field of an item's words, by the letters of its handle; `description` for the others."""


def changes(words: str) -> Sequence[ToolCall]:
    """Return the changes that the words ask for; empty if there are none that the model understands."""
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
    given: dict[str, Any] = {_WORDS_OF.get(letters, "description"): found["new"].strip(_QUOTES)[:500]}
    return ToolCall(
        CHANGE, {"item": found["item"].upper(), "fields": given, "quote": found["new"].strip(_QUOTES)[:200]}
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
