"""What tests share: one real MongoDB for the whole run of a test process, and how properties search."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tests.mongo import quick_folder, running_mongod
from tests.properties import SUITE
from tests.run import NEAR, UNMEASURED

settings.load_profile(SUITE)
_PLAIN = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
"""Draws no pictures of tracebacks, each of which took a fifth of a second."""
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], _PLAIN])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: all that is made then stays, and is looked through in vain."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the suite be run in two parts, of which one is measured."""
    parser.addoption(UNMEASURED, action="store_true", help="only properties, whole conversations, crashes and browsers")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without properties of which the measured part runs all: reading them takes seconds."""
    if not config.getoption(UNMEASURED) or not collection_path.match("test_*.py"):
        return None
    place = collection_path.relative_to(config.rootpath).as_posix()
    return (place.startswith(NEAR) and "hypothesis" not in collection_path.read_text("utf-8")) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the measured part runs, once all marks are set."""
    if config.getoption(UNMEASURED):
        near = [each for each in items if each.nodeid.startswith(NEAR) and not each.get_closest_marker("hypothesis")]
        config.hook.pytest_deselected(items=near)
        left_out = set(near)
        items[:] = [each for each in items if each not in left_out]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Send one report of each test that passes from process to process, not five: for most, reporting took longest."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(scope="session")
def mongo_uri() -> Generator[str]:
    """The URI of a real mongod."""
    with quick_folder() as folder, running_mongod(folder) as uri:
        yield uri
