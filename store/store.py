"""The store as the rest of the program sees it: the ports, and a way to close them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.core.model import Conversation
from app.ports import Conversations, Inbox, Ledger, Permissions, Places, Signals, Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """Result of a key rotation. If `strange` is 0, no key needs an older master key."""

    renewed: int = 0
    current: int = 0
    """Keys that the first master key had sealed already."""
    strange: int = 0
    """Keys that none of the given master keys opens."""


class Generation(Protocol):
    """Detector of a database that was restored from an older copy. Raises `StoreUnavailable`."""

    async def advance(self) -> None:
        """Raise the generation by one.

        Raise `SettingsError` if the database is older than the generation known elsewhere.
        """
        ...

    async def catch_up(self) -> None:
        """Accept a restored database, in which no event is open, as the newest."""
        ...


class Upkeep(Protocol):
    """Actions of an operator. Raises `StoreUnavailable`."""

    async def named(self, id_: str) -> Conversation | None:
        """Return thread and owner of the conversation with this id, without decrypting it."""
        ...

    async def owners(self) -> tuple[tuple[str, str], ...]:
        """Return every owner of a conversation: team and user, in order."""
        ...

    async def people(self) -> tuple[tuple[str, str], ...]:
        """Return every owner of a conversation or a permission rule: team and user, in order."""
        ...

    async def rules(self, team: str) -> int:
        """Return the number of permission rules in a workspace."""
        ...

    async def park_all(self) -> int:
        """Park every unfinished event, so that no worker tries it by itself. Return their number."""
        ...

    async def rotate_keys(self) -> Rotated:
        """Seal every key with the first master key, also while other processes work.

        An interrupted rotation is resumed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """An open store. After `close` it must not be used."""

    inbox: Inbox
    conversations: Conversations
    versions: Versions
    permissions: Permissions
    signals: Signals
    places: Places
    pacing: Ledger
    """May lose its last moments in a crash of MongoDB."""
    limits: Ledger
    upkeep: Upkeep
    generation: Generation
    close: Callable[[], None]
