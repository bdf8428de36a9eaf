"""The moment when an extraction starts by itself: people have said enough, and no inconsistency is open.

A draft that meets the criteria decides. Without a model to make one, counts and phrases decide. A person can always ask
for an extraction; that is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.decision.comparing import all_plain, plain
from app.decision.component import Component

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
    if said and signals_done(component, said[-1]):
        return True
    if wanted := component.readiness.mentions:
        everything = all_plain(said)
        return all(phrase in everything for phrase in wanted)
    return len(said) >= component.readiness.messages


def signals_done(component: Component, message: str) -> bool:
    """Return True if a whole clause says that people are done, and no word of the message revokes it.

    "I'm not done" and "already" do not match.
    """
    if _OPEN.search(plain(message)):
        return False
    phrases = [plain(phrase) for phrase in component.readiness.done]
    return any(plain(clause) in phrases for clause in (message.strip(" .!"), *_CLAUSES.split(message)))
