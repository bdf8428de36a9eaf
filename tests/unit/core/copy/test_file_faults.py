"""The sentences about files that cannot be read."""

from __future__ import annotations

import pytest

from app.core.copy.file_faults import FAULTS, explain_fault
from app.core.errors import FileFault, FileRefused


@pytest.mark.parametrize("reason", FileFault)
@pytest.mark.req("IN-04")
def test_every_fault_names_the_file_and_says_what_to_do_next(reason: FileFault) -> None:
    said = explain_fault(FileRefused(reason, 20_000_000), "board {paper}.pdf")
    assert "board {paper}.pdf" in said
    assert "lease " in said
    assert said.endswith(".")
    assert list(FAULTS.values()).count(FAULTS[reason]) == 1
    assert not any(word in said.lower() for word in ("error", "exception", "parse", "byte", "_", "{limit"))


@pytest.mark.req("IN-04")
def test_a_limit_is_told_in_the_unit_that_people_know() -> None:
    assert "20 MB at most" in explain_fault(FileRefused(FileFault.TOO_LARGE, 20_000_000), "a.pdf")
    assert "1 MB at most" in explain_fault(FileRefused(FileFault.TOO_LARGE, 10), "a.pdf")
    assert "100 pages at most" in explain_fault(FileRefused(FileFault.TOO_MANY_PAGES, 100), "a.pdf")
