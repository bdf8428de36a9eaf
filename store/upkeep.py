"""What whoever runs the app does to the database by hand, in MongoDB."""

from __future__ import annotations

from app.core.model import Conversation
from store.client import Collection, Database, translated
from store.keys import DataKeys
from store.schema import CONVERSATIONS
from store.states import IS_CURRENT, unopened
from store.store import Rotated


class MongoUpkeep:
    """The `Upkeep` port over MongoDB."""

    def __init__(self, database: Database, keys: DataKeys) -> None:
        self._documents: Collection = database[CONVERSATIONS]
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

    async def rotate_keys(self) -> Rotated:
        """See `Upkeep.rotate_keys`."""
        return await self._keys.rotate()
