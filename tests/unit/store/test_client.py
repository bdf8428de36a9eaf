"""Which of MongoDB's errors are outages, and which are bugs of ours."""

from __future__ import annotations

import asyncio

import pytest
from pymongo.errors import (
    AutoReconnect,
    DuplicateKeyError,
    ExecutionTimeout,
    NetworkTimeout,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WaitQueueTimeoutError,
    WTimeoutError,
)

from app.core.errors import SettingsError, StoreUnavailable
from store.client import time_limit, translated


@translated
async def fail(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    "error",
    [
        AutoReconnect(),
        NetworkTimeout(),
        NotPrimaryError(),
        ServerSelectionTimeoutError(),
        WaitQueueTimeoutError(),
        ExecutionTimeout("too slow", code=50),
        WTimeoutError("too slow", code=64),
        OperationFailure("stepping down", details={"errorLabels": ["RetryableWriteError"]}),
        TimeoutError(),
    ],
)
async def test_an_outage_is_said_to_be_one_and_keeps_its_cause(error: Exception) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        await fail(error)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [DuplicateKeyError("twice"), OperationFailure("bad query", code=2)])
async def test_a_mistake_of_ours_is_not_hidden_as_an_outage(error: PyMongoError) -> None:
    with pytest.raises(type(error)):
        await fail(error)


@pytest.mark.parametrize("code", [13, 18, 8000])
async def test_a_user_whom_mongodb_refuses_is_a_matter_of_settings(code: int) -> None:
    with pytest.raises(SettingsError, match=r"MongoDB refuses this user: .* MONGODB_URI"):
        await fail(OperationFailure("not allowed", code=code))


async def test_what_takes_longer_than_its_limit_is_an_outage() -> None:
    @translated
    async def wait() -> None:
        async with time_limit(0.01):
            await asyncio.Event().wait()

    with pytest.raises(StoreUnavailable):
        await wait()
