"""The report as JSON, for programs: what people approved, word for word and with ids, in every version.

The top-level keys, which stay as they are within a `schema`:

    schema     "threadwise.decision/1"
    question, owner, deadline, closed, made_at     as in `Report`
    steps      each step as in `ReportStep`, without its sheet: that is made of the versions
    versions   each approved version as in `Version`: data, prompt and schema version, model, who and when, based on
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from app.decision.report.dossier import Report

SCHEMA = "threadwise.decision/1"

_REPORT = TypeAdapter(Report)


def as_json(report: Report) -> str:
    """Return the report as JSON in unescaped UTF-8 with sorted keys.

    Raises `ValueError` for numbers that JSON does not have.
    """
    bare = replace(report, steps=tuple(replace(step, sheet=None) for step in report.steps))
    shown: dict[str, Any] = _REPORT.dump_python(bare)
    for step in shown["steps"]:
        del step["sheet"]
    return json.dumps({"schema": SCHEMA, **shown}, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"
