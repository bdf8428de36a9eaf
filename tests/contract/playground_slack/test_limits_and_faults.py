"""Rate tiers, latency, and the bad days a test can order."""

from contextlib import suppress

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
)

from app.playground.slack import Fault, SlackOptions, SlackPlayground
from tests.contract.playground_slack.conftest import Start, channel_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused


async def test_fifty_first_update_in_a_minute_is_429_with_retry_after(start: Start):
    # Slack: chat.update is Tier 3, fifty a minute per workspace; past it HTTP 429 with Retry-After.
    slack = await start(SlackOptions())
    bot = bot_of(slack)
    posted = await bot.chat_postMessage(channel="#general", text="hi")
    place = {"channel": posted["channel"], "ts": posted["ts"]}
    for number in range(50):
        await bot.chat_update(**place, text=str(number))
    answer = await refusal(bot.chat_update(**place, text="one more"))
    assert answer.status_code == 429
    assert answer.data == {"ok": False, "error": "ratelimited"}
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert slack.people.sees("Maya", "#general")[0].text == "49"


async def test_posts_are_limited_per_channel(start: Start):
    # Slack: about one message a second per channel, with short bursts.
    slack = await start(SlackOptions())
    bot = bot_of(slack)
    for _ in range(4):
        await bot.chat_postMessage(channel="#general", text="hi")
    assert await refused(bot.chat_postMessage(channel="#general", text="hi")) == "ratelimited"
    assert (await bot.chat_postMessage(channel="#ops", text="hi"))["ok"]


async def test_limits_off_lets_everything_through(slack: SlackPlayground, bot: Bot):
    for _ in range(6):
        assert (await bot.chat_postMessage(channel="#general", text="hi"))["ok"]


async def test_tier_of_a_method_can_be_made_smaller(start: Start):
    slack = await start(SlackOptions(tiers={"users.info": 1}))
    await bot_of(slack).users_info(user=slack.bot_user_id)
    assert await refused(bot_of(slack).users_info(user=slack.bot_user_id)) == "ratelimited"


async def test_window_opens_again_after_its_time(start: Start):
    # The SDK's own handler waits Retry-After, a whole second at least; the window is 60 ms of real time.
    slack = await start(SlackOptions(tiers={"users.info": 1}, time_scale=1000))
    bot = bot_of(slack, retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=3)])
    for _ in range(2):
        assert (await bot.users_info(user=slack.bot_user_id))["ok"]


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Fault("chat.postMessage", "http_500"), 500, "internal_error"),
        (Fault("chat.postMessage", "http_503"), 503, "internal_error"),
        (Fault("chat.postMessage", "http_429", retry_after=7), 429, "ratelimited"),
        # Slack has been seen to say "ratelimited" with HTTP 200, which no SDK retries.
        (Fault("chat.postMessage", "ok_false_ratelimited"), 200, "ratelimited"),
        (Fault("chat.postMessage", "error", code="is_archived"), 200, "is_archived"),
    ],
)
async def test_fault_answers_in_the_methods_place(
    slack: SlackPlayground, bot: Bot, fault: Fault, status: int, code: str
):
    slack.faults.add(fault)
    answer = await refusal(bot.chat_postMessage(channel="#general", text="hi"))
    assert (answer.status_code, answer["error"]) == (status, code)
    assert slack.people.sees("Maya", "#general") == []
    assert (await bot.chat_postMessage(channel="#general", text="hi"))["ok"]


async def test_http_429_says_how_long_to_wait(slack: SlackPlayground, bot: Bot):
    slack.faults.add(Fault("auth.test", "http_429", retry_after=7))
    answer = await refusal(bot.auth_test())
    assert answer.headers["Retry-After"] == "7"


async def test_connection_dropped_before_applies_nothing(slack: SlackPlayground, bot: Bot):
    slack.faults.add(Fault("chat.postMessage", "drop_before"))
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot.chat_postMessage(channel="#general", text="hi")
    assert slack.people.sees("Maya", "#general") == []


async def test_connection_dropped_after_applying_makes_the_sdks_retry_post_twice(slack: SlackPlayground):
    # Measured: the SDK's default handler repeats a post whose connection was lost.
    bot = bot_of(slack, retry_handlers=[AsyncConnectionErrorRetryHandler(max_retry_count=1)])
    slack.faults.add(Fault("chat.postMessage", "drop_after"))
    assert (await bot.chat_postMessage(channel="#general", text="hi"))["ok"]
    assert [message.text for message in slack.people.sees("Maya", "#general")] == ["hi", "hi"]


async def test_fault_waits_for_its_turn_and_strikes_so_often(slack: SlackPlayground, bot: Bot):
    slack.faults.add(Fault("auth.test", "error", times=2, after=1, code="fatal_error"))
    assert (await bot.auth_test())["ok"]
    assert await refused(bot.auth_test()) == "fatal_error"
    assert (await bot.users_info(user=slack.bot_user_id))["ok"]
    assert await refused(bot.auth_test()) == "fatal_error"
    assert (await bot.auth_test())["ok"]


async def test_slow_call_outlasts_the_sdks_timeout(slack: SlackPlayground):
    slack.faults.add(Fault("chat.postMessage", "slow", seconds=30))
    bot = bot_of(slack, timeout=1)
    with pytest.raises(TimeoutError):
        await bot.chat_postMessage(channel="#general", text="hi")
    assert slack.people.sees("Maya", "#general") == []


async def test_latency_delays_only_the_methods_it_names(start: Start):
    slack = await start(SlackOptions(latency={"chat.postMessage": 30.0}))
    bot = bot_of(slack, timeout=1)
    assert (await bot.conversations_info(channel=channel_id(slack, "general")))["ok"]
    with pytest.raises(TimeoutError):
        await bot.chat_postMessage(channel="#general", text="hi")


async def test_call_of_a_dropped_connection_is_in_the_journal(slack: SlackPlayground, bot: Bot):
    slack.faults.add(Fault("auth.test", "drop_before"))
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot.auth_test()
    [call] = slack.journal.of("call")
    assert (call["method"], call["status"]) == ("auth.test", 0)


async def test_a_storm_strikes_the_same_calls_for_the_same_seed(start: Start):
    struck: list[list[str]] = []
    for _ in range(2):
        slack = await start(SlackOptions(limits=False))
        bot = bot_of(slack)
        slack.faults.storm(0.3, seed=7)
        for number in range(30):
            with suppress(SlackApiError, aiohttp.ClientError):  # what the storm made of it is in the journal
                await bot.chat_postMessage(channel="#general", text=str(number))
        slack.faults.storm(0, seed=0)
        assert (await bot.chat_postMessage(channel="#general", text="calm"))["ok"]
        calls = slack.journal.of("call")
        struck.append([str(call["answer"].get("error")) for call in calls])
    assert struck[0] == struck[1]
    assert 3 < sum(error != "None" for error in struck[0]) < 20
