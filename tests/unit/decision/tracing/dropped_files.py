"""Two files that somebody dropped into a step, the approved results before it, and an item of a draft about them."""

from __future__ import annotations

from typing import Any

from app.core.file_content import PAGE_BREAK, FileKind, FileText

COSTS = FileText(
    name="costs.csv",
    kind=FileKind.TABLE,
    text="A1: City\tB1: Rent\tC1: Staff\nA2: Berlin\tB2: 1200\tC2: 40\nA3: Lisbon\tB3: 937\tC3: 40",
)
OFFER = FileText(
    name="offer.pdf",
    kind=FileKind.PDF,
    text=f"An offer{PAGE_BREAK * 2}The van costs 18,500 euro by 14 March 2027.",
)
OPTIONS = {"alternatives": [{"handle": "A1", "name": "Berlin"}, {"handle": "A2", "name": "Lisbon"}]}


def item(name: str, **more: Any) -> dict[str, Any]:
    return {"items": [{"handle": "D1", "name": name, **more}]}
