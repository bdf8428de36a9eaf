"""Tells of conversations that cannot be opened, once each: whoever runs the app must look, and need not be told again.

Their key is gone or not for our master keys, or what was sealed was changed, or a newer version wrote it.
"""

from __future__ import annotations

import structlog

from store.cipher import SealBroken

log = structlog.get_logger(__name__)


class Unreadable:
    """Those that this process has met."""

    def __init__(self) -> None:
        self._met: set[str] = set()

    def report(self, conversation: str, error: SealBroken) -> None:
        """Log the id, if it is the first time."""
        if conversation not in self._met:
            self._met.add(conversation)
            log.error("conversation_unreadable", conversation=conversation, error=type(error).__name__)
