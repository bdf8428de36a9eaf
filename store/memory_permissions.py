"""People's permission rules in memory."""

from __future__ import annotations

from app.core.permissions import Rule


class MemoryPermissions:
    """Implementation of the `Permissions` port in memory."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str, str, str], Rule] = {}

    async def of(self, team: str, user: str) -> tuple[Rule, ...]:
        """See `Permissions.of`."""
        return tuple(self._rules[about] for about in sorted(self._rules) if about[:2] == (team, user))

    def people(self) -> set[tuple[str, str]]:
        """Return the people who have rules: team and user."""
        return {(team, user) for team, user, _, _ in self._rules}

    def count(self, team: str) -> int:
        """Return the number of rules in a workspace."""
        return sum(each[0] == team for each in self._rules)

    async def keep(self, rule: Rule) -> None:
        """See `Permissions.keep`."""
        self._rules[rule.team, rule.user, rule.tool, rule.scope] = rule

    async def revoke(self, team: str, user: str, tool: str, scope: str) -> bool:
        """See `Permissions.revoke`."""
        return self._rules.pop((team, user, tool, scope), None) is not None
