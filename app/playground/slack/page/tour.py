"""Stops of a tour through the workspace, which the page offers to a newcomer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStop:
    """One place and what to do there."""

    title: str
    words: str
    channel: str
    """Id of the channel or direct messages."""
    message: str = ""
    """Words of the message to look at, if there is one; the newest counts."""
    opens_thread: bool = False
    """True if one looks at the thread of that message."""
    draft: str = ""
    """Words that are put into the message box, to be sent or changed."""
