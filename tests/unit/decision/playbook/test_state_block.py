"""The state as the model is told it: once, then what has changed, and nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.interview import Phase
from app.core.turns.state_changes import CHANGES, STANDING, Section
from app.decision.playbook.state_block import write_state

HEADINGS = ("", "Noted so far:", "Noted in objectives:", "Ratings approved:", STANDING)
WORDS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=12).map(str.strip).filter(bool)
LINES = st.one_of(
    WORDS.map("- {}".format),
    st.builds("- D{} {}".format, st.integers(1, 4), WORDS),
    st.builds("{}: {}".format, st.sampled_from(["scope", "O1", "The decision"]), WORDS),
)
STATES = st.lists(
    st.builds(Section, st.sampled_from(HEADINGS[:-1]), st.lists(LINES, max_size=4).map(tuple)), max_size=4
)


def told(*states: tuple[Section, ...], phase: Phase = Phase.GATHER) -> list[str]:
    """The blocks of turns in these states, each knowing those before it."""
    blocks: list[str] = []
    for state in states:
        blocks.append(write_state(phase, "Ask.", state, blocks))
    return blocks


@pytest.mark.req("FA-08", "AG-19")
@given(st.lists(STATES, min_size=1, max_size=5))
def test_what_was_told_is_not_told_again_however_the_state_went(states: list[list[Section]]) -> None:
    blocks = told(*map(tuple, states))
    assert write_state(Phase.GATHER, "Ask.", states[-1], blocks) == ""


def test_only_what_has_changed_is_told() -> None:
    first = Section("Noted in objectives:", ("- IO1 description: Sleep", "- IO2 description: Save"))
    then = Section("Noted in objectives:", ("- IO1 description: Sleep well", "- IO2 description: Save"))
    _, block = told((first,), (then,))
    assert block == f"<step>\n{CHANGES}\nNoted in objectives:\n- IO1 description: Sleep well\n</step>"


def test_what_is_gone_is_said_to_be_gone() -> None:
    first = Section("Noted in objectives:", ("- IO1 description: Sleep", "- IO2 description: Save"))
    _, one, none = told((first,), (Section(first.heading, first.lines[:1]),), ())
    assert "Noted in objectives:\nGone: IO2\n" in one
    assert "Noted in objectives:\n(nothing any more)\n" in none


def test_what_comes_again_after_it_was_gone_is_told_again() -> None:
    noted = (Section("Noted in objectives:", ("- IO1 description: Sleep",)),)
    *_, again = told(noted, (), noted)
    assert "- IO1 description: Sleep" in again


def test_what_the_model_noted_itself_is_not_told_again() -> None:
    before, after = (), (Section("Noted in objectives:", ("- IO1 description: Sleep",)),)
    block = write_state(Phase.GATHER, "Ask.", before)
    assert write_state(Phase.GATHER, "Ask.", after, (block, after)) == ""
    edited = (Section("Noted in objectives:", ("- IO1 description: Sleep well",)),)
    assert "- IO1 description: Sleep well" in write_state(Phase.GATHER, "Ask.", edited, (block, after))


@pytest.mark.req("FA-30")
def test_a_phase_that_comes_again_is_named_and_its_guidance_is_not_repeated() -> None:
    blocks = [write_state(Phase.GATHER, "Ask.", ())]
    blocks.append(write_state(Phase.CLARIFY, "Settle it.", (), blocks))
    assert "Phase: clarify\nSettle it." in blocks[-1]
    back = write_state(Phase.GATHER, "Ask.", (), blocks)
    assert back.startswith("<step>\nPhase: gather again")
    assert "Ask." not in back


def test_what_is_still_needed_comes_last_and_replaces_what_was() -> None:
    needed, enough = (
        Section(STANDING, (line,)) for line in ("Still needed: a name", "Nothing is missing by the rules.")
    )
    first, then = told(
        (needed, Section("Noted so far:", ("scope: May",))), (enough, Section("Noted so far:", ("scope: May",)))
    )
    assert first.endswith("scope: May\nStill needed: a name\n</step>")
    assert then == f"<step>\n{CHANGES}\nNothing is missing by the rules.\n</step>"


def test_a_line_that_ends_like_a_heading_is_none() -> None:
    state = (Section("Noted so far:", ("scope: we said:", "role: Chair")),)
    (block,) = told(state)
    assert "scope: we said: …\nrole: Chair" in block
    assert write_state(Phase.GATHER, "Ask.", state, (block,)) == ""
