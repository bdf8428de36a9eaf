"""Tables of plain words: one that is too wide or too long continues in the next. Pure.

Slack's limits are 100 rows of 20 cells, and one table a message. Some 10,000 characters per table were measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from app.core.copy import decision_steps
from app.core.text.cutting import cut
from handlers.views.kit.blocks import Block
from handlers.views.kit.packing import pack, split_text

ROWS, COLUMNS = 100, 20
CHARS = 9_000
"""Limit for all cells of a table."""

HEAD_CHARS = 120
"""Limit of a column's head; longer ones are cut."""

ROW_CHARS = 6_000
"""Limit for the cells of a row, shared evenly; the rest continues in the row below. With a head it stays below
`CHARS`."""

Row = tuple[str, ...]


def render_tables(header: Sequence[str], rows: Sequence[Sequence[str]], *, centred: bool = False) -> Iterator[Block]:
    """Yield the tables that show these rows. Each begins with the header, and with the first column.

    Cells are plain text, and empty ones say so. `centred` applies to all columns but the first.
    """
    for places in _split_columns(len(header)):
        head = tuple(cut(header[place], HEAD_CHARS) for place in places)
        fitting = [part for row in rows for part in _fit_row([row[place] for place in places])]
        most = (ROWS - 1, CHARS - sum(map(len, head)))
        align = {"align": "center"} if centred else {}
        settings = [{"is_wrapped": True}, *({"is_wrapped": True, **align} for _ in places[1:])]
        for bundle in pack(fitting, _weigh, most) or [[]]:
            shown = [_build_cells(row) for row in (head, *bundle)]
            yield {"type": "table", "rows": shown, "column_settings": settings}


def _split_columns(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the columns of each table. The first one is in all of them, because it names the row."""
    if count == 1:
        yield (0,)
    for start in range(1, count, COLUMNS - 1):
        yield (0, *range(start, min(start + COLUMNS - 1, count)))


def _fit_row(cells: Sequence[str]) -> Iterator[Row]:
    most = ROW_CHARS // len(cells)
    yield from zip_longest(
        *(tuple(split_text(cell, most)) or (decision_steps.NOTHING,) for cell in cells),
        fillvalue=decision_steps.AS_ABOVE,
    )


def _build_cells(row: Row) -> list[Block]:
    return [{"type": "raw_text", "text": cell or decision_steps.NOTHING} for cell in row]


def _weigh(row: Row) -> tuple[int, int]:
    return 1, sum(map(len, row))
