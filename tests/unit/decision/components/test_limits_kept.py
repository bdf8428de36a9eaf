"""A limit that a later amount breaks is told wherever the decision is shown, and what is unclear is asked."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.state.sheet import Facts
from app.decision.layout.first_page import build_first_page
from app.decision.layout.parts.limit_parts import describe_checked
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.rules.limit_rules import find_beyond, is_same_limit
from app.decision.rules.written_amounts import find_newer
from app.decision.schema.paths import Draft
from app.runtime.record.step_context import StepContext
from tests.unit.decision.components.worked import PLAYBOOK, TODAY, accepted, remarks
from tests.unit.decision.sheets.walls import titled

PRIYAS = "200,000 euros at most, including installation: Priya's rule"
COSTS = "The cost over 5 years is at most 200k euros"
A3 = "A3 Two electric ovens"


def decision(
    limit: str = COSTS, amount: float = 210_000, unit: str = "euros", applies: bool | None = None
) -> dict[str, Draft]:
    """An oven to be chosen, with the ratings of the newest version; `applies` is people's answer about the limit."""
    cost = {"metric": "Cost over 5 years", "direction": "minimize", "units": "euros", "baseline": 110_000}
    objectives: list[dict[str, Any]] = [
        {"handle": "O1", "description": "Have fewer missed mornings"},
        {"handle": "O2", "description": "Keep the cost low", "performance_measure": cost},
    ]
    options: list[dict[str, Any]] = [
        {"handle": "A1", "name": "Keep repairing", "description": "As it is", "is_status_quo": True},
        {"handle": "A2", "name": "Gas oven", "description": "165k and 10k for the service"},
        {"handle": "A3", "name": "Two electric ovens", "description": "240,000 euros, 72,000 less with the subsidy"},
    ]
    cells = [
        {"alternative_id": "A2", "objective_id": "O1", "rating": 1},
        {"alternative_id": "A3", "objective_id": "O1", "rating": 1},
        {"alternative_id": "A2", "objective_id": "O2", "rating": -1, "quant_value": 175, "quant_unit": "k euros"},
        {"alternative_id": "A3", "objective_id": "O2", "rating": -1, "quant_value": amount, "quant_unit": unit},
    ]
    checks = (
        {"limit_checks": [{"limit": limit, "objective_id": "O2", "applies": applies}]} if applies is not None else {}
    )
    return {
        "problem_frame": {"focal_decision": {"constraints": [limit, "Works council"]}},
        "objectives": {"fundamental_objectives": objectives, "means_objectives": []},
        "alternatives": {"alternatives": options, "status_quo_id": "A1"},
        "consequences": {"table": {"cells": cells}, **checks},
    }


def record(drafts: dict[str, Draft], key: str = "recommendation") -> DecisionRecord:
    """What is approved for this step: earlier results, and later ones beside them."""
    earlier = {each.key for each in PLAYBOOK.earlier(key)}
    later = {name: draft for name, draft in drafts.items() if name not in (*earlier, key)}
    return DecisionRecord({name: draft for name, draft in drafts.items() if name in earlier}, TODAY, later=later)


def shown(key: str, drafts: dict[str, Draft]) -> str:
    """The card of a step, its line in the hub, and its details."""
    component, so_far = PLAYBOOK[key], record(drafts, key)
    sheet = build_sheet(component, drafts.get(key, {}), so_far)
    return "\n".join((*sheet.essence, write_gist(component, drafts.get(key, {}), so_far), repr(sheet.sections)))


