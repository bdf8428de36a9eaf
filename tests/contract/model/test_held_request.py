"""What an open answer holds of its request, measured over a real socket with the real SDK."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from contextlib import aclosing
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.http_server import listen
from app.ports import Counted, ModelRequest

MEGABYTE = 1_000_000
WORDS = "ä" * MEGABYTE
"""As JSON, two bytes for each: a body cannot be the same object as the text."""
USAGE = {"input_tokens": 1, "output_tokens": 1}
BEGINNING: dict[str, Any] = {
    "type": "message_start",
    "message": {"id": "msg_1", "model": "claude-sonnet-5-5", "role": "assistant", "content": [], "usage": USAGE},
}


async def _begin_to_answer(request: web.Request) -> web.StreamResponse:
    """Read the request without keeping it, and send the first event of an answer that goes on."""
    async for _ in request.content.iter_any():
        pass
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(f"event: message_start\ndata: {json.dumps(BEGINNING)}\n\n".encode())
    assert request.transport is not None
    while not request.transport.is_closing():
        await asyncio.sleep(0.05)
    return response


@pytest.mark.req("MW-09")
async def test_an_open_answer_holds_no_copy_of_what_was_sent_for_it() -> None:
    server = web.Application()
    server.router.add_post("/v1/messages", _begin_to_answer)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    lists = [{"type": "text", "text": f"{place}"} for place in range(20_000)]
    said = [{"role": "user", "content": [{"type": "text", "text": WORDS}, *lists]}]
    request = ModelRequest(model="claude-sonnet-5-5", system="Be kind.", messages=said, max_tokens=1_000)
    async with listen(runner, "127.0.0.1", 0) as port:
        claude = Claude(SecretStr("key"), f"http://127.0.0.1:{port}", idle_seconds=30)
        tracemalloc.start()
        try:
            async with aclosing(claude.stream(request)) as events:
                assert isinstance(await anext(events), Counted)
                held, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
            await claude.close()
    assert most > 2 * MEGABYTE, "the request was never written"
    assert held < MEGABYTE
