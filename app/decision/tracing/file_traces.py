"""Tracing of a draft to the files that were shared in the decision: which cell or page a name or figure is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from app.core.state.interview import FileTrace
from app.decision.record import DecisionRecord
from app.decision.schema.paths import is_object, read_name, walk_objects
from app.decision.schema.similarity import normalize_all
from app.decision.tracing.figures import read_figures
from app.decision.tracing.file_passages import FilePassages, Passage
from app.decision.tracing.said import SaidFigures
from app.decision.tracing.tracing import walk_leaves

MOST_PLACES: Final = 3
"""Places of one value that are named."""
MORE: Final = "{places} and {count} more"


def find_traces(
    draft: Mapping[str, Any], files: FilePassages, said: SaidFigures, spoken: Iterable[str], so_far: DecisionRecord
) -> tuple[FileTrace, ...]:
    """Return the names and figures of a draft that stand in files, in the order of the draft. It can take long.

    A figure that is also in `said`, and a name that people have also `spoken`, count only from a cell that is named so:
    by the whole cell, or by its row and column. Otherwise the same number elsewhere would pass as the source.
    """
    words = normalize_all(spoken)
    names = (_trace_name(item, files, words) for item in walk_objects(draft) if "handle" in item)
    return _join(names, _trace_figures(draft, files, said, so_far))


def trace_alone(draft: Mapping[str, Any], files: FilePassages, so_far: DecisionRecord) -> tuple[FileTrace, ...]:
    """Return the same for a draft that is made from these files alone. A name may stand there among other words."""
    items = (read_name(item) for item in walk_objects(draft) if "handle" in item)
    found = ((name, files.find_name(name) or files.find_words(name)) for name in items)
    names = (_build_trace(name, "", places) for name, places in found if places)
    return _join(names, _trace_figures(draft, files, SaidFigures(), so_far))


def _join(names: Iterable[FileTrace | None], figures: Iterable[FileTrace]) -> tuple[FileTrace, ...]:
    return tuple(dict.fromkeys((*filter(None, names), *figures)))


def _trace_name(item: Mapping[str, Any], files: FilePassages, words: str) -> FileTrace | None:
    name = read_name(item)
    found = files.find_name(name)
    if normalize_all((name,)) in words:
        found = tuple(each for each in found if each.is_cell)
    return _build_trace(name, "", found) if found else None


def _trace_figures(
    draft: Mapping[str, Any], files: FilePassages, said: SaidFigures, so_far: DecisionRecord
) -> Iterator[FileTrace]:
    for leaf in walk_leaves(draft, so_far):
        for figure in read_figures(leaf.text):
            found = files.find_figure(figure)
            named = _select_named(found, leaf.holder, files, so_far)
            if named or (found and figure.is_stated and not said.knows(figure)):
                yield _build_trace(figure.text, leaf.about, named or found)


def _select_named(
    found: tuple[Passage, ...], holder: Any, files: FilePassages, so_far: DecisionRecord
) -> tuple[Passage, ...]:
    """Return the cells in whose row and column stand the most names of what the figure is about."""
    titles = _list_titles(holder, so_far)
    counts = [files.count_titles(each, titles) for each in found]
    most = max(counts, default=0)
    return tuple(each for each, count in zip(found, counts, strict=True) if count == most) if most else ()


def _list_titles(holder: Any, so_far: DecisionRecord) -> tuple[str, ...]:
    if not is_object(holder):
        return ()
    about = (so_far.name(str(holder[key])) for key in ("alternative_id", "objective_id") if key in holder)
    return (*about, read_name(holder))


def _build_trace(text: str, about: str, found: tuple[Passage, ...]) -> FileTrace:
    """Return the trace to the first file that holds it, with the places there."""
    file = found[0].file
    places = list(dict.fromkeys(each.place for each in found if each.file == file and each.place))
    shown, more = " or ".join(places[:MOST_PLACES]), len(places) - MOST_PLACES
    place = MORE.format(places=shown, count=more) if more > 0 else shown
    return FileTrace(text=text, about=about, file=file, place=place)
