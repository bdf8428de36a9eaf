"""What a window is about, as it carries it along, so that nothing has to be remembered while it is open. Pure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from app.core.thread import ThreadKey
from app.decision.paths import Draft
from handlers.payload import Payload, loaded, mapping, text, thread_of


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The draft that a window shows, and which part of it."""

    thread: ThreadKey
    edition: int
    digest: str
    """Of the draft: two changes at once can lead to the same edition."""
    page: int = 0
    """Of the list; a form remembers it for the list below."""
    path: str = ""
    """Of what a form changes, or of the list that it adds to; of a column, the objective."""
    adds: bool = False
    part: int = 0
    """Of a column with more options than one window holds, counted from 0."""
    since: str = ""
    """When the change was sent that the window shows already, as a ts; empty once it has been saved."""


def digest(draft: Draft) -> str:
    """A mark by which a draft is known again."""
    return hashlib.sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest()[:16]


def metadata(about: About) -> str:
    """What goes into a view's `private_metadata` (Slack: 3,000 characters)."""
    return json.dumps(asdict(about))


def read(view: Payload) -> About | None:
    """What a view says it is about; None if it is not one of these windows."""
    kept = loaded(view.get("private_metadata"))
    thread = mapping(kept.get("thread"))
    key = thread_of({"ts": thread.get("root")}, text(thread.get("team")), text(thread.get("channel")))
    edition, page, part = (_whole(kept.get(name)) for name in ("edition", "page", "part"))
    if key is None or edition is None or page is None or part is None:
        return None
    return About(
        thread=key,
        edition=edition,
        digest=text(kept.get("digest")),
        page=page,
        path=text(kept.get("path")),
        adds=kept.get("adds") is True,
        part=part,
        since=text(kept.get("since")),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
