"""Approved results in memory."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from app.core.decisions import Version
from app.core.errors import LostConversation
from app.core.model import Conversation
from app.core.thread import ThreadKey


class MemoryVersions:
    """Implementation of the `Versions` port over the versions of each existing conversation, by its id."""

    def __init__(self, kept: Mapping[str, dict[int, Version]]) -> None:
        self._kept = kept

    async def keep(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.keep`."""
        if conversation.id not in self._kept:
            raise LostConversation
        self._kept[conversation.id].setdefault(version.number, version)

    async def amend(self, conversation: Conversation, version: Version) -> None:
        """See `Versions.amend`."""
        if conversation.id not in self._kept:
            raise LostConversation
        if version.number in self._kept[conversation.id]:
            self._kept[conversation.id][version.number] = version

    async def of(self, decision: ThreadKey) -> tuple[Version, ...]:
        """See `Versions.of`."""
        versions = chain.from_iterable(each.values() for each in self._kept.values())
        own = [version for version in versions if version.decision == decision]
        return tuple(sorted(own, key=lambda version: (version.component, version.number)))
