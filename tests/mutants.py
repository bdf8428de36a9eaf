"""Breaks one module in many small ways and tells which of the breaks its nearest tests do not notice.

`make mutants MODULE=app/core/guards.py`, with `TESTS="tests/unit/…"` for others than those that import the module. The
work is done by mutmut on a copy of the tree, so nothing is left behind. What stands outside of functions (tables,
constants) is not broken: those need tests with literal values.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("tests/unit", "tests/contract")
"""Where tests are near a module. Tests of the second folder count where the first has none."""
CONFIGURATION = """
[tool.mutmut]
source_paths = ["app", "handlers", "store"]
only_mutate = [{module}]
also_copy = ["tests", "docs", "README.md", "manifest.yml", "CONTRIBUTING.md"]
pytest_add_cli_args = ["-p", "no:randomly", "-p", "no:cacheprovider", "-x"]
pytest_add_cli_args_test_selection = {tests}
"""
SURVIVOR = re.compile(r"^\s*(\S+): (survived|no tests|suspicious|timeout)$", re.MULTILINE)
COUNTED = re.compile(r"(\d+)/(\d+)\s+🎉 (\d+)")


def main(module: str, tests: list[str]) -> int:
    """Print each break that survived, as a diff, and the share that was caught. Exit status 1 if mutmut cannot run."""
    tests = tests or list(nearest(module))
    if not tests:
        print(f"No test imports {module}; name some: make mutants MODULE={module} TESTS=tests/…")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        _copy_tree(copy)
        written = CONFIGURATION.format(module=json.dumps(module), tests=json.dumps(tests))
        with (copy / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(written)
        ran = _mutmut(copy, "run")
        if not (counts := COUNTED.findall(ran)):
            print(ran[-4000:])
            return 1
        for name, why in SURVIVOR.findall(_mutmut(copy, "results")):
            print(f"--- {why}", _mutmut(copy, "show", name), sep="\n")
    _, whole, caught = map(int, counts[-1])
    print(f"{module}: {caught} of {whole} breaks were caught by {', '.join(tests)}")
    return 0


def nearest(module: str) -> Iterator[str]:
    """Yield the test files that import a module, those of one folder."""
    package, _, name = module.removesuffix(".py").replace("/", ".").rpartition(".")
    imports = re.compile(rf"^(from {package}\.{name} import|from {package} import .*\b{name}\b)", re.MULTILINE)
    for folder in FOLDERS:
        found = [path for path in sorted((ROOT / folder).rglob("test_*.py")) if imports.search(path.read_text("utf-8"))]
        if found:
            yield from (str(path.relative_to(ROOT)) for path in found)
            return


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


def _mutmut(copy: Path, *words: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "mutmut", *words], cwd=copy, check=False, capture_output=True, text=True
    )
    return ran.stdout + ran.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
