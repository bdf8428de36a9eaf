"""Everything that people are shown to press: each reply, card and window once in each state that offers something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.core.cards import Card, FiledCard, HubCard, QuestionCard, ScheduleCard
from app.core.effects import Offer
from app.core.model import MessageStatus
from app.core.permissions import Policy
from app.core.question import Question, QuestionKind
from app.core.schedule import Schedule, ScheduleKind
from app.core.sheet import Prose
from handlers import beginning, blocks, exports, forms, glance, handover, permissions, picker, records, showing, welcome
from handlers.blocks import Block
from handlers.cards import shown
from handlers.editing import rating, window
from handlers.editing.asking import form_of
from handlers.editing.orders import Order
from handlers.home import home
from handlers.permissions import Permitted
from handlers.step_cards import RATED
from tests.fakes import START
from tests.unit.decision.report.dossiers import report_of
from tests.unit.handlers.decided import hub
from tests.unit.handlers.editing.windows import subject
from tests.unit.handlers.ruled import permitted, rule
from tests.unit.handlers.shown import AT, PLACE, ROOT, SEQ
from tests.unit.handlers.slack import reply
from tests.unit.handlers.steps_of import DECISION, DRAFT, NEXT, REVIEW
from tests.unit.handlers.talks import put_away, talk, waiting
from tests.unit.handlers.test_permission_cards import CARD as PERMISSION
from tests.unit.handlers.test_showing import asking

DAILY = Schedule(kind=ScheduleKind.CRON, zone="UTC", cron="0 9 * * *", instruction="Send the digest.")
FEW, MANY = tuple("abcd"), tuple("abcdefgh")
LONG = Prose(text="word " * 50_000)


def every_view() -> Iterator[dict[str, Any]]:
    """All messages and windows."""
    for below in _replies():
        yield {"blocks": [*below]}
    for card in _cards():
        for page in shown(card, SEQ, PLACE):
            yield {"blocks": [*page.blocks]}
    yield from _windows()
    yield from _editing()


def _replies() -> Iterator[tuple[Block, ...]]:
    yield blocks.stop(SEQ)
    yield (blocks.interview_offers(ROOT, rated=True),)
    yield welcome.greeting().blocks
    yield from (blocks.offer("Well?", each, ROOT).blocks for each in Offer)
    quiet = (MessageStatus.INTERRUPTED, MessageStatus.CANCELLED, MessageStatus.TRUNCATED, MessageStatus.LIMITED)
    yield from (blocks.closing(reply(status=status)) for status in quiet)


def _cards() -> Iterator[Card]:
    for options in (FEW, MANY):
        asked = Question(id="1.2", kind=QuestionKind.CHOICE, prompt="Which?", options=options, other=True)
        yield QuestionCard(question=asked, owner="U1")
    yield replace(PERMISSION, use=replace(PERMISSION.use, shown="line\n" * 100))
    yield ScheduleCard(schedule=DAILY, next_run="2026-03-02T09:00:00+00:00", at=AT)
    yield FiledCard(by="U1", at=AT)
    yield replace(DRAFT, component=RATED, closable=True)
    yield NEXT
    yield REVIEW
    yield HubCard(decision=DECISION, owner="U1")


def _windows() -> Iterator[dict[str, Any]]:
    now, view = talk(1), glance.View(workspace_url=PLACE.workspace_url, now=START)
    yield home((waiting(2), now, put_away(3)), view, Permitted(rules=(), policy=Policy()), 0)
    yield welcome.start_form("C1")
    yield beginning.form(beginning.Asked(channel="C1"), beginning.Offered(here=True, private=True))
    yield forms.answer_form(now.thread, SEQ, "By when?")
    yield exports.form([hub()])
    yield handover.form(now.thread)
    yield from (picker.empty(act, choices=True) for act in picker.Filing)
    yield from (records.record(report_of(*[LONG] * 5), now.thread, page) for page in (0, 1))
    yield from (showing.window(asking(), page) for page in (0, 1))
    many = permitted(*(rule(number) for number in range(2 * permissions.PAGE)))
    yield from (permissions.window(many, page) for page in (0, 1))


def _editing() -> Iterator[dict[str, Any]]:
    it, rated = subject("issue_raising"), subject(RATED)
    yield window.listed(it.component, it.about, it.draft, it.so_far, "Saved.")
    yield rating.picker(rated.about, "Consequences", rated.draft, rated.so_far)
    for of, order, about in (
        (it, Order.EDIT, "potential_decisions.0"),
        (it, Order.MOVE, "potential_decisions.0"),
        (rated, Order.RATE, f"{rated.so_far.objectives[0]}:0"),
    ):
        made = form_of(of, order, about)
        assert made
        yield made
