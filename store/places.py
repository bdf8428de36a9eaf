"""The flags of what was done once in a place, in MongoDB: one document per place, never changed or deleted.

A place is named by ids such as `channel:C1`. Does not know what was done there.
"""

from __future__ import annotations

from pymongo.errors import DuplicateKeyError

from app.ports import Clock
from store.client import Collection, Database, Document, translated
from store.schema import PLACES, SCHEMA_VERSION


class MongoPlaces:
    """Implementation of the `Places` port over MongoDB. After a timeout it may be noted: it is then never done."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._documents: Collection = database[PLACES]
        self._clock = clock

    @translated
    async def first(self, team: str, place: str) -> bool:
        """See `Places.first`."""
        noted = {**_at(team, place), "schema_version": SCHEMA_VERSION, "at": self._clock.now()}
        try:
            await self._documents.insert_one(noted)
        except DuplicateKeyError:
            return False
        return True

    @translated
    async def known(self, team: str, place: str) -> bool:
        """See `Places.known`."""
        return await self._documents.find_one(_at(team, place), {"_id": 1}) is not None


def _at(team: str, place: str) -> Document:
    return {"_id": f"{team}:{place}", "team": team}
