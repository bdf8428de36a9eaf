"""The demo: the real app on a Slack emulator and, without a key, a model emulator. Both are on loopback only.

The program between them is the one that `run` starts. Its database is its own, so it never meets conversations of a
real workspace; it is removed at the end unless a folder keeps it.
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

from app.cli.demo.demo_folder import DemoFolder, create_keys
from app.core.copy.decision_steps import DISCUSS_AGAIN, RATE
from app.core.errors import SettingsError
from app.playground.claude import ClaudeOptions, ClaudePlayground, Prompt, Turn
from app.playground.claude.demo.model import rehearsal
from app.playground.slack import Command, Shortcut, SlackOptions, SlackPlayground
from app.playground.slack.page.tour import TourStop
from app.playground.slack.values.model import Message
from app.settings import Settings
from app.wiring import Application, Opening, connect_store, run_app
from handlers.slack import action_ids
from handlers.slack.manifest import BOT_EVENTS, COMMANDS, SCOPES, SHORTCUTS
from store.open import drop_database

BANNER = "A scripted rehearsal model answers here. Set ANTHROPIC_API_KEY to talk with Claude."

_WHO = "Maya"
SEE = "A finished decision"
SEE_WORDS = (
    "This is what a team has in the end: nine steps, each approved by a person. A click on a "
    "step shows its result. The decision is an example."
)
CHANGE = "Change a rating"
CHANGE_WORDS = (
    f"Press “{DISCUSS_AGAIN}”, then “{RATE}”, change one rating and approve the new card. The direct messages then "
    "say which later steps are to be looked at again."
)
ASK = "Ask in a thread"
ASK_WORDS = "A question is in the box below. Send it, or write one of your own: the answer comes in a thread."
ASK_DRAFT = "@Threadwise Should we hire a second nurse or an agency for the night shift?"
ALLOW = "Allow something"
ALLOW_WORDS = "Threadwise reads without asking, and asks before it writes. Send this, open the thread and choose."
ALLOW_DRAFT = "@Threadwise post to #ops: we close at five"


def build_registration() -> dict[str, Any]:
    """Return the app as the manifest registers it, in the emulator's options."""
    return {
        "scopes": frozenset(SCOPES),
        "events": frozenset(BOT_EVENTS),
        "commands": {name: Command(each.description, each.usage_hint) for name, each in COMMANDS.items()},
        "shortcuts": {callback: Shortcut(each.type, each.name) for callback, each in SHORTCUTS.items()},
    }


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
async def run_demo(
    settings: Settings, port: int, *, folder: DemoFolder | None = None, has_tour: bool = False
) -> AsyncGenerator[str]:
    """Run the demo for the length of the block; yield the address of its page, with the token.

    With `folder` it goes on with what is kept there. With `has_tour` the page opens on a finished decision.
    Raise `SettingsError` if the port is taken.
    """
    rehearsing = not settings.anthropic_api_key.get_secret_value()
    banner = BANNER if rehearsing else None
    keys = folder.keys if folder else create_keys()
    options = SlackOptions(port=port, banner=banner, seed=keys.seed, **build_registration())
    slack = SlackPlayground(options, folder.read_workspace() if folder else b"")
    async with AsyncExitStack() as stack:
        if folder:
            await stack.enter_async_context(folder.save(slack))
        try:
            await slack.start()
        except OSError as error:
            raise SettingsError(
                f"Port {port} is not free: perhaps another demo runs. Try `--port {port + 1}`."
            ) from error
        stack.push_async_callback(slack.stop)
        settings = stack.enter_context(add_tool_server(settings))
        answer = rehearsal() if rehearsing else None
        await stack.enter_async_context(run_in_emulator(settings, slack, answer, kept=folder))
        if has_tour:
            await _begin_tour(slack)
        yield slack.page_url


async def _begin_tour(slack: SlackPlayground) -> None:
    """Have the finished decision laid out, unless it is there, and offer a tour of it."""
    people, general = slack.people, slack.workspace.channel_named("general")
    assert general is not None, "each workspace has it"
    messages = await people.opens_dm(_WHO)

    def find(mark: str) -> list[Message]:
        return [each for each in people.sees(_WHO, messages) if mark in str(each.blocks)]

    if not find(action_ids.HUB_MENU):
        greeting = await people.waits(lambda: find(f"'{action_ids.EXAMPLE}'"))
        await people.clicks(_WHO, messages, greeting[-1].ts, action_ids.EXAMPLE)
        await people.waits(lambda: people.modal(_WHO))
        await people.closes(_WHO)
        await people.waits(lambda: find(action_ids.HUB_MENU))
    slack.offer_tour(
        (
            TourStop(title=SEE, words=SEE_WORDS, channel=messages, message="🧭"),
            TourStop(title=CHANGE, words=CHANGE_WORDS, channel=messages, message="Step 5 of ", opens_thread=True),
            TourStop(title=ASK, words=ASK_WORDS, channel=general.id, draft=ASK_DRAFT),
            TourStop(title=ALLOW, words=ALLOW_WORDS, channel=general.id, draft=ALLOW_DRAFT),
        )
    )


@asynccontextmanager
async def run_in_emulator(
    settings: Settings,
    slack: SlackPlayground,
    answer: Callable[[Prompt], Turn] | None,
    opening: Opening = connect_store,
    *,
    kept: DemoFolder | None = None,
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
        keys, uri = kept.keys if kept else create_keys(), settings.mongodb_uri.get_secret_value()
        changes |= {"database": keys.database, "master_key": SecretStr(keys.master_key)}
        if uri and not kept:
            stack.push_async_callback(drop_database, uri, keys.database)
        passing = tempfile.TemporaryDirectory(prefix="threadwise-", ignore_cleanup_errors=True)
        folder = kept.path if kept else Path(stack.enter_context(passing))
        changes["data_dir"] = folder / "mongodb"
        changes["secrets_dir"] = str(folder / "secrets")
        changes["autonomous_loop"] = True
        changes["drain_seconds"] = 0.0  # a person who ends a demo does not want to wait for an answer
        yield await stack.enter_async_context(run_app(settings.model_copy(update=changes), http=False, opening=opening))
