"""Sockets, tickets, acknowledgements and retries; by hand, and through Bolt's own Socket Mode handler."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import ClientSession, WSServerHandshakeError

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import bolt_app, bolt_socket, bot_of, ignore

#: For apps that never acknowledge: ack window 5 ms, the last retry after half a second.
DEAF = SlackOptions(limits=False, time_scale=600.0)
#: For apps that acknowledge the first retry: ack window 300 ms, time enough on a busy machine.
SLOW_TO_HEAR = SlackOptions(limits=False, time_scale=10.0)


def journalled(slack: SlackPlayground, kind: str, count: int = 1) -> Callable[[], bool]:
    return lambda: len(slack.journal.of(kind)) >= count


async def test_ticket_opens_one_socket_only(slack: SlackPlayground):
    # Slack: the address of apps.connections.open is good once.
    client = bot_of(slack)
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
    slack = await start(DEAF)
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
    slack = await start(DEAF)
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        for _ in range(4):
            await line.receive()
    at = [entry["at"] for entry in slack.journal.of("delivery")]
    # In Slack's seconds: each pause is at least the ack window and the schedule's.
    assert [
        (later - sooner) * 600 >= least for sooner, later, least in zip(at, at[1:], (2.9, 62, 302), strict=False)
    ] == [
        True,
        True,
        True,
    ]


async def test_acknowledged_retry_ends_the_retrying(start: Start):
    slack = await start(SLOW_TO_HEAR)
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
    app = bolt_app(slack)

    async def answer(event: Json, say: Any) -> None:
        await say(text="hello", thread_ts=event["ts"])

    app.event("app_mention")(answer)
    app.event("message")(ignore)
    async with bolt_socket(slack, app):
        ts = await slack.people.says("Maya", "#general", "@Threadwise hi")
        thread = await slack.people.waits(lambda: slack.people.sees("Maya", "#general", ts)[1:])
        assert [message.text for message in thread] == ["hello"]
        await slack.people.waits(journalled(slack, "ack", 3))


async def test_bolt_does_not_acknowledge_what_it_has_no_listener_for(start: Start):
    # Measured: Bolt answers an unhandled event with 404 and sends no acknowledgement, so Slack delivers again.
    slack = await start(DEAF)
    async with bolt_socket(slack, bolt_app(slack)):
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(journalled(slack, "lost"))
    assert len(slack.journal.of("delivery")) == 4


async def test_bolt_hears_the_same_event_as_often_as_it_is_delivered(slack: SlackPlayground):
    # Measured: Bolt has no deduplication.
    heard: list[str] = []
    app = bolt_app(slack)

    async def hear(body: Json) -> None:
        heard.append(body["event_id"])

    app.event("message")(hear)
    async with bolt_socket(slack, app):
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(journalled(slack, "ack"))
        slack.deliver_again(heard[0])
        await slack.people.waits(journalled(slack, "ack", 2))
        assert heard == [heard[0]] * 2


async def test_bolt_reconnects_when_slack_asks_it_to(slack: SlackPlayground):
    app = bolt_app(slack)
    app.event("message")(ignore)
    async with bolt_socket(slack, app):
        await slack.sockets.refresh()
        await slack.people.waits(lambda: slack.sockets.count == 1)
        await slack.people.says("Maya", "#general", "still there?")
        await slack.people.waits(journalled(slack, "ack"))


async def test_bolt_comes_back_after_an_abrupt_loss(slack: SlackPlayground):
    app = bolt_app(slack)
    app.event("message")(ignore)
    async with bolt_socket(slack, app):
        slack.sockets.drop()
        await slack.people.says("Maya", "#general", "still there?")
        await slack.people.waits(journalled(slack, "ack"))
    assert slack.journal.of("ack")[0]["attempt"] == 1


async def test_bug_in_a_background_task_makes_stop_fail():
    slack = SlackPlayground()
    await slack.start()

    running = asyncio.Event()

    async def break_down() -> None:
        running.set()
        raise LookupError("a bug of the playground")

    slack.background.start(break_down())
    await running.wait()
    with pytest.raises(LookupError, match="a bug of the playground"):
        await slack.stop()


async def test_stop_with_a_delivery_and_a_socket_open_leaves_no_task_behind():
    before = asyncio.all_tasks()
    slack = SlackPlayground()
    await slack.start()
    async with Line(slack) as line:
        await slack.people.says("Maya", "#general", "hello")
        await line.receive()
        await slack.stop()
        assert await line.ends()
    assert asyncio.all_tasks() == before
