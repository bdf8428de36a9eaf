"""The command line, as a person meets it: `check`, `run`, and what they say when a setting is missing."""

from __future__ import annotations

import asyncio
import io
import json
import re
import signal
import socket
import tomllib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest
from pydantic import SecretStr
from rich.console import Console

from app.cli import check
from app.cli.demo.served_demo import add_tool_server
from app.core.errors import SettingsError
from app.ports import Clock
from app.ports.store import Store
from app.settings import Settings, list_secret_names
from app.wiring import connect_store, run_app
from handlers.slack.manifest import SCOPES
from store.crypto.cipher import MasterKeys
from store.database.mongod import describe_limits
from tests.contract.mcp.serving import describe
from tests.contract.model.gateway import Gateway, standing
from tests.flow.chat import Chat, chatting, fixture_of, free_port
from tests.flow.process import environment, threadwise

ROOT = Path(__file__).parents[3]
EMBEDDED_OFF = "THREADWISE_EMBEDDED is off and MONGODB_URI is not set: set it to your replica set."


chat = fixture_of(chatting, runs=False, request_seconds=30.0)


async def finding(chat: Chat, subject: str, **changes: Any) -> check.Finding:
    findings = await check.examine(chat.settings.model_copy(update=changes), http=False)
    return next(found for found in findings if found.subject.startswith(subject))


async def test_check_finds_everything_in_order(chat: Chat) -> None:
    findings = await check.examine(chat.settings.model_copy(update={"web_search": True}), http=False)
    assert [found.subject for found in findings if not found.works] == []
    page = io.StringIO()
    check.show(findings, Console(file=page, width=100))
    assert page.getvalue().count("yes") == 2 * len(findings)


async def test_check_over_http_asks_for_the_signing_secret(chat: Chat) -> None:
    findings = await check.examine(chat.settings.model_copy(update={"slack_signing_secret": SecretStr("")}), http=True)
    assert [found.subject for found in findings if not found.present] == ["Signing secret", "Web search"]


@pytest.mark.req("NC-08")
@pytest.mark.parametrize(
    ("subject", "changes", "advice"),
    [
        ("Bot token", {"slack_bot_token": SecretStr("")}, "Set SLACK_BOT_TOKEN."),
        ("Bot token", {"slack_bot_token": SecretStr("xapp-1")}, "an app-level token. Move it to SLACK_APP_TOKEN."),
        ("App token", {"slack_app_token": SecretStr("xoxb-1")}, "that is a bot token. Move it to SLACK_BOT_TOKEN."),
        ("Model", {"anthropic_api_key": SecretStr("xoxb-1")}, "that is a bot token. Move it to SLACK_BOT_TOKEN."),
        ("Bot token", {"slack_bot_token": SecretStr("xoxp-1")}, "a person, which Threadwise does not use."),
        ("Bot token", {"slack_bot_token": SecretStr("xoxb-wrong")}, "SLACK_BOT_TOKEN (invalid_auth)"),
        ("Bot token", {"slack_api_url": "http://127.0.0.1:1/api/"}, "Slack cannot be reached"),
        ("App token", {"slack_app_token": SecretStr("xapp-wrong")}, "connections:write"),
        ("App token", {"slack_api_url": "http://127.0.0.1:1/api/"}, "Slack cannot be reached"),
        ("Model", {"anthropic_api_key": SecretStr("wrong")}, "Check ANTHROPIC_API_KEY and THREADWISE_MODEL."),
        ("Model", {"model": "claude-of-tomorrow"}, "claude-of-tomorrow cannot be asked"),
        ("Model", {"anthropic_base_url": "http://127.0.0.1:1"}, "http://127.0.0.1:1 gave no answer. Check"),
        ("Master key", {"master_key": SecretStr("short")}, "32 bytes"),
        ("Tool policy", {"denied_tools": "*:C1, post_mesage"}, "THREADWISE_DENIED_TOOLS names post_mesage,"),
        ("Erasure secrets", {"secrets_dir": "/dev/null"}, "THREADWISE_SECRETS_DIR: the folder /dev/null/"),
        ("MongoDB", {"mongodb_uri": SecretStr("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200")}, "MONGODB_URI"),
    ],
)  # fmt: skip
async def test_check_says_what_to_do_about(chat: Chat, subject: str, changes: dict[str, Any], advice: str) -> None:
    found = await finding(chat, subject, **changes)
    assert not found.works
    assert advice in found.advice


