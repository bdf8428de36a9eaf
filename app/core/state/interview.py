"""What the thread of a step remembers, and the phases of its interview, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Sheet
from app.core.state.table import NOTHING, Nothing, Refused, Table, find_next_state
from app.core.thread import ThreadKey


class Phase(StrEnum):
    """Where the interview of a component is (T3)."""

    INTRO = "intro"
    GATHER = "gather"
    CLARIFY = "clarify"
    EXTRACT = "extract"
    CONFIRM = "confirm"


class Stage(StrEnum):
    """Where one extraction is (T4)."""

    NONE = "none"
    DISCUSS = "discuss"
    SUMMARIZE = "summarize"
    SERIALIZE = "serialize"


class Mode(StrEnum):
    """Whether a person is there to answer (C-30)."""

    INTERACTIVE = "interactive"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inconsistency:
    """Two things that were said and do not fit (T3). One that blocks keeps an extraction from beginning by itself."""

    about: str
    one: str
    other: str
    blocking: bool = True


class Signal(StrEnum):
    """What a message says to the interview itself, as far as words alone can tell."""

    DONE = "done"
    """That this was all."""
    SHOW = "show"
    """That they want to see what has been captured (S0-216)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of an existing discussion that a step is drafted from."""

    ts: str
    author: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A draft as it was judged: valid against its schema, mended by the server, and what people should know of it."""

    draft: Mapping[str, Any]
    sheet: Sheet
    missing: tuple[str, ...] = ()
    """What is still needed before it can be approved (C-07)."""
    remarks: tuple[str, ...] = ()
    blocked: bool = False
    """True while an inconsistency in it is open (C-06)."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier component it was judged with."""
    gist: str = ""
    """What it holds, in a few words."""
    deadline: str = ""
    """ISO date by which the decision is due, if it tells one."""
    items: int = 0
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that it gives with each letter: of O1 and O3 it is 3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What a component brings to the conversation that leads it."""

    title: str
    opening: str
    confirm_question: str
    approve: str
    """The label of the button that approves."""
    prompt_version: str
    schema_version: str
    max_turns: int
    next_key: str = ""
    """The step that comes after it; empty if it is the last one."""
    next_title: str = ""
    question: str = ""
    """What is asked with buttons when the step begins; empty if nothing is."""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """The interview of one component. Which component means what is not known here: its data goes through unread."""

    decision: ThreadKey
    """The thread of the decision that it belongs to: its hub."""
    component: str
    prepared: Prepared
    """As the component was when the step began; its prompt and schema versions are kept here (S0-014)."""
    mode: Mode = Mode.INTERACTIVE
    example: bool = False
    """True of a step of the worked example."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number that was given with each letter before the step was begun anew."""
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What is noted or was extracted so far, by handle (C-17); empty if nothing is."""
    edition: int = 0
    """Grows with each change of the draft: whoever changes it says which one they saw."""
    drafts: int = 0
    """How many drafts were shown for approval: "draft 2"."""
    drafted: Drafted | None = None
    """The draft as it was judged last; None while it was not, or has changed since."""
    model: str = ""
    """Which model wrote the draft; empty if people did."""
    inconsistencies: tuple[Inconsistency, ...] = ()
    """Those that are open."""
    discussed: int = 0
    """Turns since the phase before extraction was entered: `Prepared.max_turns` of them end the discussion (S4-012)."""
    wanted: bool = False
    """True if a summary was asked for while an answer was under way: it begins when that is over."""
    has_content: bool = False
    """True once a person has said something that an extraction could be made of."""
    came_from: Phase | None = None
    """Where an extraction that is under way began: a failure leads back there (C-07)."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which version of each earlier component the approved result was made with."""
    taken_back: tuple[str, ...] = ()
    """Slack's ts of each message of the thread that was deleted: nothing quotes them any more (design D11)."""
    changed: Mapping[str, int] = field(default_factory=dict[str, int])
    """Earlier components that have a newer version than the approved result was made with."""


