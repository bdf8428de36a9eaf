"""What the status of a thread says while no words come, and how soon words and cards stand in Slack."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.conversation.conversation import MessageStatus
from app.core.copy import texts
from app.core.errors import SlackUnavailable
from app.ports import LiveReply
from handlers.outbound.thread_status import REPEATED, SILENCE, THREAD
from handlers.views.kit import blocks
from tests.fakes import virtual
from tests.unit.handlers.outbound.test_outlet_cards import ASKED, row
from tests.unit.handlers.place import WORKSPACE_URL, Place
from tests.unit.handlers.strict_slack import conversation, reply

RATING = "is filling in the table…"
POST = "chat.postMessage"


class Wait(Place):
    """A thread whose reply keeps people waiting."""

    def begins(self) -> LiveReply:
        return self.outlet.draft(conversation(), reply(), self.notes)

    def said(self) -> list[str]:
        return [call.arguments["status"] for call in self.slack.made(THREAD)]


@pytest.fixture
def it() -> Wait:
    return Wait()


@pytest.mark.req("FA-11")
@virtual
async def test_after_ten_seconds_without_a_word_the_status_says_what_is_done_and_not_before(it: Wait) -> None:
    draft = it.begins()
    draft.show_activity("is reading…")
    await asyncio.sleep(9.5)
    draft.show_activity(RATING)
    await asyncio.sleep(0.4)
    assert it.said() == [texts.THINKING]
    await asyncio.sleep(0.2)
    assert it.said() == [texts.THINKING, RATING]
    draft.show_activity("is taking notes…")
    await asyncio.sleep(1)
    assert it.said()[2:] == ["is taking notes…"]
    await draft.close()


@pytest.mark.req("FA-11")
@virtual
async def test_new_words_take_the_status_back_and_another_silence_brings_it_again(it: Wait) -> None:
    draft = it.begins()
    draft.show_activity(RATING)
    draft.show("Hello\n")
    for number in range(3):
        await asyncio.sleep(SILENCE - 1)
        draft.show(f"Hello {number}\n")
    assert RATING not in it.said(), "words came every nine seconds"
    before = len(it.said())
    await asyncio.sleep(SILENCE + 1)
    draft.show("There.\n")
    await asyncio.sleep(1)
    assert it.said()[before:] == [RATING, ""]
    await draft.close()


@virtual
async def test_what_is_said_of_a_reply_ends_with_it(it: Wait) -> None:
    draft = it.begins()
    draft.show_activity(RATING)
    await asyncio.sleep(SILENCE + 1)
    await draft.close()
    await asyncio.sleep(4 * REPEATED)
    assert it.said() == [texts.THINKING, RATING, ""]


@pytest.mark.req("FA-11")
@virtual
async def test_a_long_silence_keeps_its_status_though_slack_takes_one_away_after_two_minutes(it: Wait) -> None:
    draft = it.begins()
    draft.show_activity(RATING)
    await asyncio.sleep(SILENCE + 2 * REPEATED + 1)
    assert it.said() == [texts.THINKING, RATING, RATING, RATING]
    at = [call.at for call in it.slack.made(THREAD)[1:]]
    assert max(later - sooner for sooner, later in pairwise(at)) < 120
    await draft.close()


@virtual
async def test_a_long_silence_in_which_nothing_is_known_to_be_done_sets_no_status(it: Wait) -> None:
    draft = it.begins()
    await asyncio.sleep(SILENCE + 3 * REPEATED)
    assert it.said() == [texts.THINKING]
    await draft.close()


@virtual
async def test_an_outage_of_the_status_delays_no_words(it: Wait) -> None:
    draft = it.begins()
    draft.show_activity(RATING)
    await asyncio.sleep(SILENCE - 1)
    it.slack.faults[THREAD] = [SlackUnavailable(THREAD, after=60)]
    await asyncio.sleep(2)
    draft.show("Hello\n")
    await asyncio.sleep(1)
    assert len(it.slack.made(POST)) == 1
    await draft.close()


@pytest.mark.req("FA-24")
@pytest.mark.parametrize("silence", [0.0, 3.0, 30.0, 150.0])
@virtual
async def test_the_first_words_stand_in_slack_at_once_however_long_people_waited_for_them(
    it: Wait, silence: float
) -> None:
    draft = it.begins()
    draft.show_activity(RATING)
    await asyncio.sleep(silence)
    began = it.clock.monotonic()
    draft.show("Hello\n")
    await asyncio.sleep(5)
    (call,) = it.slack.made(POST)
    assert call.at - began < 2
    await draft.close()


@pytest.mark.req("FA-24")
@virtual
async def test_the_card_follows_the_end_of_its_extraction_at_once_however_much_was_told_meanwhile(it: Wait) -> None:
    draft = it.begins()
    for part in range(40):
        draft.show(f"⏳ Part {part} …\n")
        draft.show_activity(f"is writing up part {part}…")
        await asyncio.sleep(0.5)
    ended = it.clock.monotonic()
    parts = await draft.close()
    await it.outlet.finish(conversation(), reply("", MessageStatus.COMPLETE, parts), it.notes, draft)
    await it.outlet.show_card(conversation(), row(ASKED), it.notes, unsure=False)
    assert it.slack.made(POST)[-1].at - ended < 2


@pytest.mark.req("FA-11")
@virtual
async def test_the_question_that_is_still_open_is_the_last_of_the_words_below_a_reply(it: Wait) -> None:
    ended = replace(reply("I noted that.", MessageStatus.COMPLETE), still_open="1700000000.000200", turns_left=2)
    await it.outlet.finish(conversation(), ended, it.notes, None)
    (post,) = it.posts
    words = [block for block in post.blocks if block["type"] != "actions"]
    address = f"{WORKSPACE_URL}archives/C1/p1700000000000200"
    assert blocks.render_turns_left(2) in words
    assert address in str(words[-1]), "nothing is said after it"
