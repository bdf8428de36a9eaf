"""What MongoDB is asked for when somebody looks: it holds for the workspace, whichever process has brought it about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.core.limits import Amount
from app.ports import Queue


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """What people have allowed, and what that and all else has cost."""

    rules: int
    spent: Amount
    """Today (UTC)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How it is asked for. Raises `StoreUnavailable`."""

    waits: Callable[[], Awaitable[Queue]]
    """What waits in the inbox."""
    books: Callable[[], Awaitable[Books]]
