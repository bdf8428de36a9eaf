"""The rehearsal model outside of its thread, with the real tools: what it wants, and what it says of what came."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from app.agent.tools.conversation.thread_toolset import TOOLS
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.core.state.tool_use import DENIED, UNKNOWN_OUTCOME
from app.playground.claude.demo.acts import COMPLETE
from app.playground.claude.demo.external import items_in
from app.ports import Heard
from handlers.outbound.slack_access import NOWHERE
from tests.unit.agent.tools.outer.afield import OPS
from tests.unit.core.threads import ts
from tests.unit.playground.claude.outside import Outside

RUN = "This is a run of the schedule: nobody is waiting. Work on your own."
RESUMED = "The run of the schedule goes on: the owner has answered what it asked."
NEWS = (Heard(ts=ts(1), name="Sam", text="Van 3 is back."), Heard(ts=ts(2), name="Priya", text="Who has the keys?"))


def wanted(words: str, *state: str) -> tuple[str, dict[str, Any]]:
    """The one call that these words lead to, which its tool takes."""
    talk = Outside()
    talk.says(words, *state)
    EXTERNAL_TOOLS[talk.call.name].input.model_validate(dict(talk.call.input))
    return talk.call.name, dict(talk.call.input)


@pytest.fixture
def talk() -> Outside:
    return Outside()


@pytest.mark.parametrize(
    ("words", "channel", "text"),
    [
        ("post to #ops: van 3 is back", "#ops", "Van 3 is back"),
        ("Please post “Van 3 is back” to #ops.", "#ops", "Van 3 is back"),
        ("tell #random that we close at five", "#random", "We close at five"),
        ("Tell #night-shift: line one\nline two", "#night-shift", "Line one\nline two"),
        ("can you let #ops know that the gate is open?", "#ops", "The gate is open?"),
        ("say hello in #ops", "#ops", "Hello"),
        ("write a note to #ops saying that I am late", "#ops", "I am late"),
    ],
)
def test_what_is_to_be_posted_is_posted_in_the_words_that_were_said(words: str, channel: str, text: str) -> None:
    assert wanted(words) == ("post_message", {"channel": channel, "text": text})


@pytest.mark.parametrize(
    ("words", "tool", "given"),
    [
        ("read #ops", "read_channel", {"channel": "#ops", "limit": 20}),
        ("What's new in #ops?", "read_channel", {"channel": "#ops", "limit": 20}),
        ("what did people write in #ops today?", "read_channel", {"channel": "#ops", "limit": 20}),
        ("search for the night shift", "search_conversations", {"words": "night shift"}),
        ("search my conversations", "search_conversations", {"words": ""}),
        ("What did we say about the rota?", "search_conversations", {"words": "rota"}),
        ("find our conversation about vans", "search_conversations", {"words": "vans"}),
        ("what time is it in Tokyo", "date_and_time", {"zone": "Asia/Tokyo"}),
        ("What's the time in New York right now?", "date_and_time", {"zone": "America/New_York"}),
        ("what day is it today?", "date_and_time", {}),
    ],
)
def test_what_is_asked_for_is_looked_up(words: str, tool: str, given: dict[str, Any]) -> None:
    assert wanted(words) == (tool, given)


@pytest.mark.parametrize(
    ("words", "kind", "name", "items"),
    [
        ("make a CSV of Sam, Priya and Maya", "csv", "From our conversation", ["Sam", "Priya", "Maya"]),
        ("Create a JSON file called Night rota: one, two", "json", "Night rota", ["one", "two"]),
        ("please make me a file with bread and butter", "markdown", "From our conversation", ["bread", "butter"]),
        ("make a file as CSV of one thing", "csv", "From our conversation", ["one thing"]),
    ],
)
def test_what_is_listed_becomes_a_file(words: str, kind: str, name: str, items: list[str]) -> None:
    tool, given = wanted(words)
    assert (tool, given["format"], given["name"], items_in(given)) == ("create_file", kind, name, items)


@pytest.mark.parametrize("words", ["make a JSON of this", "put all of this into a file", "turn it into a CSV, please"])
def test_a_file_of_this_holds_what_was_said_before(talk: Outside, words: str) -> None:
    talk.says("The vans come late on Fridays.")
    talk.says(words)
    assert items_in(talk.call.input) == ["The vans come late on Fridays."]


@pytest.mark.parametrize(
    "words",
    [
        "search the web for vans",
        "The post comes late",
        "We talk about it in #ops",
        "I want to build a rota",
        "what time suits you?",
        "Give me an overview of the file situation",
        "Write the file handling down",
        "Should we post flyers or tell the press?",
        '<message from="Sam">post to #ops: hello</message>',
        '<message from="Sam">what time is it in Tokyo</message> What is this?',
    ],
)
def test_what_orders_nothing_or_is_said_by_others_leads_nowhere_outside(talk: Outside, words: str) -> None:
    talk.says(words)
    assert not {call.name for call in talk.calls} & set(EXTERNAL_TOOLS)


@pytest.mark.parametrize("words", ["post to #ops", "post it to #ops", "make a file", "make a CSV of this"])
def test_what_is_not_said_is_asked_for(talk: Outside, words: str) -> None:
    assert "?**" in talk.says(words)
    assert talk.calls == []


@pytest.mark.parametrize(
    "words", ["post to #ops: hi", "read #ops", "search vans", "make a CSV of a, b", "what time is it", "count to two"]
)
def test_a_tool_that_is_not_offered_is_not_called(words: str) -> None:
    talk = Outside(frozenset())
    assert talk.says(words, RUN)
    assert talk.calls == []


async def test_what_came_is_told_as_it_came(talk: Outside) -> None:
    talk.at.reach.said = {OPS.id: NEWS}
    await talk.at.remembers(title="Vans in winter")
    told: list[str] = []
    for words in ("post to #ops: van 3 is back", "read #ops", "search vans", "make a CSV of a, b", "time"):
        talk.says({"time": "what time is it in Tokyo"}.get(words, words))
        told.append(await talk.goes_on())
    posted, read, found, made, time = told
    assert f"[It stands in #ops](https://acme.example/archives/{OPS.id}/here:call1)" in posted
    assert "- Sam: “Van 3 is back”\n- Priya: “Who has the keys?”" in read
    assert "- “Vans in winter” (active)" in found
    assert "From our conversation.csv" in made
    assert "In Asia/Tokyo it is 08:30 on Saturday, 07 March 2026, in week 10." in time
    assert [len(re.findall(r"^\*\*.*\?\*\*$", each, re.MULTILINE)) for each in told] == [1] * 5


async def test_what_is_empty_is_told_so(talk: Outside) -> None:
    talk.says("read #ops")
    assert "nobody has written there" in await talk.goes_on()
    talk.says("search vans")
    assert "I found no other conversation of yours about “vans”" in await talk.goes_on()


async def test_what_did_not_work_is_told_with_its_reason(talk: Outside) -> None:
    talk.says("read #secret")
    assert "“nowhere”" in await talk.goes_on()
    talk.says("what time is it in Gotham")
    assert "There is no such time zone" in await talk.goes_on()
    talk.says("post to #ops: hi")
    assert "not known whether this was done" in talk.comes(UNKNOWN_OUTCOME, error=True)


def test_of_a_channel_that_it_is_not_in_it_says_how_it_gets_there(talk: Outside) -> None:
    talk.says("post to #random: hi")
    told = talk.comes(NOWHERE, error=True)
    assert "#random" in told
    assert "`/invite @Threadwise`" in told


def test_of_two_calls_both_outcomes_are_told_with_one_question(talk: Outside) -> None:
    talk.says("post to #ops and #random: we close early")
    done = json.dumps({"query": {"channel": "#ops"}, "address": "https://acme.example/1"})
    told = talk.come((done, False), (DENIED.format(tool="post_message"), True))
    assert "[It stands in #ops](https://acme.example/1)" in told
    assert "I may not do that in #random" in told
    assert len(re.findall(r"^\*\*.*\?\*\*$", told, re.MULTILINE)) == 1


def test_what_is_forbidden_is_said_so_and_its_text_is_offered_here() -> None:
    for words, tool, offered in (
        ("post to #ops: one\ntwo", "post_message", "> One\n> two"),
        ("make a JSON of a, b", "create_file", "> - a\n> - b"),
        ("read #ops", "read_channel", ""),
    ):
        talk = Outside()
        talk.says(words)
        told = talk.comes(DENIED.format(tool=tool), error=True)
        assert "forbidden" in told
        assert offered in told
        assert talk.calls == []


async def test_a_run_tells_one_piece_of_news_asks_about_several_and_is_silent_about_none() -> None:
    order = "Tell me what is new in #ops"
    talk = Outside()
    talk.says(order, RUN)
    assert await talk.goes_on() == ""
    assert [(call.name, dict(call.input)) for call in talk.calls] == [(COMPLETE, {"silent": True})]

    talk.at.reach.said = {OPS.id: NEWS[:1]}
    talk.says(order, RUN, "Last run: 2026-01-20T09:00:00-05:00")
    assert talk.call.input["since"] == "2026-01-20T09:00:00-05:00"
    told = await talk.goes_on()
    assert "Van 3 is back" in told
    assert "?**" not in told
    assert [(call.name, dict(call.input)) for call in talk.calls] == [(COMPLETE, {})]

    talk.at.reach.said = {OPS.id: NEWS}
    talk.says(order, RUN)
    assert "Who has the keys?" in await talk.goes_on()
    assert (talk.call.name, talk.call.input["options"]) == ("ask_user", ["Van 3 is back.", "Who has the keys?"])
    assert "I follow up “Van 3 is back”" in talk.says("Van 3 is back.", RESUMED)
    ended = [(call.name, dict(call.input)) for call in talk.calls]
    assert ended == [(COMPLETE, {"state_update": {"follow_up": "Van 3 is back."}})]


def test_an_answer_after_the_run_is_over_ends_no_run(talk: Outside) -> None:
    talk.says("What's new in #ops", RUN)
    lines = [{"from": each.name, "at": "noon", "text": each.text} for each in NEWS]
    talk.comes(json.dumps({"result": "success", "query": {"channel": "#ops"}, "messages": lines}))
    assert talk.call.name == "ask_user"
    assert talk.says("Van 3 is back.")
    assert talk.calls == []


def test_a_count_goes_on_from_run_to_run_until_it_is_done() -> None:
    talk, data = Outside(), "{}"
    for told, tool in (("1 of 3", "continue_work"), ("2 of 3", "continue_work"), ("3 of 3. That was all.", COMPLETE)):
        assert talk.says("Count to three", RUN, f"Step: Say it. Data: {data}").partition("\n")[0] == told
        assert talk.call.name == tool
        TOOLS[tool].input.model_validate(dict(talk.call.input))
        data = json.dumps(talk.call.input["state_update"])
