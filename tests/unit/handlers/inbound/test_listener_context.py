"""What people wait for comes in time, or they are told that it does not."""

from __future__ import annotations

import asyncio

import pytest

from app.core.errors import SlackRefused, StoreUnavailable
from handlers.inbound.listener_context import AnswerFailed, await_in_time
from store.crypto.cipher import SealBroken
from tests.fakes import virtual


async def fails(error: Exception) -> None:
    raise error


@virtual
@pytest.mark.parametrize("error", [StoreUnavailable(), SlackRefused("views.open", "expired_trigger_id"), SealBroken()])
async def test_what_cannot_be_reached_or_read_is_told(error: Exception) -> None:
    with pytest.raises(AnswerFailed):
        await await_in_time(fails(error))


@virtual
async def test_what_comes_too_late_is_told() -> None:
    with pytest.raises(AnswerFailed):
        await await_in_time(asyncio.sleep(60))
    assert asyncio.get_running_loop().time() < 3


@virtual
async def test_a_bug_of_ours_is_not_taken_for_an_outage() -> None:
    with pytest.raises(KeyError):
        await await_in_time(fails(KeyError("x")))
