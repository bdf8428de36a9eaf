"""The headless demo as a process: it plays the worked example to its end, or says in one sentence what differs."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from pymongo import MongoClient
from rich.console import Console

from app.cli.demo import headless
from app.cli.demo.headless import Mismatch
from app.cli.demo.playscript import NEWS, Playscript
from app.decision.playbook import example
from app.decision.playbook.playbook import load_proact
from tests.flow.chat import unread_settings
from tests.flow.process import PLAYED, threadwise

NO_BREAK = "\u00a0"
WIDE = {"COLUMNS": "400", "PATH": "/usr/bin:/bin", "HOME": "/"}


@pytest.mark.timeout(300)
@pytest.mark.req("NC-11")
async def test_the_headless_demo_plays_the_example_to_its_end_and_shows_all_of_it_if_asked(
    mongo_uri: str, tmp_path: Path
) -> None:
    environment = {**WIDE, "MONGODB_URI": mongo_uri}
    played = await threadwise(tmp_path, "demo --headless --full --report decision.md", environment)
    out, complaint = (told.decode() for told in await asyncio.wait_for(played.communicate(), PLAYED))
    out = out.replace(NO_BREAK, " ")
    assert (played.returncode, complaint) == (0, "")
    for component in load_proact().components:
        assert f"{component.order} of 9 · {component.title} v1" in out
        assert all(line.split("\n")[0] in out for line in example.list_said(component.key))
    assert NEWS in out
    assert "Consequences v2" in out
    assert "6 Tradeoffs – based on Consequences v1" in out
    assert "9 steps led, 10 versions approved" in out.splitlines()[-2]
    report = (tmp_path / "decision.md").read_text("utf-8")
    assert report.startswith(f"# {example.read_question()}\n")
    assert "30k a year by the vendor's last offer" in report
    with MongoClient[dict[str, Any]](mongo_uri) as client:
        assert [name for name in client.list_database_names() if name.startswith("threadwise_demo")] == []


@pytest.mark.timeout(300)
@pytest.mark.req("NC-11")
async def test_the_headless_demo_tells_the_story_in_60_lines_while_it_goes_on(mongo_uri: str, tmp_path: Path) -> None:
    narrow = {**WIDE, "COLUMNS": "80", "MONGODB_URI": mongo_uri}
    played = await threadwise(tmp_path, "demo --headless", narrow)
    assert played.stdout is not None
    begun = await asyncio.wait_for(played.stdout.readuntil(b"1 of 9"), PLAYED)
    assert played.returncode is None, "nothing was told until all was over"
    rest, complaint = await asyncio.wait_for(played.communicate(), PLAYED)
    assert (played.returncode, complaint) == (0, b"")
    lines = (begun + rest).decode().replace(NO_BREAK, " ").splitlines()
    assert len(lines) <= 60
    steps = load_proact().components
    starts = [find_line(lines, f"{each.order} of 9 · {each.title} ─") for each in steps]
    ends = [*starts[1:], find_line(lines, "A rating changes: Consequences v2")]
    told = [lines[start + 1 : end] for start, end in zip(starts, ends, strict=True)]
    assert all(2 <= len(each) <= 4 for each in told)
    assert "A4 Three part-time weekend agents stands out" in "".join(told[6])
    since = " ".join(" ".join(lines[ends[-1] :]).split())
    assert NEWS in since
    stale = ("6 Tradeoffs", "7 Recommendation", "8 Decision quality")
    assert all(f"⚠ {step} – based on Consequences v1" in since for step in stale)
    assert "Next: look at Tradeoffs again" in since
    assert "Leaning: A4 Three part-time weekend agents" in since
    assert lines[-1].startswith("9 steps led, 10 versions approved")


def find_line(lines: list[str], words: str) -> int:
    return next(at for at, line in enumerate(lines) if words in line)


async def test_what_differs_from_the_example_ends_the_play_with_one_sentence(mongo_uri: str) -> None:
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    drafts: Mapping[str, Any] = deepcopy(dict(example.load_drafts()))
    drafts["issue_raising"]["objectives"][0]["description"] = "Something else"
    with pytest.raises(Mismatch, match="Issue raising v1 is not what the example has"):
        await headless.play(settings, Console(file=io.StringIO()), lambda today: Playscript(today, wanted=drafts))


def test_dates_that_are_over_move_by_whole_years_all_together() -> None:
    late = Playscript(date(2026, 12, 10))
    assert [each["due_date"] for each in late.read_submission("notes_next_steps")["planned_actions"]] == [
        "2027-12-11",
        "2027-12-04",
        "2027-12-09",
        "2027-12-18",
    ]
    assert late.read_submission("problem_frame")["focal_decision"]["deadline"] == "2026-12-18"
    early = Playscript(date(2026, 11, 21))
    assert all(early.read_submission(key) == example.load_drafts()[key] for key in example.load_drafts())


def test_no_reply_of_the_script_shows_what_was_to_be_filled_in() -> None:
    script = Playscript(date(2026, 11, 21))
    replies = [script.reply(each.key, place) for each in script.components for place in range(30)]
    assert all("?" in reply and not {*"[]{}"} & {*reply} for reply in replies)
