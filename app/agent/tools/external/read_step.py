"""Tool that reads what an earlier step of the decision found, as it was approved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import Field

from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.output import ToolResult, report_findings
from app.agent.tools.tool import ExternalTool, Input
from app.agent.tools.trial import InterviewTrial
from app.decision.drafts.noting import render_text
from app.decision.schema.similarity import normalize
from app.decision.tracing.unsaid_claims import mark_claims

FOUND: Final = "Use it as it was approved; only people can change it."
NOTHING: Final = "Ask people what you need. Approved steps: {steps}."


class Step(Input):
    """Input of `read_step`."""

    step: str = Field(min_length=1, max_length=60, description="Its name, such as problem_frame.")


async def _run(context: TurnContext, given: Step) -> ToolResult:
    assert isinstance(context.trial, InterviewTrial), "it is offered in steps alone"
    so_far, key = (
        replace(context.trial.notebook.so_far, noted=context.trial.draft),
        "_".join(normalize(given.step).split()),
    )
    results, result = so_far.results, so_far.results.get(key)
    marked = so_far.mark_corrected(mark_claims(result, so_far.suggested.get(key, ()))) if result else {}
    found = render_text(marked).splitlines()
    action = FOUND if result is not None else NOTHING.format(steps=", ".join(results) or "none yet")
    return ToolResult(report_findings(given.model_dump(), action, found=found))


def _tell(result: Mapping[str, Any]) -> str:
    step = result["query"]["step"].replace("_", " ")
    return f"Looked at the step {step}." if result["found"] else f"The step {step} has no approved result yet."


TOOL = ExternalTool(
    name="read_step",
    description="Read what an earlier step of this decision found, as it was approved.",
    brief="what an earlier step found, such as problem_frame",
    input=Step,
    access=Access.READ,
    offered=Offer.STEPS,
    run=_run,
    working=lambda _: "reading an earlier step",
    trace=lambda result: f"the step {result['query']['step'].replace('_', ' ')}",
    tell=_tell,
)
