"""What the rest of the program gets of this package: the ports, and a way to close them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from app.core.model import Conversation
from app.ports import Conversations, Inbox, Ledger, Permissions, Places, Signals, Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """What a rotation of keys did. Nothing needs an older master key any more if `strange` is 0."""

    renewed: int = 0
    current: int = 0
    """Keys that the first master key had sealed already."""
    strange: int = 0
    """Keys that none of the given master keys opens."""


class Generation(Protocol):
    """Tells a database that was put back from an older copy. Raises `StoreUnavailable`."""

    async def advance(self) -> None:
        """Raise it by one. Raises `SettingsError` if the database is older than what is known of it elsewhere."""
        ...

    async def catch_up(self) -> None:
        """Let a database that was put back, and of which nothing is open any more, count as the newest."""
        ...


class Upkeep(Protocol):
    """What whoever runs the app does by hand. Raises `StoreUnavailable`."""

    async def named(self, id_: str) -> Conversation | None:
        """The conversation with this id, as far as it can be told without opening it: its thread and its owner."""
        ...

    async def owners(self) -> tuple[tuple[str, str], ...]:
        """Everybody who owns a conversation: team and user, in order."""
        ...

    async def people(self) -> tuple[tuple[str, str], ...]:
        """Everybody who owns a conversation or has decided something for good: team and user, in order."""
        ...

    async def rules(self, team: str) -> int:
        """How many rules people have made in a workspace."""
        ...

    async def park_all(self) -> int:
        """Give up every event that is not finished with, and count them: nobody works on them by themselves."""
        ...

    async def rotate_keys(self) -> Rotated:
        """Seal every key with the first master key. Others may go on working; what was broken off is gone on with."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A store that is open. After `close` it must not be used."""

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
