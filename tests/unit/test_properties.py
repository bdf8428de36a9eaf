"""Properties are searched alike: the same examples in every run, and as many times more when they are fuzzed."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import settings

from tests.properties import EXAMPLES, FUZZ, FUZZED, SUITE, limit_examples

TESTS = Path(__file__).parents[1]
OWN_WAY = re.compile(r"settings\([^)]*\b(?:max_examples|deadline|derandomize|database)=")


def test_no_property_searches_in_a_way_of_its_own() -> None:
    """A number of its own would stay as it is when the properties are fuzzed."""
    texts = {path.name: path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    own = [name for name, text in texts.items() if "from hypothesis" in text and OWN_WAY.search(text)]
    assert own == ["properties.py"]


def test_a_dear_property_is_searched_less_and_grows_with_the_others_when_they_are_fuzzed() -> None:
    now = settings.get_current_profile_name()
    try:
        found: dict[str, int] = {}
        for name in (SUITE, FUZZ):
            settings.load_profile(name)
            found[name] = limit_examples(EXAMPLES // 2).max_examples
    finally:
        settings.load_profile(now)
    assert found == {SUITE: EXAMPLES // 2, FUZZ: FUZZED // 2}
