"""The port for reading the files that people bring."""

from __future__ import annotations

from typing import Protocol

from app.core.file_content import FileContent


class FileReader(Protocol):
    """Reader of files from outside, which may be broken or hostile."""

    async def read(self, content: bytes, name: str) -> FileContent:
        """Return what the bytes say. Raise `FileRefused`.

        `name` serves as the title and tells apart kinds of text (Markdown, CSV); otherwise the bytes decide.
        """
        ...
