"""Queries to MongoDB for a scrape. Their answers cover the whole workspace, across all processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.core.turns.rate_limits import Amount
from app.ports import Queue


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Number of permission rules, and the cost of the day."""

    rules: int
    spent: Amount
    """Spent today (UTC)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The queries. Raises `StoreUnavailable`."""

    waits: Callable[[], Awaitable[Queue]]
    """Size and age of the inbox."""
    books: Callable[[], Awaitable[Books]]
