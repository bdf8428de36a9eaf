"""The page of requirements shows what the tests' marks say, with a sentence for each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.requirements_docs import FAMILIES, PAGE, SENTENCE, SHOWN, TESTS, claims, drawn, family_of, marked

MARK = re.compile(r"mark\.req\(([^)]*)\)")
ROW = re.compile(r'"([A-Z]+\d?-\d+)"')
LONGEST_SENTENCE = 60
"""Words."""


@pytest.fixture(scope="module")
def tests() -> dict[str, list[str]]:
    return marked()


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


def test_the_page_is_drawn_from_the_marks(page: str, tests: dict[str, list[str]]) -> None:
    assert page == drawn(page, tests), "run python -m tests.requirements_docs"


def test_every_requirement_that_a_test_marks_has_a_sentence(page: str, tests: dict[str, list[str]]) -> None:
    sentences = dict(SENTENCE.findall(page))
    without = sorted(row for row in tests if sentences.get(row, "…") == "…")
    assert not without, "write what the product promises in docs/requirements.md, in one sentence each"
    assert not sorted(set(sentences) - set(tests)), "no test marks these"


def test_a_sentence_is_short_and_whole(page: str) -> None:
    said = dict(SENTENCE.findall(page))
    assert not [row for row, text in said.items() if len(text.split()) > LONGEST_SENTENCE or text[-1] not in '.?"']


def test_every_family_has_its_heading_and_every_heading_its_family(tests: dict[str, list[str]]) -> None:
    assert {family_of(row) for row in tests} == set(FAMILIES)


def test_no_mark_is_overlooked(tests: dict[str, list[str]]) -> None:
    written = {
        row
        for path in set(TESTS.rglob("*.py")) - {Path(__file__)}
        for mark in MARK.findall(path.read_text("utf-8"))
        for row in ROW.findall(mark)
    }
    assert written == set(tests)


def test_what_a_test_marks_is_not_listed_as_untested(tests: dict[str, list[str]]) -> None:
    listed = set(re.findall(r"^- `(\S+)`", PAGE.with_stem("requirements-not-tested").read_text("utf-8"), re.MULTILINE))
    assert listed
    assert not listed & set(tests)


CODE = re.compile(rf"\b(?:{'|'.join(FAMILIES)})-\d{{2,3}}\b")
ROOT = PAGE.parents[1]
READ_BY_PEOPLE = ("*.py", "*.md", "*.txt", "*.toml", "*.json", "*.html", "*.js", "*.css")


def test_codes_of_requirements_stand_on_their_own_page_alone() -> None:
    folders = [ROOT / name for name in ("app", "handlers", "store", "docs")]
    files = [
        *ROOT.glob("*.md"),
        *(each for folder in folders for kind in READ_BY_PEOPLE for each in folder.rglob(kind)),
    ]
    coded = [
        f"{path.relative_to(ROOT)}: {code}"
        for path in files
        if not path.name.startswith("requirements")
        for code in CODE.findall(path.read_text("utf-8"))
    ]
    assert not coded
    assert CODE.search(PAGE.read_text("utf-8"))


MODULE = """
pytestmark = pytest.mark.req("A-1")
CASES = [param(1, marks=mark.req("A-2")), param(2)]
MORE: list[int] = [*CASES, param(3, marks=mark.req("A-3"))]

@mark.req("A-4", "A-5")
async def test_one() -> None: ...

@mark.parametrize("case", MORE)
def test_two(case: int) -> None: ...

@mark.req("A-6")
def helper() -> None: ...
"""


def test_marks_of_a_test_its_parameters_and_its_module_count() -> None:
    assert dict(claims(ast.parse(MODULE).body)) == {
        "test_one": {"A-1", "A-4", "A-5"},
        "test_two": {"A-1", "A-2", "A-3"},
    }


def test_a_new_requirement_asks_for_a_sentence_and_an_old_one_keeps_its_own() -> None:
    before = "- **S0-001** Old words.\n- **S0-009** Nobody marks it.\n"
    after = drawn(before, {"S0-001": ["a::b"], "S0-002": [f"a::{number}" for number in range(SHOWN + 2)]})
    assert "- **S0-001** Old words.\n  - `a::b`\n- **S0-002** …\n  - `a::0`\n" in after
    assert "\n  - and 2 more\n" in after
    assert "S0-009" not in after
