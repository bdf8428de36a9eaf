"""Prompt of a component: the same texts for all, filled with the content of the component and its draft."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from app.core.state.interview import Inconsistency, Interview, Mode, Phase
from app.core.text import marks
from app.core.turns.state_changes import ONCE, STANDING, Section
from app.decision.drafts.computed_tradeoffs import remove_computed
from app.decision.drafts.noting import NEEDS, list_gaps, list_needs, remove_defaults, remove_evidence, render_draft
from app.decision.drafts.rating_edits import (
    describe_proposals,
    describe_ratings,
    is_plain_zero,
    remove_chosen,
)
from app.decision.playbook.found_so_far import list_findings, list_reasons, render_grid
from app.decision.playbook.state_block import Earlier, write_state
from app.decision.playbook.weighing import describe_weighing
from app.decision.record import DecisionRecord
from app.decision.rows import SUGGESTED
from app.decision.schema.component import Component
from app.decision.schema.paths import find_values, is_object, omit
from app.decision.schema.terms import explain, load_terms
from app.decision.tracing.unsaid_claims import find_kept_claims, mark_claims, select_marked

_SYSTEMS: Final[Mapping[Mode, str]] = {Mode.INTERACTIVE: "talk", Mode.DIRECT: "extraction"}
_PHASES: Final[Mapping[Mode, tuple[str, ...]]] = {
    Mode.INTERACTIVE: tuple(phase.value for phase in Phase if phase is not Phase.EXTRACT),
    Mode.DIRECT: (Phase.EXTRACT.value,),
}
"""The phases in which each prompt is sent: nobody leads an extraction."""


def build_system_prompt(component: Component, mode: Mode, told: str = "") -> str:
    """Return the system prompt of a conversation, or of an extraction, which nobody answers.

    Words of the method that are explained in what is `told` beside it are left out.
    """
    needs = [each.need.format(item="each of them") for each in component.criteria]
    computes = not COMPUTED.isdisjoint(component.findings)
    lines = _read_text(_SYSTEMS[mode]).split("\n")
    terms = explain(component.terms, told)
    return (
        "\n".join(each.removeprefix(IF_COMPUTED) for each in lines if computes or not each.startswith(IF_COMPUTED))
        .format(
            title=component.title,
            purpose=component.purpose,
            criteria=_format_list(needs or ["nothing in particular: empty lists are fine"]),
            phases="\n".join(f"- {each}: {load_terms()['phases'][each]}." for each in _PHASES[mode]),
            terms=f"\n{TERMS}\n{terms}\n" if terms else "",
        )
        .strip()
    )


def build_research_prompt(component: Component) -> str:
    """Return the request of an extraction without people that may look things up first."""
    return _read_text("research").format(guidance=component.guidance[Phase.EXTRACT])


def build_summarize_prompt(component: Component) -> str:
    """Return the request of the summarize stage."""
    return _read_text("summarize").format(
        headings=_format_list(component.summary_headings), guidance=component.guidance[Phase.EXTRACT]
    )


def build_serialize_prompt(component: Component) -> str:
    """Return the request of the serialize stage."""
    return _read_text("serialize").format(tool=component.tool, guidance=component.guidance[Phase.EXTRACT])


@cache
def _read_text(name: str) -> str:
    return (files("app.decision.playbook") / "prompts" / f"{name}.txt").read_text("utf-8").strip()


def _format_list(lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


TERMS = "Words of the method"
COMPUTED: Final = frozenset({"analysis", "standing", "doubts", "evidence", "weakest"})
"""The findings of which the model is told what was computed."""
IF_COMPUTED = "[computed] "
"""Precedes a line of a prompt that holds only where something is."""
WEIGHED = "tradeoffs"
"""The sheet on which points and even swaps stand."""
WEIGHING = "Points and swaps:"
OPENED = "The opening above has been said: do not say it again."
TODAY = "Today: {day}"
OWNER = "Owner: {name}"
ARRIVED = "Others who have written since your last reply: {names}"
DOUBTED: Final = "Below your last reply people were told that nobody said this: "
NOTED = "Noted so far:"
NOTED_IN = "Noted in {list}"
GRID = "Noted ratings (option and steps; ? is a doubt; what people chose in a window stands apart):"
REASONED = "Noted reasons for these ratings (do not ask again):"
NOTHING_NOTED = "Nothing is noted yet."
STILL_NEEDED = "Still needed: {needs}"
ENOUGH = (
    "Nothing is missing by the rules. If there is nothing more that matters, call ready_to_summarize; "
    "if there is, go on."
)
WHOLE = "Nothing is missing in the draft."
ASKED = "Noticed on the card:"
WAITING = (
    "This draft stands on a card with buttons and waits for the owner's OK: do not repeat it. Answer what they ask. A "
    "correction that they have said in full, such as another date, you make with the tools that note: the draft is "
    "then shown again. If their words approve it, or ask for changes to talk about, call resolve_confirmation."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSoFar:
    """What a thread holds when a turn begins."""

    today: str = ""
    """The day on which the turn began, with the owner's time zone; empty if it is not known."""
    owner: str = ""
    """The owner's name; empty if it is not known."""
    arrived: tuple[str, ...] = ()
    """The names of others who have written since the last reply."""
    doubted: tuple[str, ...] = ()
    """What people were told below the last reply: that nobody had said it."""
    opened: bool = False
    """True if the turn answers the opening: then there is nothing left to introduce."""
    said: tuple[str, ...] = ()
    """What people have written, and what they chose."""
    earlier: tuple[str | Mapping[str, Any], ...] = ()
    """The directives that the request holds already, and the drafts that the model's own calls came to, in order."""


