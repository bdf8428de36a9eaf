"""Everything that people are shown to press: each reply, card and window once in each state that offers something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.core.conversation.card import Card, FiledCard, HubCard, QuestionCard, ScheduleCard
from app.core.conversation.conversation import MessageStatus
from app.core.conversation.effect import Offer
from app.core.state.interview import UnsaidFigure
from app.core.state.permission import Policy, list_options
from app.core.state.question import Question, QuestionKind
from app.core.state.schedule import Schedule, ScheduleKind
from app.core.state.sheet import Prose
from handlers.views.cards.step_card import RATED
from handlers.views.cards.thread_cards import render_card
from handlers.views.editing import rating, window
from handlers.views.editing.edits import build_item_form
from handlers.views.editing.window_state import WindowCommand
from handlers.views.kit import blocks, summary_line
from handlers.views.kit.blocks import Block
from handlers.views.windows import (
    conversation_picker,
    export_window,
    forms,
    handover_window,
    new_decision,
    record_window,
    rules_window,
    show_all_window,
    welcome,
)
from handlers.views.windows.home_tab import render_home
from handlers.views.windows.rules_window import PermissionOverview
from tests.unit.decision.report.dossiers import report_of
from tests.unit.handlers.decided import hub
from tests.unit.handlers.editing.windows import subject
from tests.unit.handlers.ruled import permitted, rule
from tests.unit.handlers.shown import AT, PLACE, ROOT, SEQ
from tests.unit.handlers.steps_of import DECISION, DRAFT, NEXT, NOTED, REVIEW
from tests.unit.handlers.strict_slack import reply
from tests.unit.handlers.talks import put_away, talk, waiting
from tests.unit.handlers.views.cards.test_permission_card import CARD as PERMISSION
from tests.unit.handlers.views.windows.test_show_all_window import asking
from tests.virtual import START

DAILY = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron="0 9 * * *", instruction="Send the digest.")
FEW, MANY = tuple("abcd"), tuple("abcdefgh")
LONG = Prose(text="word " * 50_000)


def every_view() -> Iterator[dict[str, Any]]:
    """All messages and windows."""
    for below in _replies():
        yield {"blocks": [*below]}
    for card in _cards():
        for page in render_card(card, SEQ, PLACE):
            yield {"blocks": [*page.blocks]}
    yield from _windows()
    yield from _editing()


def _replies() -> Iterator[tuple[Block, ...]]:
    yield blocks.build_stop_button(SEQ)
    yield (blocks.build_interview_actions(ROOT, opens=True, rated=True, ends_soon=True),)
    yield (blocks.build_draft_actions(("F1", "F2")),)
    yield welcome.render_greeting().blocks
    yield from (blocks.render_offer("Well?", each, PLACE, "1770000001.000100").blocks for each in Offer)
    quiet = (MessageStatus.INTERRUPTED, MessageStatus.CANCELLED, MessageStatus.TRUNCATED, MessageStatus.LIMITED)
    yield from (blocks.render_ending(reply(status=status)) for status in quiet)


def _cards() -> Iterator[Card]:
    for options in (FEW, MANY):
        asked = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=options, other=True)
        yield QuestionCard(question=asked, owner="U1")
    yield replace(PERMISSION, use=replace(PERMISSION.use, shown="line\n" * 100))
    yield replace(PERMISSION, question=replace(PERMISSION.question, options=list_options(2)), together=("one", "two"))
    yield ScheduleCard(schedule=DAILY, next_run="2026-03-02T09:00:00+00:00", at=AT)
    yield ScheduleCard(schedule=DAILY, next_run="2026-03-02T09:00:00+00:00", at=AT, held=True)
    yield FiledCard(by="U1", at=AT)
    yield replace(DRAFT, component=RATED, closable=True)
    yield replace(DRAFT, unsaid=(UnsaidFigure(text="15k", where="A2 Hire: closes about 15k of the hole"),))
    yield NEXT
    yield replace(NOTED, sheet=replace(NOTED.sheet, essence=("1 objective",)))
    yield REVIEW
    yield HubCard(decision=DECISION, owner="U1")


def _windows() -> Iterator[dict[str, Any]]:
    now, view = talk(1), summary_line.LinkContext(workspace_url=PLACE.workspace_url, now=START)
    yield render_home((waiting(2), now, put_away(3), hub(4)), view, PermissionOverview(rules=(), policy=Policy()), 0)
    yield welcome.build_start_form("C1")
    yield new_decision.build_form(
        new_decision.DecisionOrigin(channel="C1"), new_decision.FormOptions(here=True, private=True)
    )
    yield new_decision.build_draft_form(now.thread, "Objectives")
    yield forms.build_answer_form(now.thread, SEQ, "By when?")
    yield export_window.build_form([hub()])
    yield handover_window.build_form(now.thread)
    yield from (conversation_picker.build_empty(act, choices=True) for act in conversation_picker.ArchiveAction)
    yield from (record_window.build_record_window(report_of(*[LONG] * 5), now.thread, page) for page in (0, 1))
    yield from (show_all_window.build_window(asking(), page) for page in (0, 1))
    many = replace(permitted(*(rule(number) for number in range(2 * forms.PAGE))), tools=("post_message",))
    yield from (rules_window.build_window(many, page) for page in (0, 1))


def _editing() -> Iterator[dict[str, Any]]:
    it, rated = subject("issue_raising"), subject(RATED)
    yield window.build_list(it, "Saved.")
    yield rating.build_picker(rated)
    for of, order, about in (
        (it, WindowCommand.EDIT, "potential_decisions.0"),
        (it, WindowCommand.MOVE, "potential_decisions.0"),
        (rated, WindowCommand.RATE, f"{rated.so_far.objectives[0]}:0"),
    ):
        made = build_item_form(of, order, about)
        assert made
        yield made
