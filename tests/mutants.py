"""Breaks one module in many small ways and tells which of the breaks its nearest tests do not notice.

`make mutants MODULE=app/core/machine/guards.py`, with `TESTS="tests/unit/…"` for others than those that import it. The
work is done by mutmut on a copy of the tree, so nothing is left behind. What stands outside of functions (tables,
constants) is not broken: those need tests with literal values.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

from mutmut.mutation.data import LineSpan
from mutmut.mutation.file_mutation import mutate_file_contents

from tests.mutant_runs import FOUND, PLAN

ROOT = Path(__file__).parents[1]
NEAREST = {"app/core": "tests/unit/core", "app/decision": "tests/unit/decision", "store": "tests/contract"}
"""Where the tests of a folder are, if not in `tests/unit`."""
CONFIGURATION = """
[tool.mutmut]
source_paths = ["app", "handlers", "store"]
"""
OPTIONS = (
    "-q",
    "--tb=native",
    "--assert=plain",
    "--maxfail=0",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-p",
    "tests.mutant_runs",
    "--hypothesis-seed=0",
    "--timeout=240",
)


@dataclass(frozen=True)
class Body:
    """A function as it stands in a file, from the line that names it on."""

    named: int
    lines: list[str]

    @cached_property
    def statements(self) -> list[tuple[int, int]]:
        """The lines of each statement, counted from the first of the function."""
        return list(_statements(ast.parse("\n".join(self.lines))))


@dataclass(frozen=True)
class Broken:
    """A module with the broken versions of its functions beside the functions."""

    package: str
    bodies: Mapping[str, Body]
    breaks: Sequence[str]

    @property
    def statements(self) -> dict[str, tuple[int, int]]:
        """The lines of the statement, where it is whole, that each break breaks; of a default value the function."""
        return {f"{self.package}.{name}": self._statement(name) for name in self.breaks}

    def diff(self, name: str) -> list[str]:
        """Show a break."""
        whole, broken = self._both(name.rpartition(".")[2])
        return list(unified_diff(whole.lines[1:], broken.lines[1:], lineterm="", n=1))[2:]

    def _both(self, name: str) -> tuple[Body, Body]:
        return self.bodies[name.partition("__mutmut_")[0] + "__mutmut_orig"], self.bodies[name]

    def _statement(self, name: str) -> tuple[int, int]:
        whole, broken = self._both(name)
        pairs = enumerate(zip_longest(whole.lines[1:], broken.lines[1:]), start=2)
        line = next((number for number, (was, now) in pairs if was != now), 0)
        spans = (span for span in whole.statements if span[0] <= line <= span[1])
        first, last = min(spans, key=lambda span: span[1] - span[0], default=(1, len(whole.lines)))
        return whole.named + first - 1, whole.named + last - 1


def main(words: list[str]) -> int:
    """Print each break that survived, as a diff, and the share that was caught. Exit status 1 if no test can run."""
    modules = [word for word in words if word.endswith(".py") and not word.startswith("tests/")]
    tests = [word for word in words if word not in modules] or sorted({_nearest(module) for module in modules})
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        _copy_tree(copy)
        with (copy / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        mutated = {module: _break(copy, module) for module in modules}
        (copy / PLAN).write_text(json.dumps({module: broken.statements for module, broken in mutated.items()}), "utf-8")
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *tests],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy)},
            check=False,
            capture_output=True,
            text=True,
        )
        if not (copy / FOUND).is_file():
            print(ran.stdout[-4000:], ran.stderr[-4000:])
            return 1
        found = json.loads((copy / FOUND).read_text("utf-8"))
    for name in found["once"]:
        print(f"not counted, it cannot run twice: {name}")
    for module, broken in mutated.items():
        _tell(module, broken, found["breaks"])
    return 0


def _nearest(module: str) -> str:
    return NEAREST.get(str(Path(module).parent), "tests/unit")


def _tell(module: str, broken: Broken, found: Mapping[str, str]) -> None:
    breaks = [f"{broken.package}.{name}" for name in broken.breaks]
    survivors = [name for name in breaks if found[name] not in ("caught", "timeout")]
    for name in survivors:
        print(f"--- {name}: {found[name]}", *broken.diff(name), sep="\n")
    print(f"{module}: {len(breaks) - len(survivors)} of {len(breaks)} breaks were caught")


def _break(copy: Path, module: str) -> Broken:
    """Put all broken versions of each function into the module; which of them runs is told by the environment."""
    os.chdir(copy)
    mutated = mutate_file_contents(module, Path(module).read_text("utf-8"))
    os.chdir(ROOT)
    (copy / module).write_text(mutated.code, "utf-8")
    written = mutated.code.splitlines()
    bodies = {name: _body(written, name, span) for name, span in mutated.line_span_by_function_name.items()}
    package = module.removesuffix(".py").replace("/", ".")
    return Broken(package, bodies, mutated.mutant_names)


def _body(written: list[str], function: str, span: LineSpan) -> Body:
    """Find the lines of a function after that which names it."""
    named = next(number for number in range(span.start, span.end) if f"def {function}(" in written[number - 1])
    return Body(named, textwrap.dedent("\n".join(written[named - 1 : span.end])).splitlines())


def _statements(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield the lines of each statement within functions; of one with a body those before it."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Expr(value=ast.Constant()):
                pass
            case ast.match_case():
                yield node.pattern.lineno, max(node.pattern.lineno, node.body[0].lineno - 1)
            case ast.Match():
                yield node.lineno, max(node.lineno, node.cases[0].pattern.lineno - 1)
            case ast.ExceptHandler() | ast.stmt():
                body: list[ast.stmt] = getattr(node, "body", [])
                yield node.lineno, max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            case _:
                pass


def _copy_tree(copy: Path) -> None:
    """Copy what git knows, with what is not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (path := ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
