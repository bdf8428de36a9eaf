"""The card on which something is allowed or forbidden: all that would be done in plain words, and four answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import texts_permissions as texts
from app.core.cards import PermissionCard
from app.core.permissions import LABELS, Decision
from app.core.question import Origin, Question, QuestionKind
from app.core.uses import Use, UseState
from handlers import cards
from handlers.blocks import Rendered
from handlers.permission_cards import PARAGRAPHS, SHOWN_CHARS
from tests.unit.handlers.shown import AT, AT_0244, HARD, controls, markup, pressed, said, show, small

USE = Use(
    id="t1",
    tool="post_message",
    input="{}",
    state=UseState.ASKED,
    title="post to #ops",
    shown="The rota is ready.",
    scope="channel:C1",
    covers="posting to #ops",
)
QUESTION = Question(
    id="1.2",
    kind=QuestionKind.CHOICE,
    prompt="post to #ops",
    options=tuple(label for _, label in LABELS),
    origin=Origin.PERMISSION,
)
SHORT = HARD.map(lambda text: text[:300])
"""What tools say in a line: names of channels, people and files are no longer."""

CARD = PermissionCard(question=QUESTION, owner="U1", use=USE, place=1, count=1)


def ask(**changes: Any) -> Rendered:
    about = {name: changes.pop(name) for name in ("title", "shown", "covers") if name in changes}
    return show(replace(CARD, use=replace(USE, **about), **changes))


@pytest.mark.req("S3-017")
def test_it_mentions_who_is_asked_says_what_would_be_done_and_has_the_four_answers_in_order() -> None:
    rendered = ask()
    assert rendered.text == "<@U1>, post to #ops?"
    assert said(rendered) == ["<@U1>, post to #ops?", "The rota is ready."]
    assert pressed(rendered) == [
        ("Allow this time", "answer:0", "12:0"),
        ("Always allow", "answer:1", "12:1"),
        ("Wait and tell Claude what to do differently", "answer:2", "12:2"),
        ("Never allow", "answer:3", "12:3"),
    ]
    assert small(rendered) == ["Always = posting to #ops, for you only", texts.HINT]


def test_of_several_it_says_which_one_it_is() -> None:
    assert ask(place=2, count=3).text == "<@U1>, post to #ops? (2 of 3)"


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (Decision.ALLOW, "✅ Allowed once"),
        (Decision.ALWAYS, "✅ Always allowed"),
        (Decision.WAIT, "✋ Told to wait"),
        (Decision.NEVER, "🚫 Never allowed"),
    ],
)
def test_what_was_decided_by_whom_and_when_takes_the_place_of_the_buttons(decision: Decision, told: str) -> None:
    rendered = ask(decision=decision, by="U1", at=AT)
    assert small(rendered) == [f"{told} · <@U1> {AT_0244}"]
    assert controls(rendered) == []
    assert said(rendered)[-1] == "The rota is ready."


def test_what_nobody_needs_any_more_says_so() -> None:
    rendered = ask(withdrawn=True, at=AT)
    assert (small(rendered), controls(rendered)) == ([texts.WITHDRAWN], [])


def test_it_waits_for_somebody_until_it_is_decided_or_withdrawn() -> None:
    assert cards.waits(CARD)
    assert not cards.waits(replace(CARD, decision=Decision.ALLOW))
    assert not cards.waits(replace(CARD, withdrawn=True))


def test_a_long_text_is_shown_in_paragraphs_and_of_the_rest_it_is_said_how_much_it_is() -> None:
    text = "x" * (SHOWN_CHARS * PARAGRAPHS)
    assert "".join(said(ask(shown=text))[1:]) == text
    longer = ask(shown=text + "y" * 1_234)
    assert "".join(said(longer)[1:]) == text
    assert "… and 1,234 more characters" in small(longer)


def test_a_text_of_spaces_alone_has_no_paragraph() -> None:
    assert said(ask(shown=" \n ")) == ["<@U1>, post to #ops?"]


@pytest.mark.parametrize("changes", [{}, {"decision": Decision.NEVER, "by": "U1", "at": AT}, {"withdrawn": True}])
@given(title=SHORT, shown=HARD | st.just(""), covers=SHORT)
def test_slack_takes_every_card_and_nothing_that_somebody_wrote_is_markup(
    changes: dict[str, Any], title: str, shown: str, covers: str
) -> None:
    rendered = ask(title=title, shown=shown, covers=covers, **changes)
    assert markup(rendered) <= {"<@U1>", AT_0244}


def test_slack_takes_a_text_of_signs_that_become_longer() -> None:
    assert "".join(said(ask(shown="&<>" * 3_000))[1:]) == ("&<>" * 3_000)[: SHOWN_CHARS * PARAGRAPHS]
