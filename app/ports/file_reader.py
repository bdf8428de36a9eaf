"""The ports for the files that people bring: fetched from Slack, and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.core.file_content import FileContent


class FileReader(Protocol):
    """Reader of files from outside, which may be broken or hostile."""

    async def read(self, content: bytes, name: str) -> FileContent:
        """Return what the bytes say. Raise `FileRefused`.

        `name` serves as the title and tells apart kinds of text (Markdown, CSV); otherwise the bytes decide.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """A file as Slack gave it."""

    name: str
    content: bytes


class FileSource(Protocol):
    """Slack's files. Nothing is fetched from anywhere else."""

    async def fetch(self, id_: str, most: int) -> FetchedFile:
        """Return a file of at most `most` bytes. Raise `FileNotFetched`."""
        ...
