"""Rules of the tree that no other tool holds. What may import what is in `pyproject.toml` (import-linter)."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests import tree_docs

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "handlers", "store")
LONGEST_FILE = 500
MOST_MODULES = 12
SEVERAL_PEERS = {"app/agent/tools/external"}
"""Packages in which each file is one more of the same kind, found by its name: they may hold any number."""

SAME_AS_THEIR_PORT = {"clock", "intake", "outlet", "store"}
"""Names that a port shares with what implements it."""

NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}
"""Names that say nothing of what a module is for."""

PATH = re.compile(r"`((?:app|handlers|store|tests)/[\w/.]+\w)`")
"""A file or folder of ours, as a page names it."""

CLASS = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
"""A class, as a page names it."""

SPOKEN_OF = re.compile(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Za-z]+(?=\.\w))[\w.]*`")
"""A class, as a docstring refers to it."""

PROSE = re.compile(r'"""[\s\S]*?"""|#[^\n]*')

PLACED = re.compile(r"`(\w+)` (?:in|of) `((?:app|handlers|store|tests)/[\w/]+\.py)`")
"""A name and the file that holds it, as a page tells it."""

OF_OTHERS = {"LoadCredential", "PyMongo", "SlipCover"}
"""Names of that form that are not ours."""

GENERATED = {
    ".git", ".venv", ".hypothesis", ".pytest_cache", ".ruff_cache", ".import_linter_cache", "__pycache__", "htmlcov",
    "screenshots", "build", "dist", ".coverage", ".env",
}  # fmt: skip

# Put together from pieces, so that this file does not contain what it looks for.
PATCHING = re.compile("|".join(("unittest" + r"\.mock", "monkeypatch" + r"\.setattr", "mock" + r"\.patch")))
MACHINE_PATH = re.compile(
    r"(?<![\w.:/])/(" + "|".join(("ho" + "me", "Us" + "ers", "ro" + "ot", "wo" + "rk", "t" + "mp")) + r")/\w"
)
REGISTRY = re.compile(
    "|".join(("py" + r"pi\.", "python" + "hosted", "npm" + r"js\.", "registry" + r"\.(?!py\b)", "artif" + "actory"))
)


def files(*folders: str) -> Iterator[Path]:
    """Every text file of these folders that a person wrote."""
    for folder in folders:
        for place, below, names in os.walk(ROOT / folder):
            below[:] = sorted(set(below) - GENERATED)
            yield from (
                Path(place, each) for each in sorted(names) if each not in GENERATED and ".coverage" not in each
            )


def modules() -> Iterator[Path]:
    """Every module of the program but the faces of its packages."""
    return (path for path in files(*PACKAGES) if path.suffix == ".py" and path.stem not in ("__init__", "__main__"))


def pages() -> Iterator[Path]:
    """Every page of documentation but the CHANGELOG, which speaks of former trees."""
    here = (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))
    return chain(here, (path for path in files("docs") if path.suffix == ".md"))


@cache
def text(path: Path) -> str:
    """What stands in a file; nothing for a picture."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_of_the_program_and_no_module_of_its_tests_is_longer_than_it_may_be() -> None:
    held = (*files(*PACKAGES), *(path for path in files("tests") if path.suffix == ".py"))
    long = {name(path): count for path in held if (count := len(text(path).splitlines())) > LONGEST_FILE}
    assert not long


def test_no_package_holds_more_modules_than_can_be_seen_at_once() -> None:
    held = Counter(name(path.parent) for path in modules())
    assert not {folder: count for folder, count in held.items() if count > MOST_MODULES and folder not in SEVERAL_PEERS}


def test_a_module_of_the_program_is_named_once() -> None:
    """The playground mirrors products of others, and is exempt."""
    named = Counter(path.stem for path in modules() if "playground" not in path.parts)
    assert not {stem for stem, count in named.items() if count > 1 and stem not in SAME_AS_THEIR_PORT}


def test_every_package_says_what_lives_there_and_the_architecture_page_shows_the_tree_as_it_is() -> None:
    assert not [
        name(path) for top in PACKAGES for path in tree_docs.packages(ROOT / top) if not tree_docs.sentence(path)
    ]
    assert tree_docs.page() == tree_docs.PAGE.read_text("utf-8"), "draw it anew: python -m tests.tree_docs"


def test_every_path_that_a_page_names_is_there() -> None:
    named = {(name(page), path) for page in pages() for path in PATH.findall(text(page))}
    assert not sorted((page, path) for page, path in named if not (ROOT / path).exists())


def test_every_class_that_a_page_names_is_there() -> None:
    known = {each for path in files(*PACKAGES) if path.suffix == ".py" for each in CLASS.findall(text(path))}
    named = {(name(page), each) for page in pages() for each in CLASS.findall(text(page))}
    assert not sorted((page, each) for page, each in named if each not in known | OF_OTHERS)


def test_every_class_that_a_docstring_refers_to_is_there() -> None:
    sources = {path: text(path) for path in files(*PACKAGES) if path.suffix == ".py"}
    known = {each for source in sources.values() for each in re.findall(r"\w+", PROSE.sub("", source))}
    named = {
        (name(path), each)
        for path, source in sources.items()
        for said in PROSE.findall(source)
        for each in SPOKEN_OF.findall(said)
    }
    assert not sorted((where, each) for where, each in named if each not in known)


def test_every_name_that_a_page_places_in_a_file_is_there() -> None:
    placed = {(name(page), *found) for page in pages() for found in PLACED.findall(text(page))}
    assert placed
    absent = [each for each in placed if not re.search(rf"\b{each[1]}\b", text(ROOT / each[2]))]
    assert not sorted(absent)


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [name(path) for path in files(*PACKAGES, "tests") if {path.stem, path.parent.name} & NAMELESS]


def test_tests_use_fakes_and_patch_nothing() -> None:
    assert not [name(path) for path in files("tests") if PATCHING.search(text(path))]


@pytest.mark.parametrize("needle", [MACHINE_PATH, REGISTRY], ids=["path of a machine", "package registry"])
def test_nothing_in_the_tree_names_the_place_where_it_was_made(needle: re.Pattern[str]) -> None:
    found = {name(path): match[0] for path in files(".") if (match := needle.search(text(path)))}
    assert not found


def test_the_needles_are_found_where_they_are() -> None:
    assert PATCHING.search("from unittest" + ".mock import Mock")
    assert MACHINE_PATH.search('"/wo' + 'rk/x"')
    assert not MACHINE_PATH.search("https://example.com/" + "home/x and docs/" + "root/x")
    assert REGISTRY.search("https://py" + "pi.org/simple")
    assert name(Path(__file__)) in {name(path) for path in files(".")}


@pytest.mark.req("M-002", "M-003")
def test_the_tree_has_the_top_level_and_the_packages_that_were_asked_for() -> None:
    top = {path.name for path in ROOT.iterdir()}
    assert {"pyproject.toml", "README.md", "app", "handlers", "store", "tests", "manifest.yml"} <= top
    named = set(re.findall(r'^  "([a-z0-9-]+)', (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
    assert {"slack-bolt", "aiohttp", "anthropic", "pydantic", "motor", "jsonschema", "pytest"} <= named


def test_nobody_but_the_intake_puts_events_into_the_inbox() -> None:
    """Whoever does so by himself leaves the worker asleep."""
    used = {
        name(path)
        for path in files(*PACKAGES)
        if path.suffix == ".py" and "take_in" in text(path)
        for node in ast.walk(ast.parse(text(path)))
        if isinstance(node, ast.Attribute) and node.attr == "take_in"
    }
    assert used == {"app/runtime/intake.py"}
