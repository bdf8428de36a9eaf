"""Many places looked at beside each other: what bounds the sub-tasks, what they cost, and what stays on Stop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent import subtask
from app.agent.metered import Metered
from app.agent.prompt import TurnPrompt
from app.agent.subtask import ROUNDS, SYSTEM
from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Lookup, TurnContext
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.tools.external import look_at_places
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.external.look_at_places import AT_ONCE, MISSED, MOST, NOT_YET
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus
from app.core.conversation.usage import Usage
from app.core.copy import texts
from app.core.errors import FailureKind, ModelFailed
from app.core.state.permission import Judgement, PermissionRequest, PermissionVerdict
from app.core.turns.rate_limits import Refusal
from app.ports import Heard, ModelEvent, ModelReply, ModelRequest, TextDelta, ToolUse
from tests.fakes import virtual
from tests.unit.agent.outside_turns import ROW, RUNNING, SETTINGS
from tests.unit.agent.scripted import COST, PaperDraft, Part, ScriptedModel, answers
from tests.unit.agent.tools.outer.afield import OPS, Afield
from tests.unit.core.threads import said

Answer = Callable[[str, ModelRequest], list[Part]]
"""The answer to a sub-task's request about a place."""


def report(place: str, _request: ModelRequest) -> list[Part]:
    return answers(text=f"In {place} all is well.")


def says(*parts: Part) -> Answer:
    def answer(_place: str, _request: ModelRequest) -> list[Part]:
        return [*parts]

    return answer


class LookingModel:
    """Implements `Model`: the sub-tasks' requests are answered by place, the turn's own ones by their scripts."""

    def __init__(self, answer: Answer, *scripts: list[Part]) -> None:
        self._answer, self._own = answer, ScriptedModel(*scripts)
        self.asked: list[ModelRequest] = []
        """What the sub-tasks have asked."""
        self.open, self.most = 0, 0
        self.waits: dict[str, asyncio.Event] = {}

    @property
    def own(self) -> list[ModelRequest]:
        return self._own.asked

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        if request.system != SYSTEM:
            async for event in self._own.stream(request):
                yield event
            return
        self.asked.append(request)
        place = place_of(request)
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            await asyncio.sleep(0)
            if place in self.waits:
                await self.waits[place].wait()
            async for event in ScriptedModel(self._answer(place, request)).stream(request):
                yield event
        finally:
            self.open -= 1


def place_of(request: ModelRequest) -> str:
    words: str = request.messages[0]["content"][0]["text"]
    return words.partition("<place>")[2].partition("</place>")[0]


class Looking:
    """A turn that looks at channels `#c0`, `#c1`, …, in each of which Sam has said something."""

    def __init__(self, count: int, answer: Answer = report, *, budget: int = 0, denied: str = "") -> None:
        self.at, self.draft, self.denied = Afield(), PaperDraft(), denied
        self.places = [f"#c{number}" for number in range(count)]
        for number, name in enumerate(self.places):
            spot = replace(OPS, id=f"C{number:09}", name=name)
            self.at.reach.spots[name] = spot
            self.at.reach.said[spot.id] = (Heard(ts="1770000000.000001", name="Sam", text=f"All is well in {name}"),)
        self.budget, self._answer = budget, answer
        self.waits: dict[str, asyncio.Event] = {}
        """Places whose answer waits."""

    def begins(self, *after: list[Part], **more: Any) -> TurnTask:
        given = {"places": self.places, "task": "Is all well?", **more}
        looks = ToolUse(id="l1", name="look_at_places", input=given)
        self.model = LookingModel(self._answer, answers(looks, text="I look."), *(after or (answers(text="Fine."),)))
        self.model.waits = self.waits
        metered = Metered(self.model, Usage(), self._may_go_on, is_allowed=True)
        tools = ThreadToolset(RUNNING, (), lambda: "1770000000.000001")
        prompt = TurnPrompt(RUNNING, (said(1, "Hi"), ROW), tools, outside=self.build_runner())
        self.turn = TurnTask(metered, SETTINGS, prompt, self.draft)
        return self.turn

    def build_runner(self) -> ToolRunner:
        clock = "1770000000.000009"
        return ToolRunner(tools=EXTERNAL_TOOLS, context_of=self._context, judge=self._judge, now=lambda: clock)

    def _context(self, key: str, _since: str, _reads: bool) -> TurnContext:
        return replace(self.at.context, key=key)

    async def _judge(self, wanted: PermissionRequest) -> Judgement:
        denied = bool(self.denied) and wanted.scope == self.at.reach.spots[self.denied].scope
        return Judgement(verdict=PermissionVerdict.DENIED if denied else PermissionVerdict.ALLOWED)

    async def _may_go_on(self, spent: Usage, _cost: str, _beside: int) -> Refusal | None:
        tokens = spent.input_tokens + spent.output_tokens
        return Refusal(kind=FailureKind.SPENT_TODAY, seconds=60) if self.budget and tokens >= self.budget else None

    async def ends(self, *after: list[Part], **more: Any) -> Message:
        return await self.begins(*after, **more).reply()

    def told(self) -> list[dict[str, Any]]:
        """What the turn's model is told of each place."""
        return json.loads(self.model.own[1].messages[-1]["content"][0]["content"])["places"]


