"""Runs the whole suite, and holds its coverage to the rule: pure packages 100 % of branches, the rest 95 %.

Coverage is measured where tests are nearest to the code. Whole conversations, crashes and browsers run without, and so
do properties: what only they reach counts as not covered, so that each branch has its plain example.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PURE = ("app/core/", "app/decision/", "handlers/slack/", "handlers/views/", "handlers/inbound/reading/")
REST_PERCENT = 95.0
SHELL_ONLY = ("app/__main__.py", "app/files/child.py", "store/database/keeper.py")
"""Run as processes of their own, which coverage of this process cannot see; their tests are in contract and flow."""
NEVER = "assert_never("
"""On a line that can never be reached."""

NEAR = ("tests/unit", "tests/contract", "tests/flow/command_line")
"""Where tests are nearest to the code: what they run counts as covered, but for their properties."""
UNMEASURED = "--unmeasured"
"""The option for all the others: see `tests/conftest.py`."""
CORES = os.cpu_count() or 1
PROCESSES = CORES + 1
"""A whole conversation waits half of its time; with more of them Slack's three seconds pass on a busy machine."""
IGNORED = ("ignore::pytest.PytestAssertRewriteWarning", "ignore:Unable to activate pytest branch:RuntimeWarning")
"""SlipCover is there before pytest, and measures no branches of tests: neither matters."""


def main() -> int:
    """Run pytest over all parts, then judge coverage. Return 0, or the first exit status that is not.

    With arguments, run pytest with these alone and judge nothing.
    """
    if arguments := sys.argv[1:]:
        return run_tests(arguments)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "coverage.json")
        can_measure = find_spec("slipcover") is not None  # there is none yet for Python 3.15
        measuring = ("-m", "slipcover", "--json", "--out", str(report)) if can_measure else ()
        parts = (
            run_tests((*NEAR, *(f"-W{each}" for each in IGNORED), "-m", "not hypothesis"), measuring),
            run_tests(("tests", UNMEASURED)),
        )
        if any(parts):
            return next(filter(None, parts))
        if not can_measure:
            print("coverage: not measured, because SlipCover is not there for this Python")
            return 0
        short = list(find_shortfalls(json.loads(report.read_text())))
    print(*short or ["coverage: pure packages 100 %, all others at least 95 %"], sep="\n")
    return 1 if short else 0


def run_tests(arguments: Sequence[str], measuring: Sequence[str] = ()) -> int:
    """Run pytest, and return its exit status."""
    spread = ("-n", str(PROCESSES), "--dist", "worksteal")
    return subprocess.call([sys.executable, *measuring, "-m", "pytest", *spread, *arguments])


@dataclass(frozen=True, slots=True)
class Coverage:
    """What tests have run of a file."""

    name: str
    whole: int
    """How many lines and branches it has."""
    missing: tuple[str, ...]
    """The lines that were never run, and the branches that were never taken, as `12->15`."""

    @property
    def percent(self) -> float:
        """How much of the file was run."""
        return 100 * (1 - len(self.missing) / self.whole) if self.whole else 100.0

    @classmethod
    def read(cls, name: str, data: Mapping[str, Any]) -> Coverage:
        """Return what was measured of a file, without branches to where nothing can come."""
        source = Path(name).read_text("utf-8").splitlines()
        branches = [f"{a}->{b}" for a, b in data["missing_branches"] if not any(NEVER in s for s in source[b - 1 : b])]
        missing = (*map(str, data["missing_lines"]), *branches)
        taken = data["summary"]["covered_lines"] + data["summary"]["covered_branches"]
        return cls(name, taken + len(missing), missing)


def find_shortfalls(report: Mapping[str, Any]) -> Iterator[str]:
    """Name each file that is covered less than it must be, with what is missing."""
    files = [Coverage.read(name, data) for name, data in report["files"].items() if name not in SHELL_ONLY]
    yield from (_describe(each) for each in files if each.name.startswith(PURE) and each.missing)
    rest = [each for each in files if not each.name.startswith(PURE)]
    missing, whole = sum(len(each.missing) for each in rest), sum(each.whole for each in rest)
    percent = 100 * (1 - missing / whole) if whole else 100.0
    if percent < REST_PERCENT:
        yield f"all others: {percent:.1f} %, less than {REST_PERCENT:.0f} %; the least covered:"
        yield from map(_describe, sorted(rest, key=lambda each: each.percent)[:8])


def _describe(file: Coverage) -> str:
    return f"{file.name}: {file.percent:.1f} %, missing {', '.join(file.missing)}"


if __name__ == "__main__":
    sys.exit(main())
