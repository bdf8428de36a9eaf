"""What a thread that leads one step of a decision remembers besides what every thread does (requirements T2 to T4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.core.sheet import Sheet
from app.core.states import Phase
from app.core.thread import ThreadKey


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
