"""A Socket Mode client by hand, for tests that must decide themselves what is acknowledged."""

from types import TracebackType
from typing import Any

from aiohttp import ClientSession, WSMsgType

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.sdk import bot_of

Json = dict[str, Any]


class Line:
    """One socket: `async with Line(slack) as line`; hello is already read."""

    def __init__(self, slack: SlackPlayground) -> None:
        self._slack = slack
        self._session = ClientSession()
        self.hello: Json = {}

    async def __aenter__(self) -> "Line":
        answer = await bot_of(self._slack).apps_connections_open(app_token=self._slack.app_token)
        self._socket = await self._session.ws_connect(answer["url"])
        self.hello = await self.receive()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self._socket.close()
        await self._session.close()

    async def receive(self) -> Json:
        """Return the next frame, unacknowledged."""
        return await self._socket.receive_json(timeout=10)

    async def acknowledge(self, envelope: Json) -> None:
        await self._socket.send_json({"envelope_id": envelope["envelope_id"]})

    async def envelope(self) -> Json:
        """Return the next frame, acknowledged."""
        envelope = await self.receive()
        await self.acknowledge(envelope)
        return envelope

    async def event(self) -> Json:
        """Return the next event itself, acknowledged."""
        return (await self.envelope())["payload"]["event"]

    async def interaction(self) -> Json:
        """Return the next payload that is no event, acknowledged like the events before it."""
        while (envelope := await self.envelope())["type"] == "events_api":
            pass
        return envelope["payload"]

    async def ends(self) -> bool:
        """Return whether the next thing on the socket is its end."""
        frame = await self._socket.receive(timeout=10)
        return frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING, WSMsgType.ERROR)
