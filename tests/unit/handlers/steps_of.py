"""A decision with its steps, and cards of them."""

from __future__ import annotations

from dataclasses import replace

from app.core.conversation.card import NextCard, NotesCard, ReviewCard, StepCard
from app.core.state.decision import ComponentStatus, Decision, DecisionStep
from app.core.state.interview import UnsaidFigure
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.sheet import Item, Listing, Sheet
from app.core.thread import ThreadKey
from tests.unit.handlers.shown import AT

DONE, BEGUN = ComponentStatus.COMPLETE, ComponentStatus.IN_PROGRESS
OPEN, STALE = ComponentStatus.NOT_STARTED, ComponentStatus.NEEDS_REVISION

HUB = ThreadKey(team="T1", channel="C1", root="1770000000.000100")
TO_HUB = "<https://acme.slack.com/archives/C1/p1770000000000100|the decision>"
SHEET = Sheet(sections=(Listing(title="Objectives", items=(Item(text="Faster response", handle="O1"),)),))
LONG = Sheet(sections=(Listing(title="Notes", items=(Item(text="word " * 4_000, handle="C1"),)),))
QUESTION = Question(
    id="7.12",
    kind=QuestionKind.CONFIRMATION,
    prompt="Would each of these matter?",
    options=("Approve", "Request changes"),
    origin=Origin.EXTRACTION,
)
DRAFT = StepCard(
    question=QUESTION, owner="U1", component="objectives", title="Objectives", draft=2, edition=5, sheet=SHEET, at=AT
)
ESSENCE = tuple(f"Line {number} of what matters" for number in range(1, 6))
SHORT = replace(DRAFT, sheet=replace(LONG, essence=ESSENCE))
"""A draft with more than its card has lines for."""
DETAILS = ("Show details", "show_all", "12")
"""Its button, as `pressed` tells it."""
INVENTED = UnsaidFigure(text="15k", where="A2 Rent: closes about 15k of the hole")
NEXT = NextCard(title="Objectives", version=1, next_key="alternatives", next_title="Alternatives", decision=HUB)
NOTED = NotesCard(title="Objectives", sheet=SHEET, missing=("a measure",))
REVIEW = ReviewCard(title="Consequences", causes=("Objectives v2", "Alternatives v3"), version=1, sheet=SHEET)


def thread(number: int) -> ThreadKey:
    return ThreadKey(team="T1", channel="C1", root=f"177000020{number}.000100")


def address(number: int) -> str:
    return f"https://acme.slack.com/archives/C1/p177000020{number}000100"


ISSUES = DecisionStep(
    key="issue_raising", title="Issue raising", status=DONE, thread=thread(1), version=1, gist="3 decisions"
)
FRAME = DecisionStep(
    key="frame",
    title="Problem frame",
    after="issue_raising",
    status=DONE,
    thread=thread(2),
    version=2,
    concerns=("alternatives",),
)
OBJECTIVES = DecisionStep(
    key="objectives", title="Objectives", after="frame", status=BEGUN, thread=thread(3), waits=True
)
ALTERNATIVES = DecisionStep(
    key="alternatives",
    title="Alternatives",
    after="objectives",
    status=STALE,
    thread=thread(4),
    version=1,
    based_on={"frame": 1, "issue_raising": 1},
)
RATINGS = DecisionStep(key="ratings", title="Ratings", after="alternatives")
QUALITY = DecisionStep(key="quality", title="Quality", after="ratings", closes=True)
NOTES = DecisionStep(key="notes", title="Notes", after="issue_raising")
STEPS = (ISSUES, FRAME, OBJECTIVES, ALTERNATIVES, RATINGS, QUALITY, NOTES)
DECISION = Decision(question="How do we cover no-heat calls?", steps=STEPS, deadline="2026-03-01")
