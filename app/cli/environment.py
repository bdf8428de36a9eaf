"""The `.env` of a new installation."""

from __future__ import annotations

import os
from pathlib import Path

from dotenv import dotenv_values

from app.core.errors import SettingsError
from app.settings import ENV_FILE
from store.crypto.cipher import MasterKeys

TEMPLATE = ".env.example"
MASTER_KEY = "THREADWISE_MASTER_KEY"


def prepare(folder: Path) -> tuple[bool, tuple[str, ...]]:
    """Write the folder's `.env` from its template, with a new master key, for its owner's eyes alone.

    Return True if it was written, and the settings without a value. An `.env` that is there stays as it is. Raise
    `SettingsError` if there is no template, or the folder cannot be written.
    """
    path = folder / ENV_FILE
    try:
        template = (folder / TEMPLATE).read_text("utf-8")
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(template.replace(f"{MASTER_KEY}=\n", f"{MASTER_KEY}={MasterKeys.generate()}\n"))
    except FileExistsError:
        return False, _list_empty(path)
    except OSError as error:
        raise SettingsError(f"{error.filename}: {error.strerror}. Run this in the clone of Threadwise.") from error
    return True, _list_empty(path)


def _list_empty(path: Path) -> tuple[str, ...]:
    return tuple(name for name, value in dotenv_values(path).items() if not value)
