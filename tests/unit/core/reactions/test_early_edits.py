"""A correction or a deletion that is heard before its message: what was corrected is taken in as it reads by then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import Conversation, EarlyEdit
from app.core.conversation.facts import Facts
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.machine import apply
from app.core.reactions.messages import EARLY_SECONDS, MOST_EARLY
from app.core.state.decision import Decision
from app.core.state.interview import InterviewCommand, Phase
from tests.unit.core.interviews import complete, gathering
from tests.unit.core.threads import THREAD, conversation, edited, posted, said

HEARD = posted(9, "There are 40 of us")


def corrected(now: Conversation, text: str = "There are 14 of us", **values: Any) -> Conversation:
    """The correction of a message that has not come."""
    return apply.apply(now, replace(edited(said(9, ""), text), **values), "e", Facts()).conversation


def test_a_message_that_was_corrected_before_it_came_is_taken_in_as_corrected() -> None:
    now = corrected(corrected(conversation(head=1), "There are 20 of us"))
    made = apply.apply(now, HEARD, "m", Facts())
    assert [row.text for row in made.messages if row.ts == HEARD.ts] == ["There are 14 of us"]
    assert made.conversation.early == ()
    other = apply.apply(now, posted(10, "Hello"), "o", Facts())
    assert [row.text for row in other.messages if row.ts] == ["Hello"]
    assert other.conversation.early == now.early


def test_words_that_were_corrected_meanwhile_are_no_command() -> None:
    step = gathering()
    event = step.message("done", signal=InterviewCommand.DONE)
    step.now = replace(step.now, early=(EarlyEdit(ts=event.ts, at=event.at, text="not done yet"),))
    step.apply(event, "m")
    assert step.now.phase is not Phase.EXTRACT
    assert "not done yet" in [row.text for row in step.transcript]


@pytest.mark.req("IN-05")
def test_what_is_deleted_before_it_comes_leaves_no_words_behind() -> None:
    now = corrected(conversation(head=1))
    gone = MessageDeleted(receipt="d", thread=THREAD, ts=HEARD.ts, at="1770001000.000001")
    assert gone.undone == f"message:{THREAD.team}:{THREAD.channel}:{HEARD.ts}"
    assert apply.apply(now, gone, "d", Facts()).conversation.early == ()


def test_corrections_without_a_message_are_few_and_forgotten() -> None:
    now = conversation(head=1)
    for number in range(MOST_EARLY + 5):
        now = corrected(now, ts=f"1770000000.{number + 100:06d}")
    assert len(now.early) == MOST_EARLY
    assert now.early[0].ts == "1770000000.000105"
    late = f"{float(now.early[0].at) + EARLY_SECONDS:.6f}"
    assert apply.apply(now, replace(posted(9, "Hi"), ts=late), "m", Facts()).conversation.early == ()


@pytest.mark.parametrize(
    "now",
    [
        conversation(decision=Decision(question="Which?", steps=())),
        complete().now,
    ],
    ids=["a hub", "a finished step"],
)
def test_a_correction_is_not_kept_where_its_message_would_not_be(now: Conversation) -> None:
    assert corrected(now).early == ()


def test_a_correction_of_an_old_message_is_not_kept() -> None:
    event: MessageEdited = replace(edited(said(9, ""), "x"), at=f"{1770000000 + EARLY_SECONDS + 1:.6f}")
    assert apply.apply(conversation(head=1), event, "e", Facts()).conversation.early == ()
