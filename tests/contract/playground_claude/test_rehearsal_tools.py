"""The rehearsal model with tools: those that are offered, each as it is really taken, and one question at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.agent.tools.conversation.thread_toolset import SPECS, TOOLS
from app.core.conversation.transition import parse_ts
from app.core.pending.recurrence import normalize_schedule
from app.core.state.schedule import Schedule, ScheduleKind
from app.playground.claude import Pace, Prompt, Text, ToolCall
from app.playground.claude.api.script import Part
from app.playground.claude.demo.model import LABEL, rehearsal
from app.playground.claude.demo.times import order_in
from tests.contract.playground_claude.asking import SONNET, Json

ALL = tuple(TOOLS)
CLOCK = "Time: Sat 21 Nov 2026 12:10 (America/New_York)"
NOON = "1795263000.000000"


@dataclass
class Talk:
    """A conversation with the rehearsal model, in which the test says what came of its calls."""

    tools: tuple[str, ...] = ALL
    messages: list[Json] = field(default_factory=list[Json])
    results: list[Json] = field(default_factory=list[Json])

    def says(self, words: str, *state: str) -> list[Part]:
        """The owner says something, and the app adds how the thread stands."""
        told = "\n".join((CLOCK, *state))
        text = {"type": "text", "text": f"{words}\n\n<state>\n{told}\n</state>"}
        return self._asks([*self.results, text])

    def comes(self, told: str, *, error: bool = False) -> list[Part]:
        """The turn goes on: the app tells what came of the calls."""
        return self._asks([{**result, "content": told, "is_error": error} for result in self.results])

    def _asks(self, content: list[Json]) -> list[Part]:
        self.messages.append({"role": "user", "content": content})
        specs = [spec for spec in SPECS if spec["name"] in self.tools]
        body = {"model": SONNET, "messages": self.messages, "tools": specs}
        parts = list(rehearsal(Pace(chunk=200))(Prompt.read(body)).parts)
        calls = [part for part in parts if isinstance(part, ToolCall)]
        ids = [f"toolu_{len(self.messages)}_{n}" for n, _ in enumerate(calls)]
        used = [
            {"type": "tool_use", "id": id_, "name": call.name, "input": dict(call.input)}
            for id_, call in zip(ids, calls, strict=True)
        ]
        said = [{"type": "text", "text": part.text} for part in parts if isinstance(part, Text)]
        self.messages.append({"role": "assistant", "content": [*said, *used]})
        self.results = [{"type": "tool_result", "tool_use_id": id_, "content": "Shown."} for id_ in ids]
        return parts


def called(parts: list[Part]) -> list[tuple[str, Any]]:
    return [(part.name, dict(part.input)) for part in parts if isinstance(part, ToolCall)]


def names(parts: list[Part]) -> list[str]:
    return [name for name, _ in called(parts)]


def words(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Text))


def everything(tools: tuple[str, ...] = ALL) -> list[list[Part]]:
    """Each kind of turn that it knows."""
    talk = Talk(tools)
    asked = ("Conversation Phase: understanding", "Type: artifact_creation", "Description: A rota")
    turns = [
        talk.says("I want to build a rota"),
        talk.says("A table", *asked, "? component_type: Type", "? requirements: Requirements"),
        talk.says("Names and phones", *asked, "? requirements: Requirements"),
        talk.says("Yes", "Conversation Phase: planning", "Description: A rota"),
        talk.comes("Conversation Phase: reviewing"),
        talk.says("that will do", "Conversation Phase: reviewing"),
        talk.comes("Conversation Phase: completed"),
    ]
    choice = Talk(tools)
    open_ = ('Your question is still open: "Which way do you lean today?"', "Its answers: Hire a nurse; Rent one")
    turns += [
        choice.says("help me choose"),
        choice.says("hire a nurse, rent one"),
        choice.says("what does a nurse cost?", *open_),
        choice.says("the nurse", *open_),
        choice.comes("I take that as *Hire a nurse*."),
    ]
    begins = Talk(tools)
    turns += [begins.says("we have to decide where to meet"), begins.comes("A button for it stands below your reply.")]
    plans = Talk(tools)
    turns += [
        plans.says("every Monday at 9 ask me for the numbers"),
        plans.comes("every Monday at 09:00"),
        plans.says("stop that please", "Scheduled: every Monday at 09:00 (New York). Ask."),
        plans.comes("It will not be done any more."),
        plans.says("Ask me.", "This is a run of the schedule: nobody is waiting."),
        plans.says("Count to two.", "This is a run of the schedule: nobody is waiting."),
        plans.says("Count to two.", "This is a run of the schedule: nobody is waiting.", 'Step: . Data: {"count": 1}'),
    ]
    return turns


def test_each_tool_is_called_as_it_is_really_taken() -> None:
    used = [call for parts in everything() for call in called(parts)]
    assert {name for name, _ in used} == set(ALL)
    for name, given in used:
        TOOLS[name].input.model_validate(given)


@pytest.mark.parametrize("missing", ALL)
def test_a_tool_that_is_not_offered_is_not_called(missing: str) -> None:
    offered = tuple(name for name in ALL if name != missing)
    assert missing not in {name for parts in everything(offered) for name in names(parts)}


def test_without_tools_it_answers_in_words_alone() -> None:
    for parts in everything(()):
        assert [type(part) for part in parts] == [Text]


def test_all_that_it_says_says_that_it_is_a_script() -> None:
    for parts in everything():
        assert not words(parts) or LABEL in words(parts)
        assert parts


def test_beside_a_question_with_buttons_it_asks_no_other() -> None:
    asking = [parts for parts in everything() if "ask_user" in names(parts)]
    assert len(asking) == 5
    for parts in asking:
        assert names(parts)[-1] == "ask_user"
        assert "?**" not in words(parts)


def test_how_the_thread_stands_is_never_repeated() -> None:
    parts = Talk().says("Our evening calls go unanswered", "Conversation Phase: greeting", "Turn Count: 1")
    assert "Our evening calls go unanswered" in words(parts)
    assert "Turn Count" not in words(parts)
    assert "2026" not in words(parts)


def test_files_are_named_in_the_one_answer_to_them_as_what_a_script_does_not_look_into() -> None:
    talk = Talk()
    told = "You have sent me a.png, rents.xlsx. Claude would read it now; a script cannot look inside."
    assert told in words(talk.says("What do you make of these?\n[shared: a.png, rents.xlsx]"))
    assert told not in words(talk.says("The rent is too high."))


def test_what_was_answered_is_no_answer_to_what_is_said_later() -> None:
    talk = Talk()
    talk.says("Should we hire or rent?")
    assert "So today it is “Rent”" in words(talk.says("Rent"))
    assert "So today it is" not in words(talk.says("Rent is due on Monday"))


def test_an_answer_is_one_also_after_a_counter_question() -> None:
    talk = Talk()
    talk.says("Should we hire or rent?")
    talk.says("what is it about?", 'Your question is still open: "Which way do you lean today?"')
    assert "So today it is “Rent”" in words(talk.says("Rent"))


def test_a_question_that_was_refused_was_never_asked() -> None:
    talk = Talk()
    talk.says("Should we hire or rent?")
    assert names(talk.comes("Options must differ.", error=True)) == []
    assert "So today it is" not in words(talk.says("Rent"))


def test_a_minute_that_was_almost_over_is_taken_a_minute_later() -> None:
    talk = Talk()
    assert called(talk.says("in one minute, tell me to stretch")) == [
        ("schedule_work", {"kind": "scheduled", "run_at": "2026-11-21T12:11:00", "instruction": "Tell me to stretch"})
    ]
    [(_, again)] = called(talk.comes("that is in the past", error=True))
    assert again["run_at"] == "2026-11-21T12:12:00"
    assert "Noted: on 21 Nov" in words(talk.comes("on 21 Nov 2026 at 12:12"))


def test_a_plan_that_is_refused_is_asked_for_again() -> None:
    talk = Talk()
    assert names(talk.says("every day at 25 ask me how it goes")) == ["schedule_work"]
    said = words(talk.comes("I could not use that schedule: `0 25 * * *` is none.", error=True))
    assert re.search(r"I could not use that schedule: .*\n\n\*\*When exactly shall it be\?\*\*", said)


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("Every Monday at 9, ask me for the numbers.", {"cron": "0 9 * * 1"}),
        ("please remind me every weekday at 8:30 to stretch", {"cron": "30 8 * * 1-5"}),
        ("check the phones every day at 6 pm", {"cron": "0 18 * * *"}),
        ("every day at 12am tell me a joke", {"cron": "0 0 * * *"}),
        ("tell me the weather every morning", {"cron": "0 8 * * *"}),
        ("Every Sunday at 10 o'clock send me the list", {"cron": "0 10 * * 0"}),
        ("tell me on weekdays at 9 what is new in #ops", {"cron": "0 9 * * 1-5"}),
        ("ask me daily at noon how it goes", {"cron": "0 12 * * *"}),
        ("each Friday at 4 pm, ask me for the hours", {"cron": "0 16 * * 5"}),
        ("remind me in an hour", {"run_at": "2026-11-21T13:10:00"}),
        ("remind me tomorrow at 3pm to call the bank", {"run_at": "2026-11-22T15:00:00"}),
        ("Remind us tomorrow to call the bank", {"run_at": "2026-11-22T09:00:00"}),
        ("at 8:30 tomorrow, send me the list", {"run_at": "2026-11-22T08:30:00"}),
        ("tell me today at 3 to call the bank", {"run_at": "2026-11-21T15:00:00"}),
        ("In 5 minutes say hello", {"run_at": "2026-11-21T12:15:00"}),
        ("now in the background, count the drivers", {"kind": "immediate"}),
    ],
)
def test_orders_for_later_are_understood_and_can_be_kept(said: str, given: dict[str, str]) -> None:
    [(name, order)] = called(Talk().says(said))
    assert name == "schedule_work"
    assert order | given == order
    assert normalize_schedule(
        Schedule(zone="America/New_York", **{**order, "kind": ScheduleKind(order["kind"])}), parse_ts(NOON)
    )


PLANNED = "Scheduled: weekdays at 09:00 (New York). Tell me what is new in #ops"


def test_a_plan_is_given_another_time_and_keeps_what_is_to_be_done() -> None:
    asked = Talk().says("change it to every Monday at noon, please", PLANNED)
    order = {"kind": "cron", "cron": "0 12 * * 1", "instruction": "Tell me what is new in #ops"}
    assert called(asked) == [("schedule_work", order)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("pause it", "*Pause* holds it"),
        ("please resume the schedule", "*Resume* lets it go on"),
        ("when does it run next?", "This is planned: weekdays at 09:00 (New York). Tell me what is new in #ops."),
        ("make it 10 instead", "*make it every weekday at 10*"),
    ],
)
def test_what_is_said_of_a_plan_is_answered_about_the_plan(said: str, told: str) -> None:
    parts = Talk().says(said, PLANNED)
    assert told in words(parts)
    assert called(parts) == []


@pytest.mark.parametrize("said", ["pause it", "make it 10 instead", "when does it run next?"])
def test_without_a_plan_nothing_is_said_of_one(said: str) -> None:
    answered = words(Talk().says(said))
    assert not [each for each in ("*Pause*", "is planned", "every weekday at 10") if each in answered]


@pytest.mark.parametrize(
    "said",
    [
        "Every Monday at 9 the phones ring",
        "We were done in one minute",
        "It hums in the background",
        "ask me",
        "tell me what is new today",
        "remind me today at 11 am",
        "say it today at 77",
    ],
)
def test_what_orders_nothing_plans_nothing(said: str) -> None:
    assert "schedule_work" not in names(Talk().says(said))


def test_the_time_is_taken_out_of_what_is_to_be_done() -> None:
    order = order_in("Please, every Monday at 9: ask me for the numbers, please.", None)
    assert order is not None
    assert order["instruction"] == "Ask me for the numbers"


def test_what_depends_on_the_time_of_day_is_not_planned_by_who_does_not_know_it() -> None:
    assert order_in("in one minute tell me to stretch", None) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the nurse, I suppose", "Hire a nurse"),
        ("let us rent", "Rent one"),
        ("not the nurse", None),
        ("what does the nurse cost?", None),
        ("hire or rent", None),
        ("a", None),
    ],
)
def test_a_typed_reply_is_taken_for_an_answer_only_if_it_names_one(said: str, meant: str | None) -> None:
    parts = Talk().says(said, 'Your question is still open: "Which?"', "Its answers: Hire a nurse; Rent one")
    assert called(parts) == ([("resolve_question", {"value": meant})] if meant else [])
