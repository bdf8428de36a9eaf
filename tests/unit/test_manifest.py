"""`manifest.yml`, the code and the docs ask Slack for the same things, and for no more than they use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest

from handlers.inbound.reading.slack_actions import ACTIONS
from handlers.slack.manifest import BOT_EVENTS, COMMANDS, SCOPES, SHORTCUTS
from tests.unit.handlers.front import Front, command, shortcut
from tests.unit.handlers.payloads import payload

ROOT = Path(__file__).parents[2]
MANIFEST: dict[str, Any] = yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8"))
FEATURES: dict[str, Any] = MANIFEST["features"]

SCOPE_OF_EVENT = {
    "agent_session_stopped": "chat:write",
    "app_home_opened": "",
    "app_mention": "app_mentions:read",
    "file_deleted": "files:read",
    "member_joined_channel": "channels:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
}
"""Slack's reference of each event, docs.slack.dev/reference/events: “Required Scopes”; in private channels the same
word begins with `groups`."""

SCOPE_OF_METHOD = {
    "agents.sessions.setStatus": "chat:write",
    "chat.postMessage": "chat:write",
    "chat.update": "chat:write",
    "chat.delete": "chat:write",
    "chat.postEphemeral": "chat:write",
    "assistant.threads.setStatus": "assistant:write",
    "conversations.create": "groups:write",
    "conversations.info": "channels:read",
    "conversations.invite": "groups:write",
    "conversations.open": "im:write",
    "conversations.replies": "channels:history",
    "conversations.history": "channels:history",
    "files.completeUploadExternal": "files:write",
    "files.info": "files:read",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
    "users.info": "users:read",
}
"""Slack's reference of each method, docs.slack.dev/reference/methods: bot scopes (of several the first we have)."""

IN_PRIVATE_CHANNELS = "groups:read"
"""What `conversations.info` and `member_joined_channel` need there."""

FOR_COMMANDS = "commands"
"""What slash commands and shortcuts need."""

UNHEARD = ("reaction_added", "app_uninstalled", "file_shared", "team_join")


@pytest.fixture
async def app() -> AsyncGenerator[AsyncApp]:
    """The real Bolt app over a store in memory; nothing here reaches a network."""
    front = Front()
    yield front.app
    await front.close()


async def status(app: AsyncApp, body: dict[str, Any]) -> int:
    """What the app answers; 404 says that nobody listens."""
    response: Any = await app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=body))
    return response.status


def test_the_manifest_asks_for_the_scopes_that_the_code_has_reasons_for() -> None:
    assert MANIFEST["oauth_config"]["scopes"] == {"bot": sorted(SCOPES)}
    assert all(SCOPES.values())


def test_the_manifest_subscribes_to_the_events_that_the_code_hears() -> None:
    assert MANIFEST["settings"]["event_subscriptions"]["bot_events"] == sorted(BOT_EVENTS)


def test_every_event_comes_with_the_scope_that_slack_wants_for_it() -> None:
    assert set(SCOPE_OF_EVENT) == set(BOT_EVENTS)
    assert set(filter(None, SCOPE_OF_EVENT.values())) <= set(SCOPES)


def test_no_scope_is_asked_for_that_no_event_and_no_call_needs() -> None:
    needed = {*SCOPE_OF_EVENT.values(), *SCOPE_OF_METHOD.values(), IN_PRIVATE_CHANNELS, FOR_COMMANDS}
    assert set(SCOPES) == needed - {""}


@pytest.mark.parametrize("method", SCOPE_OF_METHOD)
def test_each_method_that_a_scope_is_for_is_called_somewhere(method: str) -> None:
    assert any(f'"{method}"' in path.read_text("utf-8") for path in (ROOT / "handlers").rglob("*.py"))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        *(
            pytest.param(payload("message_mention", type=event), 200, id=event)
            for event in sorted({*BOT_EVENTS.values()})
        ),
        *(
            pytest.param(payload(name), 200, id=name)
            for name in ("message_changed", "message_deleted", "message_file_share", "message_own")
        ),
        *(pytest.param(payload("message_mention", type=event), 404, id=f"unheard {event}") for event in UNHEARD),
        pytest.param(command("/archive"), 404, id="a command that we do not offer"),
    ],
)
async def test_what_we_subscribe_to_and_offer_has_a_listener_and_nothing_else_has_one(
    body: dict[str, Any], code: int, app: AsyncApp
) -> None:
    assert await status(app, body) == code


