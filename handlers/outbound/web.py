"""Calls to Slack's Web API: each in its turn, timed out here, its errors told apart here."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from yarl import URL

from app.core.errors import FetchFault, FileNotFetched, PlaceGone, SlackLockedOut, SlackRefused, SlackUnavailable
from app.core.thread import ThreadKey
from app.ports import Clock
from handlers.outbound.pacer import CallSlot, Pacer, Priority

WRITE_TIMEOUT = 4.0
"""Seconds. A lease must outlive any write that began under it."""

PASSING = frozenset(
    {
        "external_channel_migrating",
        "fatal_error",
        "fetch_members_failed",
        "internal_error",
        "rate_limited",
        "ratelimited",
        "request_timeout",
        "service_unavailable",
        "update_failed",
    }
)
"""Slack's error codes for its own failures, some of them with HTTP 200."""

GONE = frozenset(
    {
        "cannot_reply_to_message",
        "channel_not_found",
        "ekm_access_denied",
        "is_archived",
        "is_inactive",
        "not_in_channel",
        "restricted_action",
        "restricted_action_non_threadable_channel",
        "restricted_action_read_only_channel",
        "restricted_action_thread_locked",
        "thread_not_found",
    }
)
"""Error codes of a channel or thread in which we cannot post until a person lets us in again."""

LOCKED_OUT = frozenset(
    {
        "account_inactive",
        "invalid_auth",
        "not_authed",
        "org_login_required",
        "token_expired",
        "token_revoked",
    }
)
"""Error codes of a token that Slack does not accept any more, as after the app was uninstalled. They say nothing about
the call, so what was to be said is kept until the token is accepted again or another one is set."""

LOCKED_OUT_SECONDS = 30.0
"""Seconds between attempts with a token that was not accepted."""

READS = frozenset(
    {
        "auth.test",
        "conversations.info",
        "conversations.list",
        "conversations.members",
        "conversations.replies",
        "files.info",
        "users.conversations",
        "users.info",
        "users.list",
    }
)
"""Methods that take GET; the others take JSON, except `FORMS`."""

FORMS = frozenset({"files.completeUploadExternal", "files.getUploadURLExternal"})
"""Methods that take a form, with JSON for nested values."""

UPLOAD_SECONDS = 30.0
"""Seconds for the upload of a file."""

UPLOAD = "upload"
"""The name of an upload in our errors: it is no method of the Web API."""

DOWNLOAD_SECONDS = 60.0
"""Seconds for the download of a file."""

MOST_REDIRECTS, REDIRECTED = 3, (301, 302, 303, 307, 308)
"""Redirects that a download follows at most, and their statuses: in an organisation Slack leads to another server."""

FILE_DOMAINS = ("slack.com", "slack-gov.com")
"""Domains of Slack alone. Files lie at `files.slack.com` and its like."""

HTTPS = 443

log = structlog.get_logger(__name__)

Answer = dict[str, Any]

NO_ANSWER = (aiohttp.ClientError, TimeoutError, SlackClientError, AttributeError, ValueError)
"""Errors of the SDK without an answer of Slack; the last two occur if a body contradicts its header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackIdentity:
    """The app's identity in the one workspace that it serves. `scopes` are those that the token was granted."""

    team: str
    team_name: str
    bot_user: str
    token: str = field(repr=False)
    api_url: str
    url: str
    """The workspace's address, with which its messages' addresses begin; it ends with a slash."""
    scopes: frozenset[str]


