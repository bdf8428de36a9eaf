"""What importing costs: the whole of each bot and its heaviest packages, each in an interpreter of its own."""

from __future__ import annotations

import asyncio
import json
import sys

from tests.bench import table
from tests.bench.child import ROOT

WHOLE = ("app.__main__, app.wiring", "tests.bench.bare")
"""Everything of the program, and of the bare loop."""
PACKAGES = {
    "Python itself": "sys",
    "aiohttp": "aiohttp",
    "slack-bolt": "slack_bolt.adapter.socket_mode.aiohttp, slack_bolt.async_app",
    "anthropic": "anthropic",
    "motor": "motor.motor_asyncio",
    "pydantic-settings": "pydantic_settings",
    "cryptography": "cryptography.hazmat.primitives.ciphers.aead",
    "typer": "typer",
}
TIMED = """
import time
began = time.perf_counter()
import {modules}
took = time.perf_counter() - began
import json, os, pathlib, sys
statm = pathlib.Path("/proc/self/statm")
resident = int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else float("nan")
print(json.dumps([took, resident, len(sys.modules)]))
"""


Import = tuple[float, float, float]
"""Seconds, bytes of the whole interpreter, modules."""
COSTS = (
    table.Figure[Import]("seconds", table.milliseconds, lambda i: i[0]),
    table.Figure[Import]("memory", table.megabytes, lambda i: i[1]),
    table.Figure[Import]("modules", table.number, lambda i: i[2]),
)


async def whole(repeats: int) -> list[table.Row]:
    """Measure both bots."""
    ours, bare = [await _measured(each, repeats) for each in WHOLE]
    return table.compared("importing all of it", COSTS, ours, bare)


async def packages(repeats: int) -> list[table.Row]:
    """Measure each heavy package, with what it brings along."""
    rows: list[table.Row] = []
    for name, modules in PACKAGES.items():
        rows += table.compared(f"importing {name} alone", COSTS, await _measured(modules, repeats))
    return rows


async def _measured(modules: str, repeats: int) -> list[Import]:
    return [await _run(modules) for _ in range(repeats)]


async def _run(modules: str) -> Import:
    code = TIMED.format(modules=modules)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    took, resident, modules_there = json.loads(said)
    return took, resident, modules_there
