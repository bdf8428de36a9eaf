"""Decisions of any kind, led by the rehearsal model to nine approved steps by typed words alone."""

from __future__ import annotations

import json
import re

import pytest

from tests.contract.playground_claude.matters import MATTERS
from tests.contract.playground_claude.played import NOT_NEEDED, Matter, Player

QUOTED = re.compile(r'"[^"]*"')
SAID = re.compile(r"“[^”]*”")
RUN_ON = re.compile(r"[.!?…:;](?=[A-Z“])|…\*?\.|[.!?]{2}| {2}")
"""Two sentences without a space between them, or with two; two ends of one sentence."""
LONG = 20
"""Characters from which on a sentence stands once in an answer."""


def find_flaws(answer: str) -> list[str]:
    """What no editor would print, outside of people's own words."""
    own = SAID.sub("“x”", answer)
    sentences = [each for each in re.split(r"(?<=[.!?])\s+|\n", answer) if len(each) >= LONG]
    return [*RUN_ON.findall(own), *(each for each in dict.fromkeys(sentences) if sentences.count(each) > 1)]


@pytest.mark.req("NC-03")
@pytest.mark.parametrize(("seed", "matter"), list(enumerate(MATTERS)), ids=[each.situation for each in MATTERS])
def test_each_of_twenty_decisions_is_typed_to_nine_drafts_that_may_be_approved(seed: int, matter: Matter) -> None:
    player = Player(matter, seed)
    player.plays()
    assert len(player.results) == 9
    assert [(answer, found) for _, answer in player.said if (found := find_flaws(answer))] == []
    held = json.dumps(player.results, ensure_ascii=False)
    for words in (*matter.options, *matter.wants, matter.today):
        assert words.rstrip(".") in held, f"{words!r} was lost"
    assert NOT_NEEDED not in held, "it was taken out"
    reasons = player.results.pop("consequences")  # there "I don't know" is what a doubt comes from
    assert not any("rationale" not in each for each in reasons["table"]["cells"] if abs(each["rating"]) > 1)
    doubts = player.results["recommendation"].pop("remaining_uncertainties", ())  # and here it is told again
    assert all(re.search(r" on O\d", each["description"]) for each in doubts), "a doubt that nobody has"
    held = json.dumps(player.results, ensure_ascii=False)
    for words in player.commands:
        assert not {f'"{words}"', f'"{words.rstrip(".!?")}"'} & set(QUOTED.findall(held)), f"{words!r} became an item"