class PhaseOn(StrEnum):
    """What can happen to the phase. Where T3 asks for a condition, each answer is an event of its own.

    *Content* is a message of a person that an extraction could be made of; it can be missing in intro alone.
    """

    ANSWERED = "answered"
    """A person's message was answered, and nothing else was found in it."""
    INCONSISTENT = "inconsistent"
    CLARIFIED = "clarified"
    """What did not fit is settled, but it is not enough yet."""
    READY = "ready"
    SUMMARIZE_WITH_CONTENT = "summarize_with_content"
    """The model says that it has all it needs."""
    SUMMARIZE_WITHOUT_CONTENT = "summarize_without_content"
    DONE_WITH_CONTENT = "done_with_content"
    """A person says that this was all, or wants to see what has been captured (S0-216)."""
    DONE_WITHOUT_CONTENT = "done_without_content"
    TURNS_EXHAUSTED = "turns_exhausted"
    VALIDATED = "validated"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    """No attempt gave valid data; what is wrong with it becomes questions (C-07)."""
    BROKEN_OFF_AFTER_GATHER = "broken_off_after_gather"
    """A failure of the provider, or a stop. If it broke off an extraction: one that began in gather."""
    BROKEN_OFF_AFTER_CLARIFY = "broken_off_after_clarify"
    CHANGE_REQUESTED = "change_requested"
    APPROVED = "approved"
    EDITED_WITH_DRAFT = "edited_with_draft"
    EDITED_WITHOUT_DRAFT = "edited_without_draft"
    RESTARTED_FROM_INTRO = "restarted_from_intro"
    RESTARTED_FROM_GATHER = "restarted_from_gather"
    RESTARTED_FROM_CLARIFY = "restarted_from_clarify"
    RESTARTED_FROM_EXTRACT_WITH_CONTENT = "restarted_from_extract_with_content"
    RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT = "restarted_from_extract_without_content"
    RESTARTED_CONFIRM_WITH_DRAFT = "restarted_confirm_with_draft"
    RESTARTED_CONFIRM_WITHOUT_DRAFT = "restarted_confirm_without_draft"
    REOPENED = "reopened"


INITIAL: Final = Phase.INTRO

Cell = Phase | Refused | Nothing

INTRO, GATHER, CLARIFY, EXTRACT, CONFIRM = Phase
ILLEGAL = Refused("ILLEGAL")
UNCONFIRMED = Refused("NOT_CONFIRMED")
NO_DRAFT = Refused("NO_EXTRACTION")
BUSY = Refused("BUSY")


def _row(intro: Cell, gather: Cell, clarify: Cell, extract: Cell, confirm: Cell) -> Mapping[Phase, Cell]:
    return MappingProxyType(
        {
            Phase.INTRO: intro,
            Phase.GATHER: gather,
            Phase.CLARIFY: clarify,
            Phase.EXTRACT: extract,
            Phase.CONFIRM: confirm,
        }
    )


