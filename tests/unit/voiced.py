"""Somebody who answers in a held conversation: a scripted model, paper drafts, and a store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from app.agent.attachments import Attachments
from app.agent.reply import TurnSettings
from app.core.conversation.conversation import Conversation, Message, MessageStatus, Role, Turn
from app.core.conversation.shared_file import SharedFile
from app.core.owners import Membership, Owners
from app.core.state.interview import Phase, Stage
from app.core.state.permission import Policy
from app.core.state.status import TurnState
from app.ports import Clock, Outlet, Profile, SlackAccess, WriteGuard
from app.runtime.fact_gatherer import FactGatherer
from app.runtime.lease import HeldConversation, LeaseTimes
from app.runtime.limits import Limits, LimitSettings
from app.runtime.outside.external_tools import Outside
from app.runtime.outside.rule_uses import RuleUses
from app.runtime.record.recorder import RecordWriter
from app.runtime.turn_runner import Resources, TurnRunner
from tests.unit.agent.scripted import MODEL, PaperDraft, Part, ScriptedModel
from tests.unit.agent.tools.outer.afield import FakeReach
from tests.unit.brought import FakeReader, FakeSource
from tests.unit.stored_decision import StoredDecision

TURN = TurnSettings(model=MODEL, max_tokens=1_000, context_tokens=32_000)


class PaperOutlet:
    """Of the `Outlet`, what an answer needs. `asked` keeps whom Slack was asked about, `keepers` whoever is told."""

    def __init__(self) -> None:
        self.paper = PaperDraft()
        self.asked: list[str] = []
        self.keepers: list[WriteGuard] = []
        self.standing: Membership | None = None
        self.named: dict[str, str] = {}
        """Names that people have given themselves; all others have plain ones."""

    def draft(self, conversation: Conversation, reply: Message, keeper: WriteGuard) -> PaperDraft:
        self.keepers.append(keeper)
        return self.paper

    async def profile_of(self, team: str, user: str) -> Profile:
        self.asked.append(user)
        name = self.named.get(user, f"Name of {user}")
        return Profile(name=name, zone="Europe/Berlin", standing=self.standing)


class Voiced(StoredDecision):
    """`answering` and `gatherer` are those of the conversation that `holds` was given last."""

    answering: TurnRunner
    gatherer: FactGatherer
    hold: HeldConversation

    def __init__(
        self,
        *scripts: Sequence[Part],
        clock: Clock | None = None,
        limits: LimitSettings | None = None,
        owners: Owners = Owners.ANYONE,
        reach: FakeReach | None = None,
    ) -> None:
        super().__init__(clock=clock)
        self.source = FakeSource()
        self.model, self.outlet = ScriptedModel(*scripts), PaperOutlet()
        outlet, self.reach = cast("Outlet", self.outlet), reach or FakeReach()
        recorder = RecordWriter(
            intake=self.intake,
            conversations=self.store.conversations,
            versions=self.store.versions,
            files=self.store.files,
            permissions=self.store.permissions,
            casebook=self.book,
            outlet=outlet,
            clock=self.clock,
            copies_days=7,
        )
        counted = Limits(self.store.limits, self.clock, limits or LimitSettings())
        self._resources = Resources(
            model=self.model,
            outlet=outlet,
            conversations=self.store.conversations,
            limits=counted,
            turn=TURN,
            clock=self.clock,
            casebook=self.book,
            recorder=recorder,
            owners=owners,
            files=Attachments(source=self.source, reader=FakeReader(), files=self.store.files),
            outside=Outside(
                tools={},
                reach=cast("SlackAccess", self.reach),
                conversations=self.store.conversations,
                casebook=self.book,
                permissions=self.store.permissions,
                policy=Policy(),
                uses=RuleUses(ledger=self.store.limits, clock=self.clock),
                clock=self.clock,
                limits=counted,
            ),
        )

    def holds(self, now: Conversation) -> Conversation:
        """Hold a conversation of the store."""
        self.hold = HeldConversation(now, self.store.conversations, self.clock, LeaseTimes())
        self.answering = TurnRunner(self.hold, self._resources)
        self.gatherer = FactGatherer(self.hold, self._resources, self.answering)
        return now

    async def begins(
        self,
        key: str,
        *said: str,
        phase: Phase = Phase.GATHER,
        retired: bool = False,
        files: tuple[SharedFile, ...] = (),
    ) -> Message:
        """Begin to answer what was written in a step; gives the row of the reply, as it is then.

        A `retired` one was led by a component that is not installed any more. `files` were shared in it.
        """
        people = tuple(
            Message(seq=seq, role=Role.PERSON, text=text, author="U0MAYA001", ts=f"9.{seq}")
            for seq, text in enumerate(said, 1)
        )
        row = Message(seq=len(said) + 1, role=Role.ASSISTANT, text="", status=MessageStatus.STREAMING)
        now = await self.step(key, rows=(*people, row))
        if retired and now.interview:
            now = replace(now, interview=replace(now.interview, component="retired"))
        turn = Turn(id=f"{row.seq}.1", reply=row.seq, cause="r1", since="1770000100.000000")
        self.holds(replace(now, run=TurnState.STREAMING, turn=turn, phase=phase, stage=Stage.DISCUSS, files=files))
        await self.answering.begin()
        return row
