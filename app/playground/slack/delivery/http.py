"""Delivery by HTTP: signed POSTs to the app's Request URL.

Success is a 2xx within three of Slack's seconds and two redirects. Knows no schedule of retries.
"""

import hashlib
import hmac
import json
import time
from typing import Any, cast
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientSSLError, ClientTimeout, TooManyRedirects

from app.playground.slack.delivery.delivery import ACK_WINDOW, Attempt, Delivery, Outcome
from app.playground.slack.values.model import Clock, IdFactory
from app.playground.slack.values.surfaces import Json

_REFUSED_REDIRECT = 3  # Slack follows two; aiohttp counts up to the one it refuses

#: Failure → x-slack-retry-reason; the first that fits.
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (TimeoutError, "http_timeout"),
    (TooManyRedirects, "too_many_redirects"),
    (ClientSSLError, "ssl_error"),
    (ClientError, "connection_failed"),
)


class EventsUrl:
    """The app's Request URL; a `Transport`."""

    lost = Outcome(acknowledged=False, reason="connection_failed")

    def __init__(self, url: str | None, secret: str, clock: Clock, mint: IdFactory) -> None:
        self._url = url
        self._secret = secret
        self._clock = clock
        self._mint = mint

    async def subscribe(self, url: str) -> None:
        """Deliver to `url` from now on. Raise ValueError unless it echoes a signed challenge, as Slack demands."""
        challenge = self._mint.secret(32)
        body: Json = {"token": self._mint.secret(24), "challenge": challenge, "type": "url_verification"}
        async with self._session() as session:
            answer = await session.post(url, data=(raw := json.dumps(body)), headers=self._headers(raw, "json"))
            if answer.status != 200 or challenge not in await answer.text():
                raise ValueError(f"{url} did not answer the challenge: HTTP {answer.status}")
        self._url = url

    async def reachable(self) -> None:
        """Return at once: a Request URL is always tried."""

    async def attempt(self, delivery: Delivery, attempt: Attempt) -> Outcome:
        """POST one payload: events as JSON, commands as a form, other interactions as a form with a `payload` field."""
        if self._url is None:
            return self.lost
        body, kind = _encode_body(delivery)
        headers = self._headers(body, kind)
        if attempt.number:
            headers |= {"x-slack-retry-num": str(attempt.number), "x-slack-retry-reason": attempt.reason}
        return await self._post(self._url, body, headers)

    async def _post(self, url: str, body: str, headers: dict[str, str]) -> Outcome:
        try:
            async with (
                self._session() as session,
                session.post(url, data=body, headers=headers, max_redirects=_REFUSED_REDIRECT) as answer,
            ):
                said = await answer.text()
                if 200 <= answer.status < 300:
                    return Outcome(acknowledged=True, answer=_read_answer(answer.content_type, said))
                retry = answer.headers.get("x-slack-no-retry") != "1"
                return Outcome(acknowledged=False, reason="http_error", retry=retry)
        except (TimeoutError, ClientError) as failure:
            reason = next(reason for kind, reason in _REASONS if isinstance(failure, kind))
            return Outcome(acknowledged=False, reason=reason)

    def _session(self) -> ClientSession:
        # A connection for each delivery: the app may close a kept one at the moment of its use.
        return ClientSession(timeout=ClientTimeout(total=self._clock.real(ACK_WINDOW)))

    def _headers(self, body: str, kind: str) -> dict[str, str]:
        timestamp = str(int(time.time()))
        signed = hmac.new(self._secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256)
        return {
            "Content-Type": {"json": "application/json", "form": "application/x-www-form-urlencoded"}[kind],
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": f"v0={signed.hexdigest()}",
        }


def _encode_body(delivery: Delivery) -> tuple[str, str]:
    if delivery.kind == "slash_commands":
        return urlencode(delivery.payload), "form"
    raw = json.dumps(delivery.payload)
    return (raw, "json") if delivery.kind == "events_api" else (urlencode({"payload": raw}), "form")


def _read_answer(content_type: str, said: str) -> Json:
    """Read the body of the acknowledgement: an object, or a text as the `text` of one."""
    try:
        answer: Any = json.loads(said) if content_type == "application/json" else said
    except ValueError:
        answer = said
    return cast(Json, answer) if isinstance(answer, dict) else {"text": str(answer)} if answer else {}
