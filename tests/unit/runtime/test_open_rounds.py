"""A turn that goes on after a finished round: what it was begun with stays, whatever would begin an epoch otherwise."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.state.status import TurnState
from app.core.text.marks import FORM
from tests.unit.agent.scripted import Part, answers
from tests.unit.voiced import TURN, Voiced

KEY = "issue_raising"
THOUGHT = {"type": "thinking", "thinking": "", "signature": "s1"}
CALL: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "ready_to_summarize", "input": {}}
CAME = {"type": "tool_result", "tool_use_id": "t1", "content": "noted"}
ROUND: list[dict[str, Any]] = [
    {"role": "assistant", "content": [THOUGHT, CALL]},
    {"role": "user", "content": [CAME]},
]


def written(seq: int, text: str) -> Message:
    return Message(seq=seq, role=Role.PERSON, text=text, author="U0MAYA001", ts=f"9.{seq}")


def replied(seq: int, *said: dict[str, Any], **values: Any) -> Message:
    content = json.dumps(said) if said else ""
    return Message(seq=seq, role=Role.ASSISTANT, text=values.pop("text", ""), content=content, acted=True, **values)


class Going:
    """A step whose turn has made this many requests, the reply before it after another prelude than now."""

    def __init__(self, rounds: int, *, long: bool = False) -> None:
        scripts: list[list[Part]] = [answers(text="So.")] * 2
        self.voiced, self.rounds, self.long = Voiced(*scripts), rounds, long

    async def begins(self, **values: Any) -> Conversation:
        former = {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "Which ones?"}]}
        words = "x" * 4 * TURN.context_tokens if self.long else "Vans, I think."
        reply = replied(4, *(ROUND if self.rounds else ()), status=MessageStatus.STREAMING, rounds=self.rounds)
        rows = (written(1, words), replied(2, former, text="Which ones?", prelude="former"), written(3, "Two"), reply)
        now = await self.voiced.step(KEY, rows=rows)
        turn = Turn(id="4.1", reply=4, cause="r1", since="1770000100.000000", rounds=self.rounds)
        self.voiced.holds(replace(now, run=TurnState.STREAMING, turn=turn, form=FORM, **values))
        await self.voiced.answering.begin()
        await self.voiced.answering.end()
        return self.voiced.hold.conversation

    def thoughts(self) -> int:
        """How many thoughts the last request sends back."""
        return json.dumps([*self.voiced.model.asked[-1].messages]).count('"type": "thinking"')


@pytest.mark.req("AG-19")
@pytest.mark.parametrize(("rounds", "plain", "thoughts"), [(0, 3, 0), (1, 0, 2)])
async def test_another_prelude_begins_an_epoch_with_the_turn_and_never_while_its_round_is_open(
    rounds: int, plain: int, thoughts: int
) -> None:
    going = Going(rounds)
    assert (await going.begins()).plain == plain
    assert going.thoughts() == thoughts


@pytest.mark.req("AG-19")
@pytest.mark.parametrize(("rounds", "since"), [(0, 1), (1, 0)])
async def test_a_history_that_is_too_long_is_cut_when_a_turn_begins_and_never_while_its_round_is_open(
    rounds: int, since: int
) -> None:
    assert (await Going(rounds, long=True).begins()).since == since


@pytest.mark.req("AG-19", "AG-05")
@pytest.mark.parametrize(("rounds", "asked"), [(0, 2), (1, 1)])
async def test_a_summary_that_is_due_is_written_when_a_turn_begins_and_never_while_its_round_is_open(
    rounds: int, asked: int
) -> None:
    going = Going(rounds)
    now = await going.begins(since=1, summary="1 earlier messages discussed: Vans", summary_due=1)
    assert len(going.voiced.model.asked) == asked
    assert (now.summary_due == 0) is (rounds == 0)
