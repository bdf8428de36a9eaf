"""What people say in a free thread: kept, answered, understood, and heard by the goal (§3.4, T2, T5)."""

from __future__ import annotations

import pytest

from app.core.conversation.call import AskPerson
from app.core.conversation.conversation import Conversation, MessageStatus, Role
from app.core.conversation.effect import PostEphemeral, React
from app.core.conversation.facts import Author
from app.core.conversation.transition import QUEUED
from app.core.copy import texts
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.pending.answer_reading import OTHER as SOMETHING_ELSE
from app.core.reactions.messages import TITLE_CHARS
from app.core.state.goal import GoalPhase
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle
from app.core.state.question import QuestionKind
from app.core.state.status import Kind, TurnState
from app.core.text import labels
from tests.unit.core.live import CONFIRMATION, INPUT, Live
from tests.unit.core.lives import in_background, permitting, waiting
from tests.unit.core.threads import OTHER, OWNER, THREAD, conversation

WISH = "I want to build a todo app"


def new() -> Live:
    return Live(Conversation(id="c1", thread=THREAD, owner=OWNER))


@pytest.mark.req("M-004", "S2-002")
def test_the_first_message_begins_a_free_thread_at_once_and_gives_it_its_name() -> None:
    live = new().says("\n  How do we cover Mondays?  \nAsk me.", opens=True)
    assert (live.now.lifecycle, live.now.title, live.now.run) == (
        Lifecycle.IN_PROGRESS,
        "How do we cover Mondays?",
        TurnState.STREAMING,
    )
    assert live.path("state_transition") == [("initializing", "in_progress"), ("idle", "streaming")]


@pytest.mark.parametrize(
    ("live", "title"),
    [
        pytest.param(new().talks("One").says("Two"), "One", id="the first message gives it"),
        pytest.param(new().says("Me first", OTHER), "", id="the owner gives it, and nobody else"),
        pytest.param(new().says(""), "", id="an empty message gives none"),
        pytest.param(new().says(" \n "), "", id="a message without words gives none"),
    ],
)
def test_a_thread_has_the_name_of_its_owners_first_words(live: Live, title: str) -> None:
    assert live.now.title == title


@pytest.mark.req("SE-12")
@pytest.mark.parametrize("may_begin", [True, False])
def test_somebody_else_is_told_how_to_ask_only_if_they_may(*, may_begin: bool) -> None:
    live = new().says("Hi").says("Me too", OTHER, opens=True, author=Author(may_begin=may_begin))
    assert [texts.ASK_ELSEWHERE in told.text for told in live.new(PostEphemeral)] == [may_begin]


def test_a_long_first_line_is_cut_for_a_name() -> None:
    title = new().says("word " * 40).now.title
    assert len(title) <= TITLE_CHARS
    assert title.endswith("word…")


def test_a_zone_is_remembered_while_none_is_told_and_only_if_it_is_one() -> None:
    live = new().says("Hi", author=Author(zone="Europe/Berlin"))
    assert live.now.zone == "Europe/Berlin"
    assert live.says("And?").now.zone == "Europe/Berlin"
    assert live.says("And?", author=Author(zone="Mars/Olympus")).now.zone == "Europe/Berlin"
    assert new().says("Hi", author=Author(zone="Mars/Olympus")).now.zone == ""


@pytest.mark.req("S1-008")
def test_what_the_owner_says_moves_the_goal_and_the_model_is_told() -> None:
    live = Live().says(WISH)
    assert live.now.goals.phase is GoalPhase.UNDERSTANDING
    assert live.path("goal_transition") == [("greeting", "understanding")]
    assert "Conversation Phase: understanding" in live.reply.directive


def test_what_is_said_to_others_and_by_others_moves_no_goal() -> None:
    for live in (Live().says(WISH, addressed=False), Live().says(WISH, OTHER)):
        assert (live.now.goals.phase, live.now.goals.turns, live.now.run) == (GoalPhase.GREETING, 0, TurnState.IDLE)


