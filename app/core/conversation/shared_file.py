"""Files that people share in a thread: references, and what the model is sent of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.core.text.marks import clean_line

NAMELESS: Final = "file {number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A reference to a file in Slack. Its bytes are fetched when a turn reads them."""

    id: str
    """Slack's id."""
    name: str
    """Its name as Slack tells it; empty if Slack keeps that back."""
    seq: int = 0
    """The row of the message that it came with."""
    ts: str = ""
    """Slack's ts of that message."""
    by_owner: bool = False
    """True if the owner of the conversation shared it: then it is read before the model is asked."""


def name_files(files: Iterable[SharedFile]) -> dict[str, SharedFile]:
    """Return the files under the names by which the model asks for them, in order.

    Of several with one name, the newest has it alone, and the others a number. One without a name is told by its place.
    """
    listed = list(dict.fromkeys(files))
    names = [clean_line(file.name) or NAMELESS.format(number=place) for place, file in enumerate(listed, 1)]
    older = [names[:place].count(name) + 1 if name in names[place + 1 :] else 0 for place, name in enumerate(names)]
    labels = (f"{name} ({number})" if number else name for name, number in zip(names, older, strict=True))
    return dict(zip(labels, listed, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInPrompt:
    """What the model is sent of a file."""

    blocks: tuple[Mapping[str, Any], ...]
    """The API's content blocks."""
    tokens: int
    """How many tokens they cost, as an estimate."""
