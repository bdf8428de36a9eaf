"""A turn that does something outside, in a held conversation: what it saves, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from app.agent.hands import Hands
from app.answering import Answering, Voices
from app.core.errors import StoreUnavailable
from app.core.model import Conversation, Message, MessageStatus, Role, Step, Turn
from app.core.permissions import Verdict
from app.core.states import Run
from app.core.uses import UseState
from app.lease import Hold, LeaseTimes
from app.outside import Outside
from app.ports import Conversations, ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.scripted import COST, Part, answers
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.voiced import Voiced

PUT = ToolUse(id="p1", name="put", input={"to": "ops", "text": "Hi"})
FREELY = {"ops": Verdict.ALLOWED}


@dataclass
class Bench:
    """What is in the hands of every turn here."""

    shop: Workshop

    async def hands(self, now: Conversation, at: object) -> Hands:
        return self.shop.hands


@dataclass
class Saving:
    """Implements what a `Hold` needs of the store: each save first does the next of these."""

    store: Conversations
    before: list[Any] = field(default_factory=list[Any])

    async def save(self, step: Step) -> Conversation:
        if self.before:
            await self.before.pop(0)()
        return await self.store.save(step)


class Working(Voiced):
    """A free thread whose turn may do something outside."""

    async def works(self, shop: Workshop, *before: Any) -> None:
        row = Message(seq=2, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING)
        said = Message(seq=1, role=Role.PERSON, text="Post it", author=MAYA, ts="9.1")
        turn = Turn(id="2.1", reply=2, cause="r1", since="1770000100.000000")
        now = await placed(self.store, talk(1, head=2, run=Run.STREAMING, turn=turn), said, row)
        self.saving = Saving(self.store.conversations, list(before))
        self.hold = Hold(now, cast("Conversations", self.saving), self.clock, LeaseTimes())
        voices: Voices = replace(self._voices, outside=cast("Outside", Bench(shop)))
        self.answering = Answering(self.hold, voices)
        await self.answering.begin()

    @property
    def states(self) -> list[UseState]:
        turn = self.hold.conversation.turn
        return [use.state for use in turn.uses] if turn else []


def scripts(*uses: ToolUse) -> list[list[Part]]:
    return [answers(*uses, text="I post it."), answers(text="Done.")]


async def test_before_its_beginning_is_saved_nothing_is_done_however_long_mongodb_is_away() -> None:
    shop, found = Workshop(FREELY), list[object]()

    async def away() -> None:
        found.append(list(shop.done))
        raise StoreUnavailable("away", after=0.0)

    voiced = Working(*scripts(PUT))
    await voiced.works(shop, away, away)
    reply = await voiced.answering.end()
    assert (reply.status, reply.text) == (MessageStatus.COMPLETE, "I post it.\n\nDone.")
    assert (found, shop.done) == ([[], []], [("p1", "Hi")])
    assert voiced.states == [UseState.DONE]


async def test_who_cuts_a_turn_off_while_its_state_is_saved_does_not_break_off_the_save() -> None:
    shop, saving, go_on = Workshop(FREELY), asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        saving.set()
        await go_on.wait()

    voiced = Working(*scripts(PUT))
    await voiced.works(shop, slow)
    await saving.wait()
    cut = await voiced.answering.cut(MessageStatus.CANCELLED)
    assert (cut.status, shop.done) == (MessageStatus.CANCELLED, [])
    go_on.set()
    async with voiced.hold.writing:
        assert voiced.states == [UseState.STARTED]
    await voiced.hold.change(lambda now: Step(conversation=now))  # nobody has saved a state that is not known here


@pytest.mark.parametrize("status", [MessageStatus.CANCELLED, MessageStatus.INTERRUPTED])
async def test_a_turn_that_had_come_to_a_permission_ends_like_any_other_when_it_is_cut_off(
    status: MessageStatus,
) -> None:
    voiced = Working(*scripts(PUT))
    await voiced.works(Workshop())
    await voiced.answering.over()
    cut = await voiced.answering.cut(status)
    assert (cut.status, cut.text, cut.usage) == (status, "I post it.", COST)
