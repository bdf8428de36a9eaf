"""What the model was told, without what it is told beside the words."""

from __future__ import annotations

import re

_STATE = re.compile(r"\n*<state>\n.*?\n</state>\Z", re.DOTALL)


def words(text: str) -> str:
    """The words of a user turn: all but the block at its end that tells how the thread stands."""
    return _STATE.sub("", text)
