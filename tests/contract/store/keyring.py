"""Takes the key of a conversation out of the database, as nothing but the store itself does."""

from __future__ import annotations

from typing import Any

from pymongo.database import Database

from store.cipher import MasterKeys, SealingKey, place


def key_of(database: Database[dict[str, Any]], conversation: str, master_key: str) -> SealingKey:
    [key] = database["keys"].find({"_id": f"conversation:{conversation}"})
    return SealingKey(MasterKeys.parse(master_key).open(key["sealed"], place("keys", key["_id"], "sealed")))
