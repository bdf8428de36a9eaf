"""A sample of `python -m tests.crash`: in each scene, a few of the points at which the program can die."""

from __future__ import annotations

import random
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.crash.matrix import cells, play_all, points_of
from tests.crash.scenes import SCENES
from tests.mongo import quick_folder

SAMPLE, AT_ONCE = 4, 4


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder of its own for each process of the program."""
    with quick_folder() as folder:
        yield folder


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scene", SCENES)
async def test_wherever_the_program_is_killed_nothing_is_lost_and_nothing_said_twice(
    scene: str, mongo_uri: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    seed = request.config.getoption("randomly_seed", 0)
    print(f"seed {seed}: python -m tests.crash --only '{scene}, '")
    points = await points_of(scene, mongo_uri, folder / "tape")
    sample = random.Random(f"{seed} {scene}").sample(cells({scene: points}), SAMPLE)
    results = [result async for result in play_all(sample, mongo_uri, folder, AT_ONCE)]
    assert [(str(result.cell), *map(str, result.wrong)) for result in results if result.wrong] == []
    assert any(result.fired for result in results)
