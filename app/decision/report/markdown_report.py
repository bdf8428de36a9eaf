"""The report as Markdown that GitHub and Slack's canvases display alike: CommonMark with tables.

Every text is escaped, so people's words never act as markup, and no text breaks its line or its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Mark, Matrix, Prose, Section
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep

BLOCKS_IN_A_BAR = 10
"""Characters of a score's bar."""

_LEGEND = (
    "; ".join(f"{wording.signed(value)} {words}" for value, words in wording.DIFFERENCES.items())
    + f", all against the baseline; ? in doubt; {wording.UNKNOWN} not rated"
)
_ACTIVE = re.compile(
    r"[\\`*\[\]<>|~]"
    r"|(?<![^\W_])_"  # after a letter it opens no emphasis, and addresses contain it there
    r"|^[+=-]|(?<!\S)#"
    r"|&(?=#|\w+;)"
)
_NUMBERED = re.compile(r"^(\d{1,9})(?=[.)])")


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    blocks = [f"# {escaped(report.question)}", _pairs(wording.cover(report)), _contents(report.steps)]
    for step in report.steps:
        blocks += _step(step)
    return "\n\n".join(filter(None, blocks)) + "\n"


def escaped(text: str) -> str:
    """Return plain text as one line that Markdown shows unchanged."""
    line = " ".join(wording.printable(text).split())
    return _NUMBERED.sub(r"\1\\", _ACTIVE.sub(r"\\\g<0>", line))


def _contents(steps: Iterable[ReportStep]) -> str:
    rows = ((f"{step.number}. {step.title}", wording.STATUSES[step.status], wording.standing(step)) for step in steps)
    return _table(("Step", "Status", "Result"), (map(escaped, row) for row in rows))


def _step(step: ReportStep) -> Iterator[str]:
    yield f"## {step.number}. {escaped(step.title)}"
    yield " · ".join(filter(None, (wording.STATUSES[step.status], escaped(wording.standing(step)))))
    yield "\n>\n".join(f"> **{wording.OUTDATED}** {escaped(each)}" for each in step.outdated)
    if step.sheet is None:
        yield wording.NOT_APPROVED
        return
    for section in step.sheet.sections:
        if section.title:
            yield f"### {escaped(section.title)}"
        yield from _section(section)


def _section(section: Section) -> Iterable[str]:
    match section:
        case Listing():
            lines = [line for item in section.items for line in _item(item, "")]
            return ["\n".join(lines) or escaped(section.empty or wording.NOTHING)]
        case Facts():
            return [_pairs(section.rows)]
        case Prose():
            return [escaped(line) for line in section.text.splitlines()]
        case Matrix():
            return _matrix(section)
        case Bars():
            return _bars(section)
        case Grid():
            rows = [map(escaped, row) for row in section.rows]
            return [_table(map(escaped, section.header), rows) if rows else escaped(section.empty or wording.NOTHING)]
        case _:
            assert_never(section)


def _item(item: Item, indent: str) -> Iterator[str]:
    # Skip empty words: two spaces after the dash would indent everything that belongs to the item.
    yield f"{indent}- {' '.join(filter(None, (_bold(item.handle), escaped(item.text), _marked(item.marks).strip())))}"
    for note in item.notes:
        yield f"{indent}  - {escaped(note)}"
    for inner in item.inner:
        yield from _item(inner, f"{indent}  ")


def _bold(text: str) -> str:
    line = escaped(text)
    return f"**{line}**" if line else ""


def _marked(marks: Iterable[Mark]) -> str:
    return "".join(f" _({wording.MARKS[mark]})_" for mark in marks)


def _pairs(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(label)}:** {escaped(value)}" for label, value in rows)


def _matrix(matrix: Matrix) -> Iterator[str]:
    header = ("", *(_head(column) for column in matrix.columns))
    cells = ((_head(row), *map(wording.rated, ratings)) for row, ratings in zip(matrix.rows, matrix.cells, strict=True))
    yield _table(header, cells)
    yield _LEGEND
    yield "\n".join(
        f"- {escaped(f'{row.handle}, {column.handle}')}: **{wording.rated(rating)}** {escaped(rating.note)}"
        for row, ratings in zip(matrix.rows, matrix.cells, strict=True)
        for column, rating in zip(matrix.columns, ratings, strict=True)
        if rating.note
    )


def _head(head: Head) -> str:
    return f"{escaped(wording.named(head))}{_marked(head.marks)}"


def _bars(bars: Bars) -> Iterator[str]:
    yield _table(("", "Score", "", "Note"), map(_bar, bars.bars))
    yield _bold(bars.total)


def _bar(bar: Bar) -> tuple[str, ...]:
    full = (bar.score or 0) * BLOCKS_IN_A_BAR // 100
    picture = "█" * full + "░" * (BLOCKS_IN_A_BAR - full)
    return escaped(bar.label), wording.scored(bar), picture, escaped(bar.note)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(header)
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