@pytest.mark.req("MW-19")
async def test_check_says_which_address_answered_what_in_place_of_the_model(chat: Chat) -> None:
    async with standing(Gateway(403)) as gateway:
        found = await finding(chat, "Model", anthropic_base_url=gateway.url)
    assert found.advice.startswith(
        f"claude-sonnet-5-5 cannot be asked: {gateway.url} answered 403 (not Anthropic's own answer). "
        "Check ANTHROPIC_BASE_URL"
    )


@pytest.mark.req("NC-08")
async def test_check_does_not_call_a_model_busy_that_cannot_be_reached_and_says_of_a_busy_one_that_it_is(
    chat: Chat,
) -> None:
    assert "busy" not in (await finding(chat, "Model", anthropic_base_url="http://127.0.0.1:1")).advice
    assert "busy" not in (await finding(chat, "Model", model="claude-of-tomorrow")).advice
    async with standing(Gateway(529)) as gateway:
        assert "is busy" in (await finding(chat, "Model", anthropic_base_url=gateway.url)).advice


@pytest.mark.req("NC-08")
@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"master_key": SecretStr("short")}, ["Master key"]),
        ({"master_key": SecretStr("")}, ["Master key"]),
        ({"master_key": SecretStr(MasterKeys.generate())}, ["Keys and data"]),
        ({"secrets_dir": "/dev/null"}, ["Erasure secrets"]),
    ],
)
async def test_check_tells_an_error_once_at_its_cause(chat: Chat, changes: dict[str, Any], failed: list[str]) -> None:
    chat.will_answer("Kept under the first key.")
    async with run_app(chat.settings, http=False):
        await chat.sees("Kept under the first key.", thread=await chat.says("@Threadwise hi"))
    findings = await check.examine(chat.settings.model_copy(update=changes), http=False)
    assert [each.subject for each in findings if not each.works] == failed


@pytest.mark.req("NC-08")
async def test_each_line_of_the_check_links_to_a_paragraph_that_is_there(chat: Chat) -> None:
    with add_tool_server(chat.settings.model_copy(update={"model": "claude-of-tomorrow"})) as settings:
        findings = [each for http in (False, True) for each in await check.examine(settings, http=http)]
    assert any(each.subject == "Server tickets" for each in findings)
    for each in findings:
        page, _, paragraph = each.page.partition("#")
        headings = re.findall(r"(?m)^#+ (.+)$", (ROOT / page).read_text("utf-8"))
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert paragraph in {"", *anchors}, each.subject


async def test_check_counts_the_erasure_secrets_that_others_may_read(chat: Chat, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"secrets_dir": str(tmp_path), "database": f"loose_{uuid4().hex[:12]}"}
    assert (await finding(chat, "Erasure secrets", **changes)).works
    (tmp_path / changes["database"] / "secrets" / "a" / ("a" * 64)).touch(mode=0o640)
    found = await finding(chat, "Erasure secrets", **changes)
    assert not found.works
    assert "Others may read 1 of its files" in found.advice


async def test_check_says_that_the_disk_of_the_erasure_secrets_is_full(chat: Chat, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"secrets_dir": str(tmp_path), "database": f"full_{uuid4().hex[:12]}"}
    assert (await finding(chat, "Erasure secrets", **changes)).works
    (tmp_path / changes["database"] / "new").symlink_to("/dev/full")
    found = await finding(chat, "Erasure secrets", **changes)
    assert not found.works
    assert "cannot be written: No space left on device. Until it can, no conversation begins" in found.advice