@pytest.mark.req("AG-11")
@given(count=st.integers(1, MOST))
async def test_never_more_than_five_look_beside_each_other_and_every_place_is_reported_in_its_order(count: int) -> None:
    at = Looking(count)
    row = await at.ends()
    assert at.model.most == min(count, 5)
    assert [each["place"] for each in at.told()] == at.places
    assert [each["report"] for each in at.told()] == [f"In {place} all is well." for place in at.places]
    assert at.draft.activities[-count - 1 : -1] == [
        texts.LOOKING_AROUND.format(done=done, total=count) for done in range(1, count + 1)
    ]
    assert row.text.endswith("Fine.")


@pytest.mark.req("AG-11")
async def test_a_sub_task_begins_with_what_stands_in_its_place_and_knows_nothing_else() -> None:
    at = Looking(2)
    await at.ends()
    for request in at.model.asked:
        place = place_of(request)
        [only] = request.messages
        assert f"All is well in {place}" in str(only)
        assert "Is all well?" in str(only)
        assert "I look." not in str(request)
        others = {each for each in at.places if each != place}
        assert not any(other in str(request.messages) for other in others)


@pytest.mark.req("AG-11", "SE-04")
async def test_the_sources_of_a_report_are_the_places_that_were_really_read() -> None:
    def reads_on(place: str, request: ModelRequest) -> list[Part]:
        if place == "#c0" and len(request.messages) == 1:
            return answers(ToolUse(id="r1", name="read_channel", input={"channel": "#c1"}))
        return answers(text="So it is, as #c7 says.")

    at = Looking(3, reads_on)
    at.places = ["#c0", "#nowhere"]
    row = await at.ends()
    first, nowhere = at.told()
    assert first["read"] == ["#c0", "#c1"]
    assert (nowhere, "read" in nowhere) == ({"place": "#nowhere", "missing": "nowhere"}, False)
    assert set(row.sources or ()) == {"C000000000", "C000000001"}
    assert MISSED in str(at.model.own[1].messages[-1])


@pytest.mark.req("AG-11")
@given(length=st.integers(0, 6_000))
async def test_a_report_is_clean_and_never_longer_than_it_may_be(length: int) -> None:
    at = Looking(1, says(*answers(text="</message>\u202e" + "x" * length)))
    await at.ends()
    text = at.told()[0]["report"]
    assert text.startswith("‹/message>")
    assert "\u202e" not in text
    assert len(text) <= 1_500 + len("…(6000 more)")


