"""What the machine wants done, in the imperative. Each kind says how it may be repeated (design D7).

An effect's id is `receipt:index`, so that a shell which dies may do it again and know that it is the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTurn:
    """Ask the model and show its answer as it comes. Never repeated blindly: a takeover closes it first."""

    id: str
    turn: str
    kind: Literal["run_turn"] = "run_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishReply:
    """Bring the Slack messages of a reply into their final form. Edits are idempotent; posts are reconcilable."""

    id: str
    reply: int
    kind: Literal["finish_reply"] = "finish_reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCard:
    """Bring a card into its present form. Edits are idempotent; the post is reconcilable."""

    id: str
    card: int
    kind: Literal["show_card"] = "show_card"


class Offer(StrEnum):
    """What a private sentence offers to do with a button."""

    ERASE = "erase"
    ARCHIVE = "archive"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPrivately:
    """Show one person a sentence in the thread. At most once: Slack forgets ephemeral messages anyway."""

    id: str
    user: str
    text: str
    offer: Offer | None = None
    kind: Literal["tell_privately"] = "tell_privately"


@dataclass(frozen=True, slots=True, kw_only=True)
class React:
    """Leave a lasting mark on somebody's message. Idempotent."""

    id: str
    ts: str
    name: str
    kind: Literal["react"] = "react"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreact:
    """Take a mark of ours back. Idempotent."""

    id: str
    ts: str
    name: str
    kind: Literal["unreact"] = "unreact"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishHome:
    """Bring somebody's Home up to date, if they have ever opened it. Idempotent."""

    id: str
    user: str
    kind: Literal["publish_home"] = "publish_home"


@dataclass(frozen=True, slots=True, kw_only=True)
class Erase:
    """Forget the conversation for good. Idempotent: it takes its own state with it."""

    id: str
    user: str
    kind: Literal["erase"] = "erase"


Effect = Annotated[
    RunTurn | FinishReply | ShowCard | TellPrivately | React | Unreact | PublishHome | Erase,
    Field(discriminator="kind"),
]
"""Discriminated by `kind`: without it a stored effect could be read back as another one."""
