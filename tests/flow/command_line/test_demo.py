"""The demo as a process: what it says, and what it keeps where it is told to."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from pymongo import MongoClient

from tests.flow.chat import free_port
from tests.flow.process import threadwise

MOST_LINES = 15


@dataclass
class Shown:
    """The page of a running demo, and what the command has printed."""

    process: Process
    lines: list[str] = field(default_factory=list[str])

    async def read_address(self) -> None:
        assert self.process.stdout is not None
        while not re.search(r"Ctrl\+C", "".join(self.lines)):
            line = (await self.process.stdout.readline()).decode()
            assert line, self.lines
            self.lines.append(line)

    async def look(self) -> Any:
        return await self._ask("GET", "state")

    async def act(self, act: str, **given: str) -> Any:
        return await self._ask("POST", act, json=given)

    async def _ask(self, method: str, path: str, **more: Any) -> Any:
        [(url, token)] = re.findall(r"(http://\S+/)\?token=(\S+)", "".join(self.lines))
        who = {"Authorization": f"Bearer {token}"}
        async with aiohttp.request(method, f"{url}play/{path}", headers=who, **more) as answer:
            return await answer.json()


@asynccontextmanager
async def showing(folder: Path, env: dict[str, str], *more: str) -> AsyncGenerator[Shown]:
    process = await threadwise(folder, f"demo --no-open --port {free_port()} {' '.join(more)}", env)
    shown = Shown(process)
    try:
        await shown.read_address()
        yield shown
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        said, _ = await process.communicate()
        shown.lines += said.decode().splitlines()


def environment_of(mongo_uri: str, folder: Path) -> dict[str, str]:
    return {"MONGODB_URI": mongo_uri, "THREADWISE_DATA_DIR": str(folder / "data"), "HOME": str(folder)}


def databases(mongo_uri: str) -> list[str]:
    with MongoClient[dict[str, Any]](mongo_uri) as client:
        return [name for name in client.list_database_names() if name.startswith("threadwise_demo")]


@pytest.mark.req("NC-02")
async def test_a_demo_that_keeps_its_data_says_where_and_the_next_one_goes_on_with_it(
    mongo_uri: str, tmp_path: Path
) -> None:
    env, before = environment_of(mongo_uri, tmp_path), databases(mongo_uri)
    async with showing(tmp_path, env, "--keep") as first:
        state = await first.look()
        general = next(channel["id"] for channel in state["channels"] if channel["name"] == "general")
        await first.act("say", user=state["me"], channel=general, text="Remember the milk.")
        hub = state["tour"][0]["channel"]
        laid_out = {message["ts"] for message in state["messages"][hub]}
    [kept] = {*databases(mongo_uri)} - {*before}
    folder = tmp_path / "data-demo"
    assert str(folder) in "".join(first.lines)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in folder.iterdir() if each.is_file()} == {0o600}
    try:
        async with showing(tmp_path, env, "--keep") as second:
            again = await second.look()
            assert [message["text"] for message in again["messages"][general]] == ["Remember the milk."]
            assert laid_out <= {message["ts"] for message in again["messages"][hub]}
            third = await threadwise(tmp_path, f"demo --no-open --keep --port {free_port()}", env)
            with suppress(TimeoutError):
                await asyncio.wait_for(third.wait(), 60)
            if third.returncode is None:
                third.kill()
            _, complaint = await third.communicate()
            assert complaint.decode().startswith(f"Another demo keeps its data in {folder}.")
            later = await second.look()
            shown = [message["text"] for message in later["messages"][hub] if message["text"].startswith("🧭")]
            assert len(shown) == 1, "the finished decision was laid out a second time"
    finally:
        with MongoClient[dict[str, Any]](mongo_uri) as client:
            client.drop_database(kept)


@pytest.mark.req("IN-12")
async def test_a_demo_has_a_tool_server_of_its_own(mongo_uri: str, tmp_path: Path) -> None:
    async with showing(tmp_path, environment_of(mongo_uri, tmp_path)) as demo:
        state = await demo.look()
        general = next(channel["id"] for channel in state["channels"] if channel["name"] == "general")
        await demo.act("say", user=state["me"], channel=general, text="@Threadwise which tickets are there?")
        async with asyncio.timeout(60):
            while "The board is empty." not in json.dumps(await demo.look()):
                await asyncio.sleep(0.2)


@pytest.mark.req("NC-02")
async def test_a_demo_says_what_it_does_in_a_few_lines_and_keeps_nothing(mongo_uri: str, tmp_path: Path) -> None:
    before = databases(mongo_uri)
    async with showing(tmp_path, environment_of(mongo_uri, tmp_path)) as demo:
        assert (await demo.look())["tour"]
    assert len(demo.lines) <= MOST_LINES
    assert re.match(r"Starting .+ …$", demo.lines[0]), "who waits reads what for"
    assert "nothing is kept" in "".join(demo.lines)
    assert databases(mongo_uri) == before
    assert not (tmp_path / "data-demo").exists()
