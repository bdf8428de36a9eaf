"""How a turn with tools ends: the stop reason decides, and what was found is never lost."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.agent.endings import BEGINNING
from app.agent.tool_runner import ToolRunner
from app.core.conversation.conversation import MessageStatus
from app.core.state.question import Question, QuestionKind
from app.core.state.tool_use import UseState
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import ASK, FREELY, LOOK, PLAN, PUT, RUNNING, Outside, because, resumed
from tests.unit.agent.scripted import Part, answers, cut_off


@pytest.mark.req("S3-070")
async def test_where_the_loop_is_not_autonomous_each_round_ends_with_its_results_kept() -> None:
    closed = await Outside(answers(LOOK), autonomous=False).closed()
    assert (closed.status, closed.text, closed.acted) == (MessageStatus.LIMITED, "", True)
    assert [message["role"] for message in json.loads(closed.content)] == ["assistant", "user"]


@pytest.mark.req("S3-031")
@pytest.mark.parametrize("status", [MessageStatus.TRUNCATED, MessageStatus.REFUSED, MessageStatus.COMPLETE])
async def test_a_use_that_was_cut_off_or_refused_is_never_carried_out(status: MessageStatus) -> None:
    taken = Outside(cut_off(PUT, text="I", status=status), shop=Workshop(FREELY))
    closed = await taken.closed()
    assert (closed.status, taken.shop.done, closed.acted) == (status, [], False)


async def test_an_answer_that_pauses_is_sent_back_and_goes_on_as_one() -> None:
    taken = Outside(because("pause_turn", text="First"), answers(text="second."))
    closed = await taken.closed()
    assert (closed.text, closed.status, closed.rounds) == ("First\n\nsecond.", MessageStatus.COMPLETE, 2)
    (paused,) = taken.sent(1)
    assert (paused["role"], paused["content"][1]["text"]) == ("assistant", "First")
    (whole,) = json.loads(closed.content)
    assert [block["type"] for block in whole["content"]] == ["thinking", "text", "thinking", "text"]


@pytest.mark.req("S3-032", "AG-10")
async def test_for_a_reason_nobody_knows_the_model_is_asked_to_go_on_once() -> None:
    unknown = because("who_knows", text="Let me look.")
    taken = Outside(unknown, because("who_knows", text="I should look."), answers(text="never"))
    closed = await taken.closed()
    assert (len(taken.model.asked), closed.text, closed.status) == (
        2,
        "Let me look.\n\nI should look.",
        MessageStatus.COMPLETE,
    )
    assert [message["role"] for message in taken.sent(1)] == ["assistant", "user"]


@pytest.mark.req("AG-10")
async def test_a_turn_that_was_asked_once_more_is_not_asked_again_after_it_has_waited_for_a_person() -> None:
    announced = because("end_turn", text="Let me post it now.")
    first = Outside(announced, answers(PUT))
    waiting = await first.closed()
    assert (waiting.status, len(first.model.asked)) == (MessageStatus.HELD, 2)
    again = Outside(announced, now=resumed(waiting, first.turn, UseState.ALLOWED), row=waiting, shop=Workshop(FREELY))
    closed = await again.closed()
    assert (closed.status, len(again.model.asked)) == (MessageStatus.COMPLETE, 1)


@pytest.mark.parametrize("rest", ["", " "])
async def test_what_nudged_the_model_in_vain_is_sent_again_as_words(rest: str) -> None:
    closed = await Outside(because("who_knows", text="Let me look."), answers(text=rest)).closed()
    last = json.loads(closed.content)[-1]
    assert (last["role"], [block["type"] for block in last["content"]]) == ("user", ["text"])


@pytest.mark.req("S3-008", "S3-023", "S3-032")
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("end_turn", "I should look."),
        ("stop_sequence", "I should look."),
        ("max_tokens", "I should look."),
        ("content_filtered", "Let me look."),
        ("guardrail_intervened", "Let me look."),
        ("who_knows", "That is all."),
        ("who_knows", "Let me know what you think."),
    ],
)
async def test_known_reasons_decide_and_who_waits_for_the_person_does_not_go_on(reason: str, text: str) -> None:
    taken = Outside(because(reason, text=text))
    assert ((await taken.closed()).status, len(taken.model.asked)) == (MessageStatus.COMPLETE, 1)


@pytest.mark.req("AG-10")
async def test_while_a_question_is_open_nothing_is_gone_on_with() -> None:
    asked = replace(RUNNING, question=Question(id="1.1", kind=QuestionKind.INPUT, prompt="What?"))
    taken = Outside(because("who_knows", text="Let me look."), now=asked)
    await taken.closed()
    assert len(taken.model.asked) == 1


@pytest.mark.req("S3-062", "S3-076", "AG-12")
async def test_a_turn_that_ends_without_a_word_tells_what_its_tools_came_to_and_not_to_the_model() -> None:
    with capture_logs() as lines:
        closed = await Outside(answers(LOOK, text="I look."), answers()).closed()
    assert closed.text == f"I look.\n\n{BEGINNING}\n- Used: look."
    assert BEGINNING not in closed.content
    assert [line["reference"] for line in lines if line["event"] == "synthesis"] == ["synthesis_c1:2"]


@pytest.mark.parametrize(
    "scripts",
    [
        [answers(LOOK), answers(text="Three vans.")],
        [answers(PLAN), answers()],
        [answers(LOOK), cut_off(PUT)],
        [answers(ASK, LOOK)],
    ],
    ids=["with words", "of calls alone", "cut off", "with a question"],
)
async def test_nothing_is_told_for_a_model_that_spoke_or_did_not_mean_to_end(scripts: list[list[Part]]) -> None:
    assert BEGINNING not in (await Outside(*scripts).closed()).text


def _list_pages(_result: Any) -> list[tuple[str, str]]:
    return [("Prices of vans", "https://vans.example/x")]


class _Linking(Workshop):
    """Its tool `look` tells where its result is from."""

    @property
    def hands(self) -> ToolRunner:
        hands = super().hands
        look = replace(hands.tools["look"], links=_list_pages)
        return replace(hands, tools={**hands.tools, "look": look})


@pytest.mark.req("IN-08")
@pytest.mark.parametrize(
    ("said", "is_named"), [("Vans cost 300.", True), ("See [vans](https://vans.example/x).", False)]
)
async def test_an_answer_names_the_pages_that_it_comes_from_unless_it_names_them_itself(
    said: str, is_named: bool
) -> None:
    closed = await Outside(answers(LOOK), answers(text=said), shop=_Linking(looks=lambda _: "{}")).closed()
    assert closed.text.startswith(said)
    assert ("Prices of vans" in closed.text) is is_named
    assert closed.text.count("https://vans.example/x") == 1
