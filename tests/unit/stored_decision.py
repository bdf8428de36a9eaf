"""A store with a decision in it: its steps, what was written in them, and what was approved of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.core.conversation.conversation import Conversation, Message, Role
from app.core.state.decision import Version
from app.core.state.interview import Interview
from app.core.state.status import Kind
from app.decision.playbook.playbook import Playbook
from app.decision.schema.paths import Draft
from app.ports import Clock
from app.runtime.intake import WakingIntake, wake_nobody
from app.runtime.record.reader import DecisionReader
from app.runtime.record.sayings import SayingsReader
from tests.contract.store.clock import ManualClock
from tests.memory_store import memory_store
from tests.unit.core.interviews import HUB
from tests.unit.core.threads import reply
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, minimal
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk

THREE: Draft = {
    **minimal("alternatives"),
    "alternatives": [
        *minimal("alternatives")["alternatives"],
        {"handle": "A3", "name": "Rome", "description": "Far", "is_status_quo": False},
    ],
}
"""The smallest draft of the options, and one option more."""


def rated(*at: tuple[str, str]) -> Draft:
    """Ratings of these options on these objectives."""
    cells = [{"alternative_id": option, "objective_id": objective, "rating": 1} for option, objective in at]
    return {"table": {"cells": cells}}


def said(*texts: str) -> tuple[Message, ...]:
    """What Maya wrote."""
    return tuple(
        Message(seq=seq, role=Role.PERSON, text=text, author=MAYA, ts=f"9.{seq}") for seq, text in enumerate(texts, 1)
    )


def approved(draft: Draft) -> Message:
    """The row of what Maya approved."""
    return Message(seq=1, role=Role.NOTE, text="", data=json.dumps(draft), author=MAYA)


class StoredDecision:
    """A store with a decision in it, and the casebook that reads it."""

    def __init__(self, playbook: Playbook = PLAYBOOK, clock: Clock | None = None) -> None:
        self.clock = clock or ManualClock()
        self.store = memory_store(self.clock)
        self.intake = WakingIntake(self.store.inbox, wake_nobody)
        self.book = DecisionReader(
            self.store.versions, SayingsReader(self.store.conversations, self.store.files), playbook, self.clock
        )
        self._steps: dict[str, Conversation] = {}

    async def step(
        self, key: str, *texts: str, draft: Draft | None = None, zone: str = "", rows: tuple[Message, ...] = ()
    ) -> Conversation:
        """The thread of a step, in which Maya has written this; the same one whenever it is asked for again."""
        if key not in self._steps:
            prepared, told = await self.book.prepare(HUB, key), rows or said(*texts)
            lead = Interview(decision=HUB, component=key, prepared=prepared, model="claude")
            begun = talk(KEYS.index(key), kind=Kind.COMPONENT, interview=lead, head=len(told), zone=zone)
            self._steps[key] = await placed(self.store, begun, *told)
        now = self._steps[key]
        assert now.interview is not None
        return replace(now, interview=replace(now.interview, draft=draft or {}))

    async def approves(self, key: str, draft: Draft | None = None, number: int = 1) -> Version:
        """Keep a version of a step: the least there can be, or this one."""
        now = await self.step(key)
        version = await self.book.version(now, approved(draft or minimal(key)), number)
        await self.store.versions.keep(now, version)
        return version

    async def approves_all(self, *keys: str) -> None:
        for key in keys:
            await self.approves(key)

    async def is_ready(self, now: Conversation, *calls: Any) -> bool:
        return await self.book.is_ready(now, reply(9, "I see.", calls=calls))
