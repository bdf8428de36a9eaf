"""What importing costs: the whole of each bot, and what each package adds to the program on its way there."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from itertools import pairwise

from tests.bench import table
from tests.bench.child import ROOT

STEPS = {
    "anthropic": "anthropic",
    "slack-bolt, slack-sdk, aiohttp": "slack_bolt.async_app, slack_bolt.adapter.socket_mode.aiohttp",
    "motor, pymongo, cryptography": "motor.motor_asyncio, cryptography.hazmat.primitives.ciphers.aead",
    "pydantic-settings, structlog, typer": "pydantic_settings, structlog, typer",
    "the program's own modules": "app.__main__, app.wiring, app.agent.claude.client",
}
"""In this order: what two of them share is counted with the first. Python itself comes before them."""
PROGRAM, BARE_LOOP = "app.__main__, app.wiring, app.agent.claude.client", "tests.bench.bare"
TIMED = """
import json, os, pathlib, sys, time
statm = pathlib.Path("/proc/self/statm")
def now():
    resident = int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else float("nan")
    return time.perf_counter(), resident, len(sys.modules)
marks = [now()]
for names in {steps!r}:
    exec("import " + names)
    marks.append(now())
print(json.dumps(marks))
"""


@dataclass(frozen=True, slots=True)
class Import:
    """What one step took and added."""

    seconds: float
    resident: float
    modules: int


ADDED = (
    table.Figure[Import]("memory", table.megabytes, lambda i: i.resident),
    table.Figure[Import]("time", table.milliseconds, lambda i: i.seconds),
    table.Figure[Import]("modules", table.number, lambda i: i.modules),
)


async def rows(repeats: int) -> list[table.Row]:
    """Import all of it, in as many fresh interpreters."""
    ours = [(await _added(PROGRAM))[0] for _ in range(repeats)]
    bare = [(await _added(BARE_LOOP))[0] for _ in range(repeats)]
    runs = [await _added(*STEPS.values()) for _ in range(repeats)]
    found = table.compared("importing all of it adds to Python", ADDED, ours, bare)
    for figure in ADDED[:2]:
        for name, step in zip(STEPS, zip(*runs, strict=True), strict=True):
            named = table.Figure[Import](name, figure.unit, figure.of)
            found += table.compared(f"{figure.what} that each step of it adds", [named], step)
    return found


async def _added(*steps: str) -> list[Import]:
    """What each step adds, in one interpreter."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", TIMED.format(steps=steps)), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    marks: list[tuple[float, float, int]] = json.loads(said)
    return [
        Import(after[0] - before[0], after[1] - before[1], after[2] - before[2]) for before, after in pairwise(marks)
    ]
