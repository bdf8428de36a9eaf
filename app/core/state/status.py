"""The states of a conversation, one enum for each dimension (requirements §3.1). Stored apart, validated together."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.core.state.table import NOTHING, Nothing, Refused, Table, find_next_state


class Kind(StrEnum):
    """What a thread is for."""

    FREE = "free"
    COMPONENT = "component"
    """One of the steps of a decision."""
    DECISION = "decision"
    """The decision as a whole: its first message is the hub that leads to the steps."""


class Status(StrEnum):
    """Who has the next move (T1)."""

    ACTIVE = "active"
    BACKGROUND = "background"
    WAITING_INPUT = "waiting_input"
    ARCHIVED = "archived"


class Run(StrEnum):
    """Whether a turn is under way (T7). While it uses tools it streams: nobody outside can tell them apart."""

    IDLE = "idle"
    STREAMING = "streaming"
    AWAITING = "awaiting_permission"
    """The turn has come to something that its owner is asked about: nothing runs, and nobody holds it."""


class StatusOn(StrEnum):
    """What can happen to the status. Where T1 asks for a condition, each answer is an event of its own."""

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
    """Withdrawn without an answer: by a stop (T6), or by what it was about (T2)."""
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
    """Where `ARCHIVING_WARNS`, the person is asked first; elsewhere `ARCHIVE_CONFIRMED` follows at once."""
    ARCHIVE_CONFIRMED = "archive_confirmed"
    UNARCHIVED = "unarchived"
    SET_DIRECTLY = "set_directly"


INITIAL: Final = Status.ACTIVE

ARCHIVING_WARNS: Final = frozenset({Status.BACKGROUND, Status.WAITING_INPUT})
"""Where something would be lost by archiving (S2-058)."""

Cell = Status | Refused | Nothing

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


def _row(active: Cell, background: Cell, waiting_input: Cell, archived: Cell) -> Mapping[Status, Cell]:
    return MappingProxyType(
        {
            Status.ACTIVE: active,
            Status.BACKGROUND: background,
            Status.WAITING_INPUT: waiting_input,
            Status.ARCHIVED: archived,
        }
    )


# fmt: off
TABLE: Table[StatusOn, Status] = MappingProxyType({
    # event                                            active        background    waiting_input archived
    StatusOn.CREATED:                             _row(NOTHING,      NOTHING,      NOTHING,      NOTHING),
    StatusOn.MESSAGE_POSTED:                      _row(ACTIVE,       BACKGROUND,   WAITING,      NO_MORE),
    StatusOn.SCHEDULE_SET:                        _row(BACKGROUND,   BACKGROUND,   WAITING,      NO_MORE),
    StatusOn.SCHEDULE_INVALID:                    _row(BAD_SCHEDULE, BAD_SCHEDULE, BAD_SCHEDULE, NO_MORE),
    StatusOn.SCHEDULE_CANCELLED:                  _row(NO_SCHEDULE,  ACTIVE,       WAITING,      NO_MORE),
    StatusOn.SCHEDULE_CANCELLED_WITHOUT_ONE:      _row(NO_SCHEDULE,  NO_SCHEDULE,  NO_SCHEDULE,  NO_MORE),
    StatusOn.ASKED:                               _row(WAITING,      WAITING,      WAITING,      NO_MORE),
    StatusOn.ANSWERED_WITH_SCHEDULE:              _row(NO_QUESTION,  NO_QUESTION,  BACKGROUND,   NO_MORE),
    StatusOn.ANSWERED_WITHOUT_SCHEDULE:           _row(NO_QUESTION,  NO_QUESTION,  ACTIVE,       NO_MORE),
    StatusOn.ANSWER_INVALID:                      _row(NO_QUESTION,  NO_QUESTION,  BAD_ANSWER,   NO_MORE),
    StatusOn.ANSWER_TO_CLOSED_QUESTION:           _row(CLOSED,       CLOSED,       CLOSED,       NO_MORE),
    StatusOn.QUESTION_CANCELLED_WITH_SCHEDULE:    _row(NOTHING,      NOTHING,      BACKGROUND,   NOTHING),
    StatusOn.QUESTION_CANCELLED_WITHOUT_SCHEDULE: _row(NOTHING,      NOTHING,      ACTIVE,       NOTHING),
    StatusOn.WORKER_DUE:                          _row(NOTHING,      BACKGROUND,   NOTHING,      NOTHING),
    StatusOn.WORKER_ASKED:                        _row(STALE,        WAITING,      STALE,        STALE),
    StatusOn.WORKER_CONTINUED:                    _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusOn.WORKER_CONTINUED_TOO_OFTEN:          _row(STALE,        WAITING,      STALE,        STALE),
    StatusOn.WORKER_COMPLETE_CRON:                _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusOn.WORKER_COMPLETE_ONCE:                _row(STALE,        ACTIVE,       STALE,        STALE),
    StatusOn.WORKER_AUTH_ERROR:                   _row(STALE,        WAITING,      STALE,        STALE),
    StatusOn.WORKER_ERROR_AGAIN:                  _row(STALE,        BACKGROUND,   STALE,        STALE),
    StatusOn.WORKER_ERROR_LAST:                   _row(STALE,        WAITING,      STALE,        STALE),
    StatusOn.ARCHIVE_REQUESTED:                   _row(ACTIVE,       BACKGROUND,   WAITING,      NOTHING),
    StatusOn.ARCHIVE_CONFIRMED:                   _row(ARCHIVED,     ARCHIVED,     ARCHIVED,     NOTHING),
    StatusOn.UNARCHIVED:                          _row(NOT_ARCHIVED, NOT_ARCHIVED, NOT_ARCHIVED, ACTIVE),
    StatusOn.SET_DIRECTLY:                        _row(ILLEGAL,      ILLEGAL,      ILLEGAL,      ILLEGAL),
})
# fmt: on
"""T1. A result of the worker that comes where no background work runs is late, and dropped."""


def move(state: Status, event: StatusOn) -> Status:
    """The status after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state
