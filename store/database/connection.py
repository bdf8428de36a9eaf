"""The connection to MongoDB, and the only module that knows Motor, which is past its end of life.

Writes succeed once a majority has journaled them. Outages become `StoreUnavailable` here, and a user without the
necessary rights `SettingsError`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from types import CoroutineType
from typing import Any, ParamSpec, TypeAlias, TypeVar

import pymongo
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase
from pymongo.errors import BulkWriteError, ConfigurationError, ConnectionFailure, OperationFailure, PyMongoError

from app.core.errors import SettingsError, StoreUnavailable

Document: TypeAlias = dict[str, Any]
Database: TypeAlias = "AsyncIOMotorDatabase[Document]"
Collection: TypeAlias = "AsyncIOMotorCollection[Document]"

P = ParamSpec("P")
T = TypeVar("T")

DUPLICATE_KEY = 11000  # MongoDB's error code
REFUSED = (13, 18, 8000)
"""MongoDB's error codes: a missing right, a wrong name or password, and Atlas's own code for either."""
OUTAGES = frozenset(
    {
        6,  # HostUnreachable
        7,  # HostNotFound
        24,  # LockTimeout
        43,  # CursorNotFound: it was lost with the primary
        46,  # LockBusy
        50,  # MaxTimeMSExpired
        64,  # WriteConcernTimeout
        89,  # NetworkTimeout
        91,  # ShutdownInProgress
        112,  # WriteConflict
        133,  # FailedToSatisfyReadPreference
        134,  # ReadConcernMajorityNotAvailableYet
        175,  # QueryPlanKilled
        189,  # PrimarySteppedDown
        202,  # NetworkInterfaceExceededTimeLimit
        237,  # CursorKilled
        262,  # ExceededTimeLimit
        317,  # ConnectionPoolExpired
        365,  # TemporarilyUnavailable
        384,  # ConnectionError
        462,  # IngressRequestRateLimitExceeded
        9001,  # SocketException
        10058,  # LegacyNotPrimary
        10107,  # NotWritablePrimary
        11600,  # InterruptedAtShutdown
        11601,  # Interrupted
        11602,  # InterruptedDueToReplStateChange
        13388,  # StaleConfig
        13435,  # NotPrimaryNoSecondaryOk
        13436,  # NotPrimaryOrSecondary
        14031,  # OutOfDiskSpace: MongoDB's own check before it writes
    }
)
"""MongoDB's error codes of transient failures: elections, shutdowns, networks, timeouts."""

UNKNOWN_ERROR, NO_SPACE = 8, "No space left on device"
"""MongoDB's error code, and what it says, when its disk is full in the middle of a write."""

PASSING = ("RetryableWriteError", "RetryableError", "TransientTransactionError", "UnknownTransactionCommitResult")
"""MongoDB's labels of transient failures. A single failed write carries none: its code is checked instead."""

_QUOTED = re.compile(r'".*"', re.DOTALL)

OUTAGE_LIMIT = 5000  # ms to find a primary; an election takes up to 12 s, and the worker retries
OPERATION_LIMIT = 10_000  # ms for one call with all its retries


def connect(uri: str, database: str) -> Database:
    """Return the database without connecting yet. `database.client.close()` closes it. Raise `SettingsError`."""
    try:
        client: AsyncIOMotorClient[Document] = AsyncIOMotorClient(
            uri,
            appname="threadwise",
            serverSelectionTimeoutMS=OUTAGE_LIMIT,
            timeoutMS=OPERATION_LIMIT,
            w="majority",
            journal=True,
            retryWrites=True,
            tz_aware=True,
        )
        return client[database]
    except (ConfigurationError, ValueError, OSError) as error:  # OSError: a file of certificates that it names
        raise _refuse_address(error) from error


def _refuse_address(error: Exception) -> SettingsError:
    """Tell what is wrong without what the driver quotes: that may be the end of a password with a slash in it."""
    told, quoted = _QUOTED.subn("…", str(error))
    is_escaped_wrongly = quoted or "RFC 3986" in told
    hint = ". In a name and a password write / as %2F, @ as %40 and : as %3A" if is_escaped_wrongly else ""
    return SettingsError(f"MONGODB_URI cannot be used as it is: {told}{hint}")


@asynccontextmanager
async def limit_time(seconds: float) -> AsyncGenerator[None]:
    """Limit the time of the block. `translate_errors` turns a timeout into an outage.

    The driver's own limit frees its OS thread and stops the server. Ours includes the wait for one of those threads.
    """
    with pymongo.timeout(seconds):
        async with asyncio.timeout(seconds):
            yield


def is_only_duplicates(error: BulkWriteError) -> bool:
    """Return True if every failed write failed because its id or unique value exists already."""
    return all(each["code"] == DUPLICATE_KEY for each in error.details["writeErrors"])


def translate_errors(method: Callable[P, Awaitable[T]]) -> Callable[P, CoroutineType[Any, Any, T]]:
    """Make a method raise `StoreUnavailable` if MongoDB is unreachable or too slow.

    It raises `SettingsError` if MongoDB refuses the user.
    """

    @wraps(method)
    async def translating(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(*args, **kwargs)
        except TimeoutError as error:
            raise StoreUnavailable from error
        except PyMongoError as error:
            if _is_outage(error):
                raise StoreUnavailable from error
            if isinstance(error, ConfigurationError):  # of mongodb+srv, which is looked up with the first call
                raise _refuse_address(error) from error
            if isinstance(error, OperationFailure) and error.code in REFUSED:
                raise SettingsError(
                    "MongoDB refuses this user: check name, password and rights in MONGODB_URI."
                ) from error
            raise

    return translating


def _is_outage(error: PyMongoError) -> bool:
    # A failover surfaces as a failed command or as a failed write.
    if isinstance(error, ConnectionFailure) or error.timeout or any(map(error.has_error_label, PASSING)):
        return True
    if not isinstance(error, OperationFailure):
        return False
    codes = _list_codes(error)
    return not OUTAGES.isdisjoint(codes) or (UNKNOWN_ERROR in codes and NO_SPACE in str(error))


def _list_codes(error: OperationFailure) -> set[int | None]:
    """Return the error's code and, for a bulk write, the code of each failure."""
    details: Any = error.details or {}
    each = (*details.get("writeErrors", ()), *details.get("writeConcernErrors", ()))
    return {error.code, *(one.get("code") for one in each)}
