"""Which message a quote is taken from: looked up, whatever the model says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import MessageStatus, Role
from app.decision.drafts.draft import SERVERS
from app.decision.drafts.quote_sources import (
    Quotable,
    Sources,
    keep_own_words,
    list_approved_texts,
    list_quotes,
    list_texts,
    remove_false_quotes,
)
from app.decision.record import DecisionRecord
from app.decision.schema.paths import BY_HAND, Draft, find_value, nest
from tests.unit.core.threads import note, reply, said, ts
from tests.unit.decision.components.worked import PLAYBOOK, TODAY

ROWS = (
    said(1, "We meet in May, or not at all."),
    said(2, "Or in June. We meet\nin MAY."),
    reply(3, "So: not in winter."),
    note(2, "Or in July."),
    replace(said(5, ""), status=MessageStatus.DELETED),
    replace(said(6, "I set the budget."), ts="", role=Role.PERSON),
)


def quoting(quote: str, message: str = "") -> Draft:
    source = {"message_id": message} if message else {}
    return {"decisions": [{"handle": "D1", "evidence": [{"quote": quote, **source}]}]}


@pytest.mark.parametrize(
    ("quote", "named", "message"),
    [
        ("not at ALL", "", ts(1)),
        ("we meet in may", "", ts(1)),
        ("we meet in may", ts(2), ts(2)),
        ("or in june", ts(1), ts(2)),
        ("or in july", "", ts(2)),
        ("Not in winter", "", ""),
        ("I set the budget", "", ""),
        ("what nobody wrote", ts(1), ts(1)),
        ("what nobody wrote", "", ""),
        ("We meet in May", BY_HAND, BY_HAND),
    ],
)
def test_a_quote_names_the_message_whose_words_it_has(quote: str, named: str, message: str) -> None:
    assert Sources(ROWS).trace(quoting(quote, named)) == quoting(quote, message)


def test_a_quote_of_an_earlier_step_names_the_message_there_and_the_typed_question_names_none() -> None:
    quoted = [*list_quotes([quoting("Nobody drives at night", ts(9)), quoting("Rent is low")]), {"quote": ""}]
    sources = Sources(ROWS, quoted, "Where do we move?")
    assert sources.trace(quoting("drives at NIGHT")) == quoting("drives at NIGHT", ts(9))
    assert sources.trace(quoting("where do we")) == quoting("where do we")
    assert all(sources.holds(each) for each in ("drives at night", "rent is low", "where do we move?"))
    assert not any(Sources(ROWS).holds(each) for each in ("drives at night", "rent is low", "where do we move?"))


def test_the_draft_it_is_given_stays_as_it_is() -> None:
    draft = quoting("not at all")
    Sources(ROWS).trace(draft)
    assert draft == quoting("not at all")


@pytest.mark.parametrize("source", SERVERS)
def test_what_the_server_says_of_a_quote_is_not_looked_up(source: str) -> None:
    draft: dict[str, Any] = quoting("We meet in May", source)
    assert Sources(ROWS).trace(draft) == draft


SAID = ("We  meet in May,\nor “not at all”. It’s fine.", "Or in June.")


@pytest.mark.req("FA-09")
@pytest.mark.parametrize("quote", ["we meet IN may", 'or "not at all"', "it's fine", "„Not at all“", "Or in June."])
def test_a_quote_that_is_verbatim_in_one_message_stays(quote: str) -> None:
    assert remove_false_quotes(quoting(quote), SAID) == quoting(quote)


@pytest.mark.req("FA-09")
@pytest.mark.parametrize(
    "quote",
    [
        "We meet in May … not at all",
        "We meet, or not at all",
        "It’s fine. Or in June.",
        "we met in May",
        "ｗe meet in May",
        "We meet in May or",
    ],
)
def test_words_that_were_joined_shortened_or_changed_are_no_quote(quote: str) -> None:
    draft = quoting(quote)
    assert remove_false_quotes(draft, SAID) == {"decisions": [{"handle": "D1", "evidence": []}]}
    assert draft == quoting(quote), "what was given is not changed"


@pytest.mark.parametrize("source", SERVERS)
def test_what_a_person_wrote_in_a_window_stays_theirs(source: str) -> None:
    assert remove_false_quotes(quoting("Never sent", source), SAID) == quoting("Never sent", source)


QUOTABLE = Quotable(("We  meet in May,\nor “not at all”.", "Or in June."), ("Mira",), ("Plan B",))


@pytest.mark.req("FA-09")
@pytest.mark.parametrize("words", ["we meet in may", "Or in June", "plan b"])
def test_words_of_one_message_and_names_may_stand_in_marks(words: str) -> None:
    assert QUOTABLE.holds(words)
    assert QUOTABLE.unquote(f'Mira: "{words}"') == f'Mira: "{words}"'


@pytest.mark.req("FA-09")
@pytest.mark.parametrize("words", ["We meet in May … not at all", "Or in June. We meet", "we met", "Plan B is it"])
def test_joined_shortened_or_changed_words_lose_their_marks(words: str) -> None:
    assert not QUOTABLE.holds(words)
    assert QUOTABLE.unquote(f'Mira: "{words}"') == f"Mira: {words}"
    assert QUOTABLE.find_false({"a": [1, {"b": f'Mira: "{words}"'}]}) == words


@pytest.mark.req("FA-09")
def test_a_draft_keeps_its_evidence_its_titles_and_what_was_said_and_is_not_changed_itself() -> None:
    false, true = 'Mira said "we met"', 'Mira said "or in June"'
    draft: Draft = {"list": [{"handle": "O1", "name": "The hall", "evidence": [{"quote": false}]}, false, true, 3]}
    draft["text"] = 'Mira said "the hall", and the "long one" is dear'
    before = list(list_texts(draft))
    after = QUOTABLE.unquote_draft(draft)
    assert after == {**draft, "list": [draft["list"][0], "Mira said we met", true, 3]}
    assert list(list_texts(draft)) == before
    assert QUOTABLE.find_false(after) == "the hall", "of notes, only the draft knows the names"


@pytest.mark.req("FA-04", "FA-09")
def test_approval_does_not_make_a_suggestion_quotable() -> None:
    issues: Draft = {
        "uncertainties": [{"handle": "U1", "description": "The lease", "driver": "the landlord"}],
        "considerations": [
            {"handle": "C1", "text": "A loan", "origin": "ai_suggested", "evidence": [{"quote": "or borrow"}]},
            {"handle": "C2", "text": "Rain", "origin": "user"},
        ],
    }
    own, later = {"user_leaning": "Peace over pence", "summary": "Two remain"}, {"decision": {"status": "open"}}
    so_far = DecisionRecord({"issue_raising": issues}, TODAY, own, later={"notes_next_steps": later})
    component = PLAYBOOK["recommendation"]
    whole = Quotable(list_approved_texts(component, so_far))
    assert all(map(whole.holds, ("the landlord", "Peace over pence", "open", "or borrow", "Rain", "Two remain")))
    assert not whole.holds("A loan")
    suggested = {"issue_raising": ("U1.driver",), "recommendation": ("user_leaning",)}
    quotable = Quotable(list_approved_texts(component, replace(so_far, suggested=suggested)))
    assert not any(map(quotable.holds, ("the landlord", "Peace over pence", "A loan")))
    assert all(map(quotable.holds, ("The lease", "Rain", "or borrow", "Two remain", "open")))


def test_the_people_of_a_thread_are_known_by_both_names() -> None:
    rows = (replace(said(1, "Hello"), author_name="Mira Stern"), said(2, "Hi"))
    assert Sources(rows).people == {"Mira Stern", "Mira"}
    assert Sources(rows).said == ("Hello", "Hi")


@pytest.mark.req("FA-05")
@pytest.mark.parametrize("place", ["user_leaning", "headline_conflict.statement"])
def test_what_was_noted_as_peoples_own_words_is_reworded_by_no_submission(place: str) -> None:
    noted, said = "I lean to the van, because of the wait", ["The bike, after all!"]
    for given, stands, is_told in (
        ("We lean to the van, for the wait", noted, False),
        ("Speed wins over all other things here", noted, True),
        ("the bike, after all!", "the bike, after all!", False),
        (noted.upper(), noted.upper(), False),
    ):
        left, remarks = keep_own_words({**nest({place: given}), "other": "x"}, nest({place: noted}), said)
        assert find_value(left, place) == stands
        assert left["other"] == "x"
        told = f"Your own words stand as they were noted. Write if they have changed to these: {given}"
        assert [each.text for each in remarks] == [told] * is_told


def test_words_that_were_not_noted_or_are_no_words_are_left_to_the_judge() -> None:
    noted = {"user_leaning": "The van"}
    for submitted in ({"user_leaning": 3}, {"synthesis": "x"}, "x", {"user_understanding": "So"}):
        assert keep_own_words(submitted, noted, []) == (submitted, ())
