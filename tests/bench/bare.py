"""The bare loop that the program is measured beside: the plainest bot that is still correct.

It streams an answer into one message, edited once a second, and goes on in a next message where Slack's limit is
reached. It has no database, no memory of a thread and no care for a restart.
"""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

from anthropic import AsyncAnthropic
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

READY = "ready"
PAGE = 3_900
"""Slack: `chat.update` refuses a `text` past 4,000 characters."""
SECONDS_BETWEEN_EDITS = 1.0
STUBBORN = 100
"""How often a 429 is obeyed before a call is given up: never, as far as the benchmark goes."""


class Reply:
    """One answer in its thread, as one message or several."""

    def __init__(self, client: AsyncWebClient, channel: str, thread: str) -> None:
        self._client: Any = client
        self._channel, self._thread = channel, thread
        self._shown: list[tuple[str, str]] = []

    async def show(self, text: str) -> None:
        """Bring every message up to date."""
        pages = [text[at : at + PAGE] for at in range(0, len(text), PAGE)]
        for index, page in enumerate(pages):
            if index == len(self._shown):
                posted = await self._client.chat_postMessage(channel=self._channel, thread_ts=self._thread, text=page)
                self._shown.append((posted["ts"], page))
            elif self._shown[index][1] != page:
                ts = self._shown[index][0]
                await self._client.chat_update(channel=self._channel, ts=ts, text=page)
                self._shown[index] = (ts, page)


async def serve() -> None:
    """Answer every mention until killed."""
    web = AsyncWebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"])
    web.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=STUBBORN))
    claude = AsyncAnthropic()
    app: Any = AsyncApp(client=web)

    @app.event("app_mention")
    async def _answer(event: dict[str, Any], client: AsyncWebClient) -> None:
        reply = Reply(client, event["channel"], event.get("thread_ts") or event["ts"])
        text, shown_at = "", 0.0
        said: Any = [{"role": "user", "content": event["text"]}]
        async with claude.messages.stream(model="claude-sonnet-5-5", max_tokens=8_000, messages=said) as stream:
            async for delta in stream.text_stream:
                text += delta
                if time.monotonic() - shown_at >= SECONDS_BETWEEN_EDITS:
                    await reply.show(text)
                    shown_at = time.monotonic()
        await reply.show(text)

    handler: Any = AsyncSocketModeHandler(app, os.environ["SLACK_APP_TOKEN"])
    await handler.connect_async()
    print(READY, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())
