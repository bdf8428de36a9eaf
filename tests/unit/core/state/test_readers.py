"""All readers of one place can read another only if that is known of each of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.state.readers import Readers, find_doubtful

PEOPLE = st.frozensets(st.sampled_from(["U1", "U2", "U3", "U4"]))
FULL = frozenset({"U1", "U2", "U9"})
"""The full members of the workspace; U9 is in no channel."""
PLACES = st.builds(Readers, name=st.just("#x"), people=PEOPLE, everyone=st.booleans(), beyond=st.booleans())


def readers_of(place: Readers) -> frozenset[str]:
    """Everybody who can read a place; of one that reaches beyond, also somebody whom nobody knows."""
    full = FULL if place.everyone else frozenset[str]()
    return place.people | full | (frozenset({"UFOREIGN"}) if place.beyond else frozenset[str]())


@pytest.mark.req("SE-04")
@given(PLACES, PLACES)
def test_nothing_is_open_to_whom_it_is_closed_and_a_doubt_is_about_those_in_the_target(
    target: Readers, source: Readers
) -> None:
    unsure = find_doubtful(target, source)
    known = source.people | (FULL if source.everyone else frozenset[str]())
    is_open = unsure is not None and unsure <= FULL
    assert is_open == (readers_of(target) <= known and not target.beyond)
    assert unsure is None or unsure <= target.people


@pytest.mark.req("SE-04")
def test_what_all_members_can_read_is_no_place_for_words_that_only_its_present_people_may_read() -> None:
    both = frozenset({"U1", "U2"})
    public, private = Readers(name="#all", people=both, everyone=True), Readers(name="#board", people=both)
    assert find_doubtful(public, private) is None
    assert find_doubtful(private, public) == frozenset()
