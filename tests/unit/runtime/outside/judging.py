"""A check of permissions with the places it looks at, and calls that it judges."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import cast

from app.core.errors import OutOfReach
from app.core.state.permission import (
    ChannelKind,
    PermissionRequest,
    Policy,
    Rule,
    Standing,
    Target,
)
from app.core.state.readers import Readers
from app.ports import SlackAccess, Unwatched
from app.runtime.outside.permission_check import PermissionCheck
from app.runtime.outside.rule_uses import RuleUses
from tests.contract.store.clock import ManualClock
from tests.fakes import WatchedLedger

OPS, BOARD, ALL = "C0000000OPS", "G0BOARD000", "C00GENERAL"
OWNER = "U1"
SCOPE = f"channel:{OPS}"
MEMBERS = frozenset({OWNER, "U2"})
POST = PermissionRequest(
    tool="post",
    scope=SCOPE,
    reads=False,
    covers="posting to #ops",
    target=Target(place=OPS, name="#ops", kind=ChannelKind.PRIVATE),
)
STANDING = Standing(kind=ChannelKind.PRIVATE, member=True)


@dataclass
class Places:
    """Implements what the check needs of `SlackAccess`."""

    read_by: dict[str, Readers]
    abridged: frozenset[str] = frozenset()
    fails: Exception | None = None
    hangs: bool = False
    looks: list[str] = field(default_factory=list[str])

    async def readers(self, team: str, user: str, place: str) -> Readers:
        self.looks.append(place)
        if self.hangs:
            await asyncio.Event().wait()
        if place not in self.read_by:
            raise OutOfReach("nobody tells")
        return self.read_by[place]

    async def guests(self, team: str, people: frozenset[str]) -> frozenset[str]:
        if self.fails:
            raise self.fails
        return people & self.abridged


@dataclass
class Denials(Unwatched):
    """The tools whose uses were denied."""

    tools: list[str] = field(default_factory=list[str])

    def note_denied(self, tool: str) -> None:
        self.tools.append(tool)


class Judging:
    def __init__(self, *rules: Rule, policy: Policy | None = None) -> None:
        clock = self.clock = ManualClock()
        self.rules = rules
        self.places = Places(
            {
                OPS: Readers(name="#ops", people=MEMBERS),
                BOARD: Readers(name="#board", people=MEMBERS | {"U3"}),
                ALL: Readers(name="#general", people=frozenset({OWNER}), everyone=True),
            }
        )
        self.ledger = WatchedLedger(clock)
        self.uses = RuleUses(ledger=self.ledger, clock=clock, per_hour=2)
        self.at = clock.now().isoformat()
        self.denials = Denials()
        self.check = PermissionCheck(
            team="T1",
            owner=OWNER,
            reach=cast("SlackAccess", self.places),
            uses=self.uses,
            policy=policy or Policy(),
            rules=self._rules,
            watch=self.denials,
        )

    async def allows(self, times: int, wanted: PermissionRequest = POST) -> None:
        """The owner presses *Allow this time* that often."""
        for _ in range(times):
            await self.check.judge(replace(wanted, granted=True))

    async def _rules(self, reads: bool) -> tuple[Rule, ...]:
        return tuple(replace(rule, at=self.at) for rule in self.rules)


def rule(scope: str = SCOPE, standing: Standing | None = STANDING) -> Rule:
    return Rule(team="T1", user=OWNER, tool="post", scope=scope, allows=True, at="", standing=standing)


def knowing(*labels: str) -> PermissionRequest:
    return replace(POST, sources=labels)
