"""The runner of an extraction: what it is given, what bounds it, and what it gives back (S4, ConversationRunner)."""

from __future__ import annotations

import pytest

from app.core.conversation.call import DraftExtracted, ExtractionExhausted
from app.core.conversation.conversation import MessageStatus
from app.core.state.interview import Mode, Stage
from app.decision.playbook.step_prompt import build_summarize_prompt
from tests.unit.agent.extracted import ISSUES, SEARCH, Extracted, invalid, stages, submits, summary, valid
from tests.unit.agent.scripted import answers


@pytest.mark.req("S4-025")
@pytest.mark.parametrize(("mode", "turns"), [(Mode.DIRECT, 1), (Mode.INTERACTIVE, 0)])
async def test_it_has_a_provider_research_one_finalization_tool_its_turns_and_three_retries(
    mode: Mode, turns: int
) -> None:
    wrong = [submits(invalid(), id=f"t{n}") for n in range(4)]
    taken = Extracted(*stages(mode, summary(), *wrong), mode=mode)
    closed = await taken.closed()
    offered = [[tool["name"] for tool in request.tools] for request in taken.model.asked]
    assert offered == [[SEARCH["name"]]] * turns + [[]] + [[ISSUES.tool]] * (1 + 3)
    (call,) = closed.calls
    assert isinstance(call, ExtractionExhausted)
    assert call.attempts == 4


@pytest.mark.req("S4-026")
async def test_from_what_was_said_and_a_validator_it_makes_the_artifact_and_says_where_it_ended() -> None:
    taken = Extracted(summary("All of it."), submits(invalid()), submits(valid(), id="t2"))
    closed = await taken.closed()
    first, *_ = taken.model.asked
    said = [str(message["content"]) for message in first.messages]
    assert "A driver, or a van." in said[0], "the initial messages"
    assert build_summarize_prompt(ISSUES) in said[0], "the summary prompt"
    assert taken.draft.shown != [], "who follows it hears how far it is"
    (call,) = closed.calls
    assert isinstance(call, DraftExtracted)
    assert (call.drafted.draft, call.attempts) == (valid(), 2), "the artifact, when the validator took it"
    assert (closed.status, closed.stage) == (MessageStatus.COMPLETE, Stage.SERIALIZE)


@pytest.mark.req("S0-224")
async def test_words_around_the_data_are_no_part_of_it() -> None:
    bare = Extracted(summary(), submits(valid()))
    submission = submits(valid())[-1]
    wordy = Extracted(summary(), [*answers(text="Here it is:")[:1], submission])
    (one,), (other,) = (await bare.closed()).calls, (await wordy.closed()).calls
    assert one == other
    assert (await wordy.closed()).text == ""
