"""Dates as people write them."""

from __future__ import annotations

import re
from calendar import day_name, month_name
from datetime import date
from typing import Final

_NAMES: Final = "|".join(each for each in (*month_name, *day_name) if len(each) > len("May"))
_TELLS_TIME: Final = re.compile(
    rf"\d|\b(?:by|before|after|until|till|within|in time|today|tomorrow|next|this (?:week|month|quarter|year)|{_NAMES}"
    r"|bis|heute|morgen|nächste\w*)\b",
    re.IGNORECASE,
)


def tells_time(text: str) -> bool:
    """Return True if a text says by when something is."""
    return _TELLS_TIME.search(text) is not None


def format_day(iso: str) -> str:
    """Return the day of an ISO date or time as people write it: *2 March 2026*; what is no date as it stands."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return iso
    return f"{day.day} {day:%B %Y}"
