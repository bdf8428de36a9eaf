"""Agent sessions, and Slack's own Stop beside them. Slack is quoted from docs.slack.dev/ai/agent-sessions."""

import pytest

from app.playground.slack import SlackOptions, SlackPlayground
from app.playground.slack.values.options import BOT_SCOPES
from tests.contract.playground_slack.conftest import Start, channel_id, user_id
from tests.contract.playground_slack.line import Json, Line
from tests.contract.playground_slack.sdk import Bot, bolt_app, bolt_socket, bot_of, ignore, refusal, refused

UNHEARD = "missing_agent_session_stopped_event_subscription"


@pytest.fixture
async def thread(slack: SlackPlayground) -> Json:
    """A thread in #general, as the methods want it."""
    return await thread_in(slack)


async def thread_in(slack: SlackPlayground) -> Json:
    root = await slack.people.says("Maya", "#general", "hi")
    return {"channel_id": channel_id(slack, "general"), "thread_ts": root}


def statuses(slack: SlackPlayground) -> list[str]:
    return [session.status for session in slack.workspace.sessions.values()]


async def test_first_status_begins_a_session_and_alone_may_name_it(slack: SlackPlayground, bot: Bot, thread: Json):
    # Slack: `title` is only used when creating a new session, and ignored if it exists.
    answer = await bot.agents_sessions_setStatus(**thread, status="processing", title="Heat")
    assert (answer["status"], answer["agent_status"], answer["title"]) == ("processing", "processing", "Heat")
    answer = await bot.agents_sessions_setStatus(**thread, status="suspended", title="Cold")
    assert (answer["status"], answer["title"]) == ("suspended", "Heat")
    assert statuses(slack) == ["suspended"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        # Slack: the errors of agents.sessions.setStatus.
        ({"status": "sleeping"}, "invalid_status"),
        ({"status": ""}, "invalid_arguments"),
        ({"thread_ts": ""}, "thread_ts_required"),
        ({"thread_ts": "now"}, "invalid_arguments"),
        ({"title": "x" * 201}, "invalid_arguments"),
        ({"initiator_user_id": "U0NOBODY"}, "user_not_found"),
        ({"channel_id": "C0NOWHERE"}, "channel_not_found"),
    ],
)
async def test_session_status_is_refused_for(
    slack: SlackPlayground, bot: Bot, thread: Json, change: dict[str, str], code: str
):
    call = thread | {"status": "processing"} | change
    assert await refused(bot.api_call("agents.sessions.setStatus", json=call)) == code
    assert statuses(slack) == []


async def test_session_in_a_channel_without_the_bot_is_not_authorized(slack: SlackPlayground, bot: Bot):
    # Slack: not_authorized, the caller is not a member of the channel.
    random = {"channel_id": channel_id(slack, "random"), "thread_ts": "1700000000.000001"}
    assert await refused(bot.agents_sessions_setStatus(**random, status="active")) == "not_authorized"
    assert await refused(bot.agents_sessions_rename(**random, title="Heat")) == "not_authorized"


async def test_app_that_is_no_agent_has_no_sessions(start: Start):
    # Slack: only apps declared as agents can create sessions.
    slack = await start(SlackOptions(agent=False))
    call = bot_of(slack).agents_sessions_setStatus(**await thread_in(slack), status="processing")
    assert await refused(call) == "feature_disabled"


async def test_sessions_need_chat_write(start: Start):
    slack = await start(SlackOptions(scopes=BOT_SCOPES - {"chat:write"}))
    call = bot_of(slack).agents_sessions_setStatus(**await thread_in(slack), status="processing")
    assert (await refusal(call))["needed"] == "chat:write"


async def test_fifty_first_session_status_in_a_minute_is_ratelimited(start: Start):
    # Slack: agents.sessions.* are Tier 3, fifty a minute per workspace.
    slack = await start(SlackOptions())
    bot, thread = bot_of(slack), await thread_in(slack)
    for _ in range(50):
        await bot.agents_sessions_setStatus(**thread, status="processing")
    answer = await refusal(bot.agents_sessions_setStatus(**thread, status="active"))
    assert (answer.status_code, statuses(slack)) == (429, ["processing"])


async def test_rename_is_for_a_session_that_was_begun(slack: SlackPlayground, bot: Bot, thread: Json):
    assert await refused(bot.agents_sessions_rename(**thread, title="Heat")) == "session_not_found"
    await bot.agents_sessions_setStatus(**thread, status="active")
    assert (await bot.agents_sessions_rename(**thread, title="Heat"))["title"] == "Heat"
    for title in ("", "x" * 201):
        assert await refused(bot.agents_sessions_rename(**thread, title=title)) == "invalid_arguments"
    [session] = slack.workspace.sessions.values()
    assert (session.title, session.status) == ("Heat", "active")


