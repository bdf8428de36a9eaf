"""A turn that does something outside, in a held conversation: what it saves, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from app.agent.tool_runner import ToolRunner
from app.agent.tools.trial import Trial
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Transition, Turn
from app.core.conversation.effect import SavePermissionRule
from app.core.conversation.shared_file import SharedFile
from app.core.errors import StoreUnavailable
from app.core.state.goal import PlanProposed
from app.core.state.permission import PermissionRequest, PermissionVerdict, Rule
from app.core.state.status import TurnState
from app.core.state.tool_use import UseState
from app.core.text.marks import FORM
from app.core.turns import takeover
from app.ports import Conversations, Permissions, ToolUse
from app.runtime.lease import HeldConversation, LeaseTimes
from app.runtime.outside.external_tools import Outside
from app.runtime.turn_runner import Resources, TurnRunner
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, PUT
from tests.unit.agent.scripted import COST, COUNTED, Part, answers, deltas
from tests.unit.core.lives import use
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.voiced import Voiced

POSTING = PermissionRequest(tool="put", scope="ops", reads=False)
SAID = Message(seq=1, role=Role.PERSON, text="Post it", author=MAYA, ts="9.1")
ROW = Message(seq=2, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING)
TURN = Turn(id="2.1", reply=2, cause="r1", since="1770000100.000000")


@dataclass
class Bench:
    """What is in the hands of every turn here."""

    shop: Workshop
    overheard: bool = False

    def runner(self, trial: object, of: object, open_file: object) -> ToolRunner:
        return self.shop.hands

    async def is_overheard(self, now: Conversation) -> bool:
        return self.overheard


@dataclass
class Saving:
    """Implements what a `HeldConversation` needs of the store: each save first does the next of these."""

    store: Conversations
    before: list[Any] = field(default_factory=list[Any])

    async def save(self, step: Transition, head: int | None = None) -> Conversation:
        if self.before:
            await self.before.pop(0)()
        return await self.store.save(step, head)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class Working(Voiced):
    """A free thread whose turn may do something outside."""

    async def works(
        self, shop: Workshop, *before: Any, row: Message = ROW, turn: Turn = TURN, said: tuple[Message, ...] = (SAID,)
    ) -> None:
        begun = talk(1, head=row.seq, run=TurnState.STREAMING, turn=turn, form=FORM)
        now = await placed(self.store, begun, *said, row)
        self.saving = Saving(self.store.conversations, list(before))
        self.hold = HeldConversation(now, cast("Conversations", self.saving), self.clock, LeaseTimes())
        resources: Resources = replace(self._resources, outside=cast("Outside", Bench(shop)))
        self.answering = TurnRunner(self.hold, resources)
        await self.answering.begin()

    async def judges(self, *pending: SavePermissionRule) -> PermissionVerdict:
        """What a turn that goes on now may post in #ops."""
        now = talk(1, turn=TURN, effects=pending)
        return (await self.judging(lambda: now).judge(POSTING)).verdict

    def judging(self, of: Callable[[], Conversation], **other: Any) -> ToolRunner:
        """The hands of a turn in the conversation as it is at each moment."""
        return replace(self._resources.outside, **other).runner(
            Trial(of(), (), lambda: "1"), of, self._resources.files.read_again
        )

    @property
    def states(self) -> list[UseState]:
        turn = self.hold.conversation.turn
        return [use.state for use in turn.uses] if turn else []


def scripts(*uses: ToolUse) -> list[list[Part]]:
    return [answers(*uses, text="I post it."), answers(text="Done.")]


async def test_before_its_beginning_is_saved_nothing_is_done_however_long_mongodb_is_away() -> None:
    shop, found = Workshop(FREELY), list[object]()

    async def away() -> None:
        found.append(list(shop.done))
        raise StoreUnavailable("away", after=0.0)

    voiced = Working(*scripts(PUT))
    await voiced.works(shop, away, away)
    reply = await voiced.answering.end()
    assert (reply.status, reply.text) == (MessageStatus.COMPLETE, "I post it.\n\nDone.")
    assert (found, shop.done) == ([[], []], [("p1", "Hi")])
    assert voiced.states == [UseState.DONE]


