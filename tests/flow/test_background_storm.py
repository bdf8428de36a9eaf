"""A sample of the runs of `make soak`: due jobs, several processes that are killed at random, each run made once."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from tests import soak_runs

PLAN = soak_runs.Plan(jobs=16, seed=7, processes=2, runs_per_kill=8)


@pytest.mark.timeout(120)
@pytest.mark.req("S2-009", "S2-010")
async def test_each_run_is_made_once_whoever_is_killed_over_it(mongo_uri: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="tw-"))
    try:
        outcome = await soak_runs.run(PLAN, mongo_uri, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(outcome.table)
    assert outcome.wrong == ()
    assert outcome.table["processes killed"] >= 2
