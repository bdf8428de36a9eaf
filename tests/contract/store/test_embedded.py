"""The life of the embedded mongod, with real processes and real kills."""

from __future__ import annotations

import asyncio
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pymongo
import pytest
from pymongo import MongoClient
from pymongo.errors import NotPrimaryError

from app.core.errors import SettingsError
from app.settings import list_secret_names
from store.database.embedded import run_mongod
from tests.mongo import wait_until_ended

APP = """
import asyncio, pathlib, sys
from store.database.embedded import run_mongod

async def main():
    async with run_mongod(pathlib.Path(sys.argv[1])) as uri:
        print(uri, flush=True)
        await asyncio.to_thread(sys.stdin.read)  # until the test lets go

asyncio.run(main())
"""


class App:
    """Another process that uses the same data folder."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", APP, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def uri(self) -> str:
        """Wait until it is ready."""
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def leave(self) -> None:
        self._process.communicate()


def mongod_of(folder: Path) -> int:
    """Return the process id of the mongod that holds the data now."""
    return int((folder / "mongodb" / "db" / "mongod.lock").read_text())


def keeper_of(folder: Path) -> int:
    """Return the process id of its keeper, which is its parent."""
    return int(Path(f"/proc/{mongod_of(folder)}/stat").read_text().rpartition(")")[2].split()[1])


def wait_until_dead(process: int) -> None:
    with open(os.pidfd_open(process), "rb") as death:
        select.select([death], [], [])


def write(uri: str) -> int:
    """Write something, however often it takes, and return how much there is."""
    with MongoClient[dict[str, Any]](uri) as client, pymongo.timeout(30):
        things = client.lifetime.things
        while True:
            try:
                things.insert_one({})
            except NotPrimaryError:  # it has just started and refuses writes; nothing was written
                continue
            return things.count_documents({})


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    """A data folder, whose mongod is put an end to if the test has not seen to it."""
    yield tmp_path / "data"
    for lock in tmp_path.glob("*/mongodb/db/mongod.lock"):
        if pid := lock.read_text():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
            wait_until_ended(lock.parents[2])


async def test_the_first_user_starts_a_mongod_and_the_second_shares_it(folder: Path) -> None:
    async with run_mongod(folder) as uri:
        first = mongod_of(folder)
        async with run_mongod(folder) as same:
            assert (same, mongod_of(folder)) == (uri, first)
        assert write(uri) == 1


async def test_when_the_last_user_has_left_the_files_are_at_rest_and_can_be_copied(
    folder: Path, tmp_path: Path
) -> None:
    async with run_mongod(folder) as uri:
        async with run_mongod(folder):
            process = os.pidfd_open(mongod_of(folder))
        assert write(uri) == 1, "another user is still there"
    with open(process, "rb") as death:
        assert select.select([death], [], [], 0)[0]
    shutil.copytree(folder, tmp_path / "copy", ignore=shutil.ignore_patterns("*.sock"))
    async with run_mongod(tmp_path / "copy") as uri:
        assert write(uri) == 2


async def test_only_the_owner_may_enter_and_no_port_is_open(folder: Path) -> None:
    async with run_mongod(folder) as uri:
        assert (folder / "mongodb").stat().st_mode & 0o777 == 0o700
        with MongoClient[dict[str, Any]](uri) as client:
            net = client.admin.command("getCmdLineOpts")["parsed"]["net"]
        assert net["bindIp"] == str(folder / "mongodb" / "m.sock")
        assert net["compression"] == {"compressors": "disabled"}
        sockets = Path(f"/proc/{mongod_of(folder)}/net/tcp").read_text().splitlines()[1:]
        inodes = {os.readlink(fd) for fd in Path(f"/proc/{mongod_of(folder)}/fd").iterdir() if fd.is_symlink()}
        assert not [line for line in sockets if f"socket:[{line.split()[9]}]" in inodes]


@pytest.mark.req("SE-10")
async def test_neither_keeper_nor_mongod_knows_our_secrets_or_leaves_a_core_dump(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list_secret_names():
        monkeypatch.setenv(name, f"hidden {name}")
    async with run_mongod(folder):
        for process in (Path(f"/proc/{pid}") for pid in (keeper_of(folder), mongod_of(folder))):
            environment = (process / "environ").read_bytes()
            assert b"PATH=" in environment
            assert b"hidden" not in environment
            assert re.search(r"Max core file size\s+0\s+0\s", (process / "limits").read_text())


async def test_a_killed_first_user_leaves_mongod_to_the_others(folder: Path) -> None:
    first = App(folder)
    first.uri()
    async with run_mongod(folder) as uri:
        mongod = mongod_of(folder)
        first.kill()
        assert write(uri) == 1
        assert mongod_of(folder) == mongod


async def test_when_the_last_user_is_killed_mongod_ends_cleanly(folder: Path) -> None:
    last = App(folder)
    last.uri()
    mongod, keeper = mongod_of(folder), keeper_of(folder)
    last.kill()
    wait_until_ended(folder)
    assert not Path(f"/proc/{mongod}").exists()
    assert (folder / "mongodb" / "db" / "mongod.lock").read_text() == "", "mongod did not shut down cleanly"
    assert mongod != keeper


async def test_a_killed_keeper_takes_mongod_with_it_and_both_come_back_by_themselves(folder: Path) -> None:
    async with run_mongod(folder) as uri:
        write(uri)
        mongod = mongod_of(folder)
        os.kill(keeper_of(folder), signal.SIGKILL)
        await asyncio.to_thread(wait_until_dead, mongod)
        assert await asyncio.to_thread(write, uri) == 2
        assert mongod_of(folder) != mongod


async def test_a_killed_mongod_is_started_again_by_the_same_keeper(folder: Path) -> None:
    async with run_mongod(folder) as uri:
        write(uri)
        mongod, keeper = mongod_of(folder), keeper_of(folder)
        os.kill(mongod, signal.SIGKILL)
        assert write(uri) == 2
        assert mongod_of(folder) != mongod
        assert keeper_of(folder) == keeper


async def test_after_everything_was_killed_all_data_is_there(folder: Path) -> None:
    app = App(folder)
    write(app.uri())
    mongod, keeper = mongod_of(folder), keeper_of(folder)
    os.kill(keeper, signal.SIGSTOP)  # or its death would let mongod end cleanly before it is killed
    os.kill(mongod, signal.SIGKILL)
    os.kill(keeper, signal.SIGKILL)
    app.kill()
    assert (folder / "mongodb" / "m.sock").exists(), "nothing stale was left to stumble over"
    async with run_mongod(folder) as uri:
        assert write(uri) == 2


async def test_a_mongod_that_takes_its_time_to_end_is_waited_for(folder: Path) -> None:
    app = App(folder)
    write(app.uri())
    mongod, keeper = mongod_of(folder), keeper_of(folder)
    os.kill(mongod, signal.SIGSTOP)
    os.kill(keeper, signal.SIGKILL)
    app.kill()
    async with asyncio.TaskGroup() as tasks:
        coming = tasks.create_task(enter_and_write(folder))
        await asyncio.wait([coming], timeout=1.5)
        assert not coming.done(), "it was given up before it had ended"
        os.kill(mongod, signal.SIGCONT)
    assert coming.result() == 2


async def enter_and_write(folder: Path) -> int:
    async with run_mongod(folder) as uri:
        return await asyncio.to_thread(write, uri)


async def test_eight_processes_that_start_at_once_share_one_mongod(folder: Path) -> None:
    apps = [App(folder) for _ in range(8)]
    uris = {app.uri() for app in apps}
    assert len(uris) == 1
    assert write(uris.pop()) == 1
    commands = [command.read_bytes() for command in Path("/proc").glob("[0-9]*/cmdline")]
    serving = [command for command in commands if b"--dbpath\0" + bytes(folder) in command]
    assert len(serving) == 2, "there is more than one keeper with its mongod"
    for app in apps:
        app.leave()


async def test_users_may_come_while_and_just_after_the_last_one_goes_ten_times_over(folder: Path) -> None:
    last = run_mongod(folder)
    uri = await last.__aenter__()
    for number in range(1, 11):
        following = run_mongod(folder)
        going, coming = last.__aexit__(None, None, None), following.__aenter__()
        if number % 3:
            await asyncio.gather(going, coming)
        else:
            await going
            await coming
        assert write(uri) == number
        last = following
    await last.__aexit__(None, None, None)


async def test_a_moved_folder_is_served_where_it_is_now(folder: Path) -> None:
    async with run_mongod(folder) as uri:
        write(uri)
    wait_until_ended(folder)
    moved = folder.with_name("moved")
    shutil.move(folder, moved)
    async with run_mongod(moved) as uri:
        assert "moved" in uri
        assert write(uri) == 2


async def test_a_stale_lock_that_names_a_living_process_is_no_obstacle(folder: Path) -> None:
    data = folder / "mongodb" / "db"
    data.mkdir(parents=True)
    (data / "mongod.lock").write_text(f"{os.getpid()}\n")
    (folder / "mongodb" / "m.sock").touch()
    async with run_mongod(folder) as uri:
        assert write(uri) == 1


async def test_a_path_too_long_for_a_socket_gets_a_short_one_and_the_same_each_time(folder: Path) -> None:
    long = folder.with_name("long" * 25)
    async with run_mongod(long) as uri, run_mongod(long) as same:
        assert uri == same
        assert "long" not in uri
        assert write(uri) == 1


async def test_a_mongod_that_cannot_start_is_a_settings_error_with_its_own_words(folder: Path) -> None:
    folder.mkdir()
    program = folder / "mongod"
    said = "mongod: version GLIBC_2.34 not found"
    program.write_text(f"#!/bin/sh\necho {said} >&2\nexit 127\n")
    program.chmod(0o755)
    with pytest.raises(SettingsError, match=f"does not start: {said}"):
        async with run_mongod(folder, program):
            pass


async def test_a_program_that_is_none_is_a_settings_error_with_the_systems_words(folder: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        async with run_mongod(folder, folder / "absent"):
            pass
