"""Shortcuts: on a message, and anywhere."""

from dataclasses import replace
from typing import Any

import pytest

from app.playground.slack import Shortcut, SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.kit import Json, listening, modal
from tests.contract.playground_slack.line import Line
from tests.contract.playground_slack.sdk import bolt_app, bot_of, webhook

SHORTCUTS = SlackOptions(
    limits=False,
    shortcuts={"archive": Shortcut("message", "Archive thread"), "find": Shortcut("global", "Find a thread")},
)


async def test_message_shortcut_carries_its_message_and_can_be_answered(start: Start):
    # Fact sheet 5: message_action has channel, message.ts, message.thread_ts, response_url and trigger_id.
    slack = await start(SHORTCUTS)
    root = await slack.people.says("Maya", "#random", "root")
    reply = await slack.people.says("Sam", "#random", "reply", root)
    async with Line(slack) as line:
        await slack.people.uses_shortcut("Maya", "#random", reply, "archive")
        payload = await line.interaction()
    assert (payload["type"], payload["callback_id"]) == ("message_action", "archive")
    assert (payload["user"]["id"], payload["channel"]["id"]) == (user_id(slack, "Maya"), channel_id(slack, "random"))
    assert (payload["message_ts"], payload["message"]["ts"], payload["message"]["thread_ts"]) == (reply, reply, root)
    assert payload["action_ts"]
    await webhook(payload["response_url"]).send(text="Archived.")
    assert [message.text for message in slack.people.sees("Maya", "#random")] == ["root", "Archived."]


async def test_global_shortcut_opens_a_modal_and_knows_no_channel(start: Start):
    slack = await start(SHORTCUTS)
    heard: list[Json] = []
    app = bolt_app(slack)

    async def find(ack: Any, body: Json, client: Any) -> None:
        await ack()
        heard.append(body)
        await client.views_open(trigger_id=body["trigger_id"], view=modal())

    app.shortcut("find")(find)
    async with listening(slack, app):
        await slack.people.uses_global_shortcut("Maya", "find")
        await slack.people.waits(lambda: slack.people.modal("Maya"))
    assert heard[0]["type"] == "shortcut"
    assert not {"channel", "message", "response_url", "container"} & heard[0].keys()


async def test_shortcut_the_app_never_registered_is_not_offered(start: Start):
    slack = await start(SHORTCUTS)
    ts = await slack.people.says("Maya", "#general", "hi")
    with pytest.raises(LookupError, match="no message shortcut 'find'; there is: archive"):
        await slack.people.uses_shortcut("Maya", "#general", ts, "find")
    with pytest.raises(LookupError, match="no global shortcut 'archive'; there is: find"):
        await slack.people.uses_global_shortcut("Maya", "archive")


async def test_ephemeral_message_offers_no_shortcut(start: Start):
    slack = await start(SHORTCUTS)
    maya = user_id(slack, "Maya")
    answer = await bot_of(slack).chat_postEphemeral(channel=channel_id(slack, "general"), user=maya, text="psst")
    with pytest.raises(LookupError, match="only one person sees"):
        await slack.people.uses_shortcut("Maya", "#general", answer["message_ts"], "archive")


async def test_shortcut_bolt_does_not_acknowledge_is_told_once_and_shown_to_people(start: Start):
    # Fact sheet 3.1: no acknowledgement without a listener's ack().
    slack = await start(replace(SHORTCUTS, time_scale=30.0))
    failures: list[Any] = []
    slack.workspace.watch(failures.append)
    async with listening(slack, bolt_app(slack)):
        await slack.people.uses_global_shortcut("Maya", "find")
        await slack.people.waits(lambda: failures)
    assert (failures[0].method, failures[0].error) == ("shortcut", "the app did not answer this shortcut")


async def test_playground_without_shortcuts_offers_none(slack: SlackPlayground):
    with pytest.raises(LookupError, match="there is: none"):
        await slack.people.uses_global_shortcut("Maya", "find")


async def test_app_without_the_scope_has_neither_commands_nor_shortcuts(start: Start):
    # Slack's scope `commands`: "Add shortcuts and/or slash commands that people can use".
    slack = await start(replace(SHORTCUTS, scopes=BOT_SCOPES - {"commands"}))
    with pytest.raises(LookupError, match="/threadwise is not a valid command; there is: none"):
        await slack.people.commands("Maya", "#general", "/threadwise")
    with pytest.raises(LookupError, match="no global shortcut 'find'; there is: none"):
        await slack.people.uses_global_shortcut("Maya", "find")
