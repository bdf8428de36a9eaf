"""Data as it was before there were erasure secrets."""

from __future__ import annotations

import shutil
from pathlib import Path

from store.crypto.cipher import MasterKeys, SealingKey
from store.crypto.keys import CANARY, name_secret, read_key_name
from store.crypto.wrapping import Wraps
from tests.mongo import Documents


def take_secrets_away(database: Documents, master_key: str, folder: Path) -> None:
    """Let every key be sealed by the master key alone, and the folder be gone."""
    keys, wraps = database["keys"], Wraps(MasterKeys.parse(master_key))
    [canary] = keys.find({"_id": CANARY.id})
    known = SealingKey(wraps.unwrap(canary, {}, ""))
    for document in keys.find({"has_secret": True}):
        name = name_secret(known, read_key_name(document))
        key = wraps.unwrap(document, {name: (folder / "secrets" / name[0] / name).read_bytes()}, name)
        bare = {"$set": wraps.around(document["_id"], key), "$unset": {"has_secret": ""}}
        keys.update_one({"_id": document["_id"]}, bare)
    shutil.rmtree(folder)
