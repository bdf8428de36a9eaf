"""The wrapping of a data key: a secret of its own inside, the master key around it. One alone opens nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from store.crypto.cipher import KEY_BYTES, MasterKeys, SealBroken, SealingKey, build_associated_data
from store.crypto.erasure_secrets import ErasureSecrets
from store.database.connection import Document
from store.database.schema import KEYS


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The means to wrap data keys."""

    master_keys: MasterKeys
    secrets: ErasureSecrets
    gives_up: Callable[[int, int], bool] | None = None
    """Asked by a start that misses secrets, with the number of keys without theirs and that of all keys.

    If it agrees, conversations without their secret are erased. Otherwise, and without it, the start is refused.
    """


class Wraps:
    """Wrapping and unwrapping of keys in documents, by their ids. Raises `SealBroken`."""

    def __init__(self, master_keys: MasterKeys) -> None:
        self._master_keys = master_keys

    def wrap(self, id_: str, key: bytes, secret: bytes) -> Document:
        """Return the fields of a key that is wrapped with a secret."""
        inner = SealingKey(secret).seal(key, build_associated_data(KEYS, id_, "secret"))
        return {"has_secret": True, **self.around(id_, inner)}

    def around(self, id_: str, inner: bytes) -> Document:
        """Return the field that wraps `inner` with the first master key."""
        return {"sealed": self._master_keys.seal(inner, build_associated_data(KEYS, id_, "sealed"))}

    def within(self, document: Document) -> bytes:
        """Return what the master key wraps: the key if it has no secret, else the key wrapped by its secret."""
        return self._master_keys.open(document["sealed"], build_associated_data(KEYS, document["_id"], "sealed"))

    def unwrap(self, document: Document, secrets: Mapping[str, bytes], name: str) -> bytes:
        """Return the key. `name` is that of its secret."""
        key = self.within(document)
        if document.get("has_secret"):
            if name not in secrets:
                raise SealBroken(f"the erasure secret of {document['_id']!r} is missing")
            key = SealingKey(secrets[name]).open(key, build_associated_data(KEYS, document["_id"], "secret"))
        if len(key) != KEY_BYTES:
            raise SealBroken(f"no key at {document['_id']!r}")
        return key
