"""Stored form of events: documents keep the fields in which events once carried their facts, all of them empty.

An older version that runs beside this one finds the document that it knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from types import MappingProxyType
from typing import Any, Final

from pydantic import SerializerFunctionWrapHandler

from app.core.events.acts import Act

_EMPTY: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "cards": (),
        "drafted": None,
        "ends": "",
        "held": None,
        "idle": False,
        "partial": None,
        "prepared": None,
        "quoting": (),
        "retired": False,
        "signal": None,
        "target": None,
        "targets": (),
        "user_name": "",
        "wait": 0,
        "zone": "",
    }
)

_FORMER: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "archive_confirmed": ("ends", "partial", "cards"),
        "archive_requested": ("ends", "partial", "cards"),
        "component_started": ("prepared", "drafted"),
        "continue_pressed": ("target",),
        "decision_closed": ("cards",),
        "draft_edited": ("drafted", "cards"),
        "erase_confirmed": ("partial", "cards"),
        "message_deleted": ("targets", "quoting"),
        "message_edited": ("targets",),
        "message_posted": ("user_name", "wait", "zone", "idle", "cards", "signal", "retired", "held"),
        "news_heard": ("drafted", "partial", "cards"),
        "ownership_given": ("cards",),
        "question_answered": ("target", "held", "cards"),
        "reopen_requested": ("cards", "drafted"),
        "restart_requested": ("drafted", "partial", "cards"),
        "retry_pressed": ("target", "cards"),
        "schedule_cancelled": ("partial", "cards"),
        "step_closed": ("partial", "cards"),
        "step_requested": ("cards",),
        "stop_requested": ("partial", "cards"),
        "summary_asked": ("cards",),
    }
)
"""The fields by `kind`, in their order. They stand before the `kind`."""


def add_former_fields(event: object, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
    """Return the fields of an event as its document holds them."""
    fields: dict[str, Any] = write(event)
    kind = fields.pop("kind")
    if isinstance(event, Act):  # `retired` stands after what every act has
        common = {field.name: fields.pop(field.name) for field in dataclass_fields(Act)}
        fields = {**common, "retired": _EMPTY["retired"], **fields}
    return {**fields, **{name: _EMPTY[name] for name in _FORMER.get(kind, ())}, "kind": kind}
