"""Tools of a turn that goes on: after its finished rounds in another process, and after what was written meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.prompt import TurnPrompt
from app.agent.tool_runner import READ_FIRST
from app.agent.tools.conversation.thread_toolset import Toolset
from app.agent.turn import TurnTask
from app.core.conversation.call import DraftNoted, SummaryReady
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Turn
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Given, Workshop
from tests.unit.agent.outside_turns import SETTINGS
from tests.unit.agent.scripted import PaperDraft, ScriptedModel, answers
from tests.unit.agent.tools.sat import QUESTION, ROWS, TWO, Box, interviewed
from tests.unit.core.threads import said


def note(path: str, name: str, **more: Any) -> tuple[str, dict[str, Any]]:
    field = "text" if path == "considerations" else "description"
    return "note_item", {"list": path, "fields": {field: name}, **more}


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    note("potential_decisions", "Hire"),
    note("potential_decisions", "Move", quote="Hire a nurse in spring"),
    note("objectives", "Sleep"),
    note("considerations", "Rain", quote="nobody said this"),
    note("objectives", ""),
    ("change_item", {"item": "D1", "fields": {"description": "Hire two"}}),
    ("move_item", {"item": "D1", "to": "objectives"}),
    ("drop_item", {"item": "D1"}),
    ("drop_item", {"item": "D2"}),
    ("flag_inconsistency", TWO),
    ("settle_inconsistency", {"about": "money"}),
    ("resolve_question", {"value": "A"}),
    ("ready_to_summarize", {}),
)
Round = Sequence[tuple[str, dict[str, Any]]]


def does(tools: Toolset[Any], rounds: Sequence[Round], begun: int = 0) -> list[dict[str, Any]]:
    """Call these round by round; gives the messages of the API for them."""
    messages = list[dict[str, Any]]()
    for number, round_ in enumerate(rounds, begun):
        tools.begin_round("")
        uses = [ToolUse(id=f"t{number}.{at}", name=name, input=given_) for at, (name, given_) in enumerate(round_)]
        wishes = [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.input} for use in uses]
        messages += [
            {"role": "assistant", "content": wishes},
            {"role": "user", "content": [tools.use(use) for use in uses]},
        ]
    return messages


def left(tools: Toolset[Any], messages: Sequence[dict[str, Any]]) -> tuple[Message, ...]:
    """The rows when the rounds so far have been saved."""
    return (*ROWS[:3], replace(ROWS[3], calls=tools.calls, content=json.dumps(messages), rounds=len(messages) // 2))


@pytest.mark.req("AG-02")
@given(
    st.lists(st.lists(st.sampled_from(CALLS), min_size=1, max_size=3), min_size=1, max_size=6),
    st.integers(0, 6),
)
def test_after_any_round_another_process_goes_on_as_the_first_would_have(rounds: list[Round], finished: int) -> None:
    now = replace(interviewed(), question=QUESTION)
    whole = Box(now)
    before = does(whole.tools, rounds[:finished])
    went_on = Box(now, left(whole.tools, before))
    went_on.tools.restore(left(whole.tools, before)[-1])
    assert does(went_on.tools, rounds[finished:], finished) == does(whole.tools, rounds[finished:], finished)
    assert went_on.calls == whole.calls
    assert went_on.tools.trial.failed == whole.tools.trial.failed


def go_on(*rounds: Round) -> Box:
    """Another process goes on after these rounds."""
    first = Box()
    row = left(first.tools, does(first.tools, rounds))[-1]
    later = Box(rows=(*ROWS[:3], row))
    later.tools.restore(row)
    later.tools.begin_round("")
    return later


@pytest.mark.req("AG-02")
def test_what_the_model_was_told_before_the_process_died_it_is_not_told_again() -> None:
    gap = go_on([("ready_to_summarize", {})])
    gap.does("ready_to_summarize")
    noted = go_on([CALLS[0]], [CALLS[2]])
    assert [noted.notes("potential_decisions", description="Move"), noted.notes("objectives", description="Rest")] == [
        "D2",
        "IO2",
    ]


@pytest.mark.req("AG-02")
def test_what_stood_open_before_the_process_died_stands_open_after_it() -> None:
    assert "does not fit together" in go_on([CALLS[0], ("flag_inconsistency", TWO)]).fails("ready_to_summarize")
    go_on([CALLS[0], ("flag_inconsistency", TWO)], [("settle_inconsistency", {"about": "money"})]).does(
        "ready_to_summarize"
    )
    assert "Not in this turn: note_item failed" in go_on([CALLS[0], CALLS[4]]).fails("ready_to_summarize")


@pytest.mark.req("AG-02")
def test_what_failed_before_words_that_the_dead_process_had_read_keeps_nothing_back() -> None:
    first = Box()
    messages = does(first.tools, [[CALLS[0], CALLS[4]]])
    messages[-1]["content"].append({"type": "text", "text": "Maya: that was all"})
    later = Box(rows=left(first.tools, messages))
    later.tools.restore(left(first.tools, messages)[-1])
    later.does("ready_to_summarize")
    assert "Not in this turn" in go_on([CALLS[0]], [CALLS[4]]).fails("ready_to_summarize")


@pytest.mark.req("AG-02")
def test_calls_before_the_process_died_count_to_the_most_of_a_turn() -> None:
    went_on = go_on(*[[CALLS[4]]] * 49)
    assert went_on.notes("objectives", description="Sleep") == "IO1"
    assert "often enough" in went_on.fails("drop_item", item="IO1")


def test_a_draft_that_was_changed_by_hand_meanwhile_is_not_replaced_by_older_notes() -> None:
    first = Box()
    row = left(first.tools, does(first.tools, [[CALLS[0]]]))[-1]
    edited = interviewed(edition=5, draft={"objectives": [{"handle": "IO1", "description": "Sleep"}]})
    later = Box(edited, (*ROWS[:3], row))
    later.tools.restore(row)
    later.notes("objectives", description="Rest")
    (noted,) = later.calls
    assert isinstance(noted, DraftNoted)
    assert noted.edition == 4, "the state refuses it, as it would have without the restart"


# What is read between two rounds


@pytest.mark.req("AG-03")
def test_what_was_written_meanwhile_may_be_quoted_once_it_is_read() -> None:
    box = Box()
    fields = {"text": "At most 20 vans"}
    assert "nobody wrote" in box.fails("note_item", list="considerations", fields=fields, quote="the limit is 20")
    assert "nobody wrote" in box.fails("note_item", list="considerations", fields={"text": 'Maya said "it is just 20"'})
    box.tools.hear((said(5, "wait, the limit is 20, it is just 20"),))
    box.does("note_item", list="considerations", fields=fields, quote="the limit is 20")
    box.does("note_item", list="considerations", fields={"text": 'Maya said "it is just 20"'})


class Taken:
    """A turn in a step with a scripted model, whose owner may have written meanwhile."""

    def __init__(self, *scripts: Any, shop: Workshop, writes: str = "") -> None:
        now: Conversation = replace(interviewed(), turn=Turn(id="4.1", reply=4))
        self.model, self.draft, self.box, self.news = ScriptedModel(*scripts), PaperDraft(), Box(now), writes
        prompt = TurnPrompt(
            now, ROWS, self.box.tools, outside=shop.hands, hear=self._hear, has_news=lambda: bool(self.news)
        )
        self.turn = TurnTask(self.model, SETTINGS, prompt, self.draft)

    async def _hear(self, after: int) -> tuple[Message, ...]:
        words, self.news = self.news, ""
        return (said(5, words),) if words else ()


def wants(*calls: tuple[str, dict[str, Any]]) -> list[ToolUse]:
    return [ToolUse(id=f"{name}{at}", name=name, input=given_) for at, (name, given_) in enumerate(calls)]


@pytest.mark.req("AG-03")
@pytest.mark.parametrize("last", ["ready_to_summarize", "ask_user"])
async def test_what_would_end_the_turn_waits_for_what_was_written_meanwhile_and_notes_do_not(last: str) -> None:
    ending = (last, {} if last == "ready_to_summarize" else {"type": "input", "prompt": "What?"})
    taken = Taken(answers(*wants(CALLS[0], ending)), answers(text="Done."), shop=Workshop(), writes="wait")
    closed = await taken.turn.reply()
    noted, refused = taken.model.asked[1].messages[-1]["content"][:2]
    assert (json.loads(noted["content"])["item"], refused["content"]) == ("D1", READ_FIRST)
    assert [type(call) for call in closed.calls] == [DraftNoted]
    assert closed.status is MessageStatus.COMPLETE


@pytest.mark.req("AG-03")
async def test_words_that_were_written_meanwhile_keep_their_marks_in_the_reply() -> None:
    reply = 'You wrote "just twenty vans now". You wrote "just thirty vans then".'
    taken = Taken(answers(*wants(CALLS[0])), answers(text=reply), shop=Workshop(), writes="just twenty vans now")
    assert (await taken.turn.reply()).text == 'You wrote "just twenty vans now". You wrote just thirty vans then.'


@pytest.mark.req("AG-03")
async def test_a_question_ends_no_turn_that_has_not_answered_what_was_written_meanwhile() -> None:
    scripts = answers(*wants(CALLS[0]), text="Which vans?"), answers(text="The red ones, then.")
    quiet = await Taken(*scripts, shop=Workshop()).turn.reply()
    assert (quiet.text, quiet.heard) == ("Which vans?", ())
    told = await Taken(*scripts, shop=Workshop(), writes="the red ones").turn.reply()
    assert (told.text, told.heard) == ("Which vans?\n\nThe red ones, then.", (5,))


async def test_nothing_waits_where_nobody_has_written() -> None:
    taken = Taken(answers(*wants(*CALLS[:1], ("ready_to_summarize", {}))), shop=Workshop())
    assert SummaryReady() in (await taken.turn.reply()).calls


# What is cut off in the middle of a round


@pytest.mark.req("AG-02")
async def test_notes_of_a_round_that_was_stopped_while_it_read_are_not_kept_and_those_before_it_are() -> None:
    reads, never = asyncio.Event(), asyncio.Event()

    async def look(_given: Given) -> str:
        reads.set()
        await never.wait()
        return ""

    second = (CALLS[2], ("look", {"to": "rota"}), ("flag_inconsistency", TWO))
    taken = Taken(answers(*wants(CALLS[0])), answers(*wants(*second)), shop=Workshop(looks=look))
    await reads.wait()
    taken.turn.cut()
    closed = await taken.turn.reply()
    (noted,) = closed.calls
    assert isinstance(noted, DraftNoted)
    assert [each["description"] for each in noted.draft["potential_decisions"]] == ["Hire"]
    assert noted.draft["objectives"] == []
