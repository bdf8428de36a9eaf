"""What the outlet says to Slack: final forms, whispers, marks, names."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import MessageStatus, Turn
from app.core.conversation.effect import Offer, PostEphemeral
from app.core.conversation.shared_file import SharedFile
from app.core.copy import decision_steps, texts
from app.core.errors import SlackRefused, SlackUnavailable, StoreUnavailable
from app.core.state.decision import Decision
from app.core.state.interview import Interview, Phase, Stage
from app.core.state.tool_use import ToolOutput
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
async def test_a_reply_is_shown_page_by_page_and_each_message_is_kept_when_there_is_one(place: Place) -> None:
    await place.says(TWO_PAGES)
    assert [post.markdown for post in place.posts] == list(safe_stream.split_pages(TWO_PAGES))
    assert [(text, len(parts)) for text, parts in place.notes.texts] == [(TWO_PAGES, 1), (TWO_PAGES, 2)]


@pytest.mark.req("AG-03")
@virtual
async def test_a_final_reply_goes_on_below_where_its_preview_did(place: Place) -> None:
    final = replace(reply("I look.\n\nThe blue one.", DONE), heard_at=(7, 7))
    await place.outlet.finish(conversation(), final, place.notes, None)
    assert [post.markdown for post in place.posts] == ["I look.", "The blue one."]


@pytest.mark.req("NC-06")
@pytest.mark.parametrize("status", [MessageStatus.CANCELLED, MessageStatus.INTERRUPTED, MessageStatus.TRUNCATED])
@virtual
async def test_a_reply_that_was_cut_off_shows_no_signs_that_its_end_would_have_closed(
    place: Place, status: MessageStatus
) -> None:
    await place.outlet.finish(conversation(), reply("A plan.\n\n**What sit", status), place.notes, None)
    assert place.posts[-1].markdown == "A plan.\n\n**What sit**"
    await place.outlet.finish(conversation(), reply("A plan.\n\n**", status), place.notes, None)
    assert place.posts[-1].markdown == "A plan."


@pytest.mark.parametrize("said", ["The total is:\n42", "Both:\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"])
@virtual
async def test_a_reply_that_was_cut_off_keeps_a_last_line_that_is_a_number_or_a_row(place: Place, said: str) -> None:
    await place.outlet.finish(conversation(), reply(said, MessageStatus.CANCELLED), place.notes, None)
    assert place.posts[-1].markdown == said


@pytest.mark.req("SE-11")
@virtual
async def test_the_pages_of_a_long_reply_are_made_in_a_thread() -> None:
    await Place().says("Short.")
    assert threads_asked_for() == 0
    await Place().says(TWO_PAGES)
    assert threads_asked_for() == 1


@virtual
async def test_a_draft_becomes_final_by_edits_and_loses_its_stop(place: Place) -> None:
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    draft.show("Hello")
    await asyncio.sleep(1)
    parts = await draft.close()
    final = replace(reply("Hello.", DONE), parts=parts)
    await place.outlet.finish(conversation(), final, place.notes, draft)
    assert [(post.markdown, post.actions) for post in place.posts] == [("Hello.", [])]


@virtual
async def test_what_already_looks_right_is_not_written_again(place: Place) -> None:
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()
    for _ in range(2):
        await place.outlet.finish(conversation(), reply("Hello.", DONE), place.notes, draft)
    assert len(place.slack.made(POST, UPDATE)) == 1


@virtual
async def test_closing_words_and_buttons_stand_below_the_last_page_alone(place: Place) -> None:
    await place.says(TWO_PAGES, MessageStatus.INTERRUPTED)
    assert [post.actions for post in place.posts] == [[], [action_ids.RETRY]]


@pytest.mark.parametrize(("answered", "actions"), [(7, [action_ids.RETRY]), (9, [])])
@virtual
async def test_a_reply_that_broke_off_before_a_word_says_so_and_can_be_tried_again_until_a_later_one_came(
    place: Place, answered: int, actions: list[str]
) -> None:
    broken = reply("", MessageStatus.INTERRUPTED)
    await place.outlet.finish(replace(conversation(), answered=answered), broken, place.notes, None)
    (post,) = place.posts
    assert (post.markdown, post.actions) == ("", actions)


DISCUSSED = replace(
    TALK, phase=Phase.GATHER, interview=Interview(decision=THREAD, component="objectives", prepared=PREPARED)
)
SUMMARIZE, SHOW = action_ids.SUMMARIZE, action_ids.SHOW


@pytest.mark.parametrize(
    ("component", "said", "actions"),
    [
        ("objectives", {}, []),
        ("objectives", {"offers": True, "rounds": 1}, [SUMMARIZE, SHOW]),
        ("objectives", {"turns_left": 1}, [SUMMARIZE, SHOW, action_ids.KEEP_TALKING]),
        ("consequences", {"offers": True, "rounds": 1}, [SUMMARIZE, SHOW, action_ids.RATE]),
        ("objectives", {"offers": True}, [SUMMARIZE, SHOW, action_ids.DRAFT_IT]),
        (
            "objectives",
            {"offers": True, "text": f"Known so far. {decision_steps.SHOW_DETAILS}"},
            [SUMMARIZE, SHOW, action_ids.SHOW_ALL, action_ids.DRAFT_IT],
        ),
        ("objectives", {"drafts_from": ("F1", "F2")}, [action_ids.DRAFT_FROM_FILES]),
    ],
)
@virtual
async def test_below_a_reply_of_a_step_stands_what_can_be_done_there(
    place: Place, component: str, said: dict[str, Any], actions: list[str]
) -> None:
    assert DISCUSSED.interview is not None
    files = (SharedFile(id="F1", name="a.csv", by_owner=True),)
    now = replace(DISCUSSED, interview=replace(DISCUSSED.interview, component=component), files=files)
    await place.outlet.finish(now, replace(reply("Good.", DONE), **said), place.notes, None)
    (post,) = place.posts
    assert post.actions == actions
    values = {SHOW: THREAD.root, action_ids.SHOW_ALL: "7", action_ids.DRAFT_FROM_FILES: "F1"}
    buttons = [each for block in post.blocks if block["type"] == "actions" for each in block["elements"]]
    assert all(each["value"] == values.get(each["action_id"], THREAD.root) for each in buttons)


@virtual
async def test_below_a_reply_stands_what_its_work_has_made(place: Place) -> None:
    made = (ToolOutput(name="Rota for March.csv", address="https://a.example/rota"),)
    await place.outlet.finish(TALK, replace(reply("Here.", DONE), made=made), place.notes, None)
    (post,) = place.posts
    assert "<https://a.example/rota|Rota for March.csv>" in str(post.blocks[-1])


LEFT = replace(TALK, fence=2, turn=Turn(id="t", reply=7, fence=1))
"""A turn that another process began, which may have died over it."""


@virtual
async def test_who_goes_on_with_a_reply_of_another_process_finds_what_that_has_posted(place: Place) -> None:
    await place.says("Hello")
    draft = place.outlet.draft(LEFT, reply(), place.notes)
    draft.show("Hello again\n")
    await asyncio.sleep(3)
    assert [post.markdown for post in place.posts] == ["Hello again"]
    await draft.close()


@virtual
async def test_what_another_process_has_posted_goes_if_the_reply_has_no_text_in_the_end(place: Place) -> None:
    await place.says("⏳ Putting together what you said …")
    draft = place.outlet.draft(LEFT, reply(), place.notes)
    made = replace(reply(status=DONE), stage=Stage.SERIALIZE, acted=True)
    await place.outlet.finish(LEFT, made, place.notes, draft)
    assert place.posts == []


@virtual
async def test_who_has_begun_a_turn_knows_what_is_posted_and_does_not_read_the_thread(place: Place) -> None:
    mine = replace(TALK, fence=2, turn=Turn(id="t", reply=7, fence=2))
    draft = place.outlet.draft(mine, reply(), place.notes)
    draft.show("Hello\n")
    await asyncio.sleep(3)
    await place.outlet.finish(mine, reply("Hello", DONE), place.notes, draft)
    assert [post.markdown for post in place.posts] == ["Hello"]
    assert place.slack.made(REPLIES) == []


@virtual
async def test_nothing_is_written_unpaced_while_the_ledger_is_away(place: Place) -> None:
    place.ledger.is_away = True
    with pytest.raises(StoreUnavailable):
        await place.says("Hello.")
    with pytest.raises(StoreUnavailable):
        await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U1", text="Hi."))
    assert place.slack.calls == []


@virtual
async def test_a_page_that_slack_will_not_render_is_shown_without_markup(place: Place) -> None:
    place.slack.faults[POST] = [SlackRefused(POST, "invalid_blocks")]
    await place.says("Hello.", MessageStatus.INTERRUPTED)
    (post,) = place.posts
    assert post.blocks[0]["type"] == "rich_text"
    assert post.actions == [action_ids.RETRY]


@pytest.mark.parametrize("code", ["is_archived", "message_not_found"])
@virtual
async def test_a_page_that_slack_refuses_for_another_reason_is_not_tried_again(place: Place, code: str) -> None:
    place.slack.faults[POST] = [SlackRefused(POST, code)]
    with pytest.raises(SlackRefused):
        await place.says("Hello.")
    assert len(place.slack.made(POST)) == 1


@virtual
async def test_a_whisper_is_heard_in_its_thread_by_one_person(place: Place) -> None:
    await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U2", text="Hi."))
    (call,) = place.slack.made("chat.postEphemeral")
    assert call.arguments == {"channel": "C1", "user": "U2", "thread_ts": THREAD.root, "text": "Hi."}


@virtual
async def test_in_a_direct_message_a_whisper_stands_where_it_is_seen(place: Place) -> None:
    await place.outlet.tell(
        replace(TALK, thread=replace(THREAD, channel="D1")), PostEphemeral(id="e:1", user="U2", text="Hi.")
    )
    (call,) = place.slack.made("chat.postEphemeral")
    assert "thread_ts" not in call.arguments


@virtual
@pytest.mark.req("NC-09")
async def test_a_step_in_direct_messages_is_answered_in_its_thread(place: Place) -> None:
    step = replace(
        TALK,
        thread=replace(THREAD, channel="D1"),
        interview=Interview(decision=THREAD, component="objectives", prepared=PREPARED),
    )
    await place.outlet.tell(step, PostEphemeral(id="e:1", user="U2", text="Hi."))
    (call,) = place.slack.made("chat.postEphemeral")
    assert call.arguments["thread_ts"] == THREAD.root


@virtual
async def test_what_is_whispered_about_a_decision_stands_beside_its_hub(place: Place) -> None:
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
    place: Place, root: str, channel: str, thread: dict[str, str]
) -> None:
    step = replace(TALK, interview=Interview(decision=THREAD, component="objectives", prepared=PREPARED))
    told = PostEphemeral(id="e:1", user="U2", text="Hi.", place=root, channel=channel)
    await place.outlet.tell(step, told)
    await place.outlet.tell(step, replace(told, offer=Offer.OPEN_STEP, about=THREAD.root))
    first, second = place.slack.made("chat.postEphemeral")
    assert first.arguments == {"channel": channel, "user": "U2", "text": "Hi.", **thread}
    (button,) = second.arguments["blocks"][-1]["elements"]
    assert button["url"] == permalinks.link_thread(WORKSPACE_URL, step.thread), "the step stays where it is"


@virtual
async def test_what_is_offered_privately_has_its_button_and_is_said_once(place: Place) -> None:
    place.slack.faults["chat.postEphemeral"] = [SlackUnavailable("chat.postEphemeral", ambiguous=True)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.tell(TALK, PostEphemeral(id="e:1", user="U1", text=texts.ERASE_OFFER, offer=Offer.ERASE))
    (call,) = place.slack.made("chat.postEphemeral")
    (button,) = call.arguments["blocks"][-1]["elements"]
    assert call.arguments["text"] == call.arguments["blocks"][0]["text"]["text"] == texts.ERASE_OFFER
    assert (button["action_id"], button["value"], button["style"]) == (action_ids.ERASE, THREAD.root, "danger")


@pytest.mark.parametrize(("answered", "cleared"), [(0, [""]), (7, [""]), (9, [])])
@virtual
async def test_a_turn_that_only_acted_is_shown_nowhere_and_does_not_seem_to_think_for_ever(
    place: Place, answered: int, cleared: list[str]
) -> None:
    """The status that a later turn has set stays."""
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await asyncio.sleep(1)
    await draft.close()
    now = replace(conversation(), answered=answered)
    await place.outlet.finish(now, replace(reply("", DONE), acted=True), place.notes, draft)
    await asyncio.sleep(1)
    assert (place.posts, place.notes.texts) == ([], [])
    assert [call.arguments["status"] for call in place.slack.made(THINKING)] == [texts.THINKING, *cleared]
    assert place.slack.made(SESSION)[-1].arguments["status"] == "active"


@virtual
async def test_a_turn_that_only_acted_takes_back_what_it_had_begun_to_show(place: Place) -> None:
    await place.says("Let me")
    acted = replace(reply("", DONE, place.parts), acted=True)
    await place.outlet.finish(conversation(), acted, place.notes, None)
    assert (place.posts, place.parts) == ([], ())


@virtual
async def test_a_reply_beside_an_open_question_leads_to_it_below_its_last_page(place: Place) -> None:
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
async def test_people_are_known_by_their_names_in_slack() -> None:
    assert (await Place().outlet.profile_of(TEAM, "U1")).name == "Maya"


@virtual
async def test_a_mark_is_left_and_taken_back(place: Place) -> None:
    await place.outlet.react(THREAD, "1.1", "lock")
    await place.outlet.unreact(THREAD, "1.1", "lock")
    assert [call.method for call in place.slack.calls] == ["reactions.add", "reactions.remove"]
    assert all(call.arguments == {"channel": "C1", "timestamp": "1.1", "name": "lock"} for call in place.slack.calls)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        *(("remove", code) for code in ("no_reaction", "message_not_found")),
        *(("add", code) for code in ("already_reacted", "message_not_found")),
    ],
)
@virtual
async def test_a_mark_that_is_gone_or_there_already_is_fine(place: Place, act: str, code: str) -> None:
    place.slack.faults[f"reactions.{act}"] = [SlackRefused(f"reactions.{act}", code)]
    await (place.outlet.react if act == "add" else place.outlet.unreact)(THREAD, "1.1", "lock")


@virtual
async def test_a_mark_that_slack_refuses_is_told(place: Place) -> None:
    place.slack.faults["reactions.add"] = [SlackRefused("reactions.add", "missing_scope")]
    with pytest.raises(SlackRefused):
        await place.outlet.react(THREAD, "1.1", "lock")


@virtual
async def test_a_http_200_that_says_ratelimited_closes_the_door_too(place: Place) -> None:
    place.slack.faults["reactions.add"] = [SlackUnavailable("reactions.add", after=30)]
    with pytest.raises(SlackUnavailable):
        await place.outlet.react(THREAD, "1.1", "lock")
    await place.outlet.react(THREAD, "1.1", "lock")
    assert place.clock.monotonic() >= 30


@virtual
async def test_at_the_end_connections_are_closed_and_nothing_goes_on(place: Place) -> None:
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()
    await place.outlet.close()
    assert place.slack.is_closed
    await asyncio.sleep(10)
    assert place.slack.calls == []
