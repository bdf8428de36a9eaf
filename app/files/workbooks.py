"""Excel workbooks: the values of all sheets, each cell behind its name. Nothing is computed, and no link followed."""

from __future__ import annotations

import copy
import io
import re
from collections.abc import Iterator
from datetime import datetime, time
from itertools import zip_longest
from typing import Any

from openpyxl import load_workbook

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.cell_rows import TableText, format_row
from app.files.file_limits import FileLimits
from app.files.recognition import find_part

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SHEET = "Sheet {name}"
HIDDEN = "Sheet {name} (hidden)"
VISIBLE = "visible"
REST_OF_SHEET = "the rows after {row:,} of sheet {name}"
WHOLE_SHEET = "sheet {name}"
PICTURES = "its pictures"
CHARTS = "its charts"
SIGNIFICANT = ".15g"
"""Digits that Excel computes with; the ones behind them are the noise of binary fractions."""
_CURRENCY = re.compile(r"\[\$([^\]\-]{1,5})|([€$£¥])")
_QUOTED = re.compile(r'"[^"]*"|\\.|_.')


def read_workbook(content: bytes, title: str, limits: FileLimits) -> FileContent:
    """Return the text of all sheets. Raise `FileRefused` if no cell has content, or any error of openpyxl.

    A cell shows the value that the program last computed; its formula if that value is not in the file.
    """
    values: Any = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False, keep_vba=False)
    formulas = copy.copy(values)  # loading it again would take as long again: the texts of all sheets are read for it
    formulas._data_only = False
    table, left_out, filled = TableText(limits.characters), list[str](), False
    for sheet in values.worksheets:
        other = copy.copy(sheet)
        other.parent = formulas
        name = " ".join(str(sheet.title).split())
        heading = (SHEET if sheet.sheet_state == VISIBLE else HIDDEN).format(name=name)
        if left_out or not table.add(heading):
            left_out.append(WHOLE_SHEET.format(name=name))
            continue
        for number, line in _list_lines(sheet, other):
            filled = filled or bool(line)
            if not table.add(line):
                left_out.append(REST_OF_SHEET.format(row=number - 1, name=name))
                break
    if not filled:
        raise FileRefused(FileFault.EMPTY)
    left_out += [name for part, name in (("xl/media/", PICTURES), ("xl/charts/", CHARTS)) if find_part(content, part)]
    own_title = str(values.properties.title or "")
    return FileContent(
        kind=FileKind.TABLE,
        media_type=MEDIA_TYPE,
        title=own_title or title,
        text=table.text,
        left_out=", ".join(left_out),
    )


def _list_lines(values: Any, formulas: Any) -> Iterator[tuple[int, str]]:
    """Yield the number and the line of each row."""
    for sheet in (values, formulas):
        sheet.reset_dimensions()  # else each row is filled up to a width that the file merely claims
    for number, (row, other) in enumerate(zip_longest(values.iter_rows(), formulas.iter_rows(), fillvalue=()), 1):
        cells = (_format_cell(cell, formula) for cell, formula in zip_longest(row, other))
        yield number, format_row(number, cells)


def _format_cell(cell: Any, formula: Any) -> str:
    if cell is None or cell.value is None:
        value = getattr(formula, "value", None)
        return "" if value is None else str(getattr(value, "text", None) or value)
    return _format_value(cell.value, str(cell.number_format or ""))


def _format_value(value: Any, number_format: str) -> str:
    """Return a value as text; numbers with the unit that their format shows: %, €."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    if not isinstance(value, int | float):
        return str(value)
    if "%" in _QUOTED.sub("", number_format):
        return f"{value * 100:{SIGNIFICANT}}%"
    number = str(value) if isinstance(value, int) else f"{value:{SIGNIFICANT}}"
    currency = _CURRENCY.search(number_format)
    return f"{number} {currency[1] or currency[2]}" if currency else number
