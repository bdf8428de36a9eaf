"""Plans, questions and archived conversations in Slack: what is told of them, and the buttons below."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import FiledCard, QuestionCard, ScheduleCard, ScheduleState
from app.core.copy import texts
from app.core.errors import IllegalEvent
from app.core.pending.answer_reading import MAX_PROMPT, normalize_question
from app.core.state.question import Question, QuestionKind, QuestionState
from app.core.state.schedule import Schedule, ScheduleKind
from handlers.slack import action_ids
from handlers.slack.action_ids import ANSWER_BUTTONS
from handlers.views.cards.thread_cards import SECTION_CHARS
from handlers.views.kit.blocks import LABEL_CHARS, RenderedMessage
from tests.unit.handlers.shown import AT, AT_0244, HARD, ROOT, controls, markup, pressed, said, show, small

MONDAYS = Schedule(
    kind=ScheduleKind.CRON, zone="Europe/Berlin", cron="0 9 * * 1", instruction="Post the digest\nto #ops"
)
PLANNED = ScheduleCard(schedule=MONDAYS, next_run="2026-02-09T08:00:00+00:00", at=AT)


# --- schedules --------------------------------------------------------------------------------------


@pytest.mark.req("S2-054", "S2-055")
def test_a_schedule_is_told_in_words_with_its_next_run_on_the_readers_clock() -> None:
    rendered = show(PLANNED)
    assert said(rendered) == ["⏰ *Every Monday at 09:00 (Berlin)*\nPost the digest"]
    moment = int(datetime(2026, 2, 9, 8, tzinfo=UTC).timestamp())
    assert small(rendered) == [
        f"Next: <!date^{moment}^{{date_short_pretty}} at {{time}}, your time|9 Feb 09:00 (Berlin)>"
    ]


def test_a_schedule_can_be_cancelled_and_slack_asks_first() -> None:
    _, cancel = controls(show(PLANNED, 7))
    assert (cancel["action_id"], cancel["value"]) == (action_ids.CANCEL_SCHEDULE, "7")
    assert "every Monday at 09:00 (Berlin)" in cancel["confirm"]["text"]["text"]
    assert len(cancel["confirm"]["text"]["text"]) <= 300  # Slack's limits of a dialog
    assert len(cancel["confirm"]["title"]["text"]) <= 100
    assert max(len(cancel["confirm"][answer]["text"]) for answer in ("confirm", "deny")) <= 30


@pytest.mark.req("S2-016")
def test_a_schedule_that_waits_for_an_answer_says_so_and_can_still_be_cancelled() -> None:
    rendered = show(replace(PLANNED, paused=True))
    assert small(rendered) == [texts.SCHEDULE_PAUSED]
    assert len(controls(rendered)) == 2


@pytest.mark.parametrize(
    ("held", "action", "label"),
    [(False, action_ids.PAUSE_SCHEDULE, "Pause"), (True, action_ids.RESUME_SCHEDULE, "Resume")],
)
@pytest.mark.parametrize("asks", [True, False])
def test_a_schedule_can_be_paused_and_then_says_so_and_can_be_resumed(
    *, held: bool, action: str, label: str, asks: bool
) -> None:
    rendered = show(replace(PLANNED, held=held, paused=asks), 7)
    first = controls(rendered)[0]
    assert (first["action_id"], first["text"]["text"], first["value"]) == (action, label, "7")
    assert (texts.SCHEDULE_HELD in small(rendered)) is held


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (ScheduleState.REPLACED, texts.SCHEDULE_REPLACED),
        (ScheduleState.CANCELLED, texts.SCHEDULE_CANCELLED),
        (ScheduleState.DONE, texts.SCHEDULE_DONE),
    ],
)
def test_a_schedule_that_is_over_says_how_and_cannot_be_cancelled(state: ScheduleState, line: str) -> None:
    rendered = show(replace(PLANNED, state=state, next_run=""))
    assert (small(rendered), controls(rendered)) == ([line], [])


def test_a_schedule_without_a_next_run_tells_none() -> None:
    assert small(show(replace(PLANNED, next_run=""))) == []


@pytest.mark.parametrize("instruction", ["", " \n "])
def test_a_schedule_without_an_instruction_is_one_line(instruction: str) -> None:
    assert said(show(replace(PLANNED, schedule=replace(MONDAYS, instruction=instruction)))) == [
        "⏰ *Every Monday at 09:00 (Berlin)*"
    ]


def test_an_instruction_pings_nobody_and_is_cut_where_it_is_long() -> None:
    (sentence,) = said(show(replace(PLANNED, schedule=replace(MONDAYS, instruction="<!here> " + "&" * 9_000))))
    assert "<" not in sentence
    assert sentence.endswith("&amp;…")


# --- put away and taken up again --------------------------------------------------------------------


@pytest.mark.req("S2-026")
def test_an_archived_conversation_says_by_whom_and_can_be_reopened() -> None:
    rendered = show(FiledCard(by="U1", at=AT))
    assert said(rendered) == [f"📦 Archived by <@U1> · {AT_0244}"]
    assert pressed(rendered) == [(texts.REOPEN, action_ids.REOPEN, ROOT)]


def test_a_reopened_conversation_says_by_whom() -> None:
    rendered = show(FiledCard(by="U1", at=AT, reopened=True))
    assert small(rendered) == [f"Reopened by <@U1> · {AT_0244}"]
    assert controls(rendered) == []


def test_what_the_app_reopened_itself_is_not_told_in_somebodys_name() -> None:
    rendered = show(FiledCard(by="U1", at=AT, reopened=True, silent=True))
    told = f"<@U1>, a step of this decision is in use, so I have reopened it and forget nothing · {AT_0244}"
    assert small(rendered) == [told]
    assert controls(rendered) == []


def test_where_archived_conversations_are_erased_the_card_says_on_which_day_so_that_it_can_be_reopened_in_time() -> (
    None
):
    rendered = show(FiledCard(by="U1", at=AT, ends="1796476044.000000"))
    day = "<!date^1796476044^{date_short}|5 Dec 2026 (UTC)>"
    warning = f"If it is not reopened, I forget it on {day}. The messages in Slack stay."
    assert said(rendered) == [f"📦 Archived by <@U1> · {AT_0244}\n{warning}"]


def test_of_what_was_forgotten_in_the_archive_the_card_says_so_and_offers_nothing() -> None:
    rendered = show(FiledCard(by="U1", at=AT, ends="1796476044.000000", forgotten=True))
    told = "I have forgotten it since. The messages in Slack stay."
    assert small(rendered) == [f"📦 Archived by <@U1> · {AT_0244}\n{told}"]
    assert controls(rendered) == []


# --- whatever is planned ---


@given(HARD, st.sampled_from(["0 9 * * *", ",".join(map(str, range(60))) + " 1,3,5 1-9 */2 1,5"]), st.booleans())
def test_slack_takes_every_schedule(instruction: str, cron: str, paused: bool) -> None:
    schedule = replace(MONDAYS, cron=cron, instruction=instruction)
    for state in ScheduleState:
        rendered = show(replace(PLANNED, schedule=schedule, state=state, paused=paused))
        assert all(found.startswith("<!date^") for found in markup(rendered))


def test_what_runs_at_once_or_at_a_time_is_told_too() -> None:
    at_once = Schedule(kind=ScheduleKind.IMMEDIATE, zone="UTC", instruction="Look")
    once = Schedule(kind=ScheduleKind.SCHEDULED, zone="UTC", run_at="2026-02-09T08:00:00+00:00", instruction="Look")
    assert said(show(replace(PLANNED, schedule=at_once)))[0].startswith("⏰ *As soon as possible")
    assert said(show(replace(PLANNED, schedule=once)))[0].startswith("⏰ *On 9 Feb 2026 at 08:00")


CHOICE = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which decision do we focus on?", options=("D1", "D2"))
CONFIRMATION = Question(id="1.2", kind=QuestionKind.CONFIRMATION, prompt="Shall I?", options=("Yes", "No"))
INPUT = Question(id="1.2", kind=QuestionKind.INPUT, prompt="By when?")


def ask(question: Question, **changes: Any) -> RenderedMessage:
    return show(QuestionCard(question=question, owner="U1", **changes))


# --- questions --------------------------------------------------------------------------------------


@pytest.mark.req("S2-040", "S2-053")
def test_a_choice_mentions_who_is_asked_and_has_a_button_for_each_option() -> None:
    rendered = ask(CHOICE)
    assert rendered.text == "❓ <@U1> Which decision do we focus on?"
    assert said(rendered) == [rendered.text]
    assert pressed(rendered) == [("D1", "answer:0", "12:0"), ("D2", "answer:1", "12:1")]
    assert small(rendered) == ["Or reply with your answer."]


def test_of_the_options_of_a_choice_none_is_recommended() -> None:
    assert not any("style" in control for control in controls(ask(CHOICE)))


def test_a_choice_that_welcomes_something_else_opens_a_form_for_it() -> None:
    rendered = ask(replace(CHOICE, other=True))
    assert pressed(rendered)[-1] == (texts.SOMETHING_ELSE, action_ids.ANSWER_FORM, "12")


@pytest.mark.req("S2-040")
def test_more_options_than_fit_in_a_row_of_buttons_are_a_select() -> None:
    labels = tuple(f"Plan {number}" for number in range(len(ANSWER_BUTTONS) + 1))
    select, other = controls(ask(replace(CHOICE, options=labels, other=True)))
    assert (select["type"], select["action_id"]) == ("static_select", action_ids.ANSWER_SELECT)
    assert [(o["text"]["text"], o["value"]) for o in select["options"]] == [
        (label, f"12:{place}") for place, label in enumerate(labels)
    ]
    assert other["action_id"] == action_ids.ANSWER_FORM


def test_four_options_are_still_buttons() -> None:
    assert len(pressed(ask(replace(CHOICE, options=("a", "b", "c", "d"))))) == len(ANSWER_BUTTONS)


@pytest.mark.req("S2-039", "M-006", "S2-053")
def test_a_confirmation_is_two_buttons_and_the_first_stands_out() -> None:
    rendered = ask(CONFIRMATION)
    assert pressed(rendered) == [("Yes", "answer:0", "12:0"), ("No", "answer:1", "12:1")]
    assert [control.get("style") for control in controls(rendered)] == ["primary", None]
    assert small(rendered) == ["Or reply yes or no."]


@pytest.mark.req("AG-17")
@pytest.mark.parametrize("question", [CHOICE, CONFIRMATION, INPUT])
def test_a_question_for_which_nothing_is_paused_does_not_say_so(question: Question) -> None:
    assert "pause" not in " ".join((*said(ask(question)), *small(ask(question)))).lower()


@pytest.mark.req("S2-041", "S2-053")
def test_an_input_is_answered_in_a_form_or_in_the_thread() -> None:
    rendered = ask(INPUT)
    assert pressed(rendered) == [(texts.ANSWER, action_ids.ANSWER_FORM, "12")]
    assert small(rendered) == ["Or just reply here."]


def test_a_prompt_pings_nobody_but_the_owner_and_hides_no_link() -> None:
    (sentence,) = said(ask(replace(INPUT, prompt="<!channel> @here <@U2> *now* [here](javascript:x) a < b & c")))
    assert sentence.startswith("❓ <@U1> ")
    rest = sentence.removeprefix("❓ <@U1> ")
    assert "<" not in rest
    assert "@here" not in rest
    assert "@channel" not in rest
    assert "a &lt; b &amp; c" in rest


def test_a_prompt_that_its_escapes_make_too_long_is_shown_whole_without_them() -> None:
    prompt = "&" * MAX_PROMPT
    assert said(ask(replace(INPUT, prompt=prompt))) == ["❓ <@U1> ", prompt]


def test_the_longest_prompt_stands_beside_the_mention() -> None:
    assert said(ask(replace(INPUT, prompt="x" * MAX_PROMPT))) == [f"❓ <@U1> {'x' * MAX_PROMPT}"]


# --- closed questions -------------------------------------------------------------------------------


def test_an_answered_question_tells_what_by_whom_and_when_and_can_be_pressed_no_more() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D1 Evening cover", by="U1", at=AT)
    assert controls(rendered) == []
    assert small(rendered) == [f"✅ *D1 Evening cover* · <@U1> · {AT_0244}"]
    assert said(rendered) == ["❓ <@U1> Which decision do we focus on?"]


def test_an_answer_that_the_model_understood_says_how_it_was_taken() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D2", by="U1", at=AT, mapped=True)
    assert small(rendered) == [f"✅ *D2* · <@U1> · {AT_0244} · taken from your message"]


def test_an_answer_whose_message_was_edited_stays_and_says_so() -> None:
    rendered = ask(CHOICE, state=QuestionState.ANSWERED, answer="D2 Hiring", by="U1", at=AT, outdated=True)
    assert small(rendered) == [f"✅ *D2 Hiring* · <@U1> · {AT_0244} · the message was changed afterwards"]


def test_an_answer_pings_nobody() -> None:
    (line,) = small(ask(CHOICE, state=QuestionState.ANSWERED, answer="<!here> <@U2>", by="U1", at=AT))
    assert line.count("<") == 2  # whose answer it was, and when


def test_a_long_answer_is_shown_whole_because_a_form_leaves_it_nowhere_else() -> None:
    answer = "x" * SECTION_CHARS
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer=answer, by="U1", at=AT)
    assert said(rendered)[1:] == [answer]
    assert small(rendered) == [f"✅ <@U1> · {AT_0244}"]


def test_an_answer_of_two_lines_is_no_label() -> None:
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer="Eleven vans,\ntwo drivers", by="U1", at=AT)
    assert said(rendered)[1:] == ["Eleven vans,\ntwo drivers"]


def test_an_answer_that_is_longer_than_a_form_takes_was_typed_and_is_cut() -> None:
    rendered = ask(INPUT, state=QuestionState.ANSWERED, answer="x" * 10_000, by="U1", at=AT)
    assert said(rendered)[1:] == ["x" * (SECTION_CHARS - 1) + "…"]


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (QuestionState.SUPERSEDED, "A newer question replaced this one."),
        (QuestionState.CANCELLED, "No answer is needed any more."),
    ],
)
def test_a_question_that_needs_no_answer_says_why_and_can_be_pressed_no_more(state: QuestionState, line: str) -> None:
    rendered = ask(CHOICE, state=state, at=AT)
    assert (small(rendered), controls(rendered)) == ([line], [])


# --- whatever is asked ---


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any question that can be put."""
    kind = draw(st.sampled_from(QuestionKind))
    options = draw(st.lists(HARD, min_size=2, max_size=10)) if kind is QuestionKind.CHOICE else []
    prompt = draw(HARD)[:MAX_PROMPT]
    asked = Question(id="q", kind=kind, prompt=prompt, options=tuple(options), other=draw(st.booleans()))
    try:
        return normalize_question(asked)
    except IllegalEvent:
        return CHOICE


@given(questions(), st.sampled_from(QuestionState), st.integers(1, 10**9 - 1))
def test_slack_takes_every_question_and_no_option_is_lost(question: Question, state: QuestionState, seq: int) -> None:
    card = QuestionCard(question=question, owner="U0LONGER01", state=state, answer=question.prompt, by="U1", at=AT)
    rendered = show(card, seq)
    assert markup(rendered) <= {"<@U0LONGER01>", "<@U1>", AT_0244}
    if state is not QuestionState.OPEN:
        return
    offered = [(c["text"]["text"], c["value"]) for c in controls(rendered) if c["type"] == "button"]
    offered += [(o["text"]["text"], o["value"]) for c in controls(rendered) for o in c.get("options", ())]
    for place, label in enumerate(question.options):
        assert (label, f"{seq}:{place}") in offered
        assert len(label) <= LABEL_CHARS
    forms = [c for c in controls(rendered) if c["action_id"] == action_ids.ANSWER_FORM]
    assert len(forms) == (question.other or question.kind is QuestionKind.INPUT)
