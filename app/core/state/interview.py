"""The interview of a step, and the table of its phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from app.core.state.sheet import Sheet
from app.core.state.table import NOTHING, Refused, Table, build_row, find_next_state
from app.core.thread import ThreadKey


class Phase(StrEnum):
    """Phase of a component's interview."""

    INTRO = "intro"
    GATHER = "gather"
    CLARIFY = "clarify"
    EXTRACT = "extract"
    CONFIRM = "confirm"


DISCUSSING = frozenset({Phase.INTRO, Phase.GATHER, Phase.CLARIFY})


class Stage(StrEnum):
    """Stage of an extraction."""

    NONE = "none"
    DISCUSS = "discuss"
    SUMMARIZE = "summarize"
    SERIALIZE = "serialize"


class Mode(StrEnum):
    """Mode of a step: with a person to answer, or without."""

    INTERACTIVE = "interactive"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inconsistency:
    """Two statements that contradict each other. One that blocks keeps an extraction from starting by itself."""

    about: str
    one: str
    other: str
    blocking: bool = True


class InterviewCommand(StrEnum):
    """Command to the interview that a message contains, as far as words alone can tell."""

    DONE = "done"
    """The person has said everything."""
    SHOW = "show"
    """The person wants to see the notes so far. It ends nothing."""
    KEEP_TALKING = "keep_talking"
    """The person wants the discussion to go on beyond its maximum number of turns. Only a button says it."""
    DRAFT = "draft"
    """The person wants a draft without being asked anything. Only a form says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMessage:
    """A message of an existing discussion that a step is drafted from."""

    ts: str
    author: str
    name: str
    text: str
    files: tuple[tuple[str, str], ...] = ()
    """Slack's ids of its files, and their names, which stand below its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsaidFigure:
    """A number or date in a draft that nobody said, entered or approved, and that was not computed."""

    text: str
    """As it stands there, with its unit: "15k"."""
    where: str
    """The item or field, and the words around the figure."""
    files: str = ""
    """The names of the files from which alone the draft is made; then it is a figure that does not stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTrace:
    """A name, number or date of a draft that stands in a file of the decision, and where."""

    text: str
    """As it stands in the draft."""
    about: str
    """The item that it belongs to; empty if it is the item's name."""
    file: str
    """The name of the file."""
    place: str = ""
    """The cell ("B7") or the page ("page 3"); empty for a document without pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VouchedFigure:
    """A number or date of which no message says what it counts, and that a person stands for.

    They confirmed it on a card, entered it by hand, or wrote the words that it is noted with.
    """

    text: str
    by: str
    """Slack's user id."""
    at: str
    """When, as Slack's ts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDraft:
    """A draft as its approval leaves it, whose card asks whether earlier notes still hold: they do then."""

    draft: Mapping[str, Any]
    sheet: Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDraft:
    """A judged draft: valid against its schema, with the server's derived values and remarks for people."""

    draft: Mapping[str, Any]
    sheet: Sheet
    missing: tuple[str, ...] = ()
    """What is still needed before it can be approved."""
    remarks: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    """Digests of what the remarks ask about, whatever their words."""
    held: HeldDraft | None = None
    """What is approved in its place; None if it is approved as it is."""
    blocked: bool = False
    """True while an inconsistency in it is open. Nothing reads it; it stays in the stored form."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Version of each earlier component that it was judged with."""
    changes: tuple[str, ...] = ()
    """What differs from the draft shown before, or from the approved version; empty if it is the first."""
    grounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What has changed in the steps that it builds on, by their titles, since it was approved or put together."""
    gist: str = ""
    """The content in a few words."""
    deadline: str = ""
    """ISO date by which the decision is due, if the draft names one."""
    question: str = ""
    """The question that the decision is to answer, if the draft words one."""
    items: int = 0
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number of each letter in its handles: of O1 and O3 it is 3."""
    unsaid: tuple[UnsaidFigure, ...] = ()
    """Numbers and dates that the owner has to confirm or take out before it can be approved."""
    sums: tuple[str, ...] = ()
    """Equations of the numbers that nobody said but whose terms were: "175,000 = 165,000 + 10,000"."""
    entered: tuple[str, ...] = ()
    """Numbers, dates, and facts in words that a person has just entered in a window."""
    suggested: tuple[str, ...] = ()
    """Places of facts and words in it that nobody said, such as `U1.driver`."""
    traces: tuple[FileTrace, ...] = ()
    """Names, numbers and dates that stand in files which were shared in the decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingGround:
    """An earlier step that has no result yet, though a step works on it."""

    title: str
    thread: ThreadKey | None = None
    """The step's thread; None if it has not begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedStep:
    """Properties of a component that its conversation needs."""

    title: str
    opening: str
    confirm_question: str
    approve: str
    """The label of the button that approves."""
    prompt_version: str
    schema_version: str
    max_turns: int
    next_key: str = ""
    """Key of the next step; empty if this is the last one."""
    next_title: str = ""
    question: str = ""
    """Question asked with buttons when the step begins; empty if none."""
    choices: tuple[str, ...] = ()
    lacks: MissingGround | None = None
    """The first step whose result it works on and does not find when it begins; None if all are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """The interview of one component. The core never reads the component's data."""

    decision: ThreadKey
    """The thread of its decision, with the hub."""
    component: str
    prepared: PreparedStep
    """Properties of the component when the step began, with the versions of its prompt and schema."""
    question: str = ""
    """The decision's question as it was typed."""
    mode: Mode = Mode.INTERACTIVE
    example: bool = False
    """True of a step of the worked example."""
    handles: Mapping[str, int] = field(default_factory=dict[str, int])
    """The highest number given with each letter before the step was restarted."""
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The notes or the extracted result so far, by handle; empty if there are none."""
    edition: int = 0
    """Grows with each change of the draft. Each change names the edition that it is based on."""
    drafts: int = 0
    """Number of drafts shown for approval: "draft 2"."""
    shown: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The draft shown last since the last approval; empty if there is none."""
    compared: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the waiting card is compared with: the draft of the card before it, or its own first one if it was the first.

    Edits of the card leave it, so that all of them are told. Empty if that is the approved version.
    """
    drafted: JudgedDraft | None = None
    """The draft as last judged; None if it was never judged or has changed since."""
    topics: tuple[str, ...] = ()
    """Digests of what remarks on its cards have asked about. None of it is asked on a later card."""
    model: str = ""
    """The model that wrote the draft; empty if people did."""
    inconsistencies: tuple[Inconsistency, ...] = ()
    """Open inconsistencies."""
    discussed: int = 0
    """Turns since the phase before extraction was entered; `PreparedStep.max_turns` of them end the discussion."""
    extra_turns: int = 0
    """Turns beyond `PreparedStep.max_turns` that the owner has asked for."""
    is_change_pressed: bool = False
    """True once the owner has pressed that the waiting draft should change: their next words say what, and take it back.
    """
    correcting: bool = False
    """True after a request for changes of a draft: a draft that is then only corrected is shown without an extraction.
    """
    refused_gap: tuple[str, ...] = ()
    """What was missing when the model wanted to end the discussion, was told so, and went on."""
    gave_up: int = 0
    """`seq` of the note that the last extraction ended without a draft; 0 if none did. The reply to it ends no talk."""
    wanted: bool = False
    """True if a summary was requested during a reply; extraction starts when the reply ends."""
    has_content: bool = False
    """True once a person has said something that can be extracted from."""
    came_from: Phase | None = None
    """Phase in which the current extraction began: a failure returns to it."""
    based_on: Mapping[str, int] = field(default_factory=dict[str, int])
    """Version of each earlier component that the approved result was made with."""
    taken_back: tuple[str, ...] = ()
    """Slack's ts of each deleted message of the thread, whose words must not be quoted again."""
    vouched: tuple[VouchedFigure, ...] = ()
    """Numbers and dates that people confirmed on a card, entered in a window, or wrote in words that they are noted
    with, and words that they entered there."""
    draft_files: tuple[str, ...] = ()
    """Slack's ids of the files from which alone the draft is made; empty if it is made from all that there is."""
    drafted_since: int = 0
    """The row with which the owner asked for that. What people say after it counts beside the files."""
    changed: Mapping[str, int] = field(default_factory=dict[str, int])
    """Earlier components with a newer version than the approved result was made with."""


