"""What the browser is told, and who may ask."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession

from app.playground.slack import Fault, SlackOptions, SlackPlayground
from app.playground.slack.page.http import NO_TOKEN
from tests.contract.playground_slack.conftest import Start, admission, channel_id, user_id
from tests.contract.playground_slack.line import Json
from tests.contract.playground_slack.sdk import Bot, bot_of, refused


async def state(slack: SlackPlayground, browser: ClientSession, user: str = "Maya") -> Json:
    where, params = f"{slack.url}/play/state", {"user": user_id(slack, user)}
    async with browser.get(where, params=params, headers=admission(slack)) as answer:
        return await answer.json()


async def act(slack: SlackPlayground, browser: ClientSession, act: str, **body: object) -> tuple[int, Json]:
    async with browser.post(f"{slack.url}/play/{act}", json=body) as answer:
        return answer.status, await answer.json()


async def next_event(stream: ClientResponse) -> Json:
    line = await stream.content.readline()
    assert await stream.content.readline() == b"\n"
    return json.loads(line.removeprefix(b"data: "))


async def test_state_shows_the_workspace_as_one_person_sees_it(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    general = channel_id(slack, "general")
    root = await slack.people.says("Maya", "#general", "hi *all*")
    await bot.chat_postMessage(channel=general, thread_ts=root, text="hello")
    await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Sam"), text="psst")
    await bot.assistant_threads_setStatus(channel_id=general, thread_ts=root, status="is thinking…")
    dm = await slack.people.opens_dm("Sam")
    seen = await state(slack, browser)
    assert seen["team"] == {"id": slack.team_id, "name": "Acme"}
    assert (seen["me"], seen["bot"], seen["banner"]) == (user_id(slack, "Maya"), slack.bot_user_id, None)
    assert {user["name"] for user in seen["users"]} == {"Maya", "Sam", "Priya", "Threadwise"}
    membership = {channel["name"]: channel["bot_is_member"] for channel in seen["channels"]}
    assert membership == {"general": True, "random": False, "ops": True}
    assert dm not in seen["messages"]
    assert [message["text"] for message in seen["messages"][general]] == ["hi *all*", "hello"]
    assert seen["statuses"] == [{"channel": general, "thread_ts": root, "status": "is thinking…"}]
    assert seen["strip"]["calls"]["chat.postMessage"] == 1


async def test_message_has_every_field_the_page_reads(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    ts = await slack.people.says("Maya", "#general", "hi *all*")
    await slack.people.says("Sam", "#general", "reply", ts)
    await bot.reactions_add(channel=channel_id(slack, "general"), timestamp=ts, name="eyes")
    message = (await state(slack, browser))["messages"][channel_id(slack, "general")][0]
    assert "all" in message.pop("html")
    assert message == {
        "ts": ts,
        "thread_ts": None,
        "user": user_id(slack, "Maya"),
        "bot_id": None,
        "text": "hi *all*",
        "blocks": None,
        "edited": False,
        "edit_count": 0,
        "reactions": [{"name": "eyes", "users": [slack.bot_user_id]}],
        "files": [],
        "ephemeral": False,
        "tombstone": False,
    }


async def test_strip_shows_failures_and_unknown_methods(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    await refused(bot.chat_postMessage(channel="#random", text="hi"))
    await refused(bot.api_call("chat.shout"))
    strip = (await state(slack, browser))["strip"]
    assert [(error["method"], error["error"]) for error in strip["errors"]] == [
        ("chat.postMessage", "not_in_channel"),
        ("chat.shout", "unknown_method"),
    ]
    assert strip["unknown"] == {"chat.shout": 1}


async def test_banner_is_shown(start: Start, browser: ClientSession):
    slack = await start(SlackOptions(banner="A rehearsal."))
    assert (await state(slack, browser))["banner"] == "A rehearsal."


async def test_each_act_of_the_page_does_what_it_says(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    maya, general = user_id(slack, "Maya"), channel_id(slack, "general")
    place: Json = {"user": maya, "channel": general}
    _, said = await act(slack, browser, "say", **place, text="hi")
    _, replied = await act(slack, browser, "say", **place, text="reply", thread_ts=said["ts"])
    await act(slack, browser, "edit", **place, ts=replied["ts"], text="better")
    assert [message.text for message in slack.people.sees("Sam", "#general", said["ts"])] == ["hi", "better"]
    await act(slack, browser, "delete", **place, ts=replied["ts"])
    assert len(slack.people.sees("Sam", "#general", said["ts"])) == 1
    _, dm = await act(slack, browser, "open_dm", user=maya)
    assert slack.people.sees("Maya", dm["channel"]) == []
    await act(slack, browser, "invite", user=maya, channel=channel_id(slack, "random"), who=slack.bot_user_id)
    assert (await bot.chat_postMessage(channel="#random", text="hi"))["ok"]


async def test_click_of_the_page_reaches_the_app(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    go = {"type": "button", "action_id": "go", "value": "1", "text": {"type": "plain_text", "text": "Go"}}
    blocks = [{"type": "actions", "elements": [go]}]
    posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=blocks)
    place: Json = {"user": user_id(slack, "Maya"), "channel": posted["channel"], "ts": posted["ts"]}
    assert (await act(slack, browser, "click", **place, action_id="go", value="1"))[0] == 200
    await slack.people.waits(lambda: slack.journal.of("delivery")[1:])
    assert slack.journal.of("delivery")[-1]["payload"]["actions"][0]["value"] == "1"
    changed = (400, {"error": "This has changed just now. Please look again."})
    assert await act(slack, browser, "click", **place, action_id="stop") == changed
    assert await act(slack, browser, "click", **place, action_id="go", value="2") == changed


async def test_stop_of_the_page_reaches_the_app_while_a_session_is_processing(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    general = channel_id(slack, "general")
    root = await slack.people.says("Maya", "#general", "hi")
    place: Json = {"user": user_id(slack, "Maya"), "channel": general, "thread_ts": root}
    assert (await act(slack, browser, "stop", **place))[0] == 400
    await bot.agents_sessions_setStatus(channel_id=general, thread_ts=root, status="processing", title="Heat")
    [session] = (await state(slack, browser))["sessions"]
    told = {"channel": general, "thread_ts": root, "status": "processing", "title": "Heat", "stoppable": True}
    assert session == told
    assert (await act(slack, browser, "stop", **place))[0] == 200
    delivered = await slack.people.waits(lambda: slack.journal.of("delivery")[1:])
    assert delivered[0]["payload"]["event"]["type"] == "agent_session_stopped"


async def test_session_is_told_to_the_people_of_its_conversation_alone(
    slack: SlackPlayground, bot: Bot, browser: ClientSession
):
    dm = await slack.people.opens_dm("Sam")
    theirs = {"channel_id": dm, "thread_ts": await slack.people.says("Sam", dm, "hi")}
    root = await slack.people.says("Maya", "#general", "hi")
    ours = {"channel_id": channel_id(slack, "general"), "thread_ts": root}
    async with browser.get(f"{slack.url}/play/events", params={"user": user_id(slack, "Maya")}) as stream:
        for thread in (theirs, ours):
            await bot.agents_sessions_setStatus(**thread, status="processing")
        await slack.people.stops("Maya", "#general", root)
        await bot.agents_sessions_setStatus(**ours, status="active")
        told = [await next_event(stream) for _ in range(2)]
    assert [(event["kind"], event["thread_ts"]) for event in told] == [("session", root)] * 2
    assert [(event["status"], event["stoppable"]) for event in told] == [("processing", True), ("active", False)]
    assert [session["channel"] for session in (await state(slack, browser))["sessions"]] == [ours["channel_id"]]


async def test_impossible_act_answers_a_sentence(slack: SlackPlayground, browser: ClientSession):
    maya = user_id(slack, "Maya")
    problem = await act(slack, browser, "say", user=maya, channel="C0NOWHERE", text="hi")
    assert problem == (400, {"error": "There is no channel 'C0NOWHERE'."})
    assert await act(slack, browser, "say", user=maya) == (400, {"error": "missing required field: channel"})
    assert (await act(slack, browser, "dance"))[0] == 404


async def test_events_stream_every_change_that_person_may_see(slack: SlackPlayground, browser: ClientSession):
    bot, general = bot_of(slack), channel_id(slack, "general")
    async with browser.get(f"{slack.url}/play/events", params={"user": user_id(slack, "Maya")}) as stream:
        posted = await bot.chat_postMessage(channel=general, text="one")
        await bot.chat_update(channel=general, ts=posted["ts"], text="two")
        await bot.reactions_add(channel=general, timestamp=posted["ts"], name="eyes")
        await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Sam"), text="not for Maya")
        await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Maya"), text="psst")
        await bot.assistant_threads_setStatus(channel_id=general, thread_ts=posted["ts"], status="is thinking…")
        slack.faults.add(Fault("auth.test", "error"))
        await refused(bot.auth_test())
        await slack.people.opens_dm("Sam")
        await slack.people.opens_dm("Maya")
        await bot.chat_delete(channel=general, ts=posted["ts"])
        told = [await next_event(stream) for _ in range(8)]
    assert [event["kind"] for event in told] == [
        "message",
        "changed",
        "reaction",
        "ephemeral",
        "status",
        "error",
        "channel",
        "deleted",
    ]
    assert (told[1]["message"]["text"], told[1]["message"]["edit_count"]) == ("two", 1)
    assert told[3]["message"]["ephemeral"] is True
    assert told[4]["status"] == "is thinking…"
    assert told[5]["error"]["error"] == "internal_error"


async def test_quiet_event_stream_gives_signs_of_life(start: Start, browser: ClientSession):
    slack = await start(SlackOptions(time_scale=1000.0))
    async with browser.get(f"{slack.url}/play/events", headers=admission(slack)) as stream:
        assert await stream.content.readline() == b": still here\n"


async def test_root_serves_the_page(slack: SlackPlayground, browser: ClientSession):
    async with browser.get(slack.url) as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")


async def test_stop_ends_the_event_streams(browser: ClientSession):
    slack = SlackPlayground()
    await slack.start()
    async with browser.get(f"{slack.url}/play/events", headers=admission(slack)) as stream:
        await slack.stop()
        assert await stream.content.read() == b""


@pytest.mark.parametrize("path", ["/play/state", "/play/events"])
async def test_foreign_host_name_is_refused(slack: SlackPlayground, browser: ClientSession, path: str):
    # A site that rebinds its own name to 127.0.0.1 still sends that name as Host.
    async with browser.get(slack.url + path, headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403


async def test_acts_from_a_foreign_host_or_as_a_form_are_refused(slack: SlackPlayground, browser: ClientSession):
    said = {"user": user_id(slack, "Maya"), "channel": channel_id(slack, "general"), "text": "spam"}
    async with browser.post(f"{slack.url}/play/say", json=said, headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403
    # A form can be posted from any site without the browser asking; JSON cannot.
    async with browser.post(f"{slack.url}/play/say", data=said) as answer:
        assert answer.status == 404
    assert slack.people.sees("Maya", "#general") == []


async def test_unknown_person_is_not_found(slack: SlackPlayground, browser: ClientSession):
    async with browser.get(f"{slack.url}/play/state", params={"user": "U0NOBODY"}) as answer:
        assert answer.status == 404


async def test_state_for_nobody_is_the_first_persons(slack: SlackPlayground, browser: ClientSession):
    async with browser.get(f"{slack.url}/play/state") as answer:
        assert (await answer.json())["me"] == user_id(slack, "Maya")


async def test_permalink_leads_to_the_page(slack: SlackPlayground, bot: Bot, browser: ClientSession):
    ts = await slack.people.says("Maya", "#general", "hi")
    general = channel_id(slack, "general")
    link = (await bot.chat_getPermalink(channel=general, message_ts=ts))["permalink"]
    async with browser.get(link, allow_redirects=False) as answer:
        assert answer.headers["Location"] == f"/#{general}/p{ts.replace('.', '')}"


# --- who may ask -------------------------------------------------------------------------------------


@pytest.fixture
async def stranger() -> AsyncIterator[ClientSession]:
    """Somebody else who is logged in on this machine."""
    async with ClientSession() as session:
        yield session


GUESSES: list[dict[str, Any]] = [
    {},
    {"headers": {"Authorization": "Bearer guessed"}},
    {"headers": {"Authorization": "Bearer grüße"}},
    {"params": {"token": ""}},
    {"cookies": {"token": "guessed"}},
]


@pytest.mark.req("SE-16")
@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.parametrize("path", ["state", "events", "files/F0"])
async def test_without_the_token_nobody_looks_in(
    slack: SlackPlayground, stranger: ClientSession, path: str, guess: dict[str, Any]
):
    async with stranger.get(f"{slack.url}/play/{path}", **guess) as answer:
        assert (answer.status, await answer.json()) == (401, {"error": NO_TOKEN})


@pytest.mark.req("SE-16")
async def test_without_the_token_nobody_acts_as_anybody(slack: SlackPlayground, stranger: ClientSession):
    said = {"user": user_id(slack, "Maya"), "channel": channel_id(slack, "general"), "text": "I approve"}
    for name in ("say", "click", "command", "view_submit", "dance"):
        async with stranger.post(f"{slack.url}/play/{name}", json=said) as answer:
            assert (answer.status, await answer.json()) == (401, {"error": NO_TOKEN})
    assert slack.people.sees("Maya", "#general") == []


@pytest.mark.req("SE-16")
async def test_the_address_with_the_token_lets_its_bearer_look(slack: SlackPlayground, stranger: ClientSession):
    query = slack.page_url.partition("?")[2]
    async with stranger.get(f"{slack.url}/play/state?{query}") as answer:
        assert answer.status == 200


@pytest.mark.req("SE-16")
async def test_a_token_is_of_one_playground_and_follows_from_no_seed(start: Start):
    twins = [await start(SlackOptions(seed=7)) for _ in range(2)]
    assert twins[0].bot_token == twins[1].bot_token
    assert twins[0].page_token != twins[1].page_token


@pytest.mark.req("SE-16")
async def test_no_other_page_may_act_by_the_browser_of_who_has_the_token(
    slack: SlackPlayground, browser: ClientSession
):
    said = {"user": user_id(slack, "Maya"), "channel": channel_id(slack, "general"), "text": "hi"}
    for origin, status in (("http://evil.example", 403), ("http://127.0.0.1:1", 403), ("null", 403), (slack.url, 200)):
        async with browser.post(f"{slack.url}/play/say", json=said, headers={"Origin": origin}) as answer:
            assert answer.status == status
    assert len(slack.people.sees("Maya", "#general")) == 1


@pytest.mark.req("SE-16")
@pytest.mark.parametrize("path", ["/", "/page/main.js", "/play/state", "/play/events", "/play/files/F0", "/nowhere"])
async def test_no_other_page_may_frame_it(slack: SlackPlayground, browser: ClientSession, path: str):
    async with browser.get(slack.url + path) as answer:
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
