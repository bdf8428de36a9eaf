"""A report as a file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from app.decision.report.files import LONGEST_SLUG, WRITERS, Format, name_file
from tests.unit.decision.report.any_report import TEXTS
from tests.unit.decision.report.dossiers import report_of


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Where do we go?", "where-do-we-go-2026-12-10.html"),
        ("Größe & Straße: wie?", "grosse-strasse-wie-2026-12-10.html"),
        ("../../etc/passwd", "etc-passwd-2026-12-10.html"),
        ("東京?", "decision-2026-12-10.html"),
        ("word " * 20, f"{'-'.join(['word'] * 12)}-2026-12-10.html"),
        ("w" * 80, f"{'w' * LONGEST_SLUG}-2026-12-10.html"),
        (f"{'w' * LONGEST_SLUG} x", f"{'w' * LONGEST_SLUG}-2026-12-10.html"),
    ],
)
def test_a_file_is_called_after_the_question_and_the_day_and_cut_between_words(question: str, name: str) -> None:
    assert name_file(report_of(question=question), Format.HTML) == name


@given(TEXTS)
def test_a_file_name_is_one_that_every_system_takes(question: str) -> None:
    for form in Format:
        assert re.fullmatch(
            r"[a-z0-9][a-z0-9-]{0,60}-2026-12-10\.(md|json|html)", name_file(report_of(question=question), form)
        )


def test_every_format_is_written_as_what_its_ending_says() -> None:
    assert {form: WRITERS[form](report_of())[:2] for form in Format} == {
        Format.MARKDOWN: "# ", Format.JSON: "{\n", Format.HTML: "<!",
    }  # fmt: skip
