"""Files on their way to the model: read once, kept as their words when they are out of the window, and read again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.agent.attachments import NO_ROOM, FileDesk
from app.core.conversation.conversation import Conversation, Message
from app.core.conversation.shared_file import SharedFile
from app.core.errors import FetchFault
from app.ports import KeptFile
from store.memory import memory_store
from tests.contract.store.clock import ManualClock
from tests.unit.brought import FakeReader, FakeSource
from tests.unit.core.threads import said
from tests.unit.handlers.talks import placed, talk

WINDOW = 4_000
"""Tokens. A file may have a quarter, which is 4,000 characters."""


class Desk:
    """A thread whose owner shared a file with each of its first messages, and what reads them."""

    def __init__(self, *contents: bytes | FetchFault) -> None:
        self.store = memory_store(ManualClock())
        ids = [f"F{number}" for number in range(1, len(contents) + 1)]
        self.source = FakeSource(holds=dict(zip(ids, contents, strict=True)))
        self.desk = FileDesk(source=self.source, reader=FakeReader(), files=self.store.files)
        self.rows = tuple(said(seq, f"Look {seq}") for seq in range(1, len(contents) + 2))
        shared = enumerate(ids, 1)
        shared = enumerate(ids, 1)
        self.files = tuple(SharedFile(id=id_, name=f"{id_}.csv", seq=seq, by_owner=True) for seq, id_ in shared)

    async def begins(self, **values: Any) -> Conversation:
        return await placed(self.store, talk(1, head=len(self.rows), files=self.files, **values))

    async def kept(self, now: Conversation) -> dict[str, KeptFile]:
        return {each.file: each for each in await self.store.files.of(now)}


def sent(rows: tuple[Message, ...]) -> list[str]:
    """The words of all files that these rows bring."""
    return [str(block["text"]) for row in rows for file in row.brought for block in file.blocks]


@pytest.mark.req("IN-06")
async def test_out_of_the_window_the_words_of_a_file_stay_and_what_was_sent_goes() -> None:
    desk = Desk(b"Berlin 1200")
    now = await desk.begins()
    await desk.desk.attach(now, desk.rows, WINDOW)
    later = replace(now, since=1)
    brought = await desk.desk.attach(later, desk.rows, WINDOW)
    kept = (await desk.kept(now))["F1"]
    assert sent(brought.rows) == []
    assert (kept.content, kept.tokens, kept.text) == ("", 0, "Berlin 1200")
    await desk.desk.attach(later, desk.rows, WINDOW)
    assert desk.source.asked == ["F1"]
    back = await desk.desk.attach(now, desk.rows, WINDOW)
    assert "Berlin 1200" in sent(back.rows)[0]
    assert desk.source.asked == ["F1", "F1"]


async def test_what_was_not_read_is_forgotten_out_of_the_window() -> None:
    desk = Desk(FetchFault.HIDDEN)
    now = await desk.begins()
    await desk.desk.attach(now, desk.rows, WINDOW)
    assert await desk.kept(now)
    await desk.desk.attach(replace(now, since=1), desk.rows, WINDOW)
    assert await desk.kept(now) == {}


async def test_an_extraction_gets_the_files_out_of_the_window_too_the_newest_first_while_there_is_room() -> None:
    desk = Desk(b"a" * 3_000, b"b" * 3_000, b"c" * 400)
    now = await desk.begins(since=2)
    rows = await desk.desk.attach_all(now, desk.rows, WINDOW)
    first, second, third = sent(rows)
    assert NO_ROOM in first
    assert "bbb" in second
    assert "ccc" in third
    assert {len(each.text) for each in (await desk.kept(now)).values()} == {3_000, 400}
    assert json.loads((await desk.kept(now))["F1"].content)[0]["text"].count("a") > 2_000
    assert sent(await desk.desk.attach_all(replace(now, files=()), desk.rows, WINDOW)) == []