@pytest.mark.req("FA-15", "TR-17")
def test_no_place_is_silent_on_a_limit_that_a_later_amount_breaks() -> None:
    broken, kept = decision(), decision(amount=168_000)
    page = build_first_page(PLAYBOOK["consequences"], record(broken))
    opening = write_opening(PLAYBOOK["recommendation"], record(broken))
    told = f"{A3} with 210,000 euros, against “{COSTS}”"
    assert f"Breaks a limit: {told}" in repr(page)
    assert f"Breaks a limit: {told}." in opening
    assert told in repr(list_findings(PLAYBOOK["recommendation"], record(broken)))
    for key in ("alternatives", "consequences", "tradeoffs", "recommendation"):
        assert "reaks a limit" in shown(key, broken).split("Listing")[0], key
        assert "reaks a limit" not in shown(key, kept), key
    for option, told in (("A2", "A2 Gas oven"), ("A3", f"{A3} (breaks a limit)")):
        leaning = {"notes_next_steps": {"decision": {"status": "leaning", "alternative_id": option}}}
        assert shown("notes_next_steps", broken | leaning).splitlines()[0] == f"Decision: {told} · leaning"
    assert "4 of 4 rated · A3 beyond a limit" in shown("consequences", broken)
    assert "2 options + status quo · A3 beyond a limit" in shown("alternatives", broken)
    assert "reaks a limit" not in f"{build_first_page(PLAYBOOK['consequences'], record(kept))!r}"


@pytest.mark.req("FA-15", "TR-17")
def test_a_limit_that_an_option_breaks_as_people_said_is_told_where_the_options_are_weighed() -> None:
    noted = decision(amount=168_000)
    noted["alternatives"]["alternatives"][2]["broken_limits"] = ["Works council"]
    told = f"Breaks a limit, as you said: {A3}, against “Works council”"
    assert told in shown("tradeoffs", noted)
    assert f"{told}." in shown("recommendation", noted)
    assert f"{told}." in write_opening(PLAYBOOK["recommendation"], record(noted))
    asked = f"• {A3} breaks a limit, as you said: “Works council”. Is it out, or does the limit give way?"
    assert asked in write_opening(PLAYBOOK["tradeoffs"], record(noted, "tradeoffs"))
    for key in ("consequences", "tradeoffs", "recommendation", "notes_next_steps"):
        findings = list_findings(PLAYBOOK[key], record(noted, key))
        assert "Limits broken, as they said: A3: Works council" in repr(findings), key
    out: dict[str, Draft] = noted | {"tradeoffs": {"dropped_alternatives": [{"alternative_id": "A3"}]}}
    assert told not in write_opening(PLAYBOOK["recommendation"], record(out))
    assert f"Set aside: {A3} (you left it out, breaks a limit)" in shown("tradeoffs", out)
    assert told not in shown("tradeoffs", out)


@pytest.mark.req("TR-18")
def test_what_speaks_against_the_lead_is_not_crowded_out_by_limits_of_options_that_are_set_aside() -> None:
    dropped: Draft = {"dropped_alternatives": [{"alternative_id": "A3"}]}
    for drafts, is_told in ((decision(), True), (decision() | {"tradeoffs": dropped}, False)):
        told = shown("recommendation", drafts), write_opening(PLAYBOOK["recommendation"], record(drafts))
        assert [f"Breaks a limit: {A3}" in each for each in told] == [is_told] * 2


@pytest.mark.req("FA-15")
def test_the_card_says_why_each_option_is_set_aside() -> None:
    def told(drafts: dict[str, Draft], draft: Draft) -> str:
        lines = build_sheet(PLAYBOOK["tradeoffs"], draft, record(drafts, "tradeoffs")).essence
        return next((each for each in lines if each.startswith("Set aside")), "")

    dropped: Draft = {"dropped_alternatives": [{"alternative_id": "A3"}]}
    assert told(decision(), dropped) == f"Set aside: {A3} (you left it out, breaks a limit)"
    assert told(decision(amount=168_000), dropped) == f"Set aside: {A3} (you left it out)"
    assert told(decision(PRIYAS), dropped) == f"Set aside: {A3} (you left it out)", "it may speak of another thing"
    worse = decision(amount=190_000)
    for cell in worse["consequences"]["table"]["cells"]:
        cell["rating"] = 1 if cell["alternative_id"] == "A2" else 0
    kept = {"dropped_alternatives": list[Any]()}
    assert f"{A3} (beaten by another)" in told(worse, kept)


