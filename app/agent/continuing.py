"""Whether an answer that stopped for a reason nobody knows wants to go on: the fallback of the seed (S3-032 to S3-034).

Known reasons decide by themselves; an answer that waits for the person is never gone on with (domain §6, row 6).
"""

from __future__ import annotations

PHRASES = (
    "let me",
    "i'll now",
    "i will now",
    "next, i",
    "continuing with",
    "moving on to",
    "i'll proceed",
    "let's",
    "i need to",
    "i should",
)
WAITING = ("let me know", "let's see what you")
ASKING = ("?", "\uff1f", "\u061f")


def needs_continuation(text: str) -> bool:
    """True if the words say that there is more to do, and do not wait for an answer."""
    said = text.lower().replace("\u2019", "'").strip()
    if said.endswith(ASKING):
        return False
    for waiting in WAITING:
        said = said.replace(waiting, "")
    return any(phrase in said for phrase in PHRASES)
