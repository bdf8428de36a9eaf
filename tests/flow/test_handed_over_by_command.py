"""`threadwise hand-over`: a decision whose owner has left goes to somebody who can lead it, and to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import handover
from app.core.conversation.conversation import Conversation
from app.core.copy import decision_record, decision_steps
from app.core.errors import SettingsError
from app.core.state.status import Status
from app.playground.slack.values.faults import Fault
from tests.flow.chat import Chat
from tests.flow.command_line.test_upkeep import Place
from tests.flow.deciding import APPROVE, begins, conversation, leads_to_card, presses, versions
from tests.flow.test_owners import GIL, joins
from tests.unit.decision.components.worked import minimal

NOBODY = "U0NOBODY1"


def agrees(found: Conversation) -> bool:
    return True


def declines(found: Conversation) -> bool:
    return False


async def gives(room: Chat, hub: str, to: str) -> bool:
    """The operator hands the decision over; gives whether it was done."""
    return await handover.hand_over(room.settings, hub, room.id_of(to), agrees)


async def test_a_decision_that_an_operator_hands_over_is_led_to_its_end_by_its_new_owner(room: Chat) -> None:
    hub, thread = await begins(room)
    await leads_to_card(room, thread, "issue_raising", minimal("issue_raising"), "Where do we meet?")
    await room.rests()
    assert await gives(room, hub, "Sam")
    sam = f"<@{room.id_of('Sam')}>"
    await room.sees(decision_steps.HANDED_OVER_BY_OPERATOR.format(person=sam), thread=hub)
    await room.sees(decision_steps.HANDED_OVER.format(person=sam), thread=thread)
    await room.rests()
    await presses(room, thread, APPROVE, who="Sam")
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    assert (await versions(room, hub))["issue_raising", 1].approved_by == room.id_of("Sam")
    with pytest.raises(SettingsError, match="owns it already"):
        await gives(room, hub, "Sam")


async def test_the_command_is_carried_out_when_the_program_starts_again(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    await room.stops()
    assert await gives(room, hub, "Sam")
    await room.starts()
    handed = decision_steps.HANDED_OVER_BY_OPERATOR.format(person=f"<@{room.id_of('Sam')}>")
    await room.sees(handed, thread=hub)


async def test_nothing_changes_until_the_operator_agrees(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    assert not await handover.hand_over(room.settings, hub, room.id_of("Sam"), declines)
    await room.rests()
    assert (await conversation(room, hub)).owner == room.id_of("Maya")


@pytest.mark.req("SE-12")
async def test_an_operator_cannot_give_it_to_who_could_not_be_given_it_in_slack(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    await joins(room, GIL)
    for to, said in (
        (GIL.id, decision_record.NOT_FOR_THEM),
        (room.id_of("Threadwise"), decision_record.NOT_A_BOT),
        (NOBODY, handover.NOBODY.format(to=NOBODY)),
    ):
        with pytest.raises(SettingsError) as refused:
            await handover.hand_over(room.settings, hub, to, agrees)
        assert str(refused.value) == said
    await room.rests()
    assert (await conversation(room, hub)).owner == room.id_of("Maya")


async def test_while_slack_does_not_answer_nothing_is_handed_over(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.rests()
    room.slack.faults.add(Fault("users.info", "http_429"))
    with pytest.raises(SettingsError, match="Run this again in a minute"):
        await gives(room, hub, "Sam")


async def test_an_archived_decision_is_exported_and_not_handed_over(room: Chat) -> None:
    hub, _ = await begins(room)
    await room.says("@Threadwise archive", thread=hub)
    await room.rests()
    assert (await conversation(room, hub)).status is Status.ARCHIVED
    with pytest.raises(SettingsError, match="`threadwise export` writes its report"):
        await gives(room, hub, "Sam")


async def test_a_name_that_no_decision_has_is_refused_with_where_they_are_listed(room: Chat) -> None:
    await begins(room)
    with pytest.raises(SettingsError, match="`threadwise export --list` shows those there are"):
        await gives(room, "1770000000.000001", "Sam")


async def test_the_command_asks_unless_it_is_told_yes_and_says_what_was_done(room: Chat, tmp_path: Path) -> None:
    hub, _ = await begins(room)
    await room.rests()
    settings, sam = room.settings, room.id_of("Sam")
    place = Place(
        settings.mongodb_uri.get_secret_value(),
        settings.database,
        settings.master_key.get_secret_value(),
        await conversation(room, hub),
        tmp_path,
        {"SLACK_BOT_TOKEN": settings.slack_bot_token.get_secret_value(), "SLACK_API_URL": settings.slack_api_url},
    )
    command = ("hand-over", hub, "--to", sam)
    assert await place.says(*command) == (
        2, "", "Nobody is here to be asked. Say --yes to hand it over all the same.\n",
    )  # fmt: skip
    assert await place.says(*command, "--yes") == (0, f"{sam} owns it as soon as Threadwise has heard of it.\n", "")
    await room.sees(decision_steps.HANDED_OVER_BY_OPERATOR.format(person=f"<@{sam}>"), thread=hub)
