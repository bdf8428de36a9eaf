"""Users, reactions, statuses."""

from dataclasses import replace

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.model import Member, Reacted, Reaction
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.sdk import Bot, bot_of, refusal, refused


async def test_users_info_tells_guests_and_people_of_other_companies(slack: SlackPlayground, bot: Bot):
    guest = Member("U0GUEST01", "Gil", "Gil Ray", "Etc/UTC", is_guest=True)
    stranger = Member("U0STRANG1", "Uma", "Uma Berg", "Etc/UTC", team="T0OTHER01")
    slack.workspace.members |= {guest.id: guest, stranger.id: stranger}
    told = {name: (await bot.users_info(user=user_id(slack, name)))["user"] for name in ("Maya", "Gil", "Uma")}
    assert [each["is_restricted"] for each in told.values()] == [False, True, False]
    assert [each.get("is_stranger") for each in told.values()] == [None, None, True]
    assert (told["Gil"]["team_id"], told["Uma"]["team_id"]) == (slack.team_id, "T0OTHER01")


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


@pytest.mark.parametrize("method", ["reactions.add", "reactions.remove"])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        # Slack: the errors of reactions.add and reactions.remove.
        ({"timestamp": "1700000000.000001"}, "message_not_found"),
        ({"timestamp": "yesterday"}, "bad_timestamp"),
        ({"timestamp": ""}, "no_item_specified"),
        ({"channel": ""}, "no_item_specified"),
        ({"channel": "C0NOWHERE"}, "channel_not_found"),
        ({"name": "Big Eyes"}, "invalid_name"),
    ],
)
async def test_reaction_is_refused_for(
    slack: SlackPlayground, bot: Bot, method: str, change: dict[str, str], code: str
):
    ts = await slack.people.says("Maya", "#general", "hi")
    call = {"channel": channel_id(slack, "general"), "timestamp": ts, "name": "eyes"} | change
    assert await refused(bot.api_call(method, params=call)) == code


async def test_reaction_to_an_ephemeral_message_finds_no_message(slack: SlackPlayground, bot: Bot):
    # Slack: an ephemeral message has a message_ts that no method takes.
    general = channel_id(slack, "general")
    whispered = await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Maya"), text="psst")
    call = bot.reactions_add(channel=general, timestamp=whispered["message_ts"], name="eyes")
    assert await refused(call) == "message_not_found"


async def test_bot_takes_back_its_own_reaction_only(slack: SlackPlayground, bot: Bot):
    # Slack, reactions.remove: no_reaction also if the requestor is not the original author.
    ts = await slack.people.says("Maya", "#general", "hi")
    message = slack.people.sees("Maya", "#general")[0]
    theirs = replace(message, reactions=(Reaction("eyes", (user_id(slack, "Sam"),)),))
    slack.workspace.react(theirs, Reacted(theirs, "eyes", user_id(slack, "Sam"), added=True))
    call = bot.reactions_remove(channel=channel_id(slack, "general"), timestamp=ts, name="eyes")
    assert await refused(call) == "no_reaction"


async def test_reactions_need_their_scope(start: Start):
    slack = await start(SlackOptions(scopes=BOT_SCOPES - {"reactions:write"}))
    ts = await slack.people.says("Maya", "#general", "hi")
    place = {"channel": channel_id(slack, "general"), "timestamp": ts, "name": "eyes"}
    for call in (bot_of(slack).reactions_add(**place), bot_of(slack).reactions_remove(**place)):
        assert (await refusal(call))["needed"] == "reactions:write"


async def test_twenty_first_reaction_taken_back_in_a_minute_is_ratelimited(start: Start):
    # Slack: reactions.remove is Tier 2, twenty a minute; reactions.add is Tier 3.
    slack = await start(SlackOptions())
    bot, general = bot_of(slack), channel_id(slack, "general")
    for number in range(21):
        ts = await slack.people.says("Maya", "#general", str(number))
        await bot.reactions_add(channel=general, timestamp=ts, name="eyes")
        taking_back = bot.reactions_remove(channel=general, timestamp=ts, name="eyes")
        if number < 20:
            await taking_back
        else:
            assert await refused(taking_back) == "ratelimited"


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


async def test_status_outlasts_what_is_no_message_of_the_bot_in_the_thread(slack: SlackPlayground, bot: Bot):
    general = channel_id(slack, "general")
    root = await slack.people.says("Maya", "#general", "hi")
    posted = await bot.chat_postMessage(channel=general, thread_ts=root, text="one")
    await bot.assistant_threads_setStatus(channel_id=general, thread_ts=root, status="is thinking…")
    await bot.chat_update(channel=general, ts=posted["ts"], text="two")
    await bot.chat_postEphemeral(channel=general, user=user_id(slack, "Maya"), thread_ts=root, text="psst")
    await bot.chat_postMessage(channel=general, text="elsewhere")
    await slack.people.says("Maya", "#general", "and?", root)
    assert shown_status(slack) == ["is thinking…"]


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
