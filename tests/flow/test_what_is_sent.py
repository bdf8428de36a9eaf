"""What leaves for the model while a decision is led: read at the emulator's queue, request by request."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.cli.demo.playscript import shift_dates
from app.clock import SystemClock
from app.core.state.interview import Phase
from app.decision.playbook.playbook import load_proact
from app.decision.schema.component import Component
from app.decision.schema.terms import list_lines
from app.decision.tracing.tracing import list_figures
from app.playground.claude import Exchange, Text, ToolCall, Turn
from handlers.slack import action_ids
from tests.flow.chat import Chat
from tests.flow.deciding import approves, begins, card, decides, presses, submits, thread_of
from tests.unit.decision.components.worked import example

QUESTION = "Should we hire three agents, or pay a partner?"
FLAGGED = {"about": "money", "statement_a": "There is none", "statement_b": "There is some", "blocking": False}
DOUBTS = Turn(parts=[Text("Which of the two holds?"), ToolCall("flag_inconsistency", FLAGGED)])


def words(exchange: Exchange, role: str = "user") -> str:
    """All that a request says in this role."""
    return "\n".join(each.text for each in exchange.prompt.messages if each.role == role)


def newest(exchange: Exchange) -> str:
    return exchange.prompt.last_user_text


def guided(exchange: Exchange, component: Component) -> list[Phase]:
    """The phases whose guidance a request holds, of this step or by mistake of another."""
    return [phase for phase in Phase if component.guidance[phase] in words(exchange)]


async def answers(chat: Chat, thread: str, said: str, turn: Turn | str, seen: str) -> None:
    chat.will_answer(turn, *(["Which of the two holds, please?"] if turn is DOUBTS else []))
    await chat.says(said, thread=thread)
    await chat.sees(seen, thread=thread)
    await chat.rests()


async def leads(chat: Chat, component: Component, thread: str) -> tuple[Exchange, ...]:
    """A step from its opening to its result; gives its requests: gather, a doubt, clarify, both of the end, confirm."""
    before = len(chat.claude.requests)
    result = shift_dates(example(component.key), SystemClock().now().date())
    figures = ", ".join(sorted(list_figures(result)))
    await answers(chat, thread, f"It is about the winter. {figures}", "What else, number one?", "number one")
    await answers(chat, thread, "There is no money, or some.", DOUBTS, "Which of the two holds, please?")
    await answers(chat, thread, "I do not know.", "What else, number two?", "number two")
    chat.will_answer(*submits(component.key, result))
    await chat.says("done", thread=thread)
    await card(chat, thread)
    await chat.rests()
    await answers(chat, thread, "What does the first line mean?", "It means what it says.", "It means")
    await approves(chat, thread)
    await chat.rests()
    return tuple(chat.claude.requests[before:])


@pytest.mark.req("FA-30", "FA-31", "FA-27")
@pytest.mark.req("FA-08")
async def test_each_request_of_nine_steps_holds_the_guidance_of_its_phase_and_what_is_known(room: Chat) -> None:
    await decides(room, QUESTION)
    components = load_proact().components
    for component in components:
        thread = await thread_of(room, component.title)
        first, doubt, again, clarify, summarize, serialize, confirm = await leads(room, component, thread)
        talk = (first, doubt, again, clarify, confirm)
        assert [words(each).rpartition("\nPhase: ")[2].split("\n")[0].split(" ")[0] for each in talk] == [
            "gather",
            "gather",
            "gather",
            "clarify",
            "confirm",
        ]
        assert guided(first, component) == guided(doubt, component) == [Phase.GATHER], "the opening has been said"
        assert "The opening above has been said" in words(first)
        assert guided(clarify, component) == [Phase.GATHER, Phase.CLARIFY]
        assert component.guidance[Phase.CLARIFY] in newest(clarify)
        assert component.guidance[Phase.GATHER] not in newest(clarify)
        assert component.guidance[Phase.CONFIRM] in newest(confirm)
        assert guided(summarize, component) == guided(serialize, component) == [Phase.EXTRACT]
        assert all(QUESTION in words(each) for each in (*talk, summarize, serialize)), component.key
        assert all("\nOwner: Maya\n" in words(each) for each in talk)
        standing = ", ".join(f"{each.title} v1" for each in components[: components.index(component)])
        assert all((f"\nApproved: {standing}\n" in words(each)) == bool(standing) for each in talk)
        assert all(words(each).count("\nToday: ") == 1 and "\nTime: " not in words(each) for each in talk)
        assert not any('"caller"' in json.dumps(each.body["messages"]) for each in talk)
        explained = [f"{word}: {line}".replace("−", "-") for word, line in list_lines(component.terms).items()]
        sent = [json.dumps(each.body, ensure_ascii=False).replace("−", "-") for each in (*talk, summarize, serialize)]
        assert {each.count(line) for each in sent for line in explained} == {1}, "by the opening or the instructions"
        if component is not components[-1]:
            await presses(room, thread, action_ids.START_STEP)
        assert_known(component.key, (*talk, summarize, serialize))


WORKED_ON: dict[str, tuple[str, ...]] = {
    "objectives": ("In scope: ", "- IO2 The team does not burn out"),
    "alternatives": ("Who decides: Maya Okafor", "- M1 "),
    "consequences": ("How the objectives are measured:", "Uncertain, as they said before:"),
    "tradeoffs": (
        "O3: A1 0 [0 kEUR/year], A2 -1 [50]",
        "• A6 is dominated: A4",
        "the heart of it is O1 against O3. 3 other pairs",
    ),
    "recommendation": ("O3: A1 0 [0 kEUR/year]", "• A5 on O1: Vendor figures", "• A4: best on", "A4 stands out"),
    "decision_quality": ("Doubtful ratings that matter:", "Still uncertain:"),
    "notes_next_steps": ("Still uncertain:", "Reliable consequence information (60 %)"),
}
"""Some of what earlier steps found, by the step that works on it."""


def assert_known(key: str, requests: tuple[Exchange, ...]) -> None:
    lacking: list[Any] = [
        (place, line)
        for line in WORKED_ON.get(key, ())
        for place, each in enumerate(requests)
        if line not in words(each)
    ]
    assert not lacking, key


@pytest.mark.req("FA-07")
async def test_who_else_wrote_is_named_beside_the_newest_message_and_only_until_it_is_answered(room: Chat) -> None:
    _, thread = await begins(room, QUESTION)
    await answers(room, thread, "It is about the winter.", "What else?", "What else?")
    assert "Others who have written" not in newest(room.claude.requests[-1])
    await room.says("The hall is cold.", who="Sam", thread=thread)
    await answers(room, thread, "And it is far.", "Cold, says Sam, and far. And then?", "And then?")
    told = newest(room.claude.requests[-1])
    assert "In this turn alone:\nOthers who have written since your last reply: Sam\n" in told
    assert "newest message comes first" not in told, "the rule stands once, in the instructions"
    assert told.index("The hall is cold.") < told.index("And it is far.")
    await answers(room, thread, "That is all.", "I see, all of it.", "I see, all of it.")
    assert "Others who have written" not in newest(room.claude.requests[-1])