@pytest.mark.req("FA-15")
def test_people_are_asked_about_a_broken_limit_and_about_one_that_may_speak_of_another_thing() -> None:
    def asked(limit: str, applies: bool | None = None) -> str:
        drafts = decision(limit, applies=applies)
        return remarks("consequences", drafts["consequences"], record(drafts, "consequences"))

    assert f"Which gives way: the limit “{COSTS}” on O2 Keep the cost low, or {A3} (210,000 euros)?" in asked(COSTS)
    assert f"Does the limit “{PRIYAS}” speak of O2 Keep the cost low? Then {A3}" in asked(PRIYAS)
    assert "limit" not in asked(PRIYAS, applies=False), "people said that it speaks of another thing"
    assert "gives way" in asked(PRIYAS, applies=True)
    assert "gives way" in asked("At most 200,000 euros"), "nothing else is measured in euros"
    assert f"or A2 Gas oven (175,000 euros) and {A3} (210,000 euros)?" in asked("The cost stays under 150,000 euros")
    assert "limit" not in asked("At most 200 people")


@pytest.mark.req("FA-13", "FA-15")
def test_a_card_says_once_that_a_limit_is_broken_and_asks_once_about_it() -> None:
    was, now = decision(amount=190_000)["consequences"], decision()["consequences"]
    so_far = record(decision(), "consequences")
    shown_now = StepContext(PLAYBOOK["consequences"], so_far, {}, shown=was)
    judged = shown_now.judge(accepted("consequences", now, so_far))
    card = (*judged.changes, *judged.remarks, *judged.sheet.short)
    assert [each for each in card if "limit" in each] == [
        f"Which gives way: the limit “{COSTS}” on O2 Keep the cost low, or {A3} (210,000 euros)?",
        "Breaks a limit: A3 with 210,000 euros (at most 200,000 euros)",
    ]


@pytest.mark.req("FA-15")
def test_what_is_unclear_is_shown_as_something_to_check_and_never_as_broken() -> None:
    drafts = decision(PRIYAS)
    for key in ("alternatives", "consequences", "tradeoffs", "recommendation"):
        assert "heck a limit" in shown(key, drafts) or "check a limit" in shown(key, drafts), key
        assert "Breaks a limit" not in shown(key, drafts), key
    assert "May break a limit" in shown("alternatives", drafts)
    assert "Does the limit speak of O2 Keep the cost low?" in shown("consequences", drafts)
    assert "A3 perhaps beyond a limit" in shown("consequences", drafts)


@pytest.mark.req("TR-08")
def test_a_limit_is_compared_in_its_own_unit() -> None:
    assert find_beyond(record(decision(amount=0.21, unit="million euros")))
    assert not find_beyond(record(decision(amount=0.19, unit="million euros")))
    assert not find_beyond(record(decision("The cost is at most 2 days")))
    (loose,) = find_beyond(record(decision("The cost is at most 200,000 euros a year")))
    assert not loose.is_certain, "a year is not five"
    hours = decision("Start within 5 months")
    hours["objectives"]["fundamental_objectives"][1]["performance_measure"] = {
        "units": "hours",
        "direction": "minimize",
    }
    for cell in hours["consequences"]["table"]["cells"][2:]:
        cell |= {"quant_value": 9_000, "quant_unit": "hours"}
    assert not find_beyond(record(hours)), "months until a start are no hours of a shift"


@pytest.mark.req("TR-08")
def test_a_limit_in_another_currency_or_unit_is_asked_about_and_not_passed_over() -> None:
    def asked(limit: str, applies: bool | None = None, unit: str = "euros") -> str:
        drafts = decision(limit, unit=unit, applies=applies)
        if unit != "euros":
            drafts["consequences"]["table"]["cells"][2]["quant_unit"] = unit
        return remarks("consequences", drafts["consequences"], record(drafts, "consequences"))

    dollars = "The cost over 5 years is at most $200,000"
    told = f"The limit “{dollars}” cannot be compared with the amounts on O2 Keep the cost low, which are in euros."
    assert f"{told} What does it allow in euros? Say it in Problem frame, or give the amounts in its unit." in asked(
        dollars
    )
    assert "cannot be compared" not in asked(dollars, applies=False), "people said that it speaks of another thing"
    assert "cannot be compared" in asked("At most 200,000 US dollars", applies=True)
    assert "cannot be compared" in asked("The cost is at most 9 miles", unit="km")
    assert "cannot be compared" not in asked(COSTS)
    assert "cannot be compared" not in asked("The cost is known within 3 weeks"), "a limit in weeks is not on money"
    assert "cannot be compared" not in asked("At most $200,000 for the loan"), "it names another thing"


