"""Files of the owner on their way to the model: fetched, read, kept as they are sent, and named if that fails.

What the model was sent of a file is kept, and sent again unchanged while its message is. Once it is not, it is erased.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import structlog

from app.core.conversation.conversation import Conversation, Message
from app.core.conversation.shared_file import FileInPrompt, SharedFile
from app.core.copy import file_access, file_faults
from app.core.errors import FetchFault, FileFault, FileNotFetched, FileRefused, OutOfReach
from app.core.file_content import FileContent, FileKind, FileText
from app.core.text.cutting import cut
from app.core.text.marks import clean_file_name, mark
from app.core.turns.history import CHARS_PER_TOKEN, find_newly_asked, list_wanted_files
from app.ports import FileReader, Files, FileSource, KeptFile

log = structlog.get_logger(__name__)

LARGEST: Final = 20_000_000
"""Bytes of a file by default."""

MOST_FILES: Final = 10
"""Files of one message by default."""

MOST_PAGES: Final = 20
"""Pages of a PDF that goes to the model as such; of a longer one its text goes."""

MOST_ENCODED: Final = 20_000_000
"""Characters of all files in one request. The API takes 32 MB."""

FILE_SHARE: Final = 4
"""Divisor of the window: the share of one file. Those that a turn reads get two shares."""

IMAGE_TOKENS: Final = 1_600
PAGE_TOKENS: Final = 2_000
"""Tokens of a picture, and of a page as a picture, as the API counts them at most."""

PASSING: Final = (FetchFault.UNAVAILABLE, FileFault.FAILED)
"""Faults that may be over when somebody asks again."""

CITED: Final[Mapping[str, Any]] = {"citations": {"enabled": True}}
"""Field of a document whose pages the answer cites."""

NOT_READ: Final = "This file was not read, and the owner was told: {problem}"
PICTURE: Final = "A picture, which follows."
DOCUMENT: Final = "A document, which follows."
CUT: Final = "… (The rest did not fit here. Read on with read_file; if you have not read it all, say so.)"
NO_ROOM: Final = "(There is no room here for what stands in this file. What was said about it counts.)"
LEFT_OUT: Final = "(Read without {left_out}.)"
TEXT_ALONE: Final = "(Of a PDF this long, only the text is here: you do not see what its pages show.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAllowance:
    """Limits of what is read, for operators to choose."""

    bytes: int = LARGEST
    files: int = MOST_FILES


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What the model is sent of files, by id, and what people are told of those that could not be read."""

    prompts: Mapping[str, FileInPrompt] = field(default_factory=dict[str, FileInPrompt])
    notice: str = ""
    is_renewed: bool = False
    """True if something else is sent of a file than before, so that a new epoch has to begin."""
    new: Mapping[str, FileKind] = field(default_factory=dict[str, FileKind])
    """Kinds of the files that the turn is the first to read, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachments:
    """The parts for reading files that all turns share."""

    source: FileSource
    reader: FileReader
    files: Files
    limits: FileAllowance = FileAllowance()

    async def read(self, now: Conversation, rows: Sequence[Message], window: int) -> ReadFiles:
        """Return the files that the active turn sends. `window` is the context in tokens.

        What could not be read for a passing reason is tried again, but not while a round is open. Raise
        `StoreUnavailable` and `LostConversation`.
        """
        wanted = list_wanted_files(now, rows)
        known = {each.file: each for each in await self.files.list(now)}
        await self._release(now, [known[id_] for id_ in known.keys() - {each.id for each in wanted}])
        is_open = now.turn is not None and now.turn.rounds > 0
        again = {id_ for id_, each in known.items() if each.passing and not is_open}
        sent = {each.id: known[each.id] for each in wanted if each.id in known and each.id not in again}
        kept = await self._read_all(now, wanted, sent, window)
        after = find_newly_asked(now, rows)
        told = [kept[file.id] for file in wanted if file.seq > after or file.id in again]
        problems = dict.fromkeys(filter(None, (each.problem or each.gap for each in told)))
        notice = "\n".join(file_access.NOTICE.format(problem=each) for each in problems)
        new = {each.file: FileKind(each.kind) for each in told if each.kind}
        renewed = any(not kept[file.id].problem for file in wanted if file.id in again)
        return ReadFiles(_build_prompts(kept), notice, renewed, new)

    async def read_all(self, now: Conversation, window: int) -> ReadFiles:
        """Return all files of the owner, for an extraction, which cites nothing. The newest take up to a share.

        Of the others, a line says that they are left out. Raise as `read` does.
        """
        wanted = [file for file in now.files if file.by_owner]
        known = {each.file: each for each in await self.files.list(now)}
        kept, left = await self._read_all(now, wanted, known, window), window // FILE_SHARE
        for file in reversed(wanted):
            left -= kept[file.id].tokens
            if left < 0:
                said = mark("file", NO_ROOM, file=kept[file.id].name or file.call())
                kept[file.id] = replace(kept[file.id], content=json.dumps([_build_text(said)]), tokens=0)
        return ReadFiles(_build_prompts(kept, cites=False))

    async def forget_unshared(self, now: Conversation, read: ReadFiles) -> None:
        """Erase what was read of files that people took away meanwhile."""
        if gone := read.prompts.keys() - {each.id for each in now.files}:
            await self.files.forget(now, gone)

    async def _release(self, now: Conversation, kept: Sequence[KeptFile]) -> None:
        """Keep only the text of files that are no longer sent."""
        shared = {each.id for each in now.files}
        if gone := [each.file for each in kept if not each.text or each.file not in shared]:
            await self.files.forget(now, gone)
        for each in kept:
            if each.file not in gone and each.content:
                await self.files.keep(now, replace(each, content="", tokens=0))

    async def _read_all(
        self, now: Conversation, wanted: Sequence[SharedFile], known: Mapping[str, KeptFile], window: int
    ) -> dict[str, KeptFile]:
        """Return these files as they are sent. Those that are not kept so are read and kept."""
        kept = {id_: each for id_, each in known.items() if each.content}
        room = _Room(window=window, encoded=MOST_ENCODED - sum(len(each.content) for each in kept.values()))
        places = {file.id: place for place, file in reversed([*enumerate_by_message(wanted)])}
        for file in wanted:
            if file.id not in kept:
                kept[file.id] = await self._read(file, places[file.id], room)
                await self.files.keep(now, kept[file.id])
        return kept

    async def _read(self, file: SharedFile, place: int, room: _Room) -> KeptFile:
        """Fetch and read a file. What cannot be read becomes a note for the model, and a problem for people."""
        try:
            if place >= self.limits.files:
                raise FileNotFetched(FetchFault.TOO_MANY, self.limits.files)
            name, content = await self.open(file)
            blocks = await asyncio.to_thread(build_blocks, name, content, room.left, MOST_PAGES)
            tokens = estimate_tokens(blocks, content)
            encoded = json.dumps(blocks, ensure_ascii=False)
            if len(encoded) > room.encoded:
                raise FileNotFetched(FetchFault.TOO_LARGE, max(room.encoded, 0))
        except (FileNotFetched, FileRefused) as error:
            problem = explain(error, file.call())
            log.info("file_not_read", kind=error.reason.value)
            said = mark("file", NOT_READ.format(problem=problem), file=file.call())
            blocks, tokens = [_build_text(said)], len(said) // CHARS_PER_TOKEN
            return KeptFile(
                file=file.id,
                content=json.dumps(blocks, ensure_ascii=False),
                tokens=tokens,
                problem=problem,
                passing=error.reason in PASSING,
            )
        room.take(tokens, len(encoded))
        log.info("file_read", kind=content.kind.value, tokens=tokens)
        return KeptFile(
            file=file.id,
            content=encoded,
            tokens=tokens,
            gap=_describe_gap(name, blocks, content),
            name=clean_file_name(name),
            kind=content.kind.value,
            text=content.words,
        )

    async def read_again(self, file: SharedFile) -> FileText:
        """Return the words of a file, fetched anew. Raise `OutOfReach` with the reason."""
        try:
            name, content = await self.open(file)
        except (FileNotFetched, FileRefused) as error:
            raise OutOfReach(explain(error, file.call())) from error
        return FileText(name=name, kind=content.kind, text=content.words)

    async def open(self, file: SharedFile) -> tuple[str, FileContent]:
        """Return a file's name in its thread, and its content now. Raise `FileNotFetched` and `FileRefused`."""
        fetched = await self.source.fetch(file.id, self.limits.bytes)
        content = await self.reader.read(fetched.content, fetched.name or file.name)
        return file.call(fetched.name), content


