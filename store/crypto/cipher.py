"""AES-256-GCM bound to a place: a value opens only with its key, and only where it was stored.

There are two layers. Data keys encrypt values, and master keys encrypt data keys, so that a new master key rewrites no
value. Does not know where anything is stored.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.core.errors import SettingsError, ThreadwiseError

KEY_BYTES = 32
ID_BYTES = 8
NONCE_BYTES = 12
"""Random nonces of 96 bits are safe for 2**32 values under one key (NIST SP 800-38D); a conversation has thousands."""


class SealBroken(ThreadwiseError):
    """A stored value cannot be opened: its key is gone or another, or it was moved or changed."""


def build_associated_data(collection: str, id_: str, field: str) -> bytes:
    """Return the associated data of a field. An id may hold any character, names of collections and fields no bar."""
    return f"{collection}|{id_}|{field}".encode()


class SealingKey:
    """A key. Its id precedes everything that it encrypts, and reveals nothing about the key."""

    __slots__ = ("_aead", "_digesting", "id")

    def __init__(self, secret: bytes) -> None:
        self._aead = AESGCM(secret)
        self._digesting = hmac.digest(secret, b"threadwise content digest", sha256)
        self.id = hmac.digest(secret, b"threadwise key id", sha256)[:ID_BYTES]

    def seal(self, plain: bytes, where: bytes) -> bytes:
        """Return key id, nonce and ciphertext: 36 bytes more than the plaintext."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return self.id + nonce + self._aead.encrypt(nonce, plain, where)

    def open(self, sealed: bytes, where: bytes) -> bytes:
        """Return the plaintext. Raise `SealBroken`."""
        key_id, nonce, rest = (
            sealed[:ID_BYTES],
            sealed[ID_BYTES : ID_BYTES + NONCE_BYTES],
            sealed[ID_BYTES + NONCE_BYTES :],
        )
        if key_id != self.id:
            raise SealBroken(f"sealed with another key at {where!r}")
        try:
            return self._aead.decrypt(nonce, rest, where)
        except (InvalidTag, ValueError) as error:  # ValueError: too short to hold a nonce
            raise SealBroken(f"moved or changed at {where!r}") from error

    def opens(self, sealed: bytes, where: bytes) -> bool:
        """Return True if this key sealed it there."""
        try:
            self.open(sealed, where)
        except SealBroken:
            return False
        return True

    def digest(self, plain: bytes) -> bytes:
        """Return the HMAC-SHA256 of a content. Without the key, the content cannot be guessed from it."""
        return hmac.digest(self._digesting, plain, sha256)


class MasterKeys:
    """The keys of THREADWISE_MASTER_KEY. The first one encrypts and all of them decrypt, so that it can be replaced."""

    __slots__ = ("_keys",)

    def __init__(self, first: bytes, *older: bytes) -> None:
        self._keys = {key.id: key for key in map(SealingKey, (first, *older))}

    @classmethod
    def parse(cls, text: str) -> MasterKeys:
        """Read one or more keys, base64 of 32 bytes each, separated by commas. Raise `SettingsError`."""
        try:
            secrets_ = [base64.b64decode(part.strip(), validate=True) for part in text.split(",")]
        except ValueError:
            secrets_ = [b""]
        if any(len(secret) != KEY_BYTES for secret in secrets_):
            # Neither quoted nor chained: the text is a secret even if it is malformed.
            raise SettingsError(
                "THREADWISE_MASTER_KEY must be the base64 of 32 bytes, or several separated by commas; "
                "`openssl rand -base64 32` makes one."
            )
        return cls(*secrets_)

    @staticmethod
    def generate() -> str:
        """Return a new key in the format of THREADWISE_MASTER_KEY."""
        return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()

    def seal(self, plain: bytes, where: bytes) -> bytes:
        """Encrypt with the first key."""
        return next(iter(self._keys.values())).seal(plain, where)

    def is_current(self, sealed: bytes) -> bool:
        """Return True if the first key encrypted this."""
        return sealed[:ID_BYTES] == next(iter(self._keys))

    def open(self, sealed: bytes, where: bytes) -> bytes:
        """Decrypt with the key that encrypted this. Raise `SealBroken` if it is not one of these."""
        key = self._keys.get(sealed[:ID_BYTES])
        if key is None:
            raise SealBroken(f"sealed with a master key that is not in THREADWISE_MASTER_KEY at {where!r}")
        return key.open(sealed, where)