async def test_only_the_app_moves_a_session_off_processing(slack: SlackPlayground, bot: Bot, thread: Json):
    # Slack: the status does not update by itself when somebody presses Stop; the app moves it.
    await bot.agents_sessions_setStatus(**thread, status="processing")
    await bot.chat_postMessage(channel=thread["channel_id"], thread_ts=thread["thread_ts"], text="working on it")
    for _ in range(2):
        await slack.people.stops("Maya", "#general", thread["thread_ts"])
    assert statuses(slack) == ["processing"]
    await bot.agents_sessions_setStatus(**thread, status="active")
    assert statuses(slack) == ["active"]


async def test_session_and_status_of_a_thread_do_not_touch_each_other(slack: SlackPlayground, bot: Bot, thread: Json):
    await bot.agents_sessions_setStatus(**thread, status="processing")
    await bot.assistant_threads_setStatus(**thread, status="is thinking…")
    await bot.agents_sessions_setStatus(**thread, status="active")
    assert [status.text for status in slack.workspace.statuses.values()] == ["is thinking…"]


async def test_press_on_stop_is_told_to_the_app_as_slack_words_it(slack: SlackPlayground, bot: Bot, thread: Json):
    # Slack: the event agent_session_stopped, with an empty list where no native stream was under way.
    heard: list[Json] = []
    app = bolt_app(slack)

    async def hear(event: Json) -> None:
        heard.append(event)

    app.event("agent_session_stopped")(hear)
    app.event("message")(ignore)
    await bot.agents_sessions_setStatus(**thread, status="processing")
    async with bolt_socket(slack, app):
        await slack.people.stops("Sam", "#general", thread["thread_ts"])
        [event] = await slack.people.waits(lambda: heard)
        await slack.people.waits(lambda: slack.journal.of("ack"))
    assert event.pop("event_ts") > thread["thread_ts"]
    assert event == {
        "type": "agent_session_stopped",
        "channel": thread["channel_id"],
        "thread_ts": thread["thread_ts"],
        "user": user_id(slack, "Sam"),
        "streaming_message_ts": [],
    }


async def test_there_is_nothing_to_stop_unless_the_session_is_processing(
    slack: SlackPlayground, bot: Bot, thread: Json
):
    # Slack: the native stop button is shown while an agent session is in the processing status.
    stop = ("Maya", "#general", thread["thread_ts"])
    with pytest.raises(LookupError, match="Slack shows no Stop"):
        await slack.people.stops(*stop)
    for status in ("active", "suspended", "closed"):
        await bot.agents_sessions_setStatus(**thread, status=status)
        with pytest.raises(LookupError, match="Slack shows no Stop"):
            await slack.people.stops(*stop)
    assert slack.journal.of("stop") == []


async def test_stop_is_for_people_in_the_conversation(slack: SlackPlayground, bot: Bot):
    dm = await slack.people.opens_dm("Maya")
    root = await slack.people.says("Maya", dm, "hi")
    await bot.agents_sessions_setStatus(channel_id=dm, thread_ts=root, status="processing")
    with pytest.raises(PermissionError, match="Sam is not in this conversation"):
        await slack.people.stops("Sam", dm, root)


async def test_app_that_does_not_subscribe_to_stop_is_warned_and_people_see_no_stop(start: Start):
    # Slack: a warning from setStatus, and a loading indicator without a button.
    slack = await start(SlackOptions(limits=False, events=frozenset({"message.channels"})))
    async with Line(slack) as line:
        thread = await thread_in(slack)
        answer = await bot_of(slack).agents_sessions_setStatus(**thread, status="processing")
        assert (answer["warning"], answer["response_metadata"]["warnings"]) == (UNHEARD, [UNHEARD])
        with pytest.raises(LookupError, match="Slack shows no Stop"):
            await slack.people.stops("Maya", "#general", thread["thread_ts"])
        await slack.people.says("Maya", "#general", "next")
        assert [(await line.event())["text"] for _ in range(2)] == ["hi", "next"]


async def test_app_that_subscribes_to_stop_is_not_warned(bot: Bot, thread: Json):
    assert "warning" not in await bot.agents_sessions_setStatus(**thread, status="processing")


async def test_sessions_and_stops_are_in_the_journal(slack: SlackPlayground, bot: Bot, thread: Json):
    await bot.agents_sessions_setStatus(**thread, status="processing", title="Heat")
    await slack.people.stops("Maya", "#general", thread["thread_ts"])
    await bot.agents_sessions_setStatus(**thread, status="active")
    [stop] = slack.journal.of("stop")
    assert (stop["user"], stop["thread_ts"]) == (user_id(slack, "Maya"), thread["thread_ts"])
    sessions = slack.journal.of("session")
    assert [(entry["status"], entry["title"]) for entry in sessions] == [("processing", "Heat"), ("active", "Heat")]
