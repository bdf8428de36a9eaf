"""Every sentence that people read, in one place: short, kind, concrete, and saying what to do next.

Slack's mrkdwn. Nothing here is ever made of an exception's text.
"""

from __future__ import annotations

from app.core.errors import FailureKind

FAILURES: dict[FailureKind, str] = {
    FailureKind.BUSY: "Claude is very busy right now. Nothing you wrote is lost.",
    FailureKind.LIMITED: "We have reached our limit with Claude for the moment. Give it a minute, then try again.",
    FailureKind.SPENT: "This workspace's AI budget is used up. An administrator can raise it.",
    FailureKind.MISCONFIGURED: "I am not set up correctly, so I cannot reach Claude. Please tell whoever installed me.",
    FailureKind.TOO_LONG: "This thread has become too long for me. Start a new one and tell me the essentials.",
    FailureKind.OVERSIZED: "This answer grew past 100,000 bytes, so I stopped it. Please ask for a part of it.",
    FailureKind.INVALID: "I could not ask Claude this. Please put it differently.",
    FailureKind.CUT: "The connection to Claude broke off. What had arrived is above.",
    FailureKind.TIMEOUT: "Claude did not answer in time.",
    FailureKind.PACED: "A bit fast; try again in {wait}.",
    FailureKind.SPENT_TODAY: "Today's AI budget is used up. It is filled up again in {wait}.",
    FailureKind.INTERNAL: "Something went wrong on my side. It is noted.",
}

CUT_EARLY = "The connection to Claude broke off before the first word."
A_MOMENT = "a moment"
"""What `{wait}` becomes where nobody knows how long it takes."""

RETRYABLE = frozenset(
    {
        FailureKind.BUSY,
        FailureKind.LIMITED,
        FailureKind.CUT,
        FailureKind.TIMEOUT,
        FailureKind.INTERNAL,
        FailureKind.PACED,
        FailureKind.SPENT_TODAY,
    },
)
"""Failures after which trying again can help; the others get no *Retry*."""

INTERRUPTED = "I was interrupted here. What had arrived is above."
INTERRUPTED_EARLY = "I was interrupted before the first word."
STOPPED = "Stopped. What had arrived is above."
STOPPED_EARLY = "Stopped before the first word."
STOP = "Stop"
TRUNCATED = "The answer was longer than one reply may be."
CONTINUE = "Continue"
GO_ON = "Please go on exactly where you stopped."
"""What *Continue* says to the model, in the owner's name."""
REFUSED = "Claude declined to answer this. Put it differently, or ask for something else."
EMPTY = "Claude had nothing to say to that. Try putting it differently."
RETRY = "Retry"
THINKING = "is thinking…"

OTHERS_ARE_HEARD = (
    "Only {owner} can do that here. I have noted what you wrote for {owner}'s next turn. "
    "To ask me something yourself, mention me in a new message outside this thread."
)
NOT_OWNER = "Only {owner} can do that here."
BUSY = "Still working on the last message; yours is next."
STORE_AWAY = "I could not take that in just now. Please press it again in a moment."
ALREADY_DONE = "That was already answered."
NO_STREAM = "Active stream not found"
RATE_LIMITED = "A bit fast; try again in {wait}."
ERASE_OFFER = (
    "Shall I forget this conversation? I erase all that I have kept of it, for good and also in backups. "
    "The messages in Slack stay until somebody deletes them there."
)
ERASE = "Erase it"
ERASING = "I am forgetting this conversation. Write that again in a moment."
ERASED = "Done: I have forgotten this conversation. Mention me to begin a new one."


def reference(number: str) -> str:
    """The words that let whoever runs the app find a failure in the log."""
    return f"Reference `{number}`"


def wait(seconds: int) -> str:
    """How long people have to wait, in the largest unit that is honest."""
    if seconds < 120:
        return f"{max(seconds, 1)} s"
    minutes = -(-seconds // 60)
    return f"{minutes} min" if minutes < 120 else f"{-(-minutes // 60)} h"
