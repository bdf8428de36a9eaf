"""The docs show the machine that runs."""

from __future__ import annotations

from tests.machine_docs import PAGE, PLACE, drawn


def test_the_diagram_in_the_docs_is_drawn_from_the_tables() -> None:
    shown = PLACE.findall(PAGE.read_text("utf-8"))
    assert shown == [drawn()], "run python -m tests.machine_docs"
