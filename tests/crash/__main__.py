"""The whole crash matrix, as a table of point and verdict.

    python -m tests.crash [--sample N] [--seed N] [--at-once N] [--only WORDS]

`--only` plays the cells whose name holds these words, such as "queued, after slack:chat.update #1 (http".
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.crash.matrix import Result, cells, play_all, points_of
from tests.crash.points import Point, step
from tests.crash.scenes import SCENES
from tests.mongo import running_mongod


async def run(uri: str, folder: Path, asked: argparse.Namespace) -> list[Result]:
    """Find the points, play the cells, and show how far it is."""
    played = [scene for scene in SCENES if scene in asked.only] or SCENES
    points = {scene: await points_of(scene, uri, folder / scene) for scene in played}
    chosen = [cell for cell in cells(points) if asked.only in str(cell)]
    random.Random(asked.seed).shuffle(chosen)
    chosen = chosen[: asked.sample or None]
    print(f"seed {asked.seed}: {len(chosen)} cells of {sum(map(len, points.values()))} points in {len(points)} scenes")
    results: list[Result] = []
    async for result in play_all(chosen, uri, folder, asked.at_once):
        results.append(result)
        for wrong in result.wrong:
            print(f"✗ {result.cell}: {wrong}", flush=True)
        if sys.stderr.isatty() or not len(results) % 100:
            print(f"{len(results)}/{len(chosen)}", end="\r", file=sys.stderr, flush=True)
    return results


def table(results: Sequence[Result]) -> list[str]:
    """A row for each kind of point, a column for each scene: how many kills ended well."""
    rows: dict[tuple[int, str], dict[str, list[Result]]] = {}
    for result in results:
        row = rows.setdefault(_row(result.cell.point), {})
        row.setdefault(result.cell.scene, []).append(result)
    head = f"{'step, killed':<54}" + "".join(f"{scene:>10}" for scene in SCENES)
    lines = [
        f"{number}  {name:<51}" + "".join(f"{_shown(row.get(scene, ())):>10}" for scene in SCENES)
        for (number, name), row in sorted(rows.items())
    ]
    return [head, *lines]


def _row(point: Point) -> tuple[int, str]:
    return step(point), f"{point.moment} {point.side}:{point.name}"


def _shown(results: Sequence[Result]) -> str:
    fired = [result for result in results if result.fired]
    wrong = sum(bool(result.wrong) for result in results)
    return f"✗ {wrong}/{len(results)}" if wrong else str(len(fired)) if fired else "-" if results else ""


def summary(results: Sequence[Result], seconds: float) -> list[str]:
    """The figures of a run."""
    fired = [result for result in results if result.fired]
    figures = {
        "cells played": len(results),
        "processes killed": len(fired),
        "point not reached": len(results) - len(fired),
        "answered by itself": sum(not result.retried for result in fired),
        "answered after Retry": sum(result.retried for result in fired),
        "wrong": sum(bool(result.wrong) for result in results),
        "seconds": round(seconds),
    }
    return [f"{name:<22}{number:>8}" for name, number in figures.items()]


def main() -> int:
    """Run it, print table and figures, exit 1 if anything is wrong."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--sample", type=int, default=0, help="play so many cells, chosen by the seed; 0: all")
    ask.add_argument("--seed", type=int, default=int(time.time()))
    ask.add_argument("--at-once", type=int, default=8)
    ask.add_argument("--only", default="")
    asked = ask.parse_args()
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder,
        running_mongod(Path(folder)) as uri,
    ):
        results = asyncio.run(run(uri, Path(folder), asked))
    print(*table(results), "", *summary(results, time.monotonic() - began), sep="\n")
    return 1 if any(result.wrong for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
