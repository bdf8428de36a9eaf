"""A team that writes German gets the same sums, limits and marks as one that writes English."""

from __future__ import annotations

from typing import Any

import pytest

from app.agent.tools.interview.reply_figures import find_unsaid_in_reply
from app.decision.analysis.amounts.units import convert, find_kind
from app.decision.layout.parts.limit_parts import list_checked
from app.decision.layout.parts.result import Result
from app.decision.record import DecisionRecord
from app.decision.rules.closing_rules import no_verdict
from app.decision.rules.limit_rules import find_beyond
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.tracing import trace_figures
from app.decision.tracing.unsaid_claims import find_unsaid_claims
from tests.unit.decision.components.worked import PLAYBOOK, TODAY

COSTS = {"A1": 157_000, "A2": 96_500, "A4": 126_000}
LATE = {"A1": 3, "A2": 1}


def build_record(*limits: str) -> DecisionRecord:
    """A publisher and its printers, with what each costs in a year and by how many weeks it is late."""
    measures = {
        "O1": ("Die Bücher sind pünktlich da", "Wochen Verspätung je Titel", "Wochen"),
        "O3": ("Druckkosten tief halten", "Druckkosten pro Jahr", "CHF/Jahr"),
    }
    objectives = [
        {"handle": o, "description": d, "performance_measure": {"metric": m, "units": u, "direction": "minimize"}}
        for o, (d, m, u) in measures.items()
    ]
    names = {"A1": "Ammann in Chur", "A2": "Balto in Riga", "A4": "Mischung: beide"}
    cells = [
        {"alternative_id": a, "objective_id": o, "rating": 0, "quant_value": v, "quant_unit": measures[o][2]}
        for o, amounts in (("O1", LATE), ("O3", COSTS))
        for a, v in amounts.items()
    ]
    return DecisionRecord(
        {
            "problem_frame": {
                "focal_decision": {"statement": "Wo drucken wir?", "constraints": [*limits]},
                "parties": [{"handle": "P1", "name": "Stiftungsrat"}],
            },
            "objectives": {"fundamental_objectives": objectives},
            "alternatives": {
                "alternatives": [{"handle": h, "name": n} for h, n in names.items()],
                "status_quo_id": "A1",
            },
            "consequences": {"table": {"alternative_ids": [*names], "objective_ids": [*measures], "cells": cells}},
        },
        TODAY,
    )


@pytest.mark.req("TR-08")
@pytest.mark.parametrize(
    ("amount", "start", "end", "expected"),
    [
        (2, "CHF im Monat", "CHF/Jahr", 24),
        (2, "Franken pro Jahr", "CHF/year", 2),
        (3, "Tsd. Franken je Quartal", "CHF pro Monat", 1_000),
        (2, "Wochen", "days", 14),
        (2, "Tage", "Stunden", 48),
        (2, "tausend Minuten", "Sekunden", 120_000),
    ],
)
def test_units_are_known_in_german_too(amount: float, start: str, end: str, expected: float) -> None:
    assert convert(amount, start, end) == pytest.approx(expected)


def test_a_word_that_begins_as_a_german_time_does_is_none() -> None:
    assert find_kind("tags") == ""
    assert convert(1, "Note im Schnitt", "Note/Schnitt") is None


@pytest.mark.req("TR-13")
@pytest.mark.parametrize(
    "limit",
    [
        "Höchstens CHF 130'000 im Jahr",
        "Maximal CHF 130'000 pro Jahr",
        "Höchstens CHF 130'000 im Jahr (vom Stiftungsrat gesetzt, fix)",
        "At most CHF 130,000 a year (given by the Stiftungsrat, fixed)",
    ],
)
def test_a_limit_for_a_year_is_held_against_amounts_for_a_year(limit: str) -> None:
    beyond = find_beyond(build_record(limit))
    assert [(each.options, each.is_certain) for each in beyond] == [((("A1", "157,000 CHF/Jahr"),), True)]


