"""Reading a file of this thread again: by its name, in parts, as far as its owner reads the thread, and while it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import ValidationError

from app.agent.tools.context import Offer
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.agent.tools.external.read_file import LONGEST, PICTURE
from app.core.conversation.shared_file import SharedFile
from app.core.errors import OutOfReach
from app.core.file_content import PAGE_BREAK, FileKind, FileText
from tests.unit.agent.tools.outer.afield import Afield
from tests.unit.core.threads import THREAD

TABLE = "A1: City\tB1: Rent\nA2: Berlin\tB2: 1200\nA4: Lisbon\tB4: 937"


def sharing(*files: tuple[str, FileKind, str]) -> Afield:
    """A thread in which these files were shared, with their names, kinds and texts."""
    at = Afield()
    listed = tuple(SharedFile(id=f"F{number}", name=name, seq=1) for number, (name, _, _) in enumerate(files, 1))
    at.conversation = replace(at.conversation, files=listed)
    at.shared = {
        file.id: FileText(name=name, kind=kind, text=text)
        for file, (name, kind, text) in zip(listed, files, strict=True)
    }
    return at


async def refused(at: Afield, **given: object) -> str:
    with pytest.raises(OutOfReach) as caught:
        await at.does("read_file", **given)
    return str(caught.value)


@pytest.mark.req("IN-06")
async def test_rows_of_a_table_are_read_by_the_number_that_they_have_in_their_sheet() -> None:
    at = sharing(("costs.csv", FileKind.TABLE, TABLE))
    told = await at.does("read_file", file="Costs.csv ", first=2, last=4)
    assert told["text"] == "A2: Berlin\tB2: 1200\nA4: Lisbon\tB4: 937"
    assert told["query"] == {"file": "costs.csv", "rows": "2 to 4 of 4"}
    assert at.came_from == (THREAD.channel,), "others may read it who read the thread"


@pytest.mark.req("IN-06")
async def test_pages_of_a_pdf_and_lines_of_a_text_are_read_by_their_number() -> None:
    offer = ("offer.pdf", FileKind.PDF, PAGE_BREAK.join(("One", "Two", "Three")))
    at = sharing(offer, ("memo.txt", FileKind.TEXT, "Hello\n\nBye"))
    assert (await at.does("read_file", file="offer.pdf", first=2, last=2))["text"] == "Page 2\nTwo"
    told = await at.does("read_file", file="memo.txt", first=3)
    assert (told["text"], told["query"]["lines"]) == ("Bye", "3 to 3 of 3")
    assert "the file has pages 1 to 3" in await refused(at, file="offer.pdf", first=4)


@pytest.mark.req("IN-06")
async def test_a_long_file_is_read_piece_by_piece() -> None:
    lines = [f"{number} {'x' * 1_000}" for number in range(1, 31)]
    at = sharing(("long.txt", FileKind.TEXT, "\n".join(lines)))
    read, first = list[str](), 1
    while True:
        told = await at.does("read_file", file="long.txt", first=first)
        assert len(told["text"]) <= LONGEST
        read.append(told["text"])
        if "Read on from" not in told["action"]:
            break
        following = int(told["action"].split()[3])
        assert told["query"]["lines"] == f"{first} to {following - 1} of 30"
        first = following
    assert told["query"]["lines"] == f"{first} to 30 of 30"
    assert "\n".join(read).split("\n") == lines


@pytest.mark.req("IN-06")
async def test_a_file_that_is_gone_is_refused_kindly_with_the_names_of_the_others() -> None:
    at = sharing(("memo.txt", FileKind.TEXT, "Hello"), ("plan.png", FileKind.IMAGE, ""))
    assert "may have been deleted" in await refused(at, file="board.xlsx")
    assert "There are: memo.txt, plan.png." in await refused(at, file="board.xlsx")
    assert await refused(at, file="plan.png") == PICTURE
    at.shared = {}
    assert await refused(at, file="memo.txt") == "It was deleted."
    assert "There are: none." in await refused(Afield(), file="memo.txt")


@pytest.mark.req("IN-06")
async def test_an_owner_who_no_longer_reads_the_channel_reads_no_file_of_it() -> None:
    at = sharing(("memo.txt", FileKind.TEXT, "Hello"))
    at.reach.spots = {}
    assert await refused(at, file="memo.txt") == "nowhere"


@pytest.mark.req("IN-06")
def test_files_can_be_read_again_in_free_threads_and_in_steps() -> None:
    assert all("read_file" in select_tools(EXTERNAL_TOOLS, offer) for offer in (Offer.FREE, Offer.STEPS))


def test_no_file_begins_before_its_first_part() -> None:
    with pytest.raises(ValidationError):
        EXTERNAL_TOOLS["read_file"].input.model_validate({"file": "x", "first": 0})
