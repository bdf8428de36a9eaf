"""The interview of a step as the calls of one turn leave it: what was called is tried here and counts when it is saved.

Knows how a draft changes and when the model may do what. Which tools there are is said in `app.agent.tools.interview`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from app.core.calling import called
from app.core.calls import AskPerson, Call, ConfirmationResolved, DraftNoted, SummaryReady
from app.core.errors import ExtractionError, IllegalEvent
from app.core.interview import Inconsistency, Interview, Mode
from app.core.model import Conversation
from app.core.states import Phase
from app.core.steps import Trigger
from app.decision.draft import Rejected
from app.decision.handles import handles_of
from app.decision.notebook import Notebook, Noted
from app.decision.noting import still_missing
from app.decision.paths import Draft
from app.decision.sources import Sources
from app.decision.telling import in_words

GO_ON: Final = "Go on with the conversation."
NEEDS: Final = 5
"""Of what is still needed, how much the model is told after each call."""


class Moment(StrEnum):
    """What the talk is for just now."""

    DISCUSS = "discuss"
    CONFIRM = "confirm"
    """A draft waits for the owner's OK."""
    WRITING = "writing"
    """A result is being written, and nobody talks."""


_MOMENTS: Final[Mapping[Phase, Moment]] = MappingProxyType(
    {
        Phase.INTRO: Moment.DISCUSS,
        Phase.GATHER: Moment.DISCUSS,
        Phase.CLARIFY: Moment.DISCUSS,
        Phase.EXTRACT: Moment.WRITING,
        Phase.CONFIRM: Moment.CONFIRM,
    }
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model is told of a call that was carried out (ADR-008)."""

    told: Mapping[str, Any]
    action: str = GO_ON
    result: str = "success"


@dataclass(eq=False)
class Sitting:
    """One turn of an interview. `calls` is what counts, in order; of the changes of the draft only their sum."""

    conversation: Conversation
    notebook: Notebook
    occasion: Callable[[], Trigger]
    sources: Sources
    calls: tuple[Call, ...] = ()
    open: dict[str, Inconsistency] = field(init=False)
    """Inconsistencies that are not settled, by what they are about."""
    draft: Draft = field(init=False)

    def __post_init__(self) -> None:
        self.open = {each.about: each for each in self.interview.inconsistencies}
        self.draft = dict(self.interview.draft)
        self._spend(self.draft, self.interview.drafted.draft if self.interview.drafted else {})

    @property
    def interview(self) -> Interview:
        """The interview as it was when the turn began."""
        assert self.conversation.interview is not None, "only the thread of a step is interviewed in"
        return self.conversation.interview

    @property
    def moment(self) -> Moment:
        """In direct mode the one turn of discussion is a part of the extraction (C-19)."""
        changes = ConfirmationResolved(approved=False) in self.calls
        if changes or (self.conversation.phase is Phase.EXTRACT and self.interview.mode is Mode.DIRECT):
            return Moment.DISCUSS
        return _MOMENTS[self.conversation.phase or Phase.INTRO]

    @property
    def waits(self) -> bool:
        """True when the turn ends with what was called."""
        return any(isinstance(call, AskPerson | SummaryReady | ConfirmationResolved) for call in self.calls)

    @property
    def is_closed(self) -> bool:
        """True when nothing more can be called. That changes are wanted is said together with making them."""
        approved = ConfirmationResolved(approved=True)
        return any(isinstance(call, AskPerson | SummaryReady) or call == approved for call in self.calls)

    @property
    def missing(self) -> tuple[str, ...]:
        """What keeps the draft from being approved."""
        return still_missing(self.notebook.component, self.draft, self.notebook.so_far)

    def call(self, call: Call) -> None:
        """Let a call count."""
        self.calls = (*self.calls, call)

    def try_(self, call: Call) -> None:
        """Let a call on the conversation itself count, if it can be now. Raises `IllegalEvent`."""
        self.conversation = called(self.conversation, call, self.occasion()).conversation
        self.call(call)

    def change(self, making: Callable[[Notebook, Draft], Noted | Rejected]) -> Noted:
        """Change the draft. Raises `IllegalEvent` with what was wrong."""
        try:
            noted = making(self.notebook, self.draft)
        except ExtractionError:
            raise IllegalEvent("INVALID", "fields: nested too deep") from None
        if isinstance(noted, Rejected):
            raise IllegalEvent("INVALID", "; ".join(map(in_words, noted.issues)))
        self._spend(noted.draft)
        self.draft = self.sources.traced(noted.draft)
        others = tuple(call for call in self.calls if not isinstance(call, DraftNoted))
        self.calls = (*others, DraftNoted(draft=self.draft, edition=self.interview.edition))
        return noted

    def answer(self, done: str, noted: Noted, **told: Any) -> Answer:
        """Tell of a change, and of what is still needed."""
        missing = self.missing
        more = [f"and {len(missing) - NEEDS} more"] if len(missing) > NEEDS else []
        loose = {"no_longer_referred_to": list(noted.loose)} if noted.loose else {}
        return Answer({"done": done, "item": noted.name, **loose, **told, "still_needed": [*missing[:NEEDS], *more]})

    def _spend(self, *drafts: Mapping[str, Any]) -> None:
        """What has a handle in a draft has it for good."""
        self.notebook = replace(self.notebook, spent=self.notebook.spent.union(handles_of(drafts)))
