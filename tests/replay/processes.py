"""The two trees and their processes: this one, and the reference, which is checked out into a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parents[2]
PROGRAM = ("app", "handlers", "store")
"""What the reference gives; the replay itself is this tree's in both."""


@contextmanager
def reference(ref: str) -> Generator[Path]:
    """The program as it was at a git ref, with this tree's replay beside it, for the length of the block."""
    packed = subprocess.run(["git", "archive", ref, *PROGRAM], cwd=HERE, capture_output=True, check=False)
    if packed.returncode:
        raise SystemExit(f"no reference tree: {packed.stderr.decode().strip()}")
    with TemporaryDirectory(prefix="threadwise-replay-") as folder:
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        shutil.copytree(HERE / "tests" / "replay", Path(folder) / "tests" / "replay")
        for beside in ("__init__.py", "memory_store.py", "virtual.py"):
            shutil.copy(HERE / "tests" / beside, Path(folder) / "tests" / beside)
        yield Path(folder)


def lines_of(tree: Path, *words: str) -> Iterator[Any]:
    """What the process of a tree writes, line by line, read from JSON. Raises `SystemExit` if it fails."""
    child = _begin(tree, words)
    return _read(child, tree)


def _begin(tree: Path, words: tuple[str, ...]) -> subprocess.Popen[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tests.replay.child", *words]
    return subprocess.Popen(command, cwd=tree, env=surroundings, stdout=subprocess.PIPE, text=True)


def _read(child: subprocess.Popen[str], tree: Path) -> Iterator[Any]:
    assert child.stdout is not None, "it was begun with a pipe"
    try:
        for line in child.stdout:
            yield json.loads(line)
        if child.wait():
            raise SystemExit(f"the replay failed in {tree}")
    finally:
        child.kill()
        child.wait()
