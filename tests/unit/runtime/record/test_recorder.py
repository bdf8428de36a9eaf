"""What a conversation wants kept or passed on is done once, however often it is tried."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any, cast

import pytest

from app.core.conversation.conversation import BEFORE, Conversation, Message, Role
from app.core.conversation.effect import (
    ForgetFiles,
    OpenStep,
    RedactQuotes,
    SavePermissionRule,
    SaveVersion,
    SendDirectMessage,
    SendNotice,
)
from app.core.conversation.news import OwnerChange, StepEvent, StepMove
from app.core.events.heard import ComponentStarted, NoticeReceived
from app.core.state.decision import Decision, DecisionStep
from app.core.state.interview import Mode, SourceMessage
from app.core.state.status import Kind
from app.core.thread import ThreadKey
from app.decision.schema.paths import Draft
from app.ports import KeptFile, Outlet
from app.runtime.record.recorder import Recorded, RecordWriter
from tests.contract.store.clock import ManualClock
from tests.contract.store.rules import rule
from tests.flow.overheard import listening
from tests.unit.core.interviews import HUB
from tests.unit.decision.components.worked import minimal
from tests.unit.handlers.payloads import ANN, MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision

STEP = ThreadKey(team=HUB.team, channel=HUB.channel, root="1770000500.000100")
"""Where the thread of a step begins."""


class Postman:
    """Of the `Outlet`, what begins a step and tells somebody directly: the message is there from the first time on."""

    def __init__(self) -> None:
        self.posted: list[tuple[str, bool]] = []
        self.begins = STEP

    async def begin_step(self, decision: Conversation, component: str, *, unsure: bool) -> ThreadKey:
        self.posted.append((component, unsure))
        return self.begins

    async def tell_directly(self, conversation: Conversation, told: SendDirectMessage, *, unsure: bool) -> None:
        self.posted.append((told.text, unsure))


class Recording(StoredDecision):
    """Somebody who records, and what comes of it."""

    def __init__(self) -> None:
        self.hours = ManualClock()
        super().__init__(clock=self.hours)
        self.postman = Postman()
        self.recorder = RecordWriter(
            intake=self.intake,
            conversations=self.store.conversations,
            versions=self.store.versions,
            files=self.store.files,
            permissions=self.store.permissions,
            casebook=self.book,
            outlet=cast("Outlet", self.postman),
            clock=self.clock,
            copies_days=7,
        )

    async def records(self, now: Conversation, effect: Recorded, *, unsure: bool = False) -> None:
        await self.recorder.record(now, effect, unsure=unsure)

    async def heard(self, thread: ThreadKey) -> tuple[Any, ...]:
        """The events that wait in a thread's inbox."""
        return tuple(row.event for row in await self.store.inbox.open_rows(thread))

    async def approved(self, **draft: Any) -> Conversation:
        """The thread of a step whose approved draft stands in row 1."""
        data = json.dumps({**minimal("issue_raising"), **draft})
        return await self.step("issue_raising", rows=(Message(seq=1, role=Role.NOTE, text="", data=data, author=MAYA),))

    async def hub(self, number: int = 30, *, example: bool = False) -> Conversation:
        decision = Decision(question="Where do we meet?", steps=(), example=example)
        return await placed(self.store, talk(number, kind=Kind.DECISION, decision=decision, sources=("C7",)))


def _quoting_objective(message: str) -> Draft:
    draft = minimal("objectives")
    draft["fundamental_objectives"][0]["evidence"] = [{"message_id": message, "quote": "swordfish"}]
    return draft


@pytest.fixture
def recording() -> Recording:
    return Recording()


@pytest.fixture
def log() -> Iterator[StringIO]:
    with listening() as heard:
        yield heard


async def test_what_was_approved_is_in_the_record_under_its_number(recording: Recording) -> None:
    now = await recording.approved()
    await recording.records(now, SaveVersion(id="r:0", row=1, version=1))
    (version,) = await recording.store.versions.list(HUB)
    assert (version.component, version.number, version.approved_by) == ("issue_raising", 1, MAYA)
    assert version.data["potential_decisions"][0]["description"] == "Where to meet"


