"""The bot's side of a conversation, played through Slack's own client. Channels and people go by name."""

from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from app.playground.slack import SlackPlayground

Blocks = list[dict[str, Any]]


def buttons(*labels: str) -> Blocks:
    """A question as blocks, its buttons named by their labels."""
    elements = [
        {"type": "button", "action_id": label, "value": label, "text": {"type": "plain_text", "text": label}}
        for label in labels
    ]
    question = {"type": "section", "text": {"type": "mrkdwn", "text": "Shall I post it?"}}
    return [question, {"type": "actions", "block_id": "b", "elements": elements}]


def markdown(text: str) -> Blocks:
    return [{"type": "markdown", "text": text}]


class Bot:
    def __init__(self, slack: SlackPlayground) -> None:
        self.slack = slack
        self.client: Any = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)

    async def posts(
        self, text: str, *, channel: str = "general", blocks: Blocks | None = None, thread_ts: str | None = None
    ) -> str:
        """Post, and return the ts."""
        there = self.channel(channel)
        posted = await self.client.chat_postMessage(channel=there, text=text, blocks=blocks, thread_ts=thread_ts)
        return posted["ts"]

    async def edits(self, ts: str, text: str) -> None:
        await self.client.chat_update(channel=self.channel("general"), ts=ts, text=text, blocks=markdown(text))

    async def whispers(self, text: str, *, to: str, blocks: Blocks | None = None, thread_ts: str | None = None) -> None:
        member = self.slack.workspace.member(to)
        assert member
        there = self.channel("general")
        await self.client.chat_postEphemeral(
            channel=there, user=member.id, text=text, blocks=blocks, thread_ts=thread_ts
        )

    async def reacts(self, ts: str, emoji: str) -> None:
        await self.client.reactions_add(channel=self.channel("general"), timestamp=ts, name=emoji)

    async def takes_back(self, ts: str, emoji: str) -> None:
        await self.client.reactions_remove(channel=self.channel("general"), timestamp=ts, name=emoji)

    async def works(self, thread_ts: str, status: str) -> None:
        """Set the status of the thread's agent session."""
        there = self.channel("general")
        await self.client.agents_sessions_setStatus(channel_id=there, thread_ts=thread_ts, status=status)

    async def shows_status(self, thread_ts: str, status: str) -> None:
        there = self.channel("general")
        await self.client.assistant_threads_setStatus(channel_id=there, thread_ts=thread_ts, status=status)

    async def links_to(self, ts: str, channel: str) -> str:
        answer = await self.client.chat_getPermalink(channel=self.channel(channel), message_ts=ts)
        return answer["permalink"]

    async def reads_last(self) -> dict[str, Any]:
        """Return the newest message of #general."""
        answer = await self.client.conversations_history(channel=self.channel("general"), limit=1)
        return answer["messages"][0]

    async def calls(self, method: str) -> None:
        await self.client.api_call(method)

    def channel(self, name: str) -> str:
        channel = self.slack.workspace.channel_named(name)
        assert channel
        return channel.id
