"""Facts: what no payload says, so that the worker looks it up. The row of an event in `registry` asks for them."""

from __future__ import annotations

from enum import StrEnum


class Fact(StrEnum):
    """In the order in which they are looked up: a judged draft says whether a turn ends, and that closes its reply."""

    COMPONENT_MISSING = "component_missing"
    """Whether the component of the step that it is about is not installed any more."""
    RETRY_AFTER = "retry_after"
    """How long a person may not write; asking counts their message."""
    AUTHOR = "author"
    """What a person is called, and the owner's clock."""
    WAS_IDLE = "was_idle"
    """Whether the thread was quiet for so long that its goal counts as left."""
    SIGNAL = "signal"
    """What a message says to the interview itself."""
    QUOTING = "quoting"
    """Of a step, the rows that may repeat a message."""
    TARGETS = "targets"
    """The rows that hold a message of Slack's."""
    PRESSED_REPLY = "pressed_reply"
    PRESSED_CARD = "pressed_card"
    HELD_REPLY = "held_reply"
    """The reply that waits for a permission."""
    PREPARED = "prepared"
    """What the component of a step brings; of the worked example also its result."""
    EDITED_DRAFT = "edited_draft"
    """The draft that somebody has changed by hand, judged."""
    CURRENT_DRAFT = "current_draft"
    """The draft that is there, judged anew."""
    UPDATED_DRAFT = "updated_draft"
    """The draft or approved version with what it builds on as that is now, where it matters."""
    CLOSED_REPLY = "closed_reply"
    """The reply under way, closed, if the event ends its turn: the model's stream is cut."""
    ERASED_AT = "erased_at"
    """When what is archived now is erased."""
    OPEN_CARDS = "open_cards"
    """The rows of the cards that still change. Last: what was looked up before may have taken its time."""
