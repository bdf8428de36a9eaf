"""Who is meant in people's words in a step: who decides, and who does something. Pure.

"I" is whoever wrote it, by name, and "we" is that person and others.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

OWNER = "The owner of this decision"
"""The name of who leads a decision, where no name is known."""

_LINE = 100  # characters that the tools accept
_MOST_WORDS = 8  # of a name or a role; more is a sentence
_BEFORE = re.compile(
    r"^\W*(?:(?:yes|yep|yeah|ok(?:ay)?|exactly|right|sure|no|well|and|so|but)\b\W*)*"
    r"(?:(?:it|that|this|who decides)(?:['’]s| is| will be| would be)\s+)?(?:(?:up to|just|only)\s+)?",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"(?:['’]m|\bam|['’]s|\bis) the one(?: (?:who|that))?(?: decides?)?\b"
    r"|\b(?:(?:will |would |should |shall |must |can )?(?:have to |has to |get to )?(?:decides?|makes? (?:it|that|this"
    r"|the))(?: (?:(?:that|this) )?decision| that| this| it)?|(?<=i )(?:do|will|am)|(?<=we )(?:do|will|are))\b",
    re.IGNORECASE,
)
_ROLE = re.compile(r"\s*(?:,\s*(?:as\b)?|\bas\b|\(|–|-\s)\s*(?:the |an? )?", re.IGNORECASE)
_WE = re.compile(r"^(?:all of us|we|us)\b(?:\s+all\b)?(?:\s+together\b)?", re.IGNORECASE)
_I = re.compile(r"\b(?:I|me|myself)\b(?!['’.])", re.IGNORECASE)
_RULE = re.compile(r"^by (?:\w+ ){0,3}(?:vote|voting|consensus|majority|consent|lot|drawing lots)$", re.IGNORECASE)
_A_SENTENCE = re.compile(r"^(?:and|but|or|because|since|who|which|if|so|i|we|not|by|until|before)\b", re.IGNORECASE)
"""Words after a name that begin neither a name nor a role."""
_DOES = re.compile(
    r"^(?P<who>I|[A-Z]\w+(?: [A-Z]\w+)?)(?:(?P<will>['’]ll| will| shall)\s+\S"
    r"| (?!is|was|has|needs|ends|expires|starts|begins|opens|closes|rises|runs)(?:\w+s|(?<=I )\w+|(?<=We )\w+) )"
)
_NOBODY = re.compile(
    r"^(?:it|they|this|that|there|then|the|he|she|you|nobody|somebody|someone|everybody|everyone|what|who|tomorrow"
    r"|today)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Decider:
    """Who decides, as the fields of a step, and the words that are neither a name nor a role.

    A role that was not said is None, which takes that of a former decider out.
    """

    fields: Mapping[str, str | None]
    left: str = ""


def decider(words: str, writer: str) -> Decider:
    """Return who decides by the words of `writer`, and in what role. A name keeps the words that stand with it."""
    said = " ".join(_DECIDES.sub(" ", _BEFORE.sub("", words.strip(" .!"))).split()).strip(" ,")
    name, *after = _ROLE.split(said, maxsplit=1)
    role = after[0].strip(" ).,") if after else ""
    rule = {"decision_rule": role} if _RULE.match(role) else {}
    is_role = not _A_SENTENCE.match(role) and len(role.split()) <= _MOST_WORDS
    named = {
        "name": name_of(name.strip() or words, writer)[:_LINE],
        "role": (role if is_role else "")[:_LINE] or None,
    }
    return Decider({**named, **rule}, "" if is_role or rule else role)


def name_of(words: str, writer: str) -> str:
    """Return the words with the names of those who speak of themselves: "My wife and I" is "My wife and Maya"."""
    known = writer or OWNER
    return _I.sub(known, _WE.sub(f"{known} and others", words))


def doer(words: str, writer: str) -> str:
    """Return who does something, "Ada will call them"; empty if the words begin with no name."""
    found = _DOES.match(words)
    return "" if found is None or _NOBODY.match(found["who"]) else name_of(found["who"], writer)
