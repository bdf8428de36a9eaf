"""Tool that puts a file into this thread, once the owner agrees."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from pydantic import Field, model_validator

from app.agent.tools.context import Access, PermissionPrompt, TurnContext
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.core.copy import texts
from app.core.errors import ExtractionError, OutOfReach
from app.core.text.untrusted import MAX_DEPTH, parse
from app.core.turns.rate_limits import Creation

LARGEST: Final = 1_000_000
"""Bytes."""

LONGEST_NAME: Final = 80
"""Characters of a file name without its ending."""

SCOPE: Final = "file:thread"
CREATED: Final = "It stands in the thread. Say in a sentence what is in it; do not repeat it."
TOO_LARGE: Final = (
    f"It would have {{size}} bytes, and at most {LARGEST} are taken. Make it shorter, or two files of it."
)
TOO_MANY: Final = "The owner has had many files in the last hour. The next one can be made in {wait}; tell them."
FORMULAS: Final = "=+-@＝＋－＠"
"""Signs at the beginning of a cell that make spreadsheets carry it out (OWASP: CSV injection)."""

_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9.,' ]*%?")
_PARTS: Final = frozenset(";|\t\n")
_BEGINS: Final = re.compile(rf"(?<![\s\";|])[\s\";|]++(?=[{re.escape(FORMULAS)}])")
"""Beginning of a cell, if there is one of `_PARTS` in it, for spreadsheets that separate cells by other signs than
commas, as in many countries. A gap is looked at once, however long it is."""

_UNSAFE: Final = re.compile(r"[^\w ().,+-]+")

Cell: TypeAlias = "str | int | float | bool | None"


class Format(StrEnum):
    """What kinds of files there are."""

    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


ENDINGS: Final[Mapping[Format, str]] = MappingProxyType(
    {Format.MARKDOWN: ".md", Format.CSV: ".csv", Format.JSON: ".json"}
)


class File(Input):
    """Input of `create_file`."""

    name: str = Field(min_length=1, max_length=200, description="What it is called, such as: Rota for March.")
    format: Format = Field(description="What kind of file it is.")
    content: str = Field(default="", description="All of its text: Markdown, JSON, or CSV with commas.")
    rows: tuple[tuple[Cell, ...], ...] = Field(default=(), description="Of a CSV instead of content: header first.")

    @model_validator(mode="after")
    def _fits(self) -> File:
        if self.rows and self.format is not Format.CSV:
            raise ValueError("rows are for csv alone")
        if bool(self.content.strip()) == bool(self.rows):
            raise ValueError("give either content or rows")
        if self.format is Format.JSON:
            _parse_json(self.content)
        return self


def _parse_json(content: str) -> object:
    """Return the data of a JSON text. Raises `ValueError`, which quotes nothing of it."""
    try:
        return parse(content)
    except ExtractionError:
        raise ValueError(f"content must be valid JSON, at most {MAX_DEPTH} levels deep") from None


def _render_csv(given: File) -> str:
    rows: Iterable[Iterable[Cell]] = given.rows or csv.reader(io.StringIO(given.content.strip(), newline=""))
    written = io.StringIO(newline="")
    csv.writer(written).writerows([_defuse(cell) for cell in row] for row in rows)
    return written.getvalue()


def _defuse(cell: Cell) -> Cell:
    """Put an apostrophe before a text that a spreadsheet would carry out. Numbers stay as they are."""
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell.strip()):
        return cell
    parted = _BEGINS.sub(lambda gap: f"{gap[0]}'" if _PARTS & {*gap[0]} else gap[0], cell)
    return f"'{parted}" if parted.lstrip()[:1] in tuple(FORMULAS) else parted


WRITERS: Final[Mapping[Format, Callable[[File], str]]] = MappingProxyType(
    {
        Format.MARKDOWN: lambda given: f"{given.content.strip()}\n",
        Format.CSV: _render_csv,
        Format.JSON: lambda given: json.dumps(_parse_json(given.content), ensure_ascii=False, indent=2) + "\n",
    }
)


def _build_filename(given: File) -> str:
    """Return the name without folders and control characters, with the ending of its format."""
    ending = ENDINGS[given.format]
    stem = given.name.removesuffix(ending)
    safe = _UNSAFE.sub("-", stem).strip(" .-")[:LONGEST_NAME].rstrip(" .-")
    return f"{safe or 'file'}{ending}"


def _render(given: File) -> bytes:
    content = WRITERS[given.format](given).encode()
    if len(content) > LARGEST:
        raise OutOfReach(TOO_LARGE.format(size=len(content)))
    return content


async def _build_prompt(context: TurnContext, given: File) -> PermissionPrompt:
    spot = await context.channel(context.thread.channel)
    return PermissionPrompt(
        title=f"put the file {_build_filename(given)} into this thread",
        shown=_render(given).decode(),
        scope=SCOPE,
        covers="putting files into our threads",
        makes=_build_filename(given),
        target=spot.target,
    )


async def _run(context: TurnContext, given: File) -> ToolResult:
    name, content = _build_filename(given), _render(given)
    if wait := await context.may_make(Creation.FILE):
        raise OutOfReach(TOO_MANY.format(wait=texts.format_wait(wait)))
    address = await context.reach.file(context.thread, name, content, name.removesuffix(ENDINGS[given.format]))
    asked = {"name": given.name, "format": given.format}
    return ToolResult(report_findings(asked, CREATED, file=name, bytes=len(content), address=address))


def _tell(result: Mapping[str, Any]) -> str:
    return f"Put the file {result['file']} into this thread{f': {address}' if (address := result['address']) else '.'}"


TOOL = ExternalTool(
    name="create_file",
    description="Create a file (Markdown, CSV or JSON) and put it into this thread. The owner is asked first. For what "
    "people will want to keep, open elsewhere or pass on; short answers belong into your reply.",
    input=File,
    access=Access.WRITE,
    run=_run,
    working=lambda _: "making a file",
    trace=lambda result: f"put {result['file']} into this thread",
    tell=_tell,
    prompt=_build_prompt,
    scopes=SCOPE,
)
