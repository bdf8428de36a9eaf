"""People's rules as the contract tests need them."""

from __future__ import annotations

from typing import Any

from app.core.state.permission import Rule


def rule(**changes: Any) -> Rule:
    """Return a rule of U1 in T1."""
    fields: dict[str, Any] = {
        "team": "T1",
        "user": "U1",
        "tool": "post_message",
        "scope": "#night-shift",
        "allows": True,
        "at": "2026-03-01T09:00:00.123456+00:00",
        "label": "post in #night-shift",
    }
    return Rule(**fields | changes)
