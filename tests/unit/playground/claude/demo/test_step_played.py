"""What people type in a step that the rehearsal model leads: ratings, lists, commands and remarks."""

from __future__ import annotations

import json

import pytest

from app.playground.slack.values.surfaces import Json
from handlers.views.editing.window_state import WindowCommand
from tests.unit.handlers.editing.filling import opened
from tests.unit.handlers.editing.windows import chosen, sent, subject, written
from tests.unit.playground.claude.led import Led

HEARD = [
    ("A2 +1, A3 much better", {("A2", "O1"): 1, ("A3", "O1"): 2}),
    ("A2 is slightly worse and A3 the same", {("A2", "O1"): -1, ("A3", "O1"): 0}),
    ("+1 for A2 on O2 and -1 for A3", {("A2", "O2"): 1, ("A3", "O2"): -1}),
    ("all the same on O4", {(f"A{n}", "O4"): 0 for n in range(2, 7)}),
    ("O5: A2 ++, the rest worse than today", {("A2", "O5"): 2, **{(f"A{n}", "O5"): -1 for n in range(3, 7)}}),
    ("Budget call centre: −2 because it is abroad", {("A3", "O1"): -2}),
    ("I don't know", {("A2", "O1"): 0}),
    ("better", {("A2", "O1"): 1}),
    ("A2 +1 A3 +1 A4 −1", {("A2", "O1"): 1, ("A3", "O1"): 1, ("A4", "O1"): -1}),
    ("a2 and a3 +1 a4 0", {("A2", "O1"): 1, ("A3", "O1"): 1, ("A4", "O1"): 0}),
    ("A2 and A3 +1", {("A2", "O1"): 1, ("A3", "O1"): 1}),
    ("A2 -1 (45 min) A3 same", {("A2", "O1"): -1, ("A3", "O1"): 0}),
    ("A2 probably a bit better; A3 i guess +1", {("A2", "O1"): 1, ("A3", "O1"): 1}),
    ("A2 +1 & A3 +2 since the garden is 400 m² & A4 0", {("A2", "O1"): 1, ("A3", "O1"): 2, ("A4", "O1"): 0}),
]
NOT_HEARD = [
    "A2 is not better",
    "A2 better than A3",
    "A2 +3",
    "A2 +1.5",
    "A2 2 hours sooner",
    "A2 -1 to +1",
    "A9 +1",
    "A2: mch better",
    "all better except A3",
    "A2 better, the shelter same",
    "the shelter same",
    "A2 +1, RDS +1",
    "A2 +1 because A3 is -1",
]


@pytest.fixture
def talk() -> Led:
    return Led("consequences")


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(("words", "ratings"), HEARD)
def test_ratings_are_taken_as_people_write_them(talk: Led, words: str, ratings: dict[tuple[str, str], int]) -> None:
    talk.says(words)
    cells = {(each["alternative_id"], each["objective_id"]): each["rating"] for each in talk.draft["table"]["cells"]}
    assert cells == ratings


@pytest.mark.req("NC-03")
def test_the_doubt_that_the_form_for_ratings_tells_is_noted_and_no_part_of_the_reason(talk: Led) -> None:
    talk.says("A2 on O1: -1 (low doubt) – because 30k a year by the vendor's last offer")
    (cell,) = talk.draft["table"]["cells"]
    assert cell["rationale"] == "30k a year by the vendor's last offer"
    assert (cell["rating"], cell["uncertainty"]["level"]) == (-1, "low")


SENT = [
    {"A2.rating": chosen("?")},
    {"A2.rating": chosen("?"), "A2.doubt": chosen("low"), "A2.reason": written("nobody measured it;\nit may change.")},
    {"A2.rating": chosen("?"), "A3.rating": chosen("-1"), "A4.rating": chosen("1"), "A4.doubt": chosen("high")},
    {"A2.rating": chosen("-2"), "A2.reason": written("A3 is better, and A4 is worse. Drop A5! Why not?")},
]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("entered", SENT)
def test_what_was_sent_by_the_window_for_ratings_stands_as_it_was_sent_and_is_not_called_not_understood(
    talk: Led,
    entered: dict[str, Json],
) -> None:
    it = subject("consequences", {}, talk.ground)
    edit = sent(opened(it, WindowCommand.RATE, "O1:0"), it, **entered)
    talk.draft = dict(edit.draft)
    spoken = talk.says(edit.said)
    assert "It is noted as you chose it." in spoken
    assert "script and" not in spoken
    assert talk.asked.endswith("?")
    assert talk.asked not in talk.rows[0].text, "it does not ask again what has just been chosen"
    assert talk.draft == edit.draft


