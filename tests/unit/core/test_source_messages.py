"""A step was drafted from another thread: what is changed there reaches the step, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.conversation import BEFORE, Message, MessageStatus, Role
from app.core.conversation.effect import Offer, PostEphemeral, RedactQuotes
from app.core.conversation.facts import MessageUse
from app.core.copy import decision_steps
from app.core.events.heard import MessageChange, MessageDeleted, MessageEdited, build_copy
from app.core.machine.apply import find_refusal
from app.core.thread import ThreadKey
from tests.unit.core.interviews import StepThread, complete
from tests.unit.core.threads import OTHER, OWNER, THREAD

ORIGIN = ThreadKey(team="T1", channel="C9", root="1769999990.000001")
BESIDE = replace(ORIGIN, channel=THREAD.channel)
"""A thread in the step's own channel."""
TS, SAID = "1769999999.000001", "Evenings are not covered in Leeds."
USES = (MessageUse(title="Objectives", version=1), MessageUse(title="Tradeoffs", version=2, elsewhere="1770000000.9"))


def edited(origin: ThreadKey = ORIGIN, ts: str = TS) -> MessageChange:
    """Somebody writes another town into their message there."""
    event = MessageEdited(receipt="e", thread=origin, ts=ts, at="1770000900.1", user=OTHER, text="In York.")
    return build_copy(event, THREAD)


def deleted(origin: ThreadKey = ORIGIN, ts: str = TS) -> MessageChange:
    """Somebody deletes their message there."""
    return build_copy(MessageDeleted(receipt="d", thread=origin, ts=ts, at="1770000900.1"), THREAD)


def drafted(author: str = OTHER, *, sources: tuple[str, ...] = (ORIGIN.channel,), ts: str = TS) -> StepThread:
    """A finished step that was drafted from this message."""
    step = complete()
    row = Message(seq=step.now.head, role=Role.PERSON, text=SAID, ts=ts, author=author)
    step.rows[row.seq] = row
    step.now = replace(step.now, sources=sources)
    return step


def happens(step: StepThread, event: MessageChange, uses: tuple[MessageUse, ...] = USES) -> dict[tuple[str, str], Any]:
    """Let it happen; gives what is told privately, by person and channel."""
    step.apply(event, event.receipt, uses=uses)
    return {(each.user, each.channel): each for each in step.new(PostEphemeral)}


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edited, deleted])
def test_a_copy_says_where_the_message_is_and_is_another_event_in_each_thread(
    change: Callable[[], MessageChange],
) -> None:
    event = change()
    assert (event.thread, event.origin, event.ts) == (THREAD, ORIGIN, TS)
    first, second, again = (build_copy(event, replace(THREAD, root=root)).receipt for root in ("1.1", "2.1", "1.1"))
    assert first != second
    assert first == again
    assert isinstance(event, MessageEdited) or not event.undone, "no message is awaited in the step's own channel"


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edited, deleted])
def test_the_author_is_told_there_without_title_and_owner_and_the_owner_in_the_step_with_the_button(
    change: Callable[[], MessageChange],
) -> None:
    step = drafted()
    event = change()
    told = happens(step, event)
    assert [(each.user, each.channel) for each in step.new(PostEphemeral)] == [
        (OTHER, ORIGIN.channel),
        (OWNER, ""),
        (OWNER, ""),
    ], "there once, and for each result here"
    theirs = told[OTHER, ORIGIN.channel]
    what = decision_steps.SOURCE_EDITED if isinstance(event, MessageEdited) else decision_steps.SOURCE_DELETED
    assert theirs.text == f"{what} {decision_steps.DECISION_OWNER_KNOWS}"
    assert (theirs.place, theirs.offer) == (ORIGIN.root, None)
    assert not [word for word in (OWNER, "Objectives", "Tradeoffs") if word in theirs.text]
    mine = step.new(PostEphemeral)[1]
    assert mine.text.startswith(f"<@{OTHER}> ")
    assert "*Objectives* v1 quotes" in mine.text
    assert mine.offer is Offer.DISCUSS


@pytest.mark.req("FA-20")
def test_the_first_message_of_a_thread_may_have_no_replies_so_its_author_is_told_in_the_channel() -> None:
    assert happens(drafted(ts=ORIGIN.root), edited(ts=ORIGIN.root))[OTHER, ORIGIN.channel].place == ""


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edited, deleted])
def test_the_owner_who_changes_it_is_shown_the_way_to_the_step_and_asked_there(
    change: Callable[[], MessageChange],
) -> None:
    told = happens(drafted(OWNER), change(), USES[:1])
    there, here = told[OWNER, ORIGIN.channel], told[OWNER, ""]
    assert (there.offer, there.about) == (Offer.OPEN_STEP, THREAD.root)
    assert there.text.endswith(decision_steps.ASKED_IN_STEP)
    assert here.offer is Offer.DISCUSS
    assert here.text.startswith("You ")


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edited, deleted])
def test_what_no_approved_result_uses_is_told_to_nobody(change: Callable[[], MessageChange]) -> None:
    assert happens(drafted(), change(), ()) == {}


@pytest.mark.req("FA-20")
def test_what_is_deleted_there_loses_its_words_here() -> None:
    step = drafted()
    happens(step, deleted())
    (row,) = [row for row in step.transcript if row.ts == TS]
    assert (row.text, row.status) == ("", MessageStatus.DELETED)
    assert [each.message for each in step.new(RedactQuotes)] == [TS]


@pytest.mark.parametrize(("origin", "says"), [(BESIDE, [SAID, "In York."]), (ORIGIN, [SAID])])
def test_what_a_message_says_now_is_read_here_only_if_it_stands_in_the_same_channel(
    origin: ThreadKey, says: list[str]
) -> None:
    step = drafted(sources=(origin.channel,))
    step.now = replace(step.now, answered=step.now.head)
    assert happens(step, edited(origin))
    assert [row.text for row in step.transcript if row.ts == TS] == says


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edited, deleted])
def test_a_message_of_another_channel_with_the_same_ts_changes_nothing(change: Callable[..., MessageChange]) -> None:
    step = drafted()
    for other, event in (
        (step, change(replace(ORIGIN, channel="C8"))),
        (drafted(ts=step.ts), change(ts=step.ts)),  # it was posted in the step's own thread
        (complete(), change()),  # nothing here has this ts
    ):
        now = replace(other.now, sources=(ORIGIN.channel,))
        assert find_refusal(now, event, other.facts(event)) == "UNHEARD"
    event = change()
    assert find_refusal(step.now, event, step.facts(event)) is None


@pytest.mark.req("FA-20")
def test_of_a_decision_from_before_its_sources_were_noted_changes_are_told_too() -> None:
    assert happens(drafted(sources=(BEFORE,)), deleted())
