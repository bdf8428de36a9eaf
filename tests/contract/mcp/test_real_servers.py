"""Servers that others have written, started as operators start them, and ours for the demo. None needs a network."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.clock import SystemClock
from app.core.errors import OutcomeUnknown, OutOfReach
from app.mcp.link import Patience
from app.mcp.server_file import AddressServer, CommandServer, Server
from app.mcp.tool_servers import McpServers, link_servers
from app.playground import tool_server
from app.ports import ServedTool

PATIENT = Patience(connect=20.0)

NODE = shutil.which("node") or ""
FROM_NPM = Path(sys.prefix) / "npm" / "node_modules" / "@modelcontextprotocol"
"""Where `make` puts the servers of `tests/npm/package-lock.json`, if there is npm."""

needs_npm = pytest.mark.skipif(not (NODE and FROM_NPM.is_dir()), reason="make found no npm to install servers with")


def find(servers: McpServers, label: str) -> ServedTool:
    return next(tool for each in servers.list_servers() for tool in each.tools if tool.label == label)


def start(*args: str, reads: tuple[str, ...] = ()) -> Server:
    return CommandServer(command=sys.executable, args=args, reads=reads)


@pytest.mark.req("IN-12")
async def test_the_time_server_of_the_protocols_makers_tells_the_time() -> None:
    time = start("-m", "mcp_server_time", reads=("get_current_time",))
    async with link_servers({"time": time}, SystemClock(), PATIENT) as servers:
        now = find(servers, "time__get_current_time")
        assert now.reads
        assert not find(servers, "time__convert_time").reads
        assert '"timezone": "Asia/Kathmandu"' in (await servers.call(now, {"timezone": "Asia/Kathmandu"})).text
        refused = await servers.call(now, {"timezone": "Moon/Crater"})
        assert refused.failed


@pytest.mark.req("IN-12")
async def test_the_git_server_of_the_protocols_makers_reads_a_repository(tmp_path: Path) -> None:
    git = ("git", "-C", str(tmp_path), "-c", "user.name=Maya", "-c", "user.email=maya@example.com")
    subprocess.run((*git, "init", "-q"), check=True)
    subprocess.run((*git, "commit", "-q", "--allow-empty", "-m", "Mend the lamp"), check=True)
    async with link_servers({"git": start("-m", "mcp_server_git")}, SystemClock(), PATIENT) as servers:
        (listing,) = servers.list_servers()
        assert (len(listing.tools) > 8, listing.left_out) == (True, ())
        answer = await servers.call(find(servers, "git__git_log"), {"repo_path": str(tmp_path), "max_count": 3})
    assert "Mend the lamp" in answer.text


def start_from_npm(name: str, *args: str, reads: tuple[str, ...] = ()) -> Server:
    return CommandServer(command=NODE, args=(str(FROM_NPM / name / "dist" / "index.js"), *args), reads=reads)


@needs_npm
@pytest.mark.req("IN-12")
async def test_the_filesystem_server_of_npm_reads_its_folder_and_no_other(tmp_path: Path) -> None:
    folder, outside = tmp_path / "shared", tmp_path / "own.txt"
    folder.mkdir()
    (folder / "plan.txt").write_text("We close at five.", "utf-8")
    outside.write_text("A secret.", "utf-8")
    own = start_from_npm("server-filesystem", str(folder), reads=("read_text_file",))
    async with link_servers({"files": own}, SystemClock(), PATIENT) as servers:
        read = find(servers, "files__read_text_file")
        assert read.reads
        assert not find(servers, "files__write_file").reads
        assert "We close at five." in (await servers.call(read, {"path": str(folder / "plan.txt")})).text
        refused = await servers.call(read, {"path": str(outside)})
        assert (refused.failed, "A secret" in refused.text) == (True, False)


@needs_npm
@pytest.mark.req("IN-12")
async def test_the_server_of_npm_that_tries_everything_is_listed_and_called_whatever_it_answers_with() -> None:
    async with link_servers({"all": start_from_npm("server-everything")}, SystemClock(), PATIENT) as servers:
        (listing,) = servers.list_servers()
        assert len(listing.tools) > 5
        assert "Good evening" in (await servers.call(find(servers, "all__echo"), {"message": "Good evening"})).text
        assert "42" in (await servers.call(find(servers, "all__get-sum"), {"a": 40, "b": 2})).text
        picture = await servers.call(find(servers, "all__get-tiny-image"), {})
        assert not picture.failed
        assert len(picture.text) < 2_000, "a picture is not told letter by letter"


@pytest.mark.req("IN-12")
async def test_the_demos_own_server_keeps_tickets_without_a_network() -> None:
    own = start(tool_server.__file__, reads=("list_tickets",))
    async with link_servers({"tickets": own}, SystemClock(), PATIENT) as servers:
        await servers.call(find(servers, "tickets__open_ticket"), {"title": "Broken lamp"})
        answer = await servers.call(find(servers, "tickets__list_tickets"), {})
    assert answer.text == "1. Broken lamp"


OVER_HTTP = """
import os, sys
from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("wiki")

@server.tool(structured_output=False)
def find(words: str) -> str:
    return f"found {words}"

@server.tool(structured_output=False)
def flood() -> str:
    return "x" * 9_000_000

@server.tool(structured_output=False)
def die() -> str:
    os._exit(1)

server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
"""


@pytest.mark.req("IN-09", "IN-11")
async def test_a_server_over_http_is_used_and_one_that_floods_or_dies_costs_its_call(tmp_path: Path) -> None:
    script = tmp_path / "wiki.py"
    script.write_text(OVER_HTTP)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(script), str(port)], stderr=subprocess.DEVNULL) as process:
        try:
            wiki = AddressServer(url=f"http://127.0.0.1:{port}/mcp")
            async with link_servers({"wiki": wiki}, SystemClock(), Patience(connect=5.0, answer=5.0)) as servers:
                for _ in range(20):
                    if servers.list_servers()[0].tools:
                        break
                    await SystemClock().sleep(0.3)
                    await servers.open()
                search = find(servers, "wiki__find")
                assert (await servers.call(search, {"words": "lamps"})).text == "found lamps"
                with pytest.raises(OutcomeUnknown):
                    await servers.call(find(servers, "wiki__flood"), {})
                assert (await servers.call(search, {"words": "again"})).text == "found again"
                with pytest.raises(OutcomeUnknown):
                    await servers.call(find(servers, "wiki__die"), {})
                with pytest.raises(OutOfReach):
                    await servers.call(search, {"words": "gone"})
        finally:
            process.kill()
