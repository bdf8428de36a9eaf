"""The performer: what waits for what, what may have been done already, and what is not done again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import pytest

from app.core.conversation.conversation import Conversation, Message, Role
from app.core.conversation.effect import (
    Erase,
    FinishReply,
    PostEphemeral,
    PublishHome,
    React,
    SendDirectMessage,
    ShowCard,
    Unreact,
)
from app.core.errors import LostConversation, PlaceGone, SlackRefused, SlackUnavailable, StoreUnavailable
from app.ports import LiveReply, Outlet, WriteGuard
from app.runtime.lease import HeldConversation, LeaseTimes
from app.runtime.performer import Outcome, Performed, Performer
from app.runtime.record.recorder import RecordWriter
from tests.fakes import virtual
from tests.unit.handlers.payloads import ANN, MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision
from tests.virtual import VirtualClock

CARD = ShowCard(id="r:0", card=1)
WORD = PostEphemeral(id="r:1", user=ANN, text="Not yours.")
ERASE = Erase(id="r:2", user=MAYA)
DIRECT = SendDirectMessage(id="r:7", user=MAYA, text="The channel is gone.", since="1.0")
REPLY = FinishReply(id="r:8", reply=1)
LOST = SlackUnavailable(ambiguous=True)
"""Nobody knows whether Slack has got it."""
REFUSED_FOR_NOW = SlackUnavailable()


class Paper:
    """Of the `Outlet`, what is told and shown. Each attempt meets the next failure, until there are none left."""

    def __init__(self, failures: Iterable[Exception]) -> None:
        self._failures = iter(failures)
        self.cards: list[bool] = []
        """For each attempt to show a card, whether it is one that may stand there already."""
        self.direct: list[bool] = []
        """The same for each attempt to send a direct message."""
        self.words: list[str] = []
        self.finished: list[LiveReply | None] = []
        """The live reply with which each reply was finished."""

    async def show_card(self, conversation: Conversation, card: Message, keeper: WriteGuard, *, unsure: bool) -> None:
        self.cards.append(unsure)
        self._fail()

    async def tell(self, conversation: Conversation, told: PostEphemeral) -> None:
        self.words.append(told.text)
        self._fail()

    async def react(self, thread: object, ts: str, name: str) -> None:
        self.words.append(name)
        self._fail()

    async def unreact(self, thread: object, ts: str, name: str) -> None:
        self.words.append(f"no {name}")

    async def tell_directly(self, conversation: Conversation, told: SendDirectMessage, *, unsure: bool) -> None:
        self.direct.append(unsure)
        self._fail()

    async def finish(
        self, conversation: Conversation, reply: Message, keeper: WriteGuard, draft: LiveReply | None
    ) -> None:
        self.finished.append(draft)
        self._fail()

    async def publish_home(self, team: str, user: str) -> None:
        await asyncio.Event().wait()

    def _fail(self) -> None:
        if failure := next(self._failures, None):
            raise failure


class Stage(StoredDecision):
    """A held conversation that wants something done."""

    performer: Performer
    hold: HeldConversation

    def __init__(self, *failures: Exception) -> None:
        super().__init__(clock=VirtualClock())
        self.paper = Paper(failures)
        self.drafts: dict[int, LiveReply] = {}

    async def takes_over(self, *effects: Performed, id_: str = "") -> Stage:
        """Hold the conversation, under this id if one is given, with what is left of it to do."""
        row = Message(seq=1, role=Role.CARD, text="Which one?")
        now = await placed(self.store, talk(1, head=1, effects=effects), row)
        outlet = cast("Outlet", self.paper)
        recorder = RecordWriter(
            intake=self.intake,
            conversations=self.store.conversations,
            versions=self.store.versions,
            files=self.store.files,
            permissions=self.store.permissions,
            casebook=self.book,
            outlet=outlet,
            clock=self.clock,
            copies_days=7,
        )
        self.hold = HeldConversation(replace(now, id=id_ or now.id), self.store.conversations, self.clock, LEASE)
        self.performer = Performer(self.hold, recorder, self.drafts)
        return self

    async def does(self, effect: Performed) -> bool:
        """Perform one to its end; gives whether nothing of it is owed any more."""
        return await self.ends(effect) is Outcome.DONE

    async def ends(self, effect: Performed) -> Outcome:
        """Perform one to its end; gives how that was."""
        self.performer.begin(effect)
        ((ended, task),) = await self._ended()
        self.performer.forget(ended)
        return await task

    async def _ended(self) -> list[tuple[Performed, asyncio.Task[Outcome]]]:
        await asyncio.wait(self.performer.tasks)
        return self.performer.list_ended()


LEASE = LeaseTimes(lease=3600.0)


@virtual
async def test_a_card_that_was_taken_over_may_stand_there_already_and_a_new_one_does_not() -> None:
    stage = await Stage().takes_over(CARD)
    await stage.does(CARD)
    assert stage.paper.cards == [True], "whoever held it before may have posted it, and nobody wrote down where"
    fresh = await Stage().takes_over()
    await fresh.does(CARD)
    assert fresh.paper.cards == [False]
    await fresh.does(replace(CARD, id="r:9"))
    assert fresh.paper.cards == [False, True], "it was shown from here before"


@virtual
async def test_a_card_is_looked_for_before_it_is_posted_again() -> None:
    stage = await Stage(LOST, REFUSED_FOR_NOW).takes_over()
    assert await stage.does(CARD)
    assert stage.paper.cards == [False, True, True]


@virtual
async def test_a_private_word_that_may_have_been_said_is_not_said_again() -> None:
    stage = await Stage(LOST).takes_over(WORD)
    assert await stage.does(WORD)
    assert stage.paper.words == [WORD.text]


@virtual
async def test_a_private_word_that_was_surely_not_said_is_tried_again() -> None:
    stage = await Stage(REFUSED_FOR_NOW, REFUSED_FOR_NOW).takes_over(WORD)
    before = stage.clock.monotonic()
    assert await stage.does(WORD)
    assert stage.paper.words == [WORD.text] * 3
    assert stage.clock.monotonic() - before >= 2 * REFUSED_FOR_NOW.after > 0, "it waits as long as Slack asks for"


@virtual
async def test_a_private_word_that_an_outage_of_the_database_held_up_is_said_after_it() -> None:
    stage = await Stage(StoreUnavailable()).takes_over(WORD)
    assert await stage.does(WORD)
    assert stage.paper.words == [WORD.text] * 2


@virtual
async def test_a_direct_message_is_looked_for_before_it_is_sent_again_and_also_when_it_was_taken_over() -> None:
    stage = await Stage(LOST).takes_over()
    assert await stage.does(DIRECT)
    assert stage.paper.direct == [False, True]
    taken_over = await Stage().takes_over(DIRECT)
    assert await taken_over.does(DIRECT)
    assert taken_over.paper.direct == [True]


@pytest.mark.parametrize("effect", [CARD, WORD, DIRECT, REPLY, ERASE], ids=lambda each: each.kind)
@virtual
async def test_nothing_is_said_or_erased_by_a_process_that_has_lost_the_conversation(effect: Performed) -> None:
    stage = await Stage().takes_over()
    stage.hold.lose()
    with pytest.raises(LostConversation):
        await stage.does(effect)
    paper = stage.paper
    assert (paper.cards, paper.words, paper.direct, paper.finished) == ([], [], [], [])
    assert await stage.store.conversations.find(stage.hold.conversation.thread)


@virtual
async def test_a_reply_is_finished_in_its_live_messages_until_that_has_succeeded() -> None:
    stage, live = Stage(REFUSED_FOR_NOW), cast("LiveReply", object())
    stage.drafts |= {1: live, 2: live}
    await stage.takes_over(REPLY)
    assert await stage.does(REPLY)
    assert stage.paper.finished == [live, live], "what was shown already is edited, and not posted a second time"
    assert stage.drafts == {2: live}
    assert await stage.does(REPLY)
    assert stage.paper.finished[2:] == [None]


@virtual
async def test_what_may_be_done_twice_is_done_again_also_where_it_may_have_been_done() -> None:
    stage = await Stage(LOST).takes_over()
    assert await stage.does(React(id="r:3", ts="1.1", name="eyes"))
    assert stage.paper.words == ["eyes", "eyes"]
    assert await stage.does(Unreact(id="r:3", ts="1.1", name="eyes"))
    assert stage.paper.words == ["eyes", "eyes", "no eyes"]


@virtual
async def test_what_slack_will_never_take_is_given_up() -> None:
    stage = await Stage(SlackRefused("chat.postEphemeral", "user_not_in_channel")).takes_over(WORD)
    assert await stage.does(WORD)
    assert stage.paper.words == [WORD.text]


@virtual
async def test_a_card_in_a_place_that_is_gone_is_told_apart_from_one_that_was_shown() -> None:
    for effect in (CARD, REPLY):
        stage = await Stage(PlaceGone("chat.postMessage", "is_archived")).takes_over(effect)
        assert await stage.ends(effect) is Outcome.CLOSED
    stage = await Stage(PlaceGone("reactions.add", "is_archived")).takes_over(WORD)
    assert await stage.does(WORD), "a second message elsewhere would say nothing that is missed"


@virtual
async def test_what_people_wait_for_is_still_owed_if_slack_refuses_it_for_another_reason() -> None:
    for effect in (CARD, REPLY):
        stage = await Stage(SlackRefused("chat.postMessage", "no_permission")).takes_over(effect)
        assert await stage.ends(effect) is Outcome.REFUSED


@virtual
async def test_nothing_is_erased_while_anything_else_waits_or_is_under_way() -> None:
    stage = await Stage().takes_over(WORD, ERASE)
    assert stage.performer.next_of([WORD, ERASE]) == [WORD]
    home = PublishHome(id="r:4", user=MAYA)
    stage.performer.begin(home)
    assert stage.performer.next_of([ERASE]) == []
    await stage.performer.drop()
    assert stage.performer.next_of([ERASE]) == [ERASE]


@virtual
async def test_what_is_under_way_is_not_begun_a_second_time_before_its_end_is_saved() -> None:
    stage = await Stage().takes_over(CARD)
    stage.performer.begin(CARD)
    assert stage.performer.list_ended() == []
    assert stage.performer.next_of([CARD, WORD]) == [WORD]
    await asyncio.wait(stage.performer.tasks)
    assert stage.performer.next_of([CARD, WORD]) == [WORD], "it has ended, and that is not saved"
    stage.performer.forget(CARD)
    assert stage.performer.next_of([replace(CARD, id="r:9")]) == [replace(CARD, id="r:9")]


@virtual
async def test_what_is_dropped_has_ended_before_the_next_holder_may_begin() -> None:
    stage = await Stage().takes_over()
    stage.performer.begin(PublishHome(id="r:4", user=MAYA))
    [task] = stage.performer.tasks
    await asyncio.sleep(0)
    await stage.performer.drop()
    assert task.cancelled()


@virtual
async def test_an_erasure_under_way_is_completed_also_if_everything_else_is_dropped() -> None:
    stage = await Stage().takes_over(ERASE)
    stage.performer.begin(ERASE)
    await asyncio.sleep(0)
    await stage.performer.drop()
    assert not await stage.store.conversations.find(stage.hold.conversation.thread)


@virtual
async def test_what_is_erased_is_gone_before_anybody_is_told_and_nothing_is_written_to_it_after() -> None:
    stage = await Stage(LOST).takes_over(ERASE)
    assert await stage.does(ERASE), "a notice that fails takes nothing back"
    assert not await stage.store.conversations.find(stage.hold.conversation.thread)
    assert stage.hold.lost.is_set()
    assert len(stage.paper.words) == 1


@virtual
async def test_of_each_lane_the_first_is_next_and_the_lanes_do_not_wait_for_each_other() -> None:
    stage = await Stage().takes_over()
    home, other = PublishHome(id="r:4", user=MAYA), replace(WORD, id="r:5")
    assert stage.performer.next_of([CARD, replace(CARD, id="r:6"), WORD, other, home]) == [CARD, WORD, home]


@pytest.mark.parametrize("effect", [CARD, ERASE], ids=["card", "erasure"])
@virtual
async def test_while_something_is_said_in_the_thread_no_turn_may_begin(effect: Performed) -> None:
    stage = await Stage().takes_over()
    assert not stage.performer.is_speaking
    stage.performer.begin(effect)
    assert stage.performer.is_speaking
    await asyncio.wait(stage.performer.tasks)


@pytest.mark.req("SE-03")
@pytest.mark.parametrize(
    ("id_", "told"), [("v2-1", "for 7 days more at most"), ("c1", "backups from before that may hold a copy")]
)
@virtual
async def test_who_erases_is_told_of_backups_what_is_true_of_this_conversation(id_: str, told: str) -> None:
    stage = await Stage().takes_over(ERASE, id_=id_)
    await stage.does(ERASE)
    assert told in stage.paper.words[0]
    assert ("days more" in stage.paper.words[0]) is id_.startswith("v2-")
