"""Changes of items by handle that people ask for in a step of the scripted demo model. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.step.words import is_meant_for_us

MOVE, DROP, CHANGE = "move_item", "drop_item", "change_item"

_QUOTES = " :“”\"'."
_HANDLE = r"(?:IO|[A-Z])\d{1,3}"
_ONE = rf"(?P<items>{_HANDLE})"
_SEVERAL = rf"(?P<items>{_HANDLE}(?:(?:\s*[,&+/]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+){_HANDLE})*)"
_LISTS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "means_objectives": r"\bmeans\b|\bways?\b",
        "fundamental_objectives": r"\bfundamental\b|\bends?\b|for its own sake",
        "potential_decisions": r"\bdecisions?\b",
        "objectives": r"\b(?:objectives?|goals?|wants?|wish(?:es)?)\b",
        "uncertainties": r"\b(?:uncertain(?:t(?:y|ies))?|unknowns?|unknown|risks?|not certain|unclear)\b",
        "considerations": r"\b(?:considerations?|facts?|background)\b",
    }.items()
}
_WORDS_OF: Mapping[str, str] = {"C": "text", "A": "name", "H": "statement", "P": "name", "N": "action"}
"""Field of an item's words, by the letters of its handle; `description` for the others."""


_WAYS = "means_objectives"


@dataclass(frozen=True)
class Wanted:
    """Changes that people ask for, orders for items of other steps, and the other words."""

    calls: Sequence[ToolCall]
    elsewhere: Sequence[str]
    rest: str


def changes(words: str, letters: Sequence[str]) -> Wanted:
    """Return the changes that the words ask for. `letters` begin the handles that the step gives itself."""
    calls, elsewhere, rest = list[ToolCall](), list[str](), words
    for pattern, call in _FORMS:
        for found in pattern.finditer(rest):
            made = call(found)
            is_here = all(each.input["item"].rstrip("0123456789") in letters for each in made)
            if made and (is_here or _ORDER.match(found[0])):
                calls += made if is_here else ()
                elsewhere += () if is_here else (found[0].strip(),)
                rest = rest.replace(found[0], "\n", 1)
    left = "\n".join(_BESIDE.sub("", line) for line in rest.split("\n")).strip(" ,;:.!\n")
    return Wanted(calls, elsewhere, left if rest != words else words)


def without_handle(clause: str) -> str:
    """Return a clause without the handle that stands before it like a label; empty if the handle is part of it.

    "D1 Honestly, nobody knows" names what the words are about; "D1 is the same as D2" says something of the items.
    """
    labelled = _LABEL.match(clause)
    rest = clause[labelled.end() :] if labelled else clause
    return "" if _MENTION.search(rest) or (labelled and _SAYS_OF_IT.match(rest)) else rest


_MENTION = re.compile(r"\b(?:D|IO|U|C|O|M|A|H|P|N)\d{1,2}\b")
_LABEL = re.compile(r"^\W*(?:D|IO|U|C|O|M|A|H|P|N)\d{1,2}\b[\s:,–-]*")
_SAYS_OF_IT = re.compile(
    r"(?:is|are|was|were|isn|should|can|could|may|must|means|belongs?|and|or|vs|versus|before|after|with"
    r"|depends|comes|goes"
    r"|too|also|again|first|seems|looks|sounds)\b|$",
    re.IGNORECASE,
)


def list_handles(text: str) -> list[str]:
    """Return the handles in a text, in their order."""
    return [each.upper() for each in re.findall(_HANDLE, text, re.IGNORECASE)]


def _moved(found: re.Match[str]) -> list[ToolCall]:
    to = next((name for name, pattern in _LISTS.items() if pattern.search(found["to"])), "")
    items = list_handles(found["items"])
    served = [each for each in re.findall(r"\bO\d{1,3}\b", found["to"]) if each not in items]
    fields = {"fields": {"supports": served}} if to == "means_objectives" and served else {}
    return [ToolCall(MOVE, {"item": item, "to": to, **fields}) for item in items] if to else []


def _dropped(found: re.Match[str]) -> list[ToolCall]:
    return [ToolCall(DROP, {"item": item}) for item in list_handles(found["items"])]


def _changed(found: re.Match[str]) -> list[ToolCall]:
    item, new = found["items"].upper(), found["new"].strip(_QUOTES)
    if not re.search(r"\w", new) or is_meant_for_us(new):
        return []
    given: dict[str, Any] = {_WORDS_OF.get(item.rstrip("0123456789"), "description"): new[:500]}
    return [ToolCall(CHANGE, {"item": item, "fields": given, "quote": new[:200]})]


