"""What runs in the process of one tree: it plays what it is told to and writes what came of it, one JSON line each.

`histories FIRST LAST` gives digests in portions, `history SEED` all that happened, `sessions` the calls to the ports.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import structlog

from tests.replay.kinds import play
from tests.replay.sessions import SESSIONS
from tests.replay.stage import noted
from tests.replay.tree import Tree
from tests.virtual import in_virtual_time

PORTION = 50


def main(words: list[str]) -> None:
    """Do one of the commands."""
    check_tree()
    match words:
        case ["histories", first, last]:
            _play_many(int(first), int(last))
        case ["sessions"]:
            _play_sessions()
        case ["history", seed]:
            _write([asdict(each) for each in play(Tree(), int(seed), is_told=True).world.happened])
        case _:
            raise SystemExit(f"tests.replay.child: {words}?")


def check_tree() -> None:
    """Stop if Python has found the program anywhere else than in the tree that this process is for."""
    import app

    found = Path(app.__file__ or "").resolve().parent.parent
    if found != Path.cwd().resolve():
        raise SystemExit(f"the program of {Path.cwd()} was to be played, and {found} was found")


def _play_many(first: int, last: int) -> None:
    tree = Tree()
    for begin in range(first, last, PORTION):
        counts, digests = Counter[str](), list[str]()
        for seed in range(begin, min(begin + PORTION, last)):
            played = play(tree, seed)
            counts += played.world.counts
            digests.append(played.digest)
        _write({"first": begin, "digests": digests, "counts": counts})


def _play_sessions() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for name, script in SESSIONS.items():
        _write({"session": name, "calls": in_virtual_time(noted(script))})


def _write(line: object) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
