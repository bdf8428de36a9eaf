"""Logs without content: constant event names, fields from an allow-list, tracebacks without their messages.

No text of people or the model reaches a log, not even through a library's message or an exception's text.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

ALLOWED = frozenset(
    {
        "event", "level", "timestamp", "logger", "conversation", "correlation", "team", "channel", "receipt", "reason",
        "event_kind", "effect", "method", "code", "error", "where", "kind", "reference", "status", "seconds",
        "attempts", "taken", "worker", "url", "mode", "model", "port", "request", "tokens", "cost", "attempt",
        "component", "number", "stage", "news", "succeeded", "items", "issues", "roles", "tools", "rounds",
    }
)  # fmt: skip
"""Ids, enums, times and counters. Other fields are dropped."""

Fields = MutableMapping[str, Any]


def configure(level: str, *, as_json: bool, stream: TextIO = sys.stderr) -> None:
    """Send the program's logs and those of libraries to a stream, one line each."""
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            replace_exception,
            drop_unlisted,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [Libraries()]
    root.setLevel(logging.WARNING)


def drop_unlisted(_: object, __: str, fields: Fields) -> Fields:
    """Drop every field that might carry content."""
    return {name: value for name, value in fields.items() if name in ALLOWED}


def replace_exception(_: object, __: str, fields: Fields) -> Fields:
    """Replace an exception by its type and place; its message may quote people's words."""
    if fields.pop("exc_info", None):
        kind, _value, frames = sys.exc_info()
        fields["error"] = kind.__name__ if kind else "none"
        fields["where"] = " < ".join(
            f"{f.filename}:{f.lineno} {f.name}" for f in reversed(traceback.extract_tb(frames))
        )
    return fields


class Libraries(logging.Handler):
    """Handler for libraries' records: it logs their place, but no message, which may be a payload."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass on name, level and place of a record."""
        error = record.exc_info[0] if record.exc_info else None
        structlog.get_logger("libraries").log(
            min(record.levelno // 10 * 10, logging.CRITICAL),  # structlog knows the standard levels alone
            "library_message",
            logger=record.name,
            where=f"{record.filename}:{record.lineno}",
            error=error.__name__ if error else None,
        )
