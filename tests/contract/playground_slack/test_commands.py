"""Slash commands: who may type them where, what the app hears, and what people see of its answer."""

from typing import Any

import pytest
from aiohttp import web

from app.playground.slack import Command, SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.kit import Json, acknowledging, listening
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import bolt_app, by_hand, serving, webhook


def texts(slack: SlackPlayground, who: str, where: str = "#general") -> list[str]:
    return [message.text for message in slack.people.sees(who, where)]


async def typed(slack: SlackPlayground, line: Line, text: str = "list", where: str = "#general") -> Json:
    """Type /threadwise and return what the app hears, acknowledged."""
    await slack.people.commands("Maya", where, "/threadwise", text)
    envelope = await line.envelope()
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("slash_commands", True)
    return envelope["payload"]


async def test_command_says_who_typed_what_where(slack: SlackPlayground):
    async with Line(slack) as line:
        payload = await typed(slack, line)
    assert (payload["command"], payload["text"]) == ("/threadwise", "list")
    assert (payload["user_id"], payload["user_name"]) == (user_id(slack, "Maya"), "maya")
    assert (payload["channel_id"], payload["channel_name"]) == (channel_id(slack, "general"), "general")
    assert (payload["team_id"], payload["team_domain"]) == (slack.team_id, "acme")
    assert (payload["api_app_id"], payload["is_enterprise_install"]) == (slack.app_id, "false")
    assert payload["trigger_id"].count(".") == 2


async def test_command_over_http_is_a_form_of_its_own(start: Start):
    # Slack: a command is posted as a form, without the `payload` field of other interactions.
    slack = await start(SlackOptions(delivery="http"))
    heard: list[Json] = []

    async def answer(request: web.Request) -> web.Response:
        heard.append(dict(await request.post()))
        return web.Response(text="done")

    async with serving(by_hand(answer)) as url:
        await slack.subscribe(url)
        await slack.people.commands("Maya", "#general", "/threadwise", "list")
        await slack.people.waits(lambda: texts(slack, "Maya") == ["done"])
    assert (heard[0]["command"], heard[0]["text"], heard[0]["user_id"]) == (
        "/threadwise",
        "list",
        user_id(slack, "Maya"),
    )


async def test_bolt_takes_a_command_over_http_and_answers_in_the_body(start: Start):
    slack = await start(SlackOptions(delivery="http"))
    heard: list[Json] = []
    app = bolt_app(slack, signing_secret=slack.signing_secret)

    async def listen(ack: Any, command: Json) -> None:
        heard.append(command)
        await ack("done")

    app.command("/threadwise")(listen)

    async with serving(app.web_app("/slack/events")) as url:
        await slack.subscribe(url)
        await slack.people.commands("Maya", "#general", "/threadwise", "a & b")
        await slack.people.waits(lambda: texts(slack, "Maya") == ["done"])
    assert heard[0]["text"] == "a & b"


async def test_command_the_app_never_registered_does_not_exist(start: Start):
    slack = await start(SlackOptions(commands={"/threadwise": Command("Your threads")}))
    with pytest.raises(LookupError, match="/nope is not a valid command; there is: /threadwise"):
        await slack.people.commands("Maya", "#general", "/nope")
    assert slack.journal.of("delivery") == []


async def test_command_in_a_thread_is_refused_in_slacks_words(slack: SlackPlayground):
    # Fact sheet 5: custom slash commands cannot be used in threads.
    root = await slack.people.says("Maya", "#random", "root")
    with pytest.raises(PermissionError, match=r"^/threadwise is not supported in threads\. Sorry!$"):
        await slack.people.commands("Maya", "#random", "/threadwise", "list", thread_ts=root)


async def test_command_bolt_does_not_acknowledge_times_out_before_the_person(start: Start):
    # Fact sheet 3.1: without ack() within three seconds Bolt answers 404 and sends no acknowledgement over a socket.
    slack = await start(SlackOptions(limits=False, time_scale=60.0))
    app = bolt_app(slack)
    app.command("/other")(acknowledging([]))
    async with listening(slack, app):
        await slack.people.commands("Maya", "#general", "/threadwise")
        line = '/threadwise failed with the error "operation_timeout"'
        await slack.people.waits(lambda: texts(slack, "Maya") == [line])
    assert texts(slack, "Sam") == []
    assert len(slack.journal.of("delivery")) == 1


@pytest.mark.parametrize(
    ("answer", "who_sees"),
    [
        ({"text": "for you"}, ["Maya"]),
        ({"text": "for you", "response_type": "ephemeral"}, ["Maya"]),
        ({"text": "for all", "response_type": "in_channel"}, ["Maya", "Sam"]),
        ({"blocks": [{"type": "divider"}]}, ["Maya"]),
        ({"response_type": "in_channel"}, []),
        ({}, []),
    ],
)
async def test_answer_with_the_acknowledgement_is_shown(slack: SlackPlayground, answer: Json, who_sees: list[str]):
    app = bolt_app(slack)

    async def listen(ack: Any) -> None:
        await (ack(answer) if answer else ack())

    app.command("/threadwise")(listen)
    async with listening(slack, app):
        await slack.people.commands("Maya", "#general", "/threadwise")
        await slack.people.waits(lambda: slack.journal.of("ack"))
        await slack.people.says("Sam", "#random", "afterwards")
    assert [who for who in ("Maya", "Sam") if slack.people.sees(who, "#general")] == who_sees


async def test_answer_slack_could_not_show_fails_the_command(slack: SlackPlayground):
    app = bolt_app(slack)

    async def listen(ack: Any) -> None:
        await ack(text="hi", blocks=[{"type": "wall"}])

    app.command("/threadwise")(listen)
    async with listening(slack, app):
        await slack.people.commands("Maya", "#general", "/threadwise")
        line = '/threadwise failed with the error "invalid_command_response"'
        await slack.people.waits(lambda: texts(slack, "Maya") == [line])


async def test_response_url_reaches_a_channel_the_app_is_not_in(slack: SlackPlayground):
    # Fact sheet 5: response_url is the only way into a channel without the app; five uses in half an hour.
    async with Line(slack) as line:
        payload = await typed(slack, line, where="#random")
    respond = webhook(payload["response_url"])
    answers = [await respond.send(text=str(number), response_type="in_channel") for number in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [404]
    assert texts(slack, "Sam", "#random") == ["0", "1", "2", "3", "4"]


async def test_response_url_of_a_command_has_no_original_to_replace_or_delete(slack: SlackPlayground):
    async with Line(slack) as line:
        payload = await typed(slack, line)
    respond = webhook(payload["response_url"])
    await respond.send(text="new", replace_original=True)
    await respond.send(delete_original=True)
    assert texts(slack, "Maya") == ["new"]


async def test_command_needs_a_person_in_the_channel(slack: SlackPlayground):
    dm = await slack.people.opens_dm("Sam")
    with pytest.raises(PermissionError, match="Maya is not in"):
        await slack.people.commands("Maya", dm, "/threadwise")


async def test_channel_of_a_command_in_direct_messages_is_named_so(slack: SlackPlayground):
    dm = slack.workspace.dm_with(user_id(slack, "Maya")).id
    async with Line(slack) as line:
        payload = await typed(slack, line, where=dm)
    assert (payload["channel_id"], payload["channel_name"]) == (dm, "directmessage")
