"""Files on their way to the model: read once, kept as their words when they are out of the window, and read again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from app.agent.attachments import CUT, NO_ROOM, TEXT_ALONE, Attachments, FileAllowance, ReadFiles, attach
from app.core.conversation.conversation import Conversation, Turn
from app.core.conversation.shared_file import SharedFile
from app.core.errors import FetchFault
from app.core.file_content import FileContent, FileKind
from app.ports import KeptFile
from tests.contract.store.clock import ManualClock
from tests.memory_store import memory_store
from tests.unit.brought import FakeReader, FakeSource
from tests.unit.core.threads import reply, said
from tests.unit.handlers.talks import placed, talk

WINDOW = 4_000
"""Tokens. A file may have a quarter, which is 4,000 characters."""


class Reader:
    """A thread whose owner shared a file with each of its first messages, and what reads them."""

    def __init__(self, *contents: bytes | FetchFault) -> None:
        self.store = memory_store(ManualClock())
        ids = [f"F{number}" for number in range(1, len(contents) + 1)]
        self.source = FakeSource(holds=dict(zip(ids, contents, strict=True)))
        self.attachments = Attachments(source=self.source, reader=FakeReader(), files=self.store.files)
        self.rows = tuple(said(seq, f"Look {seq}") for seq in range(1, len(contents) + 2))
        shared = enumerate(ids, 1)
        self.files = tuple(SharedFile(id=id_, name=f"{id_}.csv", seq=seq, by_owner=True) for seq, id_ in shared)

    def reads(self, knows: dict[bytes, FileContent]) -> None:
        """Let the reader make this of some bytes."""
        self.attachments = replace(self.attachments, reader=FakeReader(knows))

    async def begins(self, **values: Any) -> Conversation:
        return await placed(self.store, talk(1, head=len(self.rows), files=self.files, **values))

    async def kept(self, now: Conversation) -> dict[str, KeptFile]:
        return {each.file: each for each in await self.store.files.list(now)}


def sent(read: ReadFiles) -> list[str]:
    """The words that are sent of all files, by id."""
    return [str(block["text"]) for _, file in sorted(read.prompts.items()) for block in file.blocks]


@pytest.mark.req("IN-06", "IN-05")
async def test_out_of_the_window_the_words_of_a_file_stay_and_what_was_sent_goes() -> None:
    attachments = Reader(b"Berlin 1200")
    now = await attachments.begins()
    await attachments.attachments.read(now, attachments.rows, WINDOW)
    later = replace(now, since=1)
    assert sent(await attachments.attachments.read(later, attachments.rows, WINDOW)) == []
    kept = (await attachments.kept(now))["F1"]
    assert (kept.content, kept.tokens, kept.text) == ("", 0, "Berlin 1200")
    await attachments.attachments.read(later, attachments.rows, WINDOW)
    assert attachments.source.asked == ["F1"]
    [back] = sent(await attachments.attachments.read(now, attachments.rows, WINDOW))
    assert "Berlin 1200" in back
    assert attachments.source.asked == ["F1", "F1"]


@pytest.mark.req("IN-05")
async def test_in_the_window_a_file_is_sent_again_as_it_was_and_not_fetched_again_whatever_has_become_of_it() -> None:
    attachments = Reader(b"Berlin 1200")
    now = await attachments.begins()
    first = sent(await attachments.attachments.read(now, attachments.rows, WINDOW))
    attachments.source.holds["F1"] = b"Berlin 1400"
    assert sent(await attachments.attachments.read(now, attachments.rows, WINDOW)) == first
    assert attachments.source.asked == ["F1"]


@pytest.mark.req("IN-05")
async def test_of_a_file_that_is_not_shared_any_more_nothing_is_kept() -> None:
    attachments = Reader(b"Berlin 1200", b"Lisbon 937")
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, WINDOW)
    left = replace(now, files=now.files[1:])
    assert [len(row.brought) for row in attach(left, attachments.rows, read)] == [0, 1, 0]
    await attachments.attachments.forget_unshared(left, read)
    assert set(await attachments.kept(now)) == {"F2"}
    await attachments.attachments.read(replace(now, files=()), attachments.rows, WINDOW)
    assert await attachments.kept(now) == {}


@pytest.mark.req("IN-02")
async def test_a_file_that_somebody_else_shared_is_neither_fetched_nor_sent() -> None:
    attachments = Reader(b"Berlin 1200")
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, WINDOW)
    theirs = replace(now, files=(replace(now.files[0], by_owner=False),))
    assert [len(row.brought) for row in attach(theirs, attachments.rows, read)] == [0, 0]
    attachments.source.asked.clear()
    assert sent(await attachments.attachments.read(theirs, attachments.rows, WINDOW)) == []
    assert sent(await attachments.attachments.read_all(theirs, WINDOW)) == []
    assert attachments.source.asked == []


@pytest.mark.req("IN-04", "IN-02")
async def test_of_too_many_files_in_one_message_the_first_are_read_and_the_others_are_named() -> None:
    attachments = Reader(b"Berlin 1200", b"Lisbon 937", b"Rome 800")
    now = await attachments.begins()
    together = replace(now, files=(now.files[0], replace(now.files[1], seq=1), now.files[2]))
    one = replace(attachments.attachments, limits=FileAllowance(files=1))
    read = await one.read(together, attachments.rows, WINDOW)
    assert attachments.source.asked == ["F1", "F3"], "each message has its own"
    assert "`F2.csv`" in read.notice
    assert "Lisbon" not in str(sent(read))
    assert f"This file was not read, and the owner was told: {read.notice.removeprefix('📎 ')}" in sent(read)[1]


async def test_what_was_not_read_is_forgotten_out_of_the_window() -> None:
    attachments = Reader(FetchFault.HIDDEN)
    now = await attachments.begins()
    await attachments.attachments.read(now, attachments.rows, WINDOW)
    assert await attachments.kept(now)
    await attachments.attachments.read(replace(now, since=1), attachments.rows, WINDOW)
    assert await attachments.kept(now) == {}


@pytest.mark.req("IN-04")
async def test_what_slack_did_not_give_just_now_is_fetched_again_when_somebody_asks_again() -> None:
    attachments = Reader(FetchFault.UNAVAILABLE, FetchFault.HIDDEN)
    now = await attachments.begins()
    assert "just now" in (await attachments.attachments.read(now, attachments.rows, WINDOW)).notice
    again = await attachments.attachments.read(now, attachments.rows, WINDOW)
    assert (attachments.source.asked, again.is_renewed) == (["F1", "F2", "F1"], False)
    attachments.source.holds["F1"] = b"Berlin 1200"
    open_ = replace(now, turn=Turn(id="9.1", reply=9, rounds=1))
    assert not (await attachments.attachments.read(open_, attachments.rows, WINDOW)).is_renewed, (
        "what is sent stays while a round is open"
    )
    read = await attachments.attachments.read(now, attachments.rows, WINDOW)
    assert read.is_renewed
    assert any("Berlin 1200" in text for text in sent(read))
    assert "just now" not in read.notice
    assert not (await attachments.attachments.read(now, attachments.rows, WINDOW)).is_renewed


@pytest.mark.req("IN-07")
async def test_a_file_is_new_to_the_turn_that_answers_it_if_it_could_be_read() -> None:
    attachments = Reader(b"Berlin 1200", b"broken")
    now = await attachments.begins()
    assert (await attachments.attachments.read(now, attachments.rows, WINDOW)).new == {"F1": FileKind.TEXT}
    answered = (*attachments.rows, reply(4, "I see."))
    assert (await attachments.attachments.read(replace(now, head=4), answered, WINDOW)).new == {}


PDF = FileContent(kind=FileKind.PDF, media_type="application/pdf", title="", text="x", pages=("x",), data=b"%PDF-")


def cites(read: ReadFiles) -> list[bool]:
    """Whether each document of a request asks for citations."""
    blocks = [block for _, file in sorted(read.prompts.items()) for block in file.blocks]
    return ["citations" in block for block in blocks if block["type"] == "document"]


def of(kind: FileKind, text: str, **more: Any) -> FileContent:
    return FileContent(kind=kind, media_type="", title="", text=text, **more)


ROWS = "\n".join(f"A{number}: Berlin\tB{number}: 12{number:03}.5" for number in range(1, 400))


@pytest.mark.req("IN-02", "IN-06")
@pytest.mark.parametrize(
    ("content", "last"),
    [
        (of(FileKind.TABLE, ROWS), r"B\d+: 12\d{3}\.5"),
        (of(FileKind.TABLE, f"A1: {'12345.5 ' * 900}"), r".* 12345\.5"),
        (of(FileKind.TEXT, "12345.5 " * 900), r"12345\.5"),
        (of(FileKind.PDF, "12345.5 " * 900, pages=("12345.5 " * 900,) * 30), r"12345\.5"),
    ],
)
async def test_no_number_is_cut_where_a_file_is_too_long_and_people_are_told_that_it_is(
    content: FileContent, last: str
) -> None:
    attachments = Reader(b"long")
    attachments.reads({b"long": content})
    read = await attachments.attachments.read(await attachments.begins(), attachments.rows, WINDOW)
    shown = sent(read)[0].partition(f"\n{CUT}")[0].split(">", 1)[1]
    assert content.text.startswith(shown)
    assert 2_000 < len(shown) <= WINDOW
    assert re.search(f"(?:^|\\s){last}$", shown)
    it = "It" if content.kind is FileKind.PDF else "`F1.csv`"
    assert f"{it} is long: I have its beginning in view, and look up the rest when I need it." in read.notice


@pytest.mark.req("IN-02", "IN-04")
async def test_people_are_told_once_what_was_left_out_of_a_file() -> None:
    attachments = Reader(b"memo", b"scan", b"many", b"few")
    few = ("x",) * 2
    contents = {
        b"memo": of(FileKind.DOCUMENT, "Hello", left_out="its comments"),
        b"scan": of(FileKind.PDF, "(nothing)", pages=("",) * 30, data=b"%PDF-"),
        b"many": of(FileKind.PDF, "x", pages=("x",) * 30, data=b"%PDF-"),
        b"few": of(FileKind.PDF, "x", pages=few, data=b"%PDF-", left_out="the text of page 2"),
    }
    attachments.reads(contents)
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, 100_000)
    assert read.notice.split("\n") == [
        "📎 I read `F1.csv` without its comments.",
        "📎 `F2.csv` is made of pictures of pages, as from a scanner, and there are too many for me to look at. Please "
        "send fewer pages, or a copy with text in it.",
        "📎 Of `F3.csv` I read the text alone and not its pictures, because it is long.",
    ]
    assert "(Read without its comments.)" in sent_of(read, "F1")
    assert TEXT_ALONE in sent_of(read, "F3")
    assert [block["type"] for block in read.prompts["F4"].blocks] == ["text", "document"]
    later = (*attachments.rows, reply(6, "I read them."), said(7, "And?"))
    assert (await attachments.attachments.read(replace(now, head=7), later, 100_000)).notice == ""


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(("pages", "kinds"), [(20, ["text", "document"]), (21, ["text"])])
async def test_a_pdf_of_twenty_pages_goes_as_it_is_and_of_a_longer_one_the_text_however_much_room_there_is(
    pages: int, kinds: list[str]
) -> None:
    attachments = Reader(b"offer")
    attachments.reads({b"offer": of(FileKind.PDF, "x", pages=("x",) * pages, data=b"%PDF-")})
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, 1_000_000)
    assert [block["type"] for block in read.prompts["F1"].blocks] == kinds


@pytest.mark.req("IN-04")
async def test_a_process_that_takes_over_before_the_answer_tells_what_was_left_out() -> None:
    attachments = Reader(b"memo")
    attachments.reads({b"memo": of(FileKind.DOCUMENT, "Hello", left_out="its comments")})
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, WINDOW)
    taken_over = await attachments.attachments.read(now, attachments.rows, WINDOW)
    assert taken_over.notice == read.notice == "📎 I read `F1.csv` without its comments."


def sent_of(read: ReadFiles, file: str) -> str:
    return str(read.prompts[file].blocks[0]["text"])


@pytest.mark.req("IN-02")
async def test_documents_are_cited_by_their_names_and_in_an_extraction_they_are_not() -> None:
    attachments = Reader(b"offer")
    attachments.reads({b"offer": PDF})
    now = await attachments.begins()
    read = await attachments.attachments.read(now, attachments.rows, WINDOW * 4)
    document = read.prompts["F1"].blocks[1]
    assert (document["title"], document["citations"]) == ("F1.csv", {"enabled": True})
    assert cites(await attachments.attachments.read_all(now, WINDOW * 4)) == [False]


@pytest.mark.req("IN-02")
async def test_beside_a_document_that_was_kept_without_citations_none_asks_for_them() -> None:
    attachments = Reader(b"offer", b"plan")
    attachments.reads({b"offer": PDF, b"plan": PDF})
    now = await attachments.begins()
    assert cites(await attachments.attachments.read(now, attachments.rows, WINDOW * 4)) == [True, True]
    old = (await attachments.kept(now))["F1"]
    blocks = [{name: each for name, each in block.items() if name != "citations"} for block in json.loads(old.content)]
    await attachments.store.files.keep(now, replace(old, content=json.dumps(blocks)))
    assert cites(await attachments.attachments.read(now, attachments.rows, WINDOW * 4)) == [False, False]


@pytest.mark.req("IN-06")
async def test_an_extraction_gets_the_files_out_of_the_window_too_the_newest_first_while_there_is_room() -> None:
    attachments = Reader(b"a" * 3_000, b"b" * 3_000, b"c" * 400)
    now = await attachments.begins(since=2)
    first, second, third = sent(await attachments.attachments.read_all(now, WINDOW))
    assert NO_ROOM in first
    assert "bbb" in second
    assert "ccc" in third
    assert {len(each.text) for each in (await attachments.kept(now)).values()} == {3_000, 400}
    assert json.loads((await attachments.kept(now))["F1"].content)[0]["text"].count("a") > 2_000
