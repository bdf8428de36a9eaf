"""Times and recent counts of the uses of rules. They are stored, and all processes share them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from app.core.errors import StoreUnavailable
from app.core.state.permission import RECOMMENDED_AFTER, PermissionRequest, Rule, Span, Spans
from app.ports import Clock, Entry, Ledger

HOUR = 3_600.0
DAY = 86_400.0
WRITES = "writes"
TRIES = 50
"""Lost races after which the store counts as unavailable: each is lost to a process that made progress."""


class Use(StrEnum):
    """Answer of a rule to one more write."""

    COVERED = "covered"
    FULL = "full"
    """No more writes in this hour."""
    ENDED = "ended"
    """Unused for too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUses:
    """The uses of all rules.

    A rule ends after `days` without use, and covers `per_hour` writes. Methods raise `StoreUnavailable`.
    """

    ledger: Ledger
    clock: Clock
    days: int = 90
    per_hour: int = 10

    async def take(self, rule: Rule) -> Use:
        """Count one more write that the rule allows, if it covers one."""
        for _ in range(TRIES):
            entry, now = await self.ledger.read(rule.team, _build_key(rule)), self.clock.now()
            if self._span(rule, entry).ends <= now:
                return Use.ENDED
            used = entry.numbers.get(WRITES, ())
            lately = tuple(at for at in used if at > now.timestamp() - HOUR)
            if len(lately) >= self.per_hour:
                return Use.FULL
            numbers = {WRITES: tuple(sorted((*lately, now.timestamp())))}
            if await self.ledger.exchange(
                rule.team, _build_key(rule), replace(entry, numbers=numbers), self.days * DAY
            ):
                return Use.COVERED
        raise StoreUnavailable("others are always faster at a rule")

    async def count_allowed(self, team: str, user: str, asked: PermissionRequest) -> int:
        """Return how often the owner has allowed the same one by one, within `days`."""
        return len(self._list_recent(await self.ledger.read(team, _build_allowed_key(user, asked)), self.clock.now()))

    async def note_allowed(self, team: str, user: str, asked: PermissionRequest) -> None:
        """Count that the owner has allowed this, this time. No more is counted than a recommendation needs."""
        key = _build_allowed_key(user, asked)
        for _ in range(TRIES):
            entry, now = await self.ledger.read(team, key), self.clock.now()
            times = (*self._list_recent(entry, now), now.timestamp())
            changed = replace(entry, numbers={WRITES: times[-RECOMMENDED_AFTER:]})
            if await self.ledger.exchange(team, key, changed, self.days * DAY):
                return
        raise StoreUnavailable("others are always faster at a permission")

    def _list_recent(self, entry: Entry, now: datetime) -> tuple[float, ...]:
        return tuple(at for at in entry.numbers.get(WRITES, ()) if at > now.timestamp() - self.days * DAY)

    async def spans(self, rules: Iterable[Rule]) -> Spans:
        """Return when each of these rules was used and ends."""
        return {
            (rule.tool, rule.scope): self._span(rule, await self.ledger.read(rule.team, _build_key(rule)))
            for rule in rules
            if rule.allows
        }

    def _span(self, rule: Rule, entry: Entry) -> Span:
        given = datetime.fromisoformat(rule.at)
        used = max(entry.numbers.get(WRITES, ()), default=None)
        last = datetime.fromtimestamp(used, UTC) if used else None
        return Span(used=last, ends=max(last or given, given) + timedelta(days=self.days))


def _build_key(rule: Rule) -> str:
    """Return the rule's key. Anyone with access to the database can read it, so it contains nothing of the scope."""
    about = json.dumps([rule.team, rule.user, rule.tool, rule.scope])
    return f"rule:{hashlib.sha256(about.encode()).hexdigest()}"


def _build_allowed_key(user: str, asked: PermissionRequest) -> str:
    """Return the key of what was allowed one by one. A target with other readers is another thing to allow."""
    target = asked.target
    about = json.dumps([user, asked.tool, asked.scope, target and [target.kind, target.sharing]])
    return f"allowed:{hashlib.sha256(about.encode()).hexdigest()}"
