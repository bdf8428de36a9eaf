"""The tree of packages in docs/architecture.md; `python -m tests.tree_docs` draws it anew from their docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
TOP = ("app", "handlers", "store")
PLACE = re.compile(r"(<!-- tree: drawn from the packages' docstrings -->\n).*?(<!-- /tree -->)", re.DOTALL)
COLUMN = 22
"""Where the sentences begin."""


def packages(folder: Path) -> Iterator[Path]:
    """Yield a package and all below it, each before what it holds, by name."""
    yield folder
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield from packages(inner)


def sentence(package: Path) -> str:
    """Return the first line of a package's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    return text.partition("\n")[0].removesuffix(".")


def drawn() -> str:
    """Return the tree as a block of Markdown."""
    rows = [package for top in TOP for package in packages(ROOT / top)]
    lines = [(f"{'  ' * (len(row.relative_to(ROOT).parts) - 1)}{row.name}/", sentence(row)) for row in rows]
    return "".join(["```\n", *(f"{name:{COLUMN}}{text}\n" for name, text in lines), "```\n"])


def page() -> str:
    """Return the page with the tree as it is now."""
    return PLACE.sub(lambda place: place[1] + drawn() + place[2], PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
