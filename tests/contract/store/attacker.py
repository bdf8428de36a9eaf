"""Somebody who has the disk, all backups of MongoDB, its oplog and the master key, and tries them on what is sealed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bson.timestamp import Timestamp

from store.crypto.cipher import ID_BYTES, KEY_BYTES, MasterKeys, SealBroken, SealingKey, build_associated_data
from store.database.schema import SHAPES
from tests.mongo import Documents

KINDS = ("conversation:", "permissions:", "canary")


@dataclass
class Attacker:
    """What they have gathered so far."""

    database: Documents
    master_key: str
    folder: Path
    since: Timestamp
    gathered: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def takes_a_backup(self) -> None:
        """Keep a copy of all collections."""
        self.gathered += [document for name in SHAPES for document in self.database[name].find()]

    def reads_the_oplog(self) -> None:
        """Keep what MongoDB has logged of this database."""
        where = {"ns": {"$regex": f"^{self.database.name}\\."}, "ts": {"$gte": self.since}}
        self.gathered += [*self.database.client.local["oplog.rs"].find(where)]

    def sealed_of(self, conversation: str = "") -> set[bytes]:
        """Return the ids of the keys that have sealed what belongs to a conversation; of everything without one."""
        theirs = [each for each in self.gathered if not conversation or conversation in [*_texts(each)]]
        values = {value for each in theirs if not self._is_key(each) for value in _sealed(each)}
        # Marks and tombstones are sealed by the canary; whatever else there is says its format first.
        own = self._canary()
        return {own if value.startswith(own) else value[1 : 1 + ID_BYTES] for value in values}

    def _canary(self) -> bytes:
        masters = MasterKeys.parse(self.master_key)
        [key, *_] = [
            found
            for each in self.gathered
            if each["_id" if "_id" in each else "ns"] == "canary"
            and (found := _tried(masters, each["sealed"], "canary", "sealed"))
        ]
        return SealingKey(key).id

    def _is_key(self, document: dict[str, Any]) -> bool:
        return any(text.startswith(KINDS) for text in _texts(document))

    def opens(self) -> set[bytes]:
        """Return the ids of all keys that they get at."""
        masters = MasterKeys.parse(self.master_key)
        secrets = [path.read_bytes() for path in self.folder.rglob("*") if path.is_file()]
        ids = {text for each in self.gathered for text in _texts(each) if text.startswith(KINDS)}
        values = {value for each in self.gathered for value in _sealed(each)}
        outer = {(id_, found) for id_ in ids for value in values if (found := _tried(masters, value, id_, "sealed"))}
        keys = {found for _, found in outer if len(found) == KEY_BYTES}
        for secret in filter(lambda secret: len(secret) == KEY_BYTES, secrets):
            with_it = SealingKey(secret)
            keys |= {found for id_, value in outer if (found := _tried(with_it, value, id_, "secret"))}
        return {SealingKey(key).id for key in keys}


def _tried(key: SealingKey | MasterKeys, value: bytes, id_: str, layer: str) -> bytes | None:
    try:
        return key.open(value, build_associated_data("keys", id_, layer))
    except SealBroken:
        return None


def _sealed(thing: Any) -> Iterator[bytes]:
    return (each for name, each in _leaves("", thing) if name == "sealed" and isinstance(each, bytes))


def _texts(thing: Any) -> Iterator[str]:
    return (each for _, each in _leaves("", thing) if isinstance(each, str))


def _leaves(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    match thing:
        case dict():
            for inner, each in thing.items():  # pyright: ignore[reportUnknownVariableType]
                yield from _leaves(str(inner), each)  # pyright: ignore[reportUnknownArgumentType]
        case list():
            for each in thing:  # pyright: ignore[reportUnknownVariableType]
                yield from _leaves(name, each)
        case _:
            yield name, thing
