"""Reports for tests: the worked example as a dossier, and any small one."""

from __future__ import annotations

from typing import Any, Final

from app.core.state.decision import ComponentStatus, Version
from app.core.state.sheet import (
    Bar,
    Bars,
    Facts,
    Grid,
    Head,
    Item,
    Listing,
    Mark,
    Matrix,
    Prose,
    Rating,
    Section,
    Sheet,
)
from app.core.thread import ThreadKey
from app.decision.report.dossier import Report, ReportStep
from tests.unit.decision.tables import COMPONENTS, HANDLES

DECISION: Final = ThreadKey(team="T1", channel="C1", root="1700000000.000100")
MADE_AT: Final = "2026-12-10T14:02:00Z"
APPROVED_AT: Final = "2026-12-03T09:30:00Z"


def report_of(*sections: Section, question: str = "Where do we go?", owner: str = "Maya") -> Report:
    """A report with one step, which holds these sections."""
    return Report(question=question, owner=owner, made_at=MADE_AT, steps=(step_of(*sections),))


def step_of(*sections: Section, number: int = 1, key: str = "objectives", title: str = "Objectives") -> ReportStep:
    """An approved step."""
    return ReportStep(
        key=key,
        number=number,
        title=title,
        status=ComponentStatus.COMPLETE,
        version=1,
        approved_by="Maya Okafor",
        approved_at=APPROVED_AT,
        sheet=Sheet(sections=sections),
    )


def version_of(component: str, number: int = 1, **data: Any) -> Version:
    """An approved version of a component."""
    return Version(
        decision=DECISION,
        component=component,
        number=number,
        data=data or COMPONENTS[component],
        extracted_at=APPROVED_AT,
        approved_at=APPROVED_AT,
        approved_by="U0MAYA00001",
        prompt_version="1",
        schema_version="1.0",
        model="claude",
        based_on={"objectives": 1},
    )


def heat(title: str = "How the options do") -> Matrix:
    """The ratings of the worked example."""
    table = COMPONENTS["consequences"]["table"]
    options, objectives = COMPONENTS["alternatives"]["alternatives"], COMPONENTS["objectives"]["fundamental_objectives"]
    return Matrix(
        title=title,
        rows=tuple(
            Head(
                handle=each["handle"],
                name=each["name"],
                marks={"A1": (Mark.BASELINE,), "A3": (Mark.SET_ASIDE,), "A6": (Mark.SET_ASIDE,)}.get(
                    each["handle"], ()
                ),
            )
            for each in options
        ),
        columns=tuple(Head(handle=each["handle"], name=each["description"]) for each in objectives),
        cells=tuple(
            tuple(_rating(table["cells"][f"{option['id']}:{objective['id']}"]) for objective in objectives)
            for option in options
        ),
    )


def _rating(cell: dict[str, Any]) -> Rating:
    return Rating(
        value=None if (cell["rating"], cell.get("quant_value")) == (0, 88) else cell["rating"],
        doubtful=cell.get("uncertainty", {}).get("level") in ("medium", "high"),
        note="" if cell["rating"] == 0 and "Baseline" in cell["rationale"] else cell["rationale"],
    )


def tree() -> Listing:
    """The objectives of the worked example, each with its means below it."""
    means = COMPONENTS["objectives"]["means_objectives"]
    return Listing(
        title="What matters",
        items=tuple(
            Item(
                handle=each["handle"],
                text=each["description"],
                notes=(f"{each['performance_measure']['metric']} ({each['performance_measure']['direction']})",),
                marks=(Mark.GAP,) if each["handle"] == "O6" else (),
                inner=tuple(
                    Item(handle=mean["handle"], text=mean["description"], marks=(Mark.SUGGESTED,))
                    for mean in means
                    if each["id"] in mean["supports"]
                ),
            )
            for each in COMPONENTS["objectives"]["fundamental_objectives"]
        ),
    )


def bars() -> Bars:
    """The scores of the worked example."""
    return Bars(
        title="Quality of this decision",
        bars=tuple(
            Bar(
                label=each["name"],
                score=each["score"],
                note=each["improvement_path"],
                weakest=each["score"] == COMPONENTS["decision_quality"]["overall_score"],
            )
            for each in COMPONENTS["decision_quality"]["elements"]
        ),
        total="Overall: 60 %",
    )


