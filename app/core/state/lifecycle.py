"""The lifecycle of a conversation, and its table. It is stored apart from the other states and validated with them."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

from app.core.state.table import NOTHING, Refused, Table, build_row, find_next_state


class Lifecycle(StrEnum):
    """Lifecycle of a conversation. Free threads stay in progress."""

    INITIALIZING = "initializing"
    READY = "ready"
    IN_PROGRESS = "in_progress"
    CONFIRMED = "confirmed"
    """A valid extraction waits for a person's OK; the record does not contain it yet."""
    COMPLETE = "complete"


class LifecycleEvent(StrEnum):
    """Event of a lifecycle. If a transition depends on a condition, each outcome is an event of its own."""

    STARTED = "started"
    INITIALISED = "initialised"
    """System prompt and opening message are stored."""
    INIT_FAILED = "init_failed"
    MESSAGE_POSTED = "message_posted"
    VALIDATED = "validated"
    """An extraction is valid against its schema and waits for a person's OK."""
    EXTRACTION_FAILED = "extraction_failed"
    CHANGE_REQUESTED = "change_requested"
    EDITED_WITH_DRAFT = "edited_with_draft"
    EDITED_WITHOUT_DRAFT = "edited_without_draft"
    EDIT_INVALID = "edit_invalid"
    RESTARTED = "restarted"
    """Restarted from a phase before confirm."""
    RESTARTED_CONFIRM_WITH_DRAFT = "restarted_confirm_with_draft"
    RESTARTED_CONFIRM_WITHOUT_DRAFT = "restarted_confirm_without_draft"
    APPROVED = "approved"
    """Approved by a person, with the criteria met, and saved."""
    APPROVED_INCOMPLETE = "approved_incomplete"
    SAVE_FAILED = "save_failed"
    CLOSED_WITH_VERSION = "closed_with_version"
    """Closed by the owner without a new result. A draft that waits for an OK is dropped after confirmation."""
    CLOSED_WITHOUT_VERSION = "closed_without_version"
    REOPENED = "reopened"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"


INITIAL: Final = Lifecycle.INITIALIZING


INITIALIZING, READY, IN_PROGRESS, CONFIRMED, COMPLETE = Lifecycle
ILLEGAL = Refused("ILLEGAL")
READ_ONLY = Refused("READ_ONLY")
FINISHED = Refused("CANNOT_REVISE")
NO_DRAFT = Refused("NO_EXTRACTION")
UNCONFIRMED = Refused("NOT_CONFIRMED")
UNFINISHED = Refused("NOT_COMPLETE")
CRITERIA = Refused("CRITERIA")


_row = partial(build_row, Lifecycle)

# fmt: off
TABLE: Table[LifecycleEvent, Lifecycle] = MappingProxyType({
    # event                                           initializing  ready        in_progress  confirmed    complete
    LifecycleEvent.STARTED:                         _row(NOTHING,      NOTHING,     NOTHING,     NOTHING,     NOTHING),
    LifecycleEvent.INITIALISED:                     _row(READY,        NOTHING,     NOTHING,     NOTHING,     NOTHING),
    LifecycleEvent.INIT_FAILED:                     _row(INITIALIZING, ILLEGAL,     ILLEGAL,     ILLEGAL,     ILLEGAL),
    LifecycleEvent.MESSAGE_POSTED:                  _row(INITIALIZING, IN_PROGRESS, IN_PROGRESS, CONFIRMED,   READ_ONLY),
    LifecycleEvent.VALIDATED:                       _row(ILLEGAL,      ILLEGAL,     CONFIRMED,   ILLEGAL,     READ_ONLY),
    LifecycleEvent.EXTRACTION_FAILED:               _row(ILLEGAL,      ILLEGAL,     IN_PROGRESS, ILLEGAL,     READ_ONLY),
    LifecycleEvent.CHANGE_REQUESTED:                _row(ILLEGAL,      NOTHING,     IN_PROGRESS, IN_PROGRESS, READ_ONLY),
    LifecycleEvent.EDITED_WITH_DRAFT:               _row(NO_DRAFT,     NO_DRAFT,    CONFIRMED,   CONFIRMED,   FINISHED),
    LifecycleEvent.EDITED_WITHOUT_DRAFT:            _row(NO_DRAFT,     NO_DRAFT,    NO_DRAFT,    NO_DRAFT,    FINISHED),
    LifecycleEvent.EDIT_INVALID:                    _row(NO_DRAFT,     NO_DRAFT,    IN_PROGRESS, CONFIRMED,   FINISHED),
    LifecycleEvent.RESTARTED:                       _row(ILLEGAL,      ILLEGAL,     IN_PROGRESS, IN_PROGRESS, READ_ONLY),
    LifecycleEvent.RESTARTED_CONFIRM_WITH_DRAFT:    _row(ILLEGAL,      ILLEGAL,     CONFIRMED,   NOTHING,     READ_ONLY),
    LifecycleEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT: _row(ILLEGAL,      ILLEGAL,     NO_DRAFT,    NOTHING,     READ_ONLY),
    LifecycleEvent.APPROVED:                        _row(UNCONFIRMED,  UNCONFIRMED, UNCONFIRMED, COMPLETE,    NOTHING),
    LifecycleEvent.APPROVED_INCOMPLETE:             _row(UNCONFIRMED,  UNCONFIRMED, UNCONFIRMED, CRITERIA,    NOTHING),
    LifecycleEvent.SAVE_FAILED:                     _row(ILLEGAL,      ILLEGAL,     ILLEGAL,     CONFIRMED,   NOTHING),
    LifecycleEvent.CLOSED_WITH_VERSION:             _row(ILLEGAL,      CRITERIA,    COMPLETE,    COMPLETE,    NOTHING),
    LifecycleEvent.CLOSED_WITHOUT_VERSION:          _row(ILLEGAL,      CRITERIA,    CRITERIA,    CRITERIA,    NOTHING),
    LifecycleEvent.REOPENED:                        _row(UNFINISHED,   UNFINISHED,  UNFINISHED,  UNFINISHED,  IN_PROGRESS),
    LifecycleEvent.ARCHIVED:                        _row(NOTHING,      NOTHING,     NOTHING,     NOTHING,     NOTHING),
    LifecycleEvent.UNARCHIVED:                      _row(NOTHING,      NOTHING,     NOTHING,     NOTHING,     NOTHING),
})
# fmt: on
"""`CANNOT_REVISE` is READ_ONLY for an edit, because people get a sentence of its own for it."""


def move(state: Lifecycle, event: LifecycleEvent) -> Lifecycle:
    """Return the lifecycle after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state


def can_generate_response(state: Lifecycle) -> bool:
    """Return True if the model may reply. The opening message is a template, not a reply."""
    return state in {Lifecycle.READY, Lifecycle.IN_PROGRESS, Lifecycle.CONFIRMED}
