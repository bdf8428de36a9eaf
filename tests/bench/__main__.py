"""`python -m tests.bench`: one table for each group. The exit status says nothing about the figures."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from store.crypto.cipher import MasterKeys
from store.database.embedded import run_mongod
from tests.bench import (
    analysis,
    cost,
    crowd,
    due,
    length,
    limits,
    memory,
    permission,
    rounds,
    shapes,
    stop,
    talk,
    turn,
    unsigned,
)
from tests.bench.child import HAS_PROC
from tests.bench.stage import Lab


class Group(StrEnum):
    """What can be measured, in this order."""

    SHAPES = "shapes"
    CROWD = "crowd"
    LIMITS = "limits"
    STOP = "stop"
    LENGTH = "length"
    MEMORY = "memory"
    PERMISSION = "permission"
    ROUNDS = "rounds"
    DUE = "due"
    UNSIGNED = "unsigned"
    TURN = "turn"
    TALK = "talk"
    ANALYSIS = "analysis"
    COST = "cost"


MEASURES: Mapping[Group, Callable[[Lab], Awaitable[Table]]] = {
    Group.SHAPES: shapes.measure,
    Group.CROWD: crowd.measure,
    Group.LIMITS: limits.measure,
    Group.STOP: stop.measure,
    Group.LENGTH: length.measure,
    Group.MEMORY: memory.measure,
    Group.PERMISSION: permission.measure,
    Group.ROUNDS: rounds.measure,
    Group.DUE: due.measure,
    Group.UNSIGNED: unsigned.measure,
    Group.TURN: turn.measure,
    Group.TALK: talk.measure,
    Group.ANALYSIS: analysis.measure,
    Group.COST: cost.measure,
}
command = typer.Typer(pretty_exceptions_enable=False)
VERSIONS = ("slack-bolt", "slack-sdk", "anthropic", "aiohttp", "motor", "pydantic")


@command.command()
def bench(
    only: Annotated[list[Group] | None, typer.Option(help="Measure this group; may be given several times.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A smoke run: everything once and small.")] = False,
) -> None:
    """Measure the program beside a bare loop, in the same run and under the same load."""
    asyncio.run(_measure(only or list(Group), Console(width=None if sys.stdout.isatty() else 120), quick=quick))


async def _measure(groups: Sequence[Group], console: Console, *, quick: bool) -> None:
    began = time.monotonic()
    console.print(_machine())
    # A socket's path must be short, so the folder is not a deep one.
    with tempfile.TemporaryDirectory(prefix="tw-", ignore_cleanup_errors=True) as folder:
        async with run_mongod(Path(folder)) as uri:
            lab = Lab(Path(folder), uri, MasterKeys.generate(), quick)
            for group in groups:
                console.print()
                console.print(await MEASURES[group](lab))
                console.print(
                    f"[dim]Load of the machine after it: {_load()}. {time.monotonic() - began:.0f} s so far.[/]"
                )


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    without = "" if HAS_PROC else "\nCPU and memory are read from /proc, which this system does not have."
    return (
        f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}; load before: {_load()}"
        f"\n{packages}{without}"
    )


def _load() -> str:
    return " ".join(f"{average:.1f}" for average in os.getloadavg())


if __name__ == "__main__":
    command()
