"""The state of a free thread as requests tell it: whole where an epoch begins, and then what has changed or is gone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.conversation import Message, Role
from app.core.text.marks import write_block
from app.core.turns.directive import RUN_BY_SCHEDULE, shorten_directives
from app.core.turns.history import build_api_messages, count_tokens, start_epoch
from app.core.turns.state_changes import (
    CHANGES,
    GONE,
    NOTHING_LEFT,
    ONCE,
    Section,
    Told,
    follow,
    gather,
    list_changes,
    write_changes,
)
from tests.unit.core.live import CHOICE, DAILY, Live
from tests.unit.core.lives import in_background

BLOCK = re.compile(r"<state>\n(.*?)\n</state>\Z", re.DOTALL)

HEADINGS = ("", "Current Goal:", "Required Information:", "Artefacts:", "Open question:", ONCE)
WORDS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12)
LINES = st.one_of(
    WORDS.map("• {}".format),
    st.builds("{}: {}".format, st.sampled_from(["Time", "Description", "Your question is still open"]), WORDS),
    st.builds("{} {}: {}".format, st.sampled_from("?✓"), st.sampled_from(["audience", "requirements"]), WORDS),
)
STATES = st.lists(st.builds(Section, st.sampled_from(HEADINGS), st.lists(LINES, max_size=4).map(tuple)), max_size=6)


def whole(state: list[Section]) -> str:
    told = "\n".join(list_changes(gather(state), {}))
    return write_block("state", told) if told else ""


def read(*blocks: str) -> Told:
    """What somebody knows who has read these blocks in this order."""
    told = Told()
    for block in blocks:
        told.pop(ONCE, None)
        follow(block, told)
    return {heading: lines for heading, lines in told.items() if lines}


def states(live: Live) -> list[str]:
    """What the user turns of the next request tell of the state, in order."""
    texts = [
        content if isinstance(content := each["content"], str) else content[-1]["text"]
        for each in build_api_messages(live.now, live.transcript)
        if each["role"] == "user"
    ]
    return [found[1] if (found := BLOCK.search(text)) else "" for text in texts]


@pytest.mark.req("AG-19")
@given(st.lists(STATES, min_size=1, max_size=5))
def test_who_reads_the_changes_knows_each_state_as_if_it_were_told_whole(wanted: list[list[Section]]) -> None:
    rows = [Message(seq=n, role=Role.ASSISTANT, text="", directive=whole(each)) for n, each in enumerate(wanted, 1)]
    sent = [found[1] if (found := BLOCK.match(row.directive)) else "" for row in shorten_directives(rows, 0)]
    for count, state in enumerate(wanted, 1):
        assert read(*sent[:count]) == read("\n".join(list_changes(gather(state), {})))


@pytest.mark.req("AG-19")
def test_a_free_thread_tells_its_state_once_and_then_what_has_changed() -> None:
    live = Live().says("I want to build a todo app").replies("What kind?").wait(5).says("With React, and search")
    first, later = states(live)
    assert "Turn Count: " in first
    assert "Completed Goals: 0" in first
    assert CHANGES not in first
    assert later.startswith(f"{CHANGES}\nTime: ")
    assert "✓ requirements: Requirements = search" in later
    assert "? requirements" not in later, "what became of it takes its place"
    assert "Completed Goals" not in later, "what stands is not told again"


@pytest.mark.req("AG-19")
def test_a_question_that_is_answered_is_said_to_be_gone() -> None:
    live = Live().says("Hi").replies("Which?", CHOICE).says("What does D1 cost?").replies("Much.").clicks("0")
    *_, asked, answered = states(live)
    assert 'Open question:\nYour question is still open: "Which one?"' in asked
    assert f"Open question:\n{NOTHING_LEFT}" in answered


@pytest.mark.req("AG-19")
def test_each_run_is_told_that_it_is_one_and_a_message_between_two_runs_is_not() -> None:
    live = in_background(DAILY).is_due().replies("Done.").is_due()
    assert all(f"{ONCE}\n{RUN_BY_SCHEDULE}" in told for told in states(live)[-2:])
    said = states(live.replies("Done.").says("Thanks"))[-1]
    assert ONCE not in said
    assert "Scheduled: " not in said, "what stands is not told again"


@pytest.mark.req("AG-19")
def test_an_epoch_begins_with_the_whole_state() -> None:
    live = Live().says("I want to build a todo app").replies("What kind?").says("And?")
    assert CHANGES in states(live)[-1]
    for now in (replace(live.now, plain=live.now.head - 1), replace(live.now, form=live.now.form - 1)):
        *before, last = [each for each in build_api_messages(now, live.transcript) if each["role"] == "user"]
        assert "<state>" not in str(before)
        assert CHANGES not in last["content"]
        assert "Current Goal:" in last["content"]


def test_what_is_told_beside_the_state_stays_with_its_changes() -> None:
    rows = [
        Message(seq=2, role=Role.ASSISTANT, text="", directive="<state>\nTime: 1\nPhase: a\n</state>"),
        Message(
            seq=5, role=Role.ASSISTANT, text="", directive="<state>\nTime: 3\nPhase: a\n</state>\n<step>\nx\n</step>"
        ),
    ]
    told = [row.directive for row in shorten_directives(rows, 0)]
    assert told == [rows[0].directive, f"<state>\n{CHANGES}\nTime: 3\n</state>\n<step>\nx\n</step>"]


def test_a_state_that_has_not_changed_is_not_told() -> None:
    row = Message(seq=2, role=Role.ASSISTANT, text="", directive="<state>\nPhase: a\n</state>")
    assert [each.directive for each in shorten_directives([row, row], 0)] == [row.directive, ""]


def test_a_state_of_which_nothing_is_left_is_said_to_be_gone() -> None:
    assert write_changes({}, gather([Section("", ("Time: 1",))])) == f"{CHANGES}\n{GONE}Time"
    assert write_changes({}, {}) == ""


def test_two_ratings_of_one_option_that_have_changed_are_both_told() -> None:
    lines = ("- A4 on O2: -1 [22,000] → -1 [24,000]", "- A4 on O4: 0 → -1", "- A4 Call service: worded otherwise")
    now = gather([Section("What has changed:", lines)])
    assert write_changes(now, {}).splitlines() == ["What has changed:", *lines]
    fewer = gather([Section("What has changed:", lines[1:])])
    assert write_changes(fewer, read(write_changes(now, {}))).splitlines()[1:] == [
        "What has changed:",
        f"{GONE}A4 on O2",
    ]


def test_no_epoch_begins_for_states_that_are_not_sent_whole() -> None:
    live = Live().says("I want to build a todo app").replies("What kind?").says("And?").replies("Or?").says("Hm")
    *rows, _ = (row for row in live.transcript if row.role is Role.ASSISTANT)
    spoken = [row for row in live.transcript if row.role is Role.PERSON][:-1]
    budget = count_tokens([*spoken, *shorten_directives(rows, 0)]) + 10
    assert budget < count_tokens([*spoken, *rows])
    assert start_epoch(live.now, live.transcript, budget) is None


def test_what_was_learned_is_told_by_name_and_an_artefact_by_its_words() -> None:
    before = gather([Section("Artefacts:", ("• Report: May",)), Section("Required Information:", ("? audience: Who",))])
    now = gather(
        [
            Section("Artefacts:", ("• Report: May", "• Report: June")),
            Section("Required Information:", ("✓ audience: Who = us",)),
        ]
    )
    assert write_changes(now, before).splitlines()[1:] == [
        "Artefacts:",
        "• Report: June",
        "Required Information:",
        "✓ audience: Who = us",
    ]
