"""What a turn may do outside of its thread: the tools there are, the rules of its owner, and Slack within reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from app.agent.hands import Hands
from app.agent.tools.outside import Field, OuterTool
from app.core.model import Conversation
from app.core.permissions import Policy, Rule, Verdict, Wanted, verdict
from app.ports import Clock, Conversations, Permissions, Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Raises `StoreUnavailable`."""

    tools: Mapping[str, OuterTool[Any]]
    reach: Reach
    conversations: Conversations
    permissions: Permissions
    policy: Policy
    clock: Clock

    async def hands(self, now: Conversation, at: Callable[[], str]) -> Hands:
        """The hands of a turn in this conversation: what its owner has decided while it waited counts already."""
        kept = await self.permissions.of(now.thread.team, now.owner)
        ruled = now.turn.ruled if now.turn else ()

        def judge(wanted: Wanted) -> Verdict:
            return verdict(wanted, _newest(kept, ruled), self.policy)

        def field_of(key: str, since: str) -> Field:
            return Field(
                conversation=now,
                reach=self.reach,
                conversations=self.conversations,
                now=self.clock.now().astimezone(ZoneInfo(now.zone or "UTC")),
                key=f"{now.id}:{key}",
                since=since,
            )

        return Hands(tools=self.tools, field_of=field_of, judge=judge, now=at)


def _newest(kept: tuple[Rule, ...], ruled: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, with those that were made just now in place of older ones for the same."""
    decided = {(rule.tool, rule.scope) for rule in ruled}
    return (*(rule for rule in kept if (rule.tool, rule.scope) not in decided), *ruled)
