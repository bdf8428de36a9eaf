"""CSV and TSV: the delimiter is found, the rows are as a spreadsheet would show them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.cell_rows import TableText, format_row
from app.files.file_limits import FileLimits

NAMES = (".csv", ".tsv", ".tab")
DELIMITERS = ("\t", ";", "|", ",")
"""The comma last: where two agree with as many rows, commas are those of decimals."""
DECLARATION = "sep="
"""First line in which Excel declares the delimiter."""
SAMPLE = 100
"""Rows by which the delimiter is judged."""
LEFT_OUT = "the rows after {row:,}"


def read_delimited(text: str, title: str, limits: FileLimits) -> FileContent:
    """Return the table, a cell behind its name. Raise `FileRefused` if no row has content."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # of the whole process: never lower it
    declared, text = _take_declaration(text)
    delimiter = declared or _find_delimiter(text)
    table, left_out = TableText(limits.characters), ""
    for number, row in enumerate(_parse(text, delimiter), 1):
        if not table.add(format_row(number, row)):
            left_out = LEFT_OUT.format(row=number - 1)
            break
    if not table.text and not left_out:
        raise FileRefused(FileFault.EMPTY)
    return FileContent(
        kind=FileKind.TABLE,
        media_type="text/tab-separated-values" if delimiter == "\t" else "text/csv",
        title=title,
        text=table.text,
        left_out=left_out,
    )


def _parse(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text), delimiter=delimiter)


def _take_declaration(text: str) -> tuple[str, str]:
    first, _, rest = text.partition("\n")
    declared = first.removeprefix(DECLARATION)
    return (declared, rest) if first.startswith(DECLARATION) and declared in DELIMITERS else ("", text)


def _find_delimiter(text: str) -> str:
    """Return the delimiter that most rows agree on: with it they have the same number of columns, and more than one.

    Without any, it is the comma: there is one column.
    """

    def count_agreeing(delimiter: str) -> int:
        widths = Counter(len(row) for row in islice(_parse(text, delimiter), SAMPLE) if len(row) > 1)
        return max(widths.values(), default=0)

    best = max(DELIMITERS, key=count_agreeing)
    return best if count_agreeing(best) else ","