class _Room:
    """What is left in one turn for files: tokens, and characters of the request."""

    def __init__(self, window: int, encoded: int) -> None:
        self._share, self._tokens, self.encoded = window // FILE_SHARE, 2 * window // FILE_SHARE, encoded

    @property
    def left(self) -> int:
        """Return the tokens for the next file."""
        return max(min(self._share, self._tokens), 0)

    def take(self, tokens: int, encoded: int) -> None:
        """Count a file that was read."""
        self._tokens -= tokens
        self.encoded -= encoded


def enumerate_by_message(files: Sequence[SharedFile]) -> list[tuple[int, SharedFile]]:
    """Return each file with its place in its message, from 0."""
    counted: dict[int, int] = {}
    numbered: list[tuple[int, SharedFile]] = []
    for file in files:
        counted[file.seq] = counted.get(file.seq, -1) + 1
        numbered.append((counted[file.seq], file))
    return numbered


def explain(error: FileNotFetched | FileRefused, name: str) -> str:
    """Return what people are told of a file that could not be read."""
    named = _show_name(name)
    if isinstance(error, FileNotFetched):
        return file_access.explain_fetch_fault(error, named)
    return file_faults.explain_fault(error, named)


def _show_name(name: str) -> str:
    shown = clean_file_name(name).replace("`", "'")
    return f"`{shown}`" if shown else file_access.A_FILE