async def test_who_approved_stands_in_the_record_though_the_decision_was_handed_over_since(
    recording: Recording,
) -> None:
    now = replace(await recording.approved(), owner=ANN)
    await recording.records(now, SaveVersion(id="r:0", row=1, version=1))
    assert [version.approved_by for version in await recording.store.versions.list(HUB)] == [MAYA]


async def test_a_version_that_is_kept_twice_is_the_first_one(recording: Recording) -> None:
    now, keep = await recording.approved(), SaveVersion(id="r:0", row=1, version=1)
    await recording.records(now, keep)
    first = await recording.store.versions.list(HUB)
    recording.hours.advance(60)
    await recording.records(now, keep)
    assert await recording.store.versions.list(HUB) == first


@pytest.mark.req("FA-20")
async def test_the_words_of_a_deleted_message_go_from_every_version_of_every_step(
    recording: Recording, log: StringIO
) -> None:
    quotes: list[dict[str, str]] = [{"message_id": "1.1", "quote": "swordfish"}, {"message_id": "1.2", "quote": "Else"}]
    quoting = [{"handle": "D1", "description": "Where to meet", "evidence": quotes}]
    now = await recording.approved(potential_decisions=quoting)
    for number in (1, 2):
        await recording.records(now, SaveVersion(id="r:0", row=1, version=number))
    for key, draft in (("objectives", _quoting_objective("1.1")), ("alternatives", minimal("alternatives"))):
        await recording.approves(key, draft)
    other_step = DecisionStep(key="objectives", title="Objectives", thread=(await recording.step("objectives")).thread)
    decision = Decision(question="Where do we meet?", steps=(other_step,))
    await placed(recording.store, replace(talk(30, kind=Kind.DECISION, decision=decision), thread=HUB))
    before = await recording.store.versions.list(HUB)
    for _ in range(2):
        await recording.records(now, RedactQuotes(id="r:1", message="1.1"))
    unquoting, first, second, other = after = await recording.store.versions.list(HUB)
    for version in (first, second):
        evidence = version.data["potential_decisions"][0]["evidence"]
        assert evidence == [{"message_id": "deleted", "quote": "(deleted)"}, quotes[1]]
    assert other.data["fundamental_objectives"][0]["evidence"] == [{"message_id": "deleted", "quote": "(deleted)"}]
    assert unquoting == before[0]
    assert [replace(each, data={}) for each in after] == [replace(each, data={}) for each in before]
    assert log.getvalue().count("version_unquoted") == 3, "each once, and none that holds no such words"
    assert "swordfish" not in log.getvalue()


@pytest.mark.req("FA-20")
async def test_a_step_that_was_erased_meanwhile_keeps_no_other_from_losing_the_words_of_a_deleted_message(
    recording: Recording,
) -> None:
    quotes = [{"message_id": "1.1", "quote": "swordfish"}]
    now = await recording.approved(potential_decisions=[{"handle": "D1", "description": "Where", "evidence": quotes}])
    erased = minimal("alternatives")
    erased["alternatives"][0]["evidence"] = quotes
    await recording.approves("alternatives", erased)
    await recording.records(now, SaveVersion(id="r:0", row=1, version=1))
    decision = Decision(question="Where do we meet?", steps=(DecisionStep(key="alternatives", title="Alternatives"),))
    await placed(recording.store, replace(talk(30, kind=Kind.DECISION, decision=decision), thread=HUB))
    await recording.records(now, RedactQuotes(id="r:1", message="1.1"))
    left = {version.component: "swordfish" in str(version.data) for version in await recording.store.versions.list(HUB)}
    assert left == {"alternatives": True, "issue_raising": False}


