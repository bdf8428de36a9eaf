"""What the outlet says to Slack: final forms, whispers, marks, names."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import Offer, PostEphemeral
from app.core.copy import texts
from app.core.errors import SlackRefused, SlackUnavailable, StoreUnavailable
from app.core.state.decision import Decision
from app.core.state.interview import Interview
from app.core.text import safe_stream
from handlers.outbound.thread_status import SESSION
from handlers.outbound.thread_status import THREAD as THINKING
from handlers.slack import action_ids, permalinks
from tests.fakes import threads_asked_for, virtual
from tests.unit.agent.tools.sat import PREPARED
from tests.unit.handlers.place import WORKSPACE_URL, Place, outlet_to
from tests.unit.handlers.strict_slack import TEAM, conversation, reply

UPDATE, POST, REPLIES, DELETE = "chat.update", "chat.postMessage", "conversations.replies", "chat.delete"
TALK = conversation()
THREAD = TALK.thread
TWO_PAGES = "One line of it.\n\n" * (safe_stream.PARAGRAPH_AT // 16) + "The rest."
DONE = MessageStatus.COMPLETE


@virtual
async def test_a_reply_is_shown_page_by_page_and_each_message_is_kept_when_there_is_one() -> None:
    place = Place()
    await place.says(TWO_PAGES)
    assert [post.markdown for post in place.posts] == list(safe_stream.split_pages(TWO_PAGES))
    assert [len(parts) for _, parts in place.notes.texts] == [1, 2]


@pytest.mark.req("SE-11")
@virtual
async def test_the_pages_of_a_long_reply_are_made_in_a_thread() -> None:
    await Place().says("Short.")
    assert threads_asked_for() == 0
    await Place().says(TWO_PAGES)
    assert threads_asked_for() == 1


@virtual
async def test_a_draft_becomes_final_by_edits_and_loses_its_stop() -> None:
    place = Place()
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    draft.show("Hello")
    await asyncio.sleep(1)
    parts = await draft.close()
    final = replace(reply("Hello.", DONE), parts=parts)
    await place.outlet.finish(conversation(), final, place.notes, draft)
    assert [(post.markdown, post.actions) for post in place.posts] == [("Hello.", [])]


@virtual
async def test_what_already_looks_right_is_not_written_again() -> None:
    place = Place()
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()
    for _ in range(2):
        await place.outlet.finish(conversation(), reply("Hello.", DONE), place.notes, draft)
    assert len(place.slack.made(POST, UPDATE)) == 1


@virtual
async def test_closing_words_and_buttons_stand_below_the_last_page_alone() -> None:
    place = Place()
    await place.says(TWO_PAGES, MessageStatus.INTERRUPTED)
    assert [post.actions for post in place.posts] == [[], [action_ids.RETRY]]


@virtual
async def test_nothing_is_written_unpaced_while_the_ledger_is_away() -> None:
    place = Place()
    place.ledger.is_away = True
    with pytest.raises(StoreUnavailable):
        await place.says("Hello.")
    with pytest.raises(StoreUnavailable):
        await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U1", text="Hi."))
    assert place.slack.calls == []


@virtual
async def test_a_page_that_slack_will_not_render_is_shown_without_markup() -> None:
    place = Place()
    place.slack.faults[POST] = [SlackRefused(POST, "invalid_blocks")]
    await place.says("Hello.")
    (post,) = place.posts
    assert post.blocks[0]["type"] == "rich_text"


@pytest.mark.parametrize("code", ["is_archived", "message_not_found"])
@virtual
async def test_a_page_that_slack_refuses_for_another_reason_is_not_tried_again(code: str) -> None:
    place = Place()
    place.slack.faults[POST] = [SlackRefused(POST, code)]
    with pytest.raises(SlackRefused):
        await place.says("Hello.")
    assert len(place.slack.made(POST)) == 1


@virtual
async def test_a_whisper_is_heard_in_its_thread_by_one_person() -> None:
    place = Place()
    await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U2", text="Hi."))
    (call,) = place.slack.made("chat.postEphemeral")
    assert call.arguments == {"channel": "C1", "user": "U2", "thread_ts": THREAD.root, "text": "Hi."}


@virtual
async def test_in_a_direct_message_a_whisper_stands_where_it_is_seen() -> None:
    place = Place()
    await place.outlet.tell(
        replace(TALK, thread=replace(THREAD, channel="D1")), PostEphemeral(id="e:1", user="U2", text="Hi.")
    )
    (call,) = place.slack.made("chat.postEphemeral")
    assert "thread_ts" not in call.arguments


@virtual
@pytest.mark.req("NC-09")
async def test_a_step_in_direct_messages_is_answered_in_its_thread() -> None:
    place = Place()
    step = replace(
        TALK,
        thread=replace(THREAD, channel="D1"),
        interview=Interview(decision=THREAD, component="objectives", prepared=PREPARED),
    )
    await place.outlet.tell(step, PostEphemeral(id="e:1", user="U2", text="Hi."))
    (call,) = place.slack.made("chat.postEphemeral")
    assert call.arguments["thread_ts"] == THREAD.root


@virtual
async def test_what_is_whispered_about_a_decision_stands_beside_its_hub() -> None:
    place = Place()
    await place.outlet.tell(
        replace(TALK, decision=Decision(question="Where?", steps=())), PostEphemeral(id="e:1", user="U2", text="Hi.")
    )
    (call,) = place.slack.made("chat.postEphemeral")
    assert "thread_ts" not in call.arguments


@virtual
@pytest.mark.req("FA-20")
@pytest.mark.parametrize(
    ("root", "channel", "thread"),
    [
        ("1769999000.000100", "C9", {"thread_ts": "1769999000.000100"}),
        ("", "C9", {}),
        ("1769999000.000100", "D9", {}),
    ],
)
async def test_what_is_whispered_of_a_message_elsewhere_is_seen_there(
    root: str, channel: str, thread: dict[str, str]
) -> None:
    place = Place()
    step = replace(TALK, interview=Interview(decision=THREAD, component="objectives", prepared=PREPARED))
    told = PostEphemeral(id="e:1", user="U2", text="Hi.", place=root, channel=channel)
    await place.outlet.tell(step, told)
    await place.outlet.tell(step, replace(told, offer=Offer.OPEN_STEP, about=THREAD.root))
    first, second = place.slack.made("chat.postEphemeral")
    assert first.arguments == {"channel": channel, "user": "U2", "text": "Hi.", **thread}
    (button,) = second.arguments["blocks"][-1]["elements"]
    assert button["url"] == permalinks.link_thread(WORKSPACE_URL, step.thread), "the step stays where it is"


@virtual
async def test_what_is_offered_privately_has_its_button_and_is_said_once() -> None:
    place = Place()
    place.slack.faults["chat.postEphemeral"] = [SlackUnavailable("chat.postEphemeral", ambiguous=True)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U1", text=texts.ERASE_OFFER, offer=Offer.ERASE))
    (call,) = place.slack.made("chat.postEphemeral")
    (button,) = call.arguments["blocks"][-1]["elements"]
    assert call.arguments["text"] == texts.ERASE_OFFER
    assert (button["action_id"], button["value"], button["style"]) == (action_ids.ERASE, THREAD.root, "danger")


@virtual
async def test_a_turn_that_only_acted_is_shown_nowhere_and_does_not_seem_to_think_for_ever() -> None:
    place = Place()
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await asyncio.sleep(1)
    await draft.close()
    await place.outlet.finish(conversation(), replace(reply("", DONE), acted=True), place.notes, draft)
    await asyncio.sleep(1)
    assert (place.posts, place.notes.texts) == ([], [])
    assert [call.arguments["status"] for call in place.slack.made(THINKING)] == [texts.THINKING, ""]
    assert place.slack.made(SESSION)[-1].arguments["status"] == "active"


@virtual
async def test_a_turn_that_only_acted_takes_back_what_it_had_begun_to_show() -> None:
    place = Place()
    await place.says("Let me")
    acted = replace(reply("", DONE, place.parts), acted=True)
    await place.outlet.finish(conversation(), acted, place.notes, None)
    assert (place.posts, place.parts) == ([], ())


@virtual
async def test_a_reply_beside_an_open_question_leads_to_it_below_its_last_page() -> None:
    place = Place()
    still_open = replace(reply(TWO_PAGES, DONE), still_open="1700000000.000200")
    await place.outlet.finish(conversation(), still_open, place.notes, None)
    first, last = place.posts
    link = f"{WORKSPACE_URL}archives/C1/p1700000000000200?thread_ts={THREAD.root}&amp;cid=C1"
    assert [block["type"] for block in first.blocks] == ["markdown"]
    assert link in last.blocks[-1]["elements"][0]["text"]


@virtual
async def test_a_home_is_published_by_whoever_knows_how() -> None:
    place, published = Place(), list[tuple[str, str]]()

    async def publish(team: str, user: str) -> None:
        published.append((team, user))

    await place.outlet.publish_home(TEAM, "U1")
    assert published == []
    await outlet_to(place.slack, place.clock, place.ledger, publish).publish_home(TEAM, "U1")
    assert published == [(TEAM, "U1")]


@virtual
async def test_a_mark_is_left_and_taken_back() -> None:
    place = Place()
    await place.outlet.react(THREAD, "1.1", "lock")
    await place.outlet.unreact(THREAD, "1.1", "lock")
    assert [call.method for call in place.slack.calls] == ["reactions.add", "reactions.remove"]
    assert all(call.arguments == {"channel": "C1", "timestamp": "1.1", "name": "lock"} for call in place.slack.calls)


@pytest.mark.parametrize("code", ["no_reaction", "message_not_found"])
@virtual
async def test_a_mark_that_is_gone_already_is_fine(code: str) -> None:
    place = Place()
    place.slack.faults["reactions.remove"] = [SlackRefused("reactions.remove", code)]
    await place.outlet.unreact(THREAD, "1.1", "lock")


@pytest.mark.parametrize("code", ["already_reacted", "message_not_found"])
@virtual
async def test_a_mark_that_is_there_already_is_fine(code: str) -> None:
    place = Place()
    place.slack.faults["reactions.add"] = [SlackRefused("reactions.add", code)]
    await place.outlet.react(THREAD, "1.1", "lock")


@virtual
async def test_a_mark_that_slack_refuses_is_told() -> None:
    place = Place()
    place.slack.faults["reactions.add"] = [SlackRefused("reactions.add", "missing_scope")]
    with pytest.raises(SlackRefused):
        await place.outlet.react(THREAD, "1.1", "lock")


@virtual
async def test_a_http_200_that_says_ratelimited_closes_the_door_too() -> None:
    place = Place()
    place.slack.faults["reactions.add"] = [SlackUnavailable("reactions.add", after=30)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.react(THREAD, "1.1", "lock")
    await place.outlet.react(THREAD, "1.1", "lock")
    assert place.clock.monotonic() >= 30


@virtual
async def test_at_the_end_connections_are_closed_and_nothing_goes_on() -> None:
    place = Place()
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()
    await place.outlet.close()
    assert place.slack.is_closed
    await asyncio.sleep(10)
    assert place.slack.calls == []