@pytest.mark.parametrize(
    "limit", ["The cost is over 175,000 euros", "Above 175,000 euros", "From 176,000 to 300,000 euros"]
)
def test_an_amount_below_a_lower_limit_is_beyond_it(limit: str) -> None:
    found = find_beyond(record(decision(limit)))
    assert {option for each in found for option, _ in each.options} == {"A1", "A2"}
    assert all(each.is_certain for each in found), "no word of the limit's names another thing"


def test_today_is_told_only_where_the_limit_surely_speaks_of_it() -> None:
    def found(limit: str) -> list[str]:
        return [option for each in find_beyond(record(decision(limit))) for option, _ in each.options]

    assert found("The cost is under 100,000 euros") == ["A1", "A2", "A3"]
    assert found("Under 100,000 euros for the works") == ["A2", "A3"]


def test_a_limit_that_people_noted_with_the_option_is_told_once() -> None:
    drafts = decision()
    drafts["alternatives"]["alternatives"][2]["broken_limits"] = ["Over 200,000 euros", "Works council"]
    page = repr(build_first_page(PLAYBOOK["consequences"], record(drafts)))
    assert page.count("200k") == 1
    assert "breaks: Over 200,000 euros" not in page
    assert "breaks: Works council" in page
    assert "Breaks a limit: Over 200,000" not in shown("alternatives", drafts)
    drafts["problem_frame"]["focal_decision"]["constraints"] = [PRIYAS]
    assert not find_beyond(record(drafts)), "no question on what people answered"
    assert is_same_limit("Works  council", "works council")


@pytest.mark.req("FA-16", "TR-07")
def test_an_options_own_amount_stands_beside_the_newer_one_and_not_as_true_as_it() -> None:
    newer = "Newest amount, from Consequences: 210,000 euros on O2 Keep the cost low."
    former = "Its own text has another: from before, or of a part."
    assert f"{newer} {former}" in shown("alternatives", decision())
    assert "Newest amount" not in shown("alternatives", decision(amount=168_000)), "240,000 less 72,000"
    gas = decision()["alternatives"]["alternatives"][1]
    assert find_newer(gas, record(decision())) == (), "165k and 10k are 175,000"
    assert find_newer({**gas, "description": "As the maker says"}, record(decision())) == ()


@pytest.mark.req("FA-16")
@pytest.mark.parametrize(
    ("words", "is_newer"),
    [
        ("160k to 170,000 euros with its service", False),
        ("170k to 180,000 euros with its service", True),
        ("At most 170,000 euros with its service", True),
    ],
)
def test_an_amount_within_a_range_of_an_options_own_text_is_no_newer_one(words: str, is_newer: bool) -> None:
    option = {**decision()["alternatives"]["alternatives"][2], "description": words}
    assert bool(find_newer(option, record(decision(amount=165_500)))) is is_newer


@pytest.mark.req("FA-16")
def test_an_amount_that_only_a_reason_has_newer_stands_beside_the_options_own() -> None:
    def told(reason: str) -> str:
        drafts = decision(amount=168_000)
        drafts["alternatives"]["alternatives"][1]["description"] = "Lease it, 1,450 a month for both"
        drafts["consequences"]["table"]["cells"][2] |= {"rationale": reason}
        return shown("alternatives", drafts)

    assert "Newest amount, from Consequences: 1,650 a month on O2" in told("1,650 a month over 18 months")
    for same in ("1,450 a month", "22k once", "3 hours a week", ""):
        assert "Newest amount" not in told(same).partition("A3 Two")[0]


