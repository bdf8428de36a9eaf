"""Who may begin something, and where they see it: others are told kindly, and nothing of theirs is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.copy import texts
from app.core.owners import Membership, Owners, can_own
from handlers.outbound.people import read_standing
from handlers.slack import action_ids
from handlers.slack.manifest import DECIDE
from handlers.views.windows import welcome
from handlers.views.windows.new_decision import DecisionOrigin, DecisionPlace, FormOptions, build_form
from tests.fakes import virtual
from tests.unit.handlers.front import RULES, Front, command, happened, pressed_below, sent, shortcut, written
from tests.unit.handlers.payloads import ANN, BOT, CHANNEL, MAYA, TEAM
from tests.unit.handlers.pressing import whispers
from tests.unit.handlers.talks import talk
from tests.unit.handlers.test_fair_share import decision
from tests.unit.handlers.welcoming import IN_CHANNEL, begun, failed

MEMBER, GUEST, STRANGER, FORMER, A_BOT = Membership
OTHER = "T0OTHER01"


@pytest.mark.req("SE-12")
@pytest.mark.parametrize(
    ("owners", "allowed"),
    [
        (Owners.MEMBERS, {MEMBER}),
        (Owners.GUESTS, {MEMBER, GUEST}),
        (Owners.ANYONE, {MEMBER, GUEST, STRANGER}),
    ],
)
def test_members_may_own_a_conversation_and_others_as_it_is_set(owners: Owners, allowed: set[Membership]) -> None:
    assert {each for each in Membership if can_own(owners, each)} == allowed


@pytest.mark.req("SE-12")
@pytest.mark.parametrize(
    ("told", "standing"),
    [
        ({"team_id": TEAM}, MEMBER),
        ({}, MEMBER),
        ({"team_id": TEAM, "is_restricted": True}, GUEST),
        ({"team_id": TEAM, "is_ultra_restricted": True}, GUEST),
        ({"team_id": OTHER}, STRANGER),
        ({"team_id": TEAM, "is_stranger": True}, STRANGER),
        ({"team_id": OTHER, "is_restricted": True}, STRANGER),
        ({"team_id": OTHER, "enterprise_user": {"teams": [OTHER, TEAM]}}, MEMBER),
        ({"team_id": OTHER, "enterprise_user": {"teams": [OTHER]}}, STRANGER),
        ({"team_id": TEAM, "deleted": True}, FORMER),
        ({"team_id": OTHER, "is_stranger": True, "deleted": True}, FORMER),
        ({"team_id": TEAM, "is_bot": True}, A_BOT),
        ({"id": "USLACKBOT"}, A_BOT),
    ],
)
def test_slack_tells_who_is_a_guest_and_who_is_of_another_company(told: dict[str, Any], standing: Membership) -> None:
    assert read_standing(told, TEAM) is standing


def front(standing: Membership | None, owners: Owners = Owners.MEMBERS) -> Front:
    """Ann is no member."""
    it = Front(replace(RULES, owners=owners))
    it.standings[ANN] = standing
    return it


def mention(ts: str = "1770000300.000300", channel: str = CHANNEL, **fields: Any) -> dict[str, Any]:
    return happened("app_mention", channel=channel, user=ANN, text=f"<@{BOT}> plan my trip", ts=ts, **fields)


@virtual
@pytest.mark.req("SE-12")
@pytest.mark.parametrize(("standing", "said"), [(GUEST, texts.BARRED_GUEST), (STRANGER, texts.BARRED_STRANGER)])
async def test_a_mention_of_somebody_else_is_answered_once_a_day_in_each_place_and_kept_nowhere(
    standing: Membership, said: str
) -> None:
    it = front(standing)
    for ts in ("1770000300.000300", "1770000301.000300"):
        await it.sends(mention(ts))
    await it.sends(
        happened("message", channel="D0ANN0001", channel_type="im", user=ANN, text="hi", ts="1770000302.000300")
    )
    assert (it.taken, it.woken) == ([], [])
    assert [(call["channel"], call["text"]) for call in it.made("chat.postEphemeral")] == [
        (CHANNEL, said),
        ("D0ANN0001", said),
    ]
    await it.clock.sleep(86_400)
    await it.sends(mention("1770086800.000300"))
    assert len(whispers(it)) == 3


@virtual
@pytest.mark.req("SE-12")
@pytest.mark.parametrize(
    ("standing", "owners"), [(GUEST, Owners.GUESTS), (STRANGER, Owners.ANYONE), (None, Owners.MEMBERS)]
)
async def test_who_may_begin_as_it_is_set_begins_and_so_does_who_is_not_known(
    standing: Membership | None, owners: Owners
) -> None:
    it = front(standing, owners)
    await it.sends(mention())
    assert (len(it.taken), whispers(it)) == (1, [])


@virtual
@pytest.mark.req("SE-12")
@pytest.mark.parametrize("field", ["user_team", "source_team", "team"])
async def test_who_comes_from_elsewhere_by_slacks_own_word_is_refused_when_nobody_can_be_asked(field: str) -> None:
    it = front(None)
    await it.sends(mention(**{field: OTHER}))
    assert (it.taken, whispers(it)) == ([], [texts.BARRED_STRANGER])


@virtual
@pytest.mark.parametrize(("home", "said"), [("E0OURS001", []), ("E0OTHER01", [texts.BARRED_STRANGER])])
async def test_whose_home_slack_calls_our_own_organisation_is_no_stranger(home: str, said: list[str]) -> None:
    it = front(None)
    installed = [{"team_id": TEAM, "enterprise_id": "E0OURS001"}]
    await it.sends({**mention(user_team=home), "authorizations": installed})
    assert (len(it.taken), whispers(it)) == (not said, said)


@virtual
async def test_what_they_write_in_somebody_elses_thread_is_heard() -> None:
    it = front(GUEST)
    now = await it.has(talk(1, "Coffee"))
    await it.sends(mention("1770000399.000300", now.thread.channel, thread_ts=now.thread.root))
    assert len(it.taken) == 1
    it = front(GUEST)
    mine = await it.has(talk(1, "Coffee", owner=ANN))
    await it.sends(mention("1770000399.000300", mine.thread.channel, thread_ts=mine.thread.root))
    assert it.taken == [], "of their own they were the owner when they were a member"
    assert [call["thread_ts"] for call in it.made("chat.postEphemeral")] == [mine.thread.root]


WINDOW = build_form(DecisionOrigin(), FormOptions(private=True))
MESSAGE = {"type": "message", "user": MAYA, "text": "Hm.", "ts": "1770000200.000100"}


@virtual
@pytest.mark.req("SE-12")
@pytest.mark.parametrize(
    "body",
    [
        command(DECIDE, "Should we?", user=ANN),
        shortcut(action_ids.DRAFT_SHORTCUT, MESSAGE, user=ANN),
        shortcut(action_ids.NEW_CONVERSATION_SHORTCUT, user=ANN),
        pressed_below(CHANNEL, f"{action_ids.START_PREFIX}{welcome.StartKind.TASK}", ANN),
        pressed_below(CHANNEL, f"{action_ids.START_PREFIX}{welcome.StartKind.DECISION}", ANN),
        pressed_below(CHANNEL, action_ids.EXAMPLE, ANN),
    ],
    ids=["command", "draft", "shortcut", "task", "decision", "example"],
)
async def test_whatever_opens_a_window_says_in_it_that_they_can_begin_nothing(body: dict[str, Any]) -> None:
    it = front(STRANGER)
    await it.sends(body)
    assert texts.BARRED_STRANGER in str(it.window)
    assert it.made("chat.postMessage") + it.made("conversations.create") == []
    assert it.taken == []


@virtual
@pytest.mark.req("SE-12")
@pytest.mark.parametrize("body", [sent(WINDOW, ANN, **decision()), {**begun(IN_CHANNEL), "user": {"id": ANN}}])
async def test_a_window_that_they_send_all_the_same_keeps_its_words_and_begins_nothing(body: dict[str, Any]) -> None:
    it = front(GUEST)
    answer = await it.sends(body)
    assert list(answer["errors"].values()) == [texts.BARRED_GUEST]
    assert (it.slack.posts, it.taken) == ({}, [])


pytestmark = pytest.mark.req("SE-06")

READ, ROOT = "C0BOARD01", "1770000100.000100"


def closed(front: Front, channel: str, *, is_known: bool) -> str:
    """Maya sees a channel no more, or nobody can tell whether she does; gives what she is told."""
    if is_known:
        front.unseen.add((MAYA, channel))
        return texts.NOT_SEEN
    front.unknown.add(channel)
    return texts.CANNOT_LOOK


@virtual
@pytest.mark.parametrize("is_known", [True, False])
async def test_no_conversation_begins_in_a_channel_that_its_owner_may_not_see(front: Front, is_known: bool) -> None:
    said = closed(front, CHANNEL, is_known=is_known)
    assert await front.sends(begun(IN_CHANNEL)) == failed(said)
    assert (front.slack.calls, front.taken) == ([], [])


@virtual
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    ("channel", "place"),
    [(CHANNEL, DecisionPlace.HERE), (READ, DecisionPlace.HERE), (READ, DecisionPlace.PRIVATE)],
)
async def test_no_decision_begins_in_or_from_a_channel_that_its_owner_may_not_see(
    front: Front, channel: str, place: DecisionPlace, is_known: bool
) -> None:
    said = closed(front, channel, is_known=is_known)
    form = build_form(
        DecisionOrigin(channel=CHANNEL, thread=ROOT, source=READ), FormOptions(private=True, here=True), "Where?"
    )
    chosen = {"type": "radio_buttons", "selected_option": {"value": place.value}}
    answer = await front.sends(sent(form, question=written("Where?"), place=chosen))
    assert answer["errors"] == {action_ids.DECIDE_PLACE_FIELD: said}
    assert (front.slack.calls, front.taken) == ([], [])
