"""Interview commands in messages: that a person is done, or wants to see the result.

Only whole messages are commands. The model understands other wordings and languages.
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
"""Words that end any step; each component adds its own."""

_SHOW = re.compile(
    r"(?:please )?(?:show (?:me )?|what (?:have|did) you |let me see )(?:what )?"
    r"(?:you(?:'ve| have)? )?(?:capture[d]?|noted?|so far|got|the draft)(?: so far)?(?: please)?"
)


def signal(component: Component, message: str) -> Signal | None:
    """Return the interview command of the message; None for an ordinary message."""
    whole = plain(message)
    said = whole.strip(" .!?…")
    if _SHOW.fullmatch(said):
        return Signal.SHOW
    if whole.endswith(("?", "？")):  # the person asks if they are done
        return None
    return Signal.DONE if said in DONE or said in map(plain, component.readiness.done) else None
