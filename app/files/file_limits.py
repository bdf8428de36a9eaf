"""Limits of reading one file."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1_000_000
OUT_OF_MEMORY = 3
"""Exit status of a process that had no memory left even for an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What one file may cost, and how much of it is read."""

    bytes: int = 20 * MEGABYTE
    """Bytes of the file itself."""
    pages: int = 100
    """Pages of a PDF; the Claude API takes no more in one request."""
    seconds: float = 30.0
    """Time for reading it, by the clock and by the processor."""
    memory: int = 768 * MEGABYTE
    """Bytes of address space of the process that reads it. The interpreter with a parser takes about 150 MB."""
    unpacked: int = 250 * MEGABYTE
    """Bytes of all parts of a workbook or document, unpacked."""
    pixels: int = 50 * MEGABYTE
    """Pixels of a decoded image; four bytes each, twice while it is scaled."""
    characters: int = 400_000
    """Characters of text that are kept (about 100,000 tokens); the rest is left out, and said to be."""
    page_characters: int = 20_000
    """The same of one page of a PDF: a dense page of a journal has 8,000."""
