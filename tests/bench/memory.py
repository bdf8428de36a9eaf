"""Group 5: memory of the idle process and of an open stream, and what importing costs."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from app.playground.claude import Gate
from tests.bench import table
from tests.bench.answers import Answer, paragraph
from tests.bench.child import ROOT, running_python
from tests.bench.sight import Sight
from tests.bench.stage import BARE, BOTS, OURS, WHO, Bot, Lab, Stage, at_work, prepared

IDLE_SECONDS = 2.0
SHOWN_FIRST = 100
"""Characters of an answer after which its stream is held open."""
ANSWER = paragraph(0)
NOTE = """Resident memory of the bot alone; MongoDB is a process of its own. A stream is open while the model speaks and its first words
are in Slack. Imports: each in a fresh interpreter, on top of nothing, so the lines do not add up."""

PACKAGES = (
    ("Python itself", "sys"),
    ("aiohttp", "aiohttp"),
    ("slack-bolt", "slack_bolt.adapter.socket_mode.aiohttp"),
    ("anthropic", "anthropic"),
    ("motor", "motor.motor_asyncio"),
    ("pydantic and its settings", "pydantic_settings"),
    ("cryptography", "cryptography.hazmat.primitives.ciphers.aead"),
    ("typer and rich", "typer"),
)
WHOLE = {OURS: "app.wiring, app.__main__", BARE: "tests.bench.bare"}
TIMED_IMPORT = """
import json, os, sys, time
began = time.perf_counter()
import {modules}
took = time.perf_counter() - began
pages = int(open("/proc/self/statm").read().split()[1]) if os.path.exists("/proc/self/statm") else float("nan")
print(json.dumps([took, pages * os.sysconf("SC_PAGE_SIZE"), len(sys.modules)]))
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many streams are held open, and how often an import is timed."""

    streams: int
    imports: int


FULL = Plan(50, 3)
QUICK = Plan(10, 1)


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes: of the idle process, and of each stream that is open."""

    idle: float
    stream: float
