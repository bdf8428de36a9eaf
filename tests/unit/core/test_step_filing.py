"""A step put away, forgotten, or taken up again, perhaps with what its owner has written into it (C-04, C-33)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.core.conversation.card import StepCard, StepState
from app.core.conversation.conversation import Role
from app.core.conversation.effect import Erase, Offer, OpenStep, PostEphemeral, RunTurn, SendNotice
from app.core.conversation.news import DecisionErased, StepEvent
from app.core.conversation.shared_file import SharedFile
from app.core.copy import decision_steps
from app.core.events.acts import ReopenRequested
from app.core.machine.apply import find_refusal
from app.core.state.interview import Phase, SourceMessage
from app.core.state.status import Status
from tests.unit.core.hubs import HubThread, place, under_way
from tests.unit.core.interviews import (
    COMPLETE,
    CONFIRMING,
    DRAFT,
    DRAFTED,
    GATHERING,
    IN_PHASE,
    StepThread,
    clarifying,
    complete,
    confirming,
    drafted,
    extracting,
    gathering,
    ready,
    says,
)
from tests.unit.core.live import CHOICE, Live
from tests.unit.core.lives import archived
from tests.unit.core.threads import OTHER, OWNER


@pytest.mark.parametrize("phase", Phase)
def test_archiving_freezes_a_step_where_it_is_and_breaks_off_what_runs(phase: Phase) -> None:
    step = IN_PHASE[phase]().archives(confirmed=True)
    frozen = Phase.GATHER if phase is Phase.EXTRACT else phase
    assert (step.now.status, step.now.phase, step.runs) == (Status.ARCHIVED, frozen, False)
    step.posts_cards().reopens(None)
    assert (step.now.phase, step.runs) == (frozen, False)


def test_an_answer_is_cut_and_a_summary_is_not_wanted_any_more_when_a_step_is_archived() -> None:
    step = gathering().says("And O2?").signals().says("And O3?").archives()
    assert (step.runs, step.now.asked, step.now.queued, step.lead.wanted) == (False, (), (), False)
    assert clarifying().signals().archives().now.phase is Phase.CLARIFY


def test_a_draft_is_not_asked_for_in_the_archive_and_asked_for_again_after_it() -> None:
    step = confirming().archives(confirmed=True).posts_cards()
    assert (step.at, step.now.pending, step.now.question) == (CONFIRMING, 1, None)
    assert step.card(StepCard).state is StepState.WITHDRAWN
    assert step.told == ["waits_no_more"]
    step.reopens(None)
    assert (step.at, step.now.status, step.told) == (CONFIRMING, Status.WAITING_INPUT, ["waits", "shown"])
    assert (step.waits.state, step.waits.draft, step.lead.draft) == (StepState.OPEN, 1, DRAFT)
    assert step.clicks("0").at == COMPLETE


def test_where_an_ok_is_waited_for_archiving_warns_first() -> None:
    step = confirming().archives()
    assert (step.now.status, [told.offer for told in step.new(PostEphemeral)]) == (
        Status.WAITING_INPUT,
        [Offer.ARCHIVE],
    )


def test_of_a_finished_step_the_owner_is_asked_whether_the_step_shall_be_reopened_too() -> None:
    step = complete().archives().posts_cards().reopens(None)
    assert (step.at, step.now.status) == (COMPLETE, Status.ACTIVE)
    assert [(told.text, told.offer) for told in step.new(PostEphemeral)] == [
        (decision_steps.REOPEN_STEP_TOO, Offer.DISCUSS)
    ]
    assert step.reopens().at == GATHERING


@pytest.mark.parametrize("begun", [ready, gathering, extracting, confirming, complete])
def test_a_step_that_is_forgotten_tells_its_decision(begun: Callable[[], StepThread]) -> None:
    step = begun().erases()
    assert step.told[-1] == "erased"
    assert ("waits_no_more" in step.told) == (begun is confirming)
    assert (len(step.new(Erase)), step.runs, step.now.question) == (1, False, None)


def test_a_step_tells_which_handles_it_gave_when_it_is_approved_and_when_it_is_forgotten() -> None:
    step = confirming(drafted(handles={"O": 7}))
    for told in (step.clicks("0"), step.erases(), confirming(drafted(handles={"O": 7})).erases()):
        assert [tell.news.handles for tell in told.new(SendNotice)][-1] == {"O": 7}
    assert [tell.news.handles for tell in gathering().erases().new(SendNotice)] == [{}]


@pytest.mark.parametrize("begun", [ready, gathering, extracting, confirming, complete])
def test_a_step_is_forgotten_with_its_decision(begun: Callable[[], StepThread]) -> None:
    step = begun().hears(DecisionErased())
    assert (len(step.new(Erase)), step.runs, step.now.question) == (1, False, None)
    assert "erased" not in step.told, "there is nobody to tell"
    assert find_refusal(step.now, step.message("And?")) == "ERASING"


def test_a_turn_ends_when_the_decision_is_forgotten() -> None:
    step = gathering().answers("Which?", CHOICE).posts_cards().says("And?").hears(DecisionErased())
    assert (step.runs, len(step.new(Erase)), step.now.cards) == (False, 1, ())


def test_a_decision_that_is_forgotten_takes_its_steps_with_it_and_opens_no_more() -> None:
    hub = under_way("frame", "objectives")
    hub.erases()
    assert hub.tells == [(place(key), DecisionErased()) for key in ("frame", "objectives")]
    hub = HubThread(slow=True).hears("frame", StepEvent.STARTED).requests("objectives").erases()
    assert hub.new(OpenStep) == []
    assert [type(effect) for effect in hub.now.effects if isinstance(effect, SendNotice | Erase)] == [SendNotice, Erase]


def left(ts: str) -> SourceMessage:
    return SourceMessage(ts=ts, author=OWNER, name="Maya", text="The evenings matter more.")


def goes_on(live: Live) -> str:
    """The owner writes where nothing is kept, and goes on with that message; gives its ts."""
    event = live.message("The evenings matter more.")
    live.refuses(event)
    (hint,) = live.new(PostEphemeral)
    live.does(ReopenRequested, message=hint.about, left_message=left(hint.about), updated_draft=DRAFTED)
    return event.ts


def newest(live: Live) -> tuple[str, str, str]:
    row = [row for row in live.transcript if row.role is Role.PERSON][-1]
    return row.ts, row.text, row.author


@pytest.mark.req("FA-35")
def test_a_message_in_a_finished_step_can_be_gone_on_with_and_is_the_first_of_the_new_talk() -> None:
    step = complete()
    ts = goes_on(step)
    assert (step.at, step.told) == (GATHERING, ["reopened"])
    assert newest(step) == (ts, "The evenings matter more.", OWNER)
    assert len(step.new(RunTurn)) == 1
    notes = [row.text for row in step.transcript if row.role is Role.NOTE]
    assert notes[-1] == decision_steps.TAKEN_UP_FOR_MODEL
    assert says(step, decision_steps.REOPENED_STEP) == 1
    assert step.lead.has_content


@pytest.mark.req("FA-35")
def test_a_message_in_an_archived_thread_can_be_gone_on_with() -> None:
    live = archived()
    ts = goes_on(live)
    assert live.now.status is Status.ACTIVE
    assert newest(live) == (ts, "The evenings matter more.", OWNER)
    assert len(live.new(RunTurn)) == 1


@pytest.mark.req("FA-35", "IN-04")
def test_the_files_of_a_message_that_is_gone_on_with_are_read_as_those_of_any_other() -> None:
    live = Live().says("Here", files=(SharedFile(id="F1", name="costs.csv"),)).replies().archives().posts_cards()
    event = live.message("Again")
    live.refuses(event)
    files = (("F2", "costs.csv"), ("F3", "plan [b].pdf"))
    again = SourceMessage(
        ts=event.ts, author=OWNER, name="Maya", text="Again\n📎 costs.csv\n📎 plan [b].pdf", files=files
    )
    live.does(ReopenRequested, message=event.ts, left_message=again)
    assert newest(live)[1] == "Again\n[shared: costs.csv (2), plan (b).pdf]"
    assert [(file.id, file.by_owner, file.ts) for file in live.now.files[1:]] == [
        ("F2", True, event.ts),
        ("F3", True, event.ts),
    ]


@pytest.mark.req("FA-35")
def test_a_message_in_an_archived_finished_step_opens_both() -> None:
    step = complete().archives().posts_cards()
    ts = goes_on(step)
    assert (step.at, step.now.status) == (GATHERING, Status.ACTIVE)
    assert newest(step)[0] == ts
    assert not step.new(PostEphemeral), "nothing is left to be asked"


@pytest.mark.req("FA-35")
def test_a_message_is_taken_up_also_where_the_talk_goes_on_already() -> None:
    step = complete()
    event = step.message("The evenings matter more.")
    step.refuses(event)
    step.reopens().replies("What has changed?")
    step.does(ReopenRequested, message=event.ts, left_message=left(event.ts))
    assert (step.at, newest(step)[0], step.runs) == (GATHERING, event.ts, True)
    step.replies("I see.")
    again = step.event(ReopenRequested, message=event.ts)
    assert step.refuses(again) == "NOT_COMPLETE", "it is there already"


def test_a_message_that_is_gone_still_opens_the_step() -> None:
    step = complete()
    step.does(ReopenRequested, message="9.9", updated_draft=DRAFTED)
    assert (step.at, step.runs) == (GATHERING, True)


def test_with_what_is_not_installed_a_message_opens_nothing() -> None:
    step = complete().archives().posts_cards()
    event = step.event(ReopenRequested, message="9.9", left_message=left("9.9"), component_missing=True)
    assert step.refuses(event) == "RETIRED"


def test_where_a_draft_waits_in_the_archive_it_is_shown_again_and_the_message_is_answered() -> None:
    step = confirming().archives(confirmed=True).posts_cards()
    ts = goes_on(step)
    assert step.waits.draft == 1
    assert (newest(step)[0], step.runs) == (ts, True)


def test_nobody_but_the_owner_goes_on_with_a_message() -> None:
    step = complete()
    assert step.refuses(step.event(ReopenRequested, OTHER, message="9.9", left_message=left("9.9"))) == "NOT_OWNER"


def test_a_press_that_is_refused_offers_no_message() -> None:
    step: StepThread = complete()
    step.refuses(step.edit())
    assert [told.about for told in step.new(PostEphemeral)] == [""]
    step.refuses(step.message("Hello"))
    assert [told.offer for told in step.new(PostEphemeral)] == [Offer.DISCUSS]


@pytest.mark.req("FA-35")
@pytest.mark.parametrize(("begun", "words"), [(complete, "This step is finished"), (archived, "archived")])
def test_others_who_write_there_are_told_why_it_is_not_kept_and_who_can_go_on(
    begun: Callable[[], Live], words: str
) -> None:
    live = begun()
    live.refuses(live.message("Evenings matter to me as well.", OTHER))
    (told,) = live.new(PostEphemeral)
    assert (told.user, told.offer, told.about) == (OTHER, None, "")
    assert words in told.text
    assert f"Only <@{OWNER}> can" in told.text
    for user in (OTHER, OWNER):
        assert live.refuses(live.message("<@UANN> lunch?", user, addressed=False)) == "UNHEARD"
        assert not live.new(PostEphemeral), "that is said to somebody else"
