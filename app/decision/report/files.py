"""A report as a file: its formats, their names, and the JSON of what people approved, for programs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from app.decision.report.dossier import Report
from app.decision.report.html_report import write_html
from app.decision.report.markdown_report import write_markdown

SCHEMA = "threadwise.decision/1"

_REPORT = TypeAdapter(Report)


def write_json(report: Report) -> str:
    """Return the report as JSON in unescaped UTF-8 with sorted keys.

    Raises `ValueError` for numbers that JSON does not have.
    """
    bare = replace(report, steps=tuple(replace(step, sheet=None) for step in report.steps), first_page=None)
    shown: dict[str, Any] = _REPORT.dump_python(bare)
    del shown["first_page"]
    for step in shown["steps"]:
        del step["sheet"]
    return json.dumps({"schema": SCHEMA, **shown}, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"


LONGEST_SLUG = 60
"""Characters of the question in a file name."""


class Format(StrEnum):
    """Formats of a report."""

    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


WRITERS: Mapping[Format, Callable[[Report], str]] = {
    Format.MARKDOWN: write_markdown,
    Format.JSON: write_json,
    Format.HTML: write_html,
}
ENDINGS: Mapping[Format, str] = {Format.MARKDOWN: "md", Format.JSON: "json", Format.HTML: "html"}

FORMATS: Mapping[str, Format] = MappingProxyType({form.name.lower(): form for form in Format})
"""Formats by the words that people and controls use."""


def name_file(report: Report, form: Format) -> str:
    """Return an ASCII file name of the question and the day: *where-do-we-go-2026-03-02.html*."""
    plain = unicodedata.normalize("NFKD", report.question.casefold()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(words) > LONGEST_SLUG:
        words = words[: LONGEST_SLUG + 1].rpartition("-")[0] or words[:LONGEST_SLUG]
    return f"{words or 'decision'}-{report.made_at[:10]}.{ENDINGS[form]}"
