"""Access of a turn to channels and tools outside of its thread, bounded by its owner's rules."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from app.agent.claude.web_answer import NO_WEB, WebSettings
from app.agent.tool_runner import ToolRunner
from app.agent.tools import served
from app.agent.tools.context import Directory, Offer, OpenFile, TurnContext
from app.agent.tools.external.discovery import select_tools
from app.agent.tools.tool import ExternalTool
from app.agent.tools.trial import Trial
from app.core.conversation.conversation import BEFORE, Conversation
from app.core.conversation.effect import SavePermissionRule
from app.core.errors import NotJoined, OutOfReach, Retryable, SettingsError, SlackRefused, StoreUnavailable
from app.core.state.permission import ANY, PermissionRequest, Policy, Rule, find_bans
from app.core.state.tool_use import Use, UseState
from app.core.turns import sources
from app.core.turns.rate_limits import Creation
from app.ports import Clock, Conversations, Permissions, SlackAccess, Spot, ToolServers, Watch
from app.ports.servers import NO_SERVERS, SEPARATOR
from app.ports.watch import UNWATCHED
from app.runtime.limits import Limits
from app.runtime.outside.permission_check import PermissionCheck
from app.runtime.outside.rule_uses import RuleUses
from app.runtime.record.reader import DecisionReader

SCOPES = "Scopes are like channel:C0123ABCD, with the id of a channel; docs/tools.md lists them."


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """The parts for external tool calls that all turns share."""

    tools: Mapping[str, ExternalTool[Any]]
    reach: SlackAccess
    conversations: Conversations
    casebook: DecisionReader
    permissions: Permissions
    policy: Policy
    uses: RuleUses
    clock: Clock
    limits: Limits
    watch: Watch = UNWATCHED
    servers: ToolServers = NO_SERVERS
    web: WebSettings = NO_WEB

    def runner(
        self,
        trial: Trial,
        of: Callable[[], Conversation],
        open_file: OpenFile,
        offer: Offer = Offer.FREE,
    ) -> ToolRunner:
        """Return the runner of a turn with this trial, in such a thread. `of` returns the current conversation.

        Rules are looked up for each use that writes. A rule that its owner has just made counts before it is stored.
        """
        now = of()
        # Lookups of reads last for the turn. Those of a write last from the permission check to the execution, because
        # a channel may get other readers. A tool use that waits for a person looks again afterwards.
        looked_up, directory = defaultdict[str, dict[str, Spot]](dict), Directory()
        kept: tuple[Rule, ...] | None = None

        async def rules(reads: bool) -> tuple[Rule, ...]:
            nonlocal kept
            # Read first, so that rules stored meanwhile are included. A rule is in neither place only after it was
            # revoked.
            made = tuple(effect.rule for effect in of().effects if isinstance(effect, SavePermissionRule))
            if kept is None or not reads:  # a read changes nothing, so the rules of a moment ago are good enough
                kept = await self._read_rules(now)
            return _merge_rules(kept, made)

        check = PermissionCheck(
            team=now.thread.team,
            owner=now.owner,
            reach=self.reach,
            uses=self.uses,
            policy=self.policy,
            rules=rules,
            watch=self.watch,
        )

        async def may_make(made: Creation) -> int:
            at = self.clock.now().timestamp()
            return await self.limits.create(now.thread.team, now.owner, at, {made: 1})

        def context_of(key: str, since: str, reads: bool) -> TurnContext:
            return TurnContext(
                trial=trial,
                reach=self.reach,
                conversations=self.conversations,
                results=self.casebook.results,
                now=self.clock.now().astimezone(ZoneInfo(now.zone or "UTC")),
                key=f"{now.id}:{key}",
                since=since,
                spots=looked_up["" if reads else key],
                directory=directory,
                may_make=may_make,
                open_file=open_file,
                web=self.web,
            )

        # A turn keeps the tools with which it began: the model's thinking is bound to them.
        tools = select_tools({**self.tools, **served.build_tools(self.servers)}, offer)
        return ToolRunner(tools=tools, context_of=context_of, judge=check.judge, now=trial.at)

    async def find_bans(self, now: Conversation) -> Mapping[str, frozenset[str]]:
        """Return the scopes of the rules that forbid the uses that wait for their owner now, by the use's id."""
        asked = [use for use in now.turn.uses if use.state is UseState.ASKED] if now.turn else []
        rules = await self.permissions.list(now.thread.team, now.owner) if asked else ()
        found = {use.id: self._find_bans(use, now.sources, rules) for use in asked}
        return {use: scopes for use, scopes in found.items() if scopes}

    def _find_bans(self, use: Use, known: tuple[str, ...], rules: tuple[Rule, ...]) -> frozenset[str]:
        wanted = PermissionRequest(tool=use.tool, scope=use.scope, reads=False, sources=known)
        pairs = [replace(wanted, scope=covered.scope) for covered in use.ruled]
        return frozenset(scope for each in (wanted, *pairs) for scope in find_bans(each, rules, self.policy))

    async def is_overheard(self, now: Conversation) -> bool:
        """Return True if a reader of this thread may not see a channel that the conversation has read elsewhere.

        That was checked when it was read, but since then either channel may have changed its readers. Return True as
        well if the lookup fails.
        """
        here = now.thread
        elsewhere = [label for label in now.sources if sources.is_place(label) and label not in (here.channel, BEFORE)]
        if here.direct or not elsewhere:
            return False
        try:
            spot = await self.reach.channel(here.team, now.owner, here.channel)
            return spot.shared or any([await self._is_private(now, place) for place in elsewhere])
        except (OutOfReach, Retryable, SlackRefused):
            return True

    async def _is_private(self, now: Conversation, place: str) -> bool:
        """Return True if only its members can see a channel. The app need not be in one whose name it has told."""
        try:
            return (await self.reach.channel(now.thread.team, now.owner, place)).private
        except NotJoined as error:
            return not error.is_public

    async def _read_rules(self, now: Conversation) -> tuple[Rule, ...]:
        """Return the rules of an owner, waiting while MongoDB is away. The judge limits the wait."""
        while True:
            try:
                return await self.permissions.list(now.thread.team, now.owner)
            except StoreUnavailable as error:
                await self.clock.sleep(error.after)


