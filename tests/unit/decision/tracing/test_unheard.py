"""People are asked about somebody of whose words a draft has nothing, and about an amount that is another option's."""

from __future__ import annotations

from datetime import date

import pytest

from app.core.conversation.conversation import Message, Role
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from app.decision.tracing.message_uses import find_misplaced, find_unheard
from app.decision.tracing.said import Statement

SAID = "I disagree with the part-timers: two of the three would come from my team, and I was not asked."
ASKED = "Sam wrote in this thread. Does any of it belong in here?"


def wrote(text: str, name: str = "Sam", ts: str = "2.1") -> Message:
    return Message(seq=1, role=Role.PERSON, text=text, author="U2", author_name=name, ts=ts)


def asked(notes: list[str], *rows: Message) -> list[str]:
    return [each.text for each in find_unheard({"notes": notes}, rows)]


@pytest.mark.parametrize(
    ("notes", "questions"),
    [
        ([], [ASKED]),
        (["Ask Jonas on Monday about the works council"], [ASKED]),
        (["Two would come from a team that was not asked"], []),
        (["Sam is against it"], []),
    ],
)
def test_a_draft_without_words_or_name_of_somebody_who_wrote_is_asked_about(
    notes: list[str], questions: list[str]
) -> None:
    assert asked(notes, wrote(SAID)) == questions


def test_a_greeting_is_not_asked_about_and_all_messages_of_one_person_count_together() -> None:
    assert asked([], wrote("Good morning, all!")) == []
    assert (
        asked(["The new heater fails in frost"], wrote("Hello there, everybody"), wrote("The heater fails in frost"))
        == []
    )
    assert asked([], wrote(SAID, name="")) == [ASKED.replace("Sam", "Somebody")]


def test_several_people_are_asked_about_in_one_sentence_and_each_once() -> None:
    both = [wrote("Red lorries arrive late"), wrote("Blue bicycles break daily", "Ana", "2.2")]
    (one,) = find_unheard({}, both)
    assert one.text == ASKED.replace("Sam", "Sam and Ana")
    (anew,) = find_unheard({}, [*both, wrote("And two vans are broken", ts="3.1")], one.topics)
    assert anew.text == ASKED
    assert not [*find_unheard({}, both, one.topics)]


def test_the_question_is_asked_anew_only_after_another_message() -> None:
    first, again, later = (
        next(find_unheard({}, [wrote(SAID), *more])) for more in ([], [], [wrote("And I still disagree.", ts="3.1")])
    )
    assert first.topics == again.topics != later.topics
    assert not first.blocking


def test_whose_words_an_item_quotes_was_heard_however_it_is_put() -> None:
    evidence = [{"quote": "I was not asked", "message_id": "2.1"}]
    draft = {"objectives": [{"handle": "O1", "description": "Keep everybody on board", "evidence": evidence}]}
    assert [*find_unheard(draft, [wrote(SAID)])] == []
    assert [each.text for each in find_unheard(draft, [wrote(SAID, ts="3.1")])] == [ASKED], "another message is quoted"


def test_german_words_that_say_nothing_are_no_part_of_what_somebody_said() -> None:
    said = wrote("Nein, das bekommt von mir eine 3. Die Proben waren flau. Das ist für mich auch nach wie vor die -1.")
    assert asked(["Die Proben waren flau"], said) == []
    assert asked(["Das ist nicht für mich, das ist von uns, die wir auch noch da sind"], said) == [ASKED]


def test_somebody_whose_figures_the_draft_has_is_not_asked_about() -> None:
    said = "From our trial: Halden 45, Corvane 38, Pulsera 27 and Brightwell 93"
    assert asked(["Scores of 45, 38 and 27"], wrote(said)) == []
    assert asked(["Scores of 45"], wrote(said)) == [ASKED]
    assert asked(["45 pumps"], wrote("Halden promised 45 of these devices, Corvane nothing")) == [ASKED], (
        "one is chance"
    )


PUMPS = ("A1 Meridian", "A2 Halden", "A3 Corvane", "A4 Pulsera")
ALARMS = "False alarms: Halden 9%, Corvane 10%, Pulsera 9%; ours are 18%."


def misplaced(amounts: dict[str, float], *said: str, unit: str = "% of all alarms") -> list[str]:
    """What is asked about these amounts of options on O6, once people have said this."""
    options = [dict(zip(("handle", "name"), each.split(), strict=True)) for each in PUMPS]
    results: dict[str, Draft] = {
        "objectives": {"fundamental_objectives": [{"handle": "O6", "description": "Few alarms"}]},
        "alternatives": {"alternatives": options, "status_quo_id": "A1"},
    }
    place = {"objective_id": "O6", "rating": 1, "quant_unit": unit}
    cells = [{**place, "alternative_id": option, "quant_value": amount} for option, amount in amounts.items()]
    so_far = DecisionRecord(results, date(2026, 11, 28))
    unrated = {"alternative_id": "A1", "objective_id": "O6", "rating": 0}
    found = find_misplaced({"table": {"cells": [*cells, unrated]}}, map(Statement, said), so_far)
    return [each.text for each in found]


@pytest.mark.req("FA-14")
def test_an_amount_that_people_said_of_others_beside_that_of_the_option_is_asked_about() -> None:
    right = {"A1": 18.0, "A2": 9.0, "A3": 10.0, "A4": 9.0}
    assert misplaced(right, ALARMS) == []
    asked_now = (
        "A3 Corvane on O6 Few alarms has 9 % of all alarms. People said 10% of it, and 9 % of all alarms of A2 Halden "
        "and A4 Pulsera. Which holds?"
    )
    assert misplaced({**right, "A3": 9.0}, ALARMS) == [asked_now]
    swapped = "Roll-out: A2 14 weeks, A3 16 weeks"
    assert len(misplaced({"A2": 16.0, "A3": 14.0}, swapped, unit="weeks")) == 2


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "said",
    [
        (ALARMS, "Corvane has 9% in the new offer."),
        (ALARMS, "It is 9% for all of them."),
        ("Corvane 10% of pumps.", "Halden has 9% false alarms."),
        ("Corvane 10 weeks, Halden 9%",),
        ("Halden 9%",),
        (),
    ],
)
def test_an_amount_that_may_have_been_said_of_the_option_is_not_asked_about(said: tuple[str, ...]) -> None:
    assert misplaced({"A3": 9.0}, *said) == []


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [
        ("Halden 8 weeks, Corvane 6 weeks plus 2 for customs", False),
        ("Halden 8 weeks, Corvane 5 + 3 weeks", False),
        ("Halden 8 weeks, Corvane 6 weeks", True),
    ],
)
def test_an_amount_that_may_be_the_sum_of_what_was_said_of_the_option_is_not_asked_about(
    said: str, is_asked: bool
) -> None:
    assert bool(misplaced({"A3": 8.0}, said, unit="weeks")) is is_asked


def test_an_amount_that_is_no_figure_is_not_asked_about() -> None:
    assert misplaced({"A3": 1e18}, ALARMS) == []
