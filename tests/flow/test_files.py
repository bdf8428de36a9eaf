"""Files that people drop into a thread: read, answered from, named if they cannot be read, and gone when they go."""

from __future__ import annotations

import asyncio
import io
import json

import pytest
from PIL import Image

from app.core.copy import texts
from app.playground.claude import CitedPages, Text, ToolCall, Turn
from app.playground.claude.api.exchange import Exchange
from app.playground.claude.api.script import Part
from app.playground.slack.values.faults import Fault
from app.playground.slack.values.model import File
from handlers.outbound.slack_files import ATTEMPTS
from handlers.slack.manifest import SCOPES
from tests.flow.called import results
from tests.flow.chat import Chat, chatting, text_of
from tests.unit.files.sample_files import make_pdf

COSTS = b"City,Rent,Staff\nBerlin,1200,40\nLisbon,937,31\n"


def asked(chat: Chat) -> str:
    """The messages of the model's last request, as it was sent them."""
    return json.dumps(chat.claude.requests[-1].body["messages"], ensure_ascii=False)


def kinds(exchange: Exchange) -> list[str]:
    """The kinds of blocks in the first message of a request."""
    content = exchange.body["messages"][0]["content"]
    return [block["type"] for block in content]


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(out, "PNG")
    return out.getvalue()


@pytest.mark.req("IN-02")
async def test_maya_drops_a_table_and_asks_and_the_model_knows_each_cell_by_its_name(chat: Chat) -> None:
    await chat.exchanges("@Threadwise which rent is lower?", "Lisbon's, by 263.", files={"costs.csv": COSTS})
    assert "B3: 937" in asked(chat)
    assert '<file from=\\"costs.csv\\" kind=\\"table\\">' in asked(chat)


@pytest.mark.req("IN-02")
async def test_a_picture_reaches_the_model_as_a_picture(chat: Chat) -> None:
    await chat.exchanges("@Threadwise what colour is it?", "It is teal.", files={"wall.png": picture()})
    assert kinds(chat.claude.requests[-1]) == ["text", "image", "text"]


@pytest.mark.req("IN-02")
async def test_an_answer_from_a_pdf_says_its_document_and_pages_and_the_next_one_builds_on_it(chat: Chat) -> None:
    dear, ada = CitedPages("18,500 euro in all", 2, 2), CitedPages("Ada", 1, 2)
    cited: list[Part] = [Text("It is dear: "), dear, Text(". Ask "), ada]
    chat.will_answer(Turn(parts=[*cited, Text(".")]), "You are welcome.")
    offer = make_pdf(["An offer by Ada", "18,500 euro"])
    root = await chat.says("@Threadwise is it dear?", files={"offer_v2.pdf": offer})
    said = "It is dear: 18,500 euro in all (offer_v2.pdf, page 2). Ask Ada (offer_v2.pdf, pages 1 to 2)."
    await chat.sees(said, thread=root)
    assert kinds(chat.claude.requests[-1]) == ["text", "document", "text"]
    await chat.says("Thanks!", thread=root)
    await chat.sees("You are welcome.", thread=root)
    replied = chat.claude.requests[-1].body["messages"][1]["content"]
    assert "".join(block["text"] for block in replied) == said
    assert all("citations" not in block for block in replied)


@pytest.mark.req("IN-04")
async def test_who_sends_a_file_alone_is_answered(chat: Chat) -> None:
    root = await chat.exchanges("@Threadwise hello", "What is it about?")
    await chat.exchanges("", "Two cities: Berlin and Lisbon.", thread=root, files={"costs.csv": COSTS})
    assert "B3: 937" in asked(chat)


@pytest.mark.req("IN-04")
async def test_a_file_that_cannot_be_read_is_named_with_the_reason_and_the_rest_is_answered(chat: Chat) -> None:
    chat.will_answer("Lisbon's.")
    files = {"setup.csv": b"MZ\x90\x00\x03\x00\x00\x00\x04\x00" * 50, "costs.csv": COSTS}
    root = await chat.says("@Threadwise which rent is lower?", files=files)
    said = await chat.sees("Lisbon's.", thread=root)
    assert "I cannot read `setup.csv`: its content is none of the kinds that I know." in said.text
    assert "This file was not read" in asked(chat)
    assert "B3: 937" in asked(chat)