@pytest.mark.req("S1-042")
def test_a_click_moves_the_goal_as_the_same_words_would() -> None:
    live = Live().says(WISH).replies("What kind?").says("sounds good").replies("My plan: a, b.", CONFIRMATION)
    assert live.now.goals.phase is GoalPhase.PLANNING
    turns = live.now.goals.turns
    live.posts_cards().clicks("yes")
    assert (live.now.goals.phase, live.now.goals.turns) == (GoalPhase.EXECUTING, turns + 1)
    assert live.path("goal_transition") == [("planning", "executing")]


def test_in_a_component_nothing_that_is_said_or_put_away_is_about_a_goal() -> None:
    component = conversation(kind=Kind.COMPONENT, phase=Phase.GATHER, stage=Stage.DISCUSS)
    live = Live(component).says(WISH).replies("I'll create it. Done.")
    assert live.now.goals.phase is GoalPhase.GREETING
    assert "Conversation Phase" not in live.says("And?").replies().transcript[-1].directive
    assert live.archives().now.goals.phase is GoalPhase.GREETING


def test_a_message_that_waits_is_marked_and_a_click_that_waits_is_nobodys_message() -> None:
    live = waiting(CONFIRMATION).says("Why?")
    event = live.message("And?")
    live.apply(event, event.receipt)
    assert [(mark.ts, mark.name) for mark in live.new(React)] == [(event.ts, QUEUED)]
    live.clicks("yes")
    assert live.new(React) == []
    assert len(live.now.asked) == 2
    assert live.now.queued == (event.ts,)


@pytest.mark.req("AG-17")
def test_only_the_owner_s_own_words_end_their_silence() -> None:
    live = Live().says(WISH).replies("What kind?")
    since = live.now.silent_from
    live.wait(30).says("I have an idea", OTHER)
    assert (live.now.silent_from, live.now.newest > since) == (since, True)
    live.apply(live.quiet(since), "idle")
    assert live.now.goals.phase is GoalPhase.IDLE
    live.says("Where were we?").replies("At the app.").says("hm", addressed=False)
    assert live.now.silent_from == live.now.newest
    assert live.refuses(live.quiet(since)) == "STALE_RUN"


def test_a_goodbye_in_the_midst_of_an_answer_does_not_end_the_goal() -> None:
    live = Live().says(WISH).says("bye")
    assert live.now.goals.phase is GoalPhase.UNDERSTANDING


def test_what_was_typed_for_something_else_is_said_in_those_words() -> None:
    ask = AskPerson(type=QuestionKind.CHOICE, prompt="Which?", options=("A", "B"), other=True)
    assert waiting(ask).clicks(f"{SOMETHING_ELSE}Neither of them").transcript[-2].text == "Neither of them"


def test_an_answer_counts_as_the_newest_word_of_its_owner() -> None:
    live = waiting(INPUT).wait(30)
    live.clicks("eleven")
    assert live.now.newest == live.ts


def test_an_answer_that_the_owner_deletes_stays_answered() -> None:
    live = waiting(INPUT).says("eleven")
    (row,) = [row for row in live.transcript if row.text == "eleven"]
    live.apply(MessageDeleted(receipt="d", thread=THREAD, ts=row.ts, at=live.ts), "d")
    assert live.rows[row.seq].status is MessageStatus.DELETED
    assert live.now.question is None


@pytest.mark.req("S2-003", "S2-005")
def test_where_nothing_waits_and_nothing_is_planned_each_message_is_answered_at_once() -> None:
    live = Live().talks().says("And?")
    assert live.now.run is TurnState.STREAMING
    assert live.now.next_run == ""


def test_in_the_background_a_message_is_answered_and_the_schedule_untouched() -> None:
    live = in_background()
    next_run = live.now.next_run
    live.says("How are you?")
    assert (live.now.run, live.now.next_run, live.now.status) == (TurnState.STREAMING, next_run, "background")


