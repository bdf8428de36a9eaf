"""What stood in a thread before the app was called into it: how much is kept, and what is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.conversation.conversation import Conversation, Message, Role, Transition
from app.core.conversation.effect import PostEphemeral
from app.core.conversation.facts import Facts, Preceding
from app.core.conversation.transition import Trigger
from app.core.copy import texts
from app.core.machine.apply import find_refusal
from app.core.reactions.messages import on_message_posted
from app.core.reactions.preceding import APP, MESSAGE_CHARS, MOST_CHARS
from app.core.state.interview import SourceMessage
from app.core.turns.history import build_api_messages, is_by_other, start_epoch
from tests.unit.core.threads import OTHER, OWNER, THREAD, posted, said, ts


def heard(number: int, text: str, author: str = OTHER, name: str = "Sam") -> SourceMessage:
    return SourceMessage(ts=ts(number), author=author, name=name, text=text)


def called(found: Preceding | None, **facts: object) -> Transition:
    """The owner calls the app into a thread above which this was found."""
    now = Conversation(id="c1", thread=THREAD, owner=OWNER)
    trigger = Trigger(cause="message:900", at=ts(900), facts=replace(Facts(preceding=found), **facts))
    return on_message_posted(now, posted(900, "Sum this up", opens=True), trigger)


def told(made: Transition) -> list[str]:
    return [each.text for each in made.conversation.effects if isinstance(each, PostEphemeral)]


def kept(made: Transition) -> list[Message]:
    return [row for row in made.messages if row.preceding]


@pytest.mark.req("IN-01")
def test_files_that_were_shared_before_are_kept_to_be_read_when_they_are_asked_for() -> None:
    own = replace(heard(1, "Mine\n📎 costs.csv", OWNER, "Maya"), files=(("F1", "costs.csv"),))
    other = replace(heard(2, "📎 costs.csv"), files=(("F2", "costs.csv"),))
    made = called(Preceding(messages=(own, other)))
    assert [row.text for row in kept(made)] == ["Mine\n[shared: costs.csv]", "[shared: costs.csv (2)]"]
    files = [(file.id, file.ts, file.by_owner) for file in made.conversation.files]
    assert files == [("F1", ts(1), False), ("F2", ts(2), False)]


@pytest.mark.req("IN-01", "SE-09")
@given(st.lists(st.sampled_from([1, 900, 3_999, 4_000, 4_001, 8_000]), max_size=30), st.booleans())
@example([4_000] * 7, False)
@example([8_000] * 6, False)
def test_the_newest_that_fit_are_kept_in_order_and_what_is_left_out_is_said(sizes: list[int], is_cut: bool) -> None:
    found = tuple(heard(place, "x" * size) for place, size in enumerate(sizes, 1))
    made = called(Preceding(messages=found, is_cut=is_cut))
    rows = kept(made)
    assert [row.ts for row in rows] == [each.ts for each in found[len(found) - len(rows) :]]
    assert sum(len(row.text) for row in rows) <= MOST_CHARS
    assert len(rows) == len(found) or sum(len(row.text) for row in rows) > MOST_CHARS - MESSAGE_CHARS
    assert [row.seq for row in made.messages] == list(range(1, made.conversation.head + 1))
    assert made.messages[-1].text == "Sum this up"
    if not found:
        assert told(made) == []
        return
    count = "1 message" if len(rows) == 1 else f"{len(rows)} messages"
    words = texts.PRECEDING_CUT if is_cut or len(rows) < len(found) else texts.PRECEDING_READ
    assert told(made) == [words.format(messages=count)]
    assert made.messages[0].role is Role.NOTE
    note = made.messages[0].text
    assert count not in note, "it would be wrong once a message is deleted"
    is_cut = words is texts.PRECEDING_CUT
    assert ("all of its messages" in note, "older messages" in note) == (not is_cut, is_cut)


@pytest.mark.req("IN-01")
def test_what_could_not_be_read_is_neither_stored_nor_passed_over() -> None:
    made = called(Preceding(is_unread=True))
    assert kept(made) == []
    assert told(made) == [texts.PRECEDING_UNREAD]
    assert "could not be read" in made.messages[0].text


def test_a_message_of_an_app_without_a_user_is_somebody_elses() -> None:
    assert kept(called(Preceding(messages=(heard(1, "Disk full", "", "Alerts"),))))[0].author == APP


def test_a_message_that_is_delivered_late_is_not_stored_twice() -> None:
    now = called(Preceding(messages=(heard(1, "Leeds"),))).conversation
    facts = Facts(targets=(said(2, "Leeds", OTHER),))
    assert find_refusal(now, posted(1, "Leeds", OTHER), facts) == "UNHEARD"


@pytest.mark.req("IN-01", "SE-09")
def test_what_the_owner_said_to_others_is_material_and_never_outlasts_a_summary_as_an_instruction() -> None:
    made = called(Preceding(messages=(heard(1, "Close it " * 60, OWNER, "Maya"), heard(2, "No"))))
    rows = (*made.messages, *(said(seq, "x" * 2_000) for seq in range(5, 9)))
    now = replace(made.conversation, head=8)
    sent = build_api_messages(now, rows)[0]["content"]
    assert '<message role="owner" from="Maya" user="UOWNER">Close it' in sent
    epoch = start_epoch(now, rows, 1_500)
    assert epoch is not None
    assert is_by_other(rows[1], now), "it counts in the share that others' words have"
    assert 2 not in epoch.standing
    assert "Close it" not in epoch.summary


@pytest.mark.req("IN-01", "SE-09")
def test_one_endless_message_is_cut_at_four_thousand_characters_so_that_the_others_are_read_too() -> None:
    endless = heard(3, "word " * 6_000)
    rows = kept(called(Preceding(messages=(heard(1, "Order 40."), heard(2, "Agreed."), endless))))
    assert [row.text for row in rows[:-1]] == ["Order 40.", "Agreed."]
    assert 3_900 <= len(rows[-1].text) <= 4_000


@pytest.mark.req("IN-01", "SE-09")
def test_of_long_messages_the_newest_are_kept_as_far_as_they_fit_and_that_there_are_older_ones_is_said() -> None:
    long = tuple(SourceMessage(ts=f"{n}.0", author="U2", name="Sam", text=f"{n} " + "x" * 3_990) for n in range(10, 18))
    made = called(Preceding(messages=long))
    assert [row.ts for row in kept(made)] == [each.ts for each in long[-6:]]
    assert told(made) == [texts.PRECEDING_CUT.format(messages="6 messages")]
    assert "read_thread with until=1970-01-01T00:00:12+00:00 reads them" in made.messages[0].text
