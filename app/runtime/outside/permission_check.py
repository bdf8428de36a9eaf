"""Judge of tool calls, by rules, by policy, and by who can read the sources of the model's knowledge.

Membership is looked up for a write, and remembered for one turn. If the lookup fails, the owner is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from app.core.copy import permission_cards
from app.core.errors import OutOfReach, Retryable, SlackRefused, StoreUnavailable
from app.core.state import permission
from app.core.state.permission import (
    Coverage,
    Judgement,
    PermissionRequest,
    PermissionVerdict,
    Policy,
    Rule,
    Standing,
    pair_scope,
)
from app.core.state.readers import Readers, find_doubtful
from app.core.turns import sources
from app.ports import SlackAccess, Watch
from app.ports.servers import SEPARATOR, name_tool_and_server
from app.runtime.outside.rule_uses import RuleUses, Use

LOOK_SECONDS = 12.0
"""Longest time for Slack to list the readers; a tool has 30 seconds in all."""

UNKNOWN = (OutOfReach, SlackRefused, Retryable, TimeoutError)
"""Reasons for a failed lookup."""

_NO_PLACES: Final[Mapping[str, tuple[str, str]]] = {
    sources.WEB: (permission_cards.READ_ON_WEB, permission_cards.WEB_SOURCE),
    sources.PEOPLE: (permission_cards.READ_PEOPLE, permission_cards.PEOPLE_SOURCE),
}
"""Sources outside of all channels: why they need a question, and their names."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionCheck:
    """Judge of the calls of one turn. `rules` returns the owner's current rules, given whether the call only reads."""

    team: str
    owner: str
    reach: SlackAccess
    uses: RuleUses
    policy: Policy
    rules: Callable[[bool], Awaitable[tuple[Rule, ...]]]
    watch: Watch
    look_seconds: float = LOOK_SECONDS
    _known: dict[str, Readers | None] = field(default_factory=dict[str, Readers | None])
    """Readers of a channel; None if the lookup failed."""

    async def judge(self, wanted: PermissionRequest) -> Judgement:
        """Judge a call, and count one use of the rule that allows it."""
        rules = await self.rules(wanted.reads)
        judgement = permission.judge(wanted, rules, self.policy)
        if judgement.verdict is PermissionVerdict.DENIED:
            if not wanted.ahead:
                self.watch.note_denied(wanted.tool)
            return judgement
        if wanted.reads:
            return judgement
        if wanted.granted:
            return await self._judge_granted(wanted, rules, judgement)
        looked_up = await self._look_up(wanted)
        judgement = permission.judge(looked_up, rules, self.policy)
        for rule in () if wanted.ahead else judgement.by:
            if (use := await self.uses.take(rule)) is not Use.COVERED:
                log.info("rule_not_used", kind=wanted.tool, reason=use.value)
                remark = permission_cards.ENDED.format(days=self.uses.days)
                remark = remark if use is Use.ENDED else permission_cards.FULL.format(count=self.uses.per_hour)
                return self._explain(looked_up, Judgement(verdict=PermissionVerdict.ASK, remarks=(remark,)))
        if judgement.verdict is not PermissionVerdict.ASK:
            return judgement
        return self._explain(looked_up, replace(judgement, recommended=await self._recommends(looked_up, judgement)))

    async def _judge_granted(
        self, wanted: PermissionRequest, rules: tuple[Rule, ...], judgement: Judgement
    ) -> Judgement:
        """Judge a call that the owner has allowed: ask once more if it would tell people of whom the card said nothing.

        Days may lie between the card and the answer, and people may have joined the target.
        """
        if not wanted.names(wanted.sources):
            looked_up = await self._look_up(wanted)
            if not wanted.names(looked_up.conflicts):
                return self._explain(looked_up, Judgement(verdict=PermissionVerdict.ASK))
        if not any((rule.tool, rule.scope) == (wanted.tool, wanted.scope) for rule in rules):
            await self._note_allowed(wanted)
        return judgement

    async def _note_allowed(self, allowed: PermissionRequest) -> None:
        """Count what the owner allowed this time. A failure costs only a recommendation."""
        with suppress(StoreUnavailable):
            await self.uses.note_allowed(self.team, self.owner, allowed)

    async def _recommends(self, wanted: PermissionRequest, judgement: Judgement) -> bool:
        """Return True if nothing but a missing rule makes the app ask, and the owner has often allowed the same."""
        if wanted.conflicts or judgement.changed:
            return False
        try:
            return await self.uses.count_allowed(self.team, self.owner, wanted) >= permission.RECOMMENDED_AFTER
        except StoreUnavailable:
            return False

    async def _look_up(self, wanted: PermissionRequest) -> PermissionRequest:
        """Return the request with its target's state and the sources that not all of the target's readers can read."""
        target = wanted.target
        if target is None:
            others = tuple(each for each in wanted.sources if not _is_of_server(each, wanted))
            with suppress(TimeoutError):
                async with asyncio.timeout(self.look_seconds):
                    for each in others:  # the card names them
                        await self._readers(each)
            return replace(wanted, conflicts=others)
        try:
            async with asyncio.timeout(self.look_seconds):
                there = await self._readers(target.place)
                closed = [source for source in wanted.sources if not await self._is_open(source, target.place)]
        except TimeoutError:
            there, closed = self._known.get(target.place), [each for each in wanted.sources if each != target.place]
        standing = Standing(
            kind=target.kind, sharing=target.sharing, member=there is not None and self.owner in there.people
        )
        return replace(wanted, standing=standing, conflicts=tuple(closed))

    async def _is_open(self, source: str, target: str) -> bool:
        """Return True if everyone who reads the target can read the source."""
        if source == target:
            return True
        if not sources.is_place(source):
            return False
        there, here = await self._readers(target), await self._readers(source)
        unsure = find_doubtful(there, here) if there and here else None
        if unsure is None:
            return False
        try:
            return not (unsure and await self.reach.guests(self.team, unsure))
        except UNKNOWN:
            return False

    async def _readers(self, place: str) -> Readers | None:
        if not sources.is_place(place):
            return None
        if place not in self._known:
            try:
                self._known[place] = await self.reach.readers(self.team, self.owner, place)
            except UNKNOWN as error:
                log.warning("readers_unknown", error=type(error).__name__)
                self._known[place] = None
        return self._known[place]

    def _explain(self, wanted: PermissionRequest, judgement: Judgement) -> Judgement:
        """Add to the card the reason for the question, and the scope of a permanent choice."""
        read = tuple(self._remark(source, wanted) for source in wanted.conflicts)
        covers = tuple(
            Coverage(
                scope=pair_scope(wanted.scope, source),
                label=permission_cards.COVERS_SOURCE.format(covers=wanted.covers, source=self._name(source)),
            )
            for source in wanted.conflicts
        )
        remarks = (*read, *self._describe_moves(wanted, judgement.changed), *judgement.remarks)
        return replace(judgement, standing=wanted.standing, remarks=remarks, covers=covers)

    def _describe_moves(self, wanted: PermissionRequest, rule: Rule | None) -> tuple[str, ...]:
        """Describe how a rule's target or tool has changed since the rule was made, or say that this is unknown."""
        if rule is not None and rule.described != wanted.described:
            return (permission_cards.TOOL_CHANGED,)
        target, now = wanted.target, wanted.standing
        if rule is None or target is None or now is None:
            return ()
        if self._known.get(target.place) is None:
            return (permission_cards.TARGET_UNKNOWN.format(target=target.name),)
        return (_describe_change(target.name, rule, now),)

    def _remark(self, source: str, wanted: PermissionRequest) -> str:
        """Return the reason why content from this source needs a question."""
        if source in _NO_PLACES:
            return _NO_PLACES[source][0]
        if tool := sources.read_tool(source):
            return permission_cards.READ_BY_TOOL.format(tool=_name_tool(tool))
        if not sources.is_place(source):
            return permission_cards.READ_BEFORE
        target = _name_target(wanted)
        here = self._known.get(source)
        if here is None:
            return permission_cards.READ_UNSURE.format(source=self._name(source), target=target)
        return permission_cards.READ_IN.format(source=here.name, readers=_describe_readers(here), target=target)

    def _name(self, source: str) -> str:
        if source in _NO_PLACES:
            return _NO_PLACES[source][1]
        if tool := sources.read_tool(source):
            return _name_tool(tool)
        if not sources.is_place(source):
            return permission_cards.BEFORE_SOURCE
        here = self._known.get(source)
        return here.name if here else permission_cards.SOURCE_UNKNOWN


