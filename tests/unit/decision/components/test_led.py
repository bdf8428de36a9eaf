"""Components led through the machine with their own data: one to a thread, in phases, complete when people say so."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.conversation.audit import AuditType
from app.core.conversation.conversation import Role
from app.core.events.heard import ComponentStarted
from app.core.state.interview import JudgedDraft, Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import TurnState
from app.decision.schema.handles import build_record
from app.decision.tracing.said import Statement
from app.decision.tracing.tracing import list_figures
from app.runtime.record.reader import DecisionReader
from app.runtime.record.sayings import SayingsReader
from app.runtime.record.step_context import StepContext
from tests.contract.store.clock import ManualClock
from tests.memory_store import memory_store
from tests.unit.core import interviews
from tests.unit.core.interviews import HUB, StepThread
from tests.unit.core.threads import OTHER
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, minimal, refused

param, mark = pytest.param, pytest.mark

MADE_WITH = {each: minimal(each) for each in KEYS}
"""What was approved before: the least that can be."""


async def led(key: str, *, begins: bool = True) -> StepThread:
    """The thread of a component with its own texts, set up."""
    clock = ManualClock()
    store = memory_store(clock)
    prepared = await DecisionReader(
        store.versions, SayingsReader(store.conversations, store.files), PLAYBOOK, clock
    ).prepare(HUB, key)
    return StepThread(begins=begins, component=key, prepared=prepared)


def least(key: str) -> JudgedDraft:
    """The least that meets every criterion of a component, as it is judged."""
    so_far = before(key, MADE_WITH)
    said = tuple(map(Statement, list_figures(minimal(key))))
    return StepContext(PLAYBOOK[key], so_far, {}, statements=said).judge(accepted(key, minimal(key), so_far))


async def waiting(key: str) -> StepThread:
    """One whose result waits for an OK."""
    step = (await led(key)).answers().signals().extracts(least(key)).posts_cards()
    assert step.now.lifecycle is Lifecycle.CONFIRMED
    return step


CONFIRMED = [
    param("issue_raising", marks=mark.req("S0-096")),
    param("problem_frame", marks=mark.req("S0-113")),
    param("objectives", marks=mark.req("S0-127")),
    param("alternatives", marks=mark.req("S0-143")),
    param("consequences", marks=mark.req("S0-158")),
    param("tradeoffs"),
    param("recommendation", marks=mark.req("S0-188")),
    param("decision_quality", marks=mark.req("S0-200")),
    param("notes_next_steps", marks=mark.req("S0-213")),
]


@pytest.mark.parametrize("key", CONFIRMED)
async def test_a_result_that_lacks_nothing_is_complete_only_when_its_owner_confirms_it(key: str) -> None:
    step = await waiting(key)
    assert step.waits.missing == ()
    assert step.waits.question.prompt == PLAYBOOK[key].confirm_question
    assert step.waits.question.options[0] == PLAYBOOK[key].approve
    step.says("What does the second line mean?").replies("That nobody has rated it.")
    assert step.refuses(step.click("0", OTHER)) == "NOT_OWNER"
    assert (step.now.lifecycle, step.now.approved) == (Lifecycle.CONFIRMED, 0)
    step.clicks("0")
    assert (step.now.lifecycle, step.now.approved) == (Lifecycle.COMPLETE, 1)


@pytest.mark.parametrize("key", CONFIRMED)
async def test_a_result_that_people_want_changed_is_not_complete(key: str) -> None:
    step = (await waiting(key)).clicks("1").says("The first line is not mine.")
    assert (step.now.lifecycle, step.now.phase, step.now.approved) == (Lifecycle.IN_PROGRESS, Phase.GATHER, 0)


EXTRACTED: list[Any] = [
    param("objectives", "means_objectives",
          [{"handle": "M1", "description": "Ask early"}], marks=mark.req("S0-121")),
    param("recommendation", "synthesis", "Two vans would do, and nobody knows the price yet; see A2 and O1.",
          marks=mark.req("S0-181")),
    param("recommendation", "key_considerations", ["The hall is small", "The lease ends in May"],
          marks=mark.req("S0-183")),
    param("recommendation", "remaining_uncertainties",
          [{"description": "The price of a van", "impact": "high", "resolution_path": "Ask two dealers"}],
          marks=mark.req("S0-184")),
    param("decision_quality", "elements",
          [{**each, "rationale": f"Because of {each['score']}"} for each in minimal("decision_quality")["elements"]],
          marks=mark.req("S0-195")),
    param("notes_next_steps", "notes", ["Bergen was glad to be asked"], marks=mark.req("S0-208")),
    param("notes_next_steps", "open_questions", ["Who brings the projector?"], marks=mark.req("S0-209")),
    param("notes_next_steps", "planned_actions",
          [{"handle": "N1", "action": "Book the hall", "owner": "Ada", "due_date": "2026-12-01", "status": "planned"}],
          marks=mark.req("S0-210")),
]  # fmt: skip


@pytest.mark.parametrize(("key", "field", "said"), EXTRACTED)
def test_what_an_extraction_is_for_is_accepted_and_kept_in_the_record_under_its_name(
    key: str, field: str, said: Any
) -> None:
    draft = accepted(key, {**minimal(key), field: said}, before(key, MADE_WITH)).draft
    assert draft[field] == said
    record = build_record(PLAYBOOK[key], draft, {each: f"id of {each}" for each in ("A1", "A2", "O1")}, lambda: "new")
    assert _without_ids(record[field]) == said
    assert refused(key, {**minimal(key), field: 7}, before(key, MADE_WITH)) == {field: "wrong type"}


def _without_ids(kept: Any) -> Any:
    if isinstance(kept, dict):
        return {name: each for name, each in kept.items() if name != "id"}  # pyright: ignore
    return [_without_ids(each) for each in kept] if isinstance(kept, list) else kept  # pyright: ignore


@pytest.mark.req("S0-052", "S0-051")
@pytest.mark.parametrize("key", KEYS)
async def test_a_step_that_is_set_up_has_spoken_first_and_waits(key: str) -> None:
    step = await led(key)
    assert step.at == (Lifecycle.READY, Phase.INTRO, Stage.DISCUSS)
    spoken = [(row.role, row.text) for row in step.transcript if row.role is not Role.CARD]
    assert spoken == [(Role.ASSISTANT, step.lead.prepared.opening)]
    assert step.now.run is TurnState.IDLE
    assert not step.runs
    assert not step.now.unanswered
    step.says("It is about the hall.")
    assert step.runs
    assert step.now.lifecycle is Lifecycle.IN_PROGRESS


@pytest.mark.req("S0-003")
@pytest.mark.parametrize("key", KEYS)
async def test_a_thread_leads_one_component_for_good(key: str) -> None:
    step = await waiting(key)
    for other in ("objectives", "alternatives"):
        begun: ComponentStarted = interviews.started(step, component=other, receipt=f"step:{other}")
        assert step.refuses(begun) == "STALE_RUN"
    step.clicks("0").reopens(least(key)).replies("What has changed?")
    assert step.lead.component == key
    assert step.refuses(interviews.started(step, component="tradeoffs", receipt="step:x")) == "STALE_RUN"


@pytest.mark.req("S0-018")
async def test_each_phase_that_a_step_comes_to_stands_in_the_trail_by_way_of_all_between() -> None:
    step = await led("objectives")
    passed = [step.hops]
    for goes_on in (
        lambda: step.answers(),
        lambda: step.answers("These do not fit.", interviews.FLAGGED),
        lambda: step.answers("So it holds.", interviews.SETTLED),
        lambda: step.signals(),
        lambda: step.extracts(least("objectives")).posts_cards(),
        lambda: step.clicks("1").says("The first line is not mine."),
    ):
        goes_on()
        passed.append(step.hops)
    assert passed == [
        [("", "intro")],
        [("intro", "gather")],
        [("gather", "clarify")],
        [("clarify", "gather")],
        [("gather", "extract")],
        [("extract", "confirm")],
        [("confirm", "gather")],
    ]


@pytest.mark.req("S0-018")
async def test_a_phase_that_is_only_passed_stands_in_the_trail_too_with_why_and_because_of_what() -> None:
    step = (await led("objectives")).says("All at once.").replies("I have it.", interviews.READY)
    assert step.hops == [("intro", "gather"), ("gather", "extract")]
    lines = [each for each in step.made.audit if each.type is AuditType.PHASE_TRANSITION]
    assert all(each.reason and each.correlation for each in lines)


@pytest.mark.req("S0-082")
@pytest.mark.parametrize(
    ("ready", "says", "comes_to"),
    [
        (False, "I see.", Phase.GATHER),
        (True, "I see.", Phase.EXTRACT),
        (True, "What else?", Phase.GATHER),
    ],
)
async def test_where_a_step_goes_depends_on_its_phase_its_newest_words_and_whoever_judges_readiness(
    ready: bool, says: str, comes_to: Phase
) -> None:
    step = (await led("objectives")).answers()
    assert step.now.phase is Phase.GATHER
    step.answers(says, ready=ready)
    assert step.now.phase is comes_to
    intro = (await led("objectives")).answers(says, ready=ready)
    assert intro.now.phase is Phase.GATHER, "the same from another phase"
