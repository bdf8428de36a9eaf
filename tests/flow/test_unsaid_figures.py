"""What nobody said, seen from the people's side: a number that was made up waits for a word, a date is left open."""

from __future__ import annotations

from typing import Any

import pytest

from handlers.slack import action_ids
from tests.flow.chat import Chat, text_of
from tests.flow.deciding import (
    approves,
    begins,
    leads_to_card,
    presses,
    starts,
    talks,
    thread_of,
    versions,
)
from tests.unit.decision.components.worked import minimal, named


@pytest.mark.req("FA-14")
async def test_a_number_that_nobody_said_waits_on_the_card_until_its_owner_stands_for_it(room: Chat) -> None:
    hub, thread = await begins(room, "How do we close the hole of 60k?")
    draft = named("Rent: it closes about 15k of the 60,000 euro hole")
    shown = await leads_to_card(room, thread, "issue_raising", draft, "We could rent.", tells_figures=False)
    assert "Nobody said this" in text_of(shown)
    assert "15k · D1 Rent" in text_of(shown)
    assert "60,000" not in text_of(shown).partition("Nobody said this")[2].partition("Decisions")[0].replace(
        "closes about 15k of the 60,000 euro hole", ""
    ), "the question said it"
    assert not [each for each in str(shown.blocks).split("'") if each == "answer:0"]
    await presses(room, thread, action_ids.CONFIRM_FIGURES)
    await room.sees("Approved as v1", thread=thread)
    await room.rests()
    version = (await versions(room, hub))["issue_raising", 1]
    assert [(each.text, each.by) for each in version.vouched] == [("15k", version.approved_by)]


@pytest.mark.req("FA-03", "FA-14")
async def test_a_date_that_nobody_named_stays_open_and_what_was_said_in_another_step_counts(room: Chat) -> None:
    hub, thread = await begins(room)
    await leads_to_card(
        room, thread, "issue_raising", minimal("issue_raising"), "Maybe 15k in May. I won't guess the date."
    )
    await approves(room, thread)
    await room.rests()
    await starts(room, hub, "problem_frame")
    frame: dict[str, Any] = minimal("problem_frame")
    frame["focal_decision"] |= {"deadline": "2031-03-14", "scope": "At most 15,000 euro"}
    del frame["decision_maker"]["role"]
    second = await thread_of(room, "Problem frame")
    shown = await leads_to_card(
        room, second, "problem_frame", frame, "I still won't guess the date.", tells_figures=False
    )
    assert "Nobody said this" not in text_of(shown)
    assert "Nobody named this date, so it was left out: 14 March 2031" in text_of(shown)
    assert "Ada (role not said yet)" in text_of(shown)
    assert "Ada (role not said yet)" in text_of(await approves(room, second)), "approval does not wait for it"


@pytest.mark.req("FA-14")
async def test_an_amount_that_nobody_said_is_named_below_the_reply_that_says_it(room: Chat) -> None:
    _, thread = await begins(room, "Do we renew the lease?")
    await talks(room, thread, "It costs 214,000, and we have 210,000.", "That is 14,000 above it. Is there more?")
    told = await room.sees("That is 14,000 above it", thread=thread)
    assert 'Nobody here said "14,000 above it",' in text_of(told)
    await talks(room, thread, "No.", "So 214,000 stands against 210,000: 4,000 too much. What else?")
    told = await room.sees("4,000 too much", thread=thread)
    assert "Nobody here said" not in text_of(told)
    told_back = "Below your last reply people were told that nobody said this: 14,000 above it\n"
    assert told_back in room.claude.requests[-1].prompt.last_user_text, "so that it can answer for it"


@pytest.mark.req("FA-14")
async def test_a_sum_of_what_was_said_is_shown_with_its_terms_and_does_not_wait_for_a_word(room: Chat) -> None:
    _, thread = await begins(room, "Which oven do we buy?")
    draft = named("Gas oven: it comes to 175,000 euros")
    shown = await leads_to_card(
        room, thread, "issue_raising", draft, "The gas oven is 165k + 10k service.", tells_figures=False
    )
    assert "Nobody said this" not in text_of(shown)
    assert "Worked out: \n175,000 = 165,000 + 10,000\n" in text_of(shown)
    await approves(room, thread)


@pytest.mark.req("FA-04")
async def test_what_only_the_model_said_of_an_uncertainty_stands_on_the_card_as_its_suggestion(room: Chat) -> None:
    hub, thread = await begins(room, "Which oven do we buy?")
    draft = named("Gas oven")
    draft["uncertainties"] = [
        {"handle": "U1", "description": "Whether the lease is renewed", "driver": "the landlord", "resolvable": True},
        {"handle": "U2", "description": "Gas prices", "driver": "The market for gas", "resolvable": False},
    ]
    said = "I don't know if the lease is renewed. Nobody can tell gas prices, that is the market."
    shown = text_of(await leads_to_card(room, thread, "issue_raising", draft, said, tells_figures=False))
    assert "My suggestions: what U1 may depend on" in shown
    assert "U2" not in shown.partition("My suggestions")[2].partition("\n")[0]
    await approves(room, thread)
    await room.rests()
    kept = (await versions(room, hub))["issue_raising", 1].suggested
    assert kept == ("U1.driver",), "the record tells it as a suggestion, too"
