"""Users, reactions, statuses."""

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refused


async def test_users_info_tells_names_and_time_zone(slack: SlackPlayground, bot: Bot):
    user = (await bot.users_info(user=user_id(slack, "Priya")))["user"]
    assert (user["real_name"], user["tz"], user["is_bot"]) == ("Priya Nair", "Asia/Kolkata", False)
    assert await refused(bot.users_info(user="U0NOBODY")) == "user_not_found"


async def test_second_reaction_of_a_kind_is_already_reacted(slack: SlackPlayground, bot: Bot):
    ts = await slack.people.says("Maya", "#general", "hi")
    place = {"channel": channel_id(slack, "general"), "timestamp": ts, "name": "eyes"}
    await bot.reactions_add(**place)
    assert await refused(bot.reactions_add(**place)) == "already_reacted"


async def test_taking_back_a_reaction_that_is_not_there_is_no_reaction(slack: SlackPlayground, bot: Bot):
    ts = await slack.people.says("Maya", "#general", "hi")
    place = {"channel": channel_id(slack, "general"), "timestamp": ts, "name": "eyes"}
    await bot.reactions_add(**place)
    await bot.reactions_remove(**place)
    assert slack.people.sees("Maya", "#general")[0].reactions == ()
    assert await refused(bot.reactions_remove(**place)) == "no_reaction"


async def test_reaction_needs_a_message_and_an_emoji_name(slack: SlackPlayground, bot: Bot):
    general = channel_id(slack, "general")
    ts = await slack.people.says("Maya", "#general", "hi")
    missing = bot.reactions_add(channel=general, timestamp="1700000000.000001", name="eyes")
    assert await refused(missing) == "message_not_found"
    assert await refused(bot.reactions_add(channel=general, timestamp=ts, name="Big Eyes")) == "invalid_name"


def shown_status(slack: SlackPlayground) -> list[str]:
    return [status.text for status in slack.workspace.statuses.values()]


async def test_status_goes_with_the_bots_next_message_in_the_thread(slack: SlackPlayground, bot: Bot):
    # Slack: a status is cleared by the app's next message.
    root = await slack.people.says("Maya", "#general", "hi")
    general = channel_id(slack, "general")
    await bot.assistant_threads_setStatus(channel_id=general, thread_ts=root, status="is thinking…")
    assert shown_status(slack) == ["is thinking…"]
    await bot.chat_postMessage(channel=general, thread_ts=root, text="hello")
    assert shown_status(slack) == []


async def test_empty_status_clears(slack: SlackPlayground, bot: Bot):
    root = await slack.people.says("Maya", "#general", "hi")
    place = {"channel_id": channel_id(slack, "general"), "thread_ts": root}
    await bot.assistant_threads_setStatus(**place, status="is thinking…")
    await bot.assistant_threads_setStatus(**place, status="")
    assert shown_status(slack) == []


async def test_status_goes_after_two_minutes(start: Start):
    # Slack: a status without a message after it goes after two minutes.
    slack = await start(SlackOptions(time_scale=1000))
    root = await slack.people.says("Maya", "#general", "hi")
    place = {"channel_id": channel_id(slack, "general"), "thread_ts": root}
    gone: list[str] = []
    slack.workspace.watch(lambda _: gone.extend([] if slack.workspace.statuses else ["gone"]))
    await bot_of(slack).assistant_threads_setStatus(**place, status="is thinking…")
    assert await slack.people.waits(lambda: gone)


async def test_status_of_no_thread_is_invalid_thread_ts(slack: SlackPlayground, bot: Bot):
    call = bot.assistant_threads_setStatus(channel_id=channel_id(slack, "general"), thread_ts="now", status="x")
    assert await refused(call) == "invalid_thread_ts"


async def test_eleven_loading_messages_are_refused(slack: SlackPlayground, bot: Bot):
    # Slack: up to ten loading_messages.
    root = await slack.people.says("Maya", "#general", "hi")
    call = bot.assistant_threads_setStatus(
        channel_id=channel_id(slack, "general"), thread_ts=root, status="x", loading_messages=["…"] * 11
    )
    assert await refused(call) == "invalid_arguments"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"status": "sleeping"}, "invalid_status"),
        ({"thread_ts": ""}, "thread_ts_required"),
        ({"title": "x" * 201}, "invalid_arguments"),
        ({"channel_id": "C0NOWHERE"}, "channel_not_found"),
    ],
)
async def test_session_status_is_refused_for(slack: SlackPlayground, bot: Bot, change: dict[str, str], code: str):
    # Slack: the errors of agents.sessions.setStatus.
    root = await slack.people.says("Maya", "#general", "hi")
    call = {"channel_id": channel_id(slack, "general"), "thread_ts": root, "status": "processing"} | change
    assert await refused(bot.api_call("agents.sessions.setStatus", json=call)) == code


async def test_session_in_a_channel_without_the_bot_is_not_authorized(slack: SlackPlayground, bot: Bot):
    call = bot.agents_sessions_setStatus(
        channel_id=channel_id(slack, "random"), thread_ts="1700000000.000001", status="active"
    )
    assert await refused(call) == "not_authorized"


async def test_processing_session_shows_until_it_is_active_again(slack: SlackPlayground, bot: Bot):
    root = await slack.people.says("Maya", "#general", "hi")
    place = {"channel_id": channel_id(slack, "general"), "thread_ts": root}
    answer = await bot.agents_sessions_setStatus(**place, status="processing", title="Heat")
    assert (answer["status"], answer["title"]) == ("processing", "Heat")
    assert len(shown_status(slack)) == 1
    await bot.agents_sessions_setStatus(**place, status="active")
    assert shown_status(slack) == []