def build_blocks(name: str, content: FileContent, tokens: int, pages: int) -> list[dict[str, Any]]:
    """Return the API's blocks of a file, of about so many tokens at most.

    A PDF of up to so many `pages` goes as a document, if there is room for it; otherwise its text goes. Raise
    `FileRefused` if it has none.
    """
    cost = estimate_pages(content)
    if content.kind is FileKind.IMAGE:
        return [_build_text(_name(name, PICTURE, content)), _build_source("image", content)]
    if content.kind is FileKind.PDF and content.data and len(content.pages) <= pages and cost <= tokens:
        title = clean_file_name(name)
        document = {**_build_source("document", content), **CITED, **({"title": title} if title else {})}
        return [_build_text(_name(name, DOCUMENT, content)), document]
    if content.kind is FileKind.PDF and not any(content.pages):
        raise FileRefused(FileFault.ONLY_PICTURES)
    text = _cut(content, tokens * CHARS_PER_TOKEN)
    if content.kind is FileKind.PDF:
        text = f"{text}\n{TEXT_ALONE}"
    return [_build_text(_name(name, text, content))]


def _describe_gap(name: str, blocks: Sequence[Mapping[str, Any]], content: FileContent) -> str:
    """Return what people are told of a file of which the model is not sent all; empty if it is."""
    if any(block["type"] == "document" for block in blocks):
        return ""  # the model sees the pages themselves
    is_long = any(CUT in block.get("text", "") for block in blocks)
    is_pdf = content.kind is FileKind.PDF
    return file_faults.describe_gap(_show_name(name), content.left_out, is_text_alone=is_pdf, is_long=is_long)


def _cut(content: FileContent, most: int) -> str:
    """Return the text of a file, or its beginning: whole rows of a table and whole words, so that no number is cut."""
    text = content.text
    if len(text) <= most:
        return text
    end = text.rfind("\n", 0, most + 1) if content.kind is FileKind.TABLE else -1
    return f"{text[:end] if end > 0 else cut(text, most, '')}\n{CUT}"


def estimate_tokens(blocks: Sequence[Mapping[str, Any]], content: FileContent) -> int:
    """Estimate the tokens of a file's blocks."""
    words = sum(len(block.get("text", "")) for block in blocks) // CHARS_PER_TOKEN
    kinds = {block["type"] for block in blocks}
    return words + IMAGE_TOKENS * ("image" in kinds) + estimate_pages(content) * ("document" in kinds)


def estimate_pages(content: FileContent) -> int:
    """Estimate the tokens of a PDF as a document: the API reads each page as text and as a picture."""
    return len(content.text) // CHARS_PER_TOKEN + len(content.pages) * PAGE_TOKENS


def _name(name: str, text: str, content: FileContent) -> str:
    said = "\n".join(filter(None, (text, content.left_out and LEFT_OUT.format(left_out=content.left_out))))
    return mark("file", said, file=name, kind=content.kind.value)


def _build_text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _build_source(kind: str, content: FileContent) -> dict[str, Any]:
    data = base64.b64encode(content.data).decode("ascii")
    return {"type": kind, "source": {"type": "base64", "media_type": content.media_type, "data": data}}


def _build_prompts(kept: Mapping[str, KeptFile], *, cites: bool = True) -> dict[str, FileInPrompt]:
    """Return the files as they are sent.

    The API cites all documents of a request or none: with one that was kept without citations, none is.
    """
    sent = {each.file: (json.loads(each.content), each.tokens) for each in kept.values() if each.content}
    documents = [block for blocks, _ in sent.values() for block in blocks if block["type"] == "document"]
    if not (cites and all("citations" in block for block in documents)):
        for block in documents:
            block.pop("citations", None)
    return {file: FileInPrompt(blocks=tuple(blocks), tokens=tokens) for file, (blocks, tokens) in sent.items()}


def attach(now: Conversation, rows: Iterable[Message], read: ReadFiles) -> tuple[Message, ...]:
    """Return the rows with their files, as far as those are still shared."""
    brought = dict[int, list[FileInPrompt]]()
    for file in now.files:
        if file.by_owner and file.id in read.prompts:
            brought.setdefault(file.seq, []).append(read.prompts[file.id])
    return tuple(replace(row, brought=tuple(brought[row.seq])) if row.seq in brought else row for row in rows)