# fmt: off
TABLE: Table[PhaseOn, Phase] = MappingProxyType({
    # event                                              intro        gather       clarify      extract      confirm
    PhaseOn.ANSWERED:                               _row(GATHER,      GATHER,      CLARIFY,     EXTRACT,     CONFIRM),
    PhaseOn.INCONSISTENT:                           _row(GATHER,      CLARIFY,     CLARIFY,     EXTRACT,     CONFIRM),
    PhaseOn.CLARIFIED:                              _row(ILLEGAL,     GATHER,      GATHER,      ILLEGAL,     ILLEGAL),
    PhaseOn.READY:                                  _row(GATHER,      EXTRACT,     EXTRACT,     NOTHING,     ILLEGAL),
    PhaseOn.SUMMARIZE_WITH_CONTENT:                 _row(EXTRACT,     EXTRACT,     EXTRACT,     ILLEGAL,     ILLEGAL),
    PhaseOn.SUMMARIZE_WITHOUT_CONTENT:              _row(ILLEGAL,     EXTRACT,     EXTRACT,     ILLEGAL,     ILLEGAL),
    PhaseOn.DONE_WITH_CONTENT:                      _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     CONFIRM),
    PhaseOn.DONE_WITHOUT_CONTENT:                   _row(INTRO,       EXTRACT,     EXTRACT,     NOTHING,     CONFIRM),
    PhaseOn.TURNS_EXHAUSTED:                        _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     NOTHING),
    PhaseOn.VALIDATED:                              _row(ILLEGAL,     ILLEGAL,     ILLEGAL,     CONFIRM,     ILLEGAL),
    PhaseOn.ATTEMPTS_EXHAUSTED:                     _row(ILLEGAL,     ILLEGAL,     ILLEGAL,     GATHER,      ILLEGAL),
    PhaseOn.BROKEN_OFF_AFTER_GATHER:                _row(INTRO,       GATHER,      CLARIFY,     GATHER,      CONFIRM),
    PhaseOn.BROKEN_OFF_AFTER_CLARIFY:               _row(INTRO,       GATHER,      CLARIFY,     CLARIFY,     CONFIRM),
    PhaseOn.CHANGE_REQUESTED:                       _row(NOTHING,     NOTHING,     NOTHING,     EXTRACT,     GATHER),
    PhaseOn.APPROVED:                               _row(UNCONFIRMED, UNCONFIRMED, UNCONFIRMED, UNCONFIRMED, CONFIRM),
    PhaseOn.EDITED_WITH_DRAFT:                      _row(NO_DRAFT,    CONFIRM,     CONFIRM,     BUSY,        CONFIRM),
    PhaseOn.EDITED_WITHOUT_DRAFT:                   _row(NO_DRAFT,    NO_DRAFT,    NO_DRAFT,    BUSY,        NO_DRAFT),
    PhaseOn.RESTARTED_FROM_INTRO:                   _row(INTRO,       INTRO,       INTRO,       INTRO,       INTRO),
    PhaseOn.RESTARTED_FROM_GATHER:                  _row(GATHER,      GATHER,      GATHER,      GATHER,      GATHER),
    PhaseOn.RESTARTED_FROM_CLARIFY:                 _row(CLARIFY,     CLARIFY,     CLARIFY,     CLARIFY,     CLARIFY),
    PhaseOn.RESTARTED_FROM_EXTRACT_WITH_CONTENT:    _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     EXTRACT),
    PhaseOn.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT: _row(NO_DRAFT,    EXTRACT,     EXTRACT,     NOTHING,     EXTRACT),
    PhaseOn.RESTARTED_CONFIRM_WITH_DRAFT:           _row(NO_DRAFT,    CONFIRM,     CONFIRM,     BUSY,        NOTHING),
    PhaseOn.RESTARTED_CONFIRM_WITHOUT_DRAFT:        _row(NO_DRAFT,    NO_DRAFT,    NO_DRAFT,    BUSY,        NOTHING),
    PhaseOn.REOPENED:                               _row(GATHER,      GATHER,      GATHER,      GATHER,      GATHER),
})
# fmt: on
"""T3. Where a message comes while extract works, the phase stays and the message waits for the next one.

An approved interview ends in confirm: what is then complete is the lifecycle (S0-081).
"""

HOPS: Mapping[tuple[PhaseOn, Phase], tuple[Phase, ...]] = MappingProxyType(
    {
        (PhaseOn.INCONSISTENT, CLARIFY): (GATHER,),
        (PhaseOn.SUMMARIZE_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseOn.DONE_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseOn.TURNS_EXHAUSTED, INTRO): (GATHER,),
        (PhaseOn.BROKEN_OFF_AFTER_CLARIFY, EXTRACT): (GATHER,),
        (PhaseOn.RESTARTED_FROM_EXTRACT_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseOn.RESTARTED_FROM_EXTRACT_WITH_CONTENT, CONFIRM): (GATHER,),
        (PhaseOn.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT, CONFIRM): (GATHER,),
    }
)
"""Phases that an event passes on its way, in order. The trail has a line for each hop."""


def move(state: Phase, event: PhaseOn) -> Phase:
    """The phase after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state


def is_ai_speaking(state: Phase) -> bool:
    """False in extract alone: there people see a line of progress (S0-070)."""
    return state is not Phase.EXTRACT
