"""Whoever calls often leaves the others theirs: half of each budget of a minute is shared among people."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_bolt.async_app import AsyncBoltRequest

from app.core.copy import decision_steps
from app.core.errors import SlackRefused
from app.core.turns.rate_limits import Creation, Pace
from app.runtime.limits import LimitSettings
from handlers.inbound.surfaces.on_start import AGAIN_SECONDS
from handlers.outbound.pacer import Priority, switch_person
from handlers.slack import action_ids
from handlers.slack.budget import TIERS, Budget
from handlers.views.windows import conversation_picker
from handlers.views.windows.conversation_picker import ArchiveAction
from handlers.views.windows.new_decision import DecisionOrigin, DecisionPlace, FormOptions, build_form
from tests.fakes import virtual
from tests.unit.handlers.callers import Workspace
from tests.unit.handlers.front import Front, pressed_below, searched, sent, written
from tests.unit.handlers.payloads import ANN, CHANNEL, MAYA
from tests.unit.handlers.talks import talk
from tests.unit.handlers.welcoming import IN_CHANNEL
from tests.unit.handlers.welcoming import begun as asking

CREATE = "conversations.create"
SHARED = [method for method, tier in TIERS.items() if tier.seconds >= 60 and not tier.scarce]
SCARCE = [method for method in SHARED if TIERS[method].calls == 20]
NOW = 1_000_000.0


def spent(budget: Budget, person: str, at: float = NOW) -> Budget:
    """As many calls as this person may make at once."""
    while not budget.wait(at, preview=False, person=person):
        budget = budget.spend(at, preview=False, person=person)
    return Budget.of(budget.tier, budget.entry(1), at)


@pytest.mark.req("SE-13")
@pytest.mark.parametrize("method", SHARED)
def test_nobody_uses_more_than_half_of_a_minute_alone_and_who_comes_then_need_not_wait(method: str) -> None:
    tier = TIERS[method]
    budget = spent(Budget(tier=tier), "greedy")
    assert len(budget.sent) == tier.calls // 2
    assert budget.wait(NOW, preview=False, person="newcomer") == 0


@pytest.mark.req("SE-13")
@given(st.lists(st.sampled_from("abcdef"), min_size=25, max_size=60), st.sampled_from(SCARCE))
def test_however_greedy_some_are_everybody_who_has_not_called_yet_is_served_at_once(order: str, method: str) -> None:
    tier, budget = TIERS[method], Budget(tier=TIERS[method])
    for person in order:
        if not budget.wait(NOW, preview=False, person=person):
            budget = budget.spend(NOW, preview=False, person=person)
    assert len(budget.sent) <= tier.calls
    for number in range(3):  # with them there are nine at most: each has a place in the half that is shared
        person = f"newcomer {number}"
        assert not budget.wait(NOW, preview=False, person=person)
        budget = budget.spend(NOW, preview=False, person=person)


def test_who_has_had_their_share_goes_on_when_their_calls_or_those_of_all_are_over() -> None:
    budget = spent(Budget(tier=TIERS[CREATE]), "a")
    window = TIERS[CREATE].window
    assert budget.wait(NOW + 1, preview=False, person="a") == window - 1
    assert not Budget.of(TIERS[CREATE], budget.entry(1), NOW + window).wait(NOW + window, preview=False, person="a")


def test_what_is_sent_for_nobody_and_what_is_over_in_seconds_is_not_shared() -> None:
    assert len(spent(Budget(tier=TIERS[CREATE]), "").sent) == TIERS[CREATE].calls
    assert len(spent(Budget(tier=TIERS["chat.postMessage"]), "a").sent) == TIERS["chat.postMessage"].calls


@virtual
@pytest.mark.req("SE-13")
async def test_those_behind_a_greedy_caller_in_the_queue_need_not_wait_for_them() -> None:
    place = Workspace()
    with switch_person("greedy"):
        for number in range(40):
            place.calls(f"greedy {number}", Priority.QUESTION, queue=CREATE)
    await asyncio.sleep(1)
    assert len(place.served) == TIERS[CREATE].calls // 2
    with switch_person("other"):
        await asyncio.wait_for(place.pacer.turn(CREATE, "", Priority.QUESTION), 1)
    await place.pacer.close()


@virtual
async def test_calls_that_were_not_made_take_nothing_of_a_persons_share() -> None:
    place, half = Workspace(), TIERS[CREATE].calls // 2
    with switch_person("careful"):
        for _ in range(TIERS[CREATE].calls):
            place.pacer.give_back(await place.pacer.turn(CREATE, "", Priority.QUESTION))
    with switch_person("other"):
        for _ in range(half):
            await place.pacer.turn(CREATE, "", Priority.QUESTION)
    with switch_person("careful"):
        await asyncio.wait_for(place.pacer.turn(CREATE, "", Priority.QUESTION), 1)
    await place.pacer.close()


@virtual
async def test_what_is_called_after_a_persons_work_is_counted_for_whomever_it_was_before() -> None:
    place = Workspace()
    with switch_person("a"):
        with switch_person("b"):
            assert (await place.pacer.turn(CREATE, "", Priority.QUESTION)).person == "b"
        assert (await place.pacer.turn(CREATE, "", Priority.QUESTION)).person == "a"
    assert (await place.pacer.turn(CREATE, "", Priority.QUESTION)).person == ""
    await place.pacer.close()


# What people make


FEW = LimitSettings(
    creations={
        **dict.fromkeys((Creation.BEGINNING, Creation.CHANNEL, Creation.FILE), Pace(3)),
        Creation.INVITATION: Pace(5),
        Creation.SEARCH: Pace(2, 60.0),
    }
)


def decision(place: DecisionPlace = DecisionPlace.PRIVATE, people: tuple[str, ...] = ()) -> dict[str, Any]:
    """What is filled in."""
    chosen = {"type": "radio_buttons", "selected_option": {"value": place.value}}
    return {"question": written("Should we?"), "place": chosen, "people": {"selected_users": list(people)}}


WINDOW = build_form(DecisionOrigin(), FormOptions(private=True))


async def decides(front: Front, user: str = MAYA, **about: Any) -> str:
    """Send the window; gives what is said below its fields, and nothing if it began."""
    answer = await front.sends(sent(WINDOW, user, **decision(**about)))
    return " ".join(answer["errors"].values()) if answer and answer["response_action"] == "errors" else ""


@virtual
@pytest.mark.req("SE-13")
async def test_forty_decisions_of_one_person_leave_everybody_else_theirs(front: Front) -> None:
    window = sent(WINDOW, MAYA, **decision())
    flood = [
        asyncio.ensure_future(front.app.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=window)))
        for _ in range(40)
    ]
    told = [json.loads((await each).body) for each in flood]
    kept = [each for each in told if each["response_action"] == "errors"]
    assert (len(told), [list(each["errors"].values()) for each in kept]) == (40, [[decision_steps.CANNOT_BEGIN]] * 30)
    assert await decides(front, ANN) == ""
    assert len(front.slack.made(CREATE)) == TIERS[CREATE].calls // 2 + 1
    await front.close()


@virtual
@pytest.mark.req("SE-13")
async def test_who_has_begun_many_is_told_when_it_goes_on_with_the_window_still_open() -> None:
    front = Front(limits=FEW)
    assert [await decides(front) for _ in range(3)] == [""] * 3
    assert await decides(front) == decision_steps.TOO_MANY.format(wait="60 min")
    assert len(front.slack.made(CREATE)) == 3
    assert await decides(front, ANN) == ""
    await front.clock.sleep(3_600)
    assert await decides(front) == ""
    await front.close()


@virtual
@pytest.mark.req("SE-13")
async def test_people_who_are_invited_count_one_by_one() -> None:
    front = Front(limits=FEW)
    assert await decides(front, people=("U1", "U2", "U3")) == ""
    assert await decides(front, people=("U4", "U5", "U6")) == decision_steps.TOO_MANY.format(wait="60 min")
    assert await decides(front, people=("U4", "U5")) == ""
    await front.close()


@virtual
async def test_what_could_not_be_begun_does_not_count() -> None:
    front = Front(limits=FEW)
    front.slack.faults[CREATE] = [SlackRefused(CREATE, "restricted_action") for _ in range(5)]
    assert [await decides(front) for _ in range(5)] == [decision_steps.NO_CHANNELS] * 5
    assert await decides(front) == ""
    await front.close()


@virtual
async def test_a_thread_in_which_nobody_has_spoken_does_not_count() -> None:
    front = Front(limits=FEW)
    empty = build_form(DecisionOrigin(source=CHANNEL, thread="1770000200.000100"), FormOptions(private=True))
    for _ in range(5):
        answer = await front.sends(sent(empty, MAYA, **decision()))
        assert list(answer["errors"].values()) == [decision_steps.NOTHING_SAID]
    assert await decides(front) == ""
    await front.close()


@virtual
@pytest.mark.req("SE-13")
async def test_conversations_that_are_begun_in_a_window_count_as_well() -> None:
    front = Front(limits=FEW)
    for _ in range(3):
        assert await front.sends(asking(IN_CHANNEL)) == ""
    answer = await front.sends(asking(IN_CHANNEL))
    assert list(answer["errors"].values()) == [decision_steps.TOO_MANY.format(wait="60 min")]
    assert len(front.made("chat.postMessage")) == 3
    await front.close()


@virtual
@pytest.mark.req("SE-13")
async def test_the_example_is_laid_out_so_often_and_then_says_when_again() -> None:
    front = Front(limits=replace(FEW, creations={Creation.BEGINNING: Pace(1)}))
    press = pressed_below(CHANNEL, action_ids.EXAMPLE)
    await front.sends(press)
    await front.clock.sleep(AGAIN_SECONDS)
    await front.sends(press)
    assert decision_steps.TOO_MANY_EXAMPLES.format(wait="59 min") in str(front.window)
    assert len(front.made("chat.postMessage")) == 1
    await front.close()


@virtual
@pytest.mark.req("SE-13")
async def test_a_list_that_searches_stays_empty_for_whoever_types_too_fast() -> None:
    front = Front(limits=FEW)
    await front.has(talk(1, "Coffee"))
    window = conversation_picker.build_empty(ArchiveAction.ARCHIVE, choices=True)
    found = [len((await front.sends(searched(window, "")))["options"]) for _ in range(3)]
    assert found == [1, 1, 0]
    await front.close()
