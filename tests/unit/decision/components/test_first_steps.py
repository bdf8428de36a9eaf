"""Issue raising, frame and objectives: the edge cases that a facilitator meets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.decision.layout.parts import words
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import PLAYBOOK, accepted, before, example, minimal, refused, remarks

# --- issue raising


@pytest.mark.req("S0-095")
def test_without_a_decision_the_issues_are_a_draft_that_asks_for_one() -> None:
    draft: Draft = {**example("issue_raising"), "potential_decisions": []}
    del draft["focal_candidate_id"]
    assert accepted("issue_raising", draft).missing == ("at least one decision: what would you be choosing between?",)


@pytest.mark.req("S0-091")
def test_all_four_boxes_are_due_and_may_be_empty() -> None:
    others = {"objectives", "uncertainties", "considerations"}
    assert set(refused("issue_raising", {"potential_decisions": []})) == others
    empty: Draft = {box: [] for box in ("potential_decisions", *others)}
    judged = accepted("issue_raising", empty)
    assert (judged.draft, len(judged.missing)) == (empty, 1), "a decision alone is missed"


def test_a_list_holds_nothing_twice_whatever_its_case() -> None:
    draft = example("issue_raising")
    draft["considerations"].append({"handle": "C9", "text": "at most 100,000  EURO extra per year has been approved"})
    assert refused("issue_raising", draft) == {"considerations.3": "there twice"}


def test_one_item_in_two_boxes_is_a_contradiction() -> None:
    draft = example("issue_raising")
    draft["considerations"].append({"handle": "C9", "text": "The team does not burn out"})
    assert "! “The team does not burn out” stands in two lists" in remarks("issue_raising", draft)
    assert accepted("issue_raising", draft).blocked


def test_near_duplicates_are_offered_for_merging_and_never_merged() -> None:
    draft = minimal("issue_raising")
    draft["potential_decisions"] += [
        {"handle": "D2", "description": "Where to meet next"},
        {"handle": "D3", "description": "Who leads"},
        {"handle": "D4", "description": "Whether to hire a nurse for the day shift"},
        {"handle": "D5", "description": "Whether to hire a nurse for the night shift"},
    ]
    assert (
        remarks("issue_raising", draft) == "D1 “Where to meet” and D2 “Where to meet next” sound alike. Are they one?"
    )
    assert len(accepted("issue_raising", draft).draft["potential_decisions"]) == 5


@pytest.mark.parametrize(("items", "told"), [(19, ""), (20, "That is a long list.")])
def test_twenty_items_are_worth_grouping(items: int, told: str) -> None:
    draft = minimal("issue_raising")
    draft["uncertainties"] = [{"handle": f"U{n}", "description": f"{n}"} for n in range(1, items + 1)]
    assert remarks("issue_raising", draft).startswith(told)
    assert bool(remarks("issue_raising", draft)) == bool(told)


# --- problem frame


@pytest.mark.req("S0-110", "S0-111", "S0-112")
@pytest.mark.parametrize(
    ("path", "value", "needed"),
    [
        (("decision_maker",), None, "who decides"),
        (("decision_maker", "name"), "", "who decides"),
        (("focal_decision", "statement"), "Where? No.", None),
        (("focal_decision", "statement"), "Where? No", "the decision as one question (10 characters or more)"),
        (("focal_decision", "scope"), " ", "what is in scope and what is not"),
    ],
)
def test_a_frame_needs_a_decider_a_question_and_a_scope(path: tuple[str, ...], value: Any, needed: str | None) -> None:
    draft: Any = example("problem_frame")
    holder = draft if len(path) == 1 else draft[path[0]]
    holder[path[-1]] = value
    if path[-1] == "scope":
        del holder["in_scope"]
    assert accepted("problem_frame", draft).missing == ((needed,) if needed else ())


@pytest.mark.req("FA-03")
def test_a_name_is_enough_to_say_who_decides() -> None:
    draft: Any = example("problem_frame")
    del draft["decision_maker"]["role"]
    assert accepted("problem_frame", draft).missing == ()
    assert not any("role" in each.need for each in PLAYBOOK["problem_frame"].criteria)


@pytest.mark.req("FA-26")
def test_a_list_of_what_is_in_scope_says_the_scope() -> None:
    draft: Any = example("problem_frame")
    del draft["focal_decision"]["scope"]
    assert accepted("problem_frame", draft).missing == ()
    draft["focal_decision"]["in_scope"] = []
    assert accepted("problem_frame", draft).missing == ("what is in scope and what is not",)


@pytest.mark.req("FA-26")
def test_who_decides_with_the_approval_of_somebody_else_has_a_place() -> None:
    draft: Any = example("problem_frame")
    draft["decision_maker"]["authority"] = "needs_approval"
    assert accepted("problem_frame", draft).draft["decision_maker"]["authority"] == "needs_approval"
    assert words.AUTHORITY["needs_approval"] == "decides, and somebody else approves"


def test_a_linked_decision_stands_in_one_tier_only() -> None:
    draft = example("problem_frame")
    draft["decision_hierarchy"]["deferred"].append({"handle": "H9", "statement": "office-hours support stays in-house"})
    assert refused("problem_frame", draft) == {"decision_hierarchy.deferred.2.statement": "stands in two tiers"}


def test_only_what_is_already_made_has_an_outcome() -> None:
    draft = example("problem_frame")
    draft["decision_hierarchy"]["deferred"][0]["outcome"] = "Yes"
    assert set(refused("problem_frame", draft)) == {"decision_hierarchy.deferred.0.outcome"}


def test_two_who_decide_are_a_contradiction_unless_they_decide_together() -> None:
    draft = example("problem_frame")
    draft["parties"][1]["role"] = "decision_maker"
    assert "! Maya Okafor and Jonas Weber (COO) are both named" in remarks("problem_frame", draft)
    draft["decision_maker"] |= {"authority": "joint"}
    assert remarks("problem_frame", draft) == "A group decides: by consensus, by vote, or does the chair decide?"
    draft["decision_maker"]["decision_rule"] = "consensus"
    assert remarks("problem_frame", draft) == ""


def test_whoever_only_advises_is_asked_who_decides() -> None:
    draft = example("problem_frame")
    draft["decision_maker"]["authority"] = "recommends"
    assert remarks("problem_frame", draft) == "This person recommends. Who decides, and how will they be involved?"


@pytest.mark.req("S0-109")
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("Should we buy the new phone system?", "allows only yes or no"),
        ("Should we hire or train for the nights?", ""),
        ("How should we cover the nights?", ""),
        ("How should we cover the nights? (from May on)", ""),
        ("We have to cover the nights", "not put as a question"),
    ],
)
def test_a_statement_that_nobody_can_act_on_is_asked_about(statement: str, told: str) -> None:
    draft = minimal("problem_frame")
    draft["focal_decision"]["statement"] = statement
    assert told in remarks("problem_frame", draft)
    assert bool(remarks("problem_frame", draft)) == bool(told)


def test_a_deadline_that_is_over_is_a_contradiction_and_today_is_not() -> None:
    draft = example("problem_frame")
    draft["focal_decision"]["deadline"] = "2026-11-20"
    assert remarks("problem_frame", draft).startswith("! The deadline 20 November 2026 is over.")
    draft["focal_decision"]["deadline"] = "2026-11-21"
    assert remarks("problem_frame", draft) == ""


def test_empty_tiers_are_fine_and_half_a_frame_is_a_draft() -> None:
    assert accepted("problem_frame", minimal("problem_frame"), before("problem_frame")).missing == ()
    half: Draft = {"decision_hierarchy": {"already_made": [], "deferred": []}, "parties": []}
    assert len(accepted("problem_frame", half).missing) == 3


# --- objectives


@pytest.mark.req("S0-126")
def test_at_least_one_objective_has_to_be_an_end() -> None:
    draft: Draft = {"fundamental_objectives": [], "means_objectives": []}
    assert accepted("objectives", draft).missing == ("at least one objective that matters for its own sake",)


@pytest.mark.req("S0-122")
def test_a_means_that_serves_nothing_is_asked_about() -> None:
    draft = example("objectives")
    draft["means_objectives"][1]["supports"] = []
    assert accepted("objectives", draft).missing == ("what M2 Spread off-hours work over more people serves",)


def test_means_in_a_circle_are_a_contradiction_and_both_stay() -> None:
    draft = example("objectives")
    draft["means_objectives"][0]["via"] = ["M2"]
    assert remarks("objectives", draft) == ""
    draft["means_objectives"][1]["via"] = ["M1"]
    told = remarks("objectives", draft)
    assert told.startswith("! M")
    assert "serve each other. If you could have the first with no change in the second" in told
    assert len(accepted("objectives", draft).draft["means_objectives"]) == 3


@pytest.mark.req("FA-03")
def test_a_target_that_nobody_named_is_needed_and_demanded_of_no_submission() -> None:
    draft = example("objectives")
    del draft["fundamental_objectives"][5]["performance_measure"]["target"]
    assert accepted("objectives", draft).missing == ("O6 performance measure target",)
    assert "then" not in json.dumps(PLAYBOOK["objectives"].asked_schema)


@pytest.mark.req("FA-03")
def test_an_option_of_which_only_a_name_was_said_is_no_error_and_none_is_like_another_for_that() -> None:
    draft = minimal("alternatives")
    for each in draft["alternatives"]:
        del each["description"]
    found = accepted("alternatives", draft)
    assert found.missing == ()
    assert "Are they the same?" not in " ".join(each.text for each in found.remarks)
    for each in draft["alternatives"]:
        each["description"] = "As always"
    assert "Are they the same?" in " ".join(each.text for each in accepted("alternatives", draft).remarks)


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ([], None),
        ([0.5, 0.1, 0.1, 0.1, 0.1, 0.1], None),
        ([1 / 6 + 0.001] * 6, None),
        ([1], "weights do not add up"),
        ([0.2] * 6, "weights do not add up"),
    ],
)
def test_weights_are_all_there_and_add_up_to_1_or_there_are_none(weights: list[float], problem: str | None) -> None:
    draft = example("objectives")
    for objective, weight in zip(draft["fundamental_objectives"], weights, strict=False):
        objective["weight"] = weight
    if problem:
        assert refused("objectives", draft) == {"fundamental_objectives": problem}
    else:
        assert accepted("objectives", draft).remarks == ()


def test_objectives_without_a_measure_are_listed_and_one_measure_for_two_is_asked_about() -> None:
    draft = example("objectives")
    del draft["fundamental_objectives"][3]["performance_measure"]
    draft["fundamental_objectives"][1]["performance_measure"]["metric"] = "extra cost per year against TODAY"
    assert remarks("objectives", draft).splitlines() == [
        "Without a measure: O4 “Give correct and friendly answers”. How would you know if you achieved this?",
        "O2 and O3 have the same measure. Are they one objective?",
    ]


def test_a_single_objective_is_asked_about() -> None:
    assert "There is one objective so far." in remarks("objectives", minimal("objectives"))


@pytest.mark.req("FA-15")
def test_a_wish_of_the_beginning_that_no_objective_takes_up_is_asked_about_and_not_lost() -> None:
    wishes = {
        "IO1": "Nobody loses their job",
        "IO2": "The customers do not notice",
        "IO3": "Open early",
        "IO4": "Be near an exit",
        "IO6": "Commuting",
    }
    issues = minimal("issue_raising") | {
        "objectives": [{"handle": each, "description": said} for each, said in wishes.items()]
    }
    issues["objectives"].append({"handle": "IO5", "description": "Look good", "origin": "ai_suggested"})
    draft = minimal("objectives")
    draft["fundamental_objectives"] = [
        {"handle": "O1", "description": "Keep our people", "source_objective_id": "IO1"},
        {"handle": "O2", "description": "Open as early as possible"},
        {"handle": "O3", "description": "Keep the commute short"},
    ]
    draft["means_objectives"] = [{"handle": "M1", "description": "Take a site near an exit", "supports": ["O2"]}]
    told = remarks("objectives", draft, before("objectives", issue_raising=issues))
    assert "You also wanted: IO2 The customers do not notice. Shall that count as well?" in told
    assert [each for each in ("IO1", "IO3", "IO4", "IO5", "IO6") if each in told] == []


def test_an_objective_of_somebody_else_names_a_party_that_exists() -> None:
    draft = example("objectives")
    draft["fundamental_objectives"][1]["party"] = "P5"
    assert accepted("objectives", draft).missing == ()
    draft["fundamental_objectives"][1]["party"] = "P50"
    assert refused("objectives", draft) == {"fundamental_objectives.1.party": "names nothing that exists"}
