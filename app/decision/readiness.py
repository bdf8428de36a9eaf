"""When an extraction begins by itself: not before people have said enough, and not while something does not fit.

A draft that meets the criteria decides (C-09); without a model to make one the seed's counts and phrases decide alone.
Asking for an extraction always works and is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.decision.comparing import all_plain, plain
from app.decision.component import Component

_CLAUSES = re.compile(r"[.,;:!\n()–—]+")
_OPEN = re.compile(r"\?|\b(?:but|except|not|wait|before|one more|another)\b")
"""What follows takes it back."""


def is_ready(component: Component, said: Sequence[str], *, covered: bool | None, blocked: bool) -> bool:
    """True if an extraction should begin.

    `said` is what people wrote, `covered` whether a draft meets the criteria (None if no model could make one), and
    `blocked` whether an inconsistency is open (C-06).
    """
    if blocked:
        return False
    if covered is None:
        return is_ready_by_rule(component, said)
    return covered and len(said) >= component.readiness.messages


def is_ready_by_rule(component: Component, said: Sequence[str]) -> bool:
    """The seed's rules alone: phrases if the component has some, else a count, or that people say it was all."""
    if said and signals_done(component, said[-1]):
        return True
    if wanted := component.readiness.mentions:
        everything = all_plain(said)
        return all(phrase in everything for phrase in wanted)
    return len(said) >= component.readiness.messages


def signals_done(component: Component, message: str) -> bool:
    """True if a whole clause says that this was all, and nothing takes it back: "I'm not done" and "already" do not."""
    if _OPEN.search(plain(message)):
        return False
    phrases = [plain(phrase) for phrase in component.readiness.done]
    return any(plain(clause) in phrases for clause in (message.strip(" .!"), *_CLAUSES.split(message)))