@pytest.mark.parametrize("action", ACTIONS)
async def test_a_click_on_each_of_our_buttons_has_a_listener(action: str, app: AsyncApp) -> None:
    click = payload("block_actions_retry")
    click["actions"][0]["action_id"] = action
    assert await status(app, click) == 200


@pytest.mark.parametrize("name", COMMANDS)
async def test_each_command_has_a_listener(name: str, app: AsyncApp) -> None:
    assert await status(app, command(name, "help")) == 200


@pytest.mark.parametrize("callback", SHORTCUTS)
async def test_each_shortcut_has_a_listener(callback: str, app: AsyncApp) -> None:
    message = {"ts": "1770000100.000100"} if SHORTCUTS[callback].type == "message" else None
    assert await status(app, shortcut(callback, message)) == 200


def test_the_manifest_offers_the_commands_that_the_code_hears() -> None:
    offered = {each["command"]: (each["description"], each["usage_hint"]) for each in FEATURES["slash_commands"]}
    assert offered == {name: (each.description, each.usage_hint) for name, each in COMMANDS.items()}


def test_the_manifest_offers_the_shortcuts_that_the_code_hears() -> None:
    offered = {each["callback_id"]: (each["name"], each["type"], each["description"]) for each in FEATURES["shortcuts"]}
    assert offered == {callback: (each.name, each.type, each.description) for callback, each in SHORTCUTS.items()}


def test_the_home_tab_is_switched_on_because_we_publish_one() -> None:
    assert FEATURES["app_home"]["home_tab_enabled"] is True
    assert "app_home_opened" in BOT_EVENTS


def test_buttons_are_switched_on_because_we_offer_some() -> None:
    assert MANIFEST["settings"]["interactivity"]["is_enabled"] is True


@pytest.mark.parametrize("scope", SCOPES)
def test_the_docs_give_the_reason_for_each_scope(scope: str) -> None:
    assert f"| `{scope}` | {SCOPES[scope]} |" in (ROOT / "docs" / "slack-app.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*COMMANDS, *(each.name for each in SHORTCUTS.values())])
def test_the_docs_name_each_command_and_shortcut(name: str) -> None:
    assert re.search(
        rf"^\| [`*]{re.escape(name)}[` *]", (ROOT / "docs" / "slack-app.md").read_text("utf-8"), re.MULTILINE
    )


@pytest.mark.parametrize("event", BOT_EVENTS)
def test_the_docs_name_each_event(event: str) -> None:
    assert f"| `{event}` |" in (ROOT / "docs" / "slack-app.md").read_text("utf-8")


def test_the_manifest_keeps_slacks_limits() -> None:
    # The lengths are those of Slack's manifest schema 2.0.0.
    assert len(MANIFEST["display_information"]["name"]) <= 35
    assert len(MANIFEST["display_information"]["description"]) <= 140
    agent = FEATURES["agent_view"]
    assert len(agent["agent_description"]) <= 300
    assert len(agent["suggested_prompts"]) <= 4
    assert all(len(each["command"]) <= 32 for each in FEATURES["slash_commands"])
    assert all(len(each["name"]) <= 24 for each in FEATURES["shortcuts"])


def test_the_slack_cli_gets_the_manifest_and_a_command_to_start_the_app() -> None:
    hooks = json.loads((ROOT / ".slack/hooks.json").read_text())["hooks"]
    command = hooks["get-manifest"].replace(".venv/bin/python", sys.executable)
    printed = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert json.loads(printed) == yaml.safe_load((ROOT / "manifest.yml").read_text())
    assert hooks["start"].endswith("threadwise run")
