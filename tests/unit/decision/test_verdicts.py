"""What people decide about a finding has effects wherever the analysis is read."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from app.core.state.sheet import Facts
from app.decision.analysis.analysis import analyse, find_standing
from app.decision.analysis.conflict import find_practical_dominance
from app.decision.analysis.ratings import RatingTable
from app.decision.analysis.standing.verdicts import NotWorth, Verdicts
from app.decision.analysis.swing import weigh
from app.decision.drafts.changes.whats_new import describe_changes
from app.decision.drafts.draft import refresh_draft
from app.decision.layout.first_page import build_first_page, describe_firmness
from app.decision.layout.parts.result import Result
from app.decision.layout.sheets import build_sheet, write_gist
from app.decision.playbook.found_so_far import list_findings
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import write_opening
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.unit.decision.components.told import find_told
from tests.unit.decision.components.worked import PLAYBOOK, accepted, example, rated, remarks
from tests.unit.decision.sheets.walls import in_short, laid, titled, wall
from tests.unit.decision.tables import rows

NO_MATTER = {"irrelevant_objectives": [{"objective_id": "O2", "reason": "No matter", "kind": "user_dismissed"}]}
KEPT = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "keep", "reason": "Good for morale"}]}


def decided(so_far: DecisionRecord, tradeoffs: Draft) -> DecisionRecord:
    """The decision once these tradeoffs are approved."""
    return replace(so_far, results={**so_far.results, "tradeoffs": accepted("tradeoffs", tradeoffs, so_far).draft})


@pytest.mark.req("TR-06")
def test_an_option_that_is_kept_is_in_the_tensions_the_pairs_the_points_and_in_what_is_left() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]})
    points = [{"objective_id": "O1", "points": 100}, {"objective_id": "O2", "points": 50}]
    draft = {**KEPT, "swing_weights": points}
    shown = laid("tradeoffs", draft, so_far)
    assert "A3 Way A3" in titled(shown, "What each option gains")
    assert "A2 Way A2 instead of A3 Way A3" in titled(shown, "One instead of another")
    assert "A3 Way A3 50" in titled(shown, "What going from worst to best is worth")
    assert in_short("tradeoffs", draft, so_far) == "0 set aside, 2 left + status quo · O1 Aim O1 against O2 Aim O2"
    opening = write_opening(PLAYBOOK["recommendation"], decided(so_far, draft))
    assert "Options left to weigh: 2 and the status quo.\n" in opening


@pytest.mark.req("TR-06")
def test_the_last_one_not_beaten_is_not_the_only_one_left_while_another_is_kept() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, 1], "A3": [1, 1]}, "recommendation")
    assert "is the only option that is left" in write_opening(PLAYBOOK["recommendation"], so_far)
    told = write_opening(PLAYBOOK["recommendation"], decided(so_far, KEPT))
    assert "A2 Way A2 stands out: it leads on the plain sum" in told
    assert "Options left to weigh: 2. The status quo is beaten." in told
    known = COMPUTED["left"](decided(so_far, KEPT), PLAYBOOK["recommendation"])
    assert "These are left: A2 Way A2 and A3 Way A3" in known


@pytest.mark.req("TR-06")
@pytest.mark.parametrize(
    ("kind", "told"), [("redundant", "You called it redundant."), ("user_dismissed", "You dismissed it.")]
)
def test_an_objective_that_people_left_out_counts_nowhere_and_is_listed_with_their_words(kind: str, told: str) -> None:
    left_out = {"irrelevant_objectives": [{"objective_id": "O3", "reason": "Same as speed", "kind": kind}]}
    so_far = rated({"A1": [0, 0, 0], "A2": [2, -1, -2], "A3": [-1, 2, 2]})
    draft = accepted("tradeoffs", left_out, so_far).draft
    assert {each["alternative_id"]: each["net_score"] for each in draft["tensions"]} == {"A1": 0, "A2": 1, "A3": 1}
    shown = laid("tradeoffs", left_out, so_far)
    assert titled(shown, "Left out by you").splitlines() == ["O3 Aim O3", f"  {told}", "  Same as speed"]
    assert "O3" not in wall(shown).replace("\n".join(titled(shown, "Left out by you").splitlines()), "")
    points = {"swing_weights": [{"objective_id": "O1", "points": 100}, {"objective_id": "O2", "points": 50}]}
    assert "By these points: A2 Way A2 100" in titled(laid("tradeoffs", {**left_out, **points}, so_far), "What going")


@pytest.mark.req("TR-06")
def test_what_was_left_out_and_speaks_for_a_beaten_option_is_said_beside_it() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1], "A3": [0, 1]})
    shown = laid("tradeoffs", NO_MATTER, so_far)
    told = "A3 Way A3 is better on O2 Aim O2, which you left out."
    assert f"  {told}" in titled(shown, "Set aside").splitlines()
    assert "A1 Way A1 is better on O2 Aim O2, which you left out." in titled(shown, "The status quo")
    judged = replace(so_far, before=accepted("tradeoffs", NO_MATTER, so_far).draft)
    assert told in write_opening(PLAYBOOK["tradeoffs"], judged)
    assert told in COMPUTED["dominated"](judged, PLAYBOOK["tradeoffs"])
    assert "left out" not in wall(laid("tradeoffs", {}, so_far))


@pytest.mark.req("TR-03", "TR-06")
def test_an_amount_on_what_was_left_out_speaks_for_a_beaten_option_as_a_rating_does() -> None:
    told = titled(laid("tradeoffs", NO_MATTER, with_amounts(500, 500, 450)), "Set aside")
    assert "  A3 Way A3 is better on O2 Aim O2, which you left out." in told.splitlines()
    dearer = titled(laid("tradeoffs", NO_MATTER, with_amounts(500, 500, 500)), "Set aside")
    assert "which you left out" not in dearer


@pytest.mark.req("TR-03", "TR-06")
def test_what_is_left_alone_is_never_worse_only_on_the_ratings_that_count() -> None:
    so_far = rated({"A1": [0, 0], "A2": [1, -1]}, "recommendation")
    told = write_opening(PLAYBOOK["recommendation"], decided(so_far, NO_MATTER))
    alone = "A2 Way A2 is the only option that is left: on the ratings that count it is never worse than a"
    assert alone in told
    assert alone in describe_firmness(decided(so_far, NO_MATTER))


@pytest.mark.req("TR-06")
def test_if_people_leave_out_every_objective_all_count_and_they_are_asked() -> None:
    every: Draft = {
        "irrelevant_objectives": [
            {"objective_id": each, "reason": "No matter", "kind": "user_dismissed"} for each in ("O1", "O2")
        ]
    }
    so_far = rated({"A1": [0, 0], "A2": [2, -1]})
    assert "! You left out every objective, so all of them count." in remarks("tradeoffs", every, so_far)
    assert accepted("tradeoffs", every, so_far).draft["tensions"][1]["net_score"] == 1
    assert "all of them count" in titled(laid("tradeoffs", every, so_far), "Left out by you")
    assert "left out every" not in remarks(
        "tradeoffs", {"irrelevant_objectives": every["irrelevant_objectives"][:1]}, so_far
    )


ROWS = {"A1": [0, 0, 0], "A2": [2, -2, -2], "A3": [1, 0, 0], "A4": [-2, 2, 1]}
"""A3 is one step behind A2 on O1, and ahead by four on the rest."""
SWINGS = [{"objective_id": each, "points": points} for each, points in (("O1", 100), ("O2", 80), ("O3", 60))]


@pytest.mark.req("TR-06")
def test_an_option_given_up_for_one_far_ahead_is_in_no_pair_and_no_break_even() -> None:
    so_far = rated(ROWS)
    asked = laid("tradeoffs", {"swing_weights": SWINGS}, so_far)
    assert "A2 Way A2" in titled(asked, "One instead of another")
    assert "A2 Way A2 100" in titled(asked, "What going")
    answer = {"alternative_id": "A2", "by": "A3", "user_verdict": "accepted", "reason": "One step is little"}
    shown = laid("tradeoffs", {"swing_weights": SWINGS, "practical_dominance": [answer]}, so_far)
    assert "A2 Way A2" not in titled(shown, "One instead of another")
    assert "A2 Way A2" not in titled(shown, "What going"), "neither its value nor where it would draw level"


@pytest.mark.req("TR-06", "TR-17")
def test_an_option_that_was_given_up_is_no_contender() -> None:
    so_far = rated({"A1": [0, 0, 0], "A2": [2, 0, 1], "A3": [1, 2, 2], "A4": [2, -2, 2]}, "recommendation")
    answer = {"alternative_id": "A2", "by": "A3", "user_verdict": "accepted", "reason": "One step is little"}

    def contenders(draft: Draft) -> list[str]:
        page = build_first_page(PLAYBOOK["consequences"], decided(so_far, draft))
        rows = [row for each in page.sections if isinstance(each, Facts) for row in each.rows]
        return [said.splitlines()[0] for label, said in rows if label == "Contender"]

    assert contenders({}) == ["A3 Way A3", "A2 Way A2"]
    assert contenders({"practical_dominance": [answer]}) == ["A3 Way A3", "A4 Way A4"]


@pytest.mark.req("TR-06")
def test_an_answer_about_other_steps_gives_nothing_up() -> None:
    so_far = rated(ROWS)
    answer = {"alternative_id": "A2", "by": "A3", "user_verdict": "accepted"}
    draft = accepted("tradeoffs", {"practical_dominance": [answer]}, so_far).draft
    now = refresh_draft(PLAYBOOK["tradeoffs"], draft, rated({**ROWS, "A3": [1, 1, 0]})).draft
    assert "user_verdict" not in now["practical_dominance"][0]
    table = rows({name: list(row) for name, row in ROWS.items()})
    (found,) = (each for each in find_practical_dominance(table) if each.alternative == "A2" and each.by == "A3")
    said = NotWorth("A2", "A3", frozenset((found.gives_up,)), frozenset(found.gains))
    assert analyse(table, verdicts=Verdicts(not_worth=frozenset({said}))).given_up == ("A2",)
    other = NotWorth("A2", "A3", frozenset((found.gives_up,)), frozenset(found.gains[:1]))
    assert analyse(table, verdicts=Verdicts(not_worth=frozenset({other}))).given_up == ()


@pytest.mark.req("TR-06")
def test_who_stands_out_is_found_without_what_was_left_out() -> None:
    table: RatingTable = rows({"A": [2, -1, -1], "B": [0, 1, 0]})
    assert find_standing(analyse(table)).standout is not None
    verdicts = Verdicts(left_out=frozenset({"O2"}))
    found = find_standing(analyse(table, verdicts=verdicts)).standout
    assert found
    assert (found.alternative, found.weakest_on, found.rivals) == ("A", ("O3",), ())
    both = Verdicts(left_out=frozenset({"O3", "O1"}))
    assert analyse(table, verdicts=both).left_out == ("O1", "O3")
    assert analyse(table, verdicts=both).leaders == ("B",)
    weighed = weigh(table.select_columns(["O1", "O3"]), {"O1": 40, "O3": 100})
    assert find_standing(analyse(table, verdicts=verdicts), weighed).standout is None


DISPUTED: dict[str, Any] = {"A1": [0, 0], "A2": [1, 0], "A3": [0, -1]}


def with_amounts(*amounts: float, key: str = "tradeoffs", **measure: str) -> DecisionRecord:
    """A1 and A2 rated alike on O2, which is measured in these amounts, and A2 better on O1."""
    so_far = rated(DISPUTED, key)
    cost = {"metric": "Cost", "direction": "minimize", "units": "EUR", **measure}
    so_far.results["objectives"]["fundamental_objectives"][1]["performance_measure"] = cost
    cells = [each for each in so_far.results["consequences"]["table"]["cells"] if each["objective_id"] == "O2"]
    for cell, amount in zip(cells, amounts, strict=False):
        cell["quant_value"] = amount
    return so_far


@pytest.mark.req("TR-03")
def test_an_option_300000_euro_cheaper_is_not_called_beaten_and_people_are_asked_with_both_numbers() -> None:
    so_far = with_amounts(100_000, 400_000, 500_000)
    shown = laid("tradeoffs", {}, so_far)
    assert titled(shown, "The status quo") == ""
    told = titled(shown, "Ratings and amounts disagree")
    assert "  On O2 Aim O2, A1 Way A1 measures better: 100,000 EUR against 400,000 EUR." in told.splitlines()
    assert "so A1 Way A1 stays until it is clear. Shall a rating change, or does the difference not matter?" in told
    assert "A1 Way A1" in titled(shown, "What each option gains")
    asked = (
        "On your ratings A2 Way A2 is never worse than A1 Way A1, but on O2 Aim O2 A1 Way A1 measures 100,000 EUR "
        "against 400,000 EUR. Shall a rating change"
    )
    assert asked in remarks("tradeoffs", {}, so_far)
    opening = write_opening(PLAYBOOK["tradeoffs"], so_far)
    assert "A1 Way A1 is dominated" not in COMPUTED["dominated"](so_far, PLAYBOOK["tradeoffs"])
    assert "A1 Way A1: A2 Way A2 is never worse" not in opening
    assert "it measures 100,000 EUR against 400,000 EUR. It stays until it is clear" in opening
    assert "as good or better everywhere, better on O1 Aim O1" in wall(laid("tradeoffs", {}, with_amounts(9, 8, 10)))


@pytest.mark.req("TR-03")
def test_who_sets_an_option_aside_knowing_its_amount_is_taken_at_their_word_for_these_amounts_only() -> None:
    so_far = with_amounts(500, 500, 450)
    said = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "set_aside"}]}
    told = titled(laid("tradeoffs", said, so_far), "Set aside")
    assert "  On your ratings, A1 Way A1 is" in told or "  On your ratings, A2 Way A2 is as good or better" in told
    assert "  On O2 Aim O2, A3 Way A3 measures better: 450 EUR against 500 EUR." in told.splitlines()
    assert "  You set it aside knowing that." in told
    old = {**accepted("tradeoffs", said, with_amounts(500, 500, 600)).draft}
    assert old["dominated_alternatives"][-1]["user_verdict"] == "set_aside"
    now = refresh_draft(PLAYBOOK["tradeoffs"], old, so_far).draft
    assert "user_verdict" not in now["dominated_alternatives"][-1], "it was said before the amounts spoke for it"
    assert "A3 Way A3" in titled(laid("tradeoffs", now, so_far), "What each option gains")


@pytest.mark.req("TR-03")
def test_options_rated_alike_whose_amounts_differ_are_told_with_both_amounts() -> None:
    so_far = with_amounts(100, 400)
    for cell in so_far.results["consequences"]["table"]["cells"]:
        cell["rating"] = 0
    told = titled(laid("tradeoffs", {}, so_far), "Rated alike")
    assert "  On O2 Aim O2 they measure differently: A2 Way A2 400 EUR, A1 Way A1 100 EUR." in told.splitlines()


BESIDE_A2 = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1]}
"""A2 dominates A3, which people keep beside it."""
BESIDE_A4 = {"A1": [0, 0], "A2": [0, -1], "A3": [1, -1], "A4": [2, -1]}
"""A4 dominates A3, and A2 does so no more."""


def kept_beside_a2(rows: dict[str, list[int]]) -> tuple[DecisionRecord, DecisionRecord]:
    """The decision with these ratings, after A3 was kept beside A2: in Tradeoffs, and in the step after it."""
    draft = accepted("tradeoffs", {**KEPT, "user_understanding": "Morale counts."}, rated(BESIDE_A2)).draft
    later = rated(rows, "recommendation")
    return replace(rated(rows), before=draft), replace(later, results={**later.results, "tradeoffs": draft})


@pytest.mark.req("TR-06", "TR-07")
@pytest.mark.parametrize(
    "rows", [BESIDE_A4, {**BESIDE_A2, "A4": [2, 0]}], ids=["instead of the former one", "beside the former one"]
)
def test_an_option_kept_beside_one_that_dominated_it_is_not_kept_beside_a_new_one(rows: dict[str, list[int]]) -> None:
    """*Still valid* leaves the result as it was approved: it says nothing of the one that is new."""
    now, later = kept_beside_a2(rows)
    told = wall(build_sheet(PLAYBOOK["tradeoffs"], now.before, now))
    assert "A3 Way A3\n  A4 Way A4 is as good or better everywhere" in told
    assert "Good for morale" not in told
    assert "A3" not in write_gist(PLAYBOOK["tradeoffs"], now.before, now)
    assert "A3 Way A3" not in COMPUTED["left"](later, PLAYBOOK["recommendation"])
    fresh = refresh_draft(PLAYBOOK["tradeoffs"], now.before, now)
    rows_now = {each["alternative_id"]: each for each in fresh.draft["dominated_alternatives"]}
    assert rows_now["A3"].keys().isdisjoint({"user_verdict", "reason"})
    assert describe_changes(now.before, fresh.draft, now)[-1] == (
        "A3 Way A3, which you kept beside A2 Way A2, is now dominated by A4 Way A4: say anew if it stays"
    )
    again = accepted("tradeoffs", {**KEPT, "user_understanding": "Morale counts."}, now).draft
    assert "A4 Way A4 is as good or better everywhere" in titled(laid("tradeoffs", again, now), "Kept all the same")


LEVEL_WITH_A2 = {**BESIDE_A2, "A4": [2, -1]}
"""A4 dominates A3 as well, and is level with A2."""


@pytest.mark.req("TR-06", "TR-07")
def test_an_option_kept_beside_one_is_told_when_another_one_that_is_level_with_it_dominates_it_too() -> None:
    now, _ = kept_beside_a2(LEVEL_WITH_A2)
    fresh = refresh_draft(PLAYBOOK["tradeoffs"], now.before, now).draft
    assert (
        "A3 Way A3, which you kept beside A2 Way A2, is now dominated by A4 Way A4: say anew if it stays"
    ) in describe_changes(now.before, fresh, now, rated(BESIDE_A2))
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], fresh, now), "Set aside, unless you say otherwise").splitlines()
    assert told[1:] == [
        "  A4 Way A4 is as good or better everywhere, better on O1 Aim O1.",
        "  You once kept it beside A2 Way A2. Does it stay?",
    ]
    assert refresh_draft(PLAYBOOK["tradeoffs"], fresh, now).draft == fresh, "however often it is opened"


@pytest.mark.req("TR-06")
def test_whoever_keeps_an_option_anew_keeps_it_beside_the_new_one_and_is_not_asked_again() -> None:
    now, _ = kept_beside_a2(LEVEL_WITH_A2)
    fresh = refresh_draft(PLAYBOOK["tradeoffs"], now.before, now).draft
    fresh["dominated_alternatives"][-1] |= {"user_verdict": "keep", "reason": "Good for morale"}
    again = accepted("tradeoffs", fresh, now)
    assert not any("Findings were set" in each.text for each in again.remarks)
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], again.draft, now), "Kept all the same").splitlines()
    assert told[1:] == [
        "  A4 Way A4 is as good or better everywhere, better on O1 Aim O1.",
        "  You keep it: Good for morale",
    ]


@pytest.mark.req("TR-06")
def test_of_a_third_one_that_dominates_it_those_are_named_beside_which_people_kept_it_before() -> None:
    now, _ = kept_beside_a2(LEVEL_WITH_A2)
    fresh = refresh_draft(PLAYBOOK["tradeoffs"], now.before, now).draft
    fresh["dominated_alternatives"][-1] |= {"user_verdict": "keep"}
    kept = accepted("tradeoffs", fresh, now).draft
    third = rated({**LEVEL_WITH_A2, "A5": [2, -1]})
    told = build_sheet(PLAYBOOK["tradeoffs"], refresh_draft(PLAYBOOK["tradeoffs"], kept, third).draft, third)
    aside = titled(told, "Set aside, unless you say otherwise")
    assert "A5 Way A5 is as good or better everywhere" in aside
    assert "You once kept it beside A4 Way A4 and A2 Way A2. Does it stay?" in aside


@pytest.mark.req("TR-06")
def test_an_option_stays_kept_with_its_reason_as_long_as_no_other_one_dominates_it() -> None:
    rows = {"A1": [0, 0], "A2": [2, -1], "A3": [1, -1], "A4": [2, -2]}
    now, later = kept_beside_a2(rows)
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], now.before, now), "Kept all the same")
    assert told.splitlines()[1:] == [
        "  A2 Way A2 is as good or better everywhere, better on O1 Aim O1.",
        "  You keep it: Good for morale",
    ]
    assert "A3 Way A3" in COMPUTED["left"](later, PLAYBOOK["recommendation"])
    found = refresh_draft(PLAYBOOK["tradeoffs"], now.before, now).draft["dominated_alternatives"]
    (row,) = (each for each in found if each["alternative_id"] == "A3")
    assert (row["user_verdict"], row.get("kept_beside")) == ("keep", None)


@pytest.mark.req("TR-06")
def test_of_two_that_dominate_a_kept_option_the_one_is_shown_beside_which_it_was_kept() -> None:
    rows = {"A1": [0, 0], "A2": [2, 1], "A3": [1, -1], "A4": [2, 0]}
    draft = accepted("tradeoffs", KEPT, rated(rows)).draft
    assert [each["dominated_by"] for each in draft["dominated_alternatives"] if each["alternative_id"] == "A3"] == [
        "A2"
    ]
    wider = rated({**rows, "A4": [2, 2]})
    told = titled(build_sheet(PLAYBOOK["tradeoffs"], draft, wider), "Kept all the same")
    assert "A2 Way A2 is as good or better everywhere" in told, "A4 is farther ahead, and nobody spoke of it"
    alone = rated({**rows, "A2": [0, 1]})
    assert "A3 Way A3" in titled(build_sheet(PLAYBOOK["tradeoffs"], draft, alone), "Set aside"), (
        "nobody kept it beside A4 alone"
    )


@pytest.mark.req("TR-06")
def test_what_people_said_about_a_dominance_is_told_with_the_option_they_said_it_beside() -> None:
    _, later = kept_beside_a2(BESIDE_A4)
    (said,) = find_told(Result(PLAYBOOK["recommendation"], {}, later), "understanding")
    assert said.notes == ("Compared with A2 Way A2, you said: it is kept.", "Good for morale")
    lines = [line for each in list_findings(PLAYBOOK["recommendation"], later) for line in each.lines]
    assert "- A3 Way A3: dominated beside A2 Way A2, they said keep, because Good for morale" in lines
    del later.results["tradeoffs"]["dominated_alternatives"][0]["dominated_by"]
    (said,) = find_told(Result(PLAYBOOK["recommendation"], {}, later), "understanding")
    assert said.notes == ("You said: it is kept.", "Good for morale"), "as an older result has it"


@pytest.mark.req("TR-06", "TR-20")
def test_no_step_is_said_to_set_aside_what_people_keep_already() -> None:
    rows = {"A1": [0, 0, 0], "A2": [2, -1, 0], "A3": [1, -1, 0], "A4": [1, 1, -1]}
    told = titled(laid("tradeoffs", KEPT, rated(rows)), "What one step would change")
    assert "Another option would never be worse than A1 Way A1" in told
    assert "could be set aside" not in told, "A3 is dominated whatever that step is"


def test_of_which_option_nobody_has_said_that_it_is_set_aside_stands_apart() -> None:
    draft = example("tradeoffs")
    draft["dominated_alternatives"][0].pop("user_verdict")
    shown = laid("tradeoffs", draft)
    assert titled(shown, "Set aside, unless you say otherwise").startswith("A3 Budget call centre\n")
    first, *_ = (each for each in wall(shown).split("# ") if each.startswith("Set aside\n"))
    assert "A3 Budget call centre" not in first
    assert "A6 Mandatory rota for all agents [set_aside]" in first


@pytest.mark.req("TR-06")
def test_the_model_is_told_what_is_left_by_the_verdicts_noted_so_far() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, 1], "A3": [1, 0]})
    component = PLAYBOOK["tradeoffs"]

    def told(noted: Draft) -> str:
        return "\n".join(line for each in list_findings(component, so_far, noted) for line in each.lines)

    assert "A3" not in told({}).partition("are left: ")[2].partition("\n")[0]
    kept = {"dominated_alternatives": [{"alternative_id": "A3", "user_verdict": "keep", "reason": "a fallback"}]}
    assert "A3" in told(kept).partition("are left: ")[2].partition("\n")[0]
    assert "A3" not in told({"tensions": []}).partition("are left: ")[2].partition("\n")[0]


@pytest.mark.req("TR-06")
def test_all_findings_that_the_model_is_told_follow_the_verdicts_noted_so_far() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, 1], "A3": [1, 0], "A4": [-1, 2]})
    component = PLAYBOOK["tradeoffs"]

    def told(noted: Draft, record: DecisionRecord = so_far) -> str:
        return "\n".join(line for each in list_findings(component, record, noted) for line in each.lines)

    assert "A4: best on O2; weakest on O1." in told({})
    assert "the heart of it is O1 against O2" in told({})
    gone: Draft = {"dropped_alternatives": [{"alternative_id": "A4", "reason": "too far"}]}
    assert "A4: best on O2" not in told(gone)
    assert "A2: best on nothing; weakest on nothing." in told(gone)
    assert "the heart of it is" not in told(gone)
    assert told({}, replace(so_far, before=gone)) == told(gone), "a talk goes on from what was approved"


@pytest.mark.req("TR-06")
def test_later_steps_are_told_the_swaps_that_people_would_make() -> None:
    swap = {
        "alternative_id": "A2",
        "improve": {"objective_id": "O1", "from": 3.8, "to": 4.4},
        "pay_with": {"objective_id": "O2", "from": 50, "to": 70},
    }
    said = [{"alternative_id": "A2", "statement": "Money for quality"}]
    before_it = rated({"A1": [0, 0], "A2": [2, -1]})
    so_far = replace(before_it, results={**before_it.results, "tradeoffs": {"tensions": said, "even_swaps": [swap]}})
    lines = [line for each in list_findings(PLAYBOOK["recommendation"], so_far) for line in each.lines]
    assert "- A2 Way A2: Money for quality; fair: O1 3.8 to 4.4 for O2 50 to 70" in lines
    results = deepcopy(so_far.results)
    measures = ({"units": "points", "direction": "maximize"}, {"units": "kEUR", "direction": "minimize"})
    for row, measure in zip(results["objectives"]["fundamental_objectives"], measures, strict=True):
        row["performance_measure"] = measure
    for cell in results["consequences"]["table"]["cells"]:
        cell["quant_value"] = {"O1": 3.8, "O2": 50}[cell["objective_id"]]
    measured = replace(so_far, results=results)
    lines = [line for each in list_findings(PLAYBOOK["recommendation"], measured) for line in each.lines]
    assert "- A2 Way A2: Money for quality; fair: O1 3.8 to 4.4 points for O2 50 to 70 kEUR" in lines
    results["objectives"]["fundamental_objectives"][0]["performance_measure"] = {**measures[0], "units": "level"}
    leveled = replace(so_far, results=deepcopy(results))
    lines = [line for each in list_findings(PLAYBOOK["recommendation"], leveled) for line in each.lines]
    assert "- A2 Way A2: Money for quality; fair: O1 level 3.8 to level 4.4 for O2 50 to 70 kEUR" in lines