class PhaseEvent(StrEnum):
    """Event of a phase. If a transition depends on a condition, each outcome is an event of its own.

    *Content* is a person's message that can be extracted from. It can be missing only in intro.
    """

    ANSWERED = "answered"
    """A person's message was answered, and no other event applies to it."""
    INCONSISTENT = "inconsistent"
    CLARIFIED = "clarified"
    """The inconsistency is settled, but more information is needed."""
    READY = "ready"
    SUMMARIZE_WITH_CONTENT = "summarize_with_content"
    """The model says that it has everything."""
    SUMMARIZE_WITHOUT_CONTENT = "summarize_without_content"
    DONE_WITH_CONTENT = "done_with_content"
    """A person says that this was everything."""
    DONE_WITHOUT_CONTENT = "done_without_content"
    TURNS_EXHAUSTED = "turns_exhausted"
    VALIDATED = "validated"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    """No attempt was valid; the faults become questions."""
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


INTRO, GATHER, CLARIFY, EXTRACT, CONFIRM = Phase
ILLEGAL = Refused("ILLEGAL")
UNCONFIRMED = Refused("NOT_CONFIRMED")
NO_DRAFT = Refused("NO_EXTRACTION")
BUSY = Refused("BUSY")


_row = partial(build_row, Phase)

