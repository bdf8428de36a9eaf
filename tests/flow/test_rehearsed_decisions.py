"""Decisions that somebody types in Slack without having read what the rehearsal model understands."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest

from app.clock import SystemClock
from app.core.state.decision import ComponentStatus
from app.decision.playbook.playbook import load_proact
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from tests.contract.playground_claude.matters import MATTERS
from tests.contract.playground_claude.played import MOST, Player
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import decides, deciding, decision, thread_of
from tests.flow.rehearsing import ends, is_shown, results, tells

KINDS = (3, 11, 19)
"""A choice of one's own, one of a family, and one of a public body, by their places in the list."""


@pytest.fixture
async def led(mongo_uri: str) -> AsyncGenerator[Chat]:
    """A workspace in which the rehearsal model leads decisions."""
    async with deciding(mongo_uri) as chat:
        chat.claude.script.answer_always(rehearsal(Pace(chunk=500)))
        yield chat


@dataclass
class Seat:
    """A step's thread in Slack, as whoever types there sees it."""

    chat: Chat
    thread: str

    @property
    def asked(self) -> str:
        """The last question of what stands there; buttons follow it."""
        lines = text_of(self.chat.thread(self.thread)[-1]).splitlines()
        return next((each for each in reversed(lines) if each.endswith(("?", "enough."))), "")

    @property
    def is_ready(self) -> bool:
        """Whether a card waits for approval."""
        return is_shown(self.chat, self.thread)


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("place", KINDS, ids=[MATTERS[each].situation for each in KINDS])
async def test_each_of_three_decisions_is_typed_in_slack_to_nine_approved_cards(led: Chat, place: int) -> None:
    player = Player(MATTERS[place], place, SystemClock().now().date())
    hub = await decides(led, player.matter.question)
    playbook = load_proact()
    for component in playbook.components:
        seat = Seat(led, await thread_of(led, component.title))
        lines = player.lines(component.key, seat)
        for _ in range(MOST):
            if seat.is_ready:
                break
            await tells(led, seat.thread, next(lines, "done"))
        assert seat.is_ready, f"{component.title}: no end after {MOST} messages"
        await ends(led, seat.thread, is_last=component is playbook.components[-1])
        player.results = dict(await results(led, hub))
    assert {each.status for each in (await decision(led, hub)).steps} == {ComponentStatus.COMPLETE}
    held = str(player.results)
    for words in (*player.matter.options, *player.matter.wants, player.matter.today):
        assert words.rstrip(".") in held, f"{words!r} was lost"