async def test_run_names_the_scopes_that_are_missing_and_serves_with_those_it_has(
    mongo_uri: str, tmp_path: Path
) -> None:
    async with chatting(mongo_uri, scopes=frozenset(SCOPES) - {"files:read"}) as chat:
        await chat.stops()
        process = await threadwise(tmp_path, "run", environment(chat))
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode() for _ in range(2)]
        process.send_signal(signal.SIGTERM)
        await process.communicate()
    assert lines[0].startswith("Threadwise serves")
    assert lines[1] == (
        "The bot token lacks files:read. Add it in Slack (manifest.yml has all scopes) and install the app again.\n"
    )


async def test_check_names_the_scopes_that_are_missing(mongo_uri: str) -> None:
    async with chatting(mongo_uri, scopes=frozenset(SCOPES) - {"users:read", "im:history"}) as chat:
        found = await finding(chat, "Bot token")
    assert found.advice.startswith("The bot token lacks im:history, users:read. Add them")


async def test_the_check_command_prints_its_table_and_exits_by_it(chat: Chat, tmp_path: Path) -> None:
    good = await threadwise(tmp_path, "check", environment(chat))
    out, _ = await good.communicate()
    assert (good.returncode, b"Bot token" in out) == (0, True)
    bad = await threadwise(tmp_path, "check", environment(chat, ANTHROPIC_API_KEY=""))
    out, _ = await bad.communicate()
    assert (bad.returncode, b"ANTHROPIC_API_KEY" in out) == (1, True)


async def test_run_serves_a_workspace_until_it_is_asked_to_stop(chat: Chat, tmp_path: Path) -> None:
    process = await threadwise(tmp_path, "run", environment(chat))
    assert process.stdout is not None
    assert b"Threadwise serves Acme over Socket Mode" in await process.stdout.readline()
    await chat.exchanges("@Threadwise hi", "From a process of my own.")
    process.send_signal(signal.SIGTERM)
    _, errors = await process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in errors


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ANTHROPIC_API_KEY", "THREADWISE_MASTER_KEY"])
async def test_run_refuses_to_start_without(chat: Chat, name: str) -> None:
    field = name.removeprefix("THREADWISE_").lower()
    with pytest.raises(SettingsError, match=f"{name} is not set"):
        async with run_app(chat.settings.model_copy(update={field: SecretStr("")}), http=False):
            pass


@pytest.mark.req("NC-08")
async def test_run_names_all_that_is_missing_at_once(chat: Chat) -> None:
    changes = {"slack_bot_token": SecretStr(""), "anthropic_api_key": SecretStr(""), "master_key": SecretStr("")}
    missing = "^SLACK_BOT_TOKEN, ANTHROPIC_API_KEY and THREADWISE_MASTER_KEY are not set"
    with pytest.raises(SettingsError, match=missing):
        async with run_app(chat.settings.model_copy(update=changes), http=False):
            pass


async def test_run_refuses_to_start_with_a_rule_about_a_tool_that_there_is_not(chat: Chat) -> None:
    with pytest.raises(SettingsError, match="ALLOWED_TOOLS names post_mesage, and there is no such tool"):
        async with run_app(chat.settings.model_copy(update={"allowed_tools": "post_mesage:C1"}), http=False):
            pass


