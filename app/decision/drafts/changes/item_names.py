"""Short names of what changed between two drafts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.core.copy import draft_changes
from app.core.text.cutting import cut, shorten_name
from app.core.text.labels import join_words
from app.decision.analysis.ratings import At
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft, map_names

FEW: Final = 2
"""Things of one kind that are named; more are counted."""

MOST: Final = 6
"""Options and objectives of changed ratings that are named by handle."""

WORDING: Final = 90
"""Characters of a name that is new: its end may be what matters."""


class ChangeNames:
    """Short names of all items of both drafts and of the decision, with the results that each draft was made with."""

    def __init__(self, before: Draft, after: Draft, so_far: DecisionRecord, former: DecisionRecord) -> None:
        self._own, self.so_far, self.former = map_names([before, after]), so_far, former

    def short(self, handle: str) -> str:
        """Return the handle with its short name."""
        return f"{handle} {shorten_name(self._own.get(handle, '') or self.so_far.name(handle))}".strip()

    def full(self, handle: str) -> str:
        """Return the handle with its name, whole unless it is very long."""
        return f"{handle} {cut(self._own.get(handle, ''), WORDING)}".strip()

    def place(self, at: At) -> str:
        """Return the place of a rating by the short names of its option and objective."""
        return draft_changes.PLACE.format(option=self.short(at[0]), objective=self.short(at[1]))

    def places(self, places: Iterable[At]) -> str:
        """Return places of ratings by handle, those of an option together; of very many how many more there are."""
        rows: dict[str, list[str]] = {}
        for option, objective in places:
            rows.setdefault(option, []).append(objective)
        told = [draft_changes.PLACE.format(option=each, objective=join_words(rows[each], MOST)) for each in rows]
        rest = [draft_changes.MORE_OPTIONS.format(count=len(told) - MOST)] if len(told) > MOST else []
        return "; ".join([*told[:MOST], *rest])

    def few(self, handles: Iterable[str]) -> str:
        """Return the first items by name, and the number of the others."""
        return join_words(map(self.short, handles), FEW)
