"""The folder of the erasure secrets: what is on disk before what, and what of it counts as a secret."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType

import pytest

from app.core.errors import SettingsError
from store.crypto.erasure_secrets import SECRET_BYTES, ErasureSecrets

NAME, OTHER = "ab" * 16, "cd" * 16
Flushed = list[tuple[int, bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> ErasureSecrets:
    secrets = ErasureSecrets(tmp_path, "threadwise")
    secrets.prepare()
    return secrets


@pytest.fixture
def flushed(tmp_path: Path) -> Generator[Flushed]:
    """What is brought to the disk, in order: its number there, and what the secret's file holds at that time."""
    order, secret = Flushed(), find_secret(ErasureSecrets(tmp_path, "threadwise"))

    def watch(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is os.fsync:
            told = frame.f_locals
            number = os.fstat(told["file"] if "file" in told else told["descriptor"]).st_ino
            order.append((number, secret.read_bytes() if secret.exists() else b""))

    threading.setprofile(watch)  # the thread that works on the folder is begun after this
    yield order
    threading.setprofile(None)


def find_secret(folder: ErasureSecrets, name: str = NAME) -> Path:
    return folder.path / "secrets" / name[0] / name


async def test_the_folders_are_on_disk_before_anything_is_kept_in_them(tmp_path: Path, flushed: Flushed) -> None:
    secrets = ErasureSecrets(tmp_path / "new", "threadwise")
    await asyncio.to_thread(secrets.prepare)
    path, numbers = secrets.path, [number for number, _ in flushed]
    assert {each.stat().st_ino for each in (path.parent, path, path / "secrets", path / "tombstones")} <= {*numbers}
    await asyncio.to_thread(secrets.prepare)
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.req("SE-03")
async def test_a_secret_is_on_disk_before_it_is_used_and_so_is_one_that_somebody_else_has_just_made(
    folder: ErasureSecrets, flushed: Flushed
) -> None:
    made = await folder.make((NAME,))
    path = find_secret(folder)
    assert [number for number, _ in flushed] == [path.stat().st_ino, path.parent.stat().st_ino]
    flushed.clear()
    assert await folder.make((NAME,)) == made
    assert [number for number, _ in flushed] == [path.parent.stat().st_ino], "its maker may have died before that"


@pytest.mark.req("SE-03")
async def test_a_tombstone_is_on_disk_before_its_secret_is_overwritten_and_removed(
    folder: ErasureSecrets, flushed: Flushed
) -> None:
    secret, path = (await folder.make((NAME,)))[NAME], find_secret(folder)
    number = path.stat().st_ino
    flushed.clear()
    await folder.bury((NAME,))
    tombstone = folder.path / "tombstones" / NAME[0] / NAME
    assert flushed == [
        (tombstone.stat().st_ino, secret),
        (tombstone.parent.stat().st_ino, secret),
        (number, bytes(SECRET_BYTES)),
        (path.parent.stat().st_ino, b""),
    ]


@pytest.mark.req("SE-03")
async def test_no_secret_is_made_where_there_is_a_tombstone_and_the_others_are_left(folder: ErasureSecrets) -> None:
    kept = (await folder.make((NAME, OTHER)))[OTHER]
    await folder.bury((NAME,))
    assert await folder.make((NAME, OTHER)) == {OTHER: kept}
    assert (await folder.is_buried(NAME), await folder.is_buried(OTHER)) == (True, False)
    assert (await folder.list_names(), await folder.list_buried()) == ({OTHER}, {NAME})
    await folder.bury((NAME,))
    find_secret(folder, "ab.part").write_bytes(b"")
    assert (await folder.list_names(), await folder.list_buried()) == ({OTHER}, {NAME})


async def test_a_secret_that_a_disk_has_shortened_counts_as_missing_and_is_not_made_anew_by_reading(
    folder: ErasureSecrets,
) -> None:
    await folder.make((NAME,))
    find_secret(folder).write_bytes(b"short")
    assert await folder.read((NAME, OTHER)) == {}
    assert find_secret(folder).read_bytes() == b"short"


async def test_a_generation_is_raised_and_never_lowered_and_is_on_disk(
    folder: ErasureSecrets, flushed: Flushed
) -> None:
    assert await folder.generation(NAME) == 0
    await folder.raise_generation(NAME, 3)
    path = folder.path / "generations" / NAME
    assert [number for number, _ in flushed] == [path.stat().st_ino, path.parent.stat().st_ino]
    for lower in (2, 3):
        await folder.raise_generation(NAME, lower)
        assert await folder.generation(NAME) == 3
    assert (await folder.generation(OTHER), len(flushed)) == (0, 2)


async def test_files_that_others_may_read_are_counted(folder: ErasureSecrets) -> None:
    await folder.make((NAME, OTHER))
    assert folder.loose() == 0
    for name in (NAME, OTHER):
        find_secret(folder, name).chmod(0o640)
    assert folder.loose() == 2


def test_a_disk_that_is_full_is_told_by_a_trial_that_leaves_nothing_behind(folder: ErasureSecrets) -> None:
    there = sorted(folder.path.rglob("*"))
    folder.prove_writable()
    assert [each for each in sorted(folder.path.rglob("*")) if each.name != "lock"] == there
    (folder.path / "new").symlink_to("/dev/full")
    with pytest.raises(SettingsError, match="cannot be written: No space left on device"):
        folder.prove_writable()
    (folder.path / "new").unlink()
    folder.prove_writable()