def _is_today(found: re.Match[str]) -> list[ToolCall]:
    return [ToolCall(CHANGE, {"item": found["items"].upper(), "fields": {"is_status_quo": True}})]


def _served(found: re.Match[str]) -> list[ToolCall]:
    """Note what a way serves; an objective that leads to another one is a way itself."""
    item, fields = found["items"].upper(), {"supports": list_handles(found["to"])}
    is_way = item.startswith("M")
    return [ToolCall(CHANGE if is_way else MOVE, {"item": item, "fields": fields} | ({} if is_way else {"to": _WAYS}))]


_ORDER = re.compile(
    r"^(?:please\s+)?(?:drop|delete|remove|leave|take|get rid|forget|scratch|strike|cut|discard|move|put|change"
    r"|rename|reword)\b",
    re.I,
)
_ANOTHER = (
    rf"(?=\s*(?:$|\n|(?:[,;.]\s*|\s)(?:and\s+)?(?:also\s+|please\s+)?"
    rf"(?:add|(?:drop|delete|remove|change|rename|reword|move)\s+{_HANDLE})\b))"
)
"""Where the new words of an item end: with the text, or before another order."""
_BESIDE = re.compile(r"^\W*(?:(?:and|also|please)\s+)*(?:add\s+)?|(?:\s+(?:and|also))+\W*$", re.IGNORECASE)
"""What joins other words to an order, or begins an order of their own."""
_NOT_OF_IT = r"(?:,?\s*(?:and\s+)?not\b[^.;\n]*)?"
_FORMS: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], list[ToolCall]]]] = tuple(
    (re.compile(pattern, re.IGNORECASE), call)
    for pattern, call in (
        (
            rf"(?:please\s+)?\b(?:change|rename|reword|make)\s+{_ONE}\s*(?:(?:to|into|read|say)\b:?|:|->|→)\s*(?P<new>[^\n]+?){_ANOTHER}",
            _changed,
        ),
        (rf"\b{_ONE}\s+(?:should (?:be|read|say)|is rather|reads)[:\s]+(?P<new>[^\n]+?){_ANOTHER}", _changed),
        (
            rf"\b{_ONE}\s+is (?:wrong|not right|incorrect)\W+(?:it(?:['’]s| is| should (?:be|read|say))|rather)\s+"
            rf"(?P<new>[^\n]+?){_ANOTHER}",
            _changed,
        ),
        (
            rf"\b{_ONE}\s+is\s+(?:the\s+|our\s+)?(?:status quo|baseline|what happens if nobody decides"
            rf"|today)[^.;\n]*",
            _is_today,
        ),
        (
            rf"\b(?:please\s+)?(?:move|put)\s+{_SEVERAL}\s+(?:in)?to\s+(?P<to>[^.;,\n]+?){_NOT_OF_IT}(?=[.;,!\n]|$)",
            _moved,
        ),
        (
            r"\b(?P<items>[MO]\d{1,3})\s+(?:only |just )?(?:serves?|helps?|supports?|leads to)\s+"
            r"(?P<to>O\d[^.;\n]*)",
            _served,
        ),
        (
            rf"(?:\b{_HANDLE}\s+)?\b{_SEVERAL}\s+(?:(?:is|are)(?:\s+(?:really|rather|actually|more|only|just))*"
            rf"|belongs? (?:in)?to|should be|goes? to)\s+(?:(?:of\s+)?(?:the"
            rf"|an?)\s+)?(?P<to>[^.;,!\n]*?){_NOT_OF_IT}"
            rf"(?=[.;,!\n]|$|\s+(?:and|but)\s+(?!(?:not|{_HANDLE})\b))",
            _moved,
        ),
        (
            rf"(?:please\s+)?\b(?:drop|delete|remove|leave out|take out|get rid of|forget|scratch|strike|cut"
            rf"|discard)\s+(?:items?\s+)?{_SEVERAL}"
            r"(?:\s+(?:please|too|as well|again))*(?=[^\w]|$)",
            _dropped,
        ),
        (rf"\b{_SEVERAL}\s+(?:can|should|may|must)\s+(?:go|be (?:dropped|deleted|removed|left out))\b", _dropped),
    )
)
"""Forms of commands. What one has read, the next ones do not see."""