async def test_who_cuts_a_turn_off_while_its_state_is_saved_does_not_break_off_the_save() -> None:
    shop, saving, go_on = Workshop(FREELY), asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        saving.set()
        await go_on.wait()

    voiced = Working(*scripts(PUT))
    await voiced.works(shop, slow)
    await saving.wait()
    cut = await voiced.answering.cut(MessageStatus.CANCELLED)
    assert (cut.status, shop.done) == (MessageStatus.CANCELLED, [])
    go_on.set()
    async with voiced.hold.writing:
        assert voiced.states == [UseState.STARTED]
    await voiced.hold.change(
        lambda now: Transition(conversation=now)
    )  # nobody has saved a state that is not known here


@pytest.mark.parametrize("status", [MessageStatus.CANCELLED, MessageStatus.INTERRUPTED])
async def test_a_turn_that_had_come_to_a_permission_ends_like_any_other_when_it_is_cut_off(
    status: MessageStatus,
) -> None:
    voiced = Working(*scripts(PUT))
    await voiced.works(Workshop())
    await voiced.answering.over()
    cut = await voiced.answering.cut(status)
    assert (cut.status, cut.text, cut.usage) == (status, "I post it.", COST)


# Where it is shown


async def shown(voiced: Working, text: str) -> Message:
    """Slack has shown this of it; gives the row as it is kept then."""
    await voiced.outlet.keepers[-1].record(text, ("9.7",))
    return await kept(voiced)


async def kept(voiced: Working) -> Message:
    (row,) = [row for row in await voiced.store.conversations.transcript(voiced.hold.conversation, 1) if row.seq == 2]
    return row


async def test_where_a_reply_is_shown_is_not_forgotten_when_what_it_does_is_saved() -> None:
    voiced, asking = Working(answers(PUT), [asyncio.Event()]), list[Message]()

    async def puts(_given: object) -> str:
        asking.append(await shown(voiced, "Using put …"))
        return "ok"

    await voiced.works(Workshop(FREELY, puts=puts))
    while len(voiced.model.asked) < 2:
        await asyncio.sleep(0)
    await voiced.answering.drop()
    (begun,), done = asking, await kept(voiced)
    assert (begun.parts, done.parts) == (("9.7",), ("9.7",))
    assert begun.content == done.content != ""
    assert takeover.close_after_crash(voiced.hold.conversation, done) is not None  # it would be shown twice


async def test_a_reply_that_goes_on_after_it_has_waited_waits_no_more_from_the_end_of_its_round_on() -> None:
    voiced = Working([asyncio.Event()])
    denied = replace(use("p1", UseState.DENIED), tool="put", input='{"to":"ops","text":"Hi"}')
    turn = replace(TURN, uses=(denied,), rounds=1, resumed=1)
    wish: dict[str, Any] = {"type": "tool_use", "id": "p1", "name": "put", "input": {}}
    content = json.dumps([{"role": "assistant", "content": [wish]}])
    row = replace(ROW, text="I post it.", status=MessageStatus.HELD, content=content)
    await voiced.works(Workshop(), row=row, turn=turn)
    await voiced.model.begun.wait()
    held = await kept(voiced)
    assert (held.status, held.stands) == (MessageStatus.STREAMING, "I post it.")
    row = await shown(voiced, "I post it.\n\nThen I")
    closed = takeover.close_after_crash(voiced.hold.conversation, row)
    await voiced.answering.drop()
    assert row.stands == "I post it."
    assert closed
    assert (closed.status, closed.text) == (MessageStatus.INTERRUPTED, "I post it.\n\nThen I")


async def test_of_a_round_that_nobody_knows_no_call_counts_when_the_turn_begins_again() -> None:
    voiced = Working(answers(text="Well."))
    row = Message(seq=2, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING, calls=(PlanProposed(),))
    await voiced.works(Workshop(), row=row)
    assert (await voiced.answering.end()).calls == ()


# What was decided for good


def deciding(*, allows: bool, at: str = "2026-02-02T02:40:00Z") -> SavePermissionRule:
    rule = Rule(team=talk(1).thread.team, user=MAYA, tool="put", scope="ops", allows=allows, at=at)
    return SavePermissionRule(id="r:0", rule=rule)


@pytest.mark.req("SE-05")
async def test_what_was_forbidden_elsewhere_since_counts_before_an_older_decision_that_is_not_kept_yet() -> None:
    voiced = Working()
    await voiced.store.permissions.keep(deciding(allows=False, at="2026-02-02T02:40:01Z").rule)
    assert await voiced.judges(deciding(allows=True)) is PermissionVerdict.DENIED