@pytest.mark.req("S0-004")
async def test_of_what_is_kept_not_a_word_reaches_the_log(recording: Recording, log: StringIO) -> None:
    now = await recording.approved(considerations=[{"handle": "C1", "text": "swordfish"}])
    await recording.records(now, SaveVersion(id="r:0", row=1, version=1))
    hub = await recording.hub()
    said = (SourceMessage(ts="1.1", author=ANN, name="Ann", text="swordfish"),)
    await recording.records(hub, OpenStep(id="r:1", component="objectives", mode=Mode.DIRECT, material=said))
    await recording.records(now, SendNotice(id="r:2", thread=hub.thread, news=OwnerChange(owner=ANN)))
    assert "version_kept" in log.getvalue()
    assert "swordfish" not in log.getvalue()


async def test_news_are_heard_once_by_whoever_they_are_for(recording: Recording) -> None:
    now, hub = await recording.step("issue_raising"), await recording.hub()
    tell = SendNotice(id="r:0", thread=hub.thread, news=OwnerChange(owner=ANN))
    for _ in range(2):
        await recording.records(now, tell)
    (heard,) = await recording.heard(hub.thread)
    assert isinstance(heard, NoticeReceived)
    assert heard.news == OwnerChange(owner=ANN)


@pytest.mark.req("SE-04")
async def test_what_is_told_carries_where_it_comes_from_and_nothing_from_before_there_were_labels(
    recording: Recording,
) -> None:
    hub = await recording.hub()
    now = replace(await recording.step("issue_raising"), sources=(BEFORE, "C9"))
    await recording.records(now, SendNotice(id="r:0", thread=hub.thread, news=OwnerChange(owner=ANN)))
    (heard,) = await recording.heard(hub.thread)
    assert heard.sources == ("C9",)


async def test_what_is_told_of_a_card_says_where_it_stands(recording: Recording) -> None:
    hub = await recording.hub()
    card = Message(seq=1, role=Role.CARD, text="", parts=("1770000100.000200", "1770000100.000300"))
    now = await recording.step("issue_raising", rows=(card,))
    move = StepMove(component="issue_raising", thread=now.thread, on=StepEvent.STARTED)
    for number in (0, 1, 2):
        await recording.records(
            now, SendNotice(id=f"r:{number}", thread=hub.thread, news=replace(move, card=number, ts="9.9"))
        )
    assert [each.news.ts for each in await recording.heard(hub.thread)] == ["9.9", card.parts[0], ""]


async def test_a_file_that_is_gone_is_forgotten_and_a_rule_is_kept(recording: Recording) -> None:
    now = await recording.step("issue_raising")
    for name in ("F1", "F2"):
        await recording.store.files.keep(now, KeptFile(file=name, content="[]", tokens=1))
    await recording.records(now, ForgetFiles(id="r:0", files=("F1",)))
    assert [each.file for each in await recording.store.files.list(now)] == ["F2"]
    allowed = rule()
    await recording.records(now, SavePermissionRule(id="r:1", rule=allowed))
    permissions = recording.store.permissions
    assert await permissions.list(allowed.team, allowed.user) == (allowed,)
    await permissions.revoke(allowed.team, allowed.user, allowed.tool, allowed.scope)
    await recording.records(now, SavePermissionRule(id="r:1", rule=allowed), unsure=True)
    assert await permissions.list(allowed.team, allowed.user) == (), "it was revoked since"


@pytest.mark.parametrize("unsure", [False, True])
async def test_what_is_told_directly_is_looked_for_first_if_it_may_have_been_told(
    recording: Recording, unsure: bool
) -> None:
    now = await recording.step("issue_raising")
    told = SendDirectMessage(id="r:0", user=MAYA, text="I cannot write there.", since="1.1")
    await recording.records(now, told, unsure=unsure)
    assert recording.postman.posted == [(told.text, unsure)]


