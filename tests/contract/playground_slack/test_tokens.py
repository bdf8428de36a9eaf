"""Who may call what."""

import json

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused


async def test_auth_test_names_the_bot_behind_the_token(slack: SlackPlayground, bot: Bot):
    answer = await bot.auth_test()
    assert (answer["user_id"], answer["team_id"]) == (slack.bot_user_id, slack.team_id)
    # Bolt reads the granted scopes from this header.
    assert "chat:write" in answer.headers["x-oauth-scopes"]


async def test_call_without_token_is_not_authed(slack: SlackPlayground):
    # Slack: a request without a token answers not_authed, with HTTP 200.
    answer = await refusal(bot_of(slack, "").auth_test())
    assert answer["error"] == "not_authed"
    assert answer.status_code == 200


async def test_unknown_token_is_invalid_auth(slack: SlackPlayground):
    # Slack: a token it does not know answers invalid_auth.
    assert await refused(bot_of(slack, "xoxb-nobody").auth_test()) == "invalid_auth"


async def test_bot_token_cannot_open_a_socket(slack: SlackPlayground, bot: Bot):
    # Slack: apps.connections.open takes the app-level token only.
    assert await refused(bot.apps_connections_open(app_token=slack.bot_token)) == "not_allowed_token_type"


async def test_app_token_cannot_post(slack: SlackPlayground):
    # Slack: an app-level token works for app-level methods only.
    client = bot_of(slack, slack.app_token)
    assert await refused(client.chat_postMessage(channel="#general", text="hi")) == "not_allowed_token_type"


async def test_missing_scope_says_what_is_needed_and_what_is_there(start: Start):
    # Slack: missing_scope comes with `needed` and `provided`.
    slack = await start(SlackOptions(scopes=frozenset({"channels:read"})))
    answer = await refusal(bot_of(slack).chat_postMessage(channel="#general", text="hi"))
    assert answer["error"] == "missing_scope"
    assert (answer["needed"], answer["provided"]) == ("chat:write", "channels:read")


async def test_history_of_direct_messages_needs_the_scope_of_direct_messages(start: Start):
    # Slack: conversations.history needs the history scope of the channel's kind.
    slack = await start(SlackOptions(scopes=BOT_SCOPES - {"im:history"}))
    dm = await slack.people.opens_dm("Maya")
    assert await refused(bot_of(slack).conversations_history(channel=dm)) == "missing_scope"
    assert (await bot_of(slack).conversations_history(channel=channel_id(slack, "general")))["ok"]


async def test_unknown_method_is_refused_and_counted(slack: SlackPlayground, bot: Bot):
    # Slack: a method that does not exist answers unknown_method.
    assert await refused(bot.api_call("chat.shout")) == "unknown_method"
    [call] = slack.journal.of("call")
    assert (call["method"], call["answer"]["error"]) == ("chat.shout", "unknown_method")


async def test_tokens_never_reach_the_journal(slack: SlackPlayground, bot: Bot):
    await bot.auth_test()
    await refused(bot.api_call("chat.update", data={"token": slack.bot_token}))
    assert slack.bot_token not in json.dumps(slack.journal.entries)