def test_the_answer_about_a_limit_is_part_of_the_result() -> None:
    drafts = decision(PRIYAS, applies=False)
    draft = accepted("consequences", drafts["consequences"], record(drafts, "consequences")).draft
    assert draft["limit_checks"] == [{"limit": PRIYAS, "objective_id": "O2", "applies": False}]


@pytest.mark.req("FA-15")
def test_an_answer_about_a_limit_in_shorter_words_is_not_asked_for_again_unless_two_can_be_meant() -> None:
    drafts = decision(PRIYAS, applies=False)
    drafts["consequences"]["limit_checks"][0]["limit"] = "At most 200,000 euros"
    assert not find_beyond(record(drafts))
    loan = "The loan is 200,000 euros at most"
    drafts["problem_frame"]["focal_decision"]["constraints"].append(loan)
    asked = [each.limit for each in find_beyond(record(drafts))]
    assert asked == [PRIYAS, loan], "nobody knows which of the two was meant"
    drafts["consequences"]["limit_checks"][0]["limit"] = PRIYAS.upper()
    assert [each.limit for each in find_beyond(record(drafts))] == [loan]


def read_limits(drafts: dict[str, Draft], option: str = "A3") -> str:
    """What the first page says of limits while people lean to an option."""
    leaning = {"notes_next_steps": {"decision": {"status": "leaning", "alternative_id": option}}} if option else {}
    so_far = DecisionRecord(drafts | leaning, TODAY)
    (facts, *_) = build_first_page(PLAYBOOK["consequences"], so_far).sections
    assert isinstance(facts, Facts)
    return "\n".join(said for label, said in facts.rows if label == "Limits")


@pytest.mark.req("TR-17")
def test_the_first_page_sets_the_amount_of_the_option_leant_to_beside_the_limit_it_keeps() -> None:
    kept = decision(amount=168_000)
    told = f"{A3}: 168,000 euros on O2 Keep the cost low, within the limit “{COSTS}”"
    assert read_limits(kept) == told
    assert read_limits(kept, "") == "", "nobody leans to one"
    assert "168,000" not in read_limits(kept, "A2")
    assert read_limits(decision(amount=210_000)).startswith("Breaks a limit"), "one that it breaks is told as broken"
    assert ": 210,000" not in read_limits(decision(amount=210_000))
    town = "At most 250,000 euros a town may give"
    assert f"within the limit “{town}”" in read_limits(decision(town)), "nothing else is measured in euros"
    assert read_limits(decision(town, applies=False)) == "", "people said that it speaks of another thing"
    assert read_limits(decision("At most 3 people")) == ""


@pytest.mark.req("TR-17")
def test_an_amount_stands_beside_no_limit_that_may_speak_of_another_objective() -> None:
    drafts = decision("At most 250,000 euros a town may give")
    other = {"metric": "Sales", "direction": "maximize", "units": "euros"}
    drafts["objectives"]["fundamental_objectives"][0]["performance_measure"] = other
    assert read_limits(drafts) == ""
    waits = decision("A caller waits at most 2 hours", amount=1, unit="hours")
    waits["objectives"]["fundamental_objectives"][1]["performance_measure"] = {"metric": "Work", "units": "hours"}
    assert read_limits(waits) == ""


TWO = "The wait is at least 2 weeks, at most 30 days"


def waiting(limit: str, **days: float) -> dict[str, Draft]:
    """A decision in which these options wait so long."""
    drafts = decision(limit)
    measure: dict[str, Any] = {"metric": "Days of wait", "direction": "minimize", "units": "days"}
    if today := days.pop("A1", None):
        measure["baseline"] = today
    drafts["objectives"]["fundamental_objectives"][0]["performance_measure"] = measure
    for cell in drafts["consequences"]["table"]["cells"][:2]:
        cell["quant_value"] = days[cell["alternative_id"]]
    return drafts


