"""Sheets as plain text, a line for each thing that is said, and sheets of the worked example."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.core.state.sheet import Bars, Facts, Grid, Item, Listing, Matrix, Prose, Section, Sheet
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, minimal


def wall(shown: Sheet) -> str:
    """Everything on a sheet: titles after `#`, marks in brackets, what is below something further in."""
    return "\n".join(line for section in shown.sections for line in lines(section))


def lines(section: Section) -> Iterator[str]:
    """The lines of a section."""
    if section.title:
        yield f"# {section.title}"
    match section:
        case Listing():
            yield from (line for item in section.items for line in _item(item, 0))
            yield from () if section.items or not section.empty else (section.empty,)
        case Facts():
            yield from (f"{label}: {said}" for label, said in section.rows)
        case Prose():
            yield section.text
        case Grid():
            yield from (" | ".join(row) for row in (section.header, *section.rows))
            yield from () if section.rows or not section.empty else (section.empty,)
        case Bars():
            yield from (f"{bar.label} {bar.score}{' weakest' * bar.weakest} {bar.note}".strip() for bar in section.bars)
            yield from filter(None, [section.total])
        case Matrix():
            yield from (f"{head.handle} {head.name}{_marks(head.marks)}" for head in (*section.rows, *section.columns))
            yield from (
                f"{str(rating.value).replace('-', '−')}{'?' * rating.doubtful} {rating.note}".strip()
                for row in section.cells
                for rating in row
            )


def of_type(shown: Sheet, kind: type[Any]) -> list[Any]:
    """The sections of one kind."""
    return [each for each in shown.sections if isinstance(each, kind)]


def titled(shown: Sheet, title: str) -> str:
    """The text below a title that begins so; empty if there is no such section."""
    return "\n".join(line for each in shown.sections if each.title.startswith(title) for line in [*lines(each)][1:])


def laid(key: str, draft: Draft, so_far: DecisionRecord | None = None, unproven: tuple[str, ...] = ()) -> Sheet:
    """The sheet of a draft that was judged; it has to be accepted."""
    so_far = so_far or before(key)
    return build_sheet(PLAYBOOK[key], accepted(key, draft, so_far).draft, so_far, unproven)


def essence(key: str, draft: Any, so_far: DecisionRecord | None = None) -> tuple[str, ...]:
    """The lines of its card."""
    return build_sheet(PLAYBOOK[key], draft, so_far or before(key)).essence


def in_short(key: str, draft: Draft, so_far: DecisionRecord | None = None) -> str:
    """Its gist."""
    so_far = so_far or before(key)
    return write_gist(PLAYBOOK[key], accepted(key, draft, so_far).draft, so_far)


def plainly(key: str) -> DecisionRecord:
    """What is approved in the smallest decision when the component begins."""
    return before(key, {each: minimal(each) for each in KEYS})


def _item(item: Item, depth: int) -> Iterator[str]:
    yield "  " * depth + f"{item.handle} {item.text}{_marks(item.marks)}".strip()
    yield from ("  " * (depth + 1) + note for note in item.notes)
    for each in item.inner:
        yield from _item(each, depth + 1)


def _marks(marks: tuple[str, ...]) -> str:
    return f" [{', '.join(marks)}]" if marks else ""
