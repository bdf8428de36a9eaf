"""`make replay AGAINST=<git ref>`: does this tree do the same as that one? Exit status 1 if it does not.

HISTORIES says how many seeded histories are played, FIRST with which seed they begin.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from tests.replay.difference import describe
from tests.replay.processes import HERE, lines_of, reference

QUICK_LOOK = 2_000


def main(ref: str) -> int:
    """Compare, and print the figures."""
    first = int(os.environ.get("FIRST") or 0)
    last = first + int(os.environ.get("HISTORIES") or QUICK_LOOK)
    with reference(ref) as was:
        return _compare_sessions(was) or _compare_histories(was, first, last)


def _compare_sessions(was: Path) -> int:
    calls, sessions = 0, 0
    for old, new in zip(lines_of(was, "sessions"), lines_of(HERE, "sessions"), strict=True):
        if old != new:
            print(f"the session differs: {new['session']}")
            print(*describe(old["calls"], new["calls"]), sep="\n")
            return 1
        calls, sessions = calls + len(new["calls"]), sessions + 1
    print(f"{sessions} sessions, {calls:,} calls to ports: no difference")
    return 0


def _compare_histories(was: Path, first: int, last: int) -> int:
    counts, words = Counter[str](), ("histories", str(first), str(last))
    for old, new in zip(lines_of(was, *words), lines_of(HERE, *words), strict=True):
        counts += Counter(new["counts"])
        for place, (one, other) in enumerate(zip(old["digests"], new["digests"], strict=True)):
            if one != other:
                _tell(was, old["first"] + place)
                return 1
        print(f"\r{new['first'] + len(new['digests']) - first} histories", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    _print_figures(counts)
    print(
        f"{last - first:,} histories from seed {first}, {counts.total():,} things happened in each tree: no difference"
    )
    return 0


def _print_figures(counts: Counter[str]) -> None:
    events = Counter[str]()
    for what, number in counts.items():
        kind, _, verdict = what.partition(" ")
        events[f"{kind}: {verdict.split()[0] if verdict else 'done'}"] += number
    for what, number in sorted(events.items()):
        print(f"{number:9,}  {what}")
    refused = Counter[str]()
    for what, number in counts.items():
        if " refused " in what:
            refused[what.rpartition(" ")[2]] += number
    print("refused with", ", ".join(f"{code} ({number:,})" for code, number in sorted(refused.items())))
    for what, number in sorted(counts.items()):
        if " error " in what:
            print(f"{number:9,}  {what}")


def _tell(was: Path, seed: int) -> None:
    before, after = next(lines_of(was, "history", str(seed))), next(lines_of(HERE, "history", str(seed)))
    print(f"\nthe history with seed {seed} differs:")
    print(*describe(before, after), sep="\n")
    print(f"\nonce more: make replay AGAINST=… FIRST={seed} HISTORIES=1")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1]:
        raise SystemExit("make replay AGAINST=<git ref> [HISTORIES=50000] [FIRST=0]")
    raise SystemExit(main(sys.argv[1]))
