"""Rule of a draft that is made from files alone: what does not stand in them is found, and the rest has its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.core.copy import decision_steps
from app.core.state.interview import FileTrace
from app.core.text.labels import join_words
from app.decision.record import DecisionRecord
from app.decision.schema.findings import Remark
from app.decision.schema.paths import BY_HAND, is_object, map_names, read_name, walk_objects
from app.decision.schema.similarity import normalize, normalize_all
from app.decision.tracing.figures import Figure
from app.decision.tracing.file_passages import FilePassages, Line, Passage
from app.decision.tracing.file_traces import trace_alone
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import Leaf, TracedFigures, list_statements, trace_figures

_ABOUT: Final = ("alternative_id", "objective_id")
"""Fields of an amount that name the things whose cell it is from."""


@dataclass(frozen=True)
class DraftFiles:
    """Files from which alone a draft is made. What earlier steps approved counts beside them."""

    names: tuple[str, ...]
    passages: FilePassages
    said: tuple[Statement, ...] = ()
    """What people said since they asked for the draft, and figures that they stand for."""

    @property
    def title(self) -> str:
        """Return the names of the files in one line."""
        return join_words(self.names) or decision_steps.THE_FILE

    def hear(self, *statements: Statement) -> DraftFiles:
        """Return the same rule for a draft in which a person has entered something."""
        return replace(self, said=(*self.said, *statements))

    def trace_figures(self, draft: Mapping[str, Any], so_far: DecisionRecord) -> TracedFigures:
        """Return the figures of a draft that do not stand in the files, each once for each place in the draft.

        An amount of two things that have a row and a column in a table must be in the cell where those cross.
        """
        said, approved = SaidFigures.of(self.said), SaidFigures.of(_list_approved(so_far))

        def knows(figure: Figure, leaf: Leaf) -> bool:
            if said.knows(figure, leaf.things):
                return True
            found = self.passages.find_figure(figure)
            if lines := self._find_lines(figure, leaf, so_far):
                return any(each <= {cell.row, cell.column} for cell in found for each in lines)
            return bool(found) or approved.knows(figure, leaf.things)

        told = (*self.said, *_list_approved(so_far))
        return trace_figures(draft, SaidFigures.of(told, self.passages.figures), so_far, knows, self.title)

    def _find_lines(self, figure: Figure, leaf: Leaf, so_far: DecisionRecord) -> frozenset[frozenset[Line]]:
        """Return where an amount has to stand; empty for figures within words, and if no table has such a place."""
        if not leaf.is_amount(figure) or not is_object(leaf.holder) or not all(key in leaf.holder for key in _ABOUT):
            return frozenset()
        return self.passages.find_lines(*(so_far.name(str(leaf.holder[key])) for key in _ABOUT))

    def find_strangers(self, draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[str, ...]:
        """Return the handles of items whose names do not stand in the files, and that nobody approved or entered."""
        approved = {normalize(name) for name in map_names(_list_results(so_far)).values()}
        said = normalize_all(each.text for each in self.said)
        return tuple(
            item["handle"]
            for item in walk_objects(draft)
            if (name := normalize(read_name(item)))
            and "handle" in item
            and name not in approved
            and name not in said
            and not self.passages.find_words(name)
            and all(each.get("message_id") != BY_HAND for each in item.get("evidence", ()))
        )

    def describe_strangers(self, handles: tuple[str, ...], draft: Mapping[str, Any]) -> tuple[Remark, ...]:
        """Return remarks on these items: those that a page says in other words with that page, then the others."""
        items = {item["handle"]: item for item in walk_objects(draft) if item.get("handle") in handles}
        pages = {handle: self._find_page(items[handle]) for handle in handles}
        named = {handle: f"{handle} {read_name(items[handle])}" for handle in handles}
        near = (f"{named[handle]} ({page.file}, {page.place})" for handle, page in pages.items() if page)
        away = (named[handle] for handle, page in pages.items() if not page)
        told = (
            (decision_steps.NAMES_IN_OTHER_WORDS, join_words(near)),
            (decision_steps.NAMES_NOT_IN_FILES, join_words(away)),
        )
        return tuple(Remark(text.format(files=self.title, items=each)) for text, each in told if each)

    def _find_page(self, item: Mapping[str, Any]) -> Passage | None:
        """Return the page that says an item in other words, by its name or else by what it says beside it."""
        texts = (read_name(item), str(item.get("description", "")))
        return next(filter(None, map(self.passages.find_page, texts)), None)

    def find_traces(self, draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[FileTrace, ...]:
        """Return where the names and figures of a draft stand in the files."""
        return trace_alone(draft, self.passages, so_far)


def _list_results(so_far: DecisionRecord) -> tuple[Mapping[str, Any], ...]:
    return (*so_far.results.values(), so_far.before, *so_far.later.values())


def _list_approved(so_far: DecisionRecord) -> Iterator[Statement]:
    yield Statement(so_far.question)
    for each in _list_results(so_far):
        yield from list_statements(each)
