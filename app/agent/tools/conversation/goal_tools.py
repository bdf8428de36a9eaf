"""Tools by which the model says where it is with the goal of the thread."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from pydantic import Field

from app.agent.tools.output import ToolResult
from app.agent.tools.tool import Input, Nothing, PureTool
from app.agent.tools.trial import Trial
from app.core.state.goal import (
    Call,
    ChangesWanted,
    GoalDropped,
    GoalNamed,
    GoalType,
    InfoRecorded,
    PlanProposed,
    Satisfied,
    WorkFinished,
    WorkStarted,
    summarize_goals,
)


class Needed(Input):
    """Something that must be known before there can be a plan."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="A short name, such as target_group.")
    label: str = Field(min_length=1, max_length=80, description="What it is, in the person's language.")


class Named(Input):
    """Input of `set_goal`."""

    type: GoalType = Field(description="What somebody wants. A reminder, a greeting or a remark is none of these.")
    description: str = Field(min_length=1, max_length=300, description="What the person wants, in one sentence.")
    required_information: list[Needed] | None = Field(
        default=None,
        max_length=6,
        description="What you cannot begin without and their words do not tell; [] if that is nothing.",
    )


class Recorded(Input):
    """Input of `record_information`."""

    name: str = Field(min_length=1, max_length=40, description="Its name as in <state>.")
    value: str = Field(min_length=1, max_length=2_000)


class Finished(Input):
    """Input of `finish_work`."""

    summary: str = Field(min_length=1, max_length=500, description="What was made, in one sentence.")
    artefacts: list[str] = Field(default=[], max_length=20, description="Names of what was made.")


class Feedback(StrEnum):
    """What the owner thinks of plan or result."""

    SATISFIED = "satisfied"
    CHANGES = "changes"
    DROPPED = "dropped"


class Felt(Input):
    """Input of `note_feedback`."""

    feedback: Feedback


FELT: Mapping[Feedback, Call] = MappingProxyType(
    {Feedback.SATISFIED: Satisfied(), Feedback.CHANGES: ChangesWanted(), Feedback.DROPPED: GoalDropped()}
)


def _apply(trial: Trial, call: Call) -> ToolResult:
    trial.apply(call)
    return ToolResult(summarize_goals(trial.conversation.goals), noted=not isinstance(call, WorkStarted))


def _name(trial: Trial, given: Named) -> ToolResult:
    listed = given.required_information
    needed = None if listed is None else tuple((each.name, each.label) for each in listed)
    return _apply(trial, GoalNamed(type=given.type, description=given.description, info=needed))


NAME = PureTool(
    name="set_goal",
    description="The owner has said what you shall make, change, answer or think through with them: note it. A "
    "reminder, a greeting or a remark is no goal. In the middle of another goal only after they confirmed the switch.",
    input=Named,
    run=_name,
)

RECORD = PureTool[Trial, Recorded](
    name="record_information",
    description="Note something that the goal needs to be known, as soon as the owner has said it.",
    input=Recorded,
    run=lambda trial, given: _apply(trial, InfoRecorded(name=given.name, value=given.value)),
)

PROPOSE = PureTool[Trial, Nothing](
    name="propose_plan",
    description="Your answer puts a plan to the owner.",
    input=Nothing,
    run=lambda trial, _: _apply(trial, PlanProposed()),
)

START = PureTool[Trial, Nothing](
    name="start_work",
    description="You begin the work that was planned.",
    input=Nothing,
    run=lambda trial, _: _apply(trial, WorkStarted()),
)

FINISH = PureTool[Trial, Finished](
    name="finish_work",
    description="Your answer shows the result. The owner then says whether it is what they wanted.",
    input=Finished,
    run=lambda trial, given: _apply(trial, WorkFinished(summary=given.summary, artefacts=tuple(given.artefacts))),
)

FEEL = PureTool[Trial, Felt](
    name="note_feedback",
    description="The owner is satisfied with the result, wants changes to plan or result, or does not want the goal "
    "any more.",
    input=Felt,
    run=lambda trial, given: _apply(trial, FELT[given.feedback]),
)
