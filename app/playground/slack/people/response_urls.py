"""The response_urls of interactions, and an app's answers through them.

Rule: a response_url works five times within half an hour, even if the app is no member.
"""

from dataclasses import dataclass, replace

from aiohttp import web

from app.playground.slack.api.site import Site
from app.playground.slack.blocks.content import Content, read_content
from app.playground.slack.values.arguments import Arguments, read_arguments
from app.playground.slack.values.model import Message
from app.playground.slack.values.refusal import Refusal

MOST_RESPONSES = 5  # Slack: uses of one response_url
RESPONSE_LIFE = 1800.0  # Slack's seconds


@dataclass(frozen=True, slots=True)
class Origin:
    """Person and place of an interaction; `message` is its source, if it came from one."""

    user: str
    channel: str
    message: Message | None = None


@dataclass(slots=True)
class _Response:
    origin: Origin
    until: float
    left: int = MOST_RESPONSES


class ResponseUrls:
    """Maker and server of response_urls."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._responses: dict[str, _Response] = {}

    def hand_out(self, origin: Origin) -> str:
        """Return an address that answers this interaction."""
        secret = self._site.workspace.mint.secret(24)
        self._responses[secret] = _Response(origin, self._site.clock.now() + RESPONSE_LIFE)
        return f"{self._site.url}/response/{secret}"

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Answer POST /response/{secret}."""
        response = self._responses.get(request.match_info["secret"])
        if response is None or response.left == 0:
            return web.Response(status=404, text="used_url")
        if self._site.clock.now() > response.until:
            return web.Response(status=404, text="expired_url")
        try:
            args = await read_arguments(request)
            if args.flag("delete_original"):
                self._delete(response.origin.message)
            else:
                self.say(response.origin, args)
        except Refusal as refusal:
            return web.json_response(refusal.body, status=400)
        response.left -= 1
        return web.Response(text="ok")

    def say(self, origin: Origin, args: Arguments) -> None:
        """Show the app's answer. Raise `Refusal` if no message may contain it."""
        workspace, content = self._site.workspace, read_content(args, self._site.workspace.mint)
        if args.flag("replace_original") and origin.message:
            self._replace(origin.message, content)
            return
        answer = Message(
            origin.channel,
            workspace.mint.ts(),
            workspace.app.user.id,
            content.text,
            args.text("thread_ts") or None,
            content.blocks,
            workspace.app.bot_id,
        )
        if args.text("response_type") == "in_channel":
            workspace.post(answer)
        else:
            workspace.whisper(replace(answer, seen_by=origin.user))

    def _delete(self, original: Message | None) -> None:
        workspace = self._site.workspace
        if original is None:
            return
        if kept := workspace.ephemeral(original.channel, original.ts):
            workspace.hush(kept)
        elif posted := workspace.message(original.channel, original.ts):
            workspace.remove(posted)

    def _replace(self, original: Message, content: Content) -> None:
        workspace = self._site.workspace
        if kept := workspace.ephemeral(original.channel, original.ts):
            workspace.whisper(replace(kept, text=content.text, blocks=content.blocks))
        elif posted := workspace.message(original.channel, original.ts):
            workspace.update(
                replace(
                    posted,
                    text=content.text,
                    blocks=content.blocks,
                    edit_count=posted.edit_count + 1,
                    edited_ts=posted.edited_ts if content.blocks else workspace.mint.ts(),
                )
            )
