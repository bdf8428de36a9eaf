"""Effects of a transition, in the imperative. Each docstring says how a repetition is made safe.

An effect gets its id when it is added (`add_effect`): `cause:index`, where the cause is a receipt or a turn. A process
that repeats an effect after a crash recognizes it by this id.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from app.core.conversation.news import News
from app.core.state.interview import Mode, SourceMessage
from app.core.state.permission import Rule
from app.core.thread import ThreadKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTurn:
    """Ask the model and show its reply as it grows. Never repeated blindly.

    The next holder first saves that the turn continues, or closes it.
    """

    id: str = ""
    turn: str
    kind: Literal["run_turn"] = "run_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishReply:
    """Bring the Slack messages of a reply into their final form. Edits are idempotent; posts are reconcilable."""

    id: str = ""
    reply: int
    kind: Literal["finish_reply"] = "finish_reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCard:
    """Bring a card into its present form. Edits are idempotent; the post is reconcilable."""

    id: str = ""
    card: int
    kind: Literal["show_card"] = "show_card"


class Offer(StrEnum):
    """Action that an ephemeral message offers with a button."""

    ERASE = "erase"
    ARCHIVE = "archive"
    REOPEN = "reopen"
    """Take an archived conversation up."""
    DISCUSS = "discuss"
    """Discuss a finished step again."""
    DISCUSS_OTHER = "discuss_other"
    """Discuss a finished step of another thread again."""
    OPEN_STEP = "open_step"
    """Go to a step's thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostEphemeral:
    """Post an ephemeral message. Done at most once: Slack discards ephemeral messages anyway."""

    id: str = ""
    user: str
    text: str
    offer: Offer | None = None
    about: str = ""
    """Slack's ts that the offer is about: the message to go on with, or the root of the step's thread."""
    place: str = ""
    """Root of the thread to post it in; empty for the conversation's own."""
    channel: str = ""
    """Channel to post it in; empty for the conversation's own. Without a `place` there it is not in a thread."""
    kind: Literal["tell_privately"] = "tell_privately"


@dataclass(frozen=True, slots=True, kw_only=True)
class React:
    """Add an emoji reaction to a person's message. Idempotent."""

    id: str = ""
    ts: str
    name: str
    kind: Literal["react"] = "react"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreact:
    """Remove an emoji reaction of the app. Idempotent."""

    id: str = ""
    ts: str
    name: str
    kind: Literal["unreact"] = "unreact"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishHome:
    """Update a person's Home if they have ever opened it. Idempotent."""

    id: str = ""
    user: str
    kind: Literal["publish_home"] = "publish_home"


@dataclass(frozen=True, slots=True, kw_only=True)
class Erase:
    """Erase the conversation. Idempotent: its state is erased, too."""

    id: str = ""
    user: str
    kind: Literal["erase"] = "erase"


@dataclass(frozen=True, slots=True, kw_only=True)
class SendNotice:
    """Send a notice to another conversation. Idempotent: its inbox accepts an effect's id once."""

    id: str = ""
    thread: ThreadKey
    news: News
    kind: Literal["tell"] = "tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class SendDirectMessage:
    """Send a direct message, for what cannot be posted in the thread. Reconcilable."""

    id: str = ""
    user: str
    text: str
    since: str
    """Slack's ts of a moment before the message."""
    kind: Literal["tell_directly"] = "tell_directly"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveVersion:
    """Save the approved draft as a version, which never changes. Idempotent: the first one stays."""

    id: str = ""
    row: int
    """`seq` of the row that holds the approved draft."""
    version: int
    kind: Literal["keep_version"] = "keep_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactQuotes:
    """Remove the words of a deleted message from stored versions. Idempotent."""

    id: str = ""
    message: str
    """Slack's ts."""
    kind: Literal["unquote"] = "unquote"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetFiles:
    """Erase what is kept of files that are gone. Idempotent."""

    id: str = ""
    files: tuple[str, ...]
    """Slack's ids."""
    kind: Literal["forget_files"] = "forget_files"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavePermissionRule:
    """Save a permission rule. Idempotent: a rule replaces the one before it."""

    id: str = ""
    rule: Rule
    kind: Literal["keep_rule"] = "keep_rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStep:
    """Post the first Slack message of a step's thread and begin its conversation. The post is reconcilable."""

    id: str = ""
    component: str
    mode: Mode = Mode.INTERACTIVE
    material: tuple[SourceMessage, ...] = ()
    """The discussion that the step is drafted from, in direct mode."""
    kind: Literal["open_step"] = "open_step"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateStepHead:
    """Bring the first Slack message of a step's thread into its present form. Idempotent."""

    id: str = ""
    component: str
    kind: Literal["update_step_head"] = "update_step_head"


Effect = Annotated[
    RunTurn
    | FinishReply
    | ShowCard
    | PostEphemeral
    | React
    | Unreact
    | PublishHome
    | SendNotice
    | SendDirectMessage
    | SaveVersion
    | RedactQuotes
    | ForgetFiles
    | SavePermissionRule
    | OpenStep
    | UpdateStepHead
    | Erase,
    Field(discriminator="kind"),
]
"""The tag `kind` keeps a stored effect from being read as another one."""

Speech = Annotated[FinishReply | ShowCard, Field(discriminator="kind")]
"""Effects that post for everyone in the thread."""


def find_shown_seq(effect: Effect) -> int:
    """Return the `seq` of the row that an effect shows; 0 if it shows none."""
    match effect:
        case FinishReply():
            return effect.reply
        case ShowCard():
            return effect.card
        case _:
            return 0
