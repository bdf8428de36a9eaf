"""What a refused event leaves behind: words, a mark, a line in the trail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.audit import AuditType
from app.core.conversation.card import PermissionCard
from app.core.conversation.effect import FinishReply, Offer, PostEphemeral, React
from app.core.copy import decision_steps, texts
from app.core.events.acts import (
    ArchiveRequested,
    EraseRequested,
    HelpRequested,
    ReopenRequested,
    StepRequested,
    StopRequested,
)
from app.core.events.heard import Event
from app.core.events.internal import TurnEnded
from app.core.machine.apply import refuse
from app.core.machine.refusals import MARKS, OFFERS, TELLING, TOO_FAST
from app.core.pending.answer_reading import OTHER as FORM
from app.core.reactions.messages import LOCKED
from tests.unit.core.interviews import confirming
from tests.unit.core.live import DAILY, INPUT, Live
from tests.unit.core.lives import archived, in_background, permitting, waiting
from tests.unit.core.threads import LATER, OTHER, OWNER, conversation, reply, retried


def left(live: Live, event: Event, code: str) -> tuple[list[PostEphemeral], list[React]]:
    effects = refuse(live.now, event, code, "cause", live.facts(event)).conversation.effects
    return [e for e in effects if isinstance(e, PostEphemeral)], [e for e in effects if isinstance(e, React)]


@pytest.fixture
def live() -> Live:
    return Live()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("ARCHIVED", "This conversation is archived. *Reopen* it to go on."),
        ("BAD_ANSWER", "Please pick one of these."),
        ("BUSY", "Still working on the last message; yours is next."),
        ("CANNOT_REVISE", decision_steps.CANNOT_REVISE),
        ("NOT_COMPLETE", decision_steps.NOT_COMPLETE),
        ("NOT_CONFIRMED", "There is nothing to approve yet."),
        ("NOT_OWNER", f"Only <@{OWNER}> can do that here."),
        ("NO_EXTRACTION", "Nothing captured yet."),
        ("NO_STREAM", texts.NO_STREAM),
        ("RATE_LIMITED", "A bit fast; try again in 7 s."),
        ("READ_ONLY", decision_steps.NOT_KEPT),
    ],
)
def test_a_refusal_is_told_in_the_words_that_are_laid_down_for_it(live: Live, code: str, words: str) -> None:
    (told,), _ = left(live, live.message("Hi", retry_after=7), code)
    assert told.text == words


@pytest.mark.parametrize("code", TELLING)
def test_every_code_that_people_are_told_of_has_a_whole_sentence(live: Live, code: str) -> None:
    (told,), _ = left(live, live.message("Hi", retry_after=7), code)
    assert (told.user, told.offer) == (OWNER, OFFERS.get(code))
    assert told.text.endswith((".", "?"))
    assert "{" not in told.text


@pytest.mark.req("NC-09")
def test_a_start_that_is_refused_is_answered_where_it_was_pressed(live: Live) -> None:
    pressed = live.event(StepRequested, OTHER, component="objectives", pressed_in="1770000009.000001")
    (told,), _ = left(live, pressed, "NOT_OWNER")
    assert (told.user, told.place) == (OTHER, "1770000009.000001")


@pytest.mark.req("NC-09", "S0-269")
def test_who_presses_what_no_longer_applies_is_told_why_in_the_seeds_words_and_what_to_do(live: Live) -> None:
    told = {
        "CANNOT_REVISE": ("Cannot revise completed conversation: ", "*Discuss again*"),
        "NOT_COMPLETE": ("Can only reopen completed conversations: ", "Write what"),
        "NO_STREAM": ("Nothing is being written here", "nothing to stop"),
    }
    for code, (seed, way) in told.items():
        (words,), _ = left(live, live.event(StopRequested, OTHER), code)
        assert words.user == OTHER
        assert words.text.startswith(seed)
        assert way in words.text


def test_only_codes_that_people_are_told_of_leave_marks_and_offers() -> None:
    assert set(MARKS) | set(OFFERS) <= set(TELLING)


@pytest.mark.parametrize("code", ["STALE_RUN", "ILLEGAL", "UNHEARD"])
def test_of_what_only_we_know_people_hear_nothing(live: Live, code: str) -> None:
    assert left(live, live.message("Hi"), code) == ([], [])


@pytest.mark.parametrize("kind", [StopRequested, ArchiveRequested, ReopenRequested])
def test_a_word_that_was_written_is_marked_and_a_button_that_was_pressed_is_not(
    live: Live,
    kind: type[StopRequested] | type[ArchiveRequested] | type[ReopenRequested],
) -> None:
    written, pressed = live.event(kind, OTHER, written=True), live.event(kind, OTHER)
    assert [(mark.ts, mark.name) for mark in left(live, written, "NOT_OWNER")[1]] == [(written.ts, LOCKED)]
    assert left(live, pressed, "NOT_OWNER")[1] == []


def test_the_wish_to_erase_and_a_word_that_is_asked_are_always_written(live: Live) -> None:
    assert left(live, live.event(EraseRequested, OTHER), "NOT_OWNER")[1]
    assert left(live, live.event(HelpRequested, OTHER, word="status"), "NOT_OWNER")[1]


def test_who_writes_too_fast_is_marked_by_a_snail(live: Live) -> None:
    assert [mark.name for mark in left(live, live.message("Hi", retry_after=3), "RATE_LIMITED")[1]] == [TOO_FAST]


def test_whoever_asks_for_what_is_archived_is_offered_to_reopen_it() -> None:
    live = archived()
    assert [told.offer for told in left(live, live.message("Hi"), "ARCHIVED")[0]] == [Offer.REOPEN]


@pytest.mark.parametrize("code", ["NO_QUESTION", "QUESTION_CLOSED"])
def test_a_question_that_was_answered_tells_its_answer_and_one_that_was_withdrawn_does_not(code: str) -> None:
    live = waiting()
    card = live.now.cards[0]
    live.clicks("1")
    (told,), _ = left(live, live.click("0", card=card), code)
    assert told.text == texts.ALREADY_ANSWERED.format(answer="D2 Hiring")
    live = waiting()
    card = live.now.cards[0]
    live.archives(confirmed=True).reopens()
    (told,), _ = left(live, live.click("0", card=card), code)
    assert told.text == texts.ALREADY_DONE


def test_a_late_click_on_a_permission_is_told_that_everything_was_allowed() -> None:
    live = permitting()
    asked = live.shown(PermissionCard)
    together = ("post to #ops", "post to #team")
    live.rows[asked.seq] = replace(asked, card=replace(live.card(PermissionCard), together=together, all_allowed=True))
    (told,), _ = left(live, live.click("0", card=asked.seq), "QUESTION_CLOSED")
    assert told.text == texts.ALREADY_ANSWERED.format(answer="Allow all 2 this time")


def test_an_answer_that_is_no_option_is_not_told_that_it_was_answered() -> None:
    live = waiting().clicks("1")
    (told,), _ = left(live, live.click("7", card=3), "BAD_ANSWER")
    assert told.text == texts.BAD_ANSWER


@pytest.mark.req("S0-021")
def test_what_others_may_not_is_in_the_trail_with_who_tried() -> None:
    live = waiting()
    for event in (live.click("0", OTHER), live.event(EraseRequested, OTHER)):
        (line,) = refuse(live.now, event, "NOT_OWNER", "cause").audit
        assert (line.type, line.actor, line.correlation) == (AuditType.AUTHORIZATION_FAILED, OTHER, "cause")


def test_a_long_answer_is_told_by_its_beginning() -> None:
    live = waiting(INPUT)
    card = live.now.cards[0]
    live.clicks(f"{FORM}{'Eleven vans. ' * 100}")
    (told,), _ = left(live, live.click("0", card=card), "QUESTION_CLOSED")
    assert told.text.startswith("That was already answered (Eleven vans. ")
    assert len(told.text) < 150


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("BUSY", texts.BUSY),
        ("NOT_OWNER", texts.NOT_OWNER.format(owner=f"<@{OWNER}>")),
        ("QUESTION_CLOSED", texts.ALREADY_DONE),
        ("NO_STREAM", texts.NO_STREAM),
    ],
)
def test_somebody_who_pressed_in_vain_is_told_why_and_nothing_else_happens(code: str, text: str) -> None:
    before = conversation(effects=(FinishReply(id="before:0", reply=2),))
    after = refuse(before, retried(None, OTHER), code, "action:1").conversation
    told = PostEphemeral(id="action:1:0", user=OTHER, text=text)
    assert after == replace(before, effects=(*before.effects, told))


@pytest.mark.parametrize(
    ("live", "standing"),
    [
        (waiting(INPUT), [texts.QUESTION_STANDS]),
        (waiting(INPUT, DAILY), [texts.QUESTION_STANDS, texts.PLAN_STANDS]),
        (in_background(), [texts.PLAN_STANDS]),
        (confirming(), []),
    ],
    ids=["a question", "both", "a plan", "a draft"],
)
def test_who_says_stop_and_nothing_is_written_is_told_how_to_end_what_stands(live: Live, standing: list[str]) -> None:
    (told,), _ = left(live, live.event(StopRequested), "NO_STREAM")
    assert told.text == " ".join((texts.NO_STREAM, *standing))


def test_nobody_is_told_that_a_late_result_was_refused() -> None:
    before = conversation()
    late = TurnEnded(at=LATER, turn="2.4", reply=reply(2, ""))
    assert refuse(before, late, "STALE_RUN", "2.4").conversation is before
