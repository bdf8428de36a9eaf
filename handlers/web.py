"""The one door to Slack's Web API: every call is made here, timed out here, and its errors become ours here.

All retrying is ours: the SDK's own would do a post twice after a connection that broke (design D7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from app.core.errors import PlaceGone, SlackRefused, SlackUnavailable

WRITE_TIMEOUT = 4.0
"""Seconds. A lease must outlive any write that it allowed (design D6)."""

PASSING = frozenset(
    {"ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"}
)
"""Codes that Slack gives for troubles of its own, some of them with HTTP 200."""

GONE = frozenset(
    {
        "channel_not_found",
        "is_archived",
        "is_inactive",
        "not_in_channel",
        "restricted_action_read_only_channel",
        "restricted_action_thread_locked",
        "thread_not_found",
    }
)
"""Codes of a channel or thread in which nothing can be said until somebody lets us in again."""

READS = frozenset(
    {
        "auth.test",
        "conversations.info",
        "conversations.members",
        "conversations.replies",
        "users.conversations",
        "users.info",
    }
)
"""Methods that Slack answers to GET; the others take JSON,"""

FORMS = frozenset({"files.completeUploadExternal", "files.getUploadURLExternal"})
"""but for these, which take a form. What is nested in it is JSON."""

UPLOAD_SECONDS = 30.0
"""How long the bytes of a file may take."""

UPLOAD = "upload"
"""What sending the bytes is called in our errors: it is no method of the Web API."""

Answer = dict[str, Any]

NO_ANSWER = (aiohttp.ClientError, TimeoutError, SlackClientError, AttributeError, ValueError)
"""What comes out of the SDK where Slack gives no answer; the last two where a body is not what its header says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackIdentity:
    """Who we are in the one workspace we serve. `scopes` are those that the token was granted."""

    team: str
    team_name: str
    bot_user: str
    token: str = field(repr=False)
    api_url: str
    url: str
    """The workspace's own address, under which its messages are found; ends with a slash."""
    scopes: frozenset[str]


class SlackWeb:
    """A Web API client with one connection pool. Raises `SlackUnavailable` and `SlackRefused`."""

    def __init__(self, token: str, api_url: str, seconds: float = WRITE_TIMEOUT) -> None:
        """Make it inside the running event loop: the pool belongs to it. `seconds` is the longest a call may take."""
        self._token, self._api_url = token, api_url.rstrip("/") + "/"
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds))
        # Any: the SDK types its arguments as unknown dictionaries
        self._client: Any = AsyncWebClient(
            token=token, base_url=self._api_url, session=self._session, retry_handlers=[]
        )

    async def identify(self) -> SlackIdentity:
        """Ask Slack who this token is."""
        answer = await self._answer("auth.test", {})
        scopes = answer.headers.get("x-oauth-scopes") or answer.headers.get("X-OAuth-Scopes") or ""
        return SlackIdentity(
            team=str(answer["team_id"]),
            team_name=str(answer.get("team", "")),
            bot_user=str(answer["user_id"]),
            token=self._token,
            api_url=self._api_url,
            url=str(answer.get("url", "")).rstrip("/") + "/",
            scopes=frozenset(filter(None, (scope.strip() for scope in scopes.split(",")))),
        )

    async def call(self, method: str, **arguments: Any) -> Answer:
        """Make one call, once."""
        return cast("Answer", (await self._answer(method, arguments)).data)

    async def upload(self, address: str, content: bytes) -> None:
        """Send the bytes of a file, once, to the address that Slack gave for them. They go without our token."""
        try:
            timeout = aiohttp.ClientTimeout(total=UPLOAD_SECONDS)
            async with self._session.post(address, data=content, timeout=timeout) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            raise SlackUnavailable(UPLOAD, ambiguous=True) from error
        if status == 429 or status >= 500:
            raise SlackUnavailable(UPLOAD, ambiguous=True)
        if status != 200:
            raise SlackRefused(UPLOAD, f"http_{status}")

    async def _answer(self, method: str, arguments: Answer) -> Any:
        try:
            if method in FORMS:
                return await self._client.api_call(method, data=arguments)
            if method in READS:
                return await self._client.api_call(method, http_verb="GET", params=arguments)
            return await self._client.api_call(method, json=arguments)
        except SlackApiError as error:
            raise _ours(method, error) from error
        except NO_ANSWER as error:
            unsent = isinstance(error, aiohttp.ClientConnectorError)
            raise SlackUnavailable(method, ambiguous=True, unsent=unsent) from error

    async def close(self) -> None:
        """Close the pool."""
        await self._session.close()


def _ours(method: str, error: SlackApiError) -> SlackUnavailable | SlackRefused:
    response: Any = error.response  # pyright: ignore[reportUnknownMemberType]
    # Where the body was no JSON this is not the SDK's response but aiohttp's.
    status: int = getattr(response, "status_code", None) or response.status
    data: Any = getattr(response, "data", None)
    code = str(cast("Answer", data).get("error", "")) if isinstance(data, dict) else ""
    if status == 429 or code in ("ratelimited", "rate_limited"):
        return SlackUnavailable(method, after=_seconds(response.headers))
    if status >= 500 or code in PASSING or not code:
        return SlackUnavailable(method, ambiguous=True, status=0 if code else status)
    return (PlaceGone if code in GONE else SlackRefused)(method, code)


def _seconds(headers: dict[str, str]) -> float:
    """Slack's Retry-After, or a second where it gives none (HTTP 200 `ratelimited`)."""
    value = {name.lower(): text for name, text in headers.items()}.get("retry-after", "")
    return float(value) if value.isdecimal() else 1.0
