"""Numbers that processes share, and what was done once in a place."""

from __future__ import annotations

from collections.abc import Mapping

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError, DuplicateKeyError

from app.ports import Clock, Entry
from store.database.connection import Collection, Database, Document, is_only_duplicates, translate_errors
from store.database.schema import PLACES, SCHEMA_VERSION, build_deadline


class MongoLedger:
    """Implementation of the `Ledger` port over one collection. Its TTL index deletes up to a minute late."""

    def __init__(self, collection: Collection) -> None:
        self._documents = collection

    @translate_errors
    async def read(self, team: str, key: str) -> Entry:
        """See `Ledger.read`."""
        document = await self._documents.find_one({"_id": _build_id(team, key), "team": team})
        if document is None:
            return Entry()
        numbers = {name: tuple(values) for name, values in document["numbers"].items()}
        return Entry(numbers=numbers, version=document["version"])

    @translate_errors
    async def exchange(self, team: str, key: str, entry: Entry, seconds: float) -> bool:
        """See `Ledger.exchange`."""
        return await self.exchange_all(team, {key: entry}, seconds)

    @translate_errors
    async def exchange_all(self, team: str, entries: Mapping[str, Entry], seconds: float) -> bool:
        """See `Ledger.exchange_all`."""
        writes = [_build_exchange(team, key, entry, seconds) for key, entry in entries.items()]
        try:
            result = await self._documents.bulk_write(writes, ordered=False)  # pyright: ignore[reportUnknownMemberType]: Motor's stub
        except BulkWriteError as error:
            if not is_only_duplicates(error):
                raise
            return False  # an entry exists, so its version differs
        return result.matched_count + result.upserted_count == len(writes)


def _build_exchange(team: str, key: str, entry: Entry, seconds: float) -> UpdateOne:
    numbers = {name: [float(value) for value in values] for name, values in entry.numbers.items()}
    written: Document = {
        "schema_version": SCHEMA_VERSION,
        "version": entry.version + 1,
        "numbers": {"$literal": numbers},  # otherwise they would be merged with the stored ones
        "expires_at": build_deadline(seconds),
    }
    current = {"_id": _build_id(team, key), "team": team, "version": entry.version}
    return UpdateOne(current, [{"$set": written}], upsert=entry.version == 0)


def _build_id(team: str, key: str) -> str:
    return f"{team}:{key}"


class MongoOnceFlags:
    """Implementation of the `Places` port over MongoDB. After a timeout it may be noted: it is then never done."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._documents: Collection = database[PLACES]
        self._clock = clock

    @translate_errors
    async def note_once(self, team: str, place: str) -> bool:
        """See `Places.first`."""
        noted = {**_filter_flag(team, place), "schema_version": SCHEMA_VERSION, "at": self._clock.now()}
        try:
            await self._documents.insert_one(noted)
        except DuplicateKeyError:
            return False
        return True

    @translate_errors
    async def is_noted(self, team: str, place: str) -> bool:
        """See `Places.known`."""
        return await self._documents.find_one(_filter_flag(team, place), {"_id": 1}) is not None


def _filter_flag(team: str, place: str) -> Document:
    return {"_id": f"{team}:{place}", "team": team}
