"""The program as a process of its own, which a test can kill."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

from tests.crash.child import Orders
from tests.crash.processes import Program
from tests.flow.chat import QUICK, UNLIMITED, Chat
from tests.flow.unpaced import unpaced

PLAYED = 250.0
"""Seconds for a whole decision that is played, which takes ten times its usual on a busy machine."""
QUICKLY = {f"THREADWISE_{name.upper()}": str(value) for name, value in (QUICK | UNLIMITED).items()}


def environment(chat: Chat, **more: str) -> dict[str, str]:
    settings = chat.settings
    return {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
        "SLACK_API_URL": settings.slack_api_url,
        "SLACK_BOT_TOKEN": settings.slack_bot_token.get_secret_value(),
        "SLACK_APP_TOKEN": settings.slack_app_token.get_secret_value(),
        "ANTHROPIC_BASE_URL": settings.anthropic_base_url,
        "ANTHROPIC_API_KEY": settings.anthropic_api_key.get_secret_value(),
        "MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "THREADWISE_MASTER_KEY": settings.master_key.get_secret_value(),
        "THREADWISE_DATABASE": settings.database,
        "THREADWISE_SECRETS_DIR": settings.secrets_dir,
        "AUTONOMOUS_LOOP": str(settings.autonomous_loop),
        **more,
    }


@asynccontextmanager
async def serving(chat: Chat, folder: Path, **more: str) -> AsyncGenerator[Program]:
    """A process that serves the workspace; killed at the end, if it was not before. What it logged is overheard."""
    environs = environment(chat, THREADWISE_LOG_LEVEL="debug", **QUICKLY, **more)
    orders = Orders(environment=environs, folder=folder, log=f"{uuid4().hex}.log", opening=unpaced)
    program = await Program.started(orders)
    try:
        yield program
    finally:
        program.kill()
        await program.ended.wait()
        chat.heard.write((folder / orders.log).read_text())


async def threadwise(folder: Path, command: str, env: dict[str, str], stdin: int = DEVNULL) -> Process:
    """Start a command as people do. That takes seconds, most of them to import what it needs."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app", *command.split(), cwd=folder, stdin=stdin, stdout=PIPE, stderr=PIPE,
        env={**env, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
