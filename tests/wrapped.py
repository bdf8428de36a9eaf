"""What a store keeps keys with, in tests: a folder of its own for each run of the tests, which goes with it."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from store.crypto.cipher import MasterKeys
from store.crypto.erasure_secrets import ErasureSecrets
from store.crypto.wrapping import Wrapping


@cache
def secrets_dir() -> Path:
    """The folder that tests share which do not care; what they keep there has names of its own."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="tw-secrets-", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def wrapping(master_keys: str, database: str = "contract", folder: Path | None = None) -> Wrapping:
    """Read the keys of THREADWISE_MASTER_KEY, and take the secrets of this database."""
    secrets = ErasureSecrets(folder or secrets_dir(), database)
    secrets.prepare()
    return Wrapping(MasterKeys.parse(master_keys), secrets)