def _is_of_server(source: str, wanted: PermissionRequest) -> bool:
    """Return True for what the very server has said that would be told it."""
    server, is_served, _ = wanted.tool.partition(SEPARATOR)
    return bool(is_served) and sources.read_tool(source).startswith(f"{server}{SEPARATOR}")


def _name_target(wanted: PermissionRequest) -> str:
    server, is_served, _ = wanted.tool.partition(SEPARATOR)
    if wanted.target:
        return wanted.target.name
    return permission_cards.A_SERVER.format(server=server) if is_served else permission_cards.NOT_SAID


def _name_tool(tool: str) -> str:
    words = name_tool_and_server(tool)
    return words if SEPARATOR in tool else permission_cards.OWN_TOOL.format(tool=words)


def _describe_readers(here: Readers) -> str:
    if here.everyone:
        return permission_cards.EVERYBODY
    count = len(here.people)
    return permission_cards.PERSON if count == 1 else permission_cards.PEOPLE.format(count=count)


def _describe_change(target: str, rule: Rule, now: Standing) -> str:
    then = _describe_target(rule.standing) if rule.standing else permission_cards.FROM_BEFORE
    return permission_cards.CHANGED.format(target=target, then=then, now=_describe_target(now))


def _describe_target(standing: Standing) -> str:
    member = permission_cards.MEMBER if standing.member else permission_cards.NO_MEMBER
    return f"{permission_cards.KINDS[standing.kind]}{permission_cards.SHARINGS[standing.sharing]}{member}"
