"""The embedded mongod: its program, its files, its command line, and the set-up of its replica set.

Flags and limits were measured with MongoDB 6.0.5. It listens on one unix socket only, in a private folder: that is its
access control. Does not know what starts it or how long it lives.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from pymongo import AsyncMongoClient
from pymongo.read_preferences import ReadPreference

from app.core.errors import SettingsError
from store.database import keeper

REPLICA_SET = "rs0"
SOCKET_LIMIT = 107  # bytes; sun_path has 108, the last one is NUL
MISSING = re.compile(r"error while loading shared libraries: ([\w.+-]+):")
"""What the system's loader says of a program that needs a library which is not there; the library."""
PACKAGES = {"libcurl.so.4": "libcurl4", "libcrypto.so.3": "libssl3", "libssl.so.3": "libssl3"}
"""Debian's and Ubuntu's packages of those that small installations lack."""
LEAST_ROOM = 16 * 2**20  # bytes; a file of its log has 10 MB, and with less a start fails in many ways
HELLO_LIMIT = 2.0  # seconds; a local mongod answers in milliseconds or is not running yet

FLAGS = (
    "--replSet",
    REPLICA_SET,
    "--nounixsocket",  # otherwise it makes a second, public one in the temporary folder
    "--quiet",
    "--networkMessageCompressors",
    "disabled",  # CVE-2025-14847 is in the decompressor of 6.0.5
    "--oplogSize",
    "64",  # MB
    "--wiredTigerCacheSizeGB",
    "0.25",  # the command line's minimum; the engine's own setting below takes precedence
    "--setParameter",
    "diagnosticDataCollectionEnabled=false",
    # 2,000 sessions: with 200 it dies at 500 open transactions; with the default 33,000 it takes 37 MB more. 10 MB of
    # log, not preallocated: 10 MB on disk instead of 300, and a restart in a third of the time.
    "--wiredTigerEngineConfigString",
    "cache_size=64M,session_max=2000,log=(file_max=10MB,prealloc=false)",
)


@dataclass(frozen=True, slots=True)
class Home:
    """The files of one embedded mongod."""

    path: Path
    socket: Path

    @classmethod
    def under(cls, data_dir: Path) -> Home:
        """Create the folders with mode 0700 if there are none. Raise `SettingsError` if they cannot be made private."""
        path = _make_private((data_dir / "mongodb").resolve())
        _make_private(path / keeper.DATA)
        socket = path / "m.sock"
        if len(bytes(socket)) > SOCKET_LIMIT:
            # The name depends on the data folder alone, so that every process finds the same one.
            name = "threadwise-" + hashlib.sha256(bytes(path)).hexdigest()[:16]
            socket = _make_private(Path(tempfile.gettempdir()) / name) / "m.sock"
        return cls(path, socket)

    @property
    def uri(self) -> str:
        """Return the connection string. It is direct, because the replica set has one member and its host is a path."""
        return f"mongodb://{quote_plus(str(self.socket))}/?directConnection=true"

    def command(self, program: Path) -> list[str]:
        """Return the command line that serves these files."""
        data = str(self.path / keeper.DATA)
        return [str(program), "--dbpath", data, "--bind_ip", str(self.socket), *FLAGS]


def _make_private(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():  # any user can create it in a temporary folder
            raise PermissionError(errno.EPERM, "it belongs to somebody else")
        folder.chmod(0o700)
    except OSError as error:
        raise SettingsError(
            f"The embedded database needs the folder {folder} for itself: {error.strerror}. "
            "THREADWISE_DATA_DIR can name another."
        ) from error
    return folder


def find_mongod(search_path: str | None = None, package: str = "fiftyone") -> Path:
    """Return the mongod on PATH, else that of the optional package. Raise `SettingsError` if there is neither."""
    if on_path := shutil.which("mongod", path=search_path):
        return Path(on_path)
    spec = importlib.util.find_spec(package)  # finds a package without running it
    for folder in (spec and spec.submodule_search_locations) or ():
        if (program := Path(folder, "db", "bin", "mongod")).exists():
            return program
    raise SettingsError(
        "There is no mongod on this machine: install MongoDB, or set MONGODB_URI to a replica set, "
        "or, on Linux x86-64, `pip install threadwise[embedded]`."
    )


def describe_limits(search_path: str | None = None) -> str:
    """Return a sentence on the purpose of the mongod that `find_mongod` finds."""
    is_packaged = shutil.which("mongod", path=search_path) is None
    age = "6.0.5 is past its end of life, and" if is_packaged else "is"
    return f"The embedded MongoDB {age} meant for a trial or one small machine. Set MONGODB_URI for anything larger."


def find_cause(output: str, free: int) -> str:
    """Return the cause from the output of a mongod that did not start: its first error, else its first line.

    `free` is the room on its disk, in bytes. Where that is full, the output is cut off, or not there.
    """
    if free < LEAST_ROOM:
        return f"its disk is full ({free // 2**20} MB are free). Make room where THREADWISE_DATA_DIR is."
    if missing := MISSING.search(output):
        package = PACKAGES.get(missing[1], "the package that has it")
        return (
            f"this system has no {missing[1]}. Install {package} (on Debian and Ubuntu: apt-get install) and try again."
        )
    lines = output.splitlines() or ["it said nothing"]
    for line in lines:
        if line.startswith("{") and '"s":"I"' not in line and '"s":"W"' not in line:
            error = json.loads(line).get("attr", {}).get("error", line)
            return error if isinstance(error, str) else str(error.get("errmsg", error))
    return lines[0]


async def make_writable(home: Home) -> bool:
    """Initiate or correct the replica set of a running mongod. Return True once it accepts writes.

    Raise pymongo's errors while it starts, and in all but one of several processes that configure it at once.
    """
    # A new client each time: one from before `replSetInitiate` keeps reporting that sessions are not supported.
    async with AsyncMongoClient[dict[str, Any]](
        home.uri, serverSelectionTimeoutMS=HELLO_LIMIT * 1000, read_preference=ReadPreference.SECONDARY_PREFERRED
    ) as client:
        if (await client.admin.command("hello")).get("isWritablePrimary"):
            return True
        host = str(home.socket)
        config = await client.local["system.replset"].find_one()
        if config is None:
            members = [{"_id": 0, "host": host}]
            await client.admin.command("replSetInitiate", {"_id": REPLICA_SET, "members": members})
        elif config["members"][0]["host"] != host:  # the data folder was moved
            config["members"][0]["host"] = host
            config["version"] += 1
            await client.admin.command("replSetReconfig", config, force=True)
        return False