async def test_what_was_decided_for_good_counts_before_it_is_kept_and_no_more_once_it_is_revoked() -> None:
    voiced, keeping = Working(), deciding(allows=True)
    permissions = voiced.store.permissions
    assert await voiced.judges(keeping) is PermissionVerdict.ALLOWED
    await permissions.keep(keeping.rule)
    assert await voiced.judges() is PermissionVerdict.ALLOWED
    assert await voiced.judges(deciding(allows=False)) is PermissionVerdict.DENIED
    await permissions.revoke(keeping.rule.team, MAYA, "put", "ops")
    assert await voiced.judges() is PermissionVerdict.ASK


async def test_while_mongodb_is_away_nothing_is_judged_and_then_by_what_is_kept() -> None:
    voiced, keeping = Working(), deciding(allows=True)
    permissions, away = voiced.store.permissions, [StoreUnavailable("away", after=0.0)] * 5
    await permissions.keep(keeping.rule)

    class Shaky:
        async def list(self, team: str, user: str) -> tuple[Rule, ...]:
            if away:
                raise away.pop()
            return await permissions.list(team, user)

    hands = voiced.judging(lambda: talk(1, turn=TURN), permissions=cast("Permissions", Shaky()))
    assert (await hands.judge(POSTING)).verdict is PermissionVerdict.ALLOWED


async def test_a_turn_under_way_goes_by_the_rules_as_they_are_when_a_use_comes_up() -> None:
    voiced, keeping = Working(), deciding(allows=True)
    permissions, states = voiced.store.permissions, [talk(1, turn=TURN, effects=(keeping,))]
    hands = voiced.judging(lambda: states[-1])
    assert (await hands.judge(POSTING)).verdict is PermissionVerdict.ALLOWED
    await permissions.keep(keeping.rule)
    states.append(replace(states[-1], effects=()))
    assert (await hands.judge(POSTING)).verdict is PermissionVerdict.ALLOWED
    await permissions.revoke(keeping.rule.team, MAYA, "put", "ops")
    assert (await hands.judge(POSTING)).verdict is PermissionVerdict.ASK
    await permissions.keep(deciding(allows=False).rule)
    assert (await hands.judge(POSTING)).verdict is PermissionVerdict.DENIED


async def test_rules_are_looked_up_for_each_use_that_writes_and_once_for_all_that_read() -> None:
    voiced, looks = Working(), list[str]()
    permissions = voiced.store.permissions

    class Counted:
        async def list(self, team: str, user: str) -> tuple[Rule, ...]:
            looks.append(user)
            return await permissions.list(team, user)

    hands = voiced.judging(lambda: talk(1, turn=TURN), permissions=cast("Permissions", Counted()))
    for reads in (True, True, False, True, False):
        await hands.judge(replace(POSTING, reads=reads))
    assert len(looks) == 3


# What is said meanwhile

LOOK = ToolUse(id="l1", name="look", input={"text": "ops"})
ALSO = Message(seq=3, role=Role.PERSON, text="Use #board instead", author=MAYA, ts="9.3")
ASKED: dict[str, Any] = {"asked": (ALSO.seq,)}


@pytest.mark.parametrize(
    ("row", "state", "is_read"),
    [
        (ALSO, ASKED, True),
        (replace(ALSO, status=MessageStatus.DELETED), ASKED, False),
        (replace(ALSO, author="U0BEN0001"), {}, False),
        (replace(ALSO, role=Role.NOTE, author=""), {**ASKED, "planned": ALSO.seq}, False),
        (ALSO, {**ASKED, "files": (SharedFile(id="F1", name="a.csv", seq=ALSO.seq, by_owner=True),)}, False),
    ],
    ids=["the owner's", "deleted", "somebody else's", "a run that is due", "with a file"],
)
async def test_between_two_rounds_the_turn_reads_what_its_owner_has_written_and_nothing_that_waits_for_the_next(
    row: Message, state: dict[str, Any], is_read: bool
) -> None:
    voiced = Working(answers(LOOK), answers(text="Done."))

    async def look(_given: object) -> str:
        written = Transition(conversation=replace(voiced.hold.conversation, head=row.seq, **state), messages=(row,))
        await voiced.hold.change(lambda _: written)
        return "ops"

    await voiced.works(Workshop(looks=look))
    assert (await voiced.answering.end()).status is MessageStatus.COMPLETE
    assert (ALSO.text in str(voiced.model.asked[1].messages)) is is_read