AT_THE_START: Final = TalkSoFar()


def build_block(
    component: Component,
    phase: Phase,
    interview: Interview,
    so_far: DecisionRecord,
    talk: TalkSoFar = AT_THE_START,
) -> str:
    """Return the directive for a turn that begins in this phase; empty if it has nothing new to tell."""
    guidance = component.guidance[phase]
    if phase is Phase.INTRO and talk.opened:
        phase, guidance = Phase.GATHER, f"{OPENED}\n{component.guidance[Phase.GATHER]}"
    elif phase is Phase.CONFIRM:
        guidance = f"{guidance}\n{WAITING}"
    draft = dict(interview.draft)
    unsaid = find_kept_claims(draft, interview, so_far, talk.said)
    needs = so_far.shorten("; ".join(list_needs(component, draft, so_far, interview.drafted)))
    enough = WHOLE if phase is Phase.CONFIRM else ENOUGH
    standing = [
        *([] if draft else [NOTHING_NOTED]),
        STILL_NEEDED.format(needs=needs) if needs else enough,
        *map(_describe_unfit, interview.inconsistencies),
    ]
    is_weighed = component.sheet == WEIGHED and phase not in (Phase.INTRO, Phase.EXTRACT)
    asked = interview.drafted.remarks if phase is Phase.CONFIRM and interview.drafted else ()
    sections = (
        Section("", (TODAY.format(day=talk.today),) if talk.today else ()),
        Section("", (OWNER.format(name=marks.clean_name(talk.owner)),) if talk.owner else ()),
        Section(ONCE, tuple(_list_news(talk))),
        *list_findings(component, so_far, draft),
        *_list_noted(component, draft, so_far, unsaid),
        *_list_kept(draft, so_far),
        Section(WEIGHING, tuple(describe_weighing(draft, so_far)) if is_weighed else ()),
        Section(ASKED, tuple(map(so_far.shorten, asked))),
        Section(STANDING, tuple(standing)),
    )
    is_back = interview.correcting and phase is Phase.GATHER
    told = _list_told(component, so_far, talk.earlier, unsaid)
    return write_state(phase, guidance, sections, told, taken_back=interview.drafts if is_back else 0)


def _list_news(talk: TalkSoFar) -> Iterator[str]:
    """Yield what is told in one turn alone: who has written, and what of the last reply people were warned of."""
    if talk.arrived:
        yield ARRIVED.format(names=", ".join(map(marks.clean_name, talk.arrived)))
    if talk.doubted:
        yield DOUBTED + "; ".join(map(marks.clean_line, talk.doubted))


def _list_told(
    component: Component, so_far: DecisionRecord, earlier: Sequence[str | Mapping[str, Any]], unsaid: Collection[str]
) -> Iterable[Earlier]:
    """Yield what was told before. Of the drafts the last one counts, since each holds all notes of its time.

    A call does not tell its model which of its notes nobody said: only a text does.
    """
    drafts = [place for place, each in enumerate(earlier) if not isinstance(each, str)]
    texts = "\n".join(each for each in earlier if isinstance(each, str))
    for place, each in enumerate(earlier):
        if isinstance(each, str):
            yield each
        elif place == drafts[-1]:
            marked = select_marked(each, unsaid, texts)
            noted = _list_noted(component, dict(each), so_far, marked)
            yield *noted, Section(STANDING, _list_needed(component, each, so_far))


def _list_needed(component: Component, draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what the results of tools have said is still needed; they say no more than `NEEDS` of it."""
    needs = list_gaps(component, draft, so_far)
    return (STILL_NEEDED.format(needs=so_far.shorten("; ".join(needs))),) if 0 < len(needs) <= NEEDS else ()


def _list_noted(
    component: Component, draft: dict[str, Any], so_far: DecisionRecord, unsaid: Collection[str]
) -> Iterable[Section]:
    """Yield the notes: fields, the items of each list, and ratings as a grid. What is `unsaid` is marked."""
    if not draft:
        return
    noted = remove_defaults(component, remove_evidence(remove_chosen(draft, so_far)))
    noted = mark_claims(remove_computed(noted) if component.sheet == WEIGHED else noted, unsaid)
    table = noted.get("table")
    cells = [each for each in find_values(noted, "table.cells[]") if not is_plain_zero(each, so_far)]
    if is_object(table):
        noted["table"] = omit(table, *_DERIVED)
    fields, lists = list[str](), dict[str, list[str]]()
    for line in render_draft(component, noted).splitlines():
        if line.startswith("- "):
            lists[next(reversed(lists))].append(line)
        elif line.endswith(":"):
            lists[NOTED_IN.format(list=line)] = []
        else:
            fields.append(line)
    yield Section(NOTED, tuple(fields))
    yield from (Section(heading, tuple(lines)) for heading, lines in lists.items())
    yield Section(GRID, render_grid(cells, so_far))
    yield Section(REASONED, tuple(list_reasons((each for each in cells if each.get("origin") != SUGGESTED), so_far)))


def _list_kept(draft: dict[str, Any], so_far: DecisionRecord) -> Iterable[Section]:
    """Yield the ratings that only people make: those chosen in a window, and proposals after another status quo."""
    for told in filter(None, (describe_ratings(draft, so_far), describe_proposals(draft, so_far))):
        first, *rows = told.splitlines()
        yield Section(first, tuple(rows))


_DERIVED: Final = ("alternative_ids", "objective_ids", "baseline_id", "cells")
"""Fields of the table that are told elsewhere."""


def _describe_unfit(each: Inconsistency) -> str:
    return f'Does not fit yet ({each.about}): "{each.one}" and "{each.other}". Clear it up; then settle_inconsistency.'
