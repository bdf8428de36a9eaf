"""A lock of a file: held once, and told where there is none to be had."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from app.core.errors import SettingsError
from store.database.file_lock import try_lock


def test_a_lock_that_another_holds_alone_is_not_to_be_had(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    first, second = (os.open(tmp_path / "lock", os.O_RDWR) for _ in range(2))
    assert try_lock(first, fcntl.LOCK_EX)
    assert not try_lock(second, fcntl.LOCK_SH)
    os.close(first)
    assert try_lock(second, fcntl.LOCK_SH)
    os.close(second)


def test_a_disk_that_keeps_no_locks_is_told_in_a_sentence(tmp_path: Path) -> None:
    bare = os.open(tmp_path, os.O_PATH)  # the kernel refuses to lock it, as it does on such a disk
    with pytest.raises(SettingsError, match="Keep it on a disk of this machine"):
        try_lock(bare, fcntl.LOCK_SH)
    os.close(bare)
