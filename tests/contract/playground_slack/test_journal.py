"""The journal, in memory and in its file."""

import json
from pathlib import Path

from app.playground.journal import Journal
from app.playground.slack import SlackOptions
from tests.contract.playground_slack.conftest import Start
from tests.contract.playground_slack.sdk import bot_of


async def test_calls_and_deliveries_are_written_in_order_and_line_by_line(start: Start, tmp_path: Path):
    path = tmp_path / "slack.jsonl"
    slack = await start(SlackOptions(journal=path))
    await bot_of(slack).chat_postMessage(channel="#general", text="hi")
    await slack.people.waits(lambda: slack.journal.of("unacked"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["call", "delivery", "unacked"]
    call = lines[0]
    assert (call["method"], call["args"]["text"], call["answer"]["ok"], call["status"]) == (
        "chat.postMessage",
        "hi",
        True,
        200,
    )
    assert lines[1]["payload"]["event"]["text"] == "hi"


def test_entries_are_kept_without_a_file():
    journal = Journal(None)
    journal.write("call", method="a")
    journal.write("ack", name="b")
    assert [entry["kind"] for entry in journal.entries] == ["call", "ack"]
    assert [entry["method"] for entry in journal.of("call")] == ["a"]


def test_watcher_is_called_after_each_entry():
    journal = Journal(None)
    seen: list[int] = []
    journal.watch(lambda: seen.append(len(journal.entries)))
    journal.write("call")
    journal.write("call")
    assert seen == [1, 2]


def test_what_json_cannot_say_is_written_as_its_repr(tmp_path: Path):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.write("call", about={1, 2})
    assert json.loads((tmp_path / "journal.jsonl").read_text())["about"] == "{1, 2}"
