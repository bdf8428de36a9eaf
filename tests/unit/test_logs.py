"""What people or the model wrote never reaches a log, whoever logs it."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import structlog

from app.logs import ALLOWED, configure

SECRET = "we will close the Lyon office"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def log() -> Generator[io.StringIO]:
    """Where the log goes; afterwards logging is as it was."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    configure("info", as_json=True, stream=stream)
    yield stream
    root.handlers, root.level = handlers, level
    structlog.configure(**before)


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


@pytest.mark.req("S0-016")
def test_a_field_that_is_not_allowed_is_dropped(log: io.StringIO) -> None:
    structlog.get_logger().info("taken_in", receipt="message:T1:C1:1.1", text=SECRET, user="U1", payload={"a": SECRET})
    (line,) = lines(log)
    assert SECRET not in log.getvalue()
    assert set(line) == {"event", "level", "timestamp", "receipt"}
    assert (line["event"], line["level"], line["receipt"]) == ("taken_in", "info", "message:T1:C1:1.1")


@pytest.mark.req("S0-016")
def test_states_phases_and_token_counts_are_logged(log: io.StringIO) -> None:
    told = {"status": "streaming", "stage": "summarize", "tokens": 12}
    structlog.get_logger().info("turn_began", **told)
    (line,) = lines(log)
    assert told.items() <= line.items()


def test_no_field_that_could_hold_words_is_allowed() -> None:
    assert not ALLOWED & {
        "text",
        "content",
        "summary",
        "title",
        "name",
        "user_name",
        "message",
        "payload",
        "body",
        "exception",
    }


def test_what_is_bound_to_the_context_is_dropped_too(log: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(conversation="c1", title=SECRET):
        structlog.get_logger().warning("turn_failed", kind="busy")
    (line,) = lines(log)
    assert (line["conversation"], line["kind"]) == ("c1", "busy")
    assert SECRET not in log.getvalue()


def test_an_exception_is_told_by_its_type_and_place_and_not_by_its_message(log: io.StringIO) -> None:
    try:
        raise ValueError(SECRET)
    except ValueError:
        structlog.get_logger().exception("session_failed")
    (line,) = lines(log)
    assert line["error"] == "ValueError"
    assert "test_logs.py" in line["where"]
    assert SECRET not in log.getvalue()


def test_an_exception_that_is_not_being_handled_is_not_told_either(log: io.StringIO) -> None:
    structlog.get_logger().error("odd", exc_info=ValueError(SECRET))
    assert lines(log)[0]["error"] == "none"
    assert SECRET not in log.getvalue()


def test_of_a_librarys_message_only_its_level_and_place_are_told(log: io.StringIO) -> None:
    logging.getLogger("slack_bolt").warning("unhandled request %s", {"text": SECRET})
    (line,) = lines(log)
    assert (line["event"], line["level"], line["logger"]) == ("library_message", "warning", "slack_bolt")
    assert line["where"].startswith("test_logs.py:")
    assert line["error"] is None
    assert SECRET not in log.getvalue()


def test_of_a_librarys_exception_only_its_type_is_told(log: io.StringIO) -> None:
    try:
        raise KeyError(SECRET)
    except KeyError:
        logging.getLogger("aiohttp").exception(SECRET)
    assert lines(log)[0]["error"] == "KeyError"
    assert SECRET not in log.getvalue()


@pytest.mark.parametrize(("number", "level"), [(35, "warning"), (99, "critical")])
def test_a_level_of_a_librarys_own_does_not_break_it(number: int, level: str, log: io.StringIO) -> None:
    logging.getLogger("library").log(number, SECRET)
    assert lines(log)[0]["level"] == level


def test_what_libraries_chat_about_is_not_logged(log: io.StringIO) -> None:
    logging.getLogger("slack_sdk").info(SECRET)
    assert not log.getvalue()


def test_only_what_is_as_important_as_the_level_is_logged(log: io.StringIO) -> None:
    structlog.get_logger().debug("ignored", reason="bot")
    assert not log.getvalue()
    configure("DEBUG", as_json=True, stream=log)
    structlog.get_logger().debug("ignored", reason="bot")
    assert lines(log)[0]["reason"] == "bot"


def test_lines_for_people_keep_the_same_secrets(log: io.StringIO) -> None:
    configure("info", as_json=False, stream=log)
    try:
        raise ValueError(SECRET)
    except ValueError:
        structlog.get_logger().exception("session_failed", text=SECRET)
    assert "session_failed" in log.getvalue()
    assert "ValueError" in log.getvalue()
    assert SECRET not in log.getvalue()


@pytest.mark.req("S3-084")
def test_every_line_that_the_manual_names_is_logged_by_the_turn_and_its_tools() -> None:
    section = (ROOT / "docs" / "operations.md").read_text("utf-8").partition("## The log of an answer")[2]
    named = set(re.findall(r"^\| `(\w+)` \|", section.partition("\n## ")[0], re.MULTILINE))
    code = "".join(path.read_text("utf-8") for folder in ("app", "handlers") for path in (ROOT / folder).rglob("*.py"))
    logged = set(re.findall(r'(?:log\.\w+|say)\(\s*"(\w+)"', code))
    assert {"turn_began", "model_asked", "model_answered", "tool_used", "turn_ended"} <= named <= logged
    of_turn = "".join(path.read_text("utf-8") for path in (ROOT / "app" / "agent").glob("*.py"))
    assert set(re.findall(r'log\.info\(\s*"(\w+)"', of_turn)) - {"model_back", "extraction_tried"} <= named