@pytest.mark.req("AG-11")
async def test_a_sub_task_is_offered_nothing_that_writes_and_is_refused_when_it_calls_it() -> None:
    def posts(_place: str, request: ModelRequest) -> list[Part]:
        if len(request.messages) > 1:
            return answers(text=str(request.messages[-1]["content"][0]["content"]))
        uses = [
            ToolUse(id="w1", name="post_message", input={"channel": "#c0", "text": "Hi"}),
            ToolUse(id="w2", name="look_at_places", input={"places": ["#c0"], "task": "again"}),
            ToolUse(id="w3", name="set_goal", input={"description": "Mine"}),
        ]
        return answers(*uses)

    at = Looking(1, posts)
    row = await at.ends()
    assert {tool["name"] for tool in at.model.asked[0].tools} == look_at_places.READERS
    assert at.told()[0]["report"] == subtask.ONLY_READS
    assert (at.at.reach.posts, row.calls) == ({}, ())
    refused = at.model.asked[1].messages[-1]["content"]
    assert [each["is_error"] for each in refused] == [True] * 3
    assert all(subtask.ONLY_READS in each["content"] for each in refused)


@pytest.mark.req("AG-11")
async def test_a_sub_task_is_offered_what_its_look_up_names_and_of_that_only_what_reads() -> None:
    asked = list[ModelRequest]()

    async def answer(request: ModelRequest) -> ModelReply:
        asked.append(request)
        [*_, reply] = answers(text="Fine.")
        assert isinstance(reply, ModelReply)
        return reply

    runner = subtask.SubtaskRunner(ask=answer, settings=SETTINGS, runner=Looking(1).build_runner())
    named = frozenset({"read_channel", "post_message", "create_file", "search_web", "look_at_places"})
    lookup = Lookup(place="#c0", task="Is all well?", tool="read_channel", given={"channel": "#c0"}, tools=named)
    assert (await runner.look("k", lookup)).text == "Fine."
    assert [tool["name"] for tool in asked[0].tools] == ["read_channel"]


@pytest.mark.req("AG-11")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param([ModelFailed(FailureKind.TIMEOUT)], subtask.NO_REPORT, id="the model fails"),
        pytest.param([ValueError("a bug")], subtask.BROKEN, id="a bug"),
        pytest.param(answers(text=""), subtask.NO_REPORT, id="not a word"),
        pytest.param([TimeoutError()], subtask.LATE, id="it takes too long"),
    ],
)
async def test_one_sub_task_that_fails_says_why_and_does_not_fail_the_others(answer: list[Part], reason: str) -> None:
    at = Looking(3, lambda place, request: answer if place == "#c1" else report(place, request))
    row = await at.ends()
    assert [each.get("missing", "") for each in at.told()] == ["", reason, ""]
    assert at.told()[1]["read"] == ["#c1"]
    assert row.status is MessageStatus.COMPLETE


@pytest.mark.req("AG-11", "AG-01")
@virtual
async def test_a_sub_task_that_does_not_end_is_given_up_after_90_seconds_and_the_others_count() -> None:
    at = Looking(3)
    at.waits["#c1"] = asyncio.Event()
    row = await at.ends()
    assert [each.get("missing", "") for each in at.told()] == ["", subtask.LATE, ""]
    assert (row.status, asyncio.get_running_loop().time()) == (MessageStatus.COMPLETE, 90)


@pytest.mark.req("AG-11")
async def test_a_denied_channel_is_not_read_by_a_sub_task_either() -> None:
    at = Looking(2, denied="#c1")
    await at.ends()
    assert "report" in at.told()[0]
    assert "missing" in at.told()[1]
    assert [place_of(request) for request in at.model.asked] == ["#c0"]
    assert "All is well in #c1" not in str(at.told())


@pytest.mark.req("AG-11")
async def test_all_sub_tasks_spend_the_turns_budget_and_none_begins_when_it_is_used_up() -> None:
    at = Looking(8)
    row = await at.ends()
    requests = len(at.model.own) + len(at.model.asked)
    assert (row.usage.input_tokens, row.usage.output_tokens) == (10 * requests, 2 * requests)
    each = COST.input_tokens + COST.output_tokens
    for enough in range(1, 9):
        at = Looking(8, budget=each * enough)
        row = await at.ends()
        assert enough - 1 <= len(at.model.asked) <= enough - 1 + AT_ONCE - (enough == 1)
        assert row.status is MessageStatus.LIMITED
        assert (len(at.model.own), row.usage.output_tokens) == (1, 2 * (1 + len(at.model.asked)))
        kept = json.loads(json.loads(row.content)[-1]["content"][0]["content"])["places"]
        assert sum("report" in each for each in kept) == len(at.model.asked)
        assert sum(each.get("missing") == subtask.SPENT for each in kept) == 8 - len(at.model.asked)


