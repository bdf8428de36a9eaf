"""What Slack shows beside a thread while we work."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.copy import texts
from app.core.errors import SlackRefused, SlackUnavailable
from app.ports import Entry
from handlers.outbound.delivery import Delivery
from handlers.outbound.pacer import Pacer
from handlers.outbound.thread_status import (
    ASKED_AGAIN,
    LAST_WORDS,
    LONGEST_PAUSE,
    NOT_OFFERED,
    SESSION,
    THREAD,
    Activity,
    Statuses,
)
from handlers.outbound.web import SlackCaller
from handlers.slack.budget import TIERS
from tests.fakes import virtual
from tests.unit.handlers.place import Place
from tests.unit.handlers.strict_slack import TEAM, Notes, conversation, reply


class Office(Place):
    """Where a status can be seen."""

    async def answers(self, row: Message | None = None, seconds: float = 5.0, number: int = 1) -> None:
        """Think for a while, say one word, think again, and end."""
        thread, row, notes = conversation(number), row or reply(), Notes()
        draft = self.outlet.draft(thread, row, notes)
        await asyncio.sleep(seconds)
        draft.show("Hello\n")
        await asyncio.sleep(seconds)
        parts = await draft.close()
        await self.outlet.finish(thread, reply("Hello.", MessageStatus.COMPLETE, parts), notes, draft)
        await asyncio.sleep(seconds)

    def said(self, method: str) -> list[str]:
        return [call.arguments["status"] for call in self.slack.made(method)]


@pytest.fixture
def place() -> Office:
    return Office()


@virtual
async def test_until_the_first_words_slack_shows_that_we_think_and_takes_it_back_itself(place: Office) -> None:
    await place.answers()
    assert place.said(THREAD) == [texts.THINKING]
    call = place.slack.made(THREAD)[0].arguments
    assert (call["channel_id"], call["thread_ts"]) == ("C1", conversation().thread.root)


@virtual
async def test_a_session_is_processing_from_the_beginning_of_an_answer_to_its_delivery(place: Office) -> None:
    await place.answers()
    assert place.said(SESSION) == ["processing", "active"]
    assert place.slack.made(SESSION)[-1].at > place.slack.made("chat.update")[-1].at


@virtual
async def test_the_end_of_an_earlier_reply_does_not_end_the_session_of_the_present_turn(place: Office) -> None:
    now = replace(conversation(), turn=Turn(id="t", reply=9))
    draft = place.outlet.draft(now, replace(reply(), seq=9), Notes())
    await asyncio.sleep(1)
    await place.outlet.finish(now, reply("Cut", MessageStatus.INTERRUPTED), Notes(), None)
    await asyncio.sleep(1)
    assert place.said(SESSION) == ["processing"]
    await draft.close()
    await place.outlet.finish(now, replace(reply("Hello.", MessageStatus.COMPLETE), seq=9), Notes(), draft)
    await asyncio.sleep(1)
    assert place.said(SESSION) == ["processing", "active"]


@virtual
async def test_after_a_takeover_the_session_is_active_again(place: Office) -> None:
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), Notes(), None)
    await asyncio.sleep(1)
    assert place.said(SESSION) == ["active"]


@virtual
async def test_neither_delays_the_first_words(place: Office) -> None:
    place.slack.faults[THREAD] = [SlackUnavailable(THREAD, after=60)]
    draft = place.outlet.draft(conversation(), reply(), Notes())
    draft.show("Hello\n")
    await asyncio.sleep(0.06)
    assert place.slack.made("chat.postMessage")[0].at == place.slack.seconds / 2
    await draft.close()


@virtual
async def test_a_status_that_arrives_after_the_first_words_is_taken_back(place: Office) -> None:
    await place.answers(seconds=0.06)
    await asyncio.sleep(5)
    assert place.said(THREAD) == [texts.THINKING, ""]


@virtual
async def test_a_status_whose_turn_comes_after_the_first_words_is_not_shown(place: Office) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(THREAD, "", 8)
    await place.answers()
    assert place.said(THREAD) == []


@virtual
async def test_an_edit_does_not_take_a_status_back_so_we_do(place: Office) -> None:
    notes = Notes()
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), notes, None)
    await place.answers(reply(parts=notes.texts[-1][1]))
    assert place.said(THREAD) == [texts.THINKING, ""]
    assert len(place.slack.posts) == 1


@virtual
async def test_a_reply_that_is_given_up_before_a_new_word_leaves_no_status(place: Office) -> None:
    notes = Notes()
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), notes, None)
    draft = place.outlet.draft(conversation(), reply(parts=notes.texts[-1][1]), notes)
    await asyncio.sleep(1)
    await draft.close()
    await asyncio.sleep(1)
    assert place.said(THREAD) == [texts.THINKING, ""]


@virtual
async def test_a_late_processing_never_comes_after_active(place: Office) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(SESSION, "", 60)
    await place.answers()
    await asyncio.sleep(90)
    assert place.said(SESSION) == ["active"]


@virtual
async def test_active_comes_after_a_processing_that_is_on_its_way() -> None:
    place = Place()
    line = SlackCaller(place.slack, Pacer(place.clock, TEAM, place.ledger), place.clock)
    statuses, thread = Statuses(line), conversation().thread
    activity = Activity(place.clock)
    statuses.begin(thread, Delivery(line, place.notes, thread, "c1:7"), activity)
    await asyncio.sleep(place.slack.seconds / 2 + 0.01)
    statuses.end(thread)
    activity.end()
    await asyncio.sleep(5)
    assert [call.arguments["status"] for call in place.slack.made(SESSION)] == ["processing", "active"]


@pytest.mark.parametrize("method", [THREAD, SESSION])
@pytest.mark.parametrize("code", sorted(NOT_OFFERED))
@virtual
async def test_what_a_workspace_does_not_offer_is_not_asked_for_again(place: Office, method: str, code: str) -> None:
    place.slack.faults[method] = [SlackRefused(method, code)]
    await place.answers()
    await place.answers(number=2)
    assert len(place.slack.made(method)) == 1
    assert len(place.slack.made("chat.postMessage")) == 2


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("method", [THREAD, SESSION])
@pytest.mark.parametrize("error", ["unknown_method", "not_allowed", 403, 404, 405, 501])
@virtual
async def test_a_status_that_slack_or_something_between_does_not_know_is_asked_once_then_given_up_for_an_hour(
    place: Office, method: str, error: str | int
) -> None:
    known = (
        SlackRefused(method, error)
        if isinstance(error, str)
        else SlackUnavailable(method, ambiguous=True, status=error)
    )
    place.slack.faults[method] = [known] * 9
    for number in range(1, 10):
        await place.answers(number=number)
    assert len(place.slack.made(method)) == 1
    place.slack.faults[method] = []
    await asyncio.sleep(ASKED_AGAIN)
    await place.answers(number=10)
    assert len(place.slack.made(method)) > 1


@pytest.mark.req("MW-20")
@virtual
async def test_who_waits_for_a_method_that_is_given_up_meanwhile_does_not_call_it_and_leaves_its_place(
    place: Office,
) -> None:
    now, window, calls = place.clock.now().timestamp(), TIERS[SESSION].window, TIERS[SESSION].calls
    used = (now - window + 5, *(now - window + 10 + 0.01 * number for number in range(calls - 1)))
    await place.ledger.exchange(TEAM, SESSION, Entry(numbers={"sent": used}), window)
    place.slack.faults[SESSION] = [SlackRefused(SESSION, "unknown_method")]
    drafts = [place.outlet.draft(conversation(number), reply(), Notes()) for number in (1, 2)]
    await asyncio.sleep(20)
    assert len(place.slack.made(SESSION)) == 1
    kept = (await place.ledger.numbers(TEAM, SESSION))["sent"]
    assert [at for at in kept if now + 6 < at <= now + 20] == []
    for draft in drafts:
        await draft.close()


@pytest.mark.req("MW-20")
@virtual
async def test_while_nobody_answers_a_session_is_not_said_to_be_over_again_every_second(place: Office) -> None:
    place.slack.faults[SESSION] = [SlackUnavailable(SESSION, ambiguous=True)] * 999
    await place.answers()
    await asyncio.sleep(600)
    times = [call.at for call in place.slack.made(SESSION)]
    pauses = [round(later - earlier) for earlier, later in pairwise(times[1:])]
    assert len(times) <= 20
    assert pauses == sorted(pauses)
    assert max(pauses) <= LONGEST_PAUSE + 1, "and yet it is said not long after somebody answers"


@virtual
async def test_a_status_whose_turn_is_not_needed_any_more_leaves_it_to_others(place: Office) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(THREAD, "", 8)
    await place.answers()
    assert place.said(THREAD) == []
    kept = (await place.ledger.numbers(TEAM, THREAD))["sent"]
    assert all(at > place.clock.now().timestamp() for at in kept), "but for places that are taken ahead"


@pytest.mark.parametrize(
    "error", [SlackRefused(SESSION, "channel_not_found"), SlackUnavailable(SESSION, ambiguous=True)]
)
@virtual
async def test_what_failed_for_one_thread_is_tried_for_the_next(place: Office, error: Exception) -> None:
    place.slack.faults[SESSION] = [error]
    await place.answers()
    assert place.said(SESSION) == ["processing", "active"]


@virtual
async def test_while_the_ledger_is_away_there_is_no_status_and_the_answer_goes_on(place: Office) -> None:
    place.ledger.is_away = True
    asyncio.get_running_loop().call_later(2, setattr, place.ledger, "is_away", False)
    await place.answers()
    assert place.said(THREAD) == []
    assert place.said(SESSION) == ["active"]
    assert len(place.slack.posts) == 1


@virtual
async def test_a_reply_that_slack_refuses_leaves_no_session_processing(place: Office) -> None:
    place.slack.faults["chat.postMessage"] = [SlackRefused("chat.postMessage", "is_archived")] * 2
    with pytest.raises(SlackRefused):
        await place.answers()
    await asyncio.sleep(1)
    assert place.said(SESSION) == ["processing", "active"]


@pytest.mark.parametrize("error", [SlackUnavailable(SESSION, ambiguous=True), SlackUnavailable(SESSION, after=20)])
@virtual
async def test_active_is_said_until_slack_has_heard_it(place: Office, error: Exception) -> None:
    place.slack.faults[SESSION] = [None, error, error]
    await place.answers()
    await asyncio.sleep(60)
    assert place.said(SESSION) == ["processing", "active", "active", "active"]


@virtual
async def test_active_is_said_when_the_ledger_is_back() -> None:
    place = Place()
    place.ledger.is_away = True
    statuses = Statuses(SlackCaller(place.slack, Pacer(place.clock, TEAM, place.ledger), place.clock))
    statuses.end(conversation().thread)
    asyncio.get_running_loop().call_later(30, setattr, place.ledger, "is_away", False)
    await asyncio.sleep(35)
    assert [call.arguments["status"] for call in place.slack.made(SESSION)] == ["active"]


@virtual
async def test_active_that_waits_for_the_end_of_an_outage_gives_way_to_the_next_answer(place: Office) -> None:
    place.slack.faults[SESSION] = [None, SlackUnavailable(SESSION, after=20)]
    await place.answers()
    draft = place.outlet.draft(conversation(), reply(), Notes())
    await asyncio.sleep(60)
    assert place.said(SESSION) == ["processing", "active", "processing"]
    await draft.close()


@virtual
async def test_a_status_that_may_have_arrived_is_taken_back_too(place: Office) -> None:
    notes = Notes()
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), notes, None)
    place.slack.faults[THREAD] = [SlackUnavailable(THREAD, ambiguous=True)]
    await place.answers(reply(parts=notes.texts[-1][1]))
    assert place.said(THREAD) == [texts.THINKING, ""]


@virtual
async def test_at_the_end_it_is_still_said_that_a_session_is_over(place: Office) -> None:
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), Notes(), None)
    await place.outlet.close()
    assert place.said(SESSION) == ["active"]


@virtual
async def test_the_end_waits_for_last_words_but_not_for_long(place: Office) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(SESSION, "", 60)
    await place.outlet.finish(conversation(), reply("Cut", MessageStatus.INTERRUPTED), Notes(), None)
    began = place.clock.monotonic()
    await place.outlet.close()
    assert place.clock.monotonic() - began == pytest.approx(LAST_WORDS)
    await asyncio.sleep(90)
    assert place.said(SESSION) == []


@virtual
async def test_the_end_waits_for_no_answer_that_is_under_way(place: Office) -> None:
    await Pacer(place.clock, TEAM, place.ledger).close_queue(SESSION, "", 60)
    draft = place.outlet.draft(conversation(), reply(), Notes())
    await draft.close()
    await place.outlet.close()
    assert place.clock.monotonic() == 0


@virtual
async def test_at_the_end_no_status_is_under_way(place: Office) -> None:
    draft = place.outlet.draft(conversation(), reply(parts=("1.1",)), Notes())
    await asyncio.sleep(1)
    closing = asyncio.ensure_future(place.outlet.close())
    await asyncio.sleep(0)
    await draft.close()
    await closing
    await asyncio.sleep(1)
    assert place.said(THREAD) == [texts.THINKING]
