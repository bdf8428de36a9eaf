"""Pip with one line of progress."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.installing import main, report_progress

ROOT = Path(__file__).parents[3]
PIP = """Collecting aiohttp==3 (from -r requirements.lock (line 1))
  Downloading aiohttp.whl (1.7 MB)
Requirement already satisfied: anyio==4 in .venv
Installing collected packages: aiohttp
Successfully installed aiohttp-3
"""


@pytest.mark.req("NC-02")
def test_each_package_that_pip_finds_is_counted_and_its_other_lines_are_not_shown() -> None:
    assert list(report_progress(PIP.splitlines(), 2)) == ["1 of 2 packages", "2 of 2 packages", "unpacking 2 packages"]


@pytest.mark.req("NC-02")
@pytest.mark.parametrize(("status", "shown"), [(0, ""), (3, "Collecting x\n")])
def test_what_pip_says_is_shown_only_if_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int, shown: str
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("x==1 \\\n    --hash=sha256:0\n", "utf-8")
    pip = f"print('Collecting x'); raise SystemExit({status})"
    assert main(str(lock), sys.executable, "-c", pip) == status
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    ("target", "command"),
    [
        pytest.param("demo", "threadwise demo", marks=pytest.mark.req("NC-02")),
        pytest.param("install", "threadwise prepare", marks=pytest.mark.req("NC-02")),
        pytest.param("demo-headless", "threadwise demo --headless", marks=pytest.mark.req("NC-11")),
    ],
)
def test_make_runs_the_command_that_a_newcomer_wants_once_all_is_installed(target: str, command: str) -> None:
    make = ["make", "--dry-run", "--no-print-directory", "--old-file=.venv/.run-ready", target]
    told = subprocess.run(make, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert told.splitlines() == [f".venv/bin/{command}"]
