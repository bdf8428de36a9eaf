"""Fixtures of the flow tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from importlib import import_module

import pytest

from tests.flow.chat import Chat, chatting
from tests.flow.deciding import deciding

import_module("app.agent.claude.client")  # as late as the program does, none of it would be frozen after the collection


@pytest.fixture
async def chat(request: pytest.FixtureRequest, mongo_uri: str) -> AsyncGenerator[Chat]:
    """The program in a workspace, hearing Slack over a socket, or over HTTP where a file wants `BOTH_WAYS`."""
    async with chatting(mongo_uri, http=getattr(request, "param", "socket") == "http") as running:
        yield running


@pytest.fixture
async def room(mongo_uri: str) -> AsyncGenerator[Chat]:
    """A workspace where decisions are led; a file whose workspace is another one has a fixture of its own."""
    async with deciding(mongo_uri) as running:
        yield running