@pytest.mark.req("NC-02")
async def test_a_new_installation_is_told_what_is_written_what_is_left_to_fill_in_and_what_comes_then(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env.example").write_bytes((ROOT / ".env.example").read_bytes())
    left = "Fill in there: SLACK_BOT_TOKEN, SLACK_APP_TOKEN, ANTHROPIC_API_KEY."
    for begins in ("Written: .env, with a new master key.", "There is an .env already; it stays as it is."):
        told, _ = await (await threadwise(tmp_path, "prepare", {})).communicate()
        first, second, third = told.decode().splitlines()
        assert (first, second.partition(" docs/")[0]) == (begins, left)
        assert third == "Then: .venv/bin/threadwise check, and .venv/bin/threadwise run"


@pytest.mark.req("NC-02")
async def test_the_version_is_told_without_any_setting(tmp_path: Path) -> None:
    process = await threadwise(tmp_path, "--version", {})
    out, _ = await process.communicate()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert (out.decode().strip(), process.returncode) == (f"threadwise {version}", 0)


async def test_a_missing_setting_is_one_sentence_and_not_a_traceback(chat: Chat, tmp_path: Path) -> None:
    process = await threadwise(tmp_path, "run", environment(chat, THREADWISE_MASTER_KEY=""))
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert errors.decode().startswith("THREADWISE_MASTER_KEY is not set.")


@pytest.mark.parametrize("command", ["demo --headless --report", "eval --out"])
async def test_a_file_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: Path, command: str) -> None:
    process = await threadwise(tmp_path, f"{command} {tmp_path}/nowhere/report", {"PATH": "/usr/bin:/bin", "HOME": "/"})
    said, complaint = await process.communicate()
    assert (said, process.returncode) == (b"", 2)
    assert complaint.decode().strip() == f"{tmp_path}/nowhere/report cannot be written: No such file or directory."


