"""Slack's payloads as it sends them, with every name and word scrubbed (`tests/fixtures/slack`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.core.events.heard import Ignored, SlackEvent
from handlers.inbound.reading.slack_messages import read_event

FOLDER = Path(__file__).parents[2] / "fixtures" / "slack"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

TEAM, CHANNEL = "T0TEAM001", "C0OPS0001"
BOT, MAYA, ANN = "U0BOTBOT1", "U0MAYA001", "U0ANN0001"
ROOT = "1770000100.000100"
"""The message that the others are replies to."""

NOW = "1770000300.000000"


def payload(name: str, **changes: Any) -> dict[str, Any]:
    """Return a payload, with other values in its event."""
    body: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    if "event" in body:
        body["event"] |= changes
    return body


def heard(body: Any) -> SlackEvent | Ignored:
    """What a payload that comes now means to us."""
    return read_event(body, BOT, NOW)
