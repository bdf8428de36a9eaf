"""Padding: contents take one of few sizes, so that the size of a sealed field does not reveal what was said.

A yes and a no, and most short messages, have the same size. Padding adds at most 63 bytes, or an eighth of a long
content.
"""

from __future__ import annotations

STEP = 64  # bytes, up to `FINE`
FINE = 1024  # bytes
GROWTH = 12  # percent from one size to the next, beyond `FINE`
MARK = b"\x80"
"""Separates a content from the zeros behind it (ISO 7816-4), so that a content may end in any byte."""


def compute_size(length: int) -> int:
    """Return the smallest size, in bytes, that holds this length."""
    if length <= FINE:
        return max(-(-length // STEP), 1) * STEP
    size = FINE
    while size < length:
        size += size * GROWTH // 100
    return size


def pad(content: bytes) -> bytes:
    """Return a content, padded to the next size."""
    marked = content + MARK
    return marked.ljust(compute_size(len(marked)), b"\0")


def unpad(content: bytes) -> bytes:
    """Return the content that `pad` was given."""
    return content.rstrip(b"\0")[: -len(MARK)]
