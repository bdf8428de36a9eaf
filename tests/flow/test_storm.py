"""A sample of `make soak`: processes that share a workspace are killed in a storm, and so is their MongoDB."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from tests import soak

PLAN = soak.Plan(turns=40, seed=20, processes=2, rooms=8, turns_per_thread=5, turns_per_kill=8, turns_per_outage=25)


@pytest.mark.timeout(240)
async def test_in_a_storm_every_message_is_answered_once_or_marked() -> None:
    folder = Path(tempfile.mkdtemp(prefix="tw-"))  # short: the name of mongod's socket is in it
    try:
        outcome = await soak.run(PLAN, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(outcome.table)
    assert outcome.wrong == ()
    assert outcome.table["processes killed"] >= 4
    assert outcome.table["MongoDB killed"] > 0
    assert outcome.table["answered whole"] > outcome.table["marked with Retry"]