@pytest.mark.req("NC-03")
def test_a_rating_that_was_taken_out_in_the_window_is_not_called_not_understood(talk: Led) -> None:
    (edit, gone) = ({"A2.rating": chosen("1")}, {"A2.rating": {"selected_option": None}})
    it = subject("consequences", {}, talk.ground)
    it = subject("consequences", sent(opened(it, WindowCommand.RATE, "O1:0"), it, **edit).draft, talk.ground)
    edited = sent(opened(it, WindowCommand.RATE, "O1:0"), it, **gone)
    talk.draft = dict(edited.draft)
    spoken = talk.says(edited.said)
    assert "It is noted as you chose it." in spoken
    assert talk.draft == edited.draft


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["A2 don't know", "A2 on O1: I don't know (high doubt) – because nobody measured it"])
def test_who_types_that_a_rating_is_not_known_is_understood(talk: Led, words: str) -> None:
    assert "not known" in talk.says(words)
    (cell,) = talk.draft["table"]["cells"]
    assert (cell["alternative_id"], cell["objective_id"], cell["rating_range"]) == ("A2", "O1", {"low": -2, "high": 2})


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("amount", ["", " (30.5 kEUR/year)", " (without an amount)"])
@pytest.mark.parametrize("doubt", ["", " (low doubt)"])
def test_the_amount_that_the_form_for_ratings_tells_is_no_part_of_the_reason(
    talk: Led, amount: str, doubt: str
) -> None:
    talk.says(f"A2 on O1: −1{amount}{doubt} – because the vendor says so")
    (cell,) = talk.draft["table"]["cells"]
    assert (cell["rating"], cell["rationale"]) == (-1, "the vendor says so")


def test_what_it_notes_of_a_rating_has_the_minus_of_a_number(talk: Led) -> None:
    assert "**A2** −1, **A3** 0, **A4** +1" in talk.says("A2 -1, A3 0, A4 +1 on O1")
    assert "anything from −2 to +2" in talk.says("no clue about A5")
    assert "steps go from −2 to +2" in talk.says("A6 is great on O1")


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", NOT_HEARD)
def test_no_rating_is_made_of_words_that_give_none_and_the_way_on_is_told(talk: Led, words: str) -> None:
    spoken = talk.says(words)
    assert talk.draft == {}
    assert f"did not understand “{words}”" in spoken
    assert "*Rate…*" in spoken


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("reason", ["it saves weeks", "because it saves weeks", "I don't know"])
def test_a_rating_at_the_end_of_the_scale_is_asked_for_its_reason_until_there_is_one(talk: Led, reason: str) -> None:
    for words in ("all the same", *(f"all the same on O{n}" for n in range(2, 6))):
        talk.says(words)
    assert talk.says("A2 on O6 +2, the rest 0 on O6").endswith("A few words are enough.")
    assert "What makes A2" in talk.says("hm")
    assert not talk.is_ready
    talk.says(reason)
    assert talk.is_ready
    cells = {(each["alternative_id"], each["objective_id"]): each for each in talk.written().draft["table"]["cells"]}
    assert cells["A2", "O6"]["rationale"] in reason


@pytest.mark.req("NC-03")
def test_a_rating_without_a_reason_comes_to_a_card_that_says_so(talk: Led) -> None:
    talk.says("A2 +2")
    talk.says("nothing else")
    (cell,) = [each for each in talk.written().draft["table"]["cells"] if each["alternative_id"] == "A2"]
    assert (cell["rating"], cell["rationale"]) == (2, "No reason was given.")


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    "words", ["70 for all", "all 70", "everything 70 %", "frame 70, the rest 70", "70,70,70,70,70,70,70"]
)
def test_one_score_for_all_is_noted_for_all_seven(words: str) -> None:
    talk = Led("decision_quality")
    talk.says(words)
    assert [each["score"] for each in talk.written().draft["elements"]] == [70] * 7


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(
    "words",
    [
        "D1 is an uncertainty, not a decision.",
        "D2 D1 is an uncertainty, not a decision.",
        "D1 is uncertain",
        "Move D1 to risks!",
    ],
)
def test_an_item_is_moved_by_a_sentence_about_its_handle(words: str) -> None:
    talk = Led("issue_raising")
    talk.says("Should we rent the hall? Should we split the group?")
    talk.says(words)
    assert [each["description"] for each in talk.draft["uncertainties"]] == ["Should we rent the hall?"]
    assert [each["description"] for each in talk.draft["potential_decisions"]] == ["Should we split the group?"]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["drop O1 and O3", "O1, O3 can go", "please delete O1, and O3. Also safe at night"])