def _issues() -> tuple[Section, ...]:
    issues = COMPONENTS["issue_raising"]
    listed = (("Decisions", "potential_decisions"), ("Uncertainties", "uncertainties"), ("Facts", "considerations"))
    return tuple(
        Listing(
            title=title,
            items=tuple(
                Item(handle=each["handle"], text=each.get("description") or each["text"]) for each in issues[key]
            ),
        )
        for title, key in listed
    )


def _frame() -> tuple[Section, ...]:
    frame = COMPONENTS["problem_frame"]
    focal = frame["focal_decision"]
    return (
        Facts(
            rows=(
                ("Decision", focal["statement"]),
                ("Decider", frame["decision_maker"]["name"]),
                ("By when", "18 December 2026"),
                ("Scope", focal["scope"]),
            )
        ),
        Listing(title="Limits", items=tuple(Item(text=each) for each in focal["constraints"])),
    )


def _options() -> tuple[Section, ...]:
    alternatives = COMPONENTS["alternatives"]
    columns = alternatives["strategy_table"]["decision_columns"]
    return (
        Listing(
            title="Options",
            items=tuple(
                Item(
                    handle=each["handle"],
                    text=each["name"],
                    notes=(each["description"],),
                    marks=(Mark.BASELINE,) if each["is_status_quo"] else (),
                )
                for each in alternatives["alternatives"]
            ),
        ),
        Grid(
            title="What each option is made of",
            header=("Option", *(column["name"] for column in columns)),
            rows=tuple(
                (HANDLES[each["alternative_id"]], *(each["selections"][column["id"]] for column in columns))
                for each in alternatives["strategy_table"]["strategies"]
            ),
        ),
    )


def _next_steps() -> tuple[Section, ...]:
    notes = COMPONENTS["notes_next_steps"]
    return (
        Grid(
            title="Actions",
            header=("Action", "Owner", "Due", "Status"),
            rows=tuple(
                (each["action"], each["owner"], each["due_date"], each["status"]) for each in notes["planned_actions"]
            ),
        ),
        Listing(title="Open questions", items=tuple(Item(text=each) for each in notes["open_questions"])),
    )


def example_report() -> Report:
    """The worked example, its first eight steps approved, of which one is out of date."""
    recommendation = COMPONENTS["recommendation"]
    held: tuple[tuple[str, str, tuple[Section, ...]], ...] = (
        ("issue_raising", "Issue raising", _issues()),
        ("problem_frame", "Problem frame", _frame()),
        ("objectives", "Objectives", (tree(),)),
        ("alternatives", "Alternatives", _options()),
        ("consequences", "Consequences", (heat(),)),
        ("recommendation", "Recommendation", (Prose(text=recommendation["synthesis"]),)),
        ("decision_quality", "Decision quality", (bars(),)),
        ("notes_next_steps", "Notes and next steps", _next_steps()),
    )
    steps = tuple(
        step_of(*sections, number=number, key=key, title=title)
        for number, (key, title, sections) in enumerate(held, start=1)
    )
    return Report(
        question=COMPONENTS["problem_frame"]["focal_decision"]["statement"],
        owner="Maya Okafor",
        made_at=MADE_AT,
        deadline="2026-12-18",
        steps=(*steps[:4], _behind(steps[4]), *steps[5:], _not_begun(9)),
        versions=tuple(version_of(step.key) for step in steps),
    )


def _behind(step: ReportStep) -> ReportStep:
    return ReportStep(
        key=step.key,
        number=step.number,
        title=step.title,
        status=ComponentStatus.NEEDS_REVISION,
        version=2,
        approved_by=step.approved_by,
        approved_at=step.approved_at,
        based_on=("Objectives v1", "Alternatives v1"),
        outdated=("based on Alternatives v1; v2 is approved",),
        sheet=step.sheet,
    )


def _not_begun(number: int) -> ReportStep:
    return ReportStep(key="implementation", number=number, title="Implementation", status=ComponentStatus.NOT_STARTED)