def check_policy(policy: Policy, tools: Mapping[str, ExternalTool[Any]], servers: Collection[str] = ()) -> Policy:
    """Return the policy of the workspace. Raise `SettingsError` if it names an unknown tool or scope.

    A misspelt name would forbid nothing, and nobody would notice. The tools of a server that is connected are not
    known before it answers.
    """
    known = {tool for tool, _ in (*policy.denied, *policy.allowed) if tool.partition(SEPARATOR)[0] in servers}
    for setting, pairs in (("THREADWISE_DENIED_TOOLS", policy.denied), ("THREADWISE_ALLOWED_TOOLS", policy.allowed)):
        if unknown := sorted({tool for tool, _ in pairs} - {ANY, *tools, *known}):
            there_are = ", ".join(sorted(tools))
            raise SettingsError(
                f"{setting} names {', '.join(unknown)}, and there is no such tool. There are {there_are}."
            )
        if strange := [
            f"{tool}:{scope}"
            for tool, scope in pairs
            if not (_is_scope(scope, tool, tools) if tool not in known else scope == ANY)
        ]:
            raise SettingsError(f"{setting} names {', '.join(strange)}, and there is no such scope. {SCOPES}")
    return policy


def _is_scope(scope: str, tool: str, tools: Mapping[str, ExternalTool[Any]]) -> bool:
    meant = tools.values() if tool == ANY else [tools[tool]]
    return scope == ANY or any(re.fullmatch(each.scopes, scope) for each in meant if each.scopes)


def _merge_rules(kept: tuple[Rule, ...], made: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the newest rule for each tool and scope."""
    newest = dict[tuple[str, str], Rule]()
    for rule in (*kept, *made):
        if rule.is_newer(newest.get((rule.tool, rule.scope))):
            newest[rule.tool, rule.scope] = rule
    return tuple(newest.values())
