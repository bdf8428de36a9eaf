"""The verdict itself: it must find what is wrong, and find nothing where nothing is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.copy import texts
from app.playground.slack import Message
from tests.crash import answers
from tests.crash.verdict import Card, Ending, Kind, Said, Shown, Thread, card, judge, replies, settled, shown

FIRST, SECOND = Said("q0.0", "1.0"), Said("q0.1s", "3.0")
INTERRUPTED = "I was interrupted here."


def answer(*tokens: str, ts: str = "2.0") -> Shown:
    return Shown(ts, answers.whole(tokens))


def cut(*tokens: str, ts: str = "2.0", notice: str = "", retry: bool = False) -> Shown:
    return Shown(ts, answers.whole(tokens)[:40], notice, retry)


def found(*seen: Shown, said: tuple[Said, ...] = (FIRST,), whispers: tuple[str, ...] = ()) -> list[Kind]:
    return [wrong.kind for wrong in judge(Thread("a thread", said, seen, whispers)).wrong]


def test_one_whole_answer_to_each_message_is_right() -> None:
    thread = Thread("a thread", (FIRST, SECOND), (answer("q0.0"), answer("q0.1s", ts="4.0")))
    verdict = judge(thread)
    assert (verdict.whole, verdict.marked, verdict.wrong) == (2, 0, ())


def test_one_answer_may_answer_several_messages() -> None:
    assert found(answer("q0.0", "q0.1s", ts="4.0"), said=(FIRST, SECOND)) == []


def test_pages_that_follow_each_other_are_one_answer() -> None:
    text = answers.whole(["q0.0l"])
    pages = (Shown("2.0", text[:3000]), Shown("3.0", text[3000:6000]), Shown("4.0", text[6000:]))
    assert [reply.ending for reply in replies(pages)] == [Ending.WHOLE]
    assert found(*pages, said=(replace(FIRST, token="q0.0l"),)) == []


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_page_that_is_missing_is_found(missing: int) -> None:
    text = answers.whole(["q0.0l"])
    pages = [Shown("2.0", text[:3000]), Shown("3.0", text[3000:6000]), Shown("4.0", text[6000:])]
    del pages[missing]
    assert Kind.LOST in found(*pages, said=(replace(FIRST, token="q0.0l"),))


def test_a_message_without_an_answer_is_lost() -> None:
    assert found() == [Kind.LOST]
    assert found(answer("q0.0"), said=(FIRST, SECOND)) == [Kind.LOST]


def test_a_half_answer_is_found_even_beside_a_whole_one() -> None:
    assert Kind.HALF in found(cut("q0.0"), answer("q0.0", ts="3.0"))


def test_a_message_that_was_answered_twice_is_found() -> None:
    assert Kind.TWICE in found(answer("q0.0"), answer("q0.0", "q0.1s", ts="4.0"), said=(FIRST, SECOND))


def test_the_same_words_twice_are_found() -> None:
    assert Kind.TWICE in found(answer("q0.0"), answer("q0.0", ts="3.0"))


def test_an_answer_that_was_begun_twice_for_one_message_is_found_though_both_are_marked() -> None:
    twice = (cut("q0.0", notice=INTERRUPTED, retry=True), cut("q0.0", ts="3.0", notice=INTERRUPTED, retry=True))
    assert found(*twice) == [Kind.TWICE]


def test_two_interrupted_answers_to_two_messages_may_begin_alike() -> None:
    alike = (cut("q0.0", notice=INTERRUPTED, retry=True), cut("q0.0", ts="4.0", notice=INTERRUPTED, retry=True))
    assert found(*alike, said=(FIRST, replace(SECOND, wish="nothing"))) == []


def test_an_interrupted_answer_with_retry_is_no_fault_and_is_counted() -> None:
    verdict = judge(Thread("a thread", (FIRST,), (cut("q0.0", notice=INTERRUPTED, retry=True),)))
    assert (verdict.whole, verdict.marked, verdict.wrong) == (0, 1, ())


def test_a_mark_without_a_word_stands_for_what_was_said_before_it_and_not_after() -> None:
    mark = Shown("2.0", "", INTERRUPTED, offers_retry=True)
    assert found(mark) == []
    assert found(mark, said=(FIRST, SECOND)) == [Kind.LOST]


def test_a_failure_under_which_nothing_can_be_pressed_is_found() -> None:
    assert Kind.HALF in found(cut("q0.0", notice="I could not ask Claude this."))


def test_an_answer_that_was_stopped_is_an_end_for_who_wanted_one_and_no_answer() -> None:
    stopped = cut("q0.0", notice=texts.STOPPED)
    assert found(stopped, said=(replace(FIRST, wish="end"),)) == []
    assert found(stopped) == [Kind.LOST]
    assert found(said=(replace(FIRST, wish="end"),)) == [Kind.LOST]


def test_a_message_that_was_taken_back_may_have_an_answer_or_none() -> None:
    withdrawn = replace(FIRST, wish="nothing")
    assert found(said=(withdrawn,)) == []
    assert found(answer("q0.0"), said=(withdrawn,)) == []


def test_an_answer_to_what_nobody_said_is_found() -> None:
    assert Kind.STRAY in found(answer("q0.0"), answer("q7.7", ts="3.0"))


def test_somebody_else_s_message_must_be_marked_and_not_answered() -> None:
    other = replace(FIRST, wish="lock")
    assert found(said=(other,)) == [Kind.STRAY]
    assert found(said=(replace(other, marks=frozenset({"lock"})),), whispers=("Only the owner …",)) == []
    assert Kind.STRAY in found(answer("q0.0"), said=(replace(other, marks=frozenset({"lock"})),))


def test_a_whisper_that_is_repeated_is_found() -> None:
    other = replace(FIRST, wish="lock", marks=frozenset({"lock"}))
    assert found(said=(other,), whispers=("Only …", "Only …")) == [Kind.TWICE]


def test_a_mark_that_should_be_gone_is_found() -> None:
    assert found(answer("q0.0"), said=(replace(FIRST, marks=frozenset({"hourglass_flowing_sand"})),)) == [Kind.STRAY]


def judged(*questions: Card) -> list[Kind]:
    thread = Thread("a thread", (FIRST, SECOND), (answer("q0.0"), answer("q0.1s", ts="4.0")), cards=questions)
    return [wrong.kind for wrong in judge(thread).wrong]


def test_a_question_that_stands_there_twice_is_found() -> None:
    asked = Card("2.5", "❓ Which?", "q0.9b")
    assert judged(asked) == []
    assert judged(asked, replace(asked, ts="2.6")) == [Kind.TWICE]


def test_a_question_that_was_answered_and_kept_its_buttons_is_found() -> None:
    assert judged(Card("2.5", "❓ Which?", SECOND.token)) == [Kind.HALF]
    assert judged(Card("2.5", "❓ Which?")) == []


def test_a_question_is_read_as_people_see_it_and_is_no_answer() -> None:
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "❓ Which?"}},
        {"type": "actions", "elements": [{"action_id": "answer:0", "text": {"type": "plain_text", "text": "q0.0b"}}]},
    ]
    assert card(Message("C1", "2.0", "U1", "❓ Which?", "1.0", blocks)) == Card("2.0", "❓ Which?", "q0.0b")
    assert card(Message("C1", "2.0", "U1", "Hello", "1.0", None)) is None


def test_a_message_is_settled_by_a_whole_answer_or_a_mark_and_not_by_half_of_one() -> None:
    assert settled(FIRST, replies([answer("q0.0")]))
    assert settled(FIRST, replies([cut("q0.0", notice=INTERRUPTED, retry=True)]))
    assert not settled(FIRST, replies([cut("q0.0")]))
    assert not settled(FIRST, replies([]))


def test_a_message_is_read_as_people_see_it() -> None:
    blocks = [
        {"type": "markdown", "text": "Answer to q0.0: w"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": INTERRUPTED}]},
        {"type": "actions", "elements": [{"type": "button", "action_id": "retry", "text": {"text": "Retry"}}]},
    ]
    message = Message("C1", "2.0", "U1", "a twin for notifications", blocks=blocks)
    assert shown(message) == Shown("2.0", "Answer to q0.0: w", INTERRUPTED, offers_retry=True)
    assert shown(replace(message, blocks=None)).words == "a twin for notifications"


def test_an_interrupted_answer_needs_retry_until_a_later_answer_has_overtaken_it() -> None:
    cut = Shown("2.0", "Answer to q0.0: w", INTERRUPTED)
    alone = judge(Thread("t", [Said("q0.0", "1.0")], [cut]))
    assert [wrong.kind for wrong in alone.wrong if "refused" in wrong.what] == [Kind.HALF]
    later = judge(Thread("t", [Said("q0.0", "1.0"), Said("q0.1", "3.0")], [cut, answer("q0.1", ts="4.0")]))
    assert (later.whole, later.marked, later.wrong) == (1, 1, ())