async def test_two_conversations_may_tell_under_the_same_id(recording: Recording) -> None:
    hub = await recording.hub()
    tell = SendNotice(id="r:0", thread=hub.thread, news=OwnerChange(owner=ANN))
    for key in ("issue_raising", "problem_frame"):
        await recording.records(await recording.step(key), tell)
    assert len(await recording.heard(hub.thread)) == 2


async def test_news_for_a_thread_that_is_gone_are_kept_nowhere(recording: Recording) -> None:
    gone = talk(77).thread
    await recording.records(
        await recording.step("issue_raising"), SendNotice(id="r:0", thread=gone, news=OwnerChange(owner=ANN))
    )
    assert await recording.heard(gone) == ()
    assert await recording.store.conversations.find(gone) is None


@pytest.mark.req("S0-048", "S0-049", "SE-04")
async def test_a_step_begins_once_in_the_thread_that_was_posted_for_it(recording: Recording) -> None:
    hub = await recording.hub()
    opens = OpenStep(id="r:0", component="objectives")
    assert await recording.store.conversations.find(STEP) is None, "a step that nobody has begun has no record"
    await recording.records(hub, opens)
    await recording.records(hub, opens, unsure=True)
    assert recording.postman.posted == [("objectives", False), ("objectives", True)]
    (begun,) = await recording.heard(STEP)
    assert isinstance(begun, ComponentStarted)
    assert (begun.component, begun.decision, begun.user) == ("objectives", hub.thread, MAYA)
    assert (begun.question, begun.name, begun.sources) == ("Where do we meet?", hub.name, hub.sources)
    (known,) = await recording.heard(hub.thread)
    assert known.news == StepMove(component="objectives", thread=STEP, on=StepEvent.STARTED, owner=MAYA)
    stub = await recording.store.conversations.find(STEP)
    assert stub is not None
    assert stub.owner == MAYA


@pytest.mark.req("S4-006")
@pytest.mark.parametrize(
    ("effect", "mode"),
    [
        (OpenStep(id="r:0", component="objectives"), Mode.INTERACTIVE),
        (
            OpenStep(
                id="r:0",
                component="objectives",
                mode=Mode.DIRECT,
                material=(SourceMessage(ts="1.1", author=ANN, name="Ann", text="We need a hall."),),
            ),
            Mode.DIRECT,
        ),
    ],
)
async def test_with_people_in_the_thread_a_step_is_led_and_without_them_it_is_drafted(
    recording: Recording, effect: OpenStep, mode: Mode
) -> None:
    await recording.records(await recording.hub(), effect)
    (begun,) = await recording.heard(STEP)
    assert (begun.mode, begun.material) == (mode, effect.material)


async def test_a_step_that_is_begun_anew_begins_in_its_new_thread(recording: Recording) -> None:
    hub, anew = await recording.hub(), replace(STEP, root="1770000600.000100")
    for effect, thread in (("r:0", STEP), ("r:1", anew)):
        recording.postman.begins = thread
        await recording.records(hub, OpenStep(id=effect, component="objectives"))
    assert [len(await recording.heard(thread)) for thread in (STEP, anew)] == [1, 1]
    assert [each.news.thread for each in await recording.heard(hub.thread)] == [STEP, anew]


async def test_a_step_that_is_begun_anew_is_told_how_far_its_handles_went(recording: Recording) -> None:
    steps = (DecisionStep(key="objectives", title="Objectives", handles={"O": 4}),)
    hub = await placed(recording.store, talk(30, kind=Kind.DECISION, decision=Decision(question="Where?", steps=steps)))
    await recording.records(hub, OpenStep(id="r:0", component="objectives"))
    (begun,) = await recording.heard(STEP)
    assert begun.handles == {"O": 4}


@pytest.mark.parametrize("example", [False, True])
async def test_a_step_of_the_worked_example_knows_that_it_is_one(recording: Recording, example: bool) -> None:
    await recording.records(await recording.hub(example=example), OpenStep(id="r:0", component="objectives"))
    (begun,) = await recording.heard(STEP)
    assert begun.example is example
