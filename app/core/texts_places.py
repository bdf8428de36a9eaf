"""Texts about threads in which the app can no longer write; the same rules as in `app.core.texts`."""

from __future__ import annotations

GO_ON = "I could not write here for a while, so I have paused what I do by myself. Shall I go on?"

# In direct messages, above the name of the thread

PAUSED = (
    "I cannot write in {channel} any more, so I have paused what I do there by myself ({schedule}). Nothing is lost.\n"
    "To go on, invite me there again with `/invite @Threadwise`; an archived channel has to be unarchived first. "
    "Then write a word in the thread: I post what is missing there, and you say how to go on. Or set it up anew in "
    "another channel."
)
KEPT = (
    "I cannot write in {channel} any more, so what I have to say there has not reached you. It is kept.\n"
    "To get it, invite me there again with `/invite @Threadwise`; an archived channel has to be unarchived first. "
    "Then write a word in the thread, and I post it there."
)