@pytest.mark.req("SE-04")
async def test_a_write_knows_that_somebody_else_has_written_while_the_turn_was_under_way() -> None:
    voiced, shop = Working(answers(LOOK), answers(PUT), answers(text="Done.")), Workshop(FREELY)
    theirs = Message(seq=3, role=Role.PERSON, text="Sam gets a raise", author="U0BEN0001", ts="9.3")
    beside = replace(ALSO, seq=4, ts="9.4", text="Tell #ops")

    async def look(_given: object) -> str:
        now = replace(voiced.hold.conversation, head=4, asked=(4,))
        await voiced.hold.change(lambda _: Transition(conversation=now, messages=(theirs, beside)))
        return "ops"

    shop.looks = look
    await voiced.works(shop)
    reply = await voiced.answering.end()
    channel = voiced.hold.conversation.thread.channel
    assert theirs.text in str(voiced.model.asked[1].messages)
    assert [channel in wanted.sources for wanted in shop.judged] == [False, True], "the look comes before"
    assert channel in (reply.sources or ())


async def test_the_task_of_a_run_that_is_due_is_not_read_with_what_the_owner_writes_beside_it() -> None:
    voiced, beside = Working(answers(LOOK), answers(text="Done.")), replace(ALSO, seq=4, ts="9.4", text="And #ops")
    task = replace(ALSO, role=Role.NOTE, author="", text="The task of Monday")

    async def look(_given: object) -> str:
        now = replace(voiced.hold.conversation, head=4, asked=(3, 4), planned=3)
        await voiced.hold.change(lambda _: Transition(conversation=now, messages=(task, beside)))
        return "ops"

    await voiced.works(Workshop(looks=look))
    await voiced.answering.end()
    sent = str(voiced.model.asked[1].messages)
    assert (beside.text in sent, task.text in sent) == (True, False)


@pytest.mark.parametrize(("planned", "is_done"), [(ALSO.seq, True), (0, False)], ids=["a run", "the owner"])
async def test_a_run_that_falls_due_holds_no_write_up_and_what_the_owner_writes_does(
    planned: int, is_done: bool
) -> None:
    voiced = Working(answers(LOOK, PUT), answers(text="Done."))

    async def look(_given: object) -> str:
        now = replace(voiced.hold.conversation, head=ALSO.seq, asked=(ALSO.seq,), planned=planned)
        await voiced.hold.change(lambda _: Transition(conversation=now, messages=(ALSO,)))
        return "ops"

    shop = Workshop(FREELY, looks=look)
    await voiced.works(shop)
    await voiced.answering.end()
    assert shop.done == ([("p1", "Hi")] if is_done else [])


# What does not fit


@pytest.mark.parametrize("rounds", [0, 1])
async def test_a_thread_that_is_too_long_is_shortened_before_a_turn_and_never_while_a_round_is_open(
    rounds: int,
) -> None:
    long = tuple(replace(SAID, seq=seq, ts=f"9.{seq}", text="x" * 50_000) for seq in range(1, 5))
    row = replace(ROW, seq=5, rounds=rounds, content="[]" if rounds else "")
    voiced = Working(answers(text="Done."))
    await voiced.works(
        Workshop(), row=row, turn=replace(TURN, id="5.1", reply=5, rounds=rounds, taken_up=True), said=long
    )
    await voiced.answering.drop()
    assert (voiced.hold.conversation.since > 0) is (rounds == 0), "what a round was sent stays as it was sent"


# What is kept of a round that is over


@pytest.mark.req("MW-21")
async def test_a_round_that_only_read_is_kept_before_the_model_is_asked_again() -> None:
    voiced = Working(answers(LOOK, text="I look."), [asyncio.Event()])
    await voiced.works(Workshop())
    while len(voiced.model.asked) < 2:
        await asyncio.sleep(0)
    row, turn = await kept(voiced), voiced.hold.conversation.turn
    await voiced.answering.drop()
    assert turn
    assert (turn.rounds, turn.uses, row.rounds) == (1, (), 1)
    assert json.loads(row.content) == voiced.model.asked[1].messages[1:]
    assert (row.text, row.stands) == ("I look.", "I look.")


