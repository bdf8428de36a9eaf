"""Buttons people press, and the response_urls that answer them."""

from typing import Any

import pytest
from aiohttp import ClientSession

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import Bot, bolt_app, bolt_socket, bot_of, ignore, refused, webhook


def button(action_id: str, value: str) -> Json:
    return {"type": "button", "action_id": action_id, "value": value, "text": {"type": "plain_text", "text": value}}


BUTTONS = [{"type": "actions", "block_id": "choice", "elements": [button("yes", "1"), button("no", "2")]}]


async def clicked(slack: SlackPlayground, line: Line, ts: str, action_id: str = "yes") -> Json:
    """Press a button and return what the app hears of it."""
    await slack.people.clicks("Maya", "#general", ts, action_id)
    return await line.interaction()


async def test_click_tells_who_where_and_which(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        root = await slack.people.says("Sam", "#general", "root")
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS, thread_ts=root)
        payload = await clicked(slack, line, posted["ts"], "no")
    [action] = payload["actions"]
    assert (action["action_id"], action["block_id"], action["value"]) == ("no", "choice", "2")
    assert (payload["user"]["id"], payload["channel"]["id"]) == (user_id(slack, "Maya"), posted["channel"])
    assert payload["container"] == {
        "type": "message",
        "message_ts": posted["ts"],
        "channel_id": posted["channel"],
        "is_ephemeral": False,
        "thread_ts": root,
    }
    assert payload["message"]["ts"] == posted["ts"]
    assert payload["trigger_id"].count(".") == 2


async def test_click_on_an_ephemeral_message_carries_no_message(slack: SlackPlayground, bot: Bot):
    # Slack: the payload of a click on an ephemeral message has a container, but no message.
    async with Line(slack) as line:
        posted = await bot.chat_postEphemeral(
            channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS
        )
        payload = await clicked(slack, line, posted["message_ts"])
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload


async def test_click_on_an_ephemeral_message_in_a_thread_names_message_and_thread(slack: SlackPlayground, bot: Bot):
    # Seen in the wild (java-slack-sdk 1200): the container of an ephemeral message has thread_ts too.
    general = channel_id(slack, "general")
    root = await slack.people.says("Maya", "#general", "root")
    async with Line(slack) as line:
        posted = await bot.chat_postEphemeral(
            channel=general, user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS, thread_ts=root
        )
        payload = await clicked(slack, line, posted["message_ts"], "no")
    assert payload["container"] == {
        "type": "message",
        "message_ts": posted["message_ts"],
        "channel_id": general,
        "is_ephemeral": True,
        "thread_ts": root,
    }
    assert (payload["channel"]["id"], payload["user"]["id"]) == (general, user_id(slack, "Maya"))
    assert (payload["actions"][0]["value"], "message" in payload) == ("2", False)


async def test_ephemeral_message_can_be_neither_updated_nor_deleted(slack: SlackPlayground, bot: Bot):
    # Slack, chat.postEphemeral: its message_ts is of no use to chat.update and chat.delete.
    general = channel_id(slack, "general")
    posted = await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS)
    place = {"channel": general, "ts": posted["message_ts"]}
    assert await refused(bot.chat_update(**place, text="done")) == "message_not_found"
    assert await refused(bot.chat_delete(**place)) == "message_not_found"


async def test_only_a_button_that_the_person_sees_can_be_pressed(slack: SlackPlayground, bot: Bot):
    whispered = await bot.chat_postEphemeral(
        channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS
    )
    with pytest.raises(LookupError, match="Sam sees no message"):
        await slack.people.clicks("Sam", "#general", whispered["message_ts"], "yes")
    posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
    with pytest.raises(LookupError, match="its buttons are: yes=1, no=2"):
        await slack.people.clicks("Maya", "#general", posted["ts"], "maybe")
    with pytest.raises(LookupError, match="'yes' with value '2'"):
        await slack.people.clicks("Maya", "#general", posted["ts"], "yes", "2")


async def test_button_is_gone_with_the_update_that_removes_it(slack: SlackPlayground, bot: Bot):
    posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
    await bot.chat_update(channel=posted["channel"], ts=posted["ts"], text="done")
    with pytest.raises(LookupError, match="its buttons are: none"):
        await slack.people.clicks("Maya", "#general", posted["ts"], "yes")


async def test_click_nobody_answers_is_told_once_and_shown_to_people(start: Start):
    # Slack: interactive payloads are not retried; the person sees an error.
    slack = await start(SlackOptions(limits=False, time_scale=600.0))
    posted = await bot_of(slack).chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
    failures: list[Any] = []
    slack.workspace.watch(failures.append)
    await slack.people.clicks("Maya", "#general", posted["ts"], "yes")
    await slack.people.waits(lambda: failures)
    assert failures[0].error == "the app did not answer this click"
    clicks = [entry for entry in slack.journal.of("delivery") if entry["payload"]["type"] == "block_actions"]
    assert len(clicks) == 1


