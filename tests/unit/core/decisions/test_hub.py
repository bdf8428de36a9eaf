"""A decision as a whole (T10, C-01): its steps begun in order, followed, flagged, handed over; then it is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.conversation.card import HubCard, NoteCard
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import Offer, OpenStep, PostEphemeral, PublishHome
from app.core.conversation.news import NameChange, OwnerChange, StepEvent, UpstreamChange
from app.core.copy import decision_steps
from app.core.decisions.hub import require_decision
from app.core.errors import IllegalEvent
from app.core.events.acts import OwnershipTransferred, StepRequested
from app.core.state.decision import FRAME, ComponentStatus, Decision, DecisionStep
from app.core.state.interview import Mode
from app.core.state.lifecycle import Lifecycle
from app.core.state.status import Kind, Status
from tests.unit.core.hubs import HubThread, all_approved, begun, move, place, under_way
from tests.unit.core.interviews import MATERIAL, news
from tests.unit.core.live import Live
from tests.unit.core.threads import OTHER, OWNER

NOT_STARTED, IN_PROGRESS, COMPLETE, NEEDS_REVISION = ComponentStatus


def says(hub: HubThread, words: str) -> int:
    return sum(isinstance(row.card, NoteCard) and row.card.text == words for row in hub.transcript)


def left_private(hub: HubThread) -> list[str]:
    return [told.text for told in hub.new(PostEphemeral)]


def test_a_decision_begins_with_its_hub_and_its_first_step() -> None:
    hub = HubThread(mode=Mode.DIRECT, material=MATERIAL)
    assert (hub.now.kind, hub.now.lifecycle, hub.now.title) == (
        Kind.DECISION,
        Lifecycle.IN_PROGRESS,
        "How do we cover it?",
    )
    row = hub.transcript[0]
    assert (row.status, row.parts, hub.now.cards) == (MessageStatus.OPEN, (hub.now.thread.root,), (1,))
    (first,) = hub.new(OpenStep)
    assert (first.component, first.mode, first.material) == ("frame", Mode.DIRECT, MATERIAL)
    assert hub.hub.decision.question == "How do we cover it?"
    assert {hub.stands(step.key) for step in hub.decision.steps} == {NOT_STARTED}


def test_a_decision_does_not_begin_where_something_was_said() -> None:
    hub = HubThread()
    assert hub.refuses(begun(hub)) == "STALE_RUN"
    live = Live().says("Hi")
    assert live.refuses(begun(live)) == "STALE_RUN"


def test_a_step_that_has_begun_is_in_progress_and_can_be_found() -> None:
    hub = under_way("frame")
    assert (hub.stands("frame"), hub.step("frame").thread) == (IN_PROGRESS, place("frame"))
    assert hub.hub.decision == hub.decision
    assert hub.path("component_transition") == [("not_started", "in_progress")]


def test_a_step_begins_when_the_one_before_it_has_begun() -> None:
    hub = under_way("frame")
    assert hub.requests("objectives").opens == ["objectives"]
    assert hub.requests("notes").opens == ["notes"]


def test_a_step_out_of_order_is_refused_with_the_name_of_what_comes_first() -> None:
    hub = under_way("frame")
    assert hub.refuses(hub.requesting("quality")) == "PREREQUISITE"
    assert left_private(hub) == ["Start Objectives first."]
    assert hub.opens == []


def test_a_step_that_is_not_of_this_decision_cannot_begin() -> None:
    hub = HubThread()
    assert hub.refuses(hub.requesting("elsewhere")) == "ILLEGAL"


def test_a_step_that_was_being_opened_as_its_decision_was_handed_over_is_handed_over_too() -> None:
    hub = under_way("frame").requests("objectives").gives(OTHER)
    hub.hears("objectives", StepEvent.STARTED, owner=OWNER)
    assert hub.tells == [(place("objectives"), OwnerChange(owner=OTHER))]
    assert hub.renamed == ["objectives"]
    assert under_way("frame").hears("objectives", StepEvent.STARTED, owner=OWNER).tells == []


@pytest.mark.req("FA-18")
def test_a_step_begins_once_and_who_wants_to_begin_it_again_is_led_there() -> None:
    hub = HubThread(slow=True).requests("frame")
    assert len(hub.opens) == 1, "it is being opened"
    assert left_private(hub) == [decision_steps.STEP_IS_OPENING.format(step="Frame")]
    hub = under_way("frame").requests("frame")
    assert (hub.opens, left_private(hub)) == ([], [decision_steps.STEP_BEGUN.format(step="Frame")])
    (told,) = hub.new(PostEphemeral)
    assert (told.offer, told.about) == (Offer.OPEN_STEP, place("frame").root)


def test_the_hub_knows_the_newest_card_that_waits_in_a_step_and_follows_nothing_else_by_it() -> None:
    hub = under_way("frame").hears("frame", StepEvent.WAITS).hears("frame", StepEvent.SHOWN, card=4, ts="2.4")
    assert (hub.step("frame").shown, hub.step("frame").waits, hub.stands("frame")) == ("2.4", True, IN_PROGRESS)
    assert hub.hub.decision.step("frame") == hub.step("frame"), "its link leads there"
    assert hub.approved("frame", 1).hears("frame", StepEvent.SHOWN, card=9, ts="2.9").stands("frame") == COMPLETE
    assert (hub.step("frame").shown, hub.step("frame").version) == ("2.9", 1)
    assert hub.hears("frame", StepEvent.ERASED).step("frame").shown == ""


def test_a_draft_that_waits_is_seen_at_the_hub() -> None:
    hub = under_way("frame").hears("frame", StepEvent.WAITS)
    assert hub.step("frame").waits
    assert not hub.hears("frame", StepEvent.WAITS_NO_MORE).step("frame").waits
    assert hub.hears("frame", StepEvent.WAITS).approved("frame", 1).step("frame").waits is False


@pytest.mark.req("FA-17")
def test_a_draft_that_waits_with_something_missing_is_known_as_such_until_it_is_there() -> None:
    hub = under_way("frame").hears("frame", StepEvent.WAITS, lacks=True)
    assert (hub.step("frame").waits, hub.step("frame").lacks) == (True, True)
    assert hub.hears("frame", StepEvent.SHOWN, card=4, ts="2.4").step("frame").lacks
    for on in (StepEvent.WAITS, StepEvent.WAITS_NO_MORE, StepEvent.ERASED):
        hub = under_way("frame").hears("frame", StepEvent.WAITS, lacks=True).hears("frame", on)
        assert hub.step("frame").lacks is False


def test_an_approved_step_is_complete_with_its_version() -> None:
    hub = under_way("frame").approved("frame", 1)
    step = hub.step("frame")
    assert (step.status, step.version, step.gist) == (COMPLETE, 1, "frame 1")
    hub.hears("frame", StepEvent.APPROVED, version=2, deadline="2026-03-01")
    assert (hub.decision.deadline, hub.step("frame").version) == ("2026-03-01", 2)


def test_a_deadline_goes_with_the_version_that_told_it_and_stays_through_all_else() -> None:
    hub = under_way("frame", "objectives").hears("frame", StepEvent.APPROVED, version=1, deadline="2026-03-01")
    assert hub.approved("objectives", 1, frame=1).decision.deadline == "2026-03-01"
    assert hub.approved("frame", 2).decision.deadline == ""
    hub.hears("frame", StepEvent.APPROVED, version=3, deadline="2026-04-01")
    assert hub.hears("frame", StepEvent.ERASED).decision.deadline == ""


@pytest.mark.req("FA-17")
def test_a_decision_is_named_by_the_question_of_the_newest_version_that_words_one() -> None:
    hub = under_way("frame", "objectives")
    typed = hub.decision.question
    assert hub.decision.name == hub.hub.decision.name == typed
    hub.hears("frame", StepEvent.APPROVED, version=1, question="Where do we meet in May?")
    assert hub.hub.decision.name == "Where do we meet in May?"
    assert hub.renamed == ["frame", "objectives"], "the first message of each thread bears the name"
    told = NameChange(name="Where do we meet in May?")
    assert [each for each in hub.tells if each[1] == told] == [(place(key), told) for key in ("frame", "objectives")]
    assert hub.approved("objectives", 1, frame=1).decision.name == "Where do we meet in May?"
    hub.hears("frame", StepEvent.REOPENED)
    assert hub.renamed == []
    assert hub.decision.name == "Where do we meet in May?", "it stands until another one is approved"
    hub.hears("frame", StepEvent.APPROVED, version=2, question="Where do we meet?")
    assert (hub.decision.name, hub.decision.question) == ("Where do we meet?", typed)
    assert hub.hears("frame", StepEvent.ERASED).decision.name == typed


@pytest.mark.req("FA-17")
def test_a_decision_whose_frame_was_approved_before_its_question_was_kept_is_named_by_the_gist_of_the_frame() -> None:
    steps = (DecisionStep(key="issues", title="Issues", version=1, gist="2 decisions"),)
    bare = Decision(question="What about May?", steps=steps)
    assert bare.name == "What about May?"
    framed = DecisionStep(key=FRAME, title="Frame", version=1, gist="Where do we meet in May?")
    assert replace(bare, steps=(*steps, framed)).name == "Where do we meet in May?"
    assert replace(bare, steps=(*steps, replace(framed, question="Where do we meet?"))).name == "Where do we meet?"


@pytest.mark.req("S0-047")
def test_a_new_version_flags_what_builds_on_it_and_deletes_nothing() -> None:
    hub = all_approved()
    before = {step.key: step for step in hub.decision.steps}
    hub.hears("frame", StepEvent.REOPENED)
    assert hub.stands("frame") is IN_PROGRESS
    hub.approved("frame", 2)
    assert (hub.stands("frame"), hub.step("frame").version) == (COMPLETE, 2)
    assert (hub.stands("objectives"), hub.stands("quality")) == (NEEDS_REVISION, NEEDS_REVISION)
    assert hub.stands("notes") is COMPLETE, "the frame is not its concern"
    quietly = UpstreamChange(component="frame", title="Frame", version=2, quiet=True, causes=("Frame v2",))
    assert hub.tells[:2] == [(place("objectives"), quietly), (place("quality"), quietly)]
    for key in ("objectives", "quality"):
        after = hub.step(key)
        assert replace(after, status=COMPLETE) == before[key]
    assert hub.path("component_transition") == [
        ("in_progress", "complete"),
        ("complete", "needs_revision"),
        ("complete", "needs_revision"),
    ]


def test_the_first_version_of_a_step_that_was_begun_anew_is_news_to_what_was_made_with_the_erased_one() -> None:
    hub = all_approved().hears("frame", StepEvent.REOPENED).approved("frame", 2).approved("objectives", 2, frame=2)
    assert hub.stands("objectives") is COMPLETE
    hub.hears("frame", StepEvent.ERASED)
    forgotten = UpstreamChange(component="frame", title="Frame", version=0)
    assert hub.tells == [(place("objectives"), forgotten), (place("quality"), forgotten)]
    assert hub.stands("objectives") is COMPLETE, "nothing newer is there yet"
    hub.hears("frame", StepEvent.STARTED).approved("frame", 1)
    assert hub.stands("objectives") is NEEDS_REVISION


def test_a_step_that_is_begun_anew_knows_the_highest_handles_that_were_ever_given_in_it() -> None:
    hub = under_way("frame").hears("frame", StepEvent.APPROVED, version=1, handles={"D": 3, "H": 1})
    hub.hears("frame", StepEvent.REOPENED).hears("frame", StepEvent.APPROVED, version=2, handles={"D": 2, "P": 4})
    assert (hub.step("frame").handles, hub.step("frame").erased) == ({"D": 3, "H": 1, "P": 4}, 0)
    hub.hears("frame", StepEvent.ERASED, handles={"H": 2}).requests("frame")
    assert hub.opens == ["frame"]
    assert (hub.step("frame").handles, hub.step("frame").erased) == ({"D": 3, "H": 2, "P": 4}, 1)


def test_what_was_made_with_that_version_is_not_flagged() -> None:
    hub = all_approved().hears("frame", StepEvent.REOPENED).hears("objectives", StepEvent.REOPENED)
    hub.approved("frame", 2).approved("objectives", 2, frame=2)
    assert hub.stands("objectives") is COMPLETE
    told = [(thread, each.component) for thread, each in hub.tells if not each.quiet]
    assert told == [(place("quality"), "frame"), (place("quality"), "objectives")], "only it has to be looked at"
    assert {each.causes for _, each in hub.tells if not each.quiet} == {("Frame v2", "Objectives v2")}, "in their order"


def test_what_has_begun_and_is_not_finished_is_told_and_stays_in_progress() -> None:
    hub = under_way("frame", "objectives").approved("frame", 1)
    assert hub.stands("objectives") is IN_PROGRESS
    assert [thread for thread, _ in hub.tells] == [place("objectives")]


def test_what_was_approved_with_an_old_version_needs_revision_at_once() -> None:
    hub = under_way("frame", "objectives").approved("frame", 1).approved("frame", 2)
    hub.approved("objectives", 1, frame=1)
    assert hub.stands("objectives") is NEEDS_REVISION
    assert hub.tells[-1] == (
        place("objectives"),
        UpstreamChange(component="frame", title="Frame", version=2, causes=("Frame v2",)),
    )


@pytest.mark.req("FA-13")
def test_of_all_that_a_new_version_outdates_one_step_speaks_and_the_next_when_that_is_settled() -> None:
    hub = all_approved().hears("frame", StepEvent.REOPENED).approved("frame", 2)
    loud = [(thread, each) for thread, each in hub.tells if not each.quiet]
    later = ("Decision quality",)
    told = UpstreamChange(component="frame", title="Frame", version=2, later=later, causes=("Frame v2",))
    assert loud == [(place("objectives"), told)]
    hub.hears("objectives", StepEvent.CLOSED, based_on={"frame": 2})
    loud = [(thread, each) for thread, each in hub.tells if not each.quiet]
    assert loud == [
        (place("quality"), UpstreamChange(component="frame", title="Frame", version=2, causes=("Frame v2",)))
    ]


@pytest.mark.req("FA-13")
def test_what_is_left_as_it_was_reads_as_it_comes_to_now() -> None:
    hub = all_approved().approved("frame", 2)
    hub.hears("objectives", StepEvent.CLOSED, based_on={"frame": 2}, gist="Five left")
    assert (hub.step("objectives").version, hub.step("objectives").gist) == (1, "Five left")
    hub.hears("quality", StepEvent.CLOSED, based_on={"frame": 2})
    assert hub.step("quality").gist == "quality 1"


def test_what_is_left_as_it_was_is_complete_unless_its_ground_has_changed_once_more() -> None:
    hub = all_approved().approved("frame", 2)
    hub.hears("objectives", StepEvent.CLOSED, based_on={"frame": 2})
    assert (hub.stands("objectives"), hub.step("objectives").based_on) == (COMPLETE, {"frame": 2})
    hub.approved("frame", 3).hears("objectives", StepEvent.CLOSED, based_on={"frame": 2})
    assert hub.stands("objectives") is NEEDS_REVISION


@pytest.mark.parametrize("on", [StepEvent.STARTED, StepEvent.APPROVED])
def test_what_is_told_twice_is_heard_once(on: StepEvent) -> None:
    hub = all_approved()
    assert hub.refuses(news(hub, move("frame", on, version=1))) == "STALE_RUN"
    assert hub.tells == []


@pytest.mark.parametrize("on", [on for on in StepEvent if on is not StepEvent.STARTED])
def test_what_is_told_of_a_step_that_has_not_begun_or_is_forgotten_is_late(on: StepEvent) -> None:
    for hub in (HubThread(), under_way("frame").hears("frame", StepEvent.ERASED)):
        assert hub.refuses(news(hub, move("frame", on, version=1))) == "STALE_RUN"
        assert (hub.stands("frame"), hub.step("frame").thread) == (NOT_STARTED, None)


def test_a_step_that_was_forgotten_can_begin_anew() -> None:
    hub = all_approved().hears("notes", StepEvent.ERASED)
    step = hub.step("notes")
    assert (step.status, step.thread, step.version, step.gist) == (NOT_STARTED, None, 0, "")
    assert hub.requests("notes").opens == ["notes"]
    assert hub.hears("notes", StepEvent.STARTED).stands("notes") is IN_PROGRESS


def test_a_step_that_this_decision_does_not_have_tells_nothing() -> None:
    hub = HubThread()
    strange = replace(move("frame", StepEvent.STARTED), component="elsewhere")
    assert hub.refuses(news(hub, strange)) == "ILLEGAL"


# Handed over, closed, spoken in


@pytest.mark.req("NC-09")
def test_the_homes_of_both_follow_when_a_decision_changes_hands() -> None:
    hub = under_way("frame").gives(OTHER)
    assert [each.user for each in hub.new(PublishHome)] == [OTHER, OWNER]


@pytest.mark.req("NC-09")
def test_home_follows_a_decision_from_step_to_step_until_it_is_closed() -> None:
    waiting = under_way("frame").hears("frame", StepEvent.WAITS)
    approved = under_way("frame").approved("frame", 1)
    for moved in (under_way("frame"), waiting, approved, all_approved().closes()):
        assert [each.user for each in moved.new(PublishHome)] == [OWNER]


@pytest.mark.req("S0-002")
def test_a_decision_is_handed_over_with_all_its_steps() -> None:
    hub = under_way("frame", "objectives").gives(OTHER)
    assert (hub.now.owner, hub.hub.owner) == (OTHER, OTHER)
    assert hub.tells == [(place(key), OwnerChange(owner=OTHER)) for key in ("frame", "objectives")]
    assert hub.renamed == ["frame", "objectives"]
    assert says(hub, decision_steps.HANDED_OVER.format(person=f"<@{OTHER}>")) == 1
    assert hub.refuses(hub.requesting("notes")) == "NOT_OWNER"


def test_who_gave_a_decision_away_is_in_the_audit_log() -> None:
    hub = under_way("frame").gives(OTHER)
    assert hub.path("owner_transition") == [(OWNER, OTHER)]
    assert [each.actor for each in hub.made.audit] == [OWNER]


def test_a_decision_that_an_operator_gave_away_says_so_and_is_not_put_down_to_its_owner() -> None:
    hub = under_way("frame").does(OwnershipTransferred, to=OTHER, by_operator=True)
    assert (hub.now.owner, hub.path("owner_transition")) == (OTHER, [(OWNER, OTHER)])
    assert [each.actor for each in hub.made.audit] == [""]
    assert says(hub, decision_steps.HANDED_OVER_BY_OPERATOR.format(person=f"<@{OTHER}>")) == 1
    assert hub.refuses(hub.requesting("notes")) == "NOT_OWNER"


def test_a_decision_is_closed_when_its_last_question_is_answered_and_can_be_reopened() -> None:
    hub = under_way("frame")
    assert hub.refuses(hub.closing()) == "NOT_CLOSABLE"
    assert left_private(hub) == [decision_steps.CLOSE_FIRST.format(step="Decision quality")]
    hub = all_approved().closes()
    assert (hub.decision.closed, says(hub, decision_steps.DECISION_CLOSED)) == (True, 1)
    assert says(hub.closes(), decision_steps.DECISION_CLOSED) == 1
    assert left_private(hub) == [decision_steps.CLOSED_ALREADY]
    hub.closes(reopened=True)
    assert (hub.decision.closed, says(hub, decision_steps.DECISION_REOPENED)) == (False, 1)
    assert says(hub.closes(reopened=True), decision_steps.DECISION_REOPENED) == 1
    assert left_private(hub)[-1] == decision_steps.OPEN_ALREADY


@pytest.mark.req("NC-09")
def test_an_old_button_starts_no_step_of_a_closed_decision_and_says_so_where_it_was_pressed() -> None:
    hub = under_way("frame", "objectives", "quality").approved("quality", 1).closes()
    hub.does(StepRequested, component="notes", pressed_in="1770000009.000001")
    assert hub.opens == []
    (told,) = hub.new(PostEphemeral)
    assert (told.text, told.place) == (decision_steps.START_IN_CLOSED, "1770000009.000001")
    assert left_private(hub.requests("frame")) == [decision_steps.STEP_BEGUN.format(step="Frame")]
    assert hub.closes(reopened=True).requests("notes").opens == ["notes"]


def test_nothing_that_is_said_below_the_hub_is_kept_and_who_speaks_to_us_is_shown_the_way() -> None:
    for user, manner, told in (
        (OWNER, {}, 1),
        (OWNER, {"addressed": False}, 0),
        (OTHER, {}, 0),
        (OTHER, {"opens": True}, 1),
    ):
        hub = HubThread().says("I think we should.", user, **manner)
        assert left_private(hub) == [decision_steps.HUB_HINT] * told
        assert (len(hub.transcript), hub.now.turn) == (1, None)


def test_the_hub_shows_what_happens_to_steps_also_when_it_is_archived() -> None:
    hub = under_way("frame").archives()
    assert hub.now.status is Status.ARCHIVED
    assert hub.approved("frame", 1).hub.decision.steps[0].status is COMPLETE
    assert isinstance(hub.card(HubCard), HubCard)


@pytest.mark.parametrize("live", [Live().talks(), Live().says("Hi")], ids=["at rest", "answering"])
def test_only_a_decision_has_steps(live: Live) -> None:
    hub = HubThread()
    for act in (hub.requesting("frame"), hub.closing()):
        assert live.refuses(act) == "NOT_DECISION"
    with pytest.raises(IllegalEvent, match="NOT_DECISION"):
        require_decision(live.now)
    assert live.refuses(news(live, move("frame", StepEvent.STARTED))) == "NOT_DECISION"


def test_in_the_worked_example_each_step_opens_the_next() -> None:
    hub = HubThread(example=True)
    for key, following in (
        ("frame", ["objectives"]),
        ("objectives", ["quality"]),
        ("quality", ["notes"]),
        ("notes", []),
    ):
        hub.hears(key, StepEvent.STARTED)
        assert hub.approved(key, 1).opens == following
    assert hub.approved("frame", 2).opens == []


@pytest.mark.req("FA-18")
def test_the_step_before_is_told_that_the_next_one_has_begun_or_is_gone() -> None:
    hub = under_way("frame")
    assert hub.leads == [], "none stands before it"
    assert hub.hears("objectives", StepEvent.STARTED).leads == [(place("frame"), place("objectives"))]
    assert hub.hears("objectives", StepEvent.ERASED).leads == [(place("frame"), None)]
    assert hub.hears("frame", StepEvent.APPROVED, version=1).leads == [], "the next one can be started"
    late = under_way("frame", "objectives").hears("frame", StepEvent.APPROVED, version=1)
    assert late.leads == [(place("frame"), place("objectives"))], "it has begun before that card was there"
