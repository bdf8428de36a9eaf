"""The messages of one reply: each made once, whatever fails, and none left over."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.conversation.conversation import MessageStatus
from app.core.errors import LostConversation, SlackLockedOut, SlackRefused, SlackUnavailable
from app.core.text import safe_stream
from handlers.outbound.delivery import ATTEMPTS, FROZEN, UNCHANGEABLE
from handlers.outbound.pacer import Pacer
from handlers.outbound.web import LOCKED_OUT_SECONDS
from handlers.slack import action_ids
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.strict_slack import TEAM, Post, conversation, reply

UPDATE, POST, DELETE, REPLIES = "chat.update", "chat.postMessage", "chat.delete", "conversations.replies"
TWO_PAGES = "One line of it.\n\n" * (safe_stream.PARAGRAPH_AT // 16) + "The rest."
ROOT = conversation().thread.root
THREE_PAGES = "One line of it.\n\n" * (2 * safe_stream.PARAGRAPH_AT // 16) + "The rest."


def others_talk(place: Place, count: int) -> None:
    """The thread is long already when our reply begins."""
    for number in range(count):
        place.slack.posts[f"1650000000.{number:06}"] = Post("C1", "theirs", [], {}, ROOT)


def ours(place: Place) -> list[str]:
    return [post.markdown for post in place.posts if post.text != "theirs"]


@virtual
async def test_messages_that_a_shorter_text_does_not_need_are_removed(place: Place) -> None:
    await place.says(TWO_PAGES)
    await place.says("Short.", parts=place.parts)
    assert [post.markdown for post in place.posts] == ["Short."]
    assert len(place.parts) == 1


@virtual
async def test_a_message_that_somebody_removed_already_is_fine(place: Place) -> None:
    await place.says(TWO_PAGES)
    place.slack.posts.pop(place.parts[-1])
    await place.says("Short.", parts=place.parts)
    assert len(place.parts) == 1


@pytest.mark.parametrize("deleted", [0, 1])
@virtual
async def test_a_page_that_somebody_deleted_is_let_be_and_the_others_are_delivered(place: Place, deleted: int) -> None:
    await place.says(TWO_PAGES)
    parts = place.parts
    place.slack.posts.pop(parts[deleted])
    await place.says("Anew. " + THREE_PAGES, MessageStatus.INTERRUPTED, parts=parts)
    pages = list(safe_stream.split_pages("Anew. " + THREE_PAGES))
    assert len(pages) == 3
    assert [post.markdown for post in place.posts] == [page for i, page in enumerate(pages) if i != deleted]
    assert place.posts[-1].actions == [action_ids.RETRY]


@pytest.mark.parametrize("code", sorted(UNCHANGEABLE))
@virtual
async def test_a_page_that_may_not_be_edited_any_more_keeps_back_no_other(place: Place, code: str) -> None:
    await place.says(TWO_PAGES)
    place.slack.faults[UPDATE] = [SlackRefused(UPDATE, code)]
    await place.says("Anew. " + THREE_PAGES, parts=place.parts)
    assert len(place.posts) == 3


@pytest.mark.parametrize("code", sorted(FROZEN))
@pytest.mark.parametrize("kept", [False, True])
@virtual
async def test_an_answer_whose_message_may_not_be_edited_any_more_is_posted_whole_once(
    place: Place, code: str, *, kept: bool
) -> None:
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()
    await place.outlet.finish(conversation(), reply("Half of it"), place.notes, draft)
    place.slack.faults[UPDATE] = [SlackRefused(UPDATE, code)]
    place.slack.faults[DELETE] = [SlackRefused(DELETE, "cant_delete_message")] if kept else []
    for _ in range(2):
        await place.outlet.finish(conversation(), reply("Half of it, and the rest."), place.notes, draft)
    left = ["Half of it"] if kept else []
    assert ours(place) == [*left, "Half of it, and the rest."]
    assert place.slack.posts[place.parts[0]].markdown == "Half of it, and the rest."


@pytest.mark.parametrize("by_whom", ["us", "somebody else"])
@virtual
async def test_a_page_that_was_removed_is_posted_anew_when_the_text_grows_again(place: Place, by_whom: str) -> None:
    draft = place.outlet.draft(conversation(), reply(), place.notes)
    await draft.close()

    async def shows(text: str) -> None:
        await place.outlet.finish(conversation(), reply(text, MessageStatus.COMPLETE), place.notes, draft)

    await shows(TWO_PAGES)
    if by_whom == "somebody else":
        place.slack.posts.pop(place.parts[-1])
        await shows(TWO_PAGES + " More.")
    await shows("Short.")
    await shows(TWO_PAGES)
    assert [post.markdown for post in place.posts] == list(safe_stream.split_pages(TWO_PAGES))


@virtual
async def test_links_in_a_reply_are_not_unfolded(place: Place) -> None:
    await place.says("See https://example.com/plan.")
    (call,) = place.slack.made(POST)
    assert (call.arguments["unfurl_links"], call.arguments["unfurl_media"]) == (False, False)


@virtual
async def test_a_message_that_slack_will_not_remove_is_told(place: Place) -> None:
    await place.says(TWO_PAGES)
    place.slack.faults[DELETE] = [SlackRefused(DELETE, "channel_not_found")]
    with pytest.raises(SlackRefused):
        await place.says("Short.", parts=place.parts)


@virtual
async def test_a_message_that_the_workspace_keeps_is_left_there_and_the_text_is_whole(place: Place) -> None:
    await place.says(THREE_PAGES)
    place.slack.faults[DELETE] = [SlackRefused(DELETE, "cant_delete_message")]
    await place.says("Short.", parts=place.parts)
    assert (place.posts[0].markdown, len(place.slack.made(DELETE)), len(place.parts)) == ("Short.", 2, 1)


@virtual
async def test_with_a_token_that_slack_does_not_accept_nothing_is_refused_and_no_attempt_is_made_in_vain(
    place: Place,
) -> None:
    place.slack.faults[POST] = [SlackRefused(POST, "token_revoked")]
    with pytest.raises(SlackLockedOut) as raised:
        await place.says("Hello.")
    assert (len(place.slack.made(POST)), raised.value.ambiguous, raised.value.after) == (1, False, LOCKED_OUT_SECONDS)
    await place.says("Hello.")
    assert ours(place) == ["Hello."]


@virtual
async def test_a_post_that_failed_and_arrived_all_the_same_is_not_made_twice(place: Place) -> None:
    place.slack.faults[POST] = [SlackUnavailable(POST, ambiguous=True)]
    await place.says("Hello.")
    assert [post.markdown for post in place.posts] == ["Hello."]
    assert place.parts == tuple(place.slack.posts)


@pytest.mark.parametrize("outages", [[], [None, SlackUnavailable(REPLIES, ambiguous=True)]])
@virtual
async def test_however_long_the_thread_a_post_that_arrived_is_found(
    place: Place, outages: list[Exception | None]
) -> None:
    others_talk(place, 450)
    place.slack.faults = {POST: [SlackUnavailable(POST, ambiguous=True)], REPLIES: outages}
    await place.says("Hello.")
    assert ours(place) == ["Hello."]


@pytest.mark.parametrize(
    ("answered", "oldest"),
    [
        pytest.param(7, "1690000000.000001", id="what its own turn has read is older than a reply"),
        pytest.param(9, conversation().thread.root, id="what a later turn has read may be newer"),
    ],
)
@virtual
async def test_a_thread_is_read_back_from_what_is_older_than_the_reply(
    place: Place, answered: int, oldest: str
) -> None:
    heard = replace(conversation(), heard="1690000000.000001", answered=answered)
    await place.outlet.finish(heard, reply("Hello.", MessageStatus.COMPLETE), place.notes, None)
    assert [call.arguments["oldest"] for call in place.slack.made(REPLIES)] == [oldest]


@virtual
async def test_who_takes_over_finds_what_the_one_before_posted(place: Place) -> None:
    await place.says(TWO_PAGES)
    known = place.parts[:1]
    await place.says(TWO_PAGES + " More.", parts=known)
    assert len(place.posts) == 2
    assert place.posts[-1].markdown.endswith("The rest. More.")


@virtual
async def test_a_thread_is_read_back_once_from_the_last_message_that_is_known(place: Place) -> None:
    await place.says(TWO_PAGES)
    known = place.parts[:1]
    await place.says(THREE_PAGES, parts=known)
    assert len(place.posts) == 3
    assert [call.arguments["oldest"] for call in place.slack.made(REPLIES)] == [ROOT, *known]


@virtual
async def test_messages_of_others_are_never_taken_for_ours(place: Place) -> None:
    for metadata in ({}, {"event_type": "other", "event_payload": {"key": "c1:7:0"}}):
        place.slack.posts[f"1700000099.00000{len(metadata)}"] = Post("C1", "theirs", [], metadata, ROOT)
    await place.says("Hello.")
    assert [post.text for post in place.posts] == ["theirs", "theirs", "Hello."]


@virtual
async def test_retry_after_is_waited_for_however_often_it_comes(place: Place) -> None:
    place.slack.faults[POST] = [SlackUnavailable(POST, after=10)] * (ATTEMPTS + 2)
    await place.says("Hello.")
    assert place.clock.monotonic() >= 10 * (ATTEMPTS + 2)
    assert len(place.posts) == 1
    assert len(place.slack.made(REPLIES)) == 1, "what was too early cannot have arrived"


@virtual
async def test_between_outages_a_reply_waits_ever_longer_and_not_for_long(place: Place) -> None:
    await place.says("Hello")
    place.slack.faults[UPDATE] = [SlackUnavailable(UPDATE, ambiguous=True)] * (ATTEMPTS - 1)
    await place.says("Hello.", parts=place.parts)
    times = [call.at for call in place.slack.made(UPDATE)]
    assert [round(later - earlier) for earlier, later in pairwise(times)] == [1, 2, 4, 8, 8]


@virtual
async def test_after_several_outages_the_work_is_put_off(place: Place) -> None:
    await place.says("Hello")
    place.slack.faults[UPDATE] = [SlackUnavailable(UPDATE, ambiguous=True)] * ATTEMPTS
    with pytest.raises(SlackUnavailable):
        await place.says("Hello.", parts=place.parts)
    assert len(place.slack.made(UPDATE)) == ATTEMPTS


@virtual
async def test_a_conversation_that_was_lost_is_not_written(place: Place) -> None:
    await place.says("Hello")
    place.notes.trouble = LostConversation()
    with pytest.raises(LostConversation):
        await place.says("Hello.", parts=place.parts)
    assert place.slack.made(UPDATE) == []


@pytest.mark.parametrize("method", [UPDATE, DELETE])
@virtual
async def test_a_conversation_that_was_lost_while_its_turn_came_is_not_written(place: Place, method: str) -> None:
    await place.says(TWO_PAGES)
    await Pacer(place.clock, TEAM, place.ledger).close_queue(method, "", 20)
    asyncio.get_running_loop().call_later(10, setattr, place.notes, "trouble", LostConversation())
    with pytest.raises(LostConversation):
        await place.says("Short.", parts=place.parts)
    await asyncio.sleep(1)
    assert place.slack.made(method) == []
    assert (await place.ledger.numbers(TEAM, method))["sent"] == (), "the turn went back"
