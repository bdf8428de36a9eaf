"""A reply while it grows, before a Slack that takes its time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.conversation.conversation import Message
from app.core.errors import LostConversation, SlackRefused, SlackUnavailable, StoreUnavailable
from app.core.text import safe_stream
from handlers.outbound.live_reply import SECONDS_BETWEEN_EDITS
from handlers.outbound.pacer import Pacer
from handlers.slack import action_ids
from tests.fakes import WatchedLedger, threads_asked_for, virtual
from tests.unit.handlers.outbound.test_outlet_cards import ASKED, row
from tests.unit.handlers.place import outlet_to
from tests.unit.handlers.strict_slack import TEAM, Notes, Post, StrictSlack, conversation, reply
from tests.virtual import VirtualClock

UPDATE, POST = "chat.update", "chat.postMessage"
PAGE = "One line of it.\n\n" * (safe_stream.PARAGRAPH_AT // 16)
"""A little more than a page."""


class Showing:
    """One answer that is shown."""

    def __init__(self, row: Message | None = None, notes: Notes | None = None) -> None:
        self.clock = VirtualClock()
        self.slack, self.ledger = StrictSlack(self.clock), WatchedLedger(self.clock)
        self.outlet = outlet_to(self.slack, self.clock, self.ledger)
        self.notes = notes or Notes()
        self.draft = self.outlet.draft(conversation(), row or reply(), self.notes)

    def shows(self, text: str) -> None:
        """Offer a text whose last line has ended: the last character is held back, for it may be half of one."""
        self.draft.show(f"{text}\n")

    async def grows(self, text: str, seconds: float) -> None:
        """Offer a text, and let so much time pass."""
        self.shows(text)
        await asyncio.sleep(seconds)

    async def edits_are_closed(self, seconds: float) -> None:
        """Another process was told not to edit for so long; ours hears of it when it asks for a turn."""
        await asyncio.sleep(0.5)
        await Pacer(self.clock, TEAM, self.ledger).close_queue(UPDATE, "", seconds)

    @property
    def posts(self) -> list[Post]:
        return list(self.slack.posts.values())

    @property
    def edits(self) -> int:
        return len(self.slack.made(UPDATE))


@virtual
async def test_the_first_words_are_posted_at_once_after_one_write_to_the_ledger() -> None:
    it = Showing()
    await it.grows("Hel", 0.06)
    (call,) = it.slack.made(POST)
    assert call.at == it.slack.seconds / 2
    assert it.ledger.reads == 0
    assert set(await it.ledger.numbers(TEAM, "chat.postMessage:C1")) == {"sent", "closed"}
    await it.draft.close()


@pytest.mark.req("S0-045", "M-005")
@virtual
async def test_an_answer_is_edited_once_a_second_at_most_with_the_newest_text() -> None:
    it = Showing()
    for length in range(1, 60):
        await it.grows("word " * length + "end", 0.1)
    await asyncio.sleep(2)
    calls = it.slack.made(POST, UPDATE)
    assert all(later.at - earlier.at >= SECONDS_BETWEEN_EDITS - 1e-6 for earlier, later in pairwise(calls))
    assert len(calls) == 7
    assert it.posts[0].markdown == "word " * 59 + "end"
    assert (await it.draft.close()) == tuple(it.slack.posts)


@virtual
async def test_the_text_of_an_edit_is_chosen_when_its_turn_has_come() -> None:
    it = Showing()
    it.shows("old")
    await it.edits_are_closed(20)
    await it.grows("older", 10)
    await it.grows("newest", 20)
    assert [call.arguments["text"] for call in it.slack.made(UPDATE)] == ["newest"]
    assert {text for text, _ in it.notes.texts} == {"old\n", "newest\n"}, "what is not shown is not kept either"
    await it.draft.close()


@virtual
async def test_of_two_replies_that_wait_for_their_edits_the_one_that_was_shown_longest_ago_goes_first() -> None:
    it = Showing()
    other = it.outlet.draft(conversation(2, "C2"), reply(), Notes())
    other.show("Hi\n")
    await asyncio.sleep(3)
    await it.grows("Hello", 2)
    await it.edits_are_closed(20)
    await it.grows("Hello there", 1)
    other.show("Hi there\n")
    await asyncio.sleep(120)
    assert [call.arguments["text"] for call in it.slack.made(UPDATE)] == ["Hi there", "Hello there"]
    await asyncio.gather(it.draft.close(), other.close())


@virtual
async def test_a_question_that_changes_goes_before_the_edits_of_a_reply_that_still_grows() -> None:
    it, elsewhere, notes = Showing(), conversation(2, "C2"), Notes()
    await it.outlet.show_card(elsewhere, row(ASKED), notes, unsure=False)
    await it.grows("Hello", 2)
    await it.edits_are_closed(20)
    await it.grows("Hello there", 1)
    anew = replace(ASKED, question=replace(ASKED.question, prompt="Which one?"))
    await it.outlet.show_card(elsewhere, row(anew, notes.texts[-1][1]), notes, unsure=False)
    await asyncio.sleep(120)
    told = [call.arguments["text"] for call in it.slack.made(UPDATE)]
    assert told == ["❓ <@U1> Which one?", "Hello there"]
    await it.draft.close()


@virtual
async def test_stop_stands_below_the_last_page_alone_and_goes_with_it() -> None:
    it = Showing()
    await it.grows("First words.", 0.5)
    assert [post.actions for post in it.posts] == [[action_ids.STOP]]
    assert it.posts[0].blocks[-1]["elements"][0]["value"] == str(reply().seq), "it stops this reply and no other"
    await it.grows(PAGE + "More words.", 5)
    assert [post.actions for post in it.posts] == [[], [action_ids.STOP]]
    await it.draft.close()


@pytest.mark.req("SE-11")
@virtual
async def test_a_long_preview_is_made_in_a_thread() -> None:
    it = Showing()
    await it.grows("First words.", 2)
    assert threads_asked_for() == 0
    await it.grows(PAGE, 2)
    assert threads_asked_for() == 1
    await it.draft.close()


@pytest.mark.req("S0-026")
@virtual
async def test_what_is_shown_and_kept_is_sanitised() -> None:
    it = Showing()
    await it.grows("Good [INST]words\x00 for <!channel> and more.", 1)
    assert "INST" not in it.posts[0].markdown
    assert "<!channel>" not in it.posts[0].markdown
    assert all("INST" not in text and "\x00" not in text for text, _ in it.notes.texts)
    await it.draft.close()


@virtual
async def test_a_text_is_kept_before_it_is_shown_and_its_message_as_soon_as_there_is_one() -> None:
    it = Showing()
    await it.grows("Hello.", 0)
    while not it.notes.texts:
        await asyncio.sleep(0.001)
    assert it.slack.calls == []
    await asyncio.sleep(1)
    (ts,) = it.slack.posts
    assert [parts for _, parts in it.notes.texts] == [(), (ts,)]
    await it.draft.close()


@virtual
async def test_closing_waits_for_the_write_that_is_under_way_and_lets_no_other_begin() -> None:
    it = Showing()
    await it.grows("Hello", 0.06)
    it.shows("Hello again")
    assert await it.draft.close() == tuple(it.slack.posts)
    assert len(it.slack.posts) == 1
    await asyncio.sleep(10)
    assert it.edits == 0


@virtual
async def test_a_draft_that_is_closed_while_it_waits_takes_nobodys_place() -> None:
    it = Showing()
    it.shows("Hello")
    await it.edits_are_closed(30)
    await it.grows("Hello again", 2)
    other = it.outlet.draft(conversation(2, "C2"), reply(), Notes())
    other.show("Hi\n")
    await asyncio.sleep(0.5)
    other.show("Hi again\n")
    await asyncio.sleep(2)
    began = it.clock.monotonic()
    await other.close()
    await it.draft.close()
    assert it.clock.monotonic() == began
    await asyncio.sleep(60)
    assert it.edits == 0


@virtual
async def test_a_closed_draft_keeps_no_place_for_a_final_any_more() -> None:
    it = Showing()
    await it.grows("Hello", 0.5)
    await it.grows("Hello again", 2)
    assert any(name.startswith("answers:") for name in await it.ledger.numbers(TEAM, UPDATE))
    await it.draft.close()
    await it.outlet.finish(conversation(), reply("Hello again."), it.notes, it.draft)
    assert not any(name.startswith("answers:") for name in await it.ledger.numbers(TEAM, UPDATE))


@pytest.mark.parametrize("error", [SlackUnavailable(POST, ambiguous=True), SlackUnavailable(POST, after=3)])
@virtual
async def test_a_preview_that_fails_in_passing_is_made_later_and_only_once(error: SlackUnavailable) -> None:
    it = Showing()
    it.slack.faults[POST] = [error]
    await it.grows("Hello", 10)
    assert [post.markdown for post in it.posts] == ["Hello"]
    assert await it.draft.close() == tuple(it.slack.posts)


@virtual
async def test_a_text_that_comes_back_after_an_edit_that_may_have_arrived_is_shown_again() -> None:
    it = Showing()
    await it.grows("Hello", 1)
    it.slack.faults[UPDATE] = [SlackUnavailable(UPDATE, ambiguous=True)]
    await it.grows("Hello there", 0.5)
    await it.grows("Hello", 5)
    assert [post.markdown for post in it.posts] == ["Hello"]
    await it.draft.close()


@virtual
async def test_while_the_ledger_is_away_nothing_is_sent_and_afterwards_the_newest() -> None:
    it = Showing()
    it.ledger.is_away = True
    await it.grows("Hello", 5)
    assert it.slack.calls == []
    it.shows("Hello again")
    it.ledger.is_away = False
    await asyncio.sleep(3)
    assert [post.markdown for post in it.posts] == ["Hello again"]
    await it.draft.close()


@pytest.mark.parametrize("error", [SlackRefused(UPDATE, "invalid_blocks"), SlackRefused(UPDATE, "is_archived")])
@virtual
async def test_previews_are_given_up_where_slack_will_not_have_them(error: SlackRefused) -> None:
    it = Showing()
    await it.grows("Hello", 2)
    it.slack.faults[UPDATE] = [error]
    for length in range(5):
        await it.grows("Hello " * length, 2)
    assert it.edits == 1
    assert await it.draft.close() == tuple(it.slack.posts)


@virtual
async def test_who_has_lost_the_conversation_writes_nothing_more() -> None:
    it = Showing()
    it.notes.trouble = LostConversation()
    await it.grows("Hello", 5)
    assert it.slack.made(POST) == []
    assert await it.draft.close() == ()


@virtual
async def test_a_text_with_nothing_to_show_yet_is_not_posted() -> None:
    it = Showing()
    await it.grows("| a |", 5)
    assert it.slack.made(POST) == []
    assert await it.draft.close() == ()


@virtual
async def test_a_place_that_came_too_late_for_its_page_is_not_used_for_another_call() -> None:
    """While an edit waits the text becomes again what is shown already."""
    it = Showing()
    it.shows("Hello")
    await it.edits_are_closed(10)
    await it.grows("Hello there", 5)
    await it.grows("Hello", 20)
    assert it.edits == 0
    await it.draft.close()


@virtual
async def test_a_place_for_a_new_page_is_not_used_for_an_edit_when_the_text_has_become_shorter() -> None:
    it = Showing()
    await it.grows("Hello", 1)
    await Pacer(it.clock, TEAM, it.ledger).close_queue(POST, "C1", 10)
    await it.grows(PAGE + "More words.", 3)
    await it.grows("Hello again", 20)
    assert [post.markdown for post in it.posts] == ["Hello again"]
    assert await it.draft.close() == tuple(it.slack.posts)


@virtual
async def test_an_answer_whose_message_somebody_deleted_goes_on_in_the_next_one() -> None:
    it = Showing()
    await it.grows("Hello", 1)
    it.slack.posts.clear()
    await it.grows("Hello again", 2)
    await it.grows("Hello again and again", 2)
    assert it.edits == 1, "then it is let be"
    await it.grows(PAGE + "The next page.", 2)
    parts = await it.draft.close()
    (second,) = it.posts
    assert second.markdown.endswith("The next page.")
    assert parts[1:] == tuple(it.slack.posts)
    assert it.edits == 1


class LateNotes(Notes):
    """Notes that cannot be written when the turn of the words has come."""

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        if len(self.texts) > 1:
            raise StoreUnavailable
        await super().record(text, parts)


@virtual
@pytest.mark.req("MW-20")
async def test_a_turn_that_came_while_the_words_could_not_be_kept_goes_back() -> None:
    it = Showing(notes=LateNotes())
    await it.grows("Hello", 2)
    await it.grows("Hello there", 20)
    assert it.edits == 0
    assert (await it.ledger.numbers(TEAM, UPDATE))["sent"] == ()
    await it.draft.close()


@virtual
@pytest.mark.req("MW-20")
async def test_a_turn_that_came_after_the_conversation_was_lost_goes_back() -> None:
    it = Showing()
    it.notes.trouble = LostConversation()
    with pytest.raises(LostConversation):
        await it.outlet.finish(conversation(), reply("Hello"), it.notes, it.draft)
    await asyncio.sleep(1)
    assert (await it.ledger.numbers(TEAM, "chat.postMessage:C1"))["sent"] == ()
    await it.draft.close()


@virtual
@pytest.mark.req("MW-20")
async def test_a_call_that_did_not_even_leave_has_used_nothing() -> None:
    it = Showing()
    it.slack.faults[UPDATE] = [SlackUnavailable(UPDATE, ambiguous=True, unsent=True)] * 3
    await it.grows("Hello", 2)
    await it.grows("Hello there", 20)
    assert it.edits == 4
    assert len((await it.ledger.numbers(TEAM, UPDATE))["sent"]) == 1
    await it.draft.close()


@pytest.mark.req("AG-03")
@virtual
async def test_words_after_a_break_are_posted_below_and_stop_goes_with_them() -> None:
    it = Showing()
    await it.grows("I look.", 2)
    it.draft.go_on_below(len("I look."))
    await it.grows("I look.\n\nThe blue one.", 3)
    first, second = it.posts
    assert (first.markdown, second.markdown) == ("I look.", "The blue one.")
    assert [str(each.blocks).count(action_ids.STOP) for each in it.posts] == [0, 1]
    await it.draft.close()


@virtual
async def test_a_reply_that_another_process_goes_on_with_keeps_its_breaks() -> None:
    it = Showing(replace(reply(), heard_at=(7, 7)))
    await it.grows("I look.\n\nThe blue one.", 3)
    assert [each.markdown for each in it.posts] == ["I look.", "The blue one."]
    await it.draft.close()
