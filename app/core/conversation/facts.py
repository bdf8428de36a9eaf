"""Facts: what a reaction needs and an event does not contain. The row of an event in `registry` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.core.conversation.conversation import Message
from app.core.state.interview import InterviewCommand, JudgedDraft, PreparedStep, SourceMessage


class Fact(StrEnum):
    """Facts in the order of their lookup: a judged draft decides whether the turn ends, and that closes its reply."""

    COMPONENT_MISSING = "component_missing"
    DECISION_CLOSED = "decision_closed"
    RETRY_AFTER = "retry_after"
    AUTHOR = "author"
    MENTIONED = "mentioned"
    PRECEDING = "preceding"
    WAS_IDLE = "was_idle"
    SIGNAL = "signal"
    NOTES = "notes"
    QUOTING = "quoting"
    TARGETS = "targets"
    USES = "uses"
    PRESSED_REPLY = "pressed_reply"
    TAKEN_BACK = "taken_back"
    PRESSED_CARD = "pressed_card"
    HELD_REPLY = "held_reply"
    BANS = "bans"
    PREPARED = "prepared"
    EXAMPLE_DRAFT = "example_draft"
    EDITED_DRAFT = "edited_draft"
    CURRENT_DRAFT = "current_draft"
    UPDATED_DRAFT = "updated_draft"
    LEFT_MESSAGE = "left_message"
    CLOSED_REPLY = "closed_reply"
    ERASED_AT = "erased_at"
    MOST_QUESTIONS = "most_questions"
    DRAFT_READY = "draft_ready"
    CORRECTED_DRAFT = "corrected_draft"
    OPEN_CARDS = "open_cards"
    """Last, because cards may change during the other lookups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Author of a message, as far as the conversation does not know them yet."""

    name: str = ""
    zone: str = ""
    """The time zone, if the author is the owner."""
    may_begin: bool = True
    """False if somebody else may begin no conversation of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUse:
    """Newest approved version of a step, or its draft, that quotes a message, or has a figure from it alone."""

    title: str
    version: int
    """0 for a draft that waits for approval."""
    figures: tuple[str, ...] = ()
    """The figures that nothing else says; empty if the version quotes the message."""
    current: int = 0
    """The step's newest version, if it uses nothing of the message."""
    elsewhere: str = ""
    """Root of the step's thread, if that is another one."""
    is_discussed: bool = False
    """True if that other step is being discussed now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preceding:
    """The messages of a thread before the one that called the app there, oldest first."""

    messages: tuple[SourceMessage, ...] = ()
    is_cut: bool = False
    """True if there are older ones, which were not read."""
    is_unread: bool = False
    """True if they could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Values of the facts that were looked up for one event, each under the name of its `Fact`.

    A fact that was not looked up is empty, as is one that was not found.
    """

    component_missing: bool = False
    """True if the component of the step is no longer installed."""
    decision_closed: bool = False
    """For a step: True if its decision is closed."""
    retry_after: int = 0
    """Seconds until this person may write again, if they are over their limit. The lookup counts their message."""
    author: Author = Author()
    mentioned: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of the people whom the message mentions, by their ids."""
    preceding: Preceding | None = None
    """For the message that begins a conversation in the middle of a thread: what its author can read above it."""
    was_idle: bool = False
    """True if the owner was silent for so long that the goal counts as left, or as delivered."""
    signal: InterviewCommand | None = None
    """For a step: the interview command that the message contains."""
    notes: JudgedDraft | None = None
    """For a step whose owner wants to see the notes: what is noted so far, laid out; None if nothing is."""
    quoting: tuple[Message, ...] = ()
    """The messages that may quote the changed or deleted one, or repeat what a deleted file says."""
    targets: tuple[Message, ...] = ()
    """The messages of the transcript that store this Slack message, oldest first.

    A correction that came too late has stored a note of its own. A new message is looked up only if it arrives late.
    """
    uses: tuple[MessageUse, ...] = ()
    """For a step: the approved results that the message has gone into, one for each step of the decision."""
    pressed_reply: Message | None = None
    """The reply that the button stands under."""
    taken_back: bool = False
    """True if the owner has deleted all that this reply was to answer."""
    pressed_card: Message | None = None
    held_reply: Message | None = None
    """The reply that awaits permission."""
    bans: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The scopes of the rules that forbid the uses that await permission, by the ids of those that are forbidden."""
    prepared: PreparedStep | None = None
    """The component's definition of the step."""
    example_draft: JudgedDraft | None = None
    """For the worked example: the result of the step."""
    edited_draft: JudgedDraft | None = None
    """The draft that the owner has changed by hand, judged; None if it is invalid."""
    current_draft: JudgedDraft | None = None
    """The current draft, judged again."""
    updated_draft: JudgedDraft | None = None
    """The draft or approved version, judged against the current versions that it builds on."""
    left_message: SourceMessage | None = None
    """The refused message to go on with, as Slack has it now; None if it is gone, or was taken up already."""
    closed_reply: Message | None = None
    """The active reply, closed, if the event ends its turn. The lookup cuts the model's stream."""
    erased_at: str = ""
    """When a conversation archived now is erased (ISO, UTC); empty for never."""
    open_cards: tuple[Message, ...] = ()
    """The cards that can still change."""
    most_questions: int = 3
    """Replies of a free thread that may ask something about a goal before a plan is made on assumptions."""
    draft_ready: bool = False
    """For a step: True if the draft is complete enough for an extraction to start by itself."""
    corrected_draft: JudgedDraft | None = None
    """A draft that waits for approval or is being corrected, as the turn has left it, judged.

    None if the turn did not change it, or if it is invalid.
    """


NO_FACTS = Facts()
