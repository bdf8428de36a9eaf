"""Points at which a test steps in: before, instead of, and after a call or a delivery."""

import asyncio
import sys
from asyncio.subprocess import PIPE

import aiohttp
import pytest

from app.playground.slack import Moment, SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import Bot, refused

POSTING = """
import sys, urllib.request
url, token = sys.argv[1:]
sys.stdin.readline()
urllib.request.urlopen(urllib.request.Request(url, b"channel=general&text=hi", {"Authorization": f"Bearer {token}"}))
print("answered")
"""
"""A program that posts once when told to, and says so when it was answered."""


def said(slack: SlackPlayground) -> list[str]:
    return [message.text for message in slack.people.sees("Maya", "#general")]


async def test_before_a_call_nothing_of_it_is_done_and_then_it_is(slack: SlackPlayground, bot: Bot):
    seen: list[list[str]] = []
    slack.faults.at("chat.postMessage", moment="before", act=lambda: seen.append(said(slack)))
    assert (await bot.chat_postMessage(channel="#general", text="hi"))["ok"]
    assert (seen, said(slack)) == ([[]], ["hi"])


async def test_instead_of_a_call_nothing_of_it_is_ever_done(slack: SlackPlayground, bot: Bot):
    acts: list[str] = []
    slack.faults.at("chat.postMessage", moment="instead", act=lambda: acts.append("act"))
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot.chat_postMessage(channel="#general", text="hi")
    assert (acts, said(slack)) == (["act"], [])
    assert (await bot.chat_postMessage(channel="#general", text="again"))["ok"]


async def test_after_a_call_all_of_it_is_done_and_its_caller_knows_nothing(slack: SlackPlayground, bot: Bot):
    reached, go = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        reached.set()
        await go.wait()

    slack.faults.at("chat.postMessage", moment="after", act=hold)
    call = asyncio.create_task(bot.chat_postMessage(channel="#general", text="hi"))
    await reached.wait()
    assert (said(slack), call.done()) == (["hi"], False)
    go.set()
    assert (await call)["ok"]


async def test_nth_counts_the_calls_of_that_method_from_then_on_and_strikes_once(slack: SlackPlayground, bot: Bot):
    await bot.auth_test()
    struck: list[str] = []
    slack.faults.at("auth.test", moment="before", nth=2, act=lambda: struck.append("second"))
    slack.faults.at("auth.test", moment="after", nth=3, act=lambda: struck.append("third"))
    history: list[list[str]] = []
    for method in ("auth.test", "users.info", "auth.test", "auth.test", "auth.test"):
        await bot.api_call(method, params={"user": slack.bot_user_id})
        history.append(list(struck))
    assert history == [[], [], ["second"], ["second", "third"], ["second", "third"]]


async def test_call_that_is_refused_counts_and_passes_its_points(slack: SlackPlayground, bot: Bot):
    passed: list[str] = []
    slack.faults.at("chat.postMessage", moment="after", nth=2, act=lambda: passed.append("second"))
    for _ in range(2):
        assert passed == []
        assert await refused(bot.chat_postMessage(channel="#random", text="hi")) == "not_in_channel"
    assert passed == ["second"]


async def test_points_are_in_the_journal_where_they_were_passed(slack: SlackPlayground, bot: Bot):
    slack.faults.at("auth.test", moment="before", act=lambda: None)
    slack.faults.at("auth.test", moment="after", act=lambda: None)
    await bot.auth_test()
    written = [(entry["kind"], entry.get("moment")) for entry in slack.journal.entries]
    assert written == [("point", "before"), ("call", None), ("point", "after")]
    assert {entry["name"] for entry in slack.journal.of("point")} == {"auth.test"}


@pytest.mark.parametrize(("moment", "kept"), [("instead", []), ("after", ["hi"])])
async def test_program_killed_at_a_point_has_or_has_not_posted_and_never_learns_it(
    slack: SlackPlayground, moment: Moment, kept: list[str]
):
    address = f"{slack.api_url}chat.postMessage"
    command = (sys.executable, "-c", POSTING, address, slack.bot_token)
    program = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    slack.faults.at("chat.postMessage", moment=moment, act=program.kill)
    printed, _ = await program.communicate(b"go\n")
    assert (program.returncode, printed, said(slack)) == (-9, b"", kept)


async def test_socket_lost_before_an_event_is_handed_over_gets_it_as_a_retry(slack: SlackPlayground):
    # Slack: events raised while no socket is open arrive as retries.
    slack.faults.at("message", moment="before", act=slack.sockets.drop)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hi")
        assert await line.ends()
    async with Line(slack) as line:
        envelope = await line.envelope()
    assert (envelope["payload"]["event"]["text"], envelope["retry_attempt"]) == ("hi", 1)


async def test_event_lost_on_its_way_comes_as_a_retry(slack: SlackPlayground):
    slack.faults.at("message", moment="instead", act=lambda: None)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hi")
        envelope = await line.envelope()
    assert (envelope["retry_attempt"], envelope["retry_reason"]) == (1, "timeout")


async def test_event_lost_on_its_way_over_http_is_connection_failed(start: Start):
    slack = await start(SlackOptions(delivery="http", events_url="http://127.0.0.1:1/"))
    slack.faults.at("message", moment="instead", act=lambda: None)
    await slack.people.says("Maya", "#general", "hi")
    [unacked] = await slack.people.waits(lambda: slack.journal.of("unacked"))
    assert unacked["reason"] == "connection_failed"


async def test_after_a_delivery_the_app_has_acknowledged_it(slack: SlackPlayground):
    acknowledged: list[int] = []
    act = lambda: acknowledged.append(len(slack.journal.of("ack")))  # noqa: E731
    slack.faults.at("app_mention", moment="after", act=act)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "@Threadwise hi")
        mention, message = await line.receive(), await line.receive()
        assert acknowledged == []
        await line.acknowledge(mention)
        await slack.people.waits(lambda: slack.journal.of("point"))
        assert acknowledged == [1]
        await line.acknowledge(message)
        await slack.people.waits(lambda: slack.journal.of("ack")[1:])


async def test_clicks_pass_points_under_their_type(slack: SlackPlayground, bot: Bot):
    go: Json = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    posted = await bot.chat_postMessage(channel="#general", text="?", blocks=[{"type": "actions", "elements": [go]}])
    passed: list[str] = []
    slack.faults.at("block_actions", moment="before", act=lambda: passed.append("click"))
    async with Line(slack) as line:
        await line.envelope()
        await slack.people.clicks("Maya", "#general", posted["ts"], "go")
        await line.envelope()
    assert passed == ["click"]
