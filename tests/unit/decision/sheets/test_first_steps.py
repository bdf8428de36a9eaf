"""Issue raising, frame and objectives on the wall: what people see at Confirm, and what is marked."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.state.sheet import Facts, Listing, Mark
from app.core.text.labels import join_words
from app.decision.layout.parts.words import LINE
from app.decision.layout.problem_frame import describe_decider
from app.decision.layout.sheets import build_sheet, count_items, read_deadline
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, accepted, before, example, minimal
from tests.unit.decision.sheets.walls import in_short, laid, lines, of_type, plainly, titled, wall

# --- issue raising


BOXES = ("Decisions", "Objectives", "Uncertainties")


@pytest.mark.req("S0-093")
def test_the_four_boxes_are_shown_with_their_counts_and_all_that_is_in_them() -> None:
    draft = example("issue_raising")
    draft["considerations"] = []
    shown = laid("issue_raising", draft)
    assert [each.title for each in shown.sections] == [
        "Decisions (3)",
        "Objectives (3)",
        "Uncertainties (3)",
        "Considerations (0)",
    ]
    assert titled(shown, "Considerations") == "None named so far."
    handles = [
        each.split()[0] for each in "\n".join(titled(shown, box) for box in BOXES).splitlines() if each[0] != " "
    ]
    assert handles == ["D1", "D2", "D3", "IO1", "IO2", "IO3", "U1", "U2", "U3"]
    assert titled(shown, "Uncertainties").splitlines()[:3] == [
        "U1 How many off-hours requests next winter will bring",
        "  Depends on: Growth of the installed base and the weather",
        "  Cannot be found out in time.",
    ]


def test_what_nobody_wrote_in_these_words_and_what_the_model_suggests_is_marked() -> None:
    draft = example("issue_raising")
    draft["objectives"][1]["origin"] = "ai_suggested"
    shown = laid("issue_raising", draft, unproven=("D2", "IO3"))
    marks = {item.handle: item.marks for each in of_type(shown, Listing) for item in each.items if item.marks}
    assert marks == {"D2": (Mark.CHECK,), "IO2": (Mark.SUGGESTED,), "IO3": (Mark.CHECK,)}


@pytest.mark.req("FA-15")
def test_the_courses_that_people_named_stand_with_their_decision() -> None:
    draft = example("issue_raising")
    draft["potential_decisions"][0]["courses"] = ["A rota", "A partner"]
    assert "  Named for it: A rota; A partner" in titled(laid("issue_raising", draft), "Decisions").splitlines()


def test_of_one_decision_it_is_not_said_that_it_comes_first() -> None:
    draft = example("issue_raising")
    del draft["potential_decisions"][1:]
    assert draft["focal_candidate_id"] == draft["potential_decisions"][0]["handle"]
    assert "first" not in titled(laid("issue_raising", draft), "Decisions")


def test_the_decision_that_comes_first_says_so() -> None:
    assert titled(laid("issue_raising", example("issue_raising")), "Decisions").splitlines()[:3] == [
        "D1 How to cover urgent 'no heat' requests on evenings and weekends",
        "  You put this one first.",
        "  High priority",
    ]


@pytest.mark.req("FA-16")
@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("issue_raising", "3 decisions, 3 objectives, 3 uncertainties, 3 considerations"),
        ("problem_frame", "How should we cover urgent 'no heat' requests on evenings and weekends from 1…"),
        ("objectives", "6 objectives, 3 means"),
        ("alternatives", "5 options + status quo"),
        ("consequences", "30 of 30 rated"),
        ("tradeoffs", "3 set aside, 2 left + status quo · The heart of this decision is speed for…"),
        ("recommendation", "A4 Three part-time weekend agents stands out"),
        ("decision_quality", "60 % · weakest: Reliable consequence information"),
        ("notes_next_steps", "4 actions, leaning: A4 Three part-time weekend agents"),
    ],
)
def test_the_hub_tells_each_step_of_the_example_in_a_few_words(key: str, told: str) -> None:
    assert in_short(key, example(key)) == told


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("issue_raising", "1 decision"),
        ("problem_frame", "Where do we meet in May?"),
        ("objectives", "1 objective"),
        ("alternatives", "1 option + status quo"),
        ("consequences", "1 of 1 rated"),
        ("tradeoffs", "0 set aside, 1 left · We lose nothing by going to Bergen."),
        ("recommendation", "A2 Bergen stands out"),
        ("decision_quality", "70 % · weakest: Helpful problem frame"),
        ("notes_next_steps", "0 actions"),
    ],
)
def test_the_hub_counts_one_as_one_and_names_nothing_that_is_not_there(key: str, told: str) -> None:
    assert in_short(key, minimal(key), plainly(key)) == told


@pytest.mark.parametrize(("key", "count"), [*zip(KEYS, (12, 10, 9, 15, 45, 15, 7, 7, 4), strict=True)])
def test_the_audit_counts_items_and_not_what_belongs_to_them(key: str, count: int) -> None:
    assert count_items(example(key)) == count


# --- problem frame


@pytest.mark.req("S0-108")
def test_the_frame_is_one_card_and_then_the_tiers_and_the_people() -> None:
    shown = laid("problem_frame", example("problem_frame"))
    (card,) = of_type(shown, Facts)
    assert [label for label, _ in card.rows] == [
        "Decision", "Decider", "By when", "Why now", "Scope", "In", "Out", "Limits",
    ]  # fmt: skip
    assert dict(card.rows)["Decider"] == "Maya Okafor, Head of Customer Support · decides alone"
    assert dict(card.rows)["By when"] == "18 December 2026"
    assert (
        dict(card.rows)["Out"] == "Office-hours support; Field technician contracts; A paid 24/7 plan for new customers"
    )
    assert titled(shown, "Already decided").splitlines()[0] == "H1 Office-hours support stays in-house"
    assert "H4 Whether to sell a paid 24/7 service plan" in titled(shown, "Deferred")
    assert titled(shown, "People").splitlines()[3:6] == [
        "P2 Jonas Weber (COO)",
        "  has a stake · Approved the 100,000 euro limit; can raise or cut it",
        "  Concerns: Cost",
    ]


def test_empty_tiers_and_what_nobody_said_are_left_out_of_the_frame() -> None:
    shown = laid("problem_frame", minimal("problem_frame"), plainly("problem_frame"))
    assert wall(shown) == "Decision: Where do we meet in May?\nDecider: Ada, Chair\nScope: The May meeting"


def test_a_group_that_decides_is_shown_with_its_rule() -> None:
    draft = minimal("problem_frame")
    draft["decision_maker"] |= {"authority": "joint", "decision_rule": "the chair breaks a tie"}
    assert "Decider: Ada, Chair · decides with others · the chair breaks a tie" in wall(laid("problem_frame", draft))


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("Maya and Anneke", "decide together"),
        ("Maya & Anneke", "decide together"),
        ("Maya, Anneke and Sam", "decide together"),
        ("Fernanda", "decides with others"),
        ("Ada, Chair", "decides with others"),
    ],
)
def test_several_people_who_are_named_decide_together_and_one_decides_with_others(name: str, how: str) -> None:
    draft = minimal("problem_frame")
    draft["decision_maker"] = {"name": name, "authority": "joint"}
    assert f"Decider: {name} · {how}" in wall(laid("problem_frame", draft))
    assert describe_decider(draft) == ("Decider", f"{name} ({how})")
    draft["decision_maker"]["authority"] = "needs_approval"
    verb = "decide" if how == "decide together" else "decides"
    assert describe_decider(draft) == ("Decider", f"{name} ({verb}, and somebody else approves)")
    draft["decision_maker"]["authority"] = "sole"
    assert describe_decider(draft) == ("Decider", f"{name} ({verb} alone)")


@pytest.mark.req("FA-03")
def test_roles_that_nobody_told_are_open_where_nothing_else_tells_the_part_and_hold_no_approval_up() -> None:
    draft: Any = example("problem_frame")
    for holder in (draft["decision_maker"], *draft["parties"][1:3]):
        del holder["role"]
    del draft["parties"][2]["influence"]
    assert accepted("problem_frame", draft).missing == ()
    shown = laid("problem_frame", draft)
    people = titled(shown, "People").splitlines()
    assert people[people.index("P2 Jonas Weber (COO)") + 1].startswith("  Approved the 100,000"), "that is his part"
    assert people[people.index("P3 Works council") + 1] == "  role not said yet"
    assert "Decider: Maya Okafor (decides alone), by 18 December 2026" in shown.essence
    assert "Decider: Maya Okafor · decides alone" in wall(shown).splitlines()
    del draft["decision_maker"]["authority"]
    shown = laid("problem_frame", draft)
    assert "Decider: Maya Okafor (role not said yet), by 18 December 2026" in shown.essence
    assert "Decider: Maya Okafor, role not said yet" in wall(shown).splitlines()
    draft["decision_maker"]["decision_rule"] = "by vote"
    shown = laid("problem_frame", draft)
    assert "Decider: Maya Okafor, by 18 December 2026" in shown.essence
    assert "Decider: Maya Okafor · by vote" in wall(shown).splitlines()
    del draft["decision_maker"]
    assert "Decider" not in wall(laid("problem_frame", draft)), "nobody is named whose role could be open"


@pytest.mark.req("FA-13", "TR-18")
def test_the_card_of_the_frame_says_what_is_in_beside_what_is_out() -> None:
    draft: Any = minimal("problem_frame")
    draft["focal_decision"] |= {"in_scope": ["All fresh food", "Pick-up hours"], "out_of_scope": ["A new building"]}

    def told() -> list[str]:
        found = laid("problem_frame", draft, plainly("problem_frame")).essence
        return [line for line in found if not line.startswith(("Decision", "Decider"))]

    assert told() == ["In: All fresh food; Pick-up hours · Out: A new building"]
    del draft["focal_decision"]["in_scope"]
    assert told() == ["Scope: The May meeting · Out: A new building"], "the words on it, where nothing is listed"
    draft["focal_decision"]["scope"] = ""
    assert told() == ["Out: A new building"]
    del draft["focal_decision"]["out_of_scope"]
    assert told() == []
    many = [f"Something long number {number} of them" for number in range(9)]
    draft["focal_decision"] |= {"in_scope": many, "out_of_scope": many}
    (line,) = told()
    assert len(line) <= LINE
    assert line.count("more") == 2
    draft["focal_decision"]["in_scope"] = ["All fresh food"]
    assert told()[0].startswith("In: All fresh food · Out: Something long number 0 of them; Something long number 1")


def test_only_the_frame_knows_a_deadline() -> None:
    found = {key: read_deadline(PLAYBOOK[key], example(key)) for key in KEYS}
    assert {key: due for key, due in found.items() if due} == {"problem_frame": "2026-12-18"}
    assert read_deadline(PLAYBOOK["problem_frame"], minimal("problem_frame")) == ""


# --- objectives


@pytest.mark.req("S0-124")
def test_objectives_are_a_tree_with_measures_in_words_and_means_below_what_they_serve() -> None:
    (tree,) = laid("objectives", example("objectives")).sections
    assert isinstance(tree, Listing)
    assert {item.handle: [means.handle for means in item.inner] for item in tree.items} == {
        "O1": ["M1", "M3"], "O2": ["M2"], "O3": ["M3"], "O4": ["M1"], "O5": [], "O6": [],
    }  # fmt: skip
    told = [*lines(tree)]
    at = told.index("O3 Keep extra cost low")
    assert told[at : at + 4] == [
        "O3 Keep extra cost low",
        "  Extra cost per year against today (kEUR/year), less is better · now 0",
        "  M3 Close simple cases without…",
        "    Also serves O1 Solve urgent off-hours…",
    ]
    assert (
        "  Expected breaches per year (breaches/year), the nearer to the target the better · now 0 · target 0" in told
    )


def objectives(**changed: Any) -> dict[str, Any]:
    """One objective with these fields, and no means."""
    return {"fundamental_objectives": [{"handle": "O1", "description": "Help fast", **changed}], "means_objectives": []}


def test_a_measure_reads_as_people_would_say_it() -> None:
    measure = {"metric": "Hours", "direction": "minimize", "units": "hours", "baseline": 18, "target": "4"}
    measure |= {"kind": "proxy", "scale_levels": ["under 4", "over 4"]}
    told = wall(laid("objectives", objectives(performance_measure=measure, weight=1, party="P5")))
    assert "  Hours, less is better · now 18 · target 4 · stands in for it\n" in told
    assert "  Levels: under 4 · over 4\n  Weight: 100 %\n  Matters to P5 Support agents" in told
    told = wall(laid("objectives", objectives(performance_measure={**measure, "target": "at most 4"})))
    assert "  Hours, less is better · now 18 · at most 4 · stands in for it\n" in told, "a limit is no target"


@pytest.mark.req("FA-03")
def test_a_measure_of_which_nobody_said_which_way_is_better_shows_it_as_open_and_asks() -> None:
    draft = objectives(performance_measure={"metric": "Rooms", "baseline": 3})
    judged = accepted("objectives", draft)
    assert judged.missing == ()
    assert "O1 “Help fast” is measured by “Rooms”. Is more of it better, or less?" in [
        each.text for each in judged.remarks
    ]
    shown = laid("objectives", draft)
    assert "  Rooms, which way is better: not said yet · now 3" in wall(shown).splitlines()
    assert shown.essence == ("O1 Help fast (Rooms · now 3 · which way is better: not said yet)",)
    draft["fundamental_objectives"][0]["performance_measure"]["direction"] = "maximize"
    assert "not said" not in wall(laid("objectives", draft)) + "".join(laid("objectives", draft).essence)
    assert not [each for each in accepted("objectives", draft).remarks if "measured by" in each.text]


def test_an_objective_without_a_measure_is_a_gap() -> None:
    assert "O1 Help fast [gap]\n  No measure yet." in wall(laid("objectives", objectives()))


def test_means_in_a_circle_and_means_that_serve_nothing_are_told() -> None:
    draft = objectives()
    draft["means_objectives"] = [
        {"handle": "M1", "description": "Happy team", "supports": ["O1"], "via": ["M2"]},
        {"handle": "M2", "description": "Low turnover", "supports": ["O1"], "via": ["M1"]},
        {"handle": "M3", "description": "Fresh fruit", "supports": []},
    ]
    shown = build_sheet(PLAYBOOK["objectives"], draft, before("objectives"))
    assert "  M1 Happy team\n    By way of M2 Low turnover" in wall(shown)
    assert titled(shown, "Means that serve each other").startswith("M1 Happy team and M2 Low turnover: this goes round")
    assert titled(shown, "Means that serve nothing yet") == "M3 Fresh fruit [gap]"


# --- alternatives


@pytest.mark.req("FA-16")
def test_somebody_who_decides_is_not_named_as_one_who_approves_too_and_a_scope_stands_once() -> None:
    draft = example("problem_frame")
    draft["decision_maker"] = {"name": "Maya and Priya", "role": "Heads", "authority": "needs_approval"}
    priya = {"handle": "P1", "name": "Priya", "role": "decision_maker"}
    draft["parties"] = [priya, {"handle": "P2", "name": "The board", "influence": "signs off"}]
    assert describe_decider(draft)[1].startswith("Maya and Priya (decide, and The board approves)")
    draft["parties"] += [{"handle": "P3", "name": "May", "role": "decision_maker"}]
    assert "and The board and May approve" in describe_decider(draft)[1], "a part of a name is another person"
    draft["focal_decision"] |= {"scope": "Pumps", "in_scope": ["Pumps"]}
    assert "Scope: Pumps" not in wall(laid("problem_frame", draft))
    draft["focal_decision"]["scope"] = "Pumps of all wards"
    assert "Scope: Pumps of all wards" in wall(laid("problem_frame", draft))


def test_who_has_the_last_word_is_named_where_people_said_who_approves_or_decides() -> None:
    draft: dict[str, Any] = minimal("problem_frame") | {
        "decision_maker": {"name": "Maya", "authority": "needs_approval"},
        "parties": [
            {"handle": "P1", "name": "Maya", "role": "decision_maker"},
            {"handle": "P2", "name": "The board", "influence": "signs the lease"},
            {"handle": "P3", "name": "Jonas", "influence": "approves the budget"},
            {"handle": "P4", "name": "The parents", "role": "affected_party"},
        ],
    }
    assert describe_decider(draft) == ("Decider", "Maya (decides, and The board approves)")
    assert "Decider: Maya · decides, and The board approves" in wall(laid("problem_frame", draft))
    draft["decision_maker"]["authority"] = "recommends"
    draft["parties"][3]["role"] = "decision_maker"
    assert describe_decider(draft)[1] == "Maya (recommends, and The parents decides)"
    draft["parties"][1]["role"] = "decision_maker"
    assert describe_decider(draft)[1] == "Maya (recommends, and The board and The parents decide)"
    draft["parties"][2]["role"] = "decision_maker"
    assert describe_decider(draft)[1] == "Maya (recommends, and The board, Jonas and The parents decide)"
    draft["parties"] = draft["parties"][:1]
    assert describe_decider(draft)[1] == "Maya (recommends, and somebody else decides)"


def test_several_deciders_decide_and_one_decides() -> None:
    draft: dict[str, Any] = {"decision_maker": {"name": "Maya, Sam and Priya", "authority": "needs_approval"}}
    draft["parties"] = [{"handle": "P1", "name": "The board", "influence": "approves"}]
    assert describe_decider(draft)[1] == "Maya, Sam and Priya (decide, and The board approves)"
    draft |= {"decision_maker": {"name": "Maya and Sam", "authority": "recommends"}, "parties": []}
    assert describe_decider(draft)[1] == "Maya and Sam (recommend, and somebody else decides)"


@pytest.mark.req("FA-13")
def test_a_card_of_issues_leaves_none_out_while_all_lists_are_short() -> None:
    draft, numbers = minimal("issue_raising"), range(1, 10)
    draft["considerations"] = [
        {"handle": f"C{n}", "text": f"The room has {n} windows to the street"} for n in numbers[:7]
    ]
    told = laid("issue_raising", draft).essence
    assert all(f"C{n} The room has {n} windows" in told[-1] for n in numbers[:7])
    draft["objectives"] = [{"handle": f"IO{n}", "description": f"Have {n} rooms for all of us"} for n in numbers]
    draft["uncertainties"] = [{"handle": f"U{n}", "description": f"Whether {n} rooms are free in May"} for n in numbers]
    many = laid("issue_raising", draft).essence
    assert sum(map(len, many)) <= 800
    assert all(line.endswith(" more") for line in many[1:])


def test_no_full_stop_stands_between_sentences_that_are_listed() -> None:
    draft = example("issue_raising")
    said = ("I want fewer injuries.", "Wait and see...", "Costs down.")
    draft["objectives"] = [{"handle": f"IO{n}", "description": each} for n, each in enumerate(said, 1)]
    (line,) = [each for each in laid("issue_raising", draft).essence if "IO1" in each]
    assert line.endswith("IO1 I want fewer injuries; IO2 Wait and see...; IO3 Costs down")
    record = before("consequences")
    assert join_words(["O1 Fewer.", "O2 More"]) == "O1 Fewer and O2 More"
    assert record.labels(("O1",)) == record.label("O1")
