"""What the requests of an extraction say, in all steps and both modes; and what of the draft is not sent back."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.extraction.material import build_material
from app.agent.extraction.submission import judge
from app.core.state.interview import Mode, Phase
from app.decision.drafts.draft import QUOTES, Accepted, restore_sources
from app.decision.tracing.said import SaidFigures
from tests.unit.agent.extracted import ISSUES, Extracted, leading, stages, submits, summary
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before, example, minimal

QUOTED: dict[str, Any] = {
    **minimal("issue_raising"),
    "objectives": [{"handle": "IO1", "description": "Sleep", "evidence": [{"quote": "we want to sleep"}]}],
}


@pytest.mark.req("FA-30", "FA-08", "S0-237")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("key", KEYS)
async def test_each_stage_is_told_what_counts_in_the_result_and_nothing_of_asking(key: str, mode: Mode) -> None:
    component = PLAYBOOK[key]
    taken = Extracted(*stages(mode, summary(), submits(example(key), component.tool)), mode=mode, step=key)
    await taken.closed()
    assert len(taken.model.asked) == (3 if mode is Mode.DIRECT else 2)
    for request in taken.model.asked:
        said = str(request.messages[0]["content"])
        assert [phase for phase in Phase if component.guidance[phase] in said] == [Phase.EXTRACT]
        assert component.purpose in request.system
        assert not [each for each in ("ask_user", "One question", "ready_to_summarize") if each in request.system]


@pytest.mark.req("FA-08")
def test_quotes_of_notes_are_not_sent_back_and_are_not_lost() -> None:
    material = "".join(build_material(leading(draft=QUOTED), (), ISSUES, before("issue_raising")))
    assert "Sleep" in material
    assert "we want to sleep" not in material
    without = {**QUOTED, "objectives": [{"handle": "IO1", "description": "Sleep"}]}
    verdict = judge(ISSUES, without, before("issue_raising"), SaidFigures(), QUOTED)
    assert isinstance(verdict, Accepted)
    assert verdict.draft["objectives"][0]["evidence"] == [{"quote": "we want to sleep"}]


def test_a_quote_that_is_added_comes_after_those_that_were_there_and_none_stands_twice() -> None:
    given = {"objectives": [{"handle": "IO1", "evidence": [{"quote": "We want  to sleep"}, {"quote": "at night"}]}]}
    (item,) = restore_sources(given, QUOTED)["objectives"]
    assert [each["quote"] for each in item["evidence"]] == ["we want to sleep", "at night"]
    many = {"objectives": [{"handle": "IO1", "evidence": [{"quote": f"words {n}"} for n in range(QUOTES)]}]}
    assert len(restore_sources(many, QUOTED)["objectives"][0]["evidence"]) == QUOTES


@pytest.mark.parametrize("odd", [[], "x", {"objectives": [{"handle": "IO1", "evidence": "none"}]}, {"handle": ["IO1"]}])
def test_data_of_another_shape_is_left_as_it_came(odd: Any) -> None:
    assert restore_sources(odd, QUOTED) == odd
    assert restore_sources(odd, {}) is odd
