"""An amount that only the model says in a reply is told below it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.agent.tools.interview.reply_figures import find_unsaid_in_reply
from app.core.state.interview import Phase
from app.decision.playbook.step_prompt import TalkSoFar, build_block
from tests.unit.agent.tools.sat import interviewed
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, before


def told(*texts: str, opening: str = "Welcome!") -> list[dict[str, Any]]:
    said = [{"role": "user", "content": [{"type": "text", "text": text}]} for text in texts]
    begins = [{"role": "user", "content": "The step begins."}, {"role": "assistant", "content": opening}]
    return [*begins, *said, {"role": "assistant", "content": [{"type": "text", "text": "So 555,000 it is."}]}]


def found(reply: str, *texts: str, opening: str = "Welcome!") -> tuple[str, ...]:
    return find_unsaid_in_reply(reply, told(*texts, opening=opening), before("consequences"))


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("reply", "unsaid"),
    [
        ("Renew at 214,000 is 14,000 above your 210,000.", ("14,000 above your",)),
        ("Renew at 214,000 is 4,000 above your 210,000.", ()),
        ("Renew at 214,000 is 2 % above your 210,000, and both are 424,000.", ()),
        ("Renew at 214,000 is 12 % above your 210,000, or 0.", ("12 % above your",)),
        ("That is 214k.", ()),
        ("Then 555,000 remain, and 15 % of it.", ("555,000 remain", "15 % of it")),
        ("Two things, in 3 steps: 1. the rent, 2. the school.", ()),
        ("You decide on 6 April, and the landlord wants it by 15 April.", ("15 April",)),
        ("Nothing has a number here.", ()),
        ("Firm in 62 of 100 cases.", ()),
    ],
)
def test_an_amount_or_date_that_nobody_said_and_that_follows_from_nothing_is_found(
    reply: str, unsaid: tuple[str, ...]
) -> None:
    texts = ("Renewing costs 214,000 a year. At most 210,000.", "The office sits on 2027-04-06.")
    assert found(reply, *texts, opening="Of 100 drawings, it leads in 62.") == unsaid


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("reply", "unsaid"),
    [
        ("I calculate 400 × 18 = 7,200 for Kessler.", ()),
        ("I calculate 400 × 18 = 7,500 for Kessler.", ("7,500 for Kessler",)),
        ("At 400 a month, that is 4,800 a year.", ()),
        ("At 90 a week, that is 4,680 a year.", ()),
        ("With 3 of them at 400 it is 1,200.", ()),
        ("Shared by 18, each of the 9,000 is 500.", ()),
        ("Shared by 0, nothing of the 9,000 is 501.", ("501",)),
    ],
)
def test_a_product_of_what_people_said_is_no_amount_that_nobody_said(reply: str, unsaid: tuple[str, ...]) -> None:
    assert found(reply, "Kessler: 400 a month, for 18 months", "3 or 0 of them, 90 a week", "9,000") == unsaid


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("reply", "unsaid"),
    [
        ("For alternatives, would 75 fit? And what would raise it?", ()),
        ("Shall I put down 75 % for it?", ()),
        ("Does 75 sound right, or 80?", ()),
        ("Is 75 right?", ()),
        ("Is it closer to 10 or to 20 percent?", ()),
        ("What would you say: 15 days, or 30 days?", ()),
        ("And the alternatives, are they 75 or more?", ()),
        ("From 34 days to 18 days, would that count more than 5,000 euros?", ("34 days to 18 days", "18 days")),
        ("Would 75 fit? Others say 85.", ("85",)),
        ("Then 75 it is. Does that sound right?", ("75 it is",)),
        ("Since 85 people come along, what else would you give up?", ("85 people come along",)),
    ],
)
def test_a_number_that_a_reply_asks_about_claims_nothing(reply: str, unsaid: tuple[str, ...]) -> None:
    assert found(reply, "The alternatives are fairly good.") == unsaid


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("reply", "unsaid"),
    [
        ("So Paylane is 144k a year. What are you afraid of?", ()),
        ("Paylane is 144k a year, and the homemade part 180k on top: 324k a year.", ()),
        ("So Paylane is 146k a year.", ("146k a year",)),
        ("So the board is 143k a year.", ("143k a year",)),
    ],
)
def test_what_an_amount_of_a_month_makes_in_a_year_is_no_amount_that_nobody_said(
    reply: str, unsaid: tuple[str, ...]
) -> None:
    assert found(reply, "Paylane costs 12k/mo, ends Q3 27. The homemade bit costs us ca 180k a year") == unsaid


BREWERY = (
    "Old brewery 1900 eur a month. The church hall 900 a month. The studio 12000 once and 300 a month.",
    "Heating in the brewery maybe 250 a month extra. We can pay at most 30k, for all 14 months.",
    "260 pupils and 12 teachers. A copy of a key costs 40 euros.",
)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("reply", "unsaid"),
    [
        ("The brewery with Sam's 250 for heating comes to 30,100 in 14 months, 100 over the limit.", ()),
        ("The brewery is 100 over the limit: with 250 for heating it is 30,100 in 14 months.", ()),
        ("The brewery with Sam's 250 comes to 30,200 in 14 months, 200 over the limit.", ("30,200", "200 over")),
        ("The brewery comes to 26,600 in 14 months, 3,400 below the limit.", ()),
        ("The brewery comes to 26,600 in 14 months, 3,300 below the limit.", ("3,300 below the limit",)),
        ("The brewery comes to 26,600 in 14 months, 14,000 more than 12,600 for the hall.", ()),
        ("At 12,000 once and 300 a month for 14 months, the studio takes 16,200.", ()),
        ("At 1,900 + 250 = 2,150 a month, it is 30,100 over the 14 months.", ()),
        ("For 12 teachers, the key costs 480 euros.", ()),
        ("The school takes 26,600 in 14 months.", ("26,600 in 14 months",)),
        ("The brewery comes to 26,600.", ("26,600",)),
        ("It is 14 months. The brewery comes to 26,600.", ("26,600",)),
        ("We pay 250 more in the brewery, or 423,500 in 14 months.", ("423,500 in 14 months",)),
        ("The brewery takes **26,700** in 14 months, 3,300 against 30,000.", ("26,700", "3,300 against")),
    ],
)
def test_what_a_reply_works_out_in_steps_from_what_it_names_is_no_amount_that_nobody_said(
    reply: str, unsaid: tuple[str, ...]
) -> None:
    found_ones = found(reply, *BREWERY)
    assert len(found_ones) == len(unsaid), found_ones
    assert all(each.startswith(words) for each, words in zip(found_ones, unsaid, strict=True)), found_ones


FORMS = (
    "The brewery with Sam's 250 for heating comes to {one} in 14 months, {other} over the limit.",
    "The studio takes 12,000 once and 300 a month, {one} over 14 months, which is {other} below the limit.",
    "The church hall for 12 teachers and 260 pupils comes to {one}, {other} less than the brewery.",
)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("form", FORMS)
def test_hardly_any_amount_that_a_reply_invents_passes_as_worked_out(form: str) -> None:
    """Tries numbers all over the sizes that were said."""
    numbers = [*range(137, 40_000, 797)]
    pairs = [*zip(numbers, reversed(numbers), strict=True)]
    told_of = [found(form.format(one=f"{one:,}", other=f"{other:,}"), *BREWERY) for one, other in pairs]
    passed = 2 * len(numbers) - sum(map(len, told_of))
    assert passed / (2 * len(numbers)) < 0.02


@pytest.mark.req("FA-14")
def test_a_day_that_follows_from_what_people_said_is_no_date_that_nobody_said() -> None:
    friday = TODAY + timedelta(days=4 - TODAY.weekday())
    assert found(f"You talk to Anneke by {friday:%d %B %Y}.", "I talk to Anneke this week") == ()
    later = friday + timedelta(days=3)
    assert found(f"You talk to Anneke by {later:%d %B %Y}.", "I talk to Anneke this week") == (f"{later:%d %B %Y}",)


@pytest.mark.req("FA-14")
def test_an_amount_that_a_later_step_has_approved_was_said() -> None:
    reply, earlier = "It is not 32 hours, it is 28.", before("issue_raising")
    later = {"problem_frame": {"focal_decision": {"constraints": ["At most 28 volunteer hours a week"]}}}
    assert find_unsaid_in_reply(reply, told("32 hours a week"), earlier) == ("28",)
    assert find_unsaid_in_reply(reply, told("32 hours a week"), replace(earlier, later=later)) == ()


@pytest.mark.req("FA-14")
def test_what_a_tool_found_was_said_and_beside_pages_nothing_can_be_told() -> None:
    result: dict[str, Any] = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "It costs 777,000."}],
    }
    silent: dict[str, Any] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2"}]}
    so_far = before("consequences")
    assert find_unsaid_in_reply("It costs 777,000.", [*told(), silent], so_far) == ("777,000",)
    assert find_unsaid_in_reply("It costs 777,000.", [*told(), result], so_far) == ()
    page: dict[str, Any] = {"role": "user", "content": [{"type": "document", "source": {}}]}
    assert find_unsaid_in_reply("It costs 888,000.", [*told(), page], so_far) == ()


def returned(content: str, *, is_error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content, "is_error": is_error}
    return {"role": "user", "content": [block]}


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "echo",
    [
        returned('{"result":"noted","not_said":"nobody in this thread said 2027-01-15: take it out"}'),
        returned('{"result":"noted","taken_as":{"by_when":"2027-01-15"}}'),
        returned('{"result":"no_results","query":{"words":"15 January"}}'),
        returned("nobody wrote: by 15 January 2027", is_error=True),
    ],
)
def test_what_a_result_repeats_of_the_models_own_call_was_not_said_by_anybody(echo: dict[str, Any]) -> None:
    assert find_unsaid_in_reply("You know it by 15 January.", [*told(), echo], before("consequences")) == (
        "15 January",
    )


@pytest.mark.req("FA-14")
def test_what_the_model_is_told_that_nobody_said_is_not_said_by_that() -> None:
    block = TalkSoFar(doubted=("15 January",))
    interview = interviewed(component="consequences").interview
    assert interview is not None
    directive = build_block(PLAYBOOK["consequences"], Phase.GATHER, interview, before("consequences"), block)
    assert "Below your last reply people were told that nobody said this: 15 January" in directive
    reply = "You know it by 15 January."
    assert find_unsaid_in_reply(reply, told(directive), before("consequences")) == ("15 January",)
    assert find_unsaid_in_reply(reply, told(f"{directive}\nIt is 15 January."), before("consequences")) == ()


def test_the_rest_of_a_result_counts_whatever_its_form() -> None:
    so_far = before("consequences")
    for result in ('{"result":"noted","on":"15 January","not_said":"x"}', '["15 January"]', "15 January"):
        assert find_unsaid_in_reply("You know it by 15 January.", [*told(), returned(result)], so_far) == ()


@pytest.mark.req("SE-11")
def test_of_a_reply_with_hundreds_of_amounts_those_that_nobody_said_are_found_without_working_all_of_them_out() -> None:
    said = ", ".join(f"{1_000 + 7 * each} EUR" for each in range(500))
    assert found(f"We have {said}; and 900,001 EUR.", said) == ("900,001 EUR",)
    assert found(f"We have {said}.", said) == ()
    strange = " ".join(f"{900_001 + 13 * each} EUR." for each in range(500))
    assert len(found(f"We have {strange}")) == 500


@pytest.mark.req("FA-14")
def test_an_amount_of_a_year_that_a_reply_tells_for_a_month_is_found() -> None:
    said = "The service contract is £62,000 a year, and the pumps cost 9,500."
    assert found("So it is £62,000 a month for service.", said) == ("£62,000 a month for",)
    assert found("So it is £62,000 a year, or £62,000.", said) == ()
    assert found("The 9,500 are 9,500 a year.", said) == (), "nobody said for which time"
    assert found("It is £62,000 a month.", said, "And £62,000 a month for the rest.") == ()