def read_checked(drafts: dict[str, Draft]) -> list[str]:
    """What the details of Consequences say of the limits that amounts were checked against."""
    shown = build_sheet(PLAYBOOK["consequences"], drafts["consequences"], record(drafts, "consequences"))
    return titled(shown, "Limits, checked against amounts").splitlines()


@pytest.mark.parametrize(("days", "is_kept"), [(10, False), (14, True), (21, True), (30, True), (31, False)])
def test_a_limit_with_two_bounds_is_kept_only_between_both_and_is_never_kept_and_broken(
    days: float, is_kept: bool
) -> None:
    drafts = waiting(TWO, A2=21, A3=days)
    within = f"{A3}: {days} days on O1 Have fewer missed mornings, within the limit “{TWO}”"
    broken = f"Breaks a limit: {A3} with {days} days, against “{TWO}”"
    assert read_limits(drafts) == (within if is_kept else broken)
    rows = read_checked(drafts)[1:]
    kept = f"A2 Gas oven with 21 days{f' and {A3} with {days} days' * is_kept}"
    assert rows[0] == f"  Kept on O1 Have fewer missed mornings: {kept}"
    told = [] if is_kept else [f"  Broken on O1 Have fewer missed mornings: {A3} with {days} days"]
    assert [each for each in rows if "Broken" in each] == told


def test_a_bound_of_another_period_that_may_be_broken_leaves_a_limit_neither_kept_nor_broken() -> None:
    drafts = decision("The cost is at most 250,000 euros, at most 50,000 euros a year", amount=168_000)
    assert read_limits(drafts).startswith(f"Check a limit: A2 Gas oven with 175,000 euros and {A3} with 168,000 euros")
    assert "within the limit" not in read_limits(drafts)
    assert not [each for each in read_checked(drafts) if A3 in each]
    assert "within the limit" in read_limits(decision("The cost is at most 250,000 euros", amount=168_000))


def test_the_count_of_checked_limits_denies_no_option_that_is_told_as_breaking_one() -> None:
    limit = "The wait is no more than 3 weeks"
    kept = "1 of 2 checked, no option with a known amount breaks one"
    assert describe_checked(record(waiting(limit, A2=21, A3=10))) == kept
    assert describe_checked(record(waiting(limit, A1=40, A2=21, A3=10))) == f"{kept}, except the status quo"
    broken = waiting(limit, A1=40, A2=22, A3=10)
    assert describe_checked(record(broken)) == "1 of 2 checked, 1 broken by an option"
    broken["alternatives"]["alternatives"][1]["broken_limits"] = [limit]
    assert describe_checked(record(broken)) == "1 of 2 checked, 1 broken by an option", "also one that people noted"
    assert describe_checked(record(decision("At most 3 people"))) == "0 of 2 checked"
    noted = waiting(limit, A2=21, A3=10)
    noted["alternatives"]["alternatives"][1]["broken_limits"] = [limit]
    assert describe_checked(record(noted)) == f"{kept}; 1 broken, as you said"


@pytest.mark.req("FA-15")
def test_an_option_of_which_people_said_that_it_breaks_a_limit_is_named_where_the_limit_is_checked() -> None:
    drafts = waiting("The wait is no more than 3 weeks", A2=21, A3=10)
    drafts["alternatives"]["alternatives"][1]["broken_limits"] = ["The wait is no more than 3 weeks"]
    rows = read_checked(drafts)[1:3]
    assert rows == [f"  Kept on O1 Have fewer missed mornings: {A3} with 10 days", "  Broken, as you said: A2 Gas oven"]


@pytest.mark.parametrize(
    ("limit", "is_checked"),
    [
        ("at most 245,000 euros (Dr. Lenz)", True),
        ("Priya's rule: at most 245,000 euros", False),
        ("at most 245,000 euros (the works council)", False),
        ("at most 245,000 euros for Advertising", False),
    ],
)
def test_who_has_set_a_limit_is_not_what_it_is_about(limit: str, is_checked: bool) -> None:
    drafts = decision(limit)
    names = ("Dr. Lenz", "Sam Priya", "Works council", "Advertising people")
    drafts["problem_frame"]["parties"] = [{"handle": f"P{place}", "name": each} for place, each in enumerate(names, 1)]
    assert describe_checked(record(drafts)).startswith(f"{int(is_checked)} of 2 checked")


