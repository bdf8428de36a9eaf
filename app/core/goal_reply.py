"""Recognition of the goal's progress in the model's words: work begins, a result is shown, a question is asked.

The fallback for a turn in which the model called no tool. It reads whole sentences and never code. It knows no phase.
"""

from __future__ import annotations

import re

from app.core.goal_speech import asks, phrase, sentences, spoken

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_ARTIFACT = re.compile(r"<artifact(?:\s[^<>]*)?>", re.IGNORECASE)
_NAME = re.compile(r"""\b(?:title|name|type)=(?:"([^"<>]+)"|'([^'<>]+)')""", re.IGNORECASE)

_MAKE = r"(?:create|build|make|generate|design|write|draft|implement|develop|fix|update|change|modify)"
_MAKING = r"(?:creating|building|making|generating|writing|implementing|fixing|updating|working on)"
_MADE = r"(?:created|built|made|generated|written|implemented|fixed|updated|changed|finished|completed)"
_STARTS = phrase(
    rf"(?:(?:sure|right|alright|got it)[\s,.!]+)?(?:i'll|i will|i'm going to|i am going to|let me) "
    rf"(?:now |go ahead and |start |begin )*(?:{_MAKE}|{_MAKING}|start|begin|get started)\b",
    rf"(?:i'm|i am) (?:now )?{_MAKING}\b|starting now\b",
)
_NOT_YET = phrase(r"\b(?:plan|outline|proposal|ask|asking|questions?|sure|if|once|when|unless|until|after|before)\b")
_DONE = phrase(
    r"(?:(?:it's|that's|it is|that is|this is|everything is|the work is|all|and) )*(?:now )?"
    r"(?:done|finished|complete)[.!]?",
    r"here it is\b[^?]*",
    rf"i(?:'ve| have) (?:now |just )?{_MADE} [^?]+",
)


def artefacts(text: str) -> tuple[str, ...]:
    """Return the artifacts that the reply announces by an `<artifact …>` element, by title or type."""
    return tuple(_named(found) for found in _ARTIFACT.findall(_CODE.sub(" ", text)))


def starts_work(text: str) -> bool:
    """Return True for "I'll create …", unless it is about a plan, conditional, or asks for a yes."""
    if asks(text):
        return False
    return any(_STARTS.match(sentence) and not _NOT_YET.search(sentence) for sentence in sentences(spoken(text)))


def says_done(text: str) -> bool:
    """Return True if a whole sentence says that the work is done."""
    whole = (sentence for sentence in sentences(spoken(text)) if _DONE.fullmatch(sentence))
    return any(not _NOT_YET.search(sentence) for sentence in whole)


def gives_answer(text: str) -> bool:
    """Return True if the reply has content and ends without a question."""
    return bool(text.strip()) and not asks(text)


def asks_for(text: str, name: str) -> bool:
    """Return True if a question of the reply names that piece of information."""
    words = re.compile(rf"\b{re.escape(name.replace('_', ' '))}\b", re.IGNORECASE)
    return any(asks(sentence) and words.search(sentence) for sentence in sentences(spoken(text)))


def _named(element: str) -> str:
    found = _NAME.search(element)
    return next(group for group in found.groups() if group) if found else "artifact"
