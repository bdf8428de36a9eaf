"""What was said and shared in the threads of a decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation
from app.core.conversation.shared_file import SharedFile
from app.core.file_content import FileKind
from app.core.state.decision import Decision, DecisionStep
from app.core.state.interview import VouchedFigure
from app.core.state.status import Kind
from app.ports import KeptFile
from app.runtime.record.sayings import SayingsReader
from tests.unit.core.interviews import HUB
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision, said


def kept(file: str, text: str) -> KeptFile:
    return KeptFile(file=file, content="[]", tokens=1, name=f"{file}.txt", kind=FileKind.TEXT, text=text)


def shared(file: str, ts: str, *, by_owner: bool = True) -> SharedFile:
    return SharedFile(id=file, name=f"{file}.txt", ts=ts, by_owner=by_owner)


async def holding(stored: StoredDecision, now: Conversation) -> Conversation:
    """The thread of a step with files of which not all count."""
    for each in (kept("F1", "15k"), kept("F2", "16k"), kept("F3", ""), kept("F4", "17k"), kept("F9", "18k")):
        await stored.store.files.keep(now, each)
    files = (shared("F1", "9.1"), shared("F2", "9.2", by_owner=False), shared("F3", "9.1"), shared("F4", "9.4"))
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
    files = (shared("F1", "9.1"),)
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
