"""A message that an approved result uses is changed or deleted: its author is told, and the owner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from app.core.conversation.conversation import Message, Role
from app.core.conversation.effect import Offer, PostEphemeral, RedactQuotes
from app.core.conversation.facts import MessageUse
from app.core.copy import decision_steps
from app.core.events.heard import MessageDeleted, MessageEdited
from app.core.state.status import Status
from tests.unit.core.interviews import StepThread, complete, confirming, reopened
from tests.unit.core.threads import OTHER, OWNER, THREAD

OWN = MessageUse(title="Objectives", version=1)
ELSEWHERE = MessageUse(title="Tradeoffs", version=2, elsewhere="1770000000.000900")


def said_by(step: StepThread, author: str) -> Message:
    return next(row for row in step.transcript if row.role is Role.PERSON and row.author == author)


def with_a_guest(begun: Callable[[], StepThread]) -> StepThread:
    """A finished step in which somebody else has written, too."""
    step = begun()
    row = Message(seq=step.now.head, role=Role.PERSON, text="Evenings!", ts="1770000000.000777", author=OTHER)
    step.rows[row.seq] = row
    return step


def edits(step: StepThread, row: Message, *, uses: tuple[MessageUse, ...] = (OWN,)) -> None:
    event = MessageEdited(receipt="e", thread=THREAD, ts=row.ts, at=step.ts, user=row.author, text="Mornings!")
    step.apply(event, "e", uses=uses)


def deletes(step: StepThread, row: Message, *, uses: tuple[MessageUse, ...] = (OWN,)) -> None:
    step.apply(MessageDeleted(receipt="d", thread=THREAD, ts=row.ts, at=step.ts), "d", uses=uses)


def told(step: StepThread) -> dict[str, tuple[str, Offer | None]]:
    return {each.user: (each.text, each.offer) for each in step.new(PostEphemeral)}


@pytest.mark.req("FA-20")
@pytest.mark.parametrize(("change", "begins"), [(edits, "You changed"), (deletes, "You deleted")])
def test_the_owner_who_changes_what_an_approved_result_quotes_is_offered_to_discuss_it(
    change: Callable[..., None], begins: str
) -> None:
    step = complete()
    change(step, said_by(step, OWNER))
    ((user, (words, offer)),) = told(step).items()
    assert (user, offer) == (OWNER, Offer.DISCUSS)
    assert words.startswith(f"{begins} a message that *Objectives* v1 quotes.")
    assert words.endswith(decision_steps.SHOULD_IT_FOLLOW)
    assert step.now.approved == 1


@pytest.mark.req("FA-20")
@pytest.mark.parametrize(("change", "verb"), [(edits, "changed"), (deletes, "deleted")])
def test_if_somebody_else_changes_it_both_are_told_and_the_owner_alone_gets_the_button(
    change: Callable[..., None], verb: str
) -> None:
    step = with_a_guest(complete)
    change(step, said_by(step, OTHER))
    found = told(step)
    assert set(found) == {OWNER, OTHER}
    assert found[OTHER][0].startswith(f"You {verb} a message")
    assert found[OTHER][0].endswith(decision_steps.OWNER_KNOWS.format(owner=f"<@{OWNER}>"))
    assert found[OWNER][0].startswith(f"<@{OTHER}> {verb} a message")
    assert (found[OWNER][1], found[OTHER][1]) == (Offer.DISCUSS, None)


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edits, deletes])
def test_of_a_message_that_no_approved_result_quotes_nothing_is_told(change: Callable[..., None]) -> None:
    step = complete()
    change(step, said_by(step, OWNER), uses=())
    assert told(step) == {}


@pytest.mark.req("FA-20")
def test_where_the_step_is_discussed_already_nothing_is_offered() -> None:
    step = reopened()
    edits(step, said_by(step, OWNER))
    assert [(words.endswith(decision_steps.SAY_IF_IT_FOLLOWS), offer) for words, offer in told(step).values()] == [
        (True, None)
    ]


@pytest.mark.req("FA-20")
@pytest.mark.parametrize("change", [edits, deletes])
def test_an_archived_step_is_taken_up_first(change: Callable[..., None]) -> None:
    step = complete().archives()
    assert step.now.status is Status.ARCHIVED
    change(step, said_by(step, OWNER))
    assert [offer for _, offer in told(step).values()] == [Offer.REOPEN]


@pytest.mark.req("FA-20")
@pytest.mark.parametrize(
    ("is_discussed", "offer", "ends"),
    [
        (False, Offer.DISCUSS_OTHER, decision_steps.SHOULD_IT_FOLLOW),
        (True, Offer.OPEN_STEP, decision_steps.SAY_IF_IT_FOLLOWS),
    ],
)
def test_of_another_step_that_quotes_it_the_owner_is_told_with_a_button_for_that_step(
    is_discussed: bool, offer: Offer, ends: str
) -> None:
    step = with_a_guest(complete)
    edits(step, said_by(step, OTHER), uses=(OWN, replace(ELSEWHERE, is_discussed=is_discussed)))
    assert [(each.user, each.offer, each.about) for each in step.new(PostEphemeral)] == [
        (OTHER, None, ""),
        (OWNER, Offer.DISCUSS, ""),
        (OTHER, None, ""),
        (OWNER, offer, ELSEWHERE.elsewhere),
    ]
    words = step.new(PostEphemeral)[-1].text
    assert words.startswith(f"<@{OTHER}> changed a message that *Tradeoffs* v2 quotes.")
    assert words.endswith(ends)


@pytest.mark.req("FA-20")
def test_of_an_older_version_that_quotes_it_the_one_that_stands_is_named() -> None:
    step = complete()
    edits(step, said_by(step, OWNER), uses=(replace(OWN, current=3),))
    ((words, offer),) = told(step).values()
    assert "*Objectives* v1 quotes." in words
    assert "v3, which stands, uses nothing of it." in words
    assert offer is Offer.DISCUSS


@pytest.mark.req("FA-20")
@pytest.mark.parametrize(("change", "verb"), [(edits, "changed"), (deletes, "deleted")])
def test_of_figures_that_came_from_it_they_are_named(change: Callable[..., None], verb: str) -> None:
    step = complete()
    change(step, said_by(step, OWNER), uses=(replace(OWN, figures=("15k", "14 March")),))
    ((words, offer),) = told(step).values()
    assert words.startswith(f"You {verb} a message that *Objectives* v1 takes 15k and 14 March from")
    assert ("take its words out" in words, offer) == (False, Offer.DISCUSS)


@pytest.mark.req("FA-20")
@pytest.mark.parametrize(("change", "verb"), [(edits, "changed"), (deletes, "deleted")])
@pytest.mark.parametrize(("figures", "what"), [((), "quotes. "), (("900 kg",), "takes 900 kg from, and nothing else")])
def test_of_a_draft_that_waits_both_are_told_and_the_owner_may_have_it_changed(
    change: Callable[..., None], verb: str, figures: tuple[str, ...], what: str
) -> None:
    step = with_a_guest(confirming)
    change(step, said_by(step, OTHER), uses=(replace(OWN, version=0, figures=figures),))
    found = told(step)
    assert found[OTHER][0].startswith(f"You {verb} a message that the draft of *Objectives* above {what}")
    assert found[OTHER][0].endswith(decision_steps.DRAFT_OWNER_KNOWS.format(owner=f"<@{OWNER}>"))
    assert found[OWNER][0].startswith(f"<@{OTHER}> {verb} a message that the draft of *Objectives* above {what}")
    assert found[OWNER][0].endswith(decision_steps.SHOULD_DRAFT_FOLLOW)
    assert (found[OWNER][1], found[OTHER][1]) == (None, None)


@pytest.mark.req("FA-20")
def test_what_another_step_quotes_is_taken_out_there_before_this_one_has_a_result() -> None:
    step = confirming()
    deletes(step, said_by(step, OWNER), uses=(ELSEWHERE,))
    assert len(step.new(RedactQuotes)) == 1
