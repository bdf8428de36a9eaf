"""A draft with a number that nobody said waits until its owner stands for it, or until it is taken out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import StepCard
from app.core.conversation.conversation import Role
from app.core.conversation.effect import PostEphemeral
from app.core.copy import decision_steps
from app.core.decisions import approval
from app.core.events.acts import FiguresConfirmed
from app.core.state.interview import Phase, UnsaidFigure, VouchedFigure
from tests.unit.core.interviews import EDITED, StepThread, confirming, drafted, gathering
from tests.unit.core.live import CHOICE
from tests.unit.core.threads import OTHER, OWNER

INVENTED = UnsaidFigure(text="15k", where="A2 Rent: closes about 15k of the hole")
DOUBTFUL = drafted(unsaid=(INVENTED,))


def confirms(step: StepThread, question: str = "", *, approves: bool = False) -> StepThread:
    card, asked = step.shown(StepCard).seq, question or step.waits.question.id
    return step.does(FiguresConfirmed, card=card, question=asked, approves=approves)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize("how", ["click", "yes"])
def test_while_nobody_said_a_number_nothing_is_approved(how: str) -> None:
    step = confirming(DOUBTFUL)
    assert step.waits.unsaid == (INVENTED,)
    if how == "click":
        assert step.refuses(step.click("0")) == "CRITERIA"
    else:
        told = step.says(how).new(PostEphemeral)
        asked = decision_steps.CONFIRM_FIGURE.format(figure="15k")
        assert [each.text for each in told] == [decision_steps.APPROVE_FIRST.format(list=f"{asked}.")]
    assert step.now.approved == 0


@pytest.mark.req("FA-14")
def test_what_the_owner_stands_for_is_kept_with_name_and_time_and_can_be_approved() -> None:
    step = confirms(confirming(DOUBTFUL))
    (kept,) = step.lead.vouched
    assert (kept.text, kept.by, float(kept.at) > 0) == ("15k", OWNER, True)
    assert (step.waits.unsaid, step.lead.drafted and step.lead.drafted.unsaid) == ((), ())
    assert step.clicks("0").now.approved == 1


@pytest.mark.req("FA-27")
def test_the_model_is_told_for_which_figures_the_owner_has_pressed() -> None:
    step = confirms(confirming(DOUBTFUL))
    told = decision_steps.VOUCHED_FOR_MODEL.format(figures="15k")
    assert [row.text for row in step.transcript if row.role is Role.NOTE] == [told]
    again = confirms(step)
    assert [row.text for row in again.transcript if row.role is Role.NOTE] == [told], "nothing new was confirmed"


@pytest.mark.req("FA-14")
def test_one_press_confirms_and_approves_where_nothing_else_is_needed() -> None:
    step = confirms(confirming(DOUBTFUL), approves=True)
    assert (step.now.approved, [each.text for each in step.lead.vouched]) == (1, ["15k"])
    assert (step.card(StepCard).unsaid, step.card(StepCard).version) == ((), 1)
    step = confirms(confirming(drafted(unsaid=(INVENTED,), missing=("a deadline",))), approves=True)
    assert (step.now.approved, step.waits.unsaid, len(step.lead.vouched)) == (0, (), 1), "it waits for the deadline"


def test_only_the_owner_stands_for_what_the_card_shows() -> None:
    step = confirming(DOUBTFUL)
    press = step.event(FiguresConfirmed, card=step.shown(StepCard).seq, question=step.waits.question.id)
    assert step.refuses(replace(press, user=OTHER)) == "NOT_OWNER"
    assert step.refuses(replace(press, question="0.0")) == "STALE_EDIT"
    assert step.refuses(replace(press, card=1)) == "QUESTION_CLOSED"
    assert not step.lead.vouched


def test_only_a_draft_that_waits_has_figures_to_stand_for() -> None:
    step = gathering()
    step.answers("Which one?", CHOICE)
    asked = step.now.question
    assert asked is not None
    press = step.event(FiguresConfirmed, card=asked.card, question=asked.id)
    assert step.refuses(press) == "NOT_CONFIRMED"


@pytest.mark.req("FA-14")
def test_what_was_entered_in_a_window_has_its_author_once() -> None:
    entered = replace(EDITED, entered=("15k", "20k"))
    step = confirming(DOUBTFUL).edits(entered)
    assert [(each.text, each.by) for each in step.lead.vouched] == [("15k", OWNER), ("20k", OWNER)]
    assert step.waits.unsaid == ()
    again = approval.vouch(step.lead, ("15k",), OTHER, "9.9")
    assert again.vouched == step.lead.vouched
    assert approval.vouch(step.lead, ("7",), OTHER, "9.9").vouched[-1] == VouchedFigure(text="7", by=OTHER, at="9.9")


def test_a_form_in_the_talk_is_entered_as_well() -> None:
    step = gathering().edits(replace(EDITED, entered=("15k",)), said="15k for the team")
    assert [each.text for each in step.lead.vouched] == ["15k"]
    assert step.now.phase is Phase.GATHER


def test_without_a_draft_nothing_stands_in_the_way() -> None:
    assert approval.list_obstacles(gathering().lead) == ()
