"""What else happens to a turn that waits for a permission: what was said before, what it costs, what is given up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.conversation.call import ResolveQuestion
from app.core.conversation.card import PermissionCard, QuestionCard, ScheduleCard, ScheduleState
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import FinishReply, PostEphemeral, React, SavePermissionRule, ShowCard
from app.core.conversation.transition import QUEUED
from app.core.conversation.usage import Usage
from app.core.copy import permission_cards, texts
from app.core.errors import ForbiddenMeanwhile
from app.core.events.acts import StopRequested
from app.core.state.permission import ChannelKind, Coverage, PermissionChoice, Standing, list_options
from app.core.state.question import Origin, QuestionState
from app.core.state.status import Status, TurnState
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use, UseState
from tests.unit.core.live import AT_ONCE, DAILY, Live
from tests.unit.core.lives import in_background, permitting, use, waiting
from tests.unit.core.runs import failed_often
from tests.unit.core.threads import OWNER, THREAD
from tests.unit.core.turns.test_permission_request import notes

ALLOW, ALWAYS, WAIT, NEVER = "0123"


def asks(live: Live, **values: object) -> Live:
    """The turn under way comes to something that its owner is asked about."""
    return live.reports(use("t1", UseState.ASKED), use("t2"), **values).posts_cards()


# What the turn had called for already


@pytest.fixture
def live() -> Live:
    return permitting()


def test_an_answer_that_the_model_understood_counts_although_the_turn_then_waits() -> None:
    live = asks(waiting().says("the second one, and post it"), calls=(ResolveQuestion(value="2"),))
    card = live.card(QuestionCard)
    assert (card.state, card.answer, card.mapped) == (QuestionState.ANSWERED, "D2 Hiring", True)
    assert live.reply.calls == ()
    live.clicks(ALLOW).replies("Done.", calls=live.reply.calls)
    assert not [event for event in live.made.audit if event.reason == "NO_QUESTION"]


def test_who_wants_no_more_runs_gets_none_although_the_turn_then_waits() -> None:
    live = asks(failed_often(AT_ONCE).says("no more of it, and tell #ops"), calls=(ResolveQuestion(value="2"), DAILY))
    assert (live.now.schedule, live.card(ScheduleCard).state) == (None, ScheduleState.CANCELLED)
    assert (live.now.status, live.now.run, live.reply.calls) == (Status.WAITING_INPUT, TurnState.AWAITING, (DAILY,))


def test_what_the_model_took_for_an_answer_means_nothing_where_the_owner_had_answered_already() -> None:
    live = waiting().says("hm").clicks("0")
    live = asks(live, calls=(ResolveQuestion(value="2"),))
    assert live.card(QuestionCard).answer == "D1 Evening cover"
    assert live.now.run is TurnState.AWAITING


# What the owner had said already


def test_what_was_written_before_it_was_asked_is_no_answer_to_it_and_waits_for_its_turn() -> None:
    live = Live().says("Post it.")
    early = live.message("and tell me the time")
    live = asks(live)
    live.apply(early, early.receipt)
    assert (live.now.run, live.now.asked, live.now.queued) == (TurnState.AWAITING, (live.now.head,), (early.ts,))
    assert [(effect.ts, effect.name) for effect in live.new(React)] == [(early.ts, QUEUED)]
    live.clicks(ALLOW).replies("Done.")
    assert live.now.run is TurnState.STREAMING


def test_words_instead_of_a_click_count_as_a_message_of_the_owner(live: Live) -> None:
    before = live.now.goals.turns
    assert live.says("put it into #random instead").now.goals.turns == before + 1


def test_who_has_just_decided_has_not_left_the_goal() -> None:
    live = Live().says("I want to build a todo app").wait(30)
    live = asks(live).wait(30)
    live.clicks(ALLOW).replies("Done.")
    assert live.now.newest > f"{float(live.ts) - 60}"
    assert live.refuses(live.quiet("1.1")) == "STALE_RUN"


# What is left behind


@pytest.mark.req("S3-088")
@pytest.mark.parametrize("words", ["", "put it into #random instead"])
def test_the_trail_tells_who_had_it_wait_and_what_the_answer_had_cost(words: str) -> None:
    live = asks(Live().says("Post it."), usage=Usage(input_tokens=7), rounds=1)
    live = live.says(words) if words else live.clicks(WAIT)
    decided = [event for event in live.made.audit if event.type == "permission_decision"]
    assert [(event.actor, event.reason, event.after) for event in decided] == [
        (OWNER, "post_message", PermissionChoice.WAIT)
    ]
    (run,) = [event for event in live.made.audit if event.type == "run_finished"]
    assert (run.reason, run.counts["input_tokens"], run.counts["rounds"]) == (MessageStatus.CANCELLED, 7, 1)
    assert run.correlation == "r1"


@pytest.mark.req("SE-05")
def test_a_write_that_a_rule_allows_is_audited_once_when_it_starts_and_a_clicked_one_is_not() -> None:
    begun: dict[str, Any] = {"state": UseState.STARTED, "target": "C2"}
    live = Live().says("Post").reports(use("t1", by_rule=True, **begun), use("t2", **begun), use("t3", by_rule=True))
    (used,) = [event for event in live.made.audit if event.type == "rule_used"]
    assert (used.reason, used.actor, used.after, used.correlation) == ("post_message", OWNER, "C2", "r1")
    live.reports(use("t1", by_rule=True, **begun), use("t2", **begun), use("t3", UseState.STARTED, by_rule=True))
    assert len(live.path("rule_used")) == 1, "the third one alone is new"
    live.reports(use("t1", UseState.DONE, by_rule=True), use("t2", **begun), use("t3", UseState.STARTED, by_rule=True))
    assert live.path("rule_used") == []


def test_what_a_round_has_done_is_told_once_however_often_the_round_is_reported() -> None:
    live = Live().says("Post").reports(use("t1", UseState.DONE, result="ok"), use("t2"))
    live.reports(use("t1", UseState.DONE, result="ok"), use("t2", UseState.DONE, title="post to #news")).stops()
    assert notes(live) == [
        permission_cards.DONE_FOR_MODEL.format(done="post to #ops (“Hello”); post to #news (“Hello”)")
    ]


def test_each_permission_of_a_turn_resumes_it_once_more() -> None:
    live = asks(Live().says("Post both")).clicks(ALLOW)
    live.reports(use("t1", UseState.DONE), use("t2", UseState.ASKED)).posts_cards().clicks(ALLOW)
    assert live.now.turn
    assert live.now.turn.resumed == 2


def test_of_the_finished_calls_that_one_is_counted_out_which_was_carried_out_for_the_question() -> None:
    calls = (ResolveQuestion(value="2"), DAILY)
    live = asks(waiting().says("the second one, and post it"), calls=calls, finished_calls=2)
    assert (live.reply.calls, live.reply.finished_calls) == ((DAILY,), 1)
    live = asks(waiting().says("the second one, and post it"), calls=calls, finished_calls=0)
    assert (live.reply.calls, live.reply.finished_calls) == ((DAILY,), 0)


def test_the_newest_message_that_a_turn_has_heard_counts_whatever_their_order() -> None:
    live = Live().says("Post it").says("In #ops").says("Now")
    first, last = live.transcript[-2:]
    event = replace(live.reported(use("t1")), heard=(last, first))
    live.now = replace(live.now, heard="")
    live.apply(event, event.turn)
    assert (live.now.heard, live.now.asked, live.now.overheard) == (last.ts, (), last.seq)


# What the owner's choice covers


def test_a_permanent_choice_keeps_what_the_target_and_the_tool_were_like_and_whose_it_is() -> None:
    there = Standing(kind=ChannelKind.PRIVATE, member=True)
    live = asks(Live().says("Post"))
    assert live.now.turn
    asked = replace(live.now.turn.uses[0], standing=there, described="d1")
    live.now = replace(live.now, turn=replace(live.now.turn, uses=(asked, *live.now.turn.uses[1:])))
    (saved,) = live.clicks(ALWAYS).new(SavePermissionRule)
    rule = saved.rule
    assert (rule.standing, rule.described, rule.label) == (there, "d1", "posting to #ops")
    assert (rule.team, rule.user, rule.tool, rule.scope, rule.allows) == (
        THREAD.team,
        OWNER,
        "post_message",
        "channel:C2",
        True,
    )


@pytest.mark.parametrize(("value", "allows"), [(ALWAYS, True), (NEVER, False)])
def test_a_permanent_choice_about_content_of_several_sources_is_one_rule_for_each_pair(
    value: str, allows: bool
) -> None:
    pairs = (Coverage(scope="channel:C2 from C7", label="a"), Coverage(scope="channel:C2 from C8", label="b"))
    live = Live().says("Post").reports(use("t1", UseState.ASKED, ruled=pairs)).posts_cards().clicks(value)
    kept = [(effect.rule.scope, effect.rule.label, effect.rule.allows) for effect in live.new(SavePermissionRule)]
    assert kept == [("channel:C2 from C7", "a", allows), ("channel:C2 from C8", "b", allows)]


BOTH = (use("t1", UseState.ASKED), use("t2", UseState.ASKED, title="post to #news"), use("t3"))


@pytest.mark.req("AG-09")
def test_who_allows_all_has_allowed_each_listed_write_and_each_is_audited() -> None:
    live = Live().says("Post").reports(*BOTH).posts_cards()
    live.clicks(str(list_options(2).index("Allow all 2 this time")))
    assert live.now.turn
    assert [each.state for each in live.now.turn.uses] == [UseState.ALLOWED, UseState.ALLOWED, UseState.OPEN]
    assert len(live.path("permission_decision")) == 2
    card = live.card(PermissionCard)
    assert (card.all_allowed, card.decision, card.by) == (True, PermissionChoice.ALLOW, OWNER)
    assert live.new(SavePermissionRule) == []


@pytest.mark.req("AG-09")
@pytest.mark.parametrize(
    ("value", "state"), [(ALLOW, UseState.ALLOWED), (ALWAYS, UseState.ALLOWED), (NEVER, UseState.DENIED)]
)
def test_a_choice_about_the_first_of_several_writes_leaves_the_others_to_be_asked_about(
    value: str, state: UseState
) -> None:
    live = Live().says("Post").reports(*BOTH).posts_cards().clicks(value)
    assert live.now.turn
    assert [each.state for each in live.now.turn.uses] == [state, UseState.OPEN, UseState.OPEN]
    assert len(live.path("permission_decision")) == 1
    assert not live.card(PermissionCard).all_allowed


UNSURE = use("t1", UseState.DONE, title="post to #a", failed=True, result=UNKNOWN_OUTCOME)


@pytest.mark.parametrize("later", [(), (use("t9", UseState.DONE, title="post to #b"),)])
def test_of_what_may_have_been_done_the_model_is_told_and_the_owner_asked_to_look(later: tuple[Use, ...]) -> None:
    live = Live().says("Post").reports(UNSURE)
    if later:
        live.reports(*later)
    live.replies("", status=MessageStatus.FAILED)
    what = "post to #a (“Hello”)"
    assert permission_cards.UNKNOWN_FOR_MODEL.format(tool="post_message", what=what) in notes(live)
    shown = [row.card.text for row in live.transcript if row.card and row.card.kind == "note"]
    assert len(shown) == 1
    assert "post to #a" in shown[0]


# Told to wait, and then nothing


@pytest.mark.parametrize("plan", [None, AT_ONCE, DAILY])
def test_who_had_it_wait_and_wants_nothing_instead_may_stop(plan: object) -> None:
    live = in_background(plan).wait(10 * 60).is_due() if plan else Live().says("Post")  # pyright: ignore[reportArgumentType]
    live = asks(live).clicks(WAIT).posts_cards()
    assert live.now.question
    assert live.now.question.origin is Origin.INTERRUPT
    live.does(StopRequested)
    assert (live.now.run, live.now.question, live.now.planned) == (TurnState.IDLE, None, 0)
    assert live.now.status is (Status.BACKGROUND if plan is DAILY else Status.ACTIVE)
    assert live.card(QuestionCard).state is QuestionState.CANCELLED
    assert live.new(FinishReply) == []


def test_stop_is_for_answers_and_leaves_other_questions_alone() -> None:
    for live in (waiting(), failed_often(), Live().talks()):
        assert live.refuses(live.event(StopRequested)) == "NO_STREAM"


# How it is counted


@pytest.mark.req("AG-09")
def test_the_card_lists_the_writes_that_are_asked_about_together_and_no_read_and_no_later_write() -> None:
    read = use("r1", UseState.DONE)
    both = (use("t1", UseState.ASKED), use("t2", UseState.ASKED, title="post to #news"))
    live = Live().says("Post").reports(read, *both, use("t3")).posts_cards()
    assert live.card(PermissionCard).together == ("post to #ops (“Hello”)", "post to #news (“Hello”)")
    assert live.now.question
    assert live.now.question.options == list_options(2)
    alone = asks(Live().says("Post")).card(PermissionCard)
    assert (alone.together, alone.all_allowed) == ((), False)
    assert not asks(Live().says("Post")).clicks(ALLOW).card(PermissionCard).all_allowed


@pytest.mark.req("SE-04", "AG-09")
def test_the_card_gives_the_reasons_for_each_of_the_writes_that_one_button_allows() -> None:
    first, second = use("t1", UseState.ASKED, remarks=("Why",)), use("t2", UseState.ASKED, remarks=("Why", "And why"))
    live = Live().says("Post").reports(first, second).posts_cards()
    assert live.card(PermissionCard).use.remarks == ("Why", "And why")
    assert live.now.turn
    assert [each.remarks for each in live.now.turn.uses] == [("Why",), ("Why", "And why")]


def test_only_what_may_be_asked_about_is_counted_on_the_card() -> None:
    read, called = replace(use("r1"), state=UseState.DONE), replace(use("c1"), state=UseState.DONE)
    live = Live().says("Post").reports(read, use("t1", UseState.ASKED), called, use("t2")).posts_cards()
    card = live.card(PermissionCard)
    assert (card.place, card.count) == (1, 2)
    live.clicks(ALLOW).reports(read, use("t1", UseState.DONE), called, use("t2", UseState.ASKED)).posts_cards()
    card = live.card(PermissionCard)
    assert (card.place, card.count) == (2, 2)


# Pressed too late


@pytest.mark.parametrize(("value", "label"), [(ALLOW, "Allow this time"), (NEVER, "Never allow")])
def test_who_presses_after_somebody_has_decided_is_told_what_was_decided(live: Live, value: str, label: str) -> None:
    late = live.click(ALWAYS)
    live.clicks(value)
    assert live.refuses(late) == "QUESTION_CLOSED"
    (told,) = live.new(PostEphemeral)
    assert told.text == texts.ALREADY_ANSWERED.format(answer=label)
    assert not [effect for effect in live.new(SavePermissionRule) if effect.rule.allows]


def test_who_presses_what_was_withdrawn_is_told_that_it_is_settled(live: Live) -> None:
    late = live.click(ALLOW)
    live.stops()
    assert live.refuses(late) == "QUESTION_CLOSED"
    assert [told.text for told in live.new(PostEphemeral)] == [texts.ALREADY_DONE]


# Never, after it was allowed


def forbids(live: Live, card: int) -> Live:
    """The owner presses *Never* on a card that was answered before."""
    event = live.click(NEVER, card=card)
    live.apply(event, event.receipt)
    return live


@pytest.mark.req("S3-017")
@pytest.mark.parametrize("first", [ALLOW, ALWAYS])
def test_a_later_never_wins_over_an_allow_whose_write_has_not_begun(live: Live, first: str) -> None:
    place = live.shown(PermissionCard).seq
    forbids(live.clicks(first), place)
    assert live.now.turn
    assert [each.state for each in live.now.turn.uses] == [UseState.DENIED, UseState.OPEN]
    assert [(each.rule.scope, each.rule.allows) for each in live.new(SavePermissionRule)] == [("channel:C2", False)]
    assert (live.card(PermissionCard).decision, live.card(PermissionCard).all_allowed) == (
        PermissionChoice.NEVER,
        False,
    )
    assert live.new(ShowCard), "people see it"
    (decided,) = [event for event in live.made.audit if event.type == "permission_decision"]
    assert decided.after == PermissionChoice.NEVER
    with pytest.raises(ForbiddenMeanwhile):
        live.reports(use("t1", UseState.STARTED), use("t2"))
    live.reports(use("t1", UseState.ALLOWED), use("t2"))
    assert live.now.turn.uses[0].state is UseState.DENIED, "whoever runs the turn did not know it yet"
    live.reports(use("t1", UseState.DONE, failed=True), use("t2")).replies("I may not.")
    assert live.now.run is not TurnState.AWAITING


@pytest.mark.req("S3-017")
@pytest.mark.parametrize("state", [UseState.STARTED, UseState.DONE])
def test_a_never_that_comes_after_the_write_has_begun_is_told_what_was_answered(live: Live, state: UseState) -> None:
    place = live.shown(PermissionCard).seq
    live.clicks(ALLOW).reports(use("t1", state), use("t2"))
    assert live.refuses(live.click(NEVER, card=place)) == "QUESTION_CLOSED"
    (said,) = [each for each in live.made.conversation.effects if isinstance(each, PostEphemeral)]
    assert "Allow this time" in said.text
    assert live.card(PermissionCard).decision is PermissionChoice.ALLOW


@pytest.mark.parametrize("value", [ALLOW, ALWAYS, WAIT])
def test_no_other_button_is_heard_on_a_card_that_was_answered(live: Live, value: str) -> None:
    place = live.shown(PermissionCard).seq
    live.clicks(ALLOW)
    assert live.refuses(live.click(value, card=place)) == "QUESTION_CLOSED"


@pytest.mark.req("S3-017")
def test_of_several_that_were_allowed_together_those_that_have_begun_are_told_as_done() -> None:
    live = Live().says("Post them.")
    live.reports(use("t1", UseState.ASKED), use("t2", UseState.ASKED)).posts_cards()
    place = live.shown(PermissionCard).seq
    live.clicks(str(len(PermissionChoice))).reports(use("t1", UseState.DONE), use("t2", UseState.ALLOWED))
    forbids(live, place)
    card = live.card(PermissionCard)
    assert (card.all_allowed, card.forbidden, card.decision) == (True, 1, PermissionChoice.ALLOW)
    assert live.now.turn
    assert [each.state for each in live.now.turn.uses] == [UseState.DONE, UseState.DENIED]
