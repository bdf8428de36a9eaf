"""The demo: the real app on a Slack emulator and, without a key, a model emulator. Both are on loopback only.

The program between them is the one that `run` starts. Its database is new each time and removed at the end, so it never
meets conversations of a real workspace.
"""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from app.core.errors import SettingsError
from app.playground.claude import ClaudeOptions, ClaudePlayground, Prompt, Turn
from app.playground.claude.demo.model import rehearsal
from app.playground.slack import Command, Shortcut, SlackOptions, SlackPlayground
from app.settings import Settings
from app.wiring import Application, Opening, connect_store, run_app
from handlers.slack.manifest import BOT_EVENTS, COMMANDS, SCOPES, SHORTCUTS
from store.crypto.cipher import MasterKeys
from store.open import drop_database

BANNER = "A scripted rehearsal model answers here. Set ANTHROPIC_API_KEY to talk with Claude."


def build_registration() -> dict[str, Any]:
    """Return the app as the manifest registers it, in the emulator's options."""
    return {
        "scopes": frozenset(SCOPES),
        "events": frozenset(BOT_EVENTS),
        "commands": {name: Command(each.description, each.usage_hint) for name, each in COMMANDS.items()},
        "shortcuts": {callback: Shortcut(each.type, each.name) for callback, each in SHORTCUTS.items()},
    }


def create_seed() -> int:
    """Return a seed for the emulator's tokens, so that no other user of this machine can act as the app."""
    return secrets.randbits(128)


@contextmanager
def write_opening_page(url: str) -> Generator[str]:
    """Yield the address of a private file that leads to `url`, for the length of the block.

    A browser is started with the address as an argument, and all users of the machine can see arguments. The file is in
    the home folder, because some browsers can read no other.
    """
    with tempfile.NamedTemporaryFile("w", dir=Path.home(), prefix="threadwise-demo-", suffix=".html") as file:
        file.write(
            f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(url)}"><title>Threadwise</title>'
        )
        file.flush()
        yield Path(file.name).as_uri()


@contextmanager
def add_tool_server(settings: Settings) -> Generator[Settings]:
    """Yield the settings with the demo's own tool server, unless there is a file of tool servers."""
    found = find_spec("app.playground.tool_server")  # it runs in a process of its own, so it is not imported here
    if settings.mcp_config or found is None:
        yield settings
        return
    with tempfile.NamedTemporaryFile("w", prefix="threadwise-demo-", suffix=".json") as file:
        own = {"command": sys.executable, "args": [found.origin], "reads": ["list_tickets"]}
        json.dump({"mcpServers": {"tickets": own}}, file)
        file.flush()
        yield settings.model_copy(update={"mcp_config": file.name})


@asynccontextmanager
async def run_demo(settings: Settings, port: int) -> AsyncGenerator[str]:
    """Run the demo for the length of the block; yield the address of its page, with the token.

    Raise `SettingsError` if the port is taken.
    """
    rehearsing = not settings.anthropic_api_key.get_secret_value()
    banner = BANNER if rehearsing else None
    slack = SlackPlayground(SlackOptions(port=port, banner=banner, seed=create_seed(), **build_registration()))
    async with AsyncExitStack() as stack:
        try:
            await slack.start()
        except OSError as error:
            raise SettingsError(
                f"Port {port} is not free: perhaps another demo runs. Try `--port {port + 1}`."
            ) from error
        stack.push_async_callback(slack.stop)
        settings = stack.enter_context(add_tool_server(settings))
        await stack.enter_async_context(run_in_emulator(settings, slack, rehearsal() if rehearsing else None))
        yield slack.page_url


@asynccontextmanager
async def run_in_emulator(
    settings: Settings,
    slack: SlackPlayground,
    answer: Callable[[Prompt], Turn] | None,
    opening: Opening = connect_store,
) -> AsyncGenerator[Application]:
    """Run the program on a started Slack emulator. `answer` speaks for the model; None is Claude."""
    async with AsyncExitStack() as stack:
        changes: dict[str, object] = {
            "slack_api_url": slack.api_url,
            "slack_bot_token": SecretStr(slack.bot_token),
            "slack_app_token": SecretStr(slack.app_token),
        }
        if answer:
            claude = ClaudePlayground(ClaudeOptions(api_key=f"sk-ant-{secrets.token_hex(16)}"))
            claude.script.answer_always(answer)
            await claude.start()
            stack.push_async_callback(claude.stop)
            changes |= {"anthropic_base_url": claude.url, "anthropic_api_key": SecretStr(claude.api_key)}
        database, uri = f"threadwise_demo_{secrets.token_hex(4)}", settings.mongodb_uri.get_secret_value()
        changes |= {"database": database, "master_key": SecretStr(MasterKeys.generate())}
        if uri:
            stack.push_async_callback(drop_database, uri, database)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="threadwise-", ignore_cleanup_errors=True))
        changes["data_dir"] = Path(folder)
        changes["secrets_dir"] = str(Path(folder, "secrets"))
        changes["autonomous_loop"] = True
        changes["drain_seconds"] = 0.0  # a person who ends a demo does not want to wait for an answer
        yield await stack.enter_async_context(run_app(settings.model_copy(update=changes), http=False, opening=opening))
