"""Runs the whole suite with branch coverage and holds the figures to the rule: pure modules 100 %, the rest 95 %."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PURE = ("app/core/", "app/decision/", "handlers/slack/", "handlers/views/", "handlers/inbound/reading/")
PURE_PERCENT, REST_PERCENT = 100.0, 95.0
SHELL_ONLY = ("app/__main__.py", "store/database/keeper.py")
"""Run as processes of their own, which coverage of this process cannot see; their tests are in contract and flow."""


def main() -> int:
    """Run pytest, then judge its coverage. Exit status is pytest's, or 1 if only the coverage is short."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "coverage.json")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "2",
            "--dist",
            "worksteal",
            "--cov",
            f"--cov-report=json:{report}",
        ]
        status = subprocess.call([*command, *sys.argv[1:]])
        if status or sys.argv[1:]:
            return status
        short = list(shortfalls(json.loads(report.read_text())))
    print(*short or ["coverage: pure modules 100 %, all others at least 95 %"], sep="\n")
    return 1 if short else 0


def shortfalls(report: Mapping[str, Any]) -> list[str]:
    """Name each group of files that is covered less than it must be, with its lines."""
    files = {name: data for name, data in report["files"].items() if name not in SHELL_ONLY}
    short = [
        f"{name}: {data['summary']['percent_covered']:.1f} %, missing lines {data['missing_lines']}"
        for name, data in files.items()
        if name.startswith(PURE) and data["summary"]["percent_covered"] < PURE_PERCENT
    ]
    rest = [data["summary"] for name, data in files.items() if not name.startswith(PURE)]
    whole = sum(s["num_statements"] + s["num_branches"] for s in rest)
    met = sum(s["covered_lines"] + s["covered_branches"] for s in rest)
    if whole and 100 * met / whole < REST_PERCENT:
        worst = sorted(files.items(), key=lambda item: item[1]["summary"]["percent_covered"])[:8]
        short.append(f"all others: {100 * met / whole:.1f} %, less than {REST_PERCENT:.0f} %; the least covered:")
        short += [
            f"  {name}: {data['summary']['percent_covered']:.1f} % {data['missing_lines']}" for name, data in worst
        ]
    return short


if __name__ == "__main__":
    sys.exit(main())
