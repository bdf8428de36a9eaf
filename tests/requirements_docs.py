"""The page of requirements, with the tests that prove each; `python -m tests.requirements_docs` draws it anew.

The sentences are written by hand, on the page, and are kept. Marks are read from the source: no test is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "requirements.md"
SHOWN = 3
"""How many tests the page names for one requirement; a search for the mark finds the others."""

FAMILIES: Mapping[str, str] = {
    "M": "What the project is made of",
    "S0": "Guided decisions: phases, steps and their results",
    "S1": "Goals: what a free thread is after",
    "S2": "Conversations: active, in the background, waiting, archived",
    "S3": "Replies: streaming, tools, permissions",
    "S4": "Interviews: from talk to a checked draft",
    "SE": "Nobody gets in, nothing gets out",
    "TR": "Results one can trust",
    "FA": "The talk",
    "NC": "The first ten minutes",
    "AG": "An agent that finishes what it began",
    "IN": "What people bring in",
    "MW": "Many workspaces, many machines",
}
"""Headings by the letters of an id, in the order of the page."""

SENTENCE = re.compile(r"^- \*\*([A-Z]+\d?-\d+)\*\* (.+)$", re.MULTILINE)
HEAD = """# Requirements

What Threadwise promises, one sentence for each requirement, and the tests that prove it (from `tests/`, at most three
named). Drawn by `python -m tests.requirements_docs` from the tests' marks; the sentences are written here by hand. What
no single test proves is in [requirements-not-tested.md](requirements-not-tested.md)."""


def marked() -> dict[str, list[str]]:
    """Return the tests that prove each requirement."""
    tests: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if ".req(" in (source := path.read_text("utf-8")):
            for name, rows in claims(ast.parse(source).body):
                for row in rows:
                    tests.setdefault(row, []).append(f"{path.relative_to(TESTS).as_posix()}::{name}")
    return tests


def claims(body: list[ast.stmt]) -> Iterator[tuple[str, set[str]]]:
    """Yield each test of a module with its requirements, those of its parameters and of the whole module included."""
    values: dict[str, set[str]] = {}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = _rows(value, values)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                values[name] = _rows(value, values)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test_"):
                rows = (_rows(each, values) for each in node.decorator_list)
                yield name, values.get("pytestmark", set[str]()).union(*rows)
            case _:
                pass


def _rows(value: ast.expr, values: Mapping[str, set[str]]) -> set[str]:
    rows: set[str] = set()
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Attribute(attr="req"), args=args):
                rows |= {each.value for each in args if isinstance(each, ast.Constant) and isinstance(each.value, str)}
            case ast.Name(id=name):
                rows |= values.get(name, set())
            case _:
                pass
    return rows


def drawn(page: str, tests: Mapping[str, list[str]]) -> str:
    """Return the page with these tests and the sentences that it has; a requirement without one gets `…`."""
    sentences = dict(SENTENCE.findall(page))
    parts = [HEAD]
    for family, heading in FAMILIES.items():
        rows = sorted(row for row in tests if family_of(row) == family)
        parts += [f"\n## {family} · {heading}\n", *(_entry(row, sentences.get(row, "…"), tests[row]) for row in rows)]
    return "\n".join(parts) + "\n"


def family_of(row: str) -> str:
    """Return the letters of an id."""
    return row.partition("-")[0]


def _entry(row: str, sentence: str, tests: list[str]) -> str:
    lines = [f"- **{row}** {sentence}", *(f"  - `{test}`" for test in tests[:SHOWN])]
    if len(tests) > SHOWN:
        lines.append(f"  - and {len(tests) - SHOWN} more")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text("utf-8"), marked()), "utf-8")