async def is_told(chat: Chat, file: File, words: str) -> None:
    """Somebody asks about a file that is not given to the app: they are told why, and answered."""
    chat.will_answer("Tell me what is in it.")
    root = await chat.says("@Threadwise which rent is lower?", files=[file])
    said = await chat.sees("Tell me what is in it.", thread=root)
    assert words in said.text


@pytest.mark.req("IN-02")
async def test_operators_say_how_many_files_of_a_message_are_read(mongo_uri: str) -> None:
    async with chatting(mongo_uri, files_per_message=1) as chat:
        chat.will_answer("Lisbon's.")
        root = await chat.says(
            "@Threadwise which is lower?", files={"costs.csv": COSTS, "more.csv": b"City,Rent\nRome,1"}
        )
        said = await chat.sees("Lisbon's.", thread=root)
        assert "I did not read `more.csv`: I read at most 1 of the files of a message" in said.text
        assert "Rome" not in asked(chat)


@pytest.mark.req("IN-02")
async def test_a_file_of_a_shared_channel_that_slack_tells_nothing_of_is_looked_up(chat: Chat) -> None:
    chat.will_answer("Lisbon's.")
    file = chat.slack.people.brings("Maya", "costs.csv", COSTS, is_checked=True)
    root = await chat.says("@Threadwise which rent is lower?", files=[file])
    await chat.sees("Lisbon's.", thread=root)
    assert "B3: 937" in asked(chat)


@pytest.mark.req("IN-02")
async def test_an_older_installation_without_the_scope_says_which_one_is_missing(mongo_uri: str) -> None:
    async with chatting(mongo_uri, scopes=frozenset(SCOPES) - {"files:read"}) as chat:
        await is_told(chat, chat.slack.people.brings("Maya", "costs.csv", COSTS), "Slack's permission `files:read`")
        assert not chat.calls("files.info")


@pytest.mark.req("IN-03")
async def test_a_file_of_another_service_is_not_fetched_and_its_owner_is_told_to_upload_it(chat: Chat) -> None:
    away = "https://docs.example.com/costs.csv"
    file = chat.slack.people.brings("Maya", "costs.csv", b"", mode="external", external_url=away)
    await is_told(chat, file, "lies with another service")


@pytest.mark.req("IN-05")
async def test_a_file_is_kept_sealed_and_sent_again_as_it_was(chat: Chat) -> None:
    root = await chat.exchanges("@Threadwise which rent is lower?", "Lisbon's.", files={"costs.csv": COSTS})
    await chat.exchanges("by how much?", "By 263.", thread=root)
    first, second = (exchange.body["messages"] for exchange in chat.claude.requests[-2:])
    assert second[: len(first)] == first
    assert len(chat.calls("files.info")) == 1
    [kept] = chat.mongo[chat.settings.database]["files"].find()
    assert b"937" not in kept["sealed"]


async def nothing_is_kept(chat: Chat) -> None:
    """What was kept of files is gone, within some seconds."""
    for _ in range(100):
        if not await chat.documents("files"):
            break
        await asyncio.sleep(0.1)
    assert await chat.documents("files") == 0


@pytest.mark.req("IN-05")
async def test_a_file_that_its_owner_deletes_is_erased_here_and_no_longer_sent(chat: Chat) -> None:
    chat.will_answer("Lisbon's.", "I cannot look any more.")
    root = await chat.says("@Threadwise which rent is lower?", files={"costs.csv": COSTS})
    await chat.sees("Lisbon's.", thread=root)
    assert await chat.documents("files") == 1
    [file] = chat.slack.people.files("Maya", "#general", root)
    await chat.slack.people.deletes_file("Maya", file.id)
    await nothing_is_kept(chat)
    await chat.says("and the staff?", thread=root)
    await chat.sees("I cannot look any more.", thread=root)
    assert "937" not in asked(chat)


@pytest.mark.req("IN-05")
async def test_a_file_is_erased_with_its_message(chat: Chat) -> None:
    chat.will_answer("Hello.", "Lisbon's.", "I cannot look any more.")
    root = await chat.says("@Threadwise hello")
    await chat.sees("Hello.", thread=root)
    ts = await chat.says("which rent is lower?", thread=root, files={"costs.csv": COSTS})
    await chat.sees("Lisbon's.", thread=root)
    assert await chat.documents("files") == 1
    await chat.slack.people.deletes("Maya", "#general", ts)
    await nothing_is_kept(chat)
    await chat.says("and the staff?", thread=root)
    await chat.sees("I cannot look any more.", thread=root)
    assert "937" not in asked(chat)


