"""Delivery by HTTP: signatures, retries, clicks; through Bolt's own aiohttp server and one by hand."""

from typing import Any

import pytest
from aiohttp import web

from app.playground.slack import SlackOptions
from tests.contract.playground_slack.conftest import Start
from tests.contract.playground_slack.line import Json
from tests.contract.playground_slack.sdk import bolt_app, bot_of, by_hand, ignore, serving

HTTP = SlackOptions(limits=False, delivery="http")
BUTTONS = [
    {
        "type": "actions",
        "elements": [{"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}],
    }
]


async def test_bolt_accepts_the_challenge_and_the_signature(start: Start):
    # Slack: requests are signed v0= HMAC-SHA256 of v0:timestamp:body; a new Request URL must echo a challenge.
    slack = await start(HTTP)
    app = bolt_app(slack, signing_secret=slack.signing_secret)

    async def answer(event: Json, say: Any) -> None:
        await say(text="hello", thread_ts=event["ts"])

    app.event("app_mention")(answer)
    app.event("message")(ignore)
    async with serving(app.web_app("/slack/events")) as url:
        await slack.subscribe(url)
        ts = await slack.people.says("Maya", "#general", "@Threadwise hi")
        thread = await slack.people.waits(lambda: slack.people.sees("Maya", "#general", ts)[1:])
        await slack.people.waits(lambda: len(slack.journal.of("ack")) == 3)
    assert [message.text for message in thread] == ["hello"]


async def test_bolt_with_another_secret_refuses_every_request(start: Start):
    # Slack's SDK answers 401 to a wrong signature, so the challenge fails.
    slack = await start(HTTP)
    async with serving(bolt_app(slack, signing_secret="0" * 32).web_app("/slack/events")) as url:
        with pytest.raises(ValueError, match="HTTP 401"):
            await slack.subscribe(url)


async def test_failed_event_is_retried_with_number_and_reason(start: Start):
    # Slack: x-slack-retry-num counts from 1, x-slack-retry-reason says why.
    slack = await start(HTTP)
    heard: list[tuple[str | None, str | None]] = []

    async def fail(request: web.Request) -> web.StreamResponse:
        heard.append((request.headers.get("x-slack-retry-num"), request.headers.get("x-slack-retry-reason")))
        return web.Response(status=200 if len(heard) == 2 else 500)

    async with serving(by_hand(fail)) as url:
        await slack.subscribe(url)
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(lambda: slack.journal.of("ack"))
    assert heard == [(None, None), ("1", "http_error")]


async def test_no_retry_header_ends_the_retrying(start: Start):
    # Slack: x-slack-no-retry: 1 on a failure stops further attempts.
    slack = await start(HTTP)

    async def refuse(request: web.Request) -> web.StreamResponse:
        return web.Response(status=500, headers={"x-slack-no-retry": "1"})

    async with serving(by_hand(refuse)) as url:
        await slack.subscribe(url)
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(lambda: slack.journal.of("lost"))
    assert len(slack.journal.of("delivery")) == 1


async def test_answer_after_three_seconds_is_a_timeout(start: Start):
    # Slack: an event must be answered within three seconds; here in 150 ms.
    slack = await start(SlackOptions(limits=False, delivery="http", time_scale=20.0))
    reasons: list[str | None] = []

    async def dawdle(request: web.Request) -> web.StreamResponse:
        reasons.append(request.headers.get("x-slack-retry-reason"))
        if len(reasons) == 1:
            await slack.people.waits(lambda: slack.journal.of("unacked"))
        return web.Response()

    async with serving(by_hand(dawdle)) as url:
        await slack.subscribe(url)
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(lambda: slack.journal.of("ack"))
    assert reasons == [None, "http_timeout"]


@pytest.mark.parametrize(("redirects", "outcome"), [(2, "ack"), (3, "unacked")])
async def test_two_redirects_are_followed_and_a_third_is_too_many(start: Start, redirects: int, outcome: str):
    # Slack: the Events API follows two redirects.
    slack = await start(HTTP)
    left = [web.HTTPTemporaryRedirect("/slack/events") for _ in range(redirects)]

    async def redirect(request: web.Request) -> web.StreamResponse:
        if left:
            raise left.pop()
        return web.Response()

    async with serving(by_hand(redirect)) as url:
        await slack.subscribe(url)
        await slack.people.says("Maya", "#general", "hello")
        await slack.people.waits(lambda: slack.journal.entries[1:])
    result = slack.journal.entries[1]
    assert (result["kind"], result["reason"]) == (outcome, "too_many_redirects" if outcome == "unacked" else "")


async def test_request_url_that_does_not_echo_the_challenge_is_refused(start: Start):
    # Slack: a Request URL is accepted once it has echoed the challenge, not for a mere 200.
    slack = await start(HTTP)

    async def nod(request: web.Request) -> web.StreamResponse:
        return web.Response(text="ok")

    routes = web.Application()
    routes.router.add_post("/slack/events", nod)
    async with serving(routes) as url:
        with pytest.raises(ValueError, match="did not answer the challenge"):
            await slack.subscribe(url)


async def test_unreachable_app_is_connection_failed(start: Start):
    slack = await start(HTTP)
    await slack.people.says("Maya", "#general", "hello")
    await slack.people.waits(lambda: slack.journal.of("unacked"))
    assert slack.journal.of("unacked")[0]["reason"] == "connection_failed"


async def test_bolt_hears_a_click_from_the_forms_payload_field(start: Start):
    # Slack: interactive requests are forms with a JSON payload field, signed like the rest.
    slack = await start(HTTP)
    app = bolt_app(slack, signing_secret=slack.signing_secret)
    clicked: list[Json] = []

    async def hear(ack: Any, body: Json) -> None:
        await ack()
        clicked.append(body)

    app.action("go")(hear)
    app.event("message")(ignore)
    async with serving(app.web_app("/slack/events")) as url:
        await slack.subscribe(url)
        posted = await bot_of(slack).chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        await slack.people.clicks("Maya", "#general", posted["ts"], "go")
        await slack.people.waits(lambda: clicked)
        await slack.people.waits(lambda: len(slack.journal.of("ack")) == 2)
    assert clicked[0]["message"]["ts"] == posted["ts"]
