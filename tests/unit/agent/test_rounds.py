"""A turn in which the model uses tools: round after round, until it has said its last word or asks a person."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.agent.claude.prices import compute_cost
from app.agent.endings import CUT_CALL, CUT_EARLY
from app.agent.prompt import TurnPrompt
from app.agent.tools.conversation.question_tools import ASKED
from app.agent.tools.conversation.thread_toolset import AFTER_QUESTION, UNKNOWN, ThreadToolset
from app.agent.turn import TurnTask
from app.core.conversation.call import AskPerson
from app.core.conversation.conversation import ROUNDS, Message, MessageStatus
from app.core.conversation.usage import Usage
from app.core.errors import FailureKind, ModelFailed, OutOfBudget
from app.core.state.goal import PlanProposed
from app.core.state.question import QuestionKind
from app.core.text.sanitize import MAX_BYTES
from app.core.turns.unfinished import INTERRUPTED
from app.logs import ALLOWED
from app.ports import Counted, ToolUse
from tests.fakes import threads_asked_for, virtual
from tests.unit.agent.outside_turns import ASK, PLAN, RUNNING, SETTINGS
from tests.unit.agent.scripted import COST, PaperDraft, Part, ScriptedModel, answers, cut_off, deltas
from tests.unit.core.threads import reply, said

ROWS = (said(1, "Hi"), reply(2, "", MessageStatus.STREAMING))


class Taken:
    """A turn with a scripted model, one script for each request, shown on paper."""

    def __init__(self, *scripts: list[Part]) -> None:
        self.model, self.draft = ScriptedModel(*scripts), PaperDraft()
        self.tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
        self.turn = TurnTask(self.model, SETTINGS, TurnPrompt(RUNNING, ROWS, self.tools), self.draft)

    async def closed(self) -> Message:
        return await self.turn.reply()

    def asked(self, place: int) -> list[dict[str, Any]]:
        """What a request added to what the one before it had sent."""
        before = len(self.model.asked[place - 1].messages) if place else 0
        return list(self.model.asked[place].messages[before:])


def results(message: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(block["tool_use_id"], block["content"], block.get("is_error", False)) for block in message["content"]]


def kept(row: Message) -> list[dict[str, Any]]:
    return json.loads(row.content)


@pytest.mark.req("S3-027")
async def test_what_came_of_the_tools_is_sent_back_and_the_model_goes_on() -> None:
    taken = Taken(answers(PLAN, text="My plan:"), answers(text="That is all."))
    closed = await taken.closed()
    said_, results_ = taken.asked(1)
    assert said_["role"] == "assistant"
    assert [block["type"] for block in said_["content"]] == ["thinking", "text", "tool_use"]
    assert results_["role"] == "user"
    assert [id_ for id_, _, _ in results(results_)] == ["t2"]
    assert (closed.status, closed.text) == (MessageStatus.COMPLETE, "My plan:\n\nThat is all.")
    assert [message["role"] for message in kept(closed)] == ["assistant", "user", "assistant"]
    assert kept(closed)[:2] == [said_, results_]


@pytest.mark.req("S3-027")
async def test_words_before_and_after_a_tool_are_shown_as_paragraphs_of_one_answer() -> None:
    taken = Taken(answers(PLAN, text="My plan:"), [*deltas("That ", "is all."), *answers()])
    assert (await taken.closed()).text == "My plan:\n\nThat is all."
    assert taken.draft.shown == ["My plan:", "My plan:\n\nThat ", "My plan:\n\nThat is all."]


@pytest.mark.req("SE-11")
@pytest.mark.parametrize(("words", "threads"), [("My plan:", 1), ("[" * 5_000, 4)], ids=["short", "long"])
@virtual
async def test_words_before_a_tool_keep_nobody_else_waiting_if_they_are_long(words: str, threads: int) -> None:
    await Taken(answers(PLAN, text=words), answers(text="That is all.")).closed()
    assert threads_asked_for() == threads


async def test_an_answer_that_begins_with_a_tool_begins_without_a_gap() -> None:
    taken = Taken(answers(PLAN), answers(text="My plan."))
    closed = await taken.closed()
    assert (closed.text, closed.acted) == ("My plan.", True)


async def test_all_results_of_a_round_go_back_in_one_message_in_the_order_of_the_calls() -> None:
    second = ToolUse(id="t3", name="record_information", input={"name": "x", "value": "y"})
    unknown = ToolUse(id="t4", name="open_door", input={})
    taken = Taken(answers(PLAN, second, unknown), answers(text="Well."))
    await taken.closed()
    found = results(taken.asked(1)[1])
    assert [(id_, failed) for id_, _, failed in found] == [("t2", False), ("t3", True), ("t4", True)]
    assert found[2][1] == UNKNOWN


async def test_a_question_ends_the_turn_and_its_result_waits_for_the_next_one() -> None:
    taken = Taken(answers(ASK, text="One thing."))
    closed = await taken.closed()
    assert (closed.status, closed.text, len(taken.model.asked)) == (MessageStatus.COMPLETE, "One thing.", 1)
    assert closed.calls == (AskPerson(type=QuestionKind.INPUT, prompt="What?"),)
    assert [message["role"] for message in kept(closed)] == ["assistant", "user"]
    assert results(kept(closed)[1]) == [("t1", ASKED, False)]


async def test_what_is_called_after_a_question_is_not_done_and_told_so() -> None:
    taken = Taken(answers(ASK, PLAN))
    closed = await taken.closed()
    assert results(kept(closed)[1])[1] == ("t2", AFTER_QUESTION, True)
    assert [type(call) for call in closed.calls] == [AskPerson]


@pytest.mark.req("AG-01")
async def test_after_25_rounds_the_model_is_stopped_and_can_be_asked_to_go_on() -> None:
    taken = Taken(*(answers(replace(PLAN, id=f"t{place}")) for place in range(ROUNDS + 1)))
    closed = await taken.closed()
    assert (len(taken.model.asked), closed.status) == (25, MessageStatus.LIMITED)
    assert kept(closed)[-1]["role"] == "user"
    assert len(closed.calls) == 25


@pytest.mark.req("SE-07", "AG-01")
async def test_an_answer_that_meets_the_budget_keeps_its_words_and_what_its_tools_gave_and_says_when_it_goes_on() -> (
    None
):
    taken = Taken(answers(PLAN, text="My plan:"), [OutOfBudget(3_600)])
    closed = await taken.closed()
    assert (closed.status, closed.failure, closed.wait) == (MessageStatus.LIMITED, FailureKind.SPENT_TODAY, 3_600)
    assert (closed.text, [message["role"] for message in kept(closed)]) == ("My plan:", ["assistant", "user"])
    assert len(closed.calls) == 1


async def test_what_each_round_cost_is_added_up() -> None:
    taken = Taken([Counted(usage=COST, model=SETTINGS.model), *answers(PLAN)], answers(text="Well."))
    closed = await taken.closed()
    both = Usage(input_tokens=20, output_tokens=4)
    assert (closed.usage, closed.cost) == (both, compute_cost(SETTINGS.model, both))


@pytest.mark.req("AG-05")
async def test_an_answer_whose_own_results_fill_the_window_can_be_continued_without_them() -> None:
    too_long: list[Part] = [ModelFailed(FailureKind.TOO_LONG)]
    closed = await Taken(answers(PLAN, text="My plan:"), too_long).closed()
    assert (closed.status, closed.text) == (MessageStatus.LIMITED, "My plan:")
    assert closed.failure == FailureKind.TOO_LONG.value, "the reason that people read"
    assert [block["type"] for block in kept(closed)[-1]["content"]] == ["tool_result"]
    half = await Taken(answers(PLAN), [*deltas("Half of"), *too_long]).closed()
    assert (half.status, half.failure) == (MessageStatus.FAILED, FailureKind.TOO_LONG.value)
    first = await Taken(too_long).closed()
    assert (first.status, first.failure) == (MessageStatus.FAILED, FailureKind.TOO_LONG.value)


@pytest.mark.req("AG-02")
async def test_a_later_round_that_fails_leaves_the_words_and_costs_of_all_and_the_calls_of_finished_rounds() -> None:
    counted = Counted(usage=Usage(input_tokens=5), model=SETTINGS.model)
    taken = Taken(answers(PLAN, text="My plan:"), [counted, *deltas("Th"), ModelFailed(FailureKind.CUT)])
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.unfinished) == (MessageStatus.FAILED, "My plan:\n\nTh", True)
    assert closed.usage == Usage(input_tokens=15, output_tokens=2)
    assert closed.calls == taken.tools.calls != ()
    first, second, rest = kept(closed)
    assert [first, second] == list(taken.model.asked[1].messages[1:])
    assert rest == {"role": "assistant", "content": [{"type": "text", "text": f"Th\n\n{INTERRUPTED}"}]}


@pytest.mark.req("AG-02")
async def test_a_turn_cut_in_a_later_round_keeps_the_words_of_all_and_what_was_finished() -> None:
    taken = Taken(answers(PLAN, text="My plan:"), [*deltas("Th"), asyncio.Event()])
    while taken.draft.shown[-1:] != ["My plan:\n\nTh"]:
        taken.draft.seen.clear()
        await taken.draft.seen.wait()
    taken.turn.cut()
    closed = await taken.closed()
    assert (closed.status, closed.text, closed.unfinished) == (MessageStatus.CANCELLED, "My plan:\n\nTh", True)
    assert closed.calls == taken.tools.calls != ()
    assert kept(closed)[:2] == list(taken.model.asked[1].messages[1:])
    assert kept(closed)[2]["content"][0]["text"] == f"Th\n\n{INTERRUPTED}"


@pytest.mark.parametrize("status", [MessageStatus.TRUNCATED, MessageStatus.REFUSED, MessageStatus.COMPLETE])
async def test_a_call_that_was_not_meant_is_neither_carried_out_nor_sent_again(status: MessageStatus) -> None:
    taken = Taken(cut_off(ASK, text="One thing", status=status))
    closed = await taken.closed()
    assert (closed.status, closed.calls, closed.acted, len(taken.model.asked)) == (status, (), False, 1)
    lost = ["text"] if status is MessageStatus.TRUNCATED else []
    assert [block["type"] for block in kept(closed)[0]["content"]] == ["thinking", "text", *lost]


@pytest.mark.parametrize("status", [MessageStatus.REFUSED, MessageStatus.COMPLETE])
async def test_an_answer_of_which_nothing_may_be_sent_again_keeps_nothing_to_be_sent(status: MessageStatus) -> None:
    assert (await Taken(cut_off(ASK, status=status)).closed()).content == ""
    after = await Taken(answers(PLAN), cut_off(ASK, status=status)).closed()
    assert [message["role"] for message in kept(after)] == ["assistant", "user"]


@pytest.mark.parametrize(
    ("cut", "lost", "has_acted"),
    [
        (cut_off(ASK), CUT_CALL, True),
        (cut_off(), CUT_EARLY, True),
        (cut_off(ASK, text="One thing"), CUT_CALL, False),
        (cut_off(text="One thing"), "", False),
    ],
    ids=["a call", "before a word", "a call behind words", "words"],
)
async def test_the_model_is_told_what_is_lost_of_an_answer_that_was_cut_at_its_longest(
    cut: list[Part], lost: str, *, has_acted: bool
) -> None:
    closed = await Taken(cut).closed()
    blocks = [block["text"] for message in kept(closed) for block in message["content"] if block["type"] == "text"]
    assert blocks == [*filter(None, (closed.text, lost))]
    assert closed.acted is has_acted, "what has neither words nor acts would not be sent"
    after = await Taken(answers(PLAN), cut).closed()
    assert [message["role"] for message in kept(after)] == ["assistant", "user", "assistant"]


@pytest.mark.req("S3-027")
async def test_an_answer_that_has_said_everything_before_its_last_tool_ends_without_a_message() -> None:
    closed = await Taken(answers(PLAN, text="My plan."), answers()).closed()
    assert (closed.text, closed.status) == ("My plan.", MessageStatus.COMPLETE)
    assert [message["role"] for message in kept(closed)] == ["assistant", "user"]


async def test_text_without_a_character_is_not_sent_again() -> None:
    taken = Taken(answers(PLAN, text="\n\n"), answers(text="Well."))
    await taken.closed()
    assert [block["type"] for block in taken.asked(1)[0]["content"]] == ["thinking", "tool_use"]


@pytest.mark.req("S0-010")
@pytest.mark.parametrize(
    "use",
    [
        replace(ASK, input={"type": "input", "prompt": "What[/INST]?"}),
        replace(ASK, name="open_door", input={"x": ["\u0007"]}),
        replace(ASK, input={"type": "input", "prompt\u0007": "What?"}),
        replace(ASK, input={"type": "input", "prompt": "x" * (MAX_BYTES + 1)}),
    ],
    ids=["a marker", "of a tool that is not there", "in a name", "too long"],
)
async def test_where_an_input_had_to_be_cleaned_nothing_is_kept_as_the_model_wrote_it(use: ToolUse) -> None:
    taken = Taken(answers(use, text="Hm."), answers(text="Well."))
    closed = await taken.closed()
    assert (closed.content, closed.acted) == ("", True)
    assert closed.text.startswith("Hm.")


async def test_what_is_called_for_after_a_question_is_cleaned_too() -> None:
    closed = await Taken(answers(ASK, replace(PLAN, input={"x": "\u0007"}))).closed()
    assert (closed.content, [type(call) for call in closed.calls]) == ("", [AskPerson])


async def test_the_calls_that_counted_are_kept_with_the_reply() -> None:
    wrong = replace(PLAN, id="t9", name="start_work")
    closed = await Taken(answers(PLAN, wrong), answers(text="Well.")).closed()
    assert closed.calls == (PlanProposed(),)


@pytest.mark.req("S3-069", "S3-084")
async def test_the_log_tells_each_round_by_roles_and_tools_and_holds_nothing_that_was_said() -> None:
    unheard = ToolUse(id="t5", name="open_the_attic_door", input={"key": "below the mat"})
    with capture_logs() as lines:
        await Taken(answers(ASK, text="One thing.")).closed()
        await Taken(answers(PLAN, unheard, text="My plan:"), answers(text="That is all.")).closed()
    told = [{name: line[name] for name in ("event", "roles", "tools", "status") if name in line} for line in lines]
    began, asked, ended = {"event": "turn_began", "status": "streaming"}, "model_asked", {"event": "turn_ended"}
    assert told == [
        began,
        {"event": asked, "roles": "u"},
        {"event": "model_answered", "tools": "ask_user"},
        {**ended, "status": "complete"},
        began,
        {"event": asked, "roles": "u"},
        {"event": "model_answered", "tools": "propose_plan,other"},
        {"event": asked, "roles": "uau"},
        {"event": "model_answered", "tools": ""},
        {**ended, "status": "complete"},
    ]
    assert {name for line in lines for name in line} - {"log_level"} <= ALLOWED
    heard = str(lines)
    assert [said_ for said_ in ("Hi", "plan:", "What?", "That is", "attic", "mat") if said_ in heard] == []


# How long it may take in all


def after(seconds: float) -> list[Part]:
    """A request that is answered so late."""
    event = asyncio.Event()
    return [lambda: asyncio.get_running_loop().call_later(seconds, event.set) and None, event]


@pytest.mark.req("AG-01")
@virtual
async def test_a_turn_of_many_slow_rounds_has_no_limit_of_its_own() -> None:
    rounds = [[*after(599), *answers(replace(PLAN, id=f"t{number}"), text=f"{number}.")] for number in range(24)]
    taken = Taken(*rounds, [*after(599), *answers(text="Done.")])
    closed = await taken.closed()
    assert (closed.status, closed.rounds) == (MessageStatus.COMPLETE, 25)
    assert closed.text.endswith("Done.")
    assert asyncio.get_running_loop().time() == 25 * 599
