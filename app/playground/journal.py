"""Journal of what a playground saw and did, in order: a list in memory and, if asked, a file of JSON lines.

Knows nothing of what is written to it; times are Unix seconds.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Entry = dict[str, Any]


class Journal:
    """An append-only record. With a path, each entry is also a line of that file, readable while it is written."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._entries: list[Entry] = []
        self._watchers: list[Callable[[], None]] = []

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything written so far, oldest first."""
        return tuple(self._entries)

    def write(self, kind: str, **fields: Any) -> Entry:
        """Append one entry, its `kind` and `at` added, and return it. What JSON cannot say is written as its repr."""
        entry: Entry = {"kind": kind, "at": time.time(), **fields}
        self._entries.append(entry)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(entry, ensure_ascii=False, default=repr) + "\n")
        for watcher in self._watchers:
            watcher()
        return entry

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after each entry from now on, so that nobody has to poll."""
        self._watchers.append(watcher)

    def of(self, kind: str) -> list[Entry]:
        """Return the entries of one kind, oldest first."""
        return [entry for entry in self._entries if entry["kind"] == kind]