async def test_response_url_replaces_the_message_it_came_with(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        payload = await clicked(slack, line, posted["ts"])
    answer = await webhook(payload["response_url"]).send(text="done", replace_original=True)
    assert (answer.status_code, answer.body) == (200, "ok")
    [message] = slack.people.sees("Sam", "#general")
    assert (message.text, message.blocks) == ("done", None)


async def test_response_url_reaches_an_ephemeral_message(slack: SlackPlayground, bot: Bot):
    # Slack: the only way to change or take back an ephemeral message.
    async with Line(slack) as line:
        posted = await bot.chat_postEphemeral(
            channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS
        )
        payload = await clicked(slack, line, posted["message_ts"])
    respond = webhook(payload["response_url"])
    await respond.send(text="done", replace_original=True)
    assert [message.text for message in slack.people.sees("Maya", "#general")] == ["done"]
    await respond.send(delete_original=True)
    assert slack.people.sees("Maya", "#general") == []


async def test_response_url_deletes_the_message_it_came_with(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        payload = await clicked(slack, line, posted["ts"])
    await webhook(payload["response_url"]).send(delete_original=True)
    assert slack.people.sees("Maya", "#general") == []


async def test_response_is_for_the_person_who_clicked_unless_in_channel(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        payload = await clicked(slack, line, posted["ts"])
    respond = webhook(payload["response_url"])
    await respond.send(text="for you")
    await respond.send(text="for all", response_type="in_channel")
    assert [message.text for message in slack.people.sees("Maya", "#general")] == ["hi", "for you", "for all"]
    assert [message.text for message in slack.people.sees("Sam", "#general")] == ["hi", "for all"]


async def test_response_url_works_five_times(slack: SlackPlayground, bot: Bot):
    # Slack: a response_url may be used five times within thirty minutes.
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        payload = await clicked(slack, line, posted["ts"])
    respond = webhook(payload["response_url"])
    answers = [await respond.send(text=str(number)) for number in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [404]
    assert answers[5].body == "used_url"


async def test_response_url_ends_after_thirty_minutes(start: Start):
    slack = await start(SlackOptions(limits=False, time_scale=1e9))
    bot = bot_of(slack)
    posted = await bot.chat_postEphemeral(
        channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS
    )
    await slack.people.clicks("Maya", "#general", posted["message_ts"], "yes")
    [click] = await slack.people.waits(lambda: slack.journal.of("delivery"))
    answer = await webhook(click["payload"]["response_url"]).send(text="late")
    assert (answer.status_code, answer.body) == (404, "expired_url")


async def test_response_with_bad_blocks_is_refused_and_costs_no_use(slack: SlackPlayground, bot: Bot):
    async with Line(slack) as line:
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        payload = await clicked(slack, line, posted["ts"])
    respond = webhook(payload["response_url"])
    answer = await respond.send(text="hi", blocks=[{"type": "wall"}])
    assert answer.status_code == 400
    assert "invalid_blocks" in answer.body
    assert all([(await respond.send(text=str(number))).status_code == 200 for number in range(5)])


async def test_bolt_answers_a_click_with_respond(slack: SlackPlayground, bot: Bot):
    app = bolt_app(slack)

    async def choose(ack: Any, respond: Any, action: Json) -> None:
        await ack()
        await respond(text=f"chose {action['value']}", replace_original=True)

    app.action("yes")(choose)
    app.event("message")(ignore)
    async with bolt_socket(slack, app):
        posted = await bot.chat_postMessage(channel="#general", text="hi", blocks=BUTTONS)
        await slack.people.clicks("Maya", "#general", posted["ts"], "yes")
        await slack.people.waits(lambda: slack.people.sees("Maya", "#general")[0].text == "chose 1")
        await slack.people.waits(lambda: len(slack.journal.of("ack")) == 3)


async def test_bolt_takes_an_ephemeral_message_back_with_respond(slack: SlackPlayground, bot: Bot):
    app = bolt_app(slack)

    async def close(ack: Any, respond: Any) -> None:
        await ack()
        await respond(delete_original=True)

    app.action("yes")(close)
    async with bolt_socket(slack, app):
        posted = await bot.chat_postEphemeral(
            channel=channel_id(slack, "general"), user=user_id(slack, "Maya"), text="psst", blocks=BUTTONS
        )
        await slack.people.clicks("Maya", "#general", posted["message_ts"], "yes")
        await slack.people.waits(lambda: slack.people.sees("Maya", "#general") == [])
        await slack.people.waits(lambda: slack.journal.of("ack"))


async def test_unknown_response_url_is_not_found(slack: SlackPlayground):
    async with ClientSession() as session:
        answer = await session.post(f"{slack.url}/response/{'0' * 24}", json={"text": "hi"})
        assert answer.status == 404