def test_a_run_of_a_schedule_is_nobodys_word() -> None:
    live = in_background()
    newest, turns = live.now.newest, live.now.goals.turns
    live.wait(60).is_due()
    assert (live.now.newest, live.now.goals.turns) == (newest, turns)
    assert live.transcript[-2].role is Role.PERSON


def test_a_permission_that_is_asked_for_in_other_words_is_answered_in_those() -> None:
    live = permitting().says("ask Ann first")
    assert (live.now.question, live.now.run) == (None, TurnState.STREAMING)
    assert "ask Ann first" in [row.text for row in live.transcript[: live.reply.seq]]


def test_a_message_without_words_is_no_answer_to_a_permission() -> None:
    live = permitting()
    question = live.now.question
    assert live.says(" ").now.question == question
    assert live.now.run is TurnState.AWAITING


NAMES = {"U0NUJE8Z6KV": "Sam"}


def test_a_colleague_whom_a_message_mentions_is_kept_by_name_in_text_and_title() -> None:
    live = new().says("Post to #ops: tell @U0NUJE8Z6KV and @U0NOBODY11", opens=True, mentioned=NAMES)
    assert live.now.title == "Post to #ops: tell @Sam and @U0NOBODY11"
    assert [row.text for row in live.transcript if row.role is Role.PERSON] == [live.now.title]


def test_a_message_that_is_edited_keeps_a_colleague_by_name() -> None:
    live = new().says("Hello", opens=True)
    (row,) = [row for row in live.transcript if row.role is Role.PERSON]
    live.does(MessageEdited, ts=row.ts, text="Ask @U0NUJE8Z6KV", mentioned=NAMES)
    assert "Ask @Sam" in [row.text for row in live.transcript]
    assert live.now.title == "Ask @Sam"


def test_who_is_mentioned_is_found_by_id_and_no_address_is_taken_for_one() -> None:
    text = "@U0NUJE8Z6KV, @W0NUJE8Z6KV and @U0NUJE8Z6KV; not a@U0NUJE8Z6KV, @Use or @UP"
    assert labels.list_mentioned(text) == ("U0NUJE8Z6KV", "W0NUJE8Z6KV")
    assert labels.name_mentioned(text, NAMES).startswith("@Sam, @W0NUJE8Z6KV and @Sam; not a@U0NUJE8Z6KV")


def changes(live: Live, ts: str, text: str = "") -> Live:
    """The author changes a message, or deletes it."""
    receipt = f"changed:{ts}"
    if text:
        live.apply(MessageEdited(receipt=receipt, thread=THREAD, ts=ts, at=live.ts, user=OWNER, text=text), receipt)
    else:
        live.apply(MessageDeleted(receipt=receipt, thread=THREAD, ts=ts, at=live.ts), receipt)
    return live


@pytest.mark.req("AG-03")
@pytest.mark.parametrize("text", ["Post it at six", ""], ids=["changed", "deleted"])
def test_the_answer_under_way_is_to_read_what_its_owner_changes_or_deletes(text: str) -> None:
    live = new().says("Post it at five")
    assert changes(live, live.rows[1].ts, text).now.is_amended
    assert live.rows[live.now.head].role is Role.NOTE
    assert not live.replies().says("And now?").now.is_amended, "the next answer reads it when it begins"


@pytest.mark.parametrize("text", ["Post it at six", ""], ids=["changed", "deleted"])
def test_what_others_change_and_what_no_answer_has_read_hinders_none(text: str) -> None:
    others = new().says("So be it", OTHER).says("Post it at five")
    assert not changes(others, others.rows[1].ts, text).now.is_amended
    unread = new().says("Post it at five").says("Wait")
    assert not changes(unread, unread.rows[3].ts, text).now.is_amended
    over = new().talks("Post it at five")
    assert not changes(over, over.rows[1].ts, text).now.is_amended


@pytest.mark.parametrize("text", ["Post it at six", ""], ids=["changed", "deleted"])
def test_what_waits_on_a_card_is_decided_by_who_reads_the_card(text: str) -> None:
    live = permitting()
    assert not changes(live, live.rows[1].ts, text).now.is_amended
