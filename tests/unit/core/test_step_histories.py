"""What holds of a step's thread after any history at all."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import settings
from hypothesis.stateful import invariant
from pydantic import TypeAdapter

from app.core.conversation.audit import AuditType
from app.core.conversation.card import FiledCard, NextCard, QuestionCard, ReviewCard, StepCard, StepState
from app.core.conversation.conversation import Conversation, Message, MessageStatus
from app.core.conversation.effect import Erase, RunTurn, SaveVersion, SendNotice
from app.core.conversation.news import StepMove
from app.core.events.heard import Event
from app.core.state.decision import ComponentStatus, DecisionStep
from app.core.state.interview import Phase, Stage
from app.core.state.lifecycle import Lifecycle, can_generate_response
from app.core.state.status import Status, TurnState
from tests.unit.core.hubs import HubThread
from tests.unit.core.interviews import news
from tests.unit.core.step_histories import StepHistory

OBJECTIVES = DecisionStep(key="objectives", title="Objectives")
STATES, ROWS = TypeAdapter(Conversation), TypeAdapter(tuple[Message, ...])


class WatchedStep(StepHistory):
    def __init__(self) -> None:
        super().__init__()
        self.hub = HubThread(steps=(OBJECTIVES,))
        self.heard: set[str] = set()

    def teardown(self) -> None:
        """What is kept is read back as it was."""
        assert STATES.validate_json(STATES.dump_json(self.now)) == self.now
        rows = tuple(self.live.rows.values())
        assert ROWS.validate_json(ROWS.dump_json(rows)) == rows

    def happens(self, event: Event, cause: str = "", **found: Any) -> bool:
        happened = super().happens(event, cause, **found)
        for tell in self.now.effects:
            if isinstance(tell, SendNotice) and isinstance(tell.news, StepMove) and tell.id not in self.heard:
                self.heard.add(tell.id)
                self.hub.apply(news(self.hub, tell.news), tell.id)
        if not happened:
            assert self.made.messages == ()
        return happened

    @invariant()
    def somebody_is_answered_or_nobody_waits(self) -> None:
        busy = self.now.run is TurnState.STREAMING
        assert busy or not (self.now.asked or self.now.queued)
        assert busy or self.now.phase is not Phase.EXTRACT or self.now.lifecycle is Lifecycle.COMPLETE

    @invariant()
    def what_is_finished_or_archived_wants_no_answer(self) -> None:
        if self.now.status is Status.ARCHIVED or self.now.lifecycle is Lifecycle.COMPLETE:
            assert (self.now.asked, self.now.queued) == ((), ())
        if self.now.turn and self.now.turn != self.before.turn:
            assert can_generate_response(self.now.lifecycle)

    @invariant()
    def there_is_one_turn_while_streaming_and_none_at_rest(self) -> None:
        turns = [effect.turn for effect in self.now.effects if isinstance(effect, RunTurn)]
        assert turns == ([self.now.turn.id] if self.now.turn else [])
        assert (self.now.turn is not None) == (self.now.run is TurnState.STREAMING)
        streaming = [row.seq for row in self.live.rows.values() if row.status is MessageStatus.STREAMING]
        assert streaming == ([self.now.turn.reply] if self.now.turn else [])

    @invariant()
    def an_extraction_is_what_runs_in_extract(self) -> None:
        if self.now.turn and self.now.interview:
            is_extraction = self.live.reply.stage is not Stage.NONE
            assert is_extraction == (self.now.phase is Phase.EXTRACT)

    @invariant()
    def the_open_cards_are_those_of_what_is_open(self) -> None:
        opened = [row.seq for row in self.live.rows.values() if row.status is MessageStatus.OPEN]
        assert sorted(self.now.cards) == sorted(opened)
        cards = [self.live.rows[seq].card for seq in self.now.cards]
        standing = [each for each in cards if isinstance(each, StepCard) and each.state is StepState.APPROVED]
        assert [each.version for each in standing] in ([], [self.now.approved]), "until a later version replaces it"
        kinds = [type(each) for each in cards if each not in standing]
        assert kinds.count(QuestionCard) + kinds.count(StepCard) == int(self.now.question is not None)
        assert kinds.count(FiledCard) == int(self.now.status is Status.ARCHIVED and not self.erasing)
        assert kinds.count(ReviewCard) <= int(self.now.lifecycle is Lifecycle.COMPLETE)
        assert kinds.count(NextCard) <= int(self.now.approved > 0)
        assert set(kinds) <= {QuestionCard, StepCard, FiledCard, ReviewCard, NextCard}

    @invariant()
    def the_card_that_waits_shows_the_draft_that_is_approved(self) -> None:
        asked = self.now.question
        card = self.live.rows[asked.card].card if asked else None
        if isinstance(card, StepCard):
            lead = self.live.lead
            assert lead.drafted
            shown = (card.question, card.owner, card.edition, card.sheet, card.missing)
            assert shown == (asked, self.now.owner, lead.edition, lead.drafted.sheet, lead.drafted.missing)
            assert lead.draft == lead.drafted.draft
        waits = self.now.lifecycle is Lifecycle.CONFIRMED and self.now.status is not Status.ARCHIVED
        assert isinstance(card, StepCard) == (waits and not self.erasing)

    @invariant()
    def a_version_is_kept_of_each_approval_and_of_nothing_else(self) -> None:
        kept = [effect for effect in self.now.effects if isinstance(effect, SaveVersion)]
        new = [effect for effect in kept if effect not in self.before.effects]
        assert [effect.version for effect in new] == list(range(self.before.approved + 1, self.now.approved + 1))
        for effect in new:
            assert json.loads(self.live.rows[effect.row].data) == self.live.lead.draft
            assert self.live.lead.drafted
            assert self.live.lead.drafted.missing == ()

    @invariant()
    def no_draft_is_ever_lost(self) -> None:
        if self.before.interview and self.now.interview:
            assert self.now.interview.draft or not self.before.interview.draft
            assert self.now.interview.edition >= self.before.interview.edition
            changed = self.now.interview.draft != self.before.interview.draft
            assert not changed or self.now.interview.edition > self.before.interview.edition

    @invariant()
    def the_decision_knows_how_its_step_stands(self) -> None:
        if not self.now.interview or self.erasing:
            return
        step = self.hub.step("objectives")
        is_asked = self.now.question is not None and isinstance(self.live.rows[self.now.question.card].card, StepCard)
        assert step.waits == is_asked
        assert step.version == self.now.approved
        assert (step.status is ComponentStatus.COMPLETE) == (self.now.lifecycle is Lifecycle.COMPLETE)

    @invariant()
    def each_hop_is_in_the_trail_and_nothing_that_anybody_wrote(self) -> None:
        after = self.made.conversation
        state = self.before.phase.value if self.before.phase else ""
        for hop in (event for event in self.made.audit if event.type is AuditType.PHASE_TRANSITION):
            assert hop.before == state
            state = hop.after
        assert state == (after.phase.value if after.phase else "")
        told = repr(self.made.audit)
        assert "word-" not in told.replace("correlation='word-", "")
        assert "Faster response" not in told

    @property
    def erasing(self) -> bool:
        return any(isinstance(effect, Erase) for effect in self.now.effects)


class TestStepHistory(WatchedStep.TestCase):
    settings = settings(stateful_step_count=40)
