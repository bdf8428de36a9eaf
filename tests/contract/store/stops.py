"""A process that dies at its n-th step: a write in MongoDB, or whatever it does to a file of the erasure secrets."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import StoreUnavailable
from tests.contract.store.watched import WRITES

FILE_STEPS = frozenset({"open", "os.rename", "os.remove", "os.mkdir"})
"""What Python tells of before it is done. A file is opened for its content, and a folder to be brought to the disk."""


@dataclass
class Stops:
    """Dies before the step after so many, and does nothing any more."""

    folder: Path
    left: int
    died: bool = False

    async def before(self, step: str) -> None:
        """Is told of each step in MongoDB."""
        if step.rpartition(".")[2] in WRITES and self._dies():
            raise StoreUnavailable

    def before_file(self, event: str, path: Any) -> None:
        """Is told of each step on a file."""
        if event in FILE_STEPS and str(path).startswith(str(self.folder)) and self._dies():
            raise OSError(event)

    def _dies(self) -> bool:
        self.died |= not self.left
        self.left -= not self.died
        return self.died


_watched: list[Stops] = []


@contextmanager
def stopping(stops: Stops) -> Generator[None]:
    """Watch what is done inside."""
    if not _hooked:
        sys.addaudithook(_told)
        _hooked.append(True)
    _watched.append(stops)
    try:
        yield
    finally:
        _watched.remove(stops)


_hooked: list[bool] = []


def _told(event: str, details: tuple[Any, ...]) -> None:
    for stops in tuple(_watched):
        if details:
            stops.before_file(event, details[0])