@pytest.mark.req("MW-21")
async def test_who_goes_on_with_it_neither_looks_again_nor_asks_otherwise_than_before() -> None:
    first, shop = Working(answers(LOOK, text="I look."), [asyncio.Event()]), Workshop()
    await first.works(shop)
    while len(first.model.asked) < 2:
        await asyncio.sleep(0)
    row, turn = await kept(first), first.hold.conversation.turn
    await first.answering.drop()
    assert turn
    second = Working(answers(text="Nothing new."))
    await second.works(Workshop(), row=row, turn=replace(turn, taken_up=True))
    reply = await second.answering.end()
    assert second.model.asked[0].messages == first.model.asked[1].messages
    assert (reply.status, reply.text, reply.rounds) == (MessageStatus.COMPLETE, "I look.\n\nNothing new.", 2)
    assert reply.usage == COST + COST


async def test_what_was_called_in_rounds_that_are_over_counts_for_who_goes_on_with_it() -> None:
    said = json.dumps([{"role": "assistant", "content": [{"type": "text", "text": "I plan."}]}])
    row = replace(ROW, text="I plan.", standing=7, content=said, rounds=1, calls=(PlanProposed(),))
    voiced = Working(answers(text="Done."))
    await voiced.works(Workshop(), row=row, turn=replace(TURN, rounds=1, taken_up=True))
    assert (await voiced.answering.end()).calls == (PlanProposed(),)


async def test_what_the_round_that_was_cut_has_cost_is_kept_with_what_it_has_shown() -> None:
    voiced = Working([COUNTED, *deltas("Half of it"), asyncio.Event()])
    await voiced.works(Workshop())
    await voiced.outlet.paper.seen.wait()
    row = await shown(voiced, "Half of it")
    await voiced.answering.drop()
    assert (row.usage, row.kept_at) == (COUNTED.usage, voiced.hold.at)


async def test_an_answer_that_is_left_to_the_next_process_keeps_what_it_has_cost_and_when_that_was() -> None:
    go_on, has_come = asyncio.Event(), asyncio.Event()
    voiced = Working([*deltas("Half of it"), go_on, COUNTED, has_come.set, asyncio.Event()])
    await voiced.works(Workshop())
    await voiced.outlet.paper.seen.wait()
    await shown(voiced, "Half of it")
    go_on.set()
    await has_come.wait()
    await voiced.answering.leave()
    row = await kept(voiced)
    assert (row.text, row.parts, row.status) == ("Half of it", ("9.7",), MessageStatus.STREAMING)
    assert row.usage == COUNTED.usage
    assert not voiced.answering.is_under_way


@pytest.mark.req("SE-09")
@pytest.mark.parametrize(("rounds", "plain"), [(0, 3), (1, 0)], ids=["begins", "goes on"])
async def test_results_that_somebody_new_may_not_hear_of_go_where_an_answer_begins_and_what_stands_stays(
    rounds: int, plain: int
) -> None:
    voiced = Working(answers(text="Done."))
    block = '[{"role":"assistant","content":[{"type":"text","text":"Read."}]}]'
    rows = (
        Message(seq=1, role=Role.PERSON, text="Never post", author=MAYA, ts="9.1"),
        Message(seq=2, role=Role.ASSISTANT, text="Read.", content=block),
        Message(seq=3, role=Role.PERSON, text="Go on", author=MAYA, ts="9.3"),
        replace(ROW, seq=4, rounds=rounds, content=block if rounds else ""),
    )
    turn = replace(TURN, id="4.1", reply=4, rounds=rounds)
    state: dict[str, Any] = {"head": 4, "since": 1, "summary": "so far", "standing": (1,), "quiet": 1, "form": FORM}
    now = await placed(voiced.store, talk(1, run=TurnState.STREAMING, turn=turn, **state), *rows)
    voiced.hold = HeldConversation(now, voiced.store.conversations, voiced.clock, LeaseTimes())
    outside = cast("Outside", Bench(Workshop(FREELY), overheard=True))
    voiced.answering = TurnRunner(voiced.hold, replace(voiced._resources, outside=outside))  # pyright: ignore[reportPrivateUsage]
    await voiced.answering.begin()
    await voiced.answering.end()
    after = voiced.hold.conversation
    assert (after.plain, after.summary, after.standing, after.quiet) == (plain, "so far", (1,), 1)
