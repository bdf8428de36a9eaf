"""Dates as people write them."""

from __future__ import annotations

from datetime import date


def format_day(iso: str) -> str:
    """Return the day of an ISO date or time as people write it: *2 March 2026*; what is no date as it stands."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return iso
    return f"{day.day} {day:%B %Y}"