@pytest.mark.parametrize(
    ("limit", "metric", "told"),
    [
        ("at most 245,000 euros a year", "Cost a year", "1 of 2 checked, no option"),
        ("at most 20,000 euros a month", "Cost a year", "1 of 2 checked, no option"),
        ("at most 10,000 euros a month", "Cost a year", "1 of 2 checked, 1 broken"),
        ("at most 245,000 euros a year", "Cost over 5 years", "0 of 2 checked"),
        ("at most 245,000 euros a year", "Cost a hall", "0 of 2 checked"),
    ],
)
def test_the_period_of_amounts_may_stand_in_their_measure(limit: str, metric: str, told: str) -> None:
    drafts = decision(limit)
    drafts["objectives"]["fundamental_objectives"][1]["performance_measure"] |= {"metric": metric, "baseline": 1}
    assert describe_checked(record(drafts)).startswith(told)


def test_an_amount_equal_to_a_limit_that_says_under_is_told_as_beyond_it_with_what_is_allowed() -> None:
    under = decision("The cost is under 210,000 euros")
    (found,) = find_beyond(record(under))
    assert (found.options, found.allowed) == ((("A3", "210,000 euros"),), "must be under 210,000 euros")
    assert not find_beyond(record(decision("The cost is at most 210,000 euros")))
    (over,) = find_beyond(record(decision("The cost is > 210,000 euros")))
    assert over.allowed == "must be over 210,000 euros"


@pytest.mark.parametrize(
    ("reason", "amount", "told"),
    [
        ("20k euros for the oven", 35, "20,000 euros"),
        ("About 20k, as offered", 35, "20,000 euros"),
        ("34.9k by the offer", 35, ""),
        ("20k for the oven", 20, ""),
        ("20k for the oven and 15k to put it in", 35, ""),
        ("20k for one of the two ovens", 35, ""),
        ("70k euros over two years", 35, ""),
        ("75k less than now", 35, ""),
        ("75.000 euros günstiger als der Gasofen", 35, ""),
        ("It saves 20k euros", 35, ""),
        ("After a discount of 5k euros", 35, ""),
        ("3k to 5k dearer than the gas oven", 35, ""),
        ("7 bakers at 5,000 euros each", 35, ""),
        ("60k plus 20 % for the service", 35, ""),
        ("Quicker by 20 minutes", 35, ""),
        ("31 to 38k, by the interest", 35, ""),
        ("The maker's offer", 35, ""),
    ],
)
def test_only_a_reason_that_is_one_amount_and_another_than_the_one_beside_it_is_asked_about(
    reason: str, amount: float, told: str
) -> None:
    drafts = decision("The law")
    cell = drafts["consequences"]["table"]["cells"][3]
    cell |= {"rationale": reason, "quant_value": amount, "quant_unit": "k euros"}
    found = remarks("consequences", drafts["consequences"], record(drafts, "consequences"))
    asked = f"The reason for {A3} on O2 Keep the cost low speaks of {told}, and the amount beside it is 35,000 euros."
    assert (asked in found) is bool(told)
    assert ("speaks of" in found) is bool(told)


def test_the_card_of_tradeoffs_tells_a_broken_limit_once_beside_the_option_that_people_left_out_for_it() -> None:
    drafts = decision()
    out: Draft = {"dropped_alternatives": [{"alternative_id": "A3", "reason": "It is too dear."}]}
    essence = build_sheet(PLAYBOOK["tradeoffs"], out, record(drafts, "tradeoffs")).essence
    assert [each for each in essence if "limit" in each] == [f"Set aside: {A3} (you left it out, breaks a limit)"]
    kept = build_sheet(PLAYBOOK["tradeoffs"], {}, record(drafts, "tradeoffs")).essence
    assert any(each.startswith(f"Breaks a limit: {A3} with 210,000 euros") for each in kept)