async def test_a_second_demo_is_told_that_the_port_is_not_free_and_which_to_try(chat: Chat, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        demo = await threadwise(tmp_path, f"demo --no-open --port {port}", environment(chat))
        said, complaint = await demo.communicate()
    assert b"Starting" in said
    assert complaint.decode().strip() == f"Port {port} is not free: perhaps another demo runs. Try `--port {port + 1}`."
    assert demo.returncode == 2


@pytest.mark.req("SE-16")
@pytest.mark.parametrize("command", ["run", "demo --no-open --port {port}", "demo --headless"])
async def test_an_embedded_mongodb_that_is_switched_off_is_refused_with_what_to_set(
    chat: Chat, tmp_path: Path, command: str
) -> None:
    environs = environment(chat, MONGODB_URI="", THREADWISE_EMBEDDED="off")
    process = await threadwise(tmp_path, command.format(port=free_port()), environs)
    _, complaint = await process.communicate()
    assert process.returncode == 2
    assert complaint.decode().strip() == EMBEDDED_OFF
    found = await finding(chat, "MongoDB", mongodb_uri=SecretStr(""), embedded=False)
    assert (found.works, found.advice) == (False, EMBEDDED_OFF)


@pytest.mark.req("SE-16")
async def test_run_says_once_what_the_embedded_mongodb_is_meant_for(chat: Chat, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("run")
    environs = environment(chat, MONGODB_URI="", THREADWISE_DATA_DIR=str(folder))
    process = await threadwise(folder, "run", environs)
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(2)]
    process.send_signal(signal.SIGTERM)
    rest, errors = await process.communicate()
    assert lines[0].startswith(b"Threadwise serves")
    assert lines[1].decode().strip() == describe_limits()
    assert b"embedded" not in rest + errors


@pytest.mark.req("SE-10", "SE-16")
async def test_the_demo_opens_a_browser_that_is_given_no_secret_and_an_address_only_we_can_read(
    chat: Chat, tmp_path: Path
) -> None:
    told, browser = tmp_path / "told", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nenv > {told}.env\necho "$@" > {told}.part\nmv {told}.part {told}\n')
    browser.chmod(0o755)
    environs = environment(chat, BROWSER=str(browser), HOME=str(tmp_path))
    demo = await threadwise(tmp_path, f"demo --port {free_port()}", environs)
    assert demo.stdout is not None
    said = "".join([(await demo.stdout.readline()).decode() for _ in range(3)])
    [(url, token)] = re.findall(r"(http://\S+/)\?token=(\S+)", said)
    guess = {"Authorization": f"Bearer {chat.slack.bot_token}"}  # that of every look-alike without a seed of its own
    async with aiohttp.ClientSession() as stranger, stranger.post(f"{url}api/auth.test", headers=guess) as answer:
        assert (await answer.json())["error"] == "invalid_auth"
    while not told.exists():
        await asyncio.sleep(0.01)
    page = Path(told.read_text().strip().removeprefix("file://"))
    assert token not in told.read_text()
    assert f"?token={token}" in page.read_text()
    assert page.stat().st_mode & 0o777 == 0o600
    given = Path(f"{told}.env").read_text()
    assert "HOME=" in given
    assert [name for name in list_secret_names() if name in given] == []
    demo.send_signal(signal.SIGTERM)
    await demo.communicate()
    assert not page.exists()


class Claimed:
    """Conversations of which is noted that work was looked for."""

    def __init__(self, store: Store) -> None:
        self._conversations, self.is_asked = store.conversations, False

    def __getattr__(self, name: str) -> Any:
        self.is_asked |= name.startswith("claim")
        return getattr(self._conversations, name)


@pytest.mark.parametrize(("token", "is_begun"), [("xapp-wrong", False), ("", True)])
async def test_work_is_begun_only_once_every_token_is_proven(chat: Chat, token: str, *, is_begun: bool) -> None:
    watched: list[Claimed] = []

    @asynccontextmanager
    async def opening(settings: Settings, clock: Clock) -> AsyncGenerator[Store]:
        async with connect_store(settings, clock) as store:
            watched.append(Claimed(store))
            yield replace(store, conversations=watched[0])  # type: ignore[arg-type]

    changes = {"slack_app_token": SecretStr(token)} if token else {}
    with nullcontext() if is_begun else pytest.raises(SettingsError, match="SLACK_APP_TOKEN"):
        async with run_app(chat.settings.model_copy(update=changes), http=False, opening=opening):
            await chat.until(lambda: watched[0].is_asked)
    assert watched[0].is_asked is is_begun


async def test_a_wrong_app_token_is_told_instead_of_trying_for_ever(chat: Chat) -> None:
    with pytest.raises(SettingsError, match="SLACK_APP_TOKEN"):
        async with run_app(chat.settings.model_copy(update={"slack_app_token": SecretStr("xapp-wrong")}), http=False):
            pass


@pytest.mark.req("SE-16")
async def test_the_embedded_mongodb_is_used_when_no_other_is_named_and_check_says_what_it_is_meant_for(
    chat: Chat, tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("data")
    settings = chat.settings.model_copy(update={"mongodb_uri": SecretStr(""), "data_dir": folder})
    found = await finding(chat, "MongoDB (embedded)", mongodb_uri=SecretStr(""), data_dir=folder)
    assert (found.works, found.advice.startswith(f"{describe_limits()} The database ")) == (True, True)
    chat.will_answer("Kept here.")
    embedded = replace(chat, settings=settings)
    async with run_app(embedded.settings, http=False):
        thread = await chat.says("@Threadwise hi")
        await chat.sees("Kept here.", thread=thread)
    assert any(folder.rglob("WiredTiger"))


@pytest.mark.req("SE-07")
async def test_check_says_that_a_budget_in_dollars_does_not_hold_for_a_model_without_a_price(chat: Chat) -> None:
    told = await finding(chat, "Budget in dollars", model="claude-of-next-year")
    assert told.works
    assert "claude-of-next-year" in told.advice
    for changes in ({}, {"model": "claude-of-next-year", "dollars_per_day": 0.0}):
        findings = await check.examine(chat.settings.model_copy(update=changes), http=False)
        assert "Budget in dollars" not in [each.subject for each in findings]


@pytest.mark.req("IN-13")
async def test_check_connects_to_each_tool_server_and_tells_which_of_its_tools_are_asked_about(
    chat: Chat, tmp_path: Path
) -> None:
    kind, bomb = (describe(how, tmp_path / how, "look", "gone") for how in ("kind", "bombs"))
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"board": kind, "bomb": bomb, "none": {"command": "no-such-command"}}}))
    chosen = chat.settings.model_copy(update={"mcp_config": str(file), "denied_tools": "board__put_ticket"})
    findings = {found.subject: found for found in await check.examine(chosen, http=False)}
    board, bombs, none = (findings[f"Server {name}"] for name in ("board", "bomb", "none"))
    assert (board.works, bombs.works, none.works) == (True, True, False)
    assert (
        "Asked about: drop, put_ticket. Without asking: look. Declared as reading, and not there: gone." in board.advice
    )
    assert "Left out: put_ticket: the description of its input is too long." in bombs.advice
    assert "It cannot be used: its command is not there." in none.advice
    assert findings["Tool policy"].works
    assert not (tmp_path / "kind").exists()


