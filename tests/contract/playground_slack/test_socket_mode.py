"""Sockets, tickets, acknowledgements and retries; by hand, and through Bolt's own Socket Mode handler."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, WSServerHandshakeError
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, bot_of
from tests.contract.playground_slack.line import Line

Json = dict[str, Any]
FAST = SlackOptions(limits=False, time_scale=60.0)  # ack window 50 ms, retries at once, after 1 s and after 5 s
FASTER = SlackOptions(limits=False, time_scale=600.0)


def journalled(slack: SlackPlayground, kind: str, count: int = 1) -> Callable[[], bool]:
    return lambda: len(slack.journal.of(kind)) >= count


@asynccontextmanager
async def bolt(slack: SlackPlayground, app: AsyncApp) -> AsyncIterator[AsyncSocketModeHandler]:
    handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=1)
    await handler.connect_async()
    try:
        yield handler
    finally:
        await handler.close_async()


async def test_ticket_opens_one_socket_only(slack: SlackPlayground):
    # Slack: the address of apps.connections.open is good once.
    client = AsyncWebClient(base_url=slack.api_url, retry_handlers=[])
    url = str((await client.apps_connections_open(app_token=slack.app_token))["url"])
    async with ClientSession() as session:
        first = await session.ws_connect(url)
        with pytest.raises(WSServerHandshakeError):
            await session.ws_connect(url)
        await first.close()


async def test_hello_counts_the_connections(slack: SlackPlayground):
    async with Line(slack) as one, Line(slack) as two:
        assert (one.hello["type"], one.hello["num_connections"], two.hello["num_connections"]) == ("hello", 1, 2)
        assert one.hello["connection_info"]["app_id"] == slack.app_id


async def test_eleventh_socket_is_too_many(slack: SlackPlayground):
    # Slack: an app may hold ten sockets.
    lines = [Line(slack) for _ in range(11)]
    for line in lines:
        await line.__aenter__()
    assert (lines[10].hello["type"], lines[10].hello["reason"]) == ("disconnect", "too_many_websockets")
    assert await lines[10].ends()
    for line in lines:
        await line.__aexit__(None, None, None)


async def test_each_envelope_goes_to_one_of_the_sockets(slack: SlackPlayground):
    # Slack: with several connections, each event goes to one of them.
    async with Line(slack) as one, Line(slack) as two:
        receiving = [asyncio.create_task(_collect(line)) for line in (one, two)]
        for number in range(20):
            await slack.people.says("Maya", "#general", str(number))
        await slack.people.waits(journalled(slack, "ack", 20))
        for task in receiving:
            task.cancel()
        heard = await asyncio.gather(*receiving)
    assert sorted(map(int, heard[0] + heard[1])) == list(range(20))
    assert all(heard)


async def _collect(line: Line) -> list[str]:
    texts: list[str] = []
    try:
        while True:
            texts.append((await line.event())["text"])
    except asyncio.CancelledError:
        return texts


async def test_event_not_acknowledged_comes_again_three_times_with_number_and_reason(start: Start):
    # Slack: an event not acknowledged within three seconds is retried at once, after a minute and after five.
    slack = await start(FASTER)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        envelopes = [await line.receive() for _ in range(4)]
        await slack.people.waits(journalled(slack, "lost"))
    assert [(envelope["retry_attempt"], envelope["retry_reason"]) for envelope in envelopes] == [
        (0, ""),
        (1, "timeout"),
        (2, "timeout"),
        (3, "timeout"),
    ]
    assert len({envelope["payload"]["event_id"] for envelope in envelopes}) == 1
    assert len({envelope["envelope_id"] for envelope in envelopes}) == 4


async def test_pauses_between_retries_are_slacks(start: Start):
    slack = await start(FASTER)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        for _ in range(4):
            await line.receive()
    at = [entry["at"] for entry in slack.journal.of("delivery")]
    # In Slack's seconds: each pause is at least the ack window and the schedule's.
    assert [
        (later - sooner) * 600 >= least for sooner, later, least in zip(at, at[1:], (3, 63, 303), strict=False)
    ] == [
        True,
        True,
        True,
    ]


async def test_acknowledged_retry_ends_the_retrying(start: Start):
    slack = await start(FASTER)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        await line.receive()
        await line.envelope()
        await slack.people.waits(journalled(slack, "ack"))
    assert len(slack.journal.of("delivery")) == 2
    assert slack.journal.of("lost") == []


async def test_event_raised_while_no_socket_is_open_comes_as_a_retry(slack: SlackPlayground):
    # Seen in the wild: what happens between two sockets arrives as retries only, so retries must not be dropped.
    await slack.people.says("Maya", "#general", "is anybody there?")
    await slack.people.says("Maya", "#general", "hello?")
    async with Line(slack) as line:
        envelopes = [await line.envelope() for _ in range(2)]
    assert [envelope["payload"]["event"]["text"] for envelope in envelopes] == ["is anybody there?", "hello?"]
    assert [envelope["retry_attempt"] for envelope in envelopes] == [1, 1]


async def test_refreshed_socket_gets_no_more_envelopes_but_may_still_acknowledge(slack: SlackPlayground):
    async with Line(slack) as old:
        await slack.people.says("Maya", "#general", "one")
        unacknowledged = await old.receive()
        await slack.sockets.refresh()
        assert (await old.receive())["reason"] == "refresh_requested"
        async with Line(slack) as new:
            await slack.people.says("Maya", "#general", "two")
            assert (await new.event())["text"] == "two"
            await old.acknowledge(unacknowledged)
            await slack.people.waits(journalled(slack, "ack", 2))


async def test_warned_socket_goes_on(slack: SlackPlayground):
    async with Line(slack) as line:
        await slack.sockets.refresh("warning")
        assert (await line.receive())["reason"] == "warning"
        await slack.people.says("Maya", "#general", "hello")
        assert (await line.event())["text"] == "hello"


async def test_dropped_socket_ends_without_a_word(slack: SlackPlayground):
    async with Line(slack) as line:
        slack.sockets.drop()
        assert await line.ends()
        assert slack.sockets.count == 0


# --- through Bolt ------------------------------------------------------------------------------------


async def test_bolt_hears_a_mention_and_answers_in_the_thread(slack: SlackPlayground):
    app = AsyncApp(client=bot_of(slack))

    async def answer(event: Json, say: Any) -> None:
        await say(text="hello", thread_ts=event["ts"])

    app.event("app_mention")(answer)
    app.event("message")(_ignore)
    async with bolt(slack, app):
        ts = await slack.people.says("Maya", "#general", "@Threadwise hi")
        thread = await slack.people.waits(lambda: slack.people.sees("Maya", "#general", ts)[1:])
        assert [message.text for message in thread] == ["hello"]
        await slack.people.waits(journalled(slack, "ack", 3))


async def _ignore() -> None:
    return


async def test_bolt_does_not_acknowledge_what_it_has_no_listener_for(start: Start):
    # Measured: Bolt answers an unhandled event with 404 and sends no acknowledgement, so Slack delivers again.
    slack = await start(FASTER)
    async with bolt(slack, AsyncApp(client=bot_of(slack))):
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(journalled(slack, "lost"))
    assert len(slack.journal.of("delivery")) == 4


async def test_bolt_hears_the_same_event_as_often_as_it_is_delivered(slack: SlackPlayground):
    # Measured: Bolt has no deduplication.
    heard: list[str] = []
    app = AsyncApp(client=bot_of(slack))

    async def hear(body: Json) -> None:
        heard.append(body["event_id"])

    app.event("message")(hear)
    async with bolt(slack, app):
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(journalled(slack, "ack"))
        slack.deliver_again(heard[0])
        await slack.people.waits(journalled(slack, "ack", 2))
        assert heard == [heard[0]] * 2


async def test_bolt_reconnects_when_slack_asks_it_to(slack: SlackPlayground):
    app = AsyncApp(client=bot_of(slack))
    app.event("message")(_ignore)
    async with bolt(slack, app):
        await slack.sockets.refresh()
        opened = lambda: [c for c in slack.journal.of("call") if c["method"] == "apps.connections.open"]  # noqa: E731
        await slack.people.waits(lambda: len(opened()) == 2)
        await slack.people.says("Maya", "#general", "still there?")
        await slack.people.waits(journalled(slack, "ack"))


async def test_bolt_comes_back_after_an_abrupt_loss(slack: SlackPlayground):
    app = AsyncApp(client=bot_of(slack))
    app.event("message")(_ignore)
    async with bolt(slack, app):
        slack.sockets.drop()
        await slack.people.says("Maya", "#general", "still there?")
        await slack.people.waits(journalled(slack, "ack"))
    assert slack.journal.of("ack")[0]["attempt"] == 1


async def test_stop_with_deliveries_and_sockets_open_leaves_nothing_behind(start: Start):
    slack = SlackPlayground(FAST)
    await slack.start()
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        await line.receive()
        await slack.stop()
        assert await line.ends()
    # One for this very test; the other tasks are those of the test's own client session.
    assert not [task for task in asyncio.all_tasks() if "playground" in repr(task.get_coro()) and not task.done()][1:]
