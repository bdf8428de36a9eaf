"""Files that people share in a thread: references, and what the model is sent of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.core.text.marks import clean_file_name, clean_line

NAMELESS: Final = "file {number}"
UNNAMED: Final = "unnamed"
"""Stands for a name that Slack keeps back, among the words of whoever shared the file."""

MOST_FILES: Final = 200
"""Files that a conversation remembers, the newest."""

NAME_CHARS: Final = 100
"""Characters of a name among the words of whoever shared the file."""

ATTACHED: Final = "📎 {name}"
"""The line behind the words of a message that Slack was asked for, for each of its files."""

_ROUND: Final = str.maketrans("[]［］", "()()")
_SHARED: Final = re.compile(r"\n?\[shared: [^\n]*\]\Z")


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
    twin: int = 0
    """Its number among the files of its name in this thread, from 2; 0 for the first of them."""

    def call(self, name: str = "") -> str:
        """Return how it is called in its thread: by its name, or by this newer one."""
        told = name or self.name
        return f"{told} ({self.twin})" if told and self.twin else told


def number_files(known: Sequence[SharedFile], shared: Iterable[SharedFile]) -> tuple[SharedFile, ...]:
    """Return the files of a message, numbered where others of the thread have their names. A number stays."""
    listed, numbered = [*known], list[SharedFile]()
    for file in shared:
        namesakes = [each for each in listed if file.name and each.name.casefold() == file.name.casefold()]
        same = next((each.twin for each in namesakes if each.id == file.id), None)
        # Those from before files were numbered count, too: they are told apart by their places.
        following = max(len(namesakes), *(each.twin for each in namesakes)) + 1 if namesakes else 0
        numbered.append(replace(file, twin=following if same is None else same))
        listed.append(numbered[-1])
    return tuple(numbered)


def write_shared(names: Iterable[str]) -> str:
    """Return the line behind the words of a message that names the files with it."""
    listed = ", ".join(name or UNNAMED for name in names)
    return f"[shared: {listed}]" if listed else ""


def call_files(text: str, files: Sequence[SharedFile]) -> str:
    """Return the words of a message with its files called as they are told apart in this thread."""
    line = write_shared(file.name for file in files)
    return text.removesuffix(line) + write_shared(file.call() for file in files) if text.endswith(line) else text


def clean_shared_name(name: str) -> str:
    """Return the name as it stands in brackets among the words of whoever shared the file, and ends none."""
    return clean_line(name)[:NAME_CHARS].translate(_ROUND)


def keep_files(
    known: Sequence[SharedFile], shared: Iterable[SharedFile], *, seq: int, ts: str, by_owner: bool
) -> tuple[SharedFile, ...]:
    """Return the files of a conversation with those of this message."""
    return (*known, *(replace(each, seq=seq, ts=ts, by_owner=by_owner) for each in shared))[-MOST_FILES:]


def take_up_files(
    text: str, listed: Sequence[tuple[str, str]], known: Sequence[SharedFile]
) -> tuple[str, tuple[SharedFile, ...]]:
    """Return a message that Slack was asked for as it would have been delivered: its words, and its files.

    `listed` are Slack's ids of the files and their names, which stand below the words.
    """
    lines = "\n".join(ATTACHED.format(name=name) for _, name in listed)
    shared = number_files(known, [SharedFile(id=id_, name=clean_shared_name(name)) for id_, name in listed])
    words = text.removesuffix(lines).rstrip() if lines else text
    return "\n".join(filter(None, (words, write_shared(file.call() for file in shared)))), shared


def leave_out_files(text: str) -> str:
    """Return the words of a message without the line that names its files."""
    return _SHARED.sub("", text)


def name_files(files: Iterable[SharedFile]) -> dict[str, SharedFile]:
    """Return the files under the names by which the model asks for them, in order.

    Of several with one name from before they were numbered, the newest has it alone, and the others a number. One
    without a name is told by its place.
    """
    listed = list(dict.fromkeys(files))
    names = [clean_file_name(file.call()) or NAMELESS.format(number=place) for place, file in enumerate(listed, 1)]
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
