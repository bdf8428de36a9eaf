"""Slack's signature of an HTTP request: reading and checking it. Pure.

The SDK's verifier takes text. It decodes the body first, and raises an error on a timestamp that is not a number.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass

TIMESTAMP = "X-Slack-Request-Timestamp"
SIGNATURE = "X-Slack-Signature"
MOST_SECONDS = 300.0
"""Slack's limit: a request that is older, or from the future, may be a replay."""

_TIMESTAMP = re.compile(r"[0-9]{1,11}")
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Claim:
    """The signature that a request carries, and its time in seconds since 1970."""

    timestamp: str
    signature: str

    def holds(self, secret: bytes, body: bytes) -> bool:
        """Compare with the signature of the body's bytes, in constant time."""
        ours = hmac.digest(secret, b"v0:%b:%b" % (self.timestamp.encode(), body), "sha256").hex()
        return hmac.compare_digest(f"v0={ours}", self.signature)


def read_claim(headers: Mapping[str, str], now: float) -> Claim | None:
    """Return the signature in the headers; None if it is missing, or if its time is not about `now`."""
    claim = Claim(headers.get(TIMESTAMP, ""), headers.get(SIGNATURE, ""))
    if not (_TIMESTAMP.fullmatch(claim.timestamp) and _SIGNATURE.fullmatch(claim.signature)):
        return None
    return claim if abs(now - int(claim.timestamp)) <= MOST_SECONDS else None
