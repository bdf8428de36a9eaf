"""What becomes of a step when what it builds on changes, or when somebody else owns it (domain §8, C-20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from app.core.conversation.card import QuestionCard, ReviewCard, StepCard
from app.core.conversation.conversation import MessageStatus, Role
from app.core.conversation.effect import SendNotice
from app.core.conversation.news import NameChange, OwnerChange, StepMove
from app.core.copy import decision_steps
from app.core.state.interview import Phase
from app.core.state.sheet import Sheet
from app.core.state.status import Status
from app.core.text import labels
from tests.unit.core.interviews import (
    CHANGED,
    COMPLETE,
    CONFIRMING,
    EDITED,
    GATHERING,
    LACKING,
    OTHER_DRAFT,
    PREPARED,
    StepThread,
    complete,
    confirming,
    gathering,
    news,
    noting,
    says,
)
from tests.unit.core.live import CHOICE, Live
from tests.unit.core.threads import OTHER, OWNER


def reviews(step: StepThread) -> list[int]:
    """The cards on a changed basis that can still change."""
    return [row.seq for row in step.transcript if isinstance(row.card, ReviewCard) and row.seq in step.now.cards]


def test_a_finished_step_shows_what_would_follow_and_lets_its_owner_decide() -> None:
    step = complete().hears(CHANGED, EDITED)
    card = step.card(ReviewCard)
    assert (card.causes, card.version, card.sheet, card.done) == (("Frame v2",), 1, EDITED.sheet, False)
    assert (step.at, step.lead.changed, step.runs) == (COMPLETE, {"frame": 2}, False)
    assert complete().hears(CHANGED).card(ReviewCard).sheet == Sheet()


def test_a_finished_step_tells_what_it_lacks_by_now() -> None:
    assert complete().hears(CHANGED, LACKING).card(ReviewCard).missing == LACKING.missing
    assert complete().hears(CHANGED, EDITED).card(ReviewCard).missing == ()


@pytest.mark.req("FA-13")
def test_a_finished_step_tells_what_it_would_be_asked_about_now() -> None:
    asked = ("Which unit is right?",)
    assert complete().hears(CHANGED, replace(EDITED, remarks=asked)).card(ReviewCard).remarks == asked
    assert complete().hears(CHANGED).card(ReviewCard).remarks == ()


@pytest.mark.req("FA-13")
def test_a_finished_step_tells_what_changed_in_those_it_builds_on() -> None:
    told = {"Frame": ("reworded: C1 About 700 kg were thrown away",)}
    assert complete().hears(CHANGED, replace(EDITED, grounds=told)).card(ReviewCard).grounds == told
    assert complete().hears(CHANGED).card(ReviewCard).grounds == {}


def test_each_further_change_stands_on_the_same_card() -> None:
    other = replace(CHANGED, component="issues", title="Issues", version=1)
    step = complete().hears(CHANGED).hears(other).hears(replace(CHANGED, version=3))
    assert step.card(ReviewCard).causes == ("Issues v1", "Frame v3")
    assert len(reviews(step)) == 1


def test_the_card_names_the_causes_that_the_decision_names_in_the_order_of_the_steps() -> None:
    later = replace(CHANGED, component="issues", title="Issues", causes=("Issues v2", "Frame v2"))
    step = complete().hears(replace(CHANGED, causes=("Frame v2",))).hears(later)
    assert step.card(ReviewCard).causes == ("Issues v2", "Frame v2")


@pytest.mark.req("FA-13")
def test_a_change_that_another_step_speaks_of_first_is_recorded_in_silence_until_it_is_this_ones_turn() -> None:
    step = complete().hears(replace(CHANGED, quiet=True), EDITED)
    assert (step.lead.changed, reviews(step)) == ({"frame": 2}, [])
    step.hears(replace(CHANGED, later=("Notes",)), EDITED)
    assert (step.card(ReviewCard).causes, step.card(ReviewCard).later) == (("Frame v2",), ("Notes",))
    cards = step.now.cards
    step.hears(CHANGED, EDITED).hears(replace(CHANGED, quiet=True), EDITED)
    assert step.now.cards == cards, "what was told is not told again"


def test_a_card_that_tells_a_further_change_names_the_steps_to_look_at_after_it_as_they_are_now() -> None:
    step = complete().hears(replace(CHANGED, later=("Notes",)), EDITED)
    other = replace(CHANGED, component="issues", title="Issues", version=1)
    step.hears(replace(other, quiet=True), EDITED)
    assert step.card(ReviewCard).later == ("Notes",)
    step.hears(replace(other, later=("Tradeoffs", "Notes")), EDITED)
    assert step.card(ReviewCard).later == ("Tradeoffs", "Notes")


def test_what_is_still_under_way_is_told_at_once_whoever_speaks_first() -> None:
    step = confirming().hears(replace(CHANGED, quiet=True), EDITED)
    assert says(step, decision_steps.GROUND_CHANGED.format(title="Frame", version=2)) == 1
    step.hears(CHANGED, EDITED)
    assert says(step, decision_steps.GROUND_CHANGED.format(title="Frame", version=2)) == 1


def test_what_still_holds_is_left_with_the_new_ground() -> None:
    step = complete().hears(CHANGED).closes()
    assert (step.at, step.told, step.lead.changed) == (COMPLETE, ["closed"], {})
    assert step.lead.based_on == {"frame": 2}
    assert (step.card(ReviewCard).done, reviews(step)) == (True, [])


@pytest.mark.req("FA-13")
def test_what_is_left_as_it_was_tells_the_decision_what_it_comes_to_now() -> None:
    def gists(step: StepThread) -> list[str]:
        return [each.news.gist for each in step.new(SendNotice) if isinstance(each.news, StepMove)]

    found = replace(EDITED, gist="Five left")
    assert gists(complete().hears(CHANGED, found).closes()) == ["Five left"]
    assert gists(complete().hears(CHANGED, found).reopens(found)) == [""]
    assert gists(complete().hears(CHANGED).closes()) == [""]


def test_a_review_ends_when_the_step_is_reopened() -> None:
    step = complete().hears(CHANGED, EDITED).reopens(EDITED)
    assert (step.at, step.card(ReviewCard).done) == (GATHERING, True)


def test_a_draft_that_waits_is_brought_up_to_date_on_its_card() -> None:
    step = confirming()
    card = step.shown(StepCard).seq
    step.hears(CHANGED, EDITED)
    assert (step.at, step.shown(StepCard).seq, step.waits.edition) == (CONFIRMING, card, step.lead.edition)
    assert (step.waits.edited_by, step.lead.model) == ("", "claude")
    assert says(step, decision_steps.GROUND_CHANGED.format(title="Frame", version=2)) == 1


def test_while_the_model_answers_about_a_draft_the_new_one_gets_a_card_of_its_own() -> None:
    step = confirming().says("I can live with that").hears(CHANGED, EDITED)
    assert (step.waits.draft, step.lead.model) == (2, "claude")
    assert step.now.phase is Phase.CONFIRM


@pytest.mark.req("FA-21", "FA-27")
def test_what_is_noted_is_brought_up_to_date_and_the_model_is_told() -> None:
    step = noting().hears(CHANGED, EDITED)
    assert (step.lead.draft, step.at, step.runs) == (OTHER_DRAFT, GATHERING, False)
    assert step.transcript[-1].text == decision_steps.CHANGED_FOR_MODEL.format(title="Frame", version=2)


@pytest.mark.req("FA-21", "FA-27")
def test_where_nothing_is_noted_people_and_the_model_are_told() -> None:
    step = gathering().hears(CHANGED)
    assert says(step, decision_steps.GROUND_CHANGED.format(title="Frame", version=2)) == 1
    assert step.transcript[-1].text == decision_steps.CHANGED_FOR_MODEL.format(title="Frame", version=2)


@pytest.mark.parametrize("begun", [gathering, confirming, complete])
def test_a_change_that_is_told_twice_is_heard_once(begun: Callable[[], StepThread]) -> None:
    step = begun().hears(CHANGED, EDITED)
    before = step.now
    step.hears(CHANGED, EDITED).hears(replace(CHANGED, version=1), EDITED)
    assert replace(step.now, version=before.version, effects=before.effects) == before


def test_an_archived_draft_is_brought_up_to_date_for_when_it_is_asked_for_again() -> None:
    step = confirming().archives(confirmed=True).posts_cards().hears(CHANGED, EDITED)
    assert (step.at, step.now.status, step.now.question) == (CONFIRMING, Status.ARCHIVED, None)
    step.reopens(None)
    assert (step.waits.sheet, step.waits.edition) == (EDITED.sheet, step.lead.edition)
    assert step.clicks("0").lead.draft == OTHER_DRAFT


# Handed over


def test_who_owns_the_decision_now_is_asked_for_what_is_open() -> None:
    step = confirming().hears(OwnerChange(owner=OTHER))
    assert (step.now.owner, step.waits.owner, step.now.zone) == (OTHER, OTHER, "")
    assert says(step, decision_steps.HANDED_OVER.format(person=f"<@{OTHER}>")) == 1
    assert step.refuses(step.click("0", OWNER)) == "NOT_OWNER"
    step.apply(step.click("0", OTHER), "approval")
    assert step.at == COMPLETE


def test_a_question_of_the_model_is_handed_over_too_and_where_none_is_open_nothing_is() -> None:
    step = gathering().answers("Which?", CHOICE).hears(OwnerChange(owner=OTHER))
    assert step.card(QuestionCard).owner == OTHER
    assert gathering().hears(OwnerChange(owner=OTHER)).now.cards == ()


def test_who_owns_it_already_is_told_nothing() -> None:
    step = gathering()
    before = step.now
    step.hears(OwnerChange(owner=OWNER))
    assert replace(step.now, version=before.version) == replace(before, effects=())


@pytest.mark.req("FA-17")
def test_the_thread_of_a_step_is_called_by_the_question_of_its_decision() -> None:
    step = gathering().hears(NameChange(name="Where do we meet in May?"))
    assert step.now.title == f"{PREPARED.title} · Where do we meet in May?"
    assert len(step.hears(NameChange(name="Where? " * 40)).now.title) <= labels.MAX_LABEL


def test_news_for_a_step_mean_nothing_to_another_conversation() -> None:
    live = Live().talks()
    for told in (CHANGED, OwnerChange(owner=OTHER), NameChange(name="Where?")):
        assert live.refuses(news(live, told)) == "NOT_COMPONENT"
    assert live.rows[live.now.head].status is MessageStatus.COMPLETE


@pytest.mark.req("FA-21")
def test_a_step_that_is_discussed_again_begins_with_what_has_changed() -> None:
    step = complete().reopens()
    told = [row.text for row in step.transcript if row.role is Role.NOTE]
    assert told[-1] == decision_steps.REOPENED_FOR_MODEL
    assert "begin with them: which step and version, what is different, and what follows" in told[-1]
