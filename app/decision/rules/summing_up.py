"""Rules for tradeoffs and recommendation: findings stay as computed, and people decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from app.decision.comparing import plain, telling_words
from app.decision.findings import Finding, Issue, Remark
from app.decision.paths import Draft, places, value, values
from app.decision.so_far import SoFar

VERDICTS: Final = (
    "you should choose", "you should take", "you should pick", "you should go with", "you must choose",
    "the best choice is", "the best option is", "the right choice is", "i recommend", "we recommend",
)  # fmt: skip
_HANDLE = re.compile(r"\b[AO][0-9]{1,3}\b")


def kept_options(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about a dominated option that is kept: its value may be an objective that nobody named."""
    for each in values(draft, "dominated_alternatives[]"):
        if each.get("user_verdict") == "keep":
            kept = so_far.label(each["alternative_id"])
            yield Remark(f"You keep {kept} although another option is never worse. Which objective is missing?")


def baseline_beaten(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Remark that the status quo is dominated: by people's own ratings, acting is never worse."""
    if so_far.analysis and so_far.analysis.dominance.baseline_dominated:
        baseline = so_far.label(so_far.compared_with or "")
        yield Remark(f"On your own ratings another option is never worse than {baseline}. What would changing cost?")


def nothing_separates(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for a missing objective if none tells the options apart."""
    if so_far.analysis and so_far.analysis.nothing_separates:
        yield Remark("No objective tells the options apart. What matters that is not in the list?")


def ties(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask about options with equal ratings: they differ in another way, or they are one."""
    for group in so_far.analysis.dominance.ties if so_far.analysis else ():
        yield Remark(f"{so_far.labels(group)} are rated alike. What else differs, or are they the same?")


def no_verdict(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Reject a verdict in the synthesis, which only describes. People decide."""
    synthesis = plain(value(draft, "synthesis") or "")
    for verdict in VERDICTS:
        if verdict in synthesis:
            yield Issue("synthesis", "text that describes and chooses nothing", "it decides for people", verdict)


def named_handles(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Require that texts name only existing handles."""
    for path in ("synthesis", "sensitivity_notes", "standout_option.rationale", "key_considerations[]"):
        for place in places(draft, path):
            for handle in dict.fromkeys(_HANDLE.findall(place.value)):
                if handle not in so_far.handles:
                    required = "a text that names only options and objectives that exist"
                    yield Issue(place.name, required, f"names {handle}, which is not there", handle)


def doubts_covered(draft: Draft, so_far: SoFar) -> Iterator[Finding]:
    """Ask for an uncertainty on each doubtful option left.

    It covers the option if it refers to it or repeats its words.
    """
    known = values(draft, "remaining_uncertainties[]")
    about = {handle for each in known for handle in each.get("about", ())}
    said = telling_words(" ".join(f"{each['description']} {each.get('resolution_path', '')}" for each in known))
    for handle in dict.fromkeys(each[0] for each in so_far.doubts):
        drivers = [driver for option, _, driver in so_far.doubts if option == handle]
        if handle not in about and not telling_words(" ".join(drivers)) & said:
            yield Remark(f"Also uncertain: {so_far.label(handle)} ({'; '.join(drivers)}). How could you find out?")
