"""A child process, and what the kernel says of it alone: CPU seconds and resident memory, from /proc (Linux only)."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_SECONDS = 30.0
HAS_PROC = Path("/proc/self/stat").exists()


@dataclass(frozen=True, slots=True)
class Child:
    """A process that runs. The figures are nan on a system without /proc."""

    pid: int

    @property
    def cpu(self) -> float:
        """Seconds of CPU, user and system, that it has used so far, its threads included."""
        if not HAS_PROC:
            return math.nan
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> float:
        """Bytes of memory that it holds now."""
        if not HAS_PROC:
            return math.nan
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def running_python(
    arguments: Sequence[str], environment: Mapping[str, str], ready: str, log: Path
) -> AsyncGenerator[Child]:
    """Run Python for the length of the block, from the line on that begins with `ready`; its errors go to `log`.

    The environment is `environment` and nothing of ours but PATH and HOME, so no proxy and no `.env`. Raises
    `RuntimeError` with the end of the log if it does not get ready.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *arguments),
            env={**kept, "PYTHONPATH": str(ROOT), **environment},
            cwd=log.parent,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
        try:
            if not await _says(process, ready):
                raise RuntimeError(f"{arguments[1]} does not start:\n{log.read_text()[-2_000:]}")
            yield Child(process.pid)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            await process.wait()


async def _says(process: asyncio.subprocess.Process, ready: str) -> bool:
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_SECONDS):
            async for line in process.stdout:
                if line.decode().startswith(ready):
                    return True
    except TimeoutError:
        pass
    return False
