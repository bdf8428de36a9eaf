"""Group 12: CPU of everything that follows from one table: findings, firmness, orders, rules and the sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random
from time import process_time
from typing import Any

from rich.table import Table

from app.decision.drafts.draft import Accepted, read, refresh_draft
from app.decision.layout.sheets import build_sheet
from app.decision.playbook.playbook import load_proact
from app.decision.record import DecisionRecord
from app.decision.schema.paths import Draft
from tests.bench import table
from tests.bench.stage import Lab

NOTE = (
    "CPU of one process, with nothing computed before: a full table with ranges, doubts, amounts in one unit and swing "
    "points. It is computed in an OS thread, beside the event loop."
)
SIZES = {12: 0.3, 50: 3.0}
"""Options and objectives of a table, and the target in seconds."""
TODAY = date(2026, 11, 21)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU for the tradeoffs as they are brought up to date, and for one part of it alone."""

    whole: float
    analysis: float
    firmness: float
    orders: float
    sheet: float


def build_decision(size: int, seed: int) -> dict[str, Draft]:
    """Return a decision with this many options and objectives, drawn by chance."""
    draw = Random(seed)
    measure = {"name": "Cost", "units": "kEUR", "direction": "maximize", "baseline": 100}
    objectives: list[Draft] = [
        {"handle": f"O{each}", "description": f"Objective {each}", "performance_measure": measure}
        for each in range(1, size + 1)
    ]
    options: list[Draft] = [
        {"handle": f"A{each}", "name": f"Option {each}", "description": "As it says", "is_status_quo": each == 1}
        for each in range(1, size + 1)
    ]
    cells = [_build_cell(draw, option["handle"], each["handle"]) for option in options[1:] for each in objectives]
    return {
        "objectives": {"fundamental_objectives": objectives, "means_objectives": []},
        "alternatives": {"alternatives": options, "status_quo_id": "A1"},
        "consequences": {"table": {"cells": cells}},
    }


def _build_cell(draw: Random, option: str, objective: str) -> Draft:
    rating = draw.randint(-2, 2)
    cell: Draft = {"alternative_id": option, "objective_id": objective, "rating": rating, "rationale": "As last year"}
    cell |= {"quant_value": 100.0 + 100 * rating + draw.randint(0, 30), "quant_unit": "kEUR"}
    if draw.random() < 0.6:
        cell["rating_range"] = {"low": max(-2, rating - 1), "high": min(2, rating + 1)}
    if draw.random() < 0.4:
        cell["uncertainty"] = {"level": "high", "driver": "Nobody knows yet"}
    return cell


def _take(work: Callable[[], Any]) -> float:
    began = process_time()
    work()
    return process_time() - began


def _weigh(size: int, seed: int) -> Cost:
    component, drafts = load_proact()["tradeoffs"], build_decision(size, seed)
    first = refresh_draft(component, {"user_understanding": "We lose little."}, DecisionRecord(drafts, TODAY)).draft
    rows = enumerate(first.get("swing_weights", []))
    points: Draft = {**first, "swing_weights": [{**each, "points": 100 - place} for place, each in rows]}

    def settle() -> None:
        fresh = DecisionRecord(drafts, TODAY)
        found = read(component, points, fresh)
        assert isinstance(found, Accepted), found
        build_sheet(component, found.draft, fresh)

    known = DecisionRecord(drafts, TODAY)
    return Cost(
        analysis=_take(lambda: known.analyse_by(points)),
        firmness=_take(lambda: known.firmness_by(points)),
        orders=_take(lambda: known.order_by(points)),
        sheet=_take(lambda: build_sheet(component, points, known)),
        whole=_take(settle),
    )


async def measure(lab: Lab) -> Table:
    """Weigh tables of both sizes."""
    rows: list[table.Row] = []
    for size, limit in SIZES.items():
        figures = (
            table.Figure[Cost](
                "everything, from the ratings to the sheet", table.milliseconds, lambda c: c.whole, limit
            ),
            table.Figure[Cost]("the analysis alone", table.milliseconds, lambda c: c.analysis),
            table.Figure[Cost]("firmness", table.milliseconds, lambda c: c.firmness),
            table.Figure[Cost]("the order by amounts", table.milliseconds, lambda c: c.orders),
            table.Figure[Cost]("the sheet, once these are known", table.milliseconds, lambda c: c.sheet),
        )
        costs = [_weigh(size, seed) for seed in range(1 if lab.quick else 3)]
        rows += table.compared(f"{size} options on {size} objectives", figures, costs)
    return table.drawn("12. Everything that follows from a table", rows, NOTE)