@pytest.mark.req("IN-02")
async def test_stop_does_not_wait_for_a_file_that_is_being_fetched(chat: Chat) -> None:
    fetching, never, attempts = asyncio.Event(), asyncio.Event(), list[str]()

    async def hangs() -> None:
        attempts.append("files.info")
        fetching.set()
        await never.wait()

    for nth in range(1, ATTEMPTS + 1):
        chat.slack.faults.at("files.info", moment="before", act=hangs, nth=nth)
    root = await chat.says("@Threadwise which rent is lower?", files={"costs.csv": COSTS})
    await fetching.wait()
    await chat.says("stop", thread=root)
    await chat.sees(texts.STOPPED_EARLY, thread=root)
    await chat.rests()
    assert len(attempts) < ATTEMPTS
    assert not chat.claude.requests
    never.set()


@pytest.mark.req("IN-04")
async def test_a_file_that_slack_did_not_give_is_fetched_when_it_is_asked_about_again(chat: Chat) -> None:
    chat.slack.faults.add(Fault("files.info", "http_500", times=ATTEMPTS))
    chat.will_answer("I could not see it.", "Lisbon's.")
    root = await chat.says("@Threadwise which rent is lower?", files={"costs.csv": COSTS})
    said = await chat.sees("I could not see it.", thread=root)
    assert "Please ask me again in a moment." in said.text
    await chat.says("and now?", thread=root)
    said = await chat.sees("Lisbon's.", thread=root)
    assert "costs.csv" not in said.text
    assert "B3: 937" in asked(chat)


@pytest.mark.req("IN-06")
async def test_a_file_is_read_again_by_its_name_until_it_is_deleted(chat: Chat) -> None:
    again = ToolCall("read_file", {"file": "costs.csv", "first": 3})
    chat.will_answer("Lisbon's.", Turn(parts=[again]), "It is 937.", Turn(parts=[again]), "It is gone.")
    root = await chat.says("@Threadwise which rent is lower?", files={"costs.csv": COSTS})
    await chat.sees("Lisbon's.", thread=root)
    await chat.says("how much is it?", thread=root)
    await chat.sees("It is 937.", thread=root)
    [result] = chat.claude.requests[-1].body["messages"][-1]["content"]
    assert '"rows":"3 to 3 of 3"' in result["content"]
    assert "B3: 937" in result["content"]
    assert "B2: 1200" not in result["content"]
    [file] = chat.slack.people.files("Maya", "#general", root)
    await chat.slack.people.deletes_file("Maya", file.id)
    while await chat.documents("files"):
        await chat.rests()
    await chat.says("look again", thread=root)
    await chat.sees("It is gone.", thread=root)
    [result] = chat.claude.requests[-1].body["messages"][-1]["content"]
    assert "It may have been deleted" in result["content"]


async def test_two_files_of_one_name_have_two_names_for_the_model_and_for_people(chat: Chat) -> None:
    thread = await chat.exchanges("@Threadwise what do we pay?", "937.", files={"costs.csv": COSTS})
    newer = {"costs.csv": COSTS.replace(b"937", b"955")}
    await chat.exchanges("And now?", "955.", thread=thread, files=newer)
    assert '<file from=\\"costs.csv (2)\\" kind=\\"table\\">' in asked(chat)
    await chat.says("Mine differs", who="Sam", thread=thread, files={"costs.csv": b"City,Rent\nLisbon,990\n"})
    reading = [ToolCall("read_file", {"file": name}) for name in ("costs.csv", "costs.csv (2)", "costs.csv (3)")]
    chat.will_answer(Turn(parts=[*reading]), "Three rents.")
    await chat.says("What does each say?", thread=thread)
    shown = await chat.sees("Three rents.", thread=thread)
    await chat.rests()
    assert "[shared: costs.csv (3)]" in asked(chat)
    assert [words in told for words, (told, _) in zip(("937", "955", "990"), results(chat), strict=True)] == [True] * 3
    assert "costs.csv, costs.csv (2) and costs.csv (3)" in text_of(chat.now(shown))
