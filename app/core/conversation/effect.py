"""What the machine wants done, in the imperative. Each kind says how it may be repeated (design D7).

An effect's id is `receipt:index`, so that a shell which dies may do it again and know that it is the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.conversation.news import News
from app.core.state.interview import Mode, Said
from app.core.state.permission import Rule
from app.core.thread import ThreadKey


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Let another conversation know. Idempotent: its inbox takes an effect's id in once."""

    id: str
    thread: ThreadKey
    news: News
    kind: Literal["tell"] = "tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class TellDirectly:
    """Tell one person something in their direct messages: for what cannot be said in the thread. Reconcilable."""

    id: str
    user: str
    text: str
    since: str
    """Slack's ts of something that is older than it."""
    kind: Literal["tell_directly"] = "tell_directly"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepVersion:
    """Keep what was approved, as a version that nothing changes any more. Idempotent: the first one stays."""

    id: str
    row: int
    """`seq` of the row that holds the approved draft."""
    version: int
    kind: Literal["keep_version"] = "keep_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unquote:
    """Take the words of a deleted message out of the versions that are kept. Idempotent: what is gone stays gone."""

    id: str
    message: str
    """Slack's ts."""
    kind: Literal["unquote"] = "unquote"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepRule:
    """Keep what somebody decided for good. Idempotent: a rule takes the place of the one before it."""

    id: str
    rule: Rule
    kind: Literal["keep_rule"] = "keep_rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStep:
    """Post the first message of a step's thread and begin its conversation. The post is reconcilable."""

    id: str
    component: str
    mode: Mode = Mode.INTERACTIVE
    material: tuple[Said, ...] = ()
    """The discussion that the step is drafted from, in direct mode."""
    kind: Literal["open_step"] = "open_step"


Effect = Annotated[
    RunTurn
    | FinishReply
    | ShowCard
    | TellPrivately
    | React
    | Unreact
    | PublishHome
    | Tell
    | TellDirectly
    | KeepVersion
    | Unquote
    | KeepRule
    | OpenStep
    | Erase,
    Field(discriminator="kind"),
]
"""Discriminated by `kind`: without it a stored effect could be read back as another one."""

Speech = Annotated[FinishReply | ShowCard, Field(discriminator="kind")]
"""What is said in the thread for everybody to read."""


def find_shown_seq(effect: Effect) -> int:
    """The `seq` of the row that an effect shows; 0 if it shows none."""
    match effect:
        case FinishReply():
            return effect.reply
        case ShowCard():
            return effect.card
        case _:
            return 0
