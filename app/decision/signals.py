"""What a message says to the interview itself, outright: that this was all, or that people want to see the result.

Only whole messages count; what is put in other words or other languages the model understands (S4-029).
"""

from __future__ import annotations

import re
from typing import Final

from app.core.interview import Signal
from app.decision.comparing import plain
from app.decision.component import Component

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
"""How people end any step; each component knows some more."""

_SHOW = re.compile(
    r"(?:please )?(?:show (?:me )?|what (?:have|did) you |let me see )(?:what )?"
    r"(?:you(?:'ve| have)? )?(?:capture[d]?|noted?|so far|got|the draft)(?: so far)?(?: please)?"
)


def signal(component: Component, message: str) -> Signal | None:
    """What the message says outright; None if it is a message like any other (C-05, S0-216)."""
    whole = plain(message)
    said = whole.strip(" .!?…")
    if _SHOW.fullmatch(said):
        return Signal.SHOW
    if whole.endswith(("?", "？")):  # whether this was all is what they ask
        return None
    return Signal.DONE if said in DONE or said in map(plain, component.readiness.done) else None
