"""Sentences about files that were not fetched."""

from __future__ import annotations

import pytest

from app.core.copy.file_access import A_FILE, explain_fetch_fault
from app.core.errors import FetchFault, FileNotFetched


@pytest.mark.req("IN-04")
@pytest.mark.parametrize("reason", FetchFault)
def test_each_reason_for_a_file_that_was_not_fetched_is_one_sentence_with_its_name(reason: FetchFault) -> None:
    told = explain_fetch_fault(FileNotFetched(reason, 20_000_000), "board.xlsx")
    assert "board.xlsx" in told
    assert "{" not in told
    assert explain_fetch_fault(FileNotFetched(reason), A_FILE)[0].isupper()


@pytest.mark.req("IN-04")
def test_a_limit_is_told_in_megabytes_and_a_number_of_files_as_it_is() -> None:
    assert "20" in explain_fetch_fault(FileNotFetched(FetchFault.TOO_LARGE, 20_000_000), "a.pdf")
    assert "20,000,000" not in explain_fetch_fault(FileNotFetched(FetchFault.TOO_LARGE, 20_000_000), "a.pdf")
    assert "10" in explain_fetch_fault(FileNotFetched(FetchFault.TOO_MANY, 10), "a.pdf")
