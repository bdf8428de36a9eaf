"""Plans and archived conversations in Slack: what is told of them, and the buttons that end them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import FiledCard, ScheduleCard, ScheduleState
from app.core.copy import texts
from app.core.state.schedule import Schedule, ScheduleKind
from handlers.slack import action_ids
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
