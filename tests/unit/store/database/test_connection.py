"""Which of MongoDB's errors are outages, and which are bugs of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pymongo import helpers_shared
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    ConfigurationError,
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
from store.database.connection import OUTAGES, PASSING, connect, limit_time, translate_errors


@translate_errors
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


def raised(check: str, response: dict[str, Any]) -> PyMongoError:
    """The error that the driver makes of what a server answers."""
    with pytest.raises(PyMongoError) as caught:
        getattr(helpers_shared, check)(response, None)
    return caught.value


def written(**response: Any) -> PyMongoError:
    """The same of what it answers to a write."""
    check: Any = helpers_shared
    with pytest.raises(PyMongoError) as caught:
        check._check_write_command_response({"ok": 1, "n": 0, **response})
    return caught.value


WAYS: dict[str, Callable[[int], PyMongoError]] = {
    "a command": lambda code: raised("_check_command_response", {"ok": 0, "code": code, "errmsg": "x"}),
    "a write": lambda code: written(writeErrors=[{"index": 0, "code": code, "errmsg": "x"}]),
    "its concern": lambda code: written(writeConcernError={"code": code, "errmsg": "x"}),
    "one of many writes": lambda code: BulkWriteError({"writeErrors": [{"code": 11000}, {"code": code}]}),
    "the concern of many": lambda code: BulkWriteError({"writeErrors": [], "writeConcernErrors": [{"code": code}]}),
}
"""How MongoDB says that something has failed, as the driver tells it."""

TABLES: Any = helpers_shared
KNOWN = TABLES._NOT_PRIMARY_CODES | TABLES._SHUTDOWN_CODES | TABLES._RETRYABLE_ERROR_CODES
"""What the driver itself takes for an election, a shutdown, or another thing that passes."""


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("way", WAYS)
async def test_whatever_passes_by_itself_is_an_outage_in_whichever_way_mongodb_says_so(way: str) -> None:
    assert KNOWN <= OUTAGES
    for code in sorted(OUTAGES | {50, 64, 262}):
        error = WAYS[way](code)
        with pytest.raises(StoreUnavailable) as caught:
            await fail(error)
        assert caught.value.__cause__ is error


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("many", [False, True], ids=["one write", "many"])
async def test_a_disk_of_mongodb_that_is_full_is_an_outage_and_nothing_else_without_a_name_is(many: bool) -> None:
    """What a `mongod` 6.0.5 says on a full volume."""
    for said, passes in (("WiredTigerRecordStore::insertRecord 28: No space left on device", True), ("-1: x", False)):
        one = {"index": 0, "code": 8, "errmsg": said}
        error = BulkWriteError({"writeErrors": [one]}) if many else written(writeErrors=[one])
        with pytest.raises(StoreUnavailable if passes else type(error)):
            await fail(error)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("code", [2, 9, 121, 10334])
async def test_a_mistake_of_ours_is_one_in_whichever_way_mongodb_says_so(way: str, code: int) -> None:
    error = WAYS[way](code)
    with pytest.raises(type(error)):
        await fail(error)


@pytest.mark.req("MW-20")
@pytest.mark.parametrize("label", PASSING)
async def test_a_label_that_says_that_it_passes_is_believed(label: str) -> None:
    with pytest.raises(StoreUnavailable):
        await fail(written(writeConcernError={"code": 2, "errmsg": "x"}, errorLabels=[label]))


@pytest.mark.parametrize("error", [DuplicateKeyError("twice"), OperationFailure("bad query", code=2)])
async def test_a_mistake_of_ours_is_not_hidden_as_an_outage(error: PyMongoError) -> None:
    with pytest.raises(type(error)):
        await fail(error)


@pytest.mark.parametrize("code", [13, 18, 8000])
async def test_a_user_whom_mongodb_refuses_is_a_matter_of_settings(code: int) -> None:
    with pytest.raises(SettingsError, match=r"MongoDB refuses this user: .* MONGODB_URI"):
        await fail(OperationFailure("not allowed", code=code))


@pytest.mark.parametrize(
    "uri",
    ["mongodb//127.0.0.1", "mongodb://127.0.0.1:99999", "mongodb://127.0.0.1/?tls=true&tlsCAFile=/nowhere/ca.pem"],
)
def test_an_address_that_the_driver_does_not_take_is_told_with_the_drivers_reason(uri: str) -> None:
    with pytest.raises(SettingsError, match=r"MONGODB_URI .*: .+"):
        connect(uri, "threadwise")


async def test_an_address_that_the_driver_looks_up_only_with_the_first_call_is_a_matter_of_settings() -> None:
    with pytest.raises(SettingsError, match=r"MONGODB_URI .*: The DNS query name does not exist"):
        await fail(ConfigurationError("The DNS query name does not exist: _mongodb._tcp.acme.invalid."))


async def test_what_takes_longer_than_its_limit_is_an_outage() -> None:
    @translate_errors
    async def wait() -> None:
        async with limit_time(0.01):
            await asyncio.Event().wait()

    with pytest.raises(StoreUnavailable):
        await wait()


@pytest.mark.parametrize(
    "password", ["sword/fish", "27017/swordfish", "1/sword/fish", '1/"swordfish"', "1/sword\nfish"]
)
def test_of_an_address_that_cannot_be_read_no_part_of_the_password_is_told_and_how_to_write_it_is(
    password: str,
) -> None:
    with pytest.raises(SettingsError, match=r"^MONGODB_URI cannot be used as it is: .*%2F, @ as %40") as refusal:
        connect(f"mongodb://user:{password}@database/", "threadwise")
    assert "fish" not in str(refusal.value)
