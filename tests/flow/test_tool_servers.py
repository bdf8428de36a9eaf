"""Tools of servers that operators have connected: asked about on a card, used once, and trusted with nothing more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.cli.demo.served_demo import add_tool_server
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from handlers.slack import action_ids
from tests.contract.mcp.serving import describe, done
from tests.flow.chat import Chat, chatting, text_of, unread_settings
from tests.flow.deciding import opens
from tests.flow.permitting import ALLOW, ALWAYS, NEVER, WAIT, asked, decides, final, posting, told, using, wants


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    return tmp_path / "noted"


@asynccontextmanager
async def connected(mongo_uri: str, noted: Path, how: str = "kind") -> AsyncGenerator[Chat]:
    """The program with a server "board" that behaves so, of which `look` is declared as reading."""
    file = noted.with_suffix(".json")
    file.write_text(json.dumps({"mcpServers": {"board": describe(how, noted, "look")}}))
    async with chatting(mongo_uri, lease_seconds=6.0, mcp_config=str(file)) as chat:
        yield chat


def putting(title: str = "Broken lamp", **more: object) -> tuple[str, dict[str, object]]:
    return ("board__put_ticket", {"title": title, **more})


@pytest.mark.req("IN-09")
async def test_a_call_is_asked_about_with_server_tool_and_arguments_and_done_once_it_is_allowed(
    mongo_uri: str, noted: Path
) -> None:
    async with connected(mongo_uri, noted) as chat:
        thread = await wants(chat, using(putting(urgent=True)), "It stands on the board.", said="put up a ticket")
        card = text_of(await asked(chat, thread))
        assert "use “put ticket” of the server board?" in card
        assert "title: Broken lamp\nurgent: yes\nThe server board says of it: “Puts a ticket on the board.”" in card
        assert "Always = using “put ticket” of the server board, for you only" in card
        assert done(noted) == []
        await decides(chat, thread, ALLOW)
        await final(chat, thread, "It stands on the board.")
        assert done(noted) == [{"name": "put_ticket", "arguments": {"title": "Broken lamp", "urgent": True}}]
        assert "done: " in told(chat)[-1][0]


@pytest.mark.req("IN-09")
async def test_a_server_for_another_team_is_neither_started_nor_offered(mongo_uri: str, noted: Path) -> None:
    known = {"board": describe("kind", noted, "look"), "theirs": {**describe("kind", noted), "teams": ["T0OTHERS"]}}
    file = noted.with_suffix(".json")
    file.write_text(json.dumps({"mcpServers": known}))
    async with chatting(mongo_uri, mcp_config=str(file), denied_tools="theirs__put_ticket") as chat:
        chat.will_answer("Hello, Maya.")
        root = await chat.says("@Threadwise hello")
        await chat.sees("Hello, Maya.", thread=root)
        offered = {tool["name"] for tool in chat.claude.requests[-1].body["tools"]}
        assert "board__look" in offered
        assert not any(name.startswith("theirs__") for name in offered)


@pytest.mark.req("IN-09")
async def test_a_tool_that_is_declared_as_reading_is_used_without_asking(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        chat.will_answer(using(("board__look", {})), "The board is empty.")
        thread = await chat.says("@Threadwise what is on the board?")
        await final(chat, thread, "The board is empty.")
        assert done(noted) == [{"name": "look", "arguments": {}}]


@pytest.mark.req("IN-09")
async def test_each_of_the_four_choices_holds_for_one_tool_of_one_server(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        thread = await wants(chat, using(putting("one")), "Done one.", said="put up one")
        await decides(chat, thread, ALWAYS)
        await final(chat, thread, "Done one.")
        chat.will_answer(using(putting("two")), "Done two.")
        thread = await chat.says("@Threadwise put up two")
        await final(chat, thread, "Done two.")
        assert [each["arguments"]["title"] for each in done(noted)] == ["one", "two"]
        chat.will_answer(using(putting("three")), "Done three.")
        await chat.says("put up three as well", thread=thread)
        await final(chat, thread, "Done three.")
        thread = await wants(chat, using(("board__drop", {"title": "x"})), "Not dropped.", said="drop it")
        assert "“drop” of the server board" in text_of(await asked(chat, thread))
        await decides(chat, thread, WAIT)


@pytest.mark.req("IN-09")
async def test_what_a_server_said_is_asked_about_before_it_goes_elsewhere(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        look = using(("board__look", {}))
        thread = await wants(chat, look, posting("The board is empty."), "Not posted.", said="tell #ops what is there")
        assert "“look” of the server board does not say where this came from" in text_of(await asked(chat, thread))
        await decides(chat, thread, NEVER)
        await final(chat, thread, "Not posted.")


@pytest.mark.req("IN-09", "AG-09")
async def test_a_card_of_several_calls_names_where_their_words_are_from_and_counts_those_that_can_be_done(
    mongo_uri: str, noted: Path
) -> None:
    async with connected(mongo_uri, noted) as chat:
        chat.will_answer(using(("read_channel", {"channel": "#ops"})))
        several = using(putting("Lamp"), putting("Door"), putting("Key", colour="red"))
        thread = await wants(chat, several, "Two stand on the board.", said="put up what is open in #ops")
        card = text_of(await asked(chat, thread))
        assert "(1 of 2)" in card
        assert "This was read in #ops, which everybody in the workspace can read. The server board may" in card
        assert "2. use “put ticket” of the server board (“title: Door”)" in card
        assert card.count("Puts a ticket on the board.") == 1


@pytest.mark.req("IN-09")
async def test_wait_and_never_do_nothing_at_the_server(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        thread = await wants(chat, using(putting("one")), said="put up one")
        await decides(chat, thread, WAIT)
        await chat.rests()
        thread = await wants(chat, using(putting("two")), "Not done.", said="put up two")
        await decides(chat, thread, NEVER)
        await final(chat, thread, "Not done.")
        chat.will_answer(using(putting("three")), "I may not.")
        thread = await chat.says("@Threadwise put up three")
        await final(chat, thread, "I may not.")
        assert done(noted) == []


@pytest.mark.req("IN-10")
async def test_a_changed_description_takes_back_always_and_leaves_never(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted, "changes") as chat:
        thread = await wants(chat, using(putting("one")), "Done one.", said="put up one")
        await decides(chat, thread, ALWAYS)
        await final(chat, thread, "Done one.")
        noted.with_suffix(".changed").touch()
        await chat.stops()
        await chat.starts()
        thread = await wants(chat, using(putting("two")), "Done two.", said="put up two")
        card = text_of(await asked(chat, thread, "Since then the server has changed what it says of this tool"))
        assert "First send it all that was said" in card
        await decides(chat, thread, NEVER)
        await final(chat, thread, "Done two.")
        noted.with_suffix(".changed").unlink()
        await chat.stops()
        await chat.starts()
        chat.will_answer(using(putting("three")), "I may not.")
        thread = await chat.says("@Threadwise put up three")
        await final(chat, thread, "I may not.")
        assert [each["arguments"]["title"] for each in done(noted)] == ["one"]


@pytest.mark.req("AG-19")
async def test_other_tools_of_a_server_begin_an_epoch_and_the_same_ones_do_not(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted, "changes") as chat:
        chat.will_answer("Hello.", "Still here.", "And now?")
        thread = await chat.says("@Threadwise hi")
        await final(chat, thread, "Hello.")
        await chat.says("still there?", thread=thread)
        await final(chat, thread, "Still here.")
        now = await chat.conversation(thread)
        assert now.plain < 2, "no epoch began after the first reply"
        noted.with_suffix(".changed").touch()
        await chat.stops()
        await chat.starts()
        await chat.says("and now?", thread=thread)
        await final(chat, thread, "And now?")
        later = await chat.conversation(thread)
        assert later.plain > 2


@pytest.mark.parametrize("how", ["dies", "floods", "lies"])
@pytest.mark.req("IN-11")
async def test_a_hostile_server_costs_its_call_and_the_answer_goes_on(mongo_uri: str, noted: Path, how: str) -> None:
    async with connected(mongo_uri, noted, how) as chat:
        thread = await wants(chat, using(putting("one")), "I cannot tell whether it is there.", said="put up one")
        await decides(chat, thread, ALLOW)
        await final(chat, thread, "I cannot tell whether it is there.")
        result, failed = told(chat)[-1]
        assert failed
        assert "not known whether this was done" in result
        assert len(done(noted)) == 1


@pytest.mark.req("IN-11")
async def test_reading_that_failed_is_not_told_as_something_that_may_have_been_done(
    mongo_uri: str, noted: Path
) -> None:
    async with connected(mongo_uri, noted, "dies") as chat:
        chat.will_answer(using(("board__look", {})), "The board does not answer.")
        thread = await chat.says("@Threadwise what is on the board?")
        await final(chat, thread, "The board does not answer.")
        [(result, failed)] = told(chat)
        assert failed
        assert result == "The server board ended or sent nothing that can be read. Go on without it, and say so."


@pytest.mark.req("IN-11")
async def test_stop_ends_the_call_of_a_hanging_server_and_it_is_not_repeated(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted, "hangs") as chat:
        thread = await wants(chat, using(putting("one")), said="put up one")
        await decides(chat, thread, ALLOW)
        await chat.until(lambda: bool(done(noted)))
        async with asyncio.timeout(8):  # the call itself would last twenty seconds
            await chat.says("stop", thread=thread)
            await chat.sees("I was interrupted while I tried to use “put ticket” of the server board.", thread=thread)
        await chat.rests()
        assert (await chat.conversation(thread)).turn is None
        assert len(done(noted)) == 1


@pytest.mark.req("AG-09", "IN-13")
async def test_a_tool_of_a_server_that_only_reads_can_be_forbidden_for_oneself(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        people = chat.slack.people
        await opens(chat, lambda: people.commands("Maya", "#general", "/threadwise", "permissions"))
        await people.clicks_in_modal("Maya", action_ids.FORBID_TOOL, "board__look")
        never = "Never: “look” of the server board (the whole tool)"
        await chat.until(lambda: never in str(people.modal("Maya")))
        chat.will_answer(using(("board__look", {})), "You have forbidden that.")
        thread = await chat.says("@Threadwise what is on the board?")
        await final(chat, thread, "You have forbidden that.")
        assert done(noted) == []


@pytest.mark.req("IN-13")
async def test_the_permissions_are_shown_by_server(mongo_uri: str, noted: Path) -> None:
    async with connected(mongo_uri, noted) as chat:
        press = partial(chat.slack.people.commands, "Maya", "#general", "/threadwise", "permissions")
        shown = str((await opens(chat, press, "Tools of the server board")).blocks)
        assert "You are asked before: drop and put ticket" in shown
        assert "Without asking, because they only read: look" in shown


@pytest.mark.req("IN-12")
async def test_the_demo_opens_a_ticket_at_its_own_server_and_lists_it_without_a_key_or_a_network(
    mongo_uri: str,
) -> None:
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri), "anthropic_api_key": SecretStr("")})
    with add_tool_server(settings) as known:
        async with chatting(mongo_uri, mcp_config=known.mcp_config) as chat:
            chat.claude.script.answer_always(rehearsal(Pace(chunk=60, seconds=0.01)))
            thread = await chat.says("@Threadwise open a ticket: the lamp in the kitchen is broken")
            card = text_of(await asked(chat, thread))
            assert "use “open ticket” of the server tickets?" in card
            assert "title: the lamp in the kitchen is broken" in card
            await decides(chat, thread, ALLOW)
            await final(chat, thread, "Ticket 1 is open: the lamp in the kitchen is broken")
            thread = await chat.says("@Threadwise which tickets are there?")
            await final(chat, thread, "1. the lamp in the kitchen is broken")
