"""A pytest plugin for `tests.mutants`: runs the tests once as they are, then for each break of a module in a fork.

A fork begins with all tests loaded, runs those that reach the broken statement, the quickest first, and ends with the
first that fails.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from mutmut.mutation.trampoline import set_mutant_under_test

PLAN = "breaks.json"
"""The file that tells, where the tests run, the breaks of each module and the lines of their statements."""
FOUND = "found.json"
"""What became of each."""

PATIENCE = 5
"""How many seconds of computing a break may cost beside twice what its tests need."""
WAIT = 10
"""How many seconds a test may take with a break: one may wait for what never comes."""

settings.register_profile(
    "breaks",
    phases=[Phase.explicit, Phase.generate],
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("breaks")


@dataclass(frozen=True)
class Timed:
    """A test, and how many seconds it needs."""

    seconds: float
    item: pytest.Item


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Take the place of pytest's own loop."""
    if session.testsfailed:
        raise session.Failed("the tests cannot be loaded")
    plan = json.loads(Path(PLAN).read_text("utf-8"))
    set_mutant_under_test("")
    reached = _run_all(session, {str(Path(module).resolve()): module for module in plan})
    if session.testsfailed:
        raise session.Failed("the tests fail as they are")
    once = _run_again(session)
    gc.freeze()
    found: dict[str, str] = {}
    for module, breaks in plan.items():
        for name, (first, last) in breaks.items():
            tests = {test.item: test for line in range(first, last + 1) for test in reached[module, line]}
            able = [test for test in tests.values() if test.item.nodeid not in once]
            found[name] = _run_broken(session, name, sorted(able, key=_seconds)) if able else "no tests"
    Path(FOUND).write_text(json.dumps({"breaks": found, "once": sorted(once)}), "utf-8")
    return True


def _seconds(test: Timed) -> float:
    return test.seconds


def _run_all(session: pytest.Session, files: Mapping[str, str]) -> dict[tuple[str, int], list[Timed]]:
    """Run every test; give those that reach each line of the modules."""
    reached: dict[tuple[str, int], list[Timed]] = defaultdict(list)
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        lines: set[tuple[str, int]] = set()
        begun = time.perf_counter()
        sys.settrace(_tracer(files, lines))
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        sys.settrace(None)
        test = Timed(time.perf_counter() - begun, item)
        for line in lines:
            reached[line].append(test)
    return reached


def _tracer(files: Mapping[str, str], lines: set[tuple[str, int]]) -> Callable[[FrameType, str, Any], Any]:
    def within(frame: FrameType, _event: str, _value: Any) -> Any:
        lines.add((files[frame.f_code.co_filename], frame.f_lineno))
        return within

    def trace(frame: FrameType, _event: str, _value: Any) -> Any:
        return within if frame.f_code.co_filename in files else None

    return trace


def _run_again(session: pytest.Session) -> set[str]:
    """Give the tests that fail when they run a second time: they would seem to catch every break."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _hush()
        failed = list(_failures(session, session.items))
        with os.fdopen(writer, "w") as told:
            told.write(json.dumps(failed))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        failed = json.loads(told.read())
    os.waitpid(child, 0)
    return set(failed)


def _run_broken(session: pytest.Session, name: str, tests: Sequence[Timed]) -> str:
    child = os.fork()
    if not child:
        try:
            _hush()
            seconds = PATIENCE + 2 * round(sum(test.seconds for test in tests))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            set_mutant_under_test(name)
            for test in tests:
                test.item.add_marker(pytest.mark.timeout(WAIT))
            caught = next(iter(_failures(session, [test.item for test in tests])), None)
            os._exit(1 if caught else 0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return "timeout" if status < 0 else "survived" if status == 0 else "caught"


def _failures(session: pytest.Session, items: Iterable[pytest.Item]) -> Iterable[str]:
    for item in items:
        before = session.testsfailed
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed > before:
            yield item.nodeid


def _hush() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
