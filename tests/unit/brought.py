"""Fakes for files that people bring: a Slack that holds them, and a reader that takes text for tables."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.errors import FetchFault, FileFault, FileNotFetched, FileRefused
from app.core.file_content import FileContent, FileKind
from app.ports import FetchedFile


@dataclass
class FakeSource:
    """Slack's files by id: their bytes, or why they are not given. `asked` keeps the ids, in order."""

    holds: dict[str, bytes | FetchFault] = field(default_factory=dict[str, "bytes | FetchFault"])
    asked: list[str] = field(default_factory=list[str])

    async def fetch(self, id_: str, most: int) -> FetchedFile:
        self.asked.append(id_)
        held = self.holds.get(id_, FetchFault.HIDDEN)
        if isinstance(held, FetchFault):
            raise FileNotFetched(held, most)
        return FetchedFile(name=f"{id_}.csv", content=held)


@dataclass
class FakeReader:
    """A reader that has something prepared for some bytes, takes `broken` for broken, and all else for text."""

    knows: dict[bytes, FileContent] = field(default_factory=dict[bytes, FileContent])

    async def read(self, content: bytes, name: str) -> FileContent:
        if content == b"broken":
            raise FileRefused(FileFault.BROKEN)
        told = FileContent(kind=FileKind.TEXT, media_type="text/plain", title=name, text=content.decode())
        return self.knows.get(content, told)
