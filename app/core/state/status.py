"""The status and the turn state of a conversation, with the table of the status."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

from app.core.state.table import NOTHING, Refused, Table, build_row, find_next_state


class Kind(StrEnum):
    """Kind of a conversation."""

    FREE = "free"
    COMPONENT = "component"
    """One of the steps of a decision."""
    DECISION = "decision"
    """The decision as a whole; its first Slack message is the hub."""


class Status(StrEnum):
    """Status of a conversation: who has the next move."""

    ACTIVE = "active"
    BACKGROUND = "background"
    WAITING_INPUT = "waiting_input"
    ARCHIVED = "archived"


class TurnState(StrEnum):
    """Turn state. A turn that uses tools is streaming, because people cannot see the difference."""

    IDLE = "idle"
    STREAMING = "streaming"
    AWAITING = "awaiting_permission"
    """The turn waits for its owner's permission. No task runs, and no process holds the turn."""


class StatusEvent(StrEnum):
    """Event of a status. If a transition depends on a condition, each outcome is an event of its own."""

    CREATED = "created"
    MESSAGE_POSTED = "message_posted"
    SCHEDULE_SET = "schedule_set"
    """Valid. A turn that answers the question too is followed by `ANSWERED_WITH_SCHEDULE`, in either order."""
    SCHEDULE_INVALID = "schedule_invalid"
    SCHEDULE_CANCELLED = "schedule_cancelled"
    SCHEDULE_CANCELLED_WITHOUT_ONE = "schedule_cancelled_without_one"
    ASKED = "asked"
    """In chat."""
    ANSWERED_WITH_SCHEDULE = "answered_with_schedule"
    ANSWERED_WITHOUT_SCHEDULE = "answered_without_schedule"
    ANSWER_INVALID = "answer_invalid"
    ANSWER_TO_CLOSED_QUESTION = "answer_to_closed_question"
    QUESTION_CANCELLED_WITH_SCHEDULE = "question_cancelled_with_schedule"
    """Withdrawn without an answer, by a stop or because its subject is gone."""
    QUESTION_CANCELLED_WITHOUT_SCHEDULE = "question_cancelled_without_schedule"
    WORKER_DUE = "worker_due"
    WORKER_ASKED = "worker_asked"
    WORKER_CONTINUED = "worker_continued"
    WORKER_CONTINUED_TOO_OFTEN = "worker_continued_too_often"
    WORKER_COMPLETE_CRON = "worker_complete_cron"
    WORKER_COMPLETE_ONCE = "worker_complete_once"
    WORKER_AUTH_ERROR = "worker_auth_error"
    WORKER_ERROR_AGAIN = "worker_error_again"
    WORKER_ERROR_LAST = "worker_error_last"
    ARCHIVE_REQUESTED = "archive_requested"
    """In `ARCHIVING_WARNS` the person is asked first; otherwise `ARCHIVE_CONFIRMED` follows at once."""
    ARCHIVE_CONFIRMED = "archive_confirmed"
    UNARCHIVED = "unarchived"
    SET_DIRECTLY = "set_directly"


INITIAL: Final = Status.ACTIVE

ARCHIVING_WARNS: Final = frozenset({Status.BACKGROUND, Status.WAITING_INPUT})
"""Statuses in which archiving would lose something."""


ACTIVE, BACKGROUND, WAITING, ARCHIVED = Status
NO_MORE = Refused("ARCHIVED")
ILLEGAL = Refused("ILLEGAL")
STALE = Refused("STALE_RUN")
BAD_SCHEDULE = Refused("BAD_SCHEDULE")
NO_SCHEDULE = Refused("NO_SCHEDULE")
NO_QUESTION = Refused("NO_QUESTION")
CLOSED = Refused("QUESTION_CLOSED")
BAD_ANSWER = Refused("BAD_ANSWER")
NOT_ARCHIVED = Refused("NOT_ARCHIVED")


_row = partial(build_row, Status)