# fmt: off
TABLE: Table[PhaseEvent, Phase] = MappingProxyType({
    # event                                              intro        gather       clarify      extract      confirm
    PhaseEvent.ANSWERED:                               _row(GATHER,      GATHER,      CLARIFY,     EXTRACT,     CONFIRM),
    PhaseEvent.INCONSISTENT:                           _row(GATHER,      CLARIFY,     CLARIFY,     EXTRACT,     CONFIRM),
    PhaseEvent.CLARIFIED:                              _row(ILLEGAL,     GATHER,      GATHER,      ILLEGAL,     ILLEGAL),
    PhaseEvent.READY:                                  _row(GATHER,      EXTRACT,     EXTRACT,     NOTHING,     ILLEGAL),
    PhaseEvent.SUMMARIZE_WITH_CONTENT:                 _row(EXTRACT,     EXTRACT,     EXTRACT,     ILLEGAL,     ILLEGAL),
    PhaseEvent.SUMMARIZE_WITHOUT_CONTENT:              _row(ILLEGAL,     EXTRACT,     EXTRACT,     ILLEGAL,     ILLEGAL),
    PhaseEvent.DONE_WITH_CONTENT:                      _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     CONFIRM),
    PhaseEvent.DONE_WITHOUT_CONTENT:                   _row(INTRO,       EXTRACT,     EXTRACT,     NOTHING,     CONFIRM),
    PhaseEvent.TURNS_EXHAUSTED:                        _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     NOTHING),
    PhaseEvent.VALIDATED:                              _row(ILLEGAL,     ILLEGAL,     ILLEGAL,     CONFIRM,     ILLEGAL),
    PhaseEvent.ATTEMPTS_EXHAUSTED:                     _row(ILLEGAL,     ILLEGAL,     ILLEGAL,     GATHER,      ILLEGAL),
    PhaseEvent.BROKEN_OFF_AFTER_GATHER:                _row(INTRO,       GATHER,      CLARIFY,     GATHER,      CONFIRM),
    PhaseEvent.BROKEN_OFF_AFTER_CLARIFY:               _row(INTRO,       GATHER,      CLARIFY,     CLARIFY,     CONFIRM),
    PhaseEvent.CHANGE_REQUESTED:                       _row(NOTHING,     NOTHING,     NOTHING,     EXTRACT,     GATHER),
    PhaseEvent.APPROVED:                               _row(UNCONFIRMED, UNCONFIRMED, UNCONFIRMED, UNCONFIRMED, CONFIRM),
    PhaseEvent.EDITED_WITH_DRAFT:                      _row(NO_DRAFT,    CONFIRM,     CONFIRM,     BUSY,        CONFIRM),
    PhaseEvent.EDITED_WITHOUT_DRAFT:                   _row(NO_DRAFT,    NO_DRAFT,    NO_DRAFT,    BUSY,        NO_DRAFT),
    PhaseEvent.RESTARTED_FROM_INTRO:                   _row(INTRO,       INTRO,       INTRO,       INTRO,       INTRO),
    PhaseEvent.RESTARTED_FROM_GATHER:                  _row(GATHER,      GATHER,      GATHER,      GATHER,      GATHER),
    PhaseEvent.RESTARTED_FROM_CLARIFY:                 _row(CLARIFY,     CLARIFY,     CLARIFY,     CLARIFY,     CLARIFY),
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT:    _row(EXTRACT,     EXTRACT,     EXTRACT,     NOTHING,     EXTRACT),
    PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT: _row(NO_DRAFT,    EXTRACT,     EXTRACT,     NOTHING,     EXTRACT),
    PhaseEvent.RESTARTED_CONFIRM_WITH_DRAFT:           _row(NO_DRAFT,    CONFIRM,     CONFIRM,     BUSY,        NOTHING),
    PhaseEvent.RESTARTED_CONFIRM_WITHOUT_DRAFT:        _row(NO_DRAFT,    NO_DRAFT,    NO_DRAFT,    BUSY,        NOTHING),
    PhaseEvent.REOPENED:                               _row(GATHER,      GATHER,      GATHER,      GATHER,      GATHER),
})
# fmt: on
"""A message during extract leaves the phase unchanged and waits for the next phase.

An approved interview ends in confirm; only its lifecycle becomes complete.
"""

HOPS: Mapping[tuple[PhaseEvent, Phase], tuple[Phase, ...]] = MappingProxyType(
    {
        (PhaseEvent.INCONSISTENT, CLARIFY): (GATHER,),
        (PhaseEvent.SUMMARIZE_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseEvent.DONE_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseEvent.TURNS_EXHAUSTED, INTRO): (GATHER,),
        (PhaseEvent.BROKEN_OFF_AFTER_CLARIFY, EXTRACT): (GATHER,),
        (PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT, INTRO): (GATHER,),
        (PhaseEvent.RESTARTED_FROM_EXTRACT_WITH_CONTENT, CONFIRM): (GATHER,),
        (PhaseEvent.RESTARTED_FROM_EXTRACT_WITHOUT_CONTENT, CONFIRM): (GATHER,),
    }
)
"""Phases that an event passes through, in order. The audit log has an entry for each hop."""


def move(state: Phase, event: PhaseEvent) -> Phase:
    """Return the phase after the event; the same one if it means nothing here. Raises `IllegalEvent`."""
    return find_next_state(TABLE, state, event) or state
