"""Runs the whole suite, and holds its coverage to the rule: pure packages 100 % of branches, the rest 95 %.

Coverage is measured where tests are nearest to the code. Measuring doubles the time of a test, so whole conversations,
crashes and browsers run without, and so do properties (tests/conftest.py): what only they reach counts as not covered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PURE = ("app/core/", "app/decision/", "handlers/slack/", "handlers/views/", "handlers/inbound/reading/")
PURE_PERCENT, REST_PERCENT = 100.0, 95.0
SHELL_ONLY = ("app/__main__.py", "app/files/child.py", "store/database/keeper.py")
"""Run as processes of their own, which coverage of this process cannot see; their tests are in contract and flow."""


MEASURED = ("tests/unit", "tests/contract", "tests/flow/command_line")
WHOLE = ("tests/flow", "tests/crash", "tests/browser", "--ignore=tests/flow/command_line")
CORES = os.cpu_count() or 1
PROCESSES = CORES + 1
"""A whole conversation waits half of its time; with more of them Slack's three seconds pass on a busy machine."""


def main() -> int:
    """Run pytest over both parts, then judge coverage. Return 0, or the first exit status that is not.

    With arguments, run pytest with these alone and judge nothing.
    """
    if arguments := sys.argv[1:]:
        return run_tests(PROCESSES, *arguments)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "coverage.json")
        measured = run_tests(PROCESSES, *MEASURED, "--cov", f"--cov-report=json:{report}")
        status = run_tests(PROCESSES, *WHOLE) or measured
        if status:
            return status
        short = list(shortfalls(json.loads(report.read_text())))
    print(*short or ["coverage: pure packages 100 %, all others at least 95 %"], sep="\n")
    return 1 if short else 0


def run_tests(processes: int, *arguments: str) -> int:
    """Run pytest in so many processes, and return its exit status."""
    spread = ("-n", str(processes), "--dist", "worksteal")
    return subprocess.call([sys.executable, "-m", "pytest", *spread, *arguments])


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