class SlackWeb:
    """Web API client with one connection pool. Raises `SlackUnavailable` and `SlackRefused`."""

    def __init__(self, token: str, api_url: str, seconds: float = WRITE_TIMEOUT) -> None:
        """Create the pool, which belongs to the running event loop. `seconds` is the limit of a call."""
        self._token, self._api_url = token, api_url.rstrip("/") + "/"
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds))
        # Any: the SDK types its arguments as unknown dictionaries
        self._client: Any = AsyncWebClient(
            token=token, base_url=self._api_url, session=self._session, retry_handlers=[]
        )

    async def identify(self) -> SlackIdentity:
        """Return the identity that Slack gives for this token."""
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
        """Make a call, with a single attempt."""
        return cast("Answer", (await self._answer(method, arguments)).data)

    async def upload(self, address: str, content: bytes) -> None:
        """Upload the bytes of a file to the address that Slack gave, with a single attempt and without our token."""
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

    async def download(self, address: str, most: int) -> bytes:
        """Return the bytes at an address of Slack's, with a single attempt. Raise `FileNotFetched`.

        Our token is sent along, so no other address is asked, and no redirect to another one is followed.
        """
        if not self._is_slacks(address):
            raise FileNotFetched(FetchFault.ELSEWHERE)
        try:
            content = await self._follow(URL(address), most + 1, MOST_REDIRECTS)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise FileNotFetched(FetchFault.UNAVAILABLE) from error
        if len(content) > most:
            raise FileNotFetched(FetchFault.TOO_LARGE, most)
        return content

    async def _follow(self, address: URL, most: int, redirects: int) -> bytes:
        """Return the first bytes at an address of Slack's, or at the one of Slack's that it leads to."""
        headers, timeout = {"Authorization": f"Bearer {self._token}"}, aiohttp.ClientTimeout(total=DOWNLOAD_SECONDS)
        async with self._session.get(address, headers=headers, timeout=timeout, allow_redirects=False) as answer:
            onward = str(address.join(URL(answer.headers.get("Location", ""))))
            is_followed = answer.status in REDIRECTED and redirects > 0 and self._is_slacks(onward)
            if not is_followed:
                if fault := _find_fault(answer.status, answer.headers):
                    raise FileNotFetched(fault)
                return await _read_up_to(answer.content, most)
        return await self._follow(URL(onward), most, redirects - 1)

    def _is_slacks(self, address: str) -> bool:
        """Return True for an address with TLS in Slack's domains, or on the server of a configured Web API."""
        try:
            asked, configured = URL(address), URL(self._api_url)
            if asked.origin() == configured.origin() and not asked.user:
                return True
        except ValueError:
            return False
        host = asked.host or ""
        is_known = any(host.endswith(f".{domain}") for domain in FILE_DOMAINS)
        return is_known and asked.scheme == "https" and asked.port == HTTPS and not asked.user

    async def _answer(self, method: str, arguments: Answer) -> Any:
        try:
            if method in FORMS:
                return await self._client.api_call(method, data=arguments)
            if method in READS:
                return await self._client.api_call(method, http_verb="GET", params=arguments)
            return await self._client.api_call(method, json=arguments)
        except SlackApiError as error:
            raise _translate_error(method, error) from error
        except NO_ANSWER as error:
            unsent = isinstance(error, aiohttp.ClientConnectorError)
            raise SlackUnavailable(method, ambiguous=True, unsent=unsent) from error

    async def close(self) -> None:
        """Close the pool."""
        await self._session.close()


def _find_fault(status: int, headers: Mapping[str, str]) -> FetchFault | None:
    """Return why an answer is not the file. Slack leads to a login page, or shows it, if it accepts no token.

    A file that is itself a page comes as an attachment.
    """
    if status in (404, 410):
        return FetchFault.DELETED
    if status == 429 or status >= 500:
        return FetchFault.UNAVAILABLE
    is_page = headers.get("Content-Type", "").startswith("text/html")
    is_attached = headers.get("Content-Disposition", "").startswith("attachment")
    return None if status == 200 and (is_attached or not is_page) else FetchFault.LOGIN_PAGE


async def _read_up_to(stream: aiohttp.StreamReader, most: int) -> bytes:
    content = bytearray()
    while len(content) < most and (piece := await stream.read(most - len(content))):
        content += piece
    return bytes(content)


