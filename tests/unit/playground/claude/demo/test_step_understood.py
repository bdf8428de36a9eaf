"""What people type in a step, and what the rehearsal model takes it for: no word is lost, none is invented."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.core.state.interview import Phase
from app.playground.claude.demo.step.notes import CHOOSING
from app.playground.claude.demo.step.people import decider, doer
from app.playground.claude.demo.step.words import clauses, is_chat, items, was_all
from tests.unit.decision.components.worked import before
from tests.unit.playground.claude.led import OWNER, Led


@pytest.fixture
def talk() -> Led:
    return Led("problem_frame")


@pytest.mark.req("FA-03", "NC-03")
@pytest.mark.parametrize(
    ("words", "name", "role"),
    [
        ("I do", OWNER, None),
        ("Yes, and I decide", OWNER, None),
        ("It's me", OWNER, None),
        ("just me", OWNER, None),
        ("I do, team lead", OWNER, "team lead"),
        ("I'm the one who decides, as head of HR", OWNER, "head of HR"),
        ("My wife and I", f"My wife and {OWNER}", None),
        ("Me and Tom", f"{OWNER} and Tom", None),
        ("we all decide together", f"{OWNER} and others", None),
        ("We, the parents of 4b", f"{OWNER} and others", "parents of 4b"),
        ("Tom Reed decides", "Tom Reed", None),
        ("Sam makes that decision", "Sam", None),
        ("Ada Lind, head of the board", "Ada Lind", "head of the board"),
        ("That's up to the committee", "the committee", None),
    ],
)
def test_who_speaks_of_themselves_is_called_by_their_name_and_a_role_is_only_what_was_said(
    words: str, name: str, role: str | None
) -> None:
    assert decider(words, OWNER).fields == {"name": name, "role": role}


@pytest.mark.req("NC-03")
def test_words_beside_who_decides_are_its_rule_or_are_told_as_not_understood() -> None:
    assert decider("Our team, by majority vote", OWNER).fields["decision_rule"] == "by majority vote"
    assert decider("Me, since I pay for it", OWNER).left == "since I pay for it"


@pytest.mark.req("NC-03")
def test_a_name_that_is_not_known_is_none_of_a_persons_own_words() -> None:
    assert decider("I do", "").fields["name"] == "The owner of this decision"


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("I will call them", OWNER),
        ("We'll ask", f"{OWNER} and others"),
        ("Jo Kim calls the agent by 5 May", "Jo Kim"),
        ("The rent will rise", ""),
        ("It will be late", ""),
        ("Somebody will go", ""),
        ("Tomorrow I will call", ""),
    ],
)
def test_a_next_step_belongs_to_whom_it_names_and_to_nobody_else(words: str, who: str) -> None:
    assert doer(words, OWNER) == who


@pytest.mark.req("NC-03")
def test_i_is_the_person_who_wrote_it_and_not_the_owner_of_the_thread(talk: Led) -> None:
    talk.says("D2")
    talk.says('<message from="Sam" user="U2">I do</message>')
    assert talk.draft["decision_maker"]["name"] == "Sam"


@pytest.mark.req("NC-03")
def test_what_is_noted_of_the_frame_is_read_back_in_plain_words(talk: Led) -> None:
    told = "\n".join(map(talk.says, ("D2", "I do", "by 1 June 2027", "only Graz; the back office stays")))
    for words in (
        f"- who decides: “{OWNER}”",
        "- to be decided by 1 June 2027",
        "- what is part of it, and what is not: “only Graz; the back office stays”",
    ):
        assert words in told
    for inside in ("in the role", "due on", "2027-06-01"):
        assert inside not in told
    assert "who decides: “Ada Lind, head of the board”" in talk.says("Ada Lind decides, head of the board")


@pytest.mark.req("FA-03")
def test_whoever_decides_instead_of_somebody_else_does_not_get_their_role(talk: Led) -> None:
    for words in ("D2", "Ada Lind decides, head of the board"):
        talk.says(words)
    assert talk.draft["decision_maker"]["role"] == "head of the board"
    assert "who decides: “Tom Reed”" in talk.says("Tom Reed decides")
    assert talk.draft["decision_maker"] == {"name": "Tom Reed"}
    assert not talk.failures


@pytest.mark.req("NC-03")
def test_what_is_still_needed_is_asked_again_before_anything_else(talk: Led) -> None:
    for words in ("D2", "I do", "by 1 June 2027"):
        talk.says(words)
    assert talk.asked == "Once more, please. What is part of it, and what is not?"
    talk.says("I don't know")
    assert talk.asked == "Which limits are fixed, and who set them?"
    talk.says("no more than 40k")
    assert "What is part of it" in talk.asked


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ("by Friday", {}),
        ("1 March 2027", {"deadline": "2027-03-01"}),
        ("before 15 January", {"deadline": "2027-01-15"}),
    ],
)
def test_a_time_is_no_person_and_one_without_a_day_is_asked_for(talk: Led, words: str, noted: dict[str, str]) -> None:
    talk.says("D2")
    assert talk.asked.startswith("Who makes")
    said = talk.says(words)
    assert "decision_maker" not in talk.draft
    assert {name: talk.draft["focal_decision"].get(name) for name in noted} == noted
    assert ("need the day itself" in said) == (not noted)


@pytest.mark.req("NC-03")
def test_who_decides_and_by_when_may_be_said_at_once_and_corrected_later(talk: Led) -> None:
    talk.says("D2")
    talk.says("My boss decides, I only prepare it")
    assert "scope" not in talk.draft["focal_decision"], "it is not what was asked for"
    talk.says("I decide, by 15 March 2027")
    assert talk.draft["decision_maker"]["name"] == OWNER
    assert talk.draft["focal_decision"]["deadline"] == "2027-03-15"


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["Just the office, not the warehouse", "the warehouse is not part of it"])
def test_what_is_in_and_out_is_nobody_who_decides_though_that_was_asked(talk: Led, words: str) -> None:
    talk.says("D2")
    assert talk.asked.startswith("Who makes")
    said = talk.says(words)
    assert "decision_maker" not in talk.draft
    assert talk.draft["focal_decision"]["scope"].startswith(words.partition(",")[0])
    assert "did not understand" not in said


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["50k tops", "up to 50k"])
def test_a_most_is_a_limit_whatever_was_asked(talk: Led, words: str) -> None:
    for each in ("D2", "I do"):
        talk.says(each)
    assert "part of it" in talk.asked
    talk.says(words)
    assert talk.draft["focal_decision"]["constraints"] == [words]
    assert "scope" not in talk.draft["focal_decision"]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "decision"),
    [
        ("yes, the question above", "Should we move the office?"),
        ("That's what I asked", "Should we move the office?"),
        ("that one", "Should we move the office?"),
        ("as I said, whether to move the office", "whether to move the office"),
    ],
)
def test_the_question_that_a_decision_began_with_is_one_to_point_back_to(words: str, decision: str) -> None:
    talk = Led("issue_raising", replace(before("issue_raising"), question="Should we move the office?"))
    for each in ("The rent goes up.", "Everybody grumbles."):
        talk.says(each)
    assert talk.asked == CHOOSING
    talk.says(words)
    assert [each["description"] for each in talk.draft["potential_decisions"]] == [decision]
    assert not talk.failures


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(("words", "limits"), [("none", []), ("no limits", []), ("40k, said the board", 1)])
def test_what_answers_the_question_for_limits_is_a_limit_unless_there_is_none(
    talk: Led, words: str, limits: object
) -> None:
    for each in ("D2", "I do", "I don't know"):
        talk.says(each)
    assert talk.asked.startswith("Which limits")
    talk.says(words)
    assert len(talk.draft["focal_decision"].get("constraints", [])) == (limits or 0)


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "handle"), [("the second one", "D2"), ("first", "D1"), ("the last one, please", "D3")]
)
def test_a_decision_is_named_by_its_place_in_the_list(talk: Led, words: str, handle: str) -> None:
    talk.says(words)
    assert talk.draft["focal_decision"]["source_decision_id"] == handle


@pytest.mark.req("NC-03")
def test_a_place_that_is_not_in_the_list_is_no_question_to_decide(talk: Led) -> None:
    talk.says("the fourth one")
    assert "focal_decision" not in talk.draft


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    "words",
    ["costs no more than today", "nothing else matters", "we want no more noise", "I'm ready to pay more"],
)
def test_a_wish_that_sounds_like_an_end_is_kept_and_ends_nothing(words: str) -> None:
    assert not was_all(words)
    assert not is_chat(words)
    talk = Led("objectives")
    talk.says(words)
    assert words in json.dumps(talk.draft)
    assert not talk.is_ready


@pytest.mark.parametrize(
    "words", ["no more ideas", "I have nothing else to add", "nope, no more options", "we are done"]
)
def test_an_end_in_other_words_is_one(words: str) -> None:
    assert was_all(words)


@pytest.mark.req("NC-03")
def test_a_list_with_numbers_on_one_line_is_divided_at_them() -> None:
    wanted = ["rotate by a list", "20 € extra per shift", "close on Sunday"]
    assert items("1. rotate by a list 2. 20 € extra per shift 3. close on Sunday") == wanted
    assert items("We pay 3. It hurts.") == ["We pay 3", "It hurts"]


@pytest.mark.req("NC-03")
def test_a_question_is_no_option_and_what_happens_if_nobody_decides_is_one() -> None:
    talk = Led("alternatives")
    talk.says("promote Ben, hire somebody")
    assert talk.asked == "What happens if nobody decides?"
    talk.says("Hmm, what else could there be?")
    assert talk.asked == "Once more, please. What happens if nobody decides?"
    talk.says("I don't know")
    talk.says("if nobody decides, the phone just rings")
    options = {each["name"]: each.get("is_status_quo", False) for each in talk.draft["alternatives"]}
    assert options == {"promote Ben": False, "hire somebody": False, "if nobody decides, the phone just rings": True}


@pytest.mark.req("NC-03")
def test_what_nobody_knows_is_no_decision_though_one_was_asked_for() -> None:
    talk = Led("issue_raising")
    talk.says("Rosa leaves in January.")
    talk.says("She has run the desk for nine years.")
    assert talk.asked == "What would you be choosing between?"
    talk.says("no clue what an agency costs")
    assert "potential_decisions" not in talk.draft or not talk.draft["potential_decisions"]
    talk.says("we could promote Ben, or hire from outside, or use an agency")
    assert len(talk.draft["potential_decisions"]) == 1


@pytest.mark.req("NC-03")
def test_praise_is_no_rating_and_lends_none_to_the_next_option() -> None:
    talk = Led("consequences")
    assert "“A2 is great on O1”" in talk.says("A2 is great on O1, A3 a bit better")
    cells = {each["alternative_id"]: each["rating"] for each in talk.draft["table"]["cells"]}
    assert cells == {"A3": 1}
    talk.says("no clue")
    assert {each["alternative_id"] for each in talk.draft["table"]["cells"]} == {f"A{n}" for n in range(2, 7)}


@pytest.mark.req("NC-03")
def test_the_reason_that_is_asked_for_leaves_the_rating_as_it_was() -> None:
    talk = Led("consequences")
    for words in ("all 0", *(f"all 0 on O{n}" for n in range(2, 6)), "A2 +2, A3 -2, the rest 0"):
        talk.says(words)
    asked = set[str]()
    for words in ("they are near", "they are rude"):
        asked.add(talk.asked)
        talk.says(words)
    assert {("A2" in each, "better" in each) for each in asked} == {(True, True), (False, False)}
    cells = {(each["alternative_id"], each["objective_id"]): each for each in talk.draft["table"]["cells"]}
    assert [cells[option, "O6"]["rating"] for option in ("A2", "A3")] == [2, -2]
    assert cells["A3", "O6"]["rationale"] == "they are rude"


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("make O2 read: thrifty", "**O2** is “thrifty”"),
        ("drop O2", "**O2** is taken out"),
        ("O2 helps O1", "**O2** is noted as **M1**: a way to **O1**"),
    ],
)
def test_a_change_is_read_back_as_what_it_has_done(words: str, told: str) -> None:
    talk = Led("objectives")
    talk.says("fast, cheap, friendly")
    assert f"- {told}" in talk.says(words)


@pytest.mark.req("NC-03")
def test_an_order_about_a_draft_for_an_item_that_is_not_there_is_not_said_to_be_done() -> None:
    talk = Led("objectives")
    for words in ("fast, cheap, friendly", "drop O3", "done"):
        talk.says(words)
    written = talk.written()
    for item in ("O5", "O3"):
        assert f"There is no {item} in this step" in talk.says(f"drop {item}")
        assert talk.calls == ()
    assert talk.draft == written.draft


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["what is an uncertainty?", "What does “objective” mean here?", "what's a measure"])
def test_a_question_about_the_words_of_the_method_is_no_item(words: str) -> None:
    issues = Led("issue_raising")
    assert "script" in issues.says(words)
    assert issues.draft == {}


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    "words",
    ["We would choose between moving, staying, and renewing for one year", "We move, stay, and rent a second one"],
)
def test_the_last_part_of_a_list_stays_in_its_sentence(words: str) -> None:
    assert clauses(words) == [words]


@pytest.mark.req("NC-03")
def test_words_after_done_are_heard_on_the_card() -> None:
    led = Led(
        "issue_raising", phase=Phase.CONFIRM, draft={"uncertainties": [{"handle": "U1", "description": "the rent"}]}
    )
    led.says("Done\ndrop U1")
    assert led.draft["uncertainties"] == []


@pytest.mark.req("NC-03")
def test_a_decision_put_in_words_of_ones_own_is_not_replaced_by_the_one_that_was_named_before(talk: Led) -> None:
    own = "Evening cover or weekend cover for urgent requests from March on"
    talk.says(own)
    assert talk.draft["focal_decision"]["statement"] == own


@pytest.mark.req("NC-03")
def test_a_day_that_has_passed_holds_up_no_step_and_is_said_to_be_left_out() -> None:
    talk = Led("notes_next_steps")
    said = talk.says("I will call them by 2026-10-01.")
    assert "I will call them by 2026-10-01.”, without its day, which has passed" in said
    talk.says("Ada asks for an offer by 1 December")
    assert [each.get("due_date") for each in talk.draft["planned_actions"]] == [None, "2026-12-01"]
    for words in ("Reopen it if the price doubles", "done"):
        talk.says(words)
    assert (talk.is_ready, talk.failures) == (True, [])