@pytest.mark.req("IN-09", "IN-13")
async def test_check_says_which_tool_servers_are_for_other_workspaces(chat: Chat, tmp_path: Path) -> None:
    ours, theirs = describe("kind", tmp_path / "ours", "look"), describe("kind", tmp_path / "theirs", "look")
    known = {"board": {**ours, "teams": [chat.slack.team_id]}, "theirs": {**theirs, "teams": ["T0OTHERS"]}}
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": known}))
    chosen = chat.settings.model_copy(update={"mcp_config": str(file)})
    findings = {found.subject: found.advice for found in await check.examine(chosen, http=False)}
    assert "Without asking: look." in findings["Server board"]
    assert findings["Server theirs"].startswith(f"Not for this workspace ({chat.slack.team_id})")


@pytest.mark.req("IN-08")
async def test_check_asks_whether_the_model_can_search_and_asks_it_nothing_else(chat: Chat) -> None:
    able = await finding(chat, "Web search", web_search=True)
    assert able.works
    assert "found out" not in able.advice
    unable = await finding(chat, "Web search", web_search=True, model="claude-haiku-4-5")
    assert (unable.works, unable.page) == (False, check.WEB)
    assert unable.advice.startswith("claude-haiku-4-5 refuses to search the web. Choose a model that can")
    assert (await finding(chat, "Web search", model="claude-haiku-4-5")).works, "it is off"
    assert chat.claude.requests == ()


@pytest.mark.req("IN-08")
async def test_check_says_so_if_it_cannot_find_out_whether_the_model_can_search(chat: Chat) -> None:
    unsure = await finding(chat, "Web search", web_search=True, model="claude-none")
    assert unsure.works
    assert unsure.advice.endswith("can search could not be found out.")


@pytest.mark.req("IN-13")
async def test_check_says_what_is_wrong_with_the_file_of_tool_servers(chat: Chat, tmp_path: Path) -> None:
    found = await finding(chat, "Tool servers", mcp_config=str(tmp_path / "none.json"))
    assert not found.works
    assert found.advice.startswith("THREADWISE_MCP_CONFIG: the file cannot be read")


@pytest.mark.req("IN-08")
async def test_check_says_whether_the_web_is_searched_and_where(chat: Chat) -> None:
    off = await finding(chat, "Web search")
    assert (off.present, off.works) == (False, True)
    assert off.advice.startswith("Off. THREADWISE_WEB_SEARCH=true")
    on = await finding(chat, "Web search", web_search=True, web_uses=3)
    assert (on.present, on.works) == (True, True)
    assert on.advice.startswith("On: all domains, 3 searches at once.")
    only = await finding(chat, "Web search", web_search=True, web_domains="a.org, b.org")
    assert only.advice.startswith("On: only a.org, b.org,")
    never = await finding(chat, "Web search", web_search=True, web_denied_domains="a.org")
    assert never.advice.startswith("On: all but a.org,")