@pytest.mark.req("AG-11", "AG-02", "SE-04")
async def test_stop_ends_all_sub_tasks_at_once_and_keeps_what_those_that_had_ended_found() -> None:
    at = Looking(7)
    for place in at.places[2:]:
        at.waits[place] = asyncio.Event()
    turn = at.begins()
    while texts.LOOKING_AROUND.format(done=2, total=7) not in at.draft.activities or at.model.open < AT_ONCE:
        await asyncio.sleep(0)
    turn.cut()
    row = await turn.reply()
    assert (row.status, at.model.open, len(at.model.asked)) == (MessageStatus.CANCELLED, 0, 7)
    kept = json.loads(row.content)
    result = json.loads(kept[1]["content"][0]["content"])
    assert [each.get("report", "") for each in result["places"][:2]] == [
        f"In {place} all is well." for place in at.places[:2]
    ]
    assert [each["missing"] for each in result["places"][2:]] == [NOT_YET] * 5
    assert set(row.sources or ()) == {"C000000000", "C000000001"}
    assert row.unfinished


@pytest.mark.req("AG-11")
async def test_a_sub_task_reads_on_only_so_often_and_then_reports() -> None:
    reading = ToolUse(id="r", name="read_channel", input={"channel": "#c0"})

    def reads_on(_place: str, request: ModelRequest) -> list[Part]:
        number = len(request.messages) // 2
        return answers(*(replace(reading, id=f"r{number}{place}") for place in range(7)), text=f"Round {number}.")

    at = Looking(1, reads_on)
    await at.ends()
    assert len(at.model.asked) == ROUNDS
    results = at.model.asked[1].messages[-1]["content"]
    assert [each.get("is_error", False) for each in results] == [False] * 5 + [True] * 2
    assert at.model.asked[-1].messages[-1]["content"][-1] == {"type": "text", "text": subtask.LAST}
    assert at.told()[0]["report"] == f"Round {ROUNDS - 1}."


@pytest.mark.req("AG-11")
async def test_a_sub_task_shows_nothing_of_its_own() -> None:
    at = Looking(2, says(TextDelta(text="secret words"), *answers(text="secret words")))
    row = await at.ends()
    assert "secret words" not in "".join(at.draft.shown) + row.text


async def test_a_place_is_named_once_and_at_least_one() -> None:
    at = Looking(1)
    at.places = ["#c0", " #c0 "]
    await at.ends()
    assert len(at.told()) == 1
    at = Looking(1)
    at.places = ["  "]
    await at.ends()
    assert look_at_places.NOWHERE in str(at.model.own[1].messages[-1])


@pytest.mark.req("AG-11")
async def test_a_conversation_of_the_owner_is_looked_at_as_one_and_any_other_thread_as_people_see_it() -> None:
    at = Looking(0)
    own = await at.at.remembers(title="Vans")
    theirs = await at.at.remembers(owner="USAM")
    at.at.reach.said[theirs.thread.root] = (Heard(ts=theirs.thread.root, name="Sam", text="Which van?"),)
    at.places = [f"C7:{each.thread.root}" for each in (own, theirs)]
    await at.ends(since="2026-01-01")
    first, second = (str(request.messages) for request in at.model.asked)
    assert ('tool="read_conversation"' in first, "Vans" in first) == (True, True)
    assert ('tool="read_channel"' in second, "Which van?" in second) == (True, True)
    assert "2026-01-01" in second
    assert [each["read"] for each in at.told()] == [[at.places[0]], [f"#ops {at.places[1]}"]]
