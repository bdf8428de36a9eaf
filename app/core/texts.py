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
    FailureKind.INTERNAL: "Something went wrong on my side. It is noted.",
}

RETRYABLE = frozenset(
    {FailureKind.BUSY, FailureKind.LIMITED, FailureKind.CUT, FailureKind.TIMEOUT, FailureKind.INTERNAL},
)
"""Failures after which trying again can help; the others get no *Retry*."""

INTERRUPTED = "I was interrupted here. What had arrived is above."
TRUNCATED = "The answer was longer than one reply may be. Write *go on* for the rest."
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


def reference(number: str) -> str:
    """The words that let whoever runs the app find a failure in the log."""
    return f"Reference `{number}`"
