"""Actions of an operator, in MongoDB."""

from __future__ import annotations

from app.core.model import Conversation
from store.client import Collection, Database, translated
from store.keys import DataKeys
from store.schema import CONVERSATIONS, INBOX, IS_OPEN, PERMISSIONS, RowState
from store.states import IS_CURRENT, unopened
from store.store import Rotated


class MongoUpkeep:
    """Implementation of the `Upkeep` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
        self._rules: Collection = database[PERMISSIONS]
        self._inbox: Collection = database[INBOX]
        self._keys = keys

    @translated
    async def named(self, id_: str) -> Conversation | None:
        """See `Upkeep.named`."""
        document = await self._documents.find_one({"_id": id_})
        return unopened(document) if document else None

    @translated
    async def owners(self) -> tuple[tuple[str, str], ...]:
        """See `Upkeep.owners`."""
        grouped = [{"$match": IS_CURRENT}, {"$group": {"_id": {"team": "$team", "owner": "$owner"}}}]
        found = await self._documents.aggregate(grouped).to_list(None)
        return tuple(sorted((each["_id"]["team"], each["_id"]["owner"]) for each in found))

    @translated
    async def people(self) -> tuple[tuple[str, str], ...]:
        """See `Upkeep.people`."""
        grouped = [{"$group": {"_id": {"team": "$team", "user": "$user"}}}]
        found = await self._rules.aggregate(grouped).to_list(None)
        return tuple(sorted({*await self.owners(), *((each["_id"]["team"], each["_id"]["user"]) for each in found)}))

    @translated
    async def rules(self, team: str) -> int:
        """See `Upkeep.rules`."""
        return await self._rules.count_documents({"team": team})

    @translated
    async def park_all(self) -> int:
        """See `Upkeep.park_all`."""
        return (await self._inbox.update_many(IS_OPEN, {"$set": {"state": RowState.PARKED}})).modified_count

    async def rotate_keys(self) -> Rotated:
        """See `Upkeep.rotate_keys`."""
        return await self._keys.rotate()
