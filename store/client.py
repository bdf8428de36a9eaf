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
    # A failover shows as a command that failed, with a label that says it may be tried again.
    return isinstance(error, ConnectionFailure) or error.timeout or error.has_error_label("RetryableWriteError")
