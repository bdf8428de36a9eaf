"""The connection to MongoDB, and the one place that knows Motor (design D2), which is past its end of life.

Writes are acknowledged by a majority and journaled before they count. Outages become `StoreUnavailable` here, and a
user whom MongoDB refuses `SettingsError`.
"""

from __future__ import annotations

import asyncio
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
"""MongoDB's error codes: the user lacks a right, name or password is wrong, and Atlas's own for either."""
OUTAGES = frozenset(
    {
        6,  # HostUnreachable
        7,  # HostNotFound
        24,  # LockTimeout
        43,  # CursorNotFound: it has died with the primary
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
    }
)
"""MongoDB's error codes of what passes by itself: elections, shutdowns, networks, times that were not enough."""

PASSING = ("RetryableWriteError", "RetryableError", "TransientTransactionError", "UnknownTransactionCommitResult")
"""Labels by which MongoDB says the same. A single write that failed carries none: it is told by its code."""

OUTAGE_LIMIT = 5000  # ms to find a primary; an election takes up to 12 s, and the worker tries again by itself
OPERATION_LIMIT = 10_000  # ms for one call with all its retries


def connect(uri: str, database: str) -> Database:
    """Return the database; nothing is sent yet. `database.client.close()` ends it. Raises `SettingsError`."""
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
    except (ConfigurationError, ValueError) as error:
        raise SettingsError(f"MONGODB_URI is no connection string that MongoDB understands: {error}") from error


@asynccontextmanager
async def time_limit(seconds: float) -> AsyncGenerator[None]:
    """End what is inside with an outage after so long.

    The driver's own limit frees its thread and stops the server; ours also counts the wait for one of those threads.
    """
    with pymongo.timeout(seconds):
        async with asyncio.timeout(seconds):
            yield


def only_duplicates(error: BulkWriteError) -> bool:
    """True if every write that failed did so because the id or a unique value is there already."""
    return all(each["code"] == DUPLICATE_KEY for each in error.details["writeErrors"])


def translated(method: Callable[P, Awaitable[T]]) -> Callable[P, CoroutineType[Any, Any, T]]:
    """Make a method raise `StoreUnavailable` where MongoDB cannot be reached or does not answer in time.

    It raises `SettingsError` where MongoDB refuses the user.
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
            if isinstance(error, OperationFailure) and error.code in REFUSED:
                raise SettingsError(
                    "MongoDB refuses this user: check name, password and rights in MONGODB_URI."
                ) from error
            raise

    return translating


def _is_outage(error: PyMongoError) -> bool:
    # A failover shows as a command or as a write that failed.
    if isinstance(error, ConnectionFailure) or error.timeout or any(map(error.has_error_label, PASSING)):
        return True
    return isinstance(error, OperationFailure) and not OUTAGES.isdisjoint(_codes(error))


def _codes(error: OperationFailure) -> set[int | None]:
    """Its code and, of many writes at once, that of each."""
    details: Any = error.details or {}
    each = (*details.get("writeErrors", ()), *details.get("writeConcernErrors", ()))
    return {error.code, *(one.get("code") for one in each)}
