"""Files that people share in a thread: references, and what the model is sent of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A reference to a file in Slack. Its bytes are fetched when a turn reads them."""

    id: str
    """Slack's id."""
    name: str
    """Its name as Slack tells it; empty if Slack keeps that back."""
    seq: int = 0
    """The row of the message that it came with."""
    ts: str = ""
    """Slack's ts of that message."""
    by_owner: bool = False
    """True if the owner of the conversation shared it: then it is read before the model is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInPrompt:
    """What the model is sent of a file."""

    blocks: tuple[Mapping[str, Any], ...]
    """The API's content blocks."""
    tokens: int
    """How many tokens they cost, as an estimate."""
