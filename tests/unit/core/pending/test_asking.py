"""Questions that a thread waits for: put, answered by click, by word and by the model, overtaken, withdrawn (T6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.call import AskPerson, ResolveQuestion
from app.core.conversation.card import QuestionCard, ScheduleCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import PostEphemeral, ShowCard
from app.core.copy import texts
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.pending.answer_reading import MAX_TEXT, OTHER
from app.core.state.goal import TAKEN_BACK
from app.core.state.question import QuestionState
from app.core.state.status import Status, TurnState
from app.core.text.labels import MAX_LABEL
from tests.unit.core.live import CHOICE, CONFIRMATION, DAILY, INPUT, ONCE, Live
from tests.unit.core.lives import permitting, waiting
from tests.unit.core.threads import OTHER as STRANGER
from tests.unit.core.threads import OWNER, THREAD

OPEN_CHOICE = replace(CHOICE, other=True)


def closed(live: Live) -> tuple[QuestionState, str]:
    """How the newest question ended, and what its card says was answered."""
    card = live.card(QuestionCard)
    return card.state, card.answer


@pytest.fixture
def live() -> Live:
    return waiting()


@pytest.mark.req("S2-038")
@pytest.mark.req("S2-015", "S2-017", "S2-029")
def test_a_question_makes_the_thread_wait_and_is_shown_once_below_the_answer() -> None:
    live = Live().talks("Hi", CHOICE)
    assert (live.now.status, live.now.run) == (Status.WAITING_INPUT, TurnState.IDLE)
    asked, shown = live.now.question, live.shown(QuestionCard)
    assert asked
    assert (asked.prompt, asked.options, asked.asked_at) == ("Which one?", ("D1 Evening cover", "D2 Hiring"), live.ts)
    assert shown.card == QuestionCard(question=asked, owner=OWNER)
    assert (shown.role, shown.status, shown.seq) == (Role.CARD, MessageStatus.OPEN, asked.card)
    assert [effect.card for effect in live.new(ShowCard)] == [asked.card]
    assert live.now.cards == (asked.card,)


@pytest.mark.req("S2-020")
def test_a_question_is_in_the_trail_by_its_id() -> None:
    live = Live().talks("Hi", CHOICE)
    assert live.now.question
    assert live.path("status_transition") == [("active", "waiting_input")]
    assert live.path("question_asked") == [("", live.now.question.id)]
    id_ = live.now.question.id
    assert live.clicks("1").path("question_closed") == [(id_, "")]
    assert live.path("status_transition") == [("waiting_input", "active")]


def test_a_newer_question_overtakes_the_open_one_which_says_so(live: Live) -> None:
    first = live.shown(QuestionCard)
    live.talks("What do you mean?", INPUT)
    second = live.shown(QuestionCard)
    overtaken = live.rows[first.seq]
    assert isinstance(overtaken.card, QuestionCard)
    assert (overtaken.card.state, overtaken.status, overtaken.parts) == (
        QuestionState.SUPERSEDED,
        MessageStatus.COMPLETE,
        first.parts,
    )
    assert live.now.question
    assert (live.now.question.card, live.now.cards, live.now.status) == (
        second.seq,
        (second.seq,),
        Status.WAITING_INPUT,
    )


def test_two_questions_of_one_thread_never_have_the_same_id(live: Live) -> None:
    first = live.now.question
    live.clicks("0").replies("And", CHOICE)
    assert first
    assert live.now.question
    assert first.id != live.now.question.id


@pytest.mark.req("S2-018", "S2-030")
def test_a_click_answers_in_the_owners_name_and_the_thread_goes_on() -> None:
    live = waiting().clicks("1")
    said = live.transcript[-2]
    assert (said.role, said.text, said.author, said.ts) == (Role.PERSON, "D2 Hiring", OWNER, "")
    assert (live.now.status, live.now.question, live.now.cards) == (Status.ACTIVE, None, ())
    assert closed(live) == (QuestionState.ANSWERED, "D2 Hiring")
    assert (live.card(QuestionCard).by, live.card(QuestionCard).mapped) == (OWNER, False)
    assert live.now.run is TurnState.STREAMING


def test_a_form_answers_with_all_that_was_written() -> None:
    text = "word " * 100
    assert waiting(INPUT).clicks(text).transcript[-2].text == text.strip()


@pytest.mark.req("S2-040")
@pytest.mark.parametrize("text", ["d2 hiring", "2", "D2", "the second one"])
def test_a_choice_is_answered_by_its_label_its_number_or_its_beginning(text: str) -> None:
    live = waiting().says(text)
    assert closed(live) == (QuestionState.ANSWERED, "D2 Hiring")
    assert (live.now.status, live.now.run) == (Status.ACTIVE, TurnState.STREAMING)
    assert live.transcript[-2].text == text


@pytest.mark.req("S2-039")
@pytest.mark.parametrize(("text", "label"), [("yep, thanks", "Yes"), ("no", "No")])
def test_a_confirmation_is_answered_by_a_whole_yes_or_no(text: str, label: str) -> None:
    assert closed(waiting(CONFIRMATION).says(text)) == (QuestionState.ANSWERED, label)


def test_a_yes_with_a_but_answers_in_its_own_words_and_not_with_yes() -> None:
    live = waiting(CONFIRMATION).says("yes, but A2 is wrong")
    assert closed(live) == (QuestionState.ANSWERED, "yes, but A2 is wrong")
    assert live.now.status is Status.ACTIVE


@pytest.mark.req("S2-041")
def test_an_input_takes_any_text_that_asks_nothing() -> None:
    assert closed(waiting(INPUT).says("Eleven vans")) == (QuestionState.ANSWERED, "Eleven vans")
    assert waiting(INPUT).says("Why do you ask?").now.question


def test_something_else_is_an_answer_where_it_is_welcome() -> None:
    assert closed(waiting(OPEN_CHOICE).clicks(f"{OTHER}2")) == (QuestionState.ANSWERED, "2")
    live = waiting()
    assert live.refuses(live.click(f"{OTHER}neither")) == "BAD_ANSWER"
    assert [told.text for told in live.new(PostEphemeral)] == [texts.BAD_ANSWER]
    assert live.now.question


def test_a_counter_question_is_answered_in_chat_and_the_answer_points_at_what_is_still_open(live: Live) -> None:
    shown = live.shown(QuestionCard)
    live.says("What does D1 cost?")
    assert (live.now.status, live.now.run) == (Status.WAITING_INPUT, TurnState.STREAMING)
    live.replies("Two vans a week.")
    answer = live.transcript[-1]
    assert (answer.text, answer.still_open) == ("Two vans a week.", shown.parts[0])
    assert live.now.question
    assert live.now.question.card == shown.seq


def test_an_answer_points_at_nothing_when_it_asks_itself_or_when_the_question_is_nowhere_to_be_seen() -> None:
    assert Live().talks("Hi", CHOICE).transcript[1].still_open == ""
    unseen = Live().talks("Hi", CHOICE).talks("What?")
    assert unseen.transcript[-1].still_open == ""
    failed = waiting().says("What?").replies("", status=MessageStatus.FAILED)
    assert failed.transcript[-1].still_open == ""


@pytest.mark.req("FA-11")
def test_an_answer_that_asks_the_open_question_again_is_not_followed_by_a_pointer_to_it() -> None:
    asked = replace(CHOICE, prompt="Is losing the dairy something to decide, or something to achieve?")
    waits = waiting(asked).says("What about the yard?")
    again = waits.replies("Noted.\n\nIs the dairy something that you want to achieve?")
    assert again.transcript[-1].still_open == ""
    assert again.now.question
    other = waiting(asked).says("What about the yard?").replies("Noted.\n\nWho owns the yard?")
    assert other.transcript[-1].still_open == other.shown(QuestionCard).parts[0]


def test_the_model_may_say_what_a_reply_meant_and_the_card_tells_that_it_did() -> None:
    live = waiting().says("the one with people").replies("So hiring.", ResolveQuestion(value="D2 Hiring"))
    assert closed(live) == (QuestionState.ANSWERED, "D2 Hiring")
    assert live.card(QuestionCard).mapped
    assert (live.now.status, live.now.run) == (Status.ACTIVE, TurnState.IDLE)
    assert live.transcript[-2].still_open == live.transcript[-1].still_open == ""


def test_what_the_model_took_for_an_answer_means_nothing_once_the_owner_has_clicked() -> None:
    live = waiting().says("hm, the one with people")
    live.clicks("0").replies("So hiring.", ResolveQuestion(value="D2 Hiring"))
    assert closed(live) == (QuestionState.ANSWERED, "D1 Evening cover")
    assert [event.reason for event in live.made.audit if event.type == "illegal_transition"] == ["NO_QUESTION"]


def test_a_late_click_is_told_what_was_answered_and_changes_nothing(live: Live) -> None:
    card = live.shown(QuestionCard).seq
    live.clicks("1").replies()
    assert live.refuses(live.click("0", card=card)) == "QUESTION_CLOSED"
    (told,) = live.new(PostEphemeral)
    assert told.text == texts.ALREADY_ANSWERED.format(answer="D2 Hiring")
    assert closed(live) == (QuestionState.ANSWERED, "D2 Hiring")


def test_a_click_on_a_question_that_was_overtaken_does_not_answer_the_newer_one(live: Live) -> None:
    old = live.shown(QuestionCard).seq
    live.talks("What do you mean?", CONFIRMATION)
    assert live.refuses(live.click("0", card=old)) == "QUESTION_CLOSED"
    assert [told.text for told in live.new(PostEphemeral)] == [texts.ALREADY_DONE]
    assert live.now.question


def test_a_click_on_what_is_no_card_is_told_that_it_is_done() -> None:
    live = Live().talks()
    assert live.refuses(live.click("0", card=99)) == "QUESTION_CLOSED"
    assert [told.text for told in live.new(PostEphemeral)] == [texts.ALREADY_DONE]


def test_of_two_people_who_click_only_the_owner_answers(live: Live) -> None:
    assert live.refuses(live.click("0", STRANGER)) == "NOT_OWNER"
    assert [told.user for told in live.new(PostEphemeral)] == [STRANGER]
    assert live.now.question
    assert closed(live.clicks("1")) == (QuestionState.ANSWERED, "D2 Hiring")


def test_what_others_write_answers_nothing() -> None:
    live = waiting().says("the second one", STRANGER)
    assert (live.now.status, live.now.run) == (Status.WAITING_INPUT, TurnState.IDLE)


@pytest.mark.parametrize("value", ["7", "-1", "", "x"])
def test_a_click_that_is_no_option_is_refused(live: Live, value: str) -> None:
    assert live.refuses(live.click(value)) == "BAD_ANSWER"
    assert live.now.question


def test_a_text_longer_than_an_answer_may_be_leaves_the_question_open() -> None:
    assert waiting(INPUT).says("x" * (MAX_TEXT + 1)).now.question


@pytest.mark.parametrize("word", ["yes", "No."])
def test_yes_where_only_a_click_counts_is_pointed_at_the_buttons_and_answered_by_nobody(word: str) -> None:
    live = permitting().says(word)
    assert [told.text for told in live.new(PostEphemeral)] == [texts.USE_BUTTONS]
    assert (live.now.status, live.now.run, live.now.asked) == (Status.WAITING_INPUT, TurnState.AWAITING, ())
    assert live.transcript[-1].text == word


def test_an_answer_given_while_another_answer_is_written_waits_for_its_turn() -> None:
    live = waiting().says("What does D1 cost?").clicks("1")
    assert (live.now.question, live.now.run, len(live.now.asked)) == (None, TurnState.STREAMING, 1)
    assert live.replies("Two vans.").now.run is TurnState.STREAMING


@pytest.mark.req("S2-016", "S2-021", "S2-031")
def test_a_question_pauses_what_is_planned_and_its_answer_takes_it_up_at_its_next_time() -> None:
    live = waiting(CHOICE, DAILY)
    planned = live.card(ScheduleCard)
    assert (planned.paused, live.now.next_run) == (True, "2026-02-02T09:00:00+00:00")
    live.wait(24 * 60).clicks("0")
    assert (live.now.status, live.now.next_run) == (Status.BACKGROUND, "2026-02-03T09:00:00+00:00")
    assert (live.card(ScheduleCard).paused, live.card(ScheduleCard).next_run) == (False, live.now.next_run)
    assert live.shown(ScheduleCard).parts == (f"9.{live.shown(ScheduleCard).seq}",)


def test_what_was_to_happen_once_and_came_due_meanwhile_happens_after_the_answer() -> None:
    live = waiting(CHOICE, ONCE).wait(24 * 60).clicks("0")
    assert live.now.schedule
    assert live.now.next_run.startswith("2026-02-03T02:40")
    early = waiting(CHOICE, ONCE).clicks("0")
    assert early.now.next_run == "2026-02-02T12:00:00+00:00"


def test_an_answer_that_came_by_form_stands_on_its_card_whole_and_a_typed_one_by_its_beginning() -> None:
    words = "Eleven vans,\nand two of them on Sundays. " * 20
    assert closed(waiting(INPUT).clicks(f"{OTHER}{words}")) == (QuestionState.ANSWERED, words.strip())
    _, typed = closed(waiting(INPUT).says(words))
    assert len(typed) <= MAX_LABEL


@pytest.mark.parametrize(
    ("ask", "said", "first", "then"),
    [
        (CHOICE, "D2 Hiring", "D1", "2"),
        (CONFIRMATION, "yes", "no", "yes please"),
        (CONFIRMATION, "yes, but later", "yes, but sooner", "yes, but later"),
        (INPUT, "In March", "In May", "In March"),
        (CHOICE, "D2", "why do you ask?", "D2 Hiring"),
    ],
)
def test_the_card_keeps_what_was_acted_on_and_tells_while_the_message_says_something_else(
    ask: AskPerson, said: str, first: str, then: str
) -> None:
    live = waiting(ask).says(said)
    answer, ts = live.card(QuestionCard).answer, live.ts
    shown = list[tuple[bool, int]]()
    for text in (first, first, then):
        live.does(MessageEdited, ts=ts, text=text)
        shown.append((live.card(QuestionCard).outdated, len(live.new(ShowCard))))
    assert shown == [(True, 1), (True, 0), (False, 1)]
    assert live.card(QuestionCard).answer == answer


def test_a_free_answer_goes_with_its_message_also_if_that_was_reworded_before_it_was_read() -> None:
    live = waiting(INPUT).says("Why do you ask?").says("In May")
    answered = live.ts
    live.does(MessageEdited, ts=answered, text="In March")
    assert (live.card(QuestionCard).answer, live.card(QuestionCard).outdated) == ("In May", True)
    live.apply(MessageDeleted(receipt="d", thread=THREAD, ts=answered, at=live.ts), "d")
    assert (live.card(QuestionCard).answer, live.card(QuestionCard).outdated) == (TAKEN_BACK, False)


def test_an_edit_of_any_other_message_says_nothing_of_an_answer() -> None:
    live = waiting()
    before = live.ts
    live.clicks("0").replies().does(MessageEdited, ts=before, text="D2 Hiring")
    assert not live.card(QuestionCard).outdated
