"""The rehearsal model in the nine steps, with the real tools: what people type is what they are asked to approve."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.call import AskPerson, ConfirmationResolved
from app.core.state.interview import Phase
from app.core.text.question_marks import asks
from app.decision.playbook.playbook import load_proact
from app.playground.claude.demo.step.notes import NOTING
from app.playground.claude.demo.step.words import items
from tests.properties import limit_examples
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import before
from tests.unit.playground.claude.led import Led

RATED = (
    "A2 +2 because they answer in two hours, A3 +1, A4 +2 because they are trained, A5 1, A6 -1",
    "O2: A2 +2 because none of us works; A3 +2 because the same; A4 +1; A5 0; A6 −2 because six shifts",
    "O3: A2 -1, A3 -1, A4 -2 because 88k, A5 0, A6 -2 because 90k",
    "A2 on O4 0, A3 on O4 -2 because of ratings of 3.2, A4 on O4 +1, A5 on O4 0, A6 on O4 0",
    "O5: A2 -1, A3 -2 because partly abroad, A4 0, A5 -1, A6 0",
    "O6: A2 0, A3 0, A4 0, A5 0, A6 0",
)
TYPED: dict[str, tuple[tuple[str, ...], Any]] = {
    "issue_raising": (
        (
            "Four families had no heat last week.",
            "Should we hire somebody or pay a partner? I want people helped fast, but I'm not sure how bad it gets.",
            "The works council has to agree.",
        ),
        {
            "potential_decisions": ["Should we hire somebody or pay a partner?"],
            "objectives": ["I want people helped fast"],
            "uncertainties": ["I'm not sure how bad it gets."],
            "considerations": ["Four families had no heat last week.", "The works council has to agree."],
        },
    ),
    "problem_frame": (
        (
            "How should we cover Friday evenings from March 2027?",
            "I decide, as head of logistics. It has to be clear by 18 December.",
            "Friday evenings in Leipzig, not the weekends. We must not spend more than 40k",
        ),
        {
            "decision_maker": {"name": "Maya Okafor", "role": "head of logistics"},
            "statement": "How should we cover Friday evenings from March 2027?",
            "deadline": "2026-12-18",
            "constraints": ["We must not spend more than 40k"],
            "scope": "Friday evenings in Leipzig, not the weekends.",
        },
    ),
    "objectives": (
        ("fast, cheap and friendly", "Nobody works more than one night a week", "That's what matters"),
        ["fast", "cheap", "friendly", "Nobody works more than one night a week", "That's what matters"],
    ),
    "alternatives": (
        ("- hire a driver\n- rent a van", "we go on as today, and two of us quit", "try one courier first"),
        ["hire a driver", "rent a van", "we go on as today, and two of us quit", "try one courier first"],
    ),
    "consequences": (RATED, {("A2", "O1"): 2, ("A6", "O2"): -2, ("A4", "O3"): -2, ("A3", "O4"): -2, ("A5", "O5"): -1}),
    "tradeoffs": (
        ("ok", "I would give up some money so that families are warm sooner.", "The rota drops out, fine by me."),
        "I would give up some money so that families are warm sooner. The rota drops out, fine by me.",
    ),
    "recommendation": (
        ("Jonas has to accept a standing cost", "The vendor's figures are untested", "Hiring takes until March"),
        ["Jonas has to accept a standing cost", "The vendor's figures are untested", "Hiring takes until March"],
    ),
    "decision_quality": (
        ("frame 80, objectives 70 because few, alternatives 60", "information 40, reasoning 85, tradeoffs 75", "70"),
        [80, 70, 60, 40, 85, 75, 70],
    ),
    "notes_next_steps": (
        ("Maya will call the vendor by 2026-12-01.", "We lean towards A4. Does it count?", "Reopen it if all refuse."),
        {"action": "Maya will call the vendor by 2026-12-01.", "owner": "Maya", "due_date": "2026-12-01"},
    ),
}


ANSWERS = ("problem_frame", "alternatives", "consequences", "decision_quality")
"""Steps in which some of what was typed means something only beside the question that it answers, or beside a clock."""


def words_of(items: list[dict[str, Any]]) -> list[str]:
    return [each["description"] if "description" in each else each["text"] for each in items]


def in_frame(draft: dict[str, Any]) -> dict[str, Any]:
    focal = draft["focal_decision"]
    named = {name: focal[name] for name in ("statement", "deadline", "constraints", "scope")}
    return {"decision_maker": draft["decision_maker"], **named}


def ratings(draft: dict[str, Any]) -> dict[tuple[str, str], int]:
    cells = {(each["alternative_id"], each["objective_id"]): each["rating"] for each in draft["table"]["cells"]}
    return {at: cells[at] for at in TYPED["consequences"][1]}


FOUND: dict[str, Callable[[dict[str, Any]], Any]] = {
    "issue_raising": lambda draft: {name: words_of(draft[name]) for name in TYPED["issue_raising"][1]},
    "problem_frame": in_frame,
    "objectives": lambda draft: words_of(draft["fundamental_objectives"]),
    "alternatives": lambda draft: words_of(draft["alternatives"]),
    "consequences": ratings,
    "tradeoffs": lambda draft: draft["user_understanding"],
    "recommendation": lambda draft: draft["key_considerations"],
    "decision_quality": lambda draft: [each["score"] for each in draft["elements"]],
    "notes_next_steps": lambda draft: {
        name: draft["planned_actions"][0][name] for name in ("action", "owner", "due_date")
    },
}
"""Of a draft what people typed, in the form of `TYPED`."""


def led(key: str) -> Led:
    """A step in which all of it was typed; the model has ended the talk by itself."""
    return _lead(key).copied()


@cache
def _lead(key: str) -> Led:
    talk = Led(key)
    for words in TYPED[key][0]:
        assert not talk.is_ready, f"ended before {words!r}"
        talk.says(words)
    assert talk.failures == []
    assert talk.is_ready, talk.rows[-1].text
    return talk


@pytest.fixture
def talk() -> Led:
    return Led("issue_raising")


def test_it_knows_each_step_of_the_decision_by_its_title() -> None:
    assert list(NOTING) == [component.title for component in load_proact().components]


@pytest.mark.parametrize("key", TYPED)
def test_what_people_type_is_in_the_result_that_they_are_asked_to_approve(key: str) -> None:
    written = led(key).written()
    assert FOUND[key](written.draft) == TYPED[key][1]
    assert written.missing == ()


@pytest.mark.parametrize("key", [key for key in TYPED if key not in ANSWERS])
def test_a_step_that_is_drafted_from_a_thread_holds_the_same_words(key: str) -> None:
    talk = led(key)
    talk.draft = {}
    assert FOUND[key](talk.written().draft) == TYPED[key][1]


@pytest.mark.parametrize("key", TYPED)
def test_each_turn_asks_one_question_and_none_twice_until_it_ends_the_talk(key: str) -> None:
    talk = Led(key)
    asked: list[str] = []
    for words in TYPED[key][0]:
        spoken = talk.says(words)
        if not talk.is_ready:
            assert asks(spoken), "without a question at its end the app would write the result by itself"
            asked.append(spoken.rpartition("\n")[2])
        assert not any(isinstance(call, AskPerson) for call in talk.calls)
    assert len(set(asked)) == len(asked)


def test_it_does_not_note_a_greeting_and_asks_again_what_the_step_began_with(talk: Led) -> None:
    assert talk.says("Hello!").endswith("What situation are you thinking about?")
    assert talk.draft == {}


def test_the_answer_to_what_would_be_chosen_is_a_decision_in_any_words(talk: Led) -> None:
    talk.says("Four families had no heat.")
    talk.says("The vans are old.")
    assert talk.rows[-1].text.endswith("What would you be choosing between?")
    talk.says("New vans against repairs")
    assert talk.draft["potential_decisions"][0]["description"] == "New vans against repairs"


def test_the_button_that_asks_for_changes_is_not_noted_and_is_answered_by_a_question(talk: Led) -> None:
    talk.says("We could repair the press or lease one.")
    noted = talk.draft
    assert talk.says("Request changes").endswith("What should be different?")
    assert talk.draft == noted


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("step", TYPED)
def test_what_it_offers_to_type_belongs_to_the_step_and_is_understood_there(step: str) -> None:
    talk = led(step)
    ways = re.findall(r"“([^”]+)”", talk.says("Request changes"))
    assert ways
    for way in ways:
        said = talk.says(way.replace("…", "a longer lease"))
        assert "did not understand" not in said, way
        assert "could not do that" not in said, way


def test_a_question_of_the_owner_is_not_noted_and_ends_nothing(talk: Led) -> None:
    for words in TYPED["issue_raising"][0][:2]:
        talk.says(words)
    before_ = dict(talk.draft)
    assert "I won't judge it" in talk.says("What do you think?")
    assert (talk.draft, talk.is_ready) == (before_, False)


@pytest.mark.parametrize("words", ["That's all.", "nothing else, thanks", "I'm done"])
def test_it_ends_the_talk_when_people_say_that_this_was_all(talk: Led, words: str) -> None:
    talk.says("Four families had no heat.")
    talk.says(words)
    assert talk.is_ready


def test_a_decision_of_the_first_step_is_taken_by_its_handle_or_its_words() -> None:
    for words in ("D2", "the paid plan, please"):
        talk = Led("problem_frame")
        talk.says(words)
        focal = talk.draft["focal_decision"]
        assert (focal["statement"], focal["source_decision_id"]) == ("Whether to sell a paid 24/7 service plan", "D2")


def test_a_standout_is_only_what_was_computed() -> None:
    written = led("recommendation").written()
    assert written.draft["standout_option"]["alternative_id"] == "A4"
    assert "Against A4 Three part-time weekend agents: it is" in written.draft["standout_option"]["rationale"]
    tie = before("recommendation")
    results = {key: draft for key, draft in tie.results.items() if key != "consequences"}
    alone = Led("recommendation", so_far=type(tie)(results, tie.today))
    alone.says("Jonas has to accept it")
    assert "standout_option" not in alone.draft


@pytest.mark.parametrize(
    ("words", "item", "list_", "said"),
    [
        ("move D1 to uncertainties", "U2", "uncertainties", "Should we hire somebody or pay a partner?"),
        ("c2 is an objective", "IO2", "objectives", "The works council has to agree."),
        ("change D1 to: Who covers the nights?", "D1", "potential_decisions", "Who covers the nights?"),
        ("D1 is wrong, it's how to pay for nights", "D1", "potential_decisions", "how to pay for nights"),
        ("I also fear the cold, and I don't know the price", "U2", "uncertainties", "I also fear the cold"),
    ],
)
def test_a_change_that_is_asked_for_is_made_and_written_again(words: str, item: str, list_: str, said: str) -> None:
    talk = led("issue_raising")
    talk.written()
    talk.says(words)
    assert ConfirmationResolved(approved=False) in talk.calls
    assert talk.failures == []
    held = {each["handle"]: each for each in talk.written().draft[list_]}
    assert held[item].get("description", held[item].get("text")) == said


@pytest.mark.req("NC-03")
def test_what_was_written_twice_for_a_draft_is_in_it_once(talk: Led) -> None:
    typed = said(3, "We want fresh bread by six. We want fresh bread by six. I'm not sure how long the old oven lasts.")
    talk.rows += [typed, replace(typed, seq=4)]
    draft = talk.written().draft
    assert [each["description"] for each in draft["objectives"]] == ["We want fresh bread by six."]
    assert len(draft["uncertainties"]) == 1


def test_an_item_is_dropped_by_its_handle() -> None:
    talk = led("issue_raising")
    talk.written()
    talk.says("please drop C1")
    assert [each["handle"] for each in talk.written().draft["considerations"]] == ["C2"]


def test_a_question_that_is_still_needed_is_noted_and_the_draft_written_again(talk: Led) -> None:
    talk.says("Four families had no heat.")
    talk.written()
    assert "I won't judge it" in talk.says("Is it worth a lot of money?")
    talk.says("Should we change the vans, repair them or do without?")
    assert ConfirmationResolved(approved=False) in talk.calls
    (noted,) = talk.written().draft["potential_decisions"]
    assert noted["description"] == "Should we change the vans, repair them or do without?"
    assert "I won't judge it" in talk.says("Should we also paint them?")


@pytest.mark.parametrize("words", ["yes", "Looks good!", "approved", "That's right."])
def test_an_approval_in_words_is_taken_for_one(words: str) -> None:
    talk = led("issue_raising")
    talk.written()
    talk.says(words)
    assert talk.calls == (ConfirmationResolved(approved=True),)


@pytest.mark.parametrize("words", ["looks good, but D1 is missing something", "Is that right?", "that's all", "thanks"])
def test_nothing_else_is_taken_for_an_approval(words: str) -> None:
    talk = led("issue_raising")
    talk.written()
    talk.says(words)
    assert ConfirmationResolved(approved=True) not in talk.calls


def test_what_is_wrong_without_a_handle_is_asked_for() -> None:
    talk = led("issue_raising")
    talk.written()
    assert talk.says("No, that is wrong").endswith("Which item is it, and what shall it be?")
    assert talk.phase is Phase.GATHER


@limit_examples(40)
@given(st.sampled_from(sorted(TYPED)), st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=4))
def test_whatever_is_typed_no_tool_is_called_in_a_form_that_it_cannot_read(key: str, lines: list[str]) -> None:
    talk = Led(key)
    for words in lines:
        if talk.is_ready:
            break
        talk.says(words)
    assert not [told for told in talk.failures if "stands there already" not in told]


@pytest.mark.req("NC-03")
def test_words_after_a_comma_that_only_go_on_are_no_item_of_their_own() -> None:
    assert items("We stay here and make day trips, as we do today") == [
        "We stay here and make day trips, as we do today"
    ]
    assert items("bus, train, and bike") == ["bus", "train", "bike"]
