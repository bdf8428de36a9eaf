"""Facts: what a reaction needs and the payload does not contain. The row of an event in `registry` lists them."""

from __future__ import annotations

from enum import StrEnum


class Fact(StrEnum):
    """Facts in the order of their lookup: a judged draft decides whether the turn ends, and that closes its reply."""

    COMPONENT_MISSING = "component_missing"
    """True if the component of the step is no longer installed."""
    RETRY_AFTER = "retry_after"
    """Seconds until this person may write again. The lookup counts their message."""
    AUTHOR = "author"
    """The author's name, and the owner's time zone."""
    WAS_IDLE = "was_idle"
    """True if the thread was quiet for so long that its goal is abandoned."""
    SIGNAL = "signal"
    """The interview command that a message contains."""
    QUOTING = "quoting"
    """For a step: the messages that may quote this one."""
    TARGETS = "targets"
    """The messages of the transcript that store this Slack message."""
    PRESSED_REPLY = "pressed_reply"
    PRESSED_CARD = "pressed_card"
    HELD_REPLY = "held_reply"
    """The reply that awaits permission."""
    PREPARED = "prepared"
    """The component's definition of the step; for the worked example also its result."""
    EDITED_DRAFT = "edited_draft"
    """The draft that the owner has changed by hand, judged."""
    CURRENT_DRAFT = "current_draft"
    """The current draft, judged again."""
    UPDATED_DRAFT = "updated_draft"
    """The draft or approved version, judged against the current versions that it builds on."""
    CLOSED_REPLY = "closed_reply"
    """The active reply, closed, if the event ends its turn. The lookup cuts the model's stream."""
    ERASED_AT = "erased_at"
    """When a conversation archived now is erased."""
    OPEN_CARDS = "open_cards"
    """The cards that can still change. Last, because cards may change during the other lookups."""