def _translate_error(method: str, error: SlackApiError) -> SlackUnavailable | SlackRefused:
    response: Any = error.response  # pyright: ignore[reportUnknownMemberType]
    # If the body is not JSON, this is aiohttp's response and not the SDK's.
    status: int = getattr(response, "status_code", None) or response.status
    data: Any = getattr(response, "data", None)
    code = str(cast("Answer", data).get("error", "")) if isinstance(data, dict) else ""
    if status == 429 or code in ("ratelimited", "rate_limited"):
        return SlackUnavailable(method, after=_read_retry_after(response.headers))
    if status >= 500 or code in PASSING or not code:
        return SlackUnavailable(method, ambiguous=True, status=0 if code else status)
    return (PlaceGone if code in GONE else SlackRefused)(method, code)


def _read_retry_after(headers: dict[str, str]) -> float:
    """Return Slack's Retry-After, or a second if there is none (HTTP 200 `ratelimited`)."""
    value = {name.lower(): text for name, text in headers.items()}.get("retry-after", "")
    return float(value) if value.isdecimal() else 1.0


class Web(Protocol):
    """The part of `SlackWeb` that is needed here. Raises `SlackUnavailable` and `SlackRefused`."""

    async def call(self, method: str, **arguments: Any) -> Answer:
        """Make a call, with a single attempt."""
        ...

    async def upload(self, address: str, content: bytes) -> None:
        """Upload the bytes of a file to the address that Slack gave for them, with a single attempt."""
        ...

    async def download(self, address: str, most: int) -> bytes:
        """Return the bytes at an address of Slack's, at most so many. Raise `FileNotFetched`."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class SlackCaller:
    """Client, budget and clock of one workspace."""

    web: Web
    pacer: Pacer
    clock: Clock

    async def say(self, method: str, priority: Priority, **arguments: Any) -> Answer:
        """Wait for the call's turn and make it, with a single attempt. Raise as `Web`, and `StoreUnavailable`."""
        place = await self.pacer.turn(method, str(arguments.get("channel", "")), priority)
        return await self.call(place, **arguments)

    async def open_direct(self, user: str) -> str:
        """Return the channel of our direct messages with a person. Raise as `say`."""
        opened = await self.say("conversations.open", Priority.QUESTION, users=user)
        return str(opened["channel"]["id"])

    async def pages(self, method: str, priority: Priority, **arguments: Any) -> AsyncGenerator[Answer]:
        """Make a call that lists items, and yield its pages until there are no more. Raise as `say`."""
        page: dict[str, str] = {}
        while True:
            answer = await self.say(method, priority, **arguments, **page)
            yield answer
            if not (cursor := find_next_page(answer)):
                return
            page = {"cursor": cursor}

    async def call(self, place: CallSlot, **arguments: Any) -> Answer:
        """Make the call whose turn has come. If Slack refuses it as too early, the queue is closed for all processes.

        A call that was not sent gives its place back. A token that is not accepted is an outage.
        """
        try:
            return await self.web.call(place.method, **arguments)
        except SlackRefused as error:
            if error.code not in LOCKED_OUT:
                raise
            log.warning("slack_locked_out", method=place.method, code=error.code)
            raise SlackLockedOut(place.method, after=LOCKED_OUT_SECONDS) from error
        except SlackUnavailable as error:
            if not error.ambiguous:
                await self.pacer.close_queue(place.method, place.channel, error.after)
            if error.unsent:
                self.pacer.give_back(place)
            raise


def find_next_page(page: Answer) -> str:
    """Return the cursor of the page after this one; empty if there is none."""
    more: Answer = page.get("response_metadata") or {}
    return str(more.get("next_cursor") or "")


def address_ephemeral(
    thread: ThreadKey, user: str, *, beside: bool = False, is_answered: bool = False
) -> dict[str, str]:
    """Return the target of an ephemeral message.

    In direct messages it is shown below all threads, where it is seen at once, unless the thread `is_answered`: Slack
    shows none in a thread without replies. So is one `beside` a thread: a decision's thread holds nothing but the hub,
    so no one reads it.
    """
    place = {} if beside or (thread.direct and not is_answered) else {"thread_ts": thread.root}
    return {"channel": thread.channel, "user": user, **place}