@pytest.mark.req("TR-13")
def test_a_limit_does_not_speak_of_an_objective_because_both_are_in_weeks() -> None:
    """Four weeks until books are there are not four weeks that they are late."""
    record = build_record("Lieferzeit höchstens 4 Wochen")
    listed = list_checked(Result(PLAYBOOK["consequences"], record.results["consequences"], record))
    assert listed is not None
    assert "Kept on" not in repr(listed)
    assert "Not checked" in repr(listed)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    "reply",
    [
        "Die Mischung kostet CHF 29'500 mehr im Jahr als Balto.",
        "Balto ist im Jahr um CHF 60'500 pro Jahr günstiger als heute.",
        "Ammann kostet CHF 27'000 im Jahr mehr, als die Grenze erlaubt.",
    ],
)
def test_a_difference_of_two_amounts_is_not_told_as_made_up(reply: str) -> None:
    told: list[dict[str, Any]] = [{"role": "user", "content": "Hallo"}]
    record = build_record("Höchstens CHF 130'000 im Jahr")
    assert find_unsaid_in_reply(reply, told, record) == ()
    strange = reply.replace("500", "400").replace("27'000", "27'100")
    assert find_unsaid_in_reply(strange, told, record) != ()


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("text", "said", "equation"),
    [
        ("Statt 148'000 sind es 6% mehr, also 156'880", "148'000, und 6% kommen dazu", "156,880 = 148,000 + 6 %"),
        ("10% weniger als 90'000, also 81'000", "90'000 und 10%", "81,000 = 90,000 − 10 %"),
        ("Zusammen 170'000", "Es sind 240'000, dort 70'000 weniger", "170,000 = 240,000 − 70,000"),
        ("Zusammen 310'000", "Es sind 240'000, dort 70'000 mehr", "310,000 = 240,000 + 70,000"),
    ],
)
def test_shares_and_sums_are_worked_out(text: str, said: str, equation: str) -> None:
    known = SaidFigures.of([Statement(said)])
    traced = trace_figures({"notes": [text]}, known, DecisionRecord({}, TODAY))
    assert ((), (equation,)) == (traced.unsaid, traced.sums)


@pytest.mark.req("FA-04")
@pytest.mark.parametrize(
    ("authority", "said"),
    [
        ("needs_approval", "ich schlage vor, der Stiftungsrat stimmt zu"),
        ("needs_approval", "der Vorstand muss zustimmen"),
        ("recommends", "ich schlage es nur vor"),
        ("sole", "das entscheide ich allein"),
        ("joint", "wir entscheiden das gemeinsam"),
    ],
)
def test_how_far_somebody_decides_is_heard(authority: str, said: str) -> None:
    draft = {"decision_maker": {"name": "Maya", "authority": authority}}
    assert find_unsaid_claims(draft, ["Maya", said]) == ()
    assert find_unsaid_claims(draft, ["Maya", "das stimmt so"]) == ("decision_maker.authority",)


@pytest.mark.req("FA-04")
def test_whoever_says_i_takes_a_step_on_and_what_can_be_found_out_is_heard() -> None:
    action = {"handle": "N1", "action": "Mit Ammann über zwei Titel reden", "owner": "Maya"}
    said = "Ich rede mit Ammann über die zwei Titel bis 20. Dezember"
    assert find_unsaid_claims({"planned_actions": [action]}, ["Maya", said]) == ()
    assert find_unsaid_claims({"planned_actions": [action]}, ["Maya", said.replace("Ich rede", "Sam redet")]) != ()
    doubt = {"handle": "U1", "description": "Ob die Farben leiden", "resolvable": True}
    for words in ("Ob die Farben leiden, erfahren wir im Mai", "Nein"):
        assert find_unsaid_claims({"uncertainties": [doubt]}, [words]) == ()
    assert find_unsaid_claims({"uncertainties": [doubt]}, ["Die Farben sind schön bunt und sie leiden"]) != ()


@pytest.mark.req("FA-04")
def test_a_verdict_is_one_in_german_too() -> None:
    draft = {"synthesis": "A4 führt nach Punkten, die beste Wahl ist die Mischung, und so weiter und so fort."}
    assert [*no_verdict(draft, build_record())] != []