# fmt: off
TABLE: Table[StatusEvent, Status] = MappingProxyType({
    # event                                            active        background    waiting_input archived
    StatusEvent.CREATED:                             _row(NOTHING,      NOTHING,      NOTHING,      NOTHING),
    StatusEvent.MESSAGE_POSTED:                      _row(ACTIVE,       BACKGROUND,   WAITING,      NO_MORE),
    StatusEvent.SCHEDULE_SET:                        _row(BACKGROUND,   BACKGROUND,   WAITING,      NO_MORE),
    StatusEvent.SCHEDULE_INVALID:                    _row(BAD_SCHEDULE, BAD_SCHEDULE, BAD_SCHEDULE, NO_MORE),
    StatusEvent.SCHEDULE_CANCELLED:                  _row(NO_SCHEDULE,  ACTIVE,       WAITING,      NO_MORE),
    StatusEvent.SCHEDULE_CANCELLED_WITHOUT_ONE:      _row(NO_SCHEDULE,  NO_SCHEDULE,  NO_SCHEDULE,  NO_MORE),
    StatusEvent.ASKED:                               _row(WAITING,      WAITING,      WAITING,      NO_MORE),
    StatusEvent.ANSWERED_WITH_SCHEDULE:              _row(NO_QUESTION,  NO_QUESTION,  BACKGROUND,   NO_MORE),
    StatusEvent.ANSWERED_WITHOUT_SCHEDULE:           _row(NO_QUESTION,  NO_QUESTION,  ACTIVE,       NO_MORE),
    StatusEvent.ANSWER_INVALID:                      _row(NO_QUESTION,  NO_QUESTION,  BAD_ANSWER,   NO_MORE),
    StatusEvent.ANSWER_TO_CLOSED_QUESTION:           _row(CLOSED,       CLOSED,       CLOSED,       NO_MORE),
    StatusEvent.QUESTION_CANCELLED_WITH_SCHEDULE:    _row(NOTHING,      NOTHING,      BACKGROUND,   NOTHING),
    StatusEvent.QUESTION_CANCELLED_WITHOUT_SCHEDULE: _row(NOTHING,      NOTHING,      ACTIVE,       NOTHING),
    StatusEvent.WORKER_DUE:                          _row(NOTHING,      BACKGROUND,   NOTHING,      NOTHING),
    StatusEvent.WORKER_ASKED:                        _row(STALE,        WAITING,      STALE,        STALE),
    StatusEvent.WORKER_CONTINUED:                    _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusEvent.WORKER_CONTINUED_TOO_OFTEN:          _row(STALE,        WAITING,      STALE,        STALE),
    StatusEvent.WORKER_COMPLETE_CRON:                _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusEvent.WORKER_COMPLETE_ONCE:                _row(STALE,        ACTIVE,       STALE,        STALE),
    StatusEvent.WORKER_AUTH_ERROR:                   _row(STALE,        WAITING,      STALE,        STALE),
    StatusEvent.WORKER_ERROR_AGAIN:                  _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusEvent.WORKER_ERROR_LAST:                   _row(STALE,        WAITING,      STALE,        STALE),
    StatusEvent.ARCHIVE_REQUESTED:                   _row(ACTIVE,       BACKGROUND,   WAITING,      NOTHING),
    StatusEvent.ARCHIVE_CONFIRMED:                   _row(ARCHIVED,     ARCHIVED,     ARCHIVED,     NOTHING),
    StatusEvent.UNARCHIVED:                          _row(NOT_ARCHIVED, NOT_ARCHIVED, NOT_ARCHIVED, ACTIVE),
    StatusEvent.SET_DIRECTLY:                        _row(ILLEGAL,      ILLEGAL,      ILLEGAL,      ILLEGAL),
})
# fmt: on
"""A result of a run is late, and dropped, if no background work is active."""


def move(state: Status, event: StatusEvent) -> Status:
    """Return the status after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state
