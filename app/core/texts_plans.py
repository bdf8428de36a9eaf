"""Texts about cancelling schedules. Plain sentences; names in braces are filled in."""

from __future__ import annotations

CANCEL_SCHEDULE = "Cancel"
CANCEL_SCHEDULE_TITLE = "Cancel this plan?"
CANCEL_SCHEDULE_WARNING = "I will not do this any more: {schedule}."
CANCEL_SCHEDULE_YES = "Yes, cancel it"
CANCEL_SCHEDULE_NO = "Keep it"
PLAN_REPLACED = (
    "A newer plan has taken the place of this one, so nothing was cancelled. Look at its card further down: "
    "*Cancel* there ends it."
)
