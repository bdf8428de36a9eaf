"""When an extraction begins: asked for outright, or by itself once people have said enough."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.core.state.interview import InterviewCommand
from app.decision.schema.component import Component
from app.decision.schema.similarity import normalize, normalize_all

DONE: Final = frozenset(
    {
        "done",
        "/done",
        "!done",
        "i'm done",
        "we're done",
        "that's all",
        "that's it",
        "nothing else",
        "summarise",
        "summarize",
    }
)
"""Words that end any step; each component adds its own."""

_SHOW = re.compile(
    r"(?:please )?(?:show (?:me )?|what (?:have|did) you |let me see )(?:what )?"
    r"(?:you(?:'ve| have)? )?(?:capture[d]?|noted?|so far|got|the draft)(?: so far)?(?: please)?"
)


def read_command(component: Component, message: str) -> InterviewCommand | None:
    """Return the interview command of the message; None for an ordinary message."""
    whole = normalize(message)
    said = whole.strip(" .!?…")
    if _SHOW.fullmatch(said):
        return InterviewCommand.SHOW
    if whole.endswith(("?", "？")):  # the person asks if they are done
        return None
    return InterviewCommand.DONE if said in DONE or said in map(normalize, component.readiness.done) else None


_CLAUSES = re.compile(r"[.,;:!\n()–—]+")
_OPEN = re.compile(r"\?|\b(?:but|except|not|wait|before|one more|another)\b")
"""Signs anywhere in a message that the person is not done."""


def is_ready(component: Component, said: Sequence[str], *, covered: bool | None, blocked: bool) -> bool:
    """Return True if an extraction should start.

    `said` are people's messages. `covered` tells if a draft meets the criteria; it is None if no model could make one.
    `blocked` tells if an inconsistency is open.
    """
    if blocked:
        return False
    if covered is None:
        return is_ready_by_rule(component, said)
    return covered and len(said) >= component.readiness.messages


def is_ready_by_rule(component: Component, said: Sequence[str]) -> bool:
    """Decide without a model: by the component's phrases or else by count, or if people say that they are done."""
    if said and says_done(component, said[-1]):
        return True
    if wanted := component.readiness.mentions:
        everything = normalize_all(said)
        return all(phrase in everything for phrase in wanted)
    return len(said) >= component.readiness.messages


def says_done(component: Component, message: str) -> bool:
    """Return True if a whole clause says that people are done, and no word of the message revokes it.

    "I'm not done" and "already" do not match.
    """
    if _OPEN.search(normalize(message)):
        return False
    phrases = [normalize(phrase) for phrase in component.readiness.done]
    return any(normalize(clause) in phrases for clause in (message.strip(" .!"), *_CLAUSES.split(message)))
