"""What channels are called."""

from __future__ import annotations

from app.core.errors import SlackRefused
from handlers.outbound.channels import ASKED_AT_ONCE, FRESH_SECONDS, REMEMBERED, Channels
from tests.fakes import virtual
from tests.unit.handlers.front import Front

INFO = "conversations.info"


@virtual
async def test_a_name_is_asked_for_once_an_hour(front: Front) -> None:
    channels = Channels(front.line)
    for _ in range(2):
        assert await channels.names(["C1", "C1", "C2"]) == {"C1": "name-of-c1", "C2": "name-of-c2"}
    assert len(front.made(INFO)) == 2
    await front.clock.sleep(FRESH_SECONDS)
    await channels.names(["C1"])
    assert len(front.made(INFO)) == 3


@virtual
async def test_a_name_that_slack_does_not_tell_is_left_out(front: Front) -> None:
    front.slack.faults[INFO] = [SlackRefused(INFO, "channel_not_found")]
    assert await Channels(front.line).names(["C1"]) == {}


@virtual
async def test_nobody_waits_for_names_longer_than_a_second(front: Front) -> None:
    front.slack.seconds = 60.0
    assert await Channels(front.line).names(["C1"]) == {}
    assert front.clock.monotonic() <= 1.1


@virtual
async def test_only_so_many_names_are_kept(front: Front) -> None:
    channels = Channels(front.line)
    for number in range(REMEMBERED + 1):
        await channels.names([f"C{number}"])
        await front.clock.sleep(1.3)  # Slack takes 50 such questions a minute
    asked = len(front.made(INFO))
    await channels.names([f"C{REMEMBERED}"])
    assert len(front.made(INFO)) == asked
    await channels.names(["C0"])
    assert len(front.made(INFO)) == asked + 1


@virtual
async def test_many_channels_are_asked_for_a_few_at_a_time(front: Front) -> None:
    wanted = [f"C{number}" for number in range(ASKED_AT_ONCE + 3)]
    channels = Channels(front.line)
    assert len(await channels.names(wanted)) == ASKED_AT_ONCE
    assert len(await channels.names(wanted)) == len(wanted)


@virtual
async def test_channels_that_slack_keeps_to_itself_do_not_hide_the_names_of_others(front: Front) -> None:
    secret = [f"G{number}" for number in range(ASKED_AT_ONCE)]
    front.slack.faults[INFO] = [SlackRefused(INFO, "channel_not_found") for _ in secret]
    channels = Channels(front.line)
    await channels.names([*secret, "C1"])
    assert (await channels.names([*secret, "C1"]))["C1"] == "name-of-c1"
    assert len(front.made(INFO)) == len(secret) + 1
