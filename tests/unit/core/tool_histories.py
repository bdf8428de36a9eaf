"""Arbitrary histories whose turns also use tools outside, wait to be allowed, and are taken over by whoever lives."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from app.core.conversation.call import Call, ResolveQuestion
from app.core.conversation.conversation import MessageStatus
from app.core.errors import IllegalEvent
from app.core.events.heard import Event, MessageDeleted
from app.core.machine import apply
from app.core.state.status import Kind, TurnState
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use, UseState
from tests.unit.core.histories import History
from tests.unit.core.live import DAILY
from tests.unit.core.lives import use
from tests.unit.core.threads import OWNER

ONE, YES = ResolveQuestion(value="1"), ResolveQuestion(value="yes")
NOTED: tuple[tuple[Call, ...], ...] = ((), (), (), (DAILY,), (ONE,), (YES,))
"""What a turn calls for beside its tools."""


class ToolHistory(History):
    """A thread whose turns do things outside."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: set[str] = set()
        """Tool uses that were carried out, or may have been."""
        self._tears = False

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        """Step an event; if a save is to be torn, once more after its rows alone were written."""
        # Of a turn that runs the end is torn, which is not tried here; and only the rows know what a deletion erases.
        if self._tears and self.now.run is not TurnState.STREAMING and not isinstance(event, MessageDeleted):
            self._tears = False
            with suppress(IllegalEvent):
                rows = apply.apply(self.now, event, cause, self.live.facts(event)).messages
                self.live.rows |= {row.seq: row for row in rows if row.seq <= self.now.head}
                self.live.now = replace(self.now, fence=self.now.fence + 1)
                self._cut_again(event)
        return super().happens(event, cause, **found)

    def _cut_again(self, event: Event) -> None:
        """The rows are looked up anew for the event; a reply that it ends is closed as it is now."""
        found = self.live.found.get(getattr(event, "receipt", ""), {})
        if "closed_reply" in found:
            found["closed_reply"] = replace(self.live.reply, status=MessageStatus.CANCELLED)

    @precondition(lambda self: not self._tears)
    @rule()
    def tear_the_next_save(self) -> None:
        """Whoever saves next dies after the rows and before the state; the event is still in the inbox."""
        self._tears = True

    @precondition(lambda self: self.now.run is TurnState.AWAITING)
    @rule(value=st.sampled_from(["0", "0", "1", "2", "3"]))
    def decide(self, value: str) -> None:
        """The owner answers whether something may be done."""
        self.click(OWNER, value, late=False)

    @precondition(lambda self: self.now.run is TurnState.STREAMING and self.now.kind is Kind.FREE)
    @rule(
        count=st.integers(1, 3),
        asks=st.booleans(),
        ends=st.booleans(),
        knows=st.booleans(),
        noted=st.sampled_from(NOTED),
    )
    def use_tools(self, count: int, asks: bool, ends: bool, knows: bool, noted: tuple[Call, ...]) -> None:
        """The turn goes on with its round, or begins the next one: as far as its first use that is to be asked about.

        Without one it tells that it begins something and, unless the turn `ends` there, that it has come to its end,
        if anybody `knows` that.
        """
        assert self.now.turn
        uses, said, calls = list(self.now.turn.uses), self.said(), self.live.reply.calls
        done = {"since": "1.0"} | ({"result": "ok"} if knows else {"result": UNKNOWN_OUTCOME, "failed": True})
        if any(each.state is UseState.STARTED for each in uses):
            uses = [use(each.id, UseState.DONE, **done) if each.state is UseState.STARTED else each for each in uses]
            self._report(uses, said, calls)
        if all(each.state is UseState.DONE for each in uses):
            (uses, said), calls = self._new_round(count), (*calls, *noted)
        for place, each in enumerate(uses):
            if each.state is UseState.OPEN and asks:
                uses[place] = use(each.id, UseState.ASKED)
                break
            if each.state in (UseState.OPEN, UseState.ALLOWED):
                assert each.id not in self.begun, "nothing is done twice"
                self.begun.add(each.id)
                uses[place] = use(each.id, UseState.STARTED, since="1.0")
                self._report(uses, said, calls)
                if ends:
                    return
                uses[place] = use(each.id, UseState.DONE, **done)
            elif each.state is UseState.DENIED:
                uses[place] = use(each.id, UseState.DONE, result="no", failed=True)
        self._report(uses, said, calls)

    @precondition(lambda self: self.now.run is TurnState.STREAMING and self.now.kind is Kind.FREE)
    @rule(asks=st.booleans(), shows=st.booleans())
    def die_between_row_and_state(self, asks: bool, shows: bool) -> None:
        """The row tells already of the next round, the state does not, and never will."""
        assert self.now.turn
        if any(each.state is not UseState.DONE for each in self.now.turn.uses):
            return
        (first, *others), said = self._new_round(2)
        uses = [use(first.id, UseState.ASKED if asks else UseState.STARTED, since="1.0"), *others]
        text = said[-1]["content"][1]["text"] if shows else ""
        event = self.live.reported(*uses, text=text, content=json.dumps(said))
        self.live.rows[event.reply.seq] = event.reply
        self.die()

    def _new_round(self, count: int) -> tuple[list[Use], list[dict[str, Any]]]:
        signature = self.words()
        uses = [use(f"{signature}{place}") for place in range(count)]
        wishes: list[dict[str, Any]] = [
            {"type": "tool_use", "id": each.id, "name": each.tool, "input": {}} for each in uses
        ]
        thought = {"type": "thinking", "thinking": "", "signature": signature}
        blocks: list[dict[str, Any]] = [thought, {"type": "text", "text": signature}, *wishes]
        return uses, [*self.closed_round(), {"role": "assistant", "content": blocks}]

    def _report(self, uses: list[Use], said: list[dict[str, Any]], calls: tuple[Call, ...]) -> None:
        turn = self.now.turn
        assert turn
        text = next(block["text"] for block in said[-1]["content"] if block["type"] == "text")
        event = self.live.reported(*uses, text=text, content=json.dumps(said), calls=calls)
        assert event.reply.status in (MessageStatus.HELD, MessageStatus.STREAMING)
        assert self.happens(event, turn.id)
