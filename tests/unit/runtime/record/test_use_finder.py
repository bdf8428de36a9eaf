"""What was said and shared in the threads of a decision, and which results stand on a message that changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.conversation.facts import MessageUse
from app.core.conversation.shared_file import SharedFile
from app.core.file_content import FileKind
from app.core.state.decision import ComponentStatus, Decision, DecisionStep
from app.core.state.interview import VouchedFigure
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.status import Kind
from app.decision.playbook.playbook import Playbook
from app.decision.schema.paths import Draft
from app.ports import KeptFile
from app.runtime.record.sayings import SayingsReader
from tests.unit.core.interviews import HUB
from tests.unit.decision.components.worked import PLAYBOOK, minimal
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision, approved, said

pytestmark = pytest.mark.req("FA-20")

SAYS, TITLE = "9.1", PLAYBOOK["issue_raising"].title
PRICED: Draft = {
    **minimal("issue_raising"),
    "potential_decisions": [{"handle": "D1", "description": "Whether to spend 15k euro"}],
}
USED = MessageUse(title=TITLE, version=1, figures=("15k euro",))


async def priced(stored: StoredDecision) -> Conversation:
    """A step whose result holds a figure of its first message."""
    now = await stored.step("issue_raising", "It costs 15k euro.", "Where?")
    await stored.approves("issue_raising", PRICED)
    return now


async def shared(stored: StoredDecision, now: Conversation, ts: str) -> Conversation:
    """The same thread, with a file in which the figure stands, too."""
    read = KeptFile(file="F1", content="[]", tokens=1, name="a.txt", kind=FileKind.TEXT, text="Price: 15k euro")
    await stored.store.files.keep(now, read)
    return replace(now, files=(SharedFile(id="F1", name="a.txt", ts=ts, by_owner=True),))


async def decision_of(stored: StoredDecision, *steps: DecisionStep) -> None:
    await placed(
        stored.store, replace(talk(90, kind=Kind.DECISION, decision=Decision(question="?", steps=steps)), thread=HUB)
    )


@pytest.mark.parametrize("becomes", [None, "It costs a lot."])
async def test_a_figure_that_a_file_holds_as_well_goes_with_a_message_only_if_the_file_does(
    stored: StoredDecision,
    becomes: str | None,
) -> None:
    now = await priced(stored)
    assert await stored.book.find_uses(now, SAYS, becomes) == (USED,)
    assert await stored.book.find_uses(await shared(stored, now, "9.2"), SAYS, becomes) == ()
    came_with_it = await shared(stored, now, SAYS)
    assert await stored.book.find_uses(came_with_it, SAYS, becomes) == ((USED,) if becomes is None else ())


async def test_a_figure_that_only_the_file_of_a_deleted_message_held_goes_with_it(stored: StoredDecision) -> None:
    await stored.step("issue_raising", "Here is the file.")
    await stored.approves("issue_raising", PRICED)
    now = await shared(stored, await stored.step("issue_raising"), SAYS)
    assert await stored.book.find_uses(now, SAYS, None) == (USED,)


async def test_a_figure_that_somebody_stands_for_or_has_said_elsewhere_stays(stored: StoredDecision) -> None:
    now = await priced(stored)
    other = await placed(stored.store, talk(40, kind=Kind.COMPONENT, head=1), *said("15,000 euro it is."))
    await decision_of(stored, DecisionStep(key="objectives", title="Objectives", thread=other.thread))
    assert await stored.book.find_uses(now, SAYS, None) == ()
    for at, uses in ("9.9", ()), (SAYS, (USED,)):  # it counts no longer where it was taken from this very message
        alone = StoredDecision()
        now = await alone.step("issue_raising", "It costs 15k euro.")
        version = await alone.book.version(now, approved(PRICED), 1)
        vouched = (VouchedFigure(text="15k euro", by=MAYA, at=at),)
        await alone.store.versions.keep(now, replace(version, vouched=vouched))
        assert await alone.book.find_uses(now, SAYS, None) == uses


async def test_a_draft_is_found_while_it_waits_for_approval_and_not_while_it_is_discussed(
    stored: StoredDecision,
) -> None:
    now = await stored.step("issue_raising", "It costs 15k euro.", draft=PRICED)
    assert await stored.book.find_uses(now, SAYS, None) == ()
    asked = Question(id="q", kind=QuestionKind.CONFIRMATION, prompt="Right?", origin=Origin.EXTRACTION, card=3)
    assert await stored.book.find_uses(replace(now, question=asked), SAYS, None) == (replace(USED, version=0),)


@pytest.mark.parametrize(
    ("status", "discussed"), [(ComponentStatus.COMPLETE, False), (ComponentStatus.IN_PROGRESS, True)]
)
async def test_a_result_of_another_step_is_told_with_its_thread_and_whether_it_is_discussed(
    status: ComponentStatus, discussed: bool
) -> None:
    stored, frame = StoredDecision(), minimal("problem_frame")
    now = await priced(stored)
    frame["focal_decision"]["evidence"] = [{"quote": "costs", "message_id": SAYS}]
    await stored.approves("problem_frame", frame)
    other, title = (await stored.step("problem_frame")).thread, PLAYBOOK["problem_frame"].title
    await decision_of(
        stored,
        DecisionStep(key="issue_raising", title=TITLE, thread=now.thread, status=status),
        DecisionStep(key="problem_frame", title=title, thread=other, status=status),
    )
    theirs = MessageUse(title=title, version=1, elsewhere=other.root, is_discussed=discussed)
    assert await stored.book.find_uses(now, SAYS, None) == (USED, theirs)


async def test_a_result_of_a_step_that_is_known_no_more_is_left_alone() -> None:
    stored = StoredDecision(Playbook(PLAYBOOK.components[:1]))
    now = await priced(stored)
    strange = replace((await stored.store.versions.list(HUB))[0], component="weather")
    await stored.store.versions.keep(await placed(stored.store, talk(40)), strange)
    assert await stored.book.find_uses(now, SAYS, None) == (USED,)


def kept(file: str, text: str) -> KeptFile:
    return KeptFile(file=file, content="[]", tokens=1, name=f"{file}.txt", kind=FileKind.TEXT, text=text)


def file_of(file: str, ts: str, *, by_owner: bool = True) -> SharedFile:
    return SharedFile(id=file, name=f"{file}.txt", ts=ts, by_owner=by_owner)


async def holding(stored: StoredDecision, now: Conversation) -> Conversation:
    """The thread of a step with files of which not all count."""
    for each in (kept("F1", "15k"), kept("F2", "16k"), kept("F3", ""), kept("F4", "17k"), kept("F9", "18k")):
        await stored.store.files.keep(now, each)
    files = (file_of("F1", "9.1"), file_of("F2", "9.2", by_owner=False), file_of("F3", "9.1"), file_of("F4", "9.4"))
    return replace(now, files=files)


def reader(stored: StoredDecision) -> SayingsReader:
    return SayingsReader(stored.store.conversations, stored.store.files)


@pytest.mark.req("FA-14")
async def test_of_the_files_in_a_thread_what_was_read_of_its_owners_counts_and_nothing_of_others(
    stored: StoredDecision,
) -> None:
    now = await holding(stored, await stored.step("issue_raising"))

    async def read(**which: Any) -> list[str]:
        return [each.text for each in await reader(stored).read_files(now, **which)]

    assert await read() == ["15k", "17k"]
    assert await read(without="9.1") == ["17k"]
    assert await read(alone=("F4", "F2")) == ["17k"]


@pytest.mark.req("FA-14")
async def test_what_is_said_and_shared_elsewhere_is_that_of_the_other_threads_and_the_question(
    stored: StoredDecision,
) -> None:
    now = await stored.step("issue_raising", "Here it is 10k.")
    files = (file_of("F1", "9.1"),)
    other = await placed(stored.store, talk(40, kind=Kind.COMPONENT, head=1, files=files), *said("There it is 12k."))
    await stored.store.files.keep(other, kept("F1", "15k"))
    steps = [DecisionStep(key=key, title=key, thread=each.thread) for key, each in (("own", now), ("other", other))]
    hub = replace(talk(90), thread=HUB, decision=Decision(question="Is it 60k?", steps=tuple(steps)))
    found = await reader(stored).read_elsewhere(now, hub)
    assert [each.text for each in found.statements] == ["Is it 60k?", "There it is 12k."]
    assert [each.text for each in found.files] == ["15k"]


@pytest.mark.req("FA-14")
async def test_a_draft_from_files_alone_counts_beside_them_what_was_said_since_it_was_asked_for(
    stored: StoredDecision,
) -> None:
    now = await holding(stored, await stored.step("issue_raising", "It is 10k.", "From the file!", "No, 12k."))
    assert now.interview is not None
    rows = await stored.store.conversations.transcript(now, 0)
    assert await reader(stored).read_draft_files(now, rows) is None
    vouched = (VouchedFigure(text="7k", by=MAYA, at="9.9"),)
    alone = replace(now.interview, draft_files=("F1",), drafted_since=2, vouched=vouched)
    found = await reader(stored).read_draft_files(replace(now, interview=alone), rows)
    assert found is not None
    assert (found.names, [each.text for each in found.said]) == (("F1.txt",), ["No, 12k.", "7k"])
