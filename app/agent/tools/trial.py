"""Trials: the tool calls of one turn, tried at once on a copy of the conversation, so that the model hears the outcome.

Which tools there are, and when each may be called, is known to the toolsets.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from app.agent.tools.output import ToolResult, report
from app.core.conversation.call import (
    AskPerson,
    Call,
    ConfirmationResolved,
    DraftNoted,
    InconsistencyFlagged,
    InconsistencySettled,
    SummaryReady,
    SummaryRefused,
    WorkCall,
)
from app.core.conversation.conversation import Conversation, Message
from app.core.conversation.facts import Facts
from app.core.conversation.transition import Trigger
from app.core.errors import ExtractionError, IllegalEvent
from app.core.state.interview import Inconsistency, Interview, Mode, Phase, VouchedFigure
from app.core.text.marks import clean
from app.core.turns.model_call import carry_out_call
from app.decision.drafts.draft import Accepted, Rejected, read
from app.decision.drafts.notebook import DraftChange, DraftEditor
from app.decision.drafts.noting import NEEDS, list_gaps, list_needs
from app.decision.drafts.quote_sources import Quotable, Sources, list_approved_texts, list_texts
from app.decision.drafts.rating_edits import find_chosen
from app.decision.schema.feedback import describe_issue
from app.decision.schema.handles import list_handles
from app.decision.schema.paths import Draft, map_names
from app.decision.schema.similarity import normalize
from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.decision.tracing.statements import list_said
from app.decision.tracing.tracing import list_approved, trace_figures
from app.decision.tracing.unsaid_claims import find_unsaid_names, list_known_people
from app.decision.tracing.weekdays import find_wrong_weekdays

GO_ON: Final = "Go on with the conversation."
SHOWN_AGAIN: Final = "The draft is shown again with this when your turn ends. Say in a sentence what you changed."
TAKEN_BACK: Final = "The draft cannot be shown like this, so the talk goes on: ask for what is still needed."
MISQUOTED: Final = (
    'quote: nobody wrote these words. The nearest in the thread: "{nearest}". Give the words letter for letter from '
    "one message, or no quote; nothing was noted."
)
MISATTRIBUTED: Final = (
    'nobody wrote "{words}". {nearest}Give the words letter for letter from one message, or without quotation marks; '
    "nothing was noted."
)
NEAREST: Final = 'The nearest in the thread: "{nearest}". '
NOT_KEPT: Final = "right, but items of this list keep no quotes"
FORMER: Final = "the quotes were of its former words and are left out: give those of a person for the new ones, if any"
UNSAID: Final = (
    "nobody in this thread said {figures}: unless an earlier step or a file holds it, take it out and ask for it; the "
    "card names what nobody said"
)
NOT_SAID: Final = "quote: nobody wrote these words or similar ones. Give no quote; nothing was noted."
_NOT_TAKEN: Final = MappingProxyType({"quote": NOT_KEPT, "evidence": FORMER})


@dataclass(eq=False)
class Trial:
    """Calls of one turn. They count, in order, when the end of the turn is saved."""

    conversation: Conversation
    """As the calls so far leave it."""
    messages: tuple[Message, ...]
    at: Callable[[], str]
    """Return the time as a ts."""
    schedule_wait: int = 0
    """Seconds until the owner may schedule work again; 0 if they may now."""
    calls: tuple[Call, ...] = field(default=(), init=False)
    _cards: tuple[Message, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._cards = tuple(message for message in self.messages if message.seq in self.conversation.cards)

    @property
    def waits(self) -> bool:
        """True if the turn ends with a call that was made."""
        return any(isinstance(call, AskPerson | WorkCall | SummaryReady | ConfirmationResolved) for call in self.calls)

    def restore(self, calls: tuple[Call, ...]) -> None:
        """Go on after the calls that the finished rounds of the turn have made."""
        for call in calls:
            with suppress(IllegalEvent):  # the owner may have changed the conversation meanwhile
                self.apply(call)
        self.calls = calls

    def hear(self, rows: tuple[Message, ...]) -> None:
        """Know these messages, too, which were read between two rounds."""
        self.messages = (*self.messages, *rows)

    def count(self, call: Call) -> None:
        """Let a call count without trying it."""
        self.calls = (*self.calls, call)

    def apply(self, call: Call, at: str = "") -> None:
        """Try a call on the conversation and let it count. Raises `IllegalEvent`, and has changed nothing then."""
        trigger = Trigger(cause="try", at=at or self.at(), facts=Facts(open_cards=self._cards))
        self.conversation = carry_out_call(self.conversation, call, trigger).conversation
        self.count(call)


@dataclass(eq=False, kw_only=True)
class InterviewTrial(Trial):
    """Calls of one turn of an interview. Of the changes of the draft, only their sum counts."""

    notebook: DraftEditor
    """With the component of the step, and what the decision has approved before it."""
    sources: Sources
    open: dict[str, Inconsistency] = field(init=False)
    """Inconsistencies that are not settled, by what they are about."""
    draft: Draft = field(init=False)
    failed: tuple[str, ...] = field(default=(), init=False)
    """Names of the tools whose calls have failed since the owner was last heard."""
    text: str = field(default="", init=False)
    """Text of the reply that the calls of this round belong to."""
    _edition: int = field(init=False)
    """Edition of the draft that the turn began with: a change by hand meanwhile must not be lost to its notes."""
    _told: tuple[str, ...] = field(default=(), init=False)
    _telling: tuple[str, ...] = field(default=(), init=False)
    _unsaid: set[str] | None = field(default=None, init=False)
    """Figures of the draft that nobody said and the model knows of."""
    _odd: tuple[str, ...] | None = field(default=None, init=False)
    """Questions about dates of the draft and their weekdays that the model knows of."""
    _needed: list[str] | None = field(default=None, init=False)
    """What the model was told last is needed, by the state of its turn or by a result."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.open = {each.about: each for each in self.interview.inconsistencies}
        self.draft, self._edition = dict(self.interview.draft), self.interview.edition
        self._spend(self.draft, self.interview.drafted.draft if self.interview.drafted else {})
        self._told = self.interview.refused_gap

    @property
    def interview(self) -> Interview:
        """The interview as it was when the turn began."""
        assert self.conversation.interview is not None, "only the thread of a step is interviewed in"
        return self.conversation.interview

    @property
    def phase(self) -> Phase:
        """The phase that decides which tools may be called.

        Without people the extraction itself begins with a turn of discussion. A draft that is to be changed is
        discussed again within the same turn.
        """
        phase = self.conversation.phase or Phase.INTRO
        is_discussion = phase is Phase.EXTRACT and self.interview.mode is Mode.DIRECT
        return Phase.GATHER if is_discussion or ConfirmationResolved(approved=False) in self.calls else phase

    @property
    def is_closed(self) -> bool:
        """True if nothing more can be called. A rejected draft may still be changed in the same turn."""
        approved = ConfirmationResolved(approved=True)
        return any(isinstance(call, AskPerson | SummaryReady) or call == approved for call in self.calls)

    @property
    def missing(self) -> tuple[str, ...]:
        """What keeps the draft from being approved."""
        return list_needs(self.notebook.component, self.draft, self.notebook.so_far, self.interview.drafted)

    @property
    def has_changed(self) -> bool:
        """True if a call of this turn has changed the draft."""
        return any(isinstance(call, DraftNoted) for call in self.calls)

    @property
    def newest_words(self) -> str:
        """Return the text of the owner's newest message; empty if there is none."""
        owner = self.conversation.owner
        return next((each.text for each in reversed(self.messages) if each.author == owner), "")

    def restore(self, calls: tuple[Call, ...]) -> None:
        """See `Trial.restore`. The draft is as the model has left it, even if it was changed by hand meanwhile."""
        super().restore(calls)
        for call in calls:
            match call:
                case DraftNoted():
                    self.draft, self._edition = dict(call.draft), call.edition
                    self._spend(self.draft)
                case InconsistencyFlagged():
                    self.open[call.found.about] = call.found
                case InconsistencySettled():
                    self.open.pop(call.about, None)
                case SummaryRefused():
                    self._telling = call.missing
                case _:
                    pass

    def hear(self, rows: tuple[Message, ...]) -> None:
        """See `Trial.hear`. Their words may be quoted, and they have come since the calls that failed."""
        super().hear(rows)
        self.failed = ()
        self.sources = Sources.of_step(self.messages, self.notebook.so_far)
        for derived in ("quotable", "_said", "_heard"):
            vars(self).pop(derived, None)

    def begin_round(self, text: str) -> None:
        """Begin the calls of another request: the model has read the results of the former ones."""
        self.text, self._told = text, self._telling or self._told

    def was_told(self, needs: tuple[str, ...]) -> bool:
        """Return True if the model has already read that these are missing, when it wanted to end the discussion."""
        return set(needs) <= set(self._told)

    def tell_gap(self, needs: tuple[str, ...]) -> None:
        """Remember that the model is told now what is missing."""
        self._telling = needs
        self.count(SummaryRefused(missing=needs))

    def change(self, making: Callable[[DraftEditor, Draft], DraftChange | Rejected], quote: str = "") -> DraftChange:
        """Change the draft. Raises `IllegalEvent` with what was wrong, and has changed nothing then.

        `quote` are a person's words for the change: a figure in them was said of what it is noted with.
        """
        if self._needed is None and self.interview.mode is Mode.INTERACTIVE:  # nothing tells a draft without people
            self._needed = self._shorten_needs(list_gaps(self.notebook.component, self.draft, self.notebook.so_far))
        self._unsaid = set(self._list_unsaid()) if self._unsaid is None else self._unsaid
        self._odd = tuple(self._list_odd_days()) if self._odd is None else self._odd
        try:
            noted = making(self.notebook, self.draft)
        except ExtractionError:
            raise IllegalEvent("INVALID", "fields: nested too deep") from None
        if isinstance(noted, Rejected):
            raise IllegalEvent("INVALID", "; ".join(map(describe_issue, noted.issues)))
        self._spend(noted.draft)
        self.draft = self.sources.trace(noted.draft)
        others = tuple(call for call in self.calls if not isinstance(call, DraftNoted))
        vouched = (*self._vouched, *self._vouch(noted, quote))
        self.calls = (*others, DraftNoted(draft=self.draft, edition=self._edition, vouched=vouched))
        vars(self).pop("_said", None)
        return noted

    @property
    def _vouched(self) -> tuple[VouchedFigure, ...]:
        return next((call.vouched for call in self.calls if isinstance(call, DraftNoted)), ())

    def _vouch(self, noted: DraftChange, quote: str) -> Iterator[VouchedFigure]:
        """Yield the unsaid figures of the noted item that stand in these words, with the message that holds them."""
        words, said = normalize(clean(quote)), SaidFigures.of([Statement(quote)])
        rows = (row for row in self.messages if row.author and words in normalize(clean(row.text)))
        row = next(rows, None) if words else None
        alone = {"noted": [noted.item]}
        for each in trace_figures(alone, self._said, self.notebook.so_far).unsaid if row else ():
            if row and all(map(said.knows, read_figures(each.text))):
                yield VouchedFigure(text=each.text, by=row.author, at=row.ts)

    def question_ratings(self, objective: str) -> list[str]:
        """Return what to ask about the amounts of an objective that speak against its ratings; empty without people."""
        if self.interview.mode is Mode.DIRECT:
            return []
        so_far = self.notebook.so_far
        return [so_far.shorten(each) for each in self.notebook.question_ratings(self.draft, objective)]

    def check_quote(self, quote: str) -> None:
        """Raise `IllegalEvent` with the nearest wording if nobody has written these words."""
        if not quote or self.sources.holds(quote):
            return
        nearest = self.sources.find_nearest(quote)
        raise IllegalEvent("INVALID", MISQUOTED.format(nearest=nearest) if nearest else NOT_SAID)

    @cached_property
    def quotable(self) -> Quotable:
        """Return what may stand in quotation marks as a person's words."""
        so_far, chosen = self.notebook.so_far, find_chosen(self.interview.draft, self.notebook.so_far)
        approved = list_approved_texts(self.notebook.component, so_far)
        names = map_names([self.interview.draft]).values()
        return Quotable(
            (*self.sources.said, so_far.question, *approved, *list_texts(chosen)), self.sources.people, names
        )

    def check_words(self, given: Any) -> None:
        """Raise `IllegalEvent` with the nearest wording if a text gives words as a person's that nobody wrote."""
        if words := self.quotable.find_false(given):
            nearest = self.sources.find_nearest(words)
            told = NEAREST.format(nearest=nearest) if nearest else ""
            raise IllegalEvent("INVALID", MISATTRIBUTED.format(words=words, nearest=told))

    def report_change(self, done: str, noted: DraftChange, known: Container[str] = (), **fields: Any) -> ToolResult:
        """Return a change of the draft for the model, with what is still needed unless it was told before.

        `known` are names by which its call has called the item: it is not told again.
        """
        loose = {"no_longer_referred_to": list(noted.loose)} if noted.loose else {}
        needed = self._shorten_needs(self.missing)
        news: dict[str, Any] = {"still_needed": needed} if needed != self._needed else {}
        self._needed = needed
        reasons = {name: why for name, why in _NOT_TAKEN.items() if name in noted.altered}
        taken = {"taken_as": {**noted.altered, **reasons}} if noted.altered else {}
        taken |= {"not_said": UNSAID.format(figures=", ".join(unsaid))} if (unsaid := self._tell_unsaid()) else {}
        if odd := [each for each in self._list_odd_days() if each not in (self._odd or ())]:
            fields["ask"], self._odd = [*fields.get("ask", ()), *odd], (*(self._odd or ()), *odd)
        named = {"item": noted.name} if noted.name not in known else {}
        action = self._find_next_act()
        is_plain = not (action or taken or loose or fields)
        return ToolResult(report(action, result=done, **named, **taken, **loose, **fields, **news), noted=is_plain)

    @cached_property
    def _heard(self) -> tuple[Statement, ...]:
        return tuple(list_said(self.conversation, self.messages))

    @cached_property
    def _said(self) -> SaidFigures:
        so_far, vouched = self.notebook.so_far, (*self.interview.vouched, *self._vouched)
        own = (so_far.question, *(each.text for each in vouched))
        told = (*self._heard, *map(Statement, own))
        return SaidFigures.of((*told, *list_approved(so_far)))

    def _list_unsaid(self) -> list[str]:
        """Return the figures and names of the draft that nobody said here, each once; none with nobody to ask."""
        if self.interview.mode is Mode.DIRECT:
            return []
        so_far = self.notebook.so_far
        found = trace_figures(self.draft, self._said, so_far).unsaid
        people = (*self.sources.people, *list_known_people(so_far))
        names = find_unsaid_names(self.draft, self.sources.said, people)
        return [*dict.fromkeys((*(each.text for each in found), *names))]

    def _list_odd_days(self) -> Iterator[str]:
        """Yield questions about dates of the draft that people named with another weekday."""
        yield from (each.text for each in find_wrong_weekdays(self.draft, self._heard))

    def _tell_unsaid(self) -> list[str]:
        """Return such figures and names that the last change has brought into the draft."""
        known = self._unsaid or set()
        new = [each for each in self._list_unsaid() if each not in known]
        self._unsaid = known.union(new)
        return new

    def _shorten_needs(self, missing: Sequence[str]) -> list[str]:
        more = [f"and {len(missing) - NEEDS} more"] if len(missing) > NEEDS else []
        return [self.notebook.so_far.shorten(each) for each in (*missing[:NEEDS], *more)]

    def _find_next_act(self) -> str:
        if self.phase is not Phase.CONFIRM:
            return ""
        judged = read(self.notebook.component, dict(self.draft), self.notebook.so_far)
        return SHOWN_AGAIN if isinstance(judged, Accepted) else TAKEN_BACK

    def _spend(self, *drafts: Mapping[str, Any]) -> None:
        """Never give a handle of these drafts to another item."""
        self.notebook = replace(self.notebook, spent=self.notebook.spent.union(list_handles(drafts)))
