"""The flags of what was done once in a place, in memory."""

from __future__ import annotations


class MemoryPlaces:
    """Implementation of the `Places` port in memory."""

    def __init__(self) -> None:
        self._noted: set[tuple[str, str]] = set()

    async def first(self, team: str, place: str) -> bool:
        """See `Places.first`."""
        if await self.known(team, place):
            return False
        self._noted.add((team, place))
        return True

    async def known(self, team: str, place: str) -> bool:
        """See `Places.known`."""
        return (team, place) in self._noted
