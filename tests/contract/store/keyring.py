"""Takes the key of a conversation out of the database, as nothing but the store itself does."""

from __future__ import annotations

from store.crypto.cipher import MasterKeys, SealingKey
from store.crypto.keys import KeyName, name_secret
from store.crypto.wrapping import Wraps
from tests.mongo import Documents
from tests.wrapped import secrets_dir


def key_of(database: Documents, conversation: str, master_key: str) -> SealingKey:
    [canary] = database["keys"].find({"_id": "canary"})
    [key] = database["keys"].find({"_id": f"conversation:{conversation}"})
    wraps, name = Wraps(MasterKeys.parse(master_key)), KeyName(key["team"], key["_id"])
    own = name_secret(SealingKey(wraps.unwrap(canary, {}, "")), name)
    secret = (secrets_dir() / database.name / "secrets" / own[0] / own).read_bytes()
    return SealingKey(wraps.unwrap(key, {own: secret}, own))
