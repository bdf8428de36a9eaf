"""State of a window: the subject it is about, and the command of the control that was used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum

from app.core.thread import ThreadKey
from app.decision.schema.paths import Draft
from handlers.slack.payload import Payload, read_key, read_mapping, read_text
from handlers.views.windows.forms import read_about


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowState:
    """The draft that a window shows, and which part of it."""

    thread: ThreadKey
    edition: int
    digest: str
    """Digest of the draft: two simultaneous changes can lead to the same edition."""
    page: int = 0
    """Page of the list. A form keeps it for the list below."""
    path: str = ""
    """Path of the thing that a form changes, or of the list that it adds to; for a column, the objective."""
    adds: bool = False
    part: int = 0
    """Part of a column with more options than one window holds, counted from 0."""
    since: str = ""
    """The ts at which the displayed change was sent; empty once it is saved."""


def compute_digest(draft: Draft) -> str:
    """Return a digest by which a draft is recognised."""
    return hashlib.sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest()[:16]


def read_state(view: Payload) -> WindowState | None:
    """Return the state that a view carries; None if it is not one of these windows."""
    kept = read_about(view)
    key = read_key(read_mapping(kept.get("thread")))
    edition, page, part = (_parse_integer(kept.get(name)) for name in ("edition", "page", "part"))
    if key is None or edition is None or page is None or part is None:
        return None
    return WindowState(
        thread=key,
        edition=edition,
        digest=read_text(kept.get("digest")),
        page=page,
        path=read_text(kept.get("path")),
        adds=kept.get("adds") is True,
        part=part,
        since=read_text(kept.get("since")),
    )


def _parse_integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


class WindowCommand(StrEnum):
    """The commands."""

    EDIT = "edit"
    ADD = "add"
    UP = "up"
    DOWN = "down"
    MOVE = "move"
    REMOVE = "remove"
    RATE = "rate"
    """A column: the objective's handle, a colon, and the part of its options."""
    PAGE = "page"


def write_window_command(order: WindowCommand, about: str | int) -> str:
    """Return the value of a control. Slack's limit for an option's value is 150 characters."""
    return f"{order}:{about}"


def read_window_command(held: str) -> tuple[WindowCommand, str] | None:
    """Return the command and its argument; None for a foreign value."""
    order, _, about = held.partition(":")
    return (WindowCommand(order), about) if order in tuple(WindowCommand) else None