def test_several_items_are_dropped_at_once_and_what_else_was_said_is_kept(words: str) -> None:
    talk = Led("objectives")
    talk.says("fast, cheap, friendly")
    talk.says(words)
    left = ["cheap", *(["safe at night"] if "safe" in words else [])]
    assert [each["description"] for each in talk.draft["fundamental_objectives"]] == left


LISTS = [
    ("max. 45 min commute; near Oma Käthe", ["max. 45 min commute", "near Oma Käthe"]),
    ("1) quiet 2) near Königs Wusterhausen 3) dry", ["quiet", "near Königs Wusterhausen", "dry"]),
    ("rent (now 980 €, soon 1.250 €); a garden", ["rent (now 980 €, soon 1.250 €)", "a garden"]),
    ("cheap (< 400€), battery >= 10h, ~3 rooms", ["cheap (< 400€)", "battery >= 10h", "~3 rooms"]),
    ("not 2 expensive!!! (100€/mo)", ["not 2 expensive!!! (100€/mo)"]),
    ("fun for FC Grün-Weiß 04 e.V. and SV Blau", ["fun for FC Grün-Weiß 04 e.V. and SV Blau"]),
]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(("words", "wanted"), LISTS)
def test_things_are_noted_and_read_back_as_they_were_written_with_their_units_signs_and_brackets(
    words: str, wanted: list[str]
) -> None:
    talk = Led("objectives")
    spoken = talk.says(words)
    assert [each["description"] for each in talk.draft["fundamental_objectives"]] == wanted
    assert all(f"“{each}”" in spoken for each in wanted)


@pytest.mark.req("NC-03")
def test_what_was_noted_before_is_named_by_its_handle_when_it_is_said_again() -> None:
    talk = Led("alternatives")
    talk.says("rent the hall")
    assert "“rent the hall” is noted already, as A1." in talk.says("rent the hall")


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("words", ["skip", "Can we skip this one?", "pass", "next question please"])
def test_who_skips_a_question_is_told_that_it_stays_open_and_asked_the_next_one(words: str) -> None:
    talk = Led("issue_raising")
    talk.says("The vans are old.")
    asked = talk.asked
    assert "We leave that open" in talk.says(words)
    assert talk.asked != asked
    assert words not in json.dumps(talk.draft)


@pytest.mark.req("NC-03")
def test_what_is_not_known_is_an_uncertainty_even_where_a_decision_was_asked_for_and_holds_no_handle() -> None:
    talk = Led("issue_raising")
    talk.says("The vans are old.")
    assert talk.says("Nobody came today.").endswith("What would you be choosing between?")
    talk.says("D1 Honestly I also don't know if the law allows it")
    assert [each["description"] for each in talk.draft["uncertainties"]] == [
        "Honestly I also don't know if the law allows it"
    ]
    assert talk.draft["potential_decisions"] == []


@pytest.mark.req("NC-03")
@pytest.mark.parametrize("key", ["issue_raising", "objectives", "alternatives", "tradeoffs", "recommendation"])
@pytest.mark.parametrize(
    "words",
    [
        "help",
        "drop A9 and D7",
        "drop A9",
        "drop D7",
        "undo that",
        "you forgot something",
        "what do you think?",
        "Wie bitte?",
        "none of these",
        "I'm not sure, you tell me",
    ],
)
def test_no_command_becomes_an_item_and_people_read_a_way_on(key: str, words: str) -> None:
    talk = Led(key)
    spoken = talk.says(words)
    assert words.rstrip("?") not in json.dumps(talk.draft)
    assert "*Edit…*" in spoken or "“show”" in spoken or "a script only sorts your words" in spoken
    assert "names nothing" not in spoken


@pytest.mark.req("NC-03")
def test_a_card_that_lacks_something_is_not_said_to_wait_for_approval(talk: Led) -> None:
    talk.says("A2 +1 on O1")
    assert talk.written().missing
    told = talk.says("what do you think?")
    assert "still needed" in told
    assert "*Approve*" not in told
    whole = Led("decision_quality")
    whole.says("70 for all")
    assert not whole.written().missing
    assert "*Approve* takes it" in whole.says("what do you think?")


@pytest.mark.req("NC-03")
def test_what_is_said_of_the_tradeoffs_is_kept_with_all_that_was_said_before_and_only_the_new_words_are_quoted() -> (
    None
):
    talk = Led("tradeoffs")
    said = (
        "I would give up the garden for a short way",
        "Nobody wants to drive at night.",
        "We can live with the cost",
    )
    for words in said:
        assert f"“{words.removesuffix('.')}" in talk.says(words)
        assert all(f"“{each}" not in talk.rows[-1].text for each in said if each != words)
    assert talk.draft["user_understanding"] == (
        "I would give up the garden for a short way. Nobody wants to drive at night. We can live with the cost"
    )
