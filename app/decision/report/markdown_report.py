"""The report as Markdown that GitHub and Slack's canvases display alike: CommonMark with tables.

Every text is escaped, so people's words never act as markup, and no text breaks its line or its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Item, Listing, Mark, Matrix, Prose, Section
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep, drop_repeats
from app.decision.schema.terms import format_signed

BLOCKS_IN_A_BAR = 10
"""Characters of a score's bar."""

_LEGEND = (
    "; ".join(f"{format_signed(value)} {words}" for value, words in wording.DIFFERENCES.items())
    + f", all against the baseline; ? in doubt; {wording.UNKNOWN} not rated"
)
_ACTIVE = re.compile(
    r"[\\`*\[\]<>|~]"
    r"|(?<![^\W_])_"  # after a letter it opens no emphasis, and addresses contain it there
    r"|^[+=-]|(?<!\S)#"
    r"|&(?=#|\w+;)"
)
_NUMBERED = re.compile(r"^(\d{1,9})(?=[.)])")


def write_markdown(report: Report) -> str:
    """Return the report as Markdown."""
    blocks = [
        f"# {escape_text(report.question)}",
        *_write_first_page(report),
        _write_pairs(wording.list_cover(report)),
        _write_contents(report.steps),
    ]
    for step in drop_repeats(report.steps):
        blocks += _write_step(step)
    return "\n\n".join(filter(None, blocks)) + "\n"


def _write_first_page(report: Report) -> Iterator[str]:
    """Yield the short answers of the first page; its table stands in the step that it is from."""
    for section in report.first_page.sections if report.first_page else ():
        if isinstance(section, Facts):
            yield "\n".join(line for label, said in section.rows for line in _write_answer(label, said.splitlines()))


def _write_answer(label: str, lines: list[str]) -> Iterator[str]:
    """Yield an answer: its first line beside the label, the others below it."""
    first, *others = lines or [""]
    yield f"- {_bold(f'{label}:')} {escape_text(first)}"
    yield from (f"  - {escape_text(each)}" for each in others)


def escape_text(text: str) -> str:
    """Return plain text as one line that Markdown shows unchanged."""
    line = " ".join(wording.clean_text(text).split())
    return _NUMBERED.sub(r"\1\\", _ACTIVE.sub(r"\\\g<0>", line))


def _write_contents(steps: Iterable[ReportStep]) -> str:
    rows = (
        (f"{step.number}. {step.title}", wording.STATUSES[step.status], wording.describe_version(step))
        for step in steps
    )
    return _write_table(("Step", "Status", "Result"), (map(escape_text, row) for row in rows))


def _write_step(step: ReportStep) -> Iterator[str]:
    yield f"## {step.number}. {escape_text(step.title)}"
    yield " · ".join(filter(None, (wording.STATUSES[step.status], escape_text(wording.describe_version(step)))))
    yield "\n>\n".join(f"> **{wording.OUTDATED}** {escape_text(each)}" for each in step.outdated)
    if step.sheet is None:
        yield wording.NOT_APPROVED
        return
    for section in step.sheet.sections:
        if section.title:
            yield f"### {escape_text(section.title)}"
        yield from _write_section(section)


def _write_section(section: Section) -> Iterable[str]:
    match section:
        case Listing():
            lines = [line for item in section.items for line in _write_item(item, "")]
            return ["\n".join(lines) or escape_text(section.empty or wording.NOTHING)]
        case Facts():
            return [_write_pairs(section.rows)]
        case Prose():
            return [escape_text(line) for line in section.text.splitlines()]
        case Matrix():
            return _write_matrix(section)
        case Bars():
            return _write_bars(section)
        case Grid():
            rows = [map(escape_text, row) for row in section.rows]
            return [
                _write_table(map(escape_text, section.header), rows)
                if rows
                else escape_text(section.empty or wording.NOTHING)
            ]
        case _:
            assert_never(section)


def _write_item(item: Item, indent: str) -> Iterator[str]:
    # Skip empty words: two spaces after the dash would indent everything that belongs to the item.
    words = (_bold(item.handle), escape_text(item.text), _write_marks(item.marks).strip())
    yield f"{indent}- {' '.join(filter(None, words))}"
    for note in item.notes:
        yield f"{indent}  - {escape_text(note)}"
    for inner in item.inner:
        yield from _write_item(inner, f"{indent}  ")


def _bold(text: str) -> str:
    line = escape_text(text)
    return f"**{line}**" if line else ""


def _write_marks(marks: Iterable[Mark]) -> str:
    return "".join(f" _({wording.MARKS[mark]})_" for mark in marks)


def _write_pairs(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escape_text(label)}:** {escape_text(value)}" for label, value in rows)


def _write_matrix(matrix: Matrix) -> Iterator[str]:
    header = ("", *(_write_head(column) for column in matrix.columns))
    cells = (
        (_write_head(row), *map(wording.format_rating, ratings))
        for row, ratings in zip(matrix.rows, matrix.cells, strict=True)
    )
    yield _write_table(header, cells)
    yield _LEGEND
    yield "\n".join(
        f"- {escape_text(f'{row.handle}, {column.handle}')}: "
        f"**{wording.format_rating(rating)}** {escape_text(rating.note)}"
        for row, ratings in zip(matrix.rows, matrix.cells, strict=True)
        for column, rating in zip(matrix.columns, ratings, strict=True)
        if rating.note
    )


def _write_head(head: Head) -> str:
    return f"{escape_text(wording.format_head(head))}{_write_marks(head.marks)}"


def _write_bars(bars: Bars) -> Iterator[str]:
    yield _write_table(("", "Score", "", "Note"), map(_write_bar, bars.bars))
    yield _bold(bars.total)


def _write_bar(bar: Bar) -> tuple[str, ...]:
    full, half = divmod(round((bar.score or 0) * BLOCKS_IN_A_BAR * 2 / 100), 2)
    picture = "█" * full + "▌" * half + "░" * (BLOCKS_IN_A_BAR - full - half)
    return escape_text(bar.label), wording.format_score(bar), picture, escape_text(bar.note)


def _write_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(header)
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
