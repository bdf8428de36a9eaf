"""What other processes do, heard by one change stream over the whole database: Motor pins a thread for each.

MongoDB filters and strips the events, so that neither content nor other teams' work comes over the line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from pymongo.errors import PyMongoError

from app.core.errors import SettingsError, StoreUnavailable
from app.core.model import ThreadKey
from app.ports import Clock
from store.client import Database, Document, translated
from store.schema import INBOX, KEYS

log = structlog.get_logger(__name__)

AWAIT = 500
"""Milliseconds that MongoDB keeps a look open when there is nothing to tell. A look that is under way cannot be cut
short: a process that ends waits for this long."""
AGAIN = 1.0
"""Seconds before the next attempt. The driver has then tried for seconds itself."""


def news_of(team: str) -> list[Document]:
    """Return what is told of: rows that come into the team's inbox, and keys that are gone or another."""
    return [
        {
            "$match": {
                "$or": [
                    {"ns.coll": INBOX, "operationType": "insert", "fullDocument.team": team},
                    {"ns.coll": KEYS, "operationType": {"$in": ["delete", "replace"]}},
                ]
            }
        },
        {
            "$project": {
                "documentKey._id": 1,
                "fullDocument": {"team": 1, "channel": 1, "root": 1},
                "ns.coll": 1,
            }
        },
    ]


class MongoSignals:
    """The `Signals` port over MongoDB. `forget` is called with the id of each key that is gone or another."""

    def __init__(self, database: Database, forget: Callable[[str], None], clock: Clock) -> None:
        self._database = database
        self._forget = forget
        self._clock = clock
        self._heard_up_to: Mapping[str, Any] | None = None

    async def listen(self, team: str, heard: Callable[[ThreadKey], None]) -> None:
        """See `Signals.listen`. After an outage it goes on where it was, as far back as MongoDB's log reaches."""
        while True:
            try:
                await self._follow(team, heard)
            except (StoreUnavailable, SettingsError) as error:  # rights can be taken away, and given back
                log.warning("signals_interrupted", error=type(error).__name__)
            except PyMongoError as error:
                log.warning("signals_begun_anew", error=type(error).__name__)
                self._heard_up_to = None
            await self._clock.sleep(AGAIN)

    @translated
    async def _follow(self, team: str, heard: Callable[[ThreadKey], None]) -> None:
        pipeline = news_of(team)
        async with self._database.watch(pipeline, resume_after=self._heard_up_to, max_await_time_ms=AWAIT) as stream:
            try:
                async for change in stream:
                    self._tell(team, heard, change)
            finally:
                self._heard_up_to = stream.resume_token

    def _tell(self, team: str, heard: Callable[[ThreadKey], None], change: Document) -> None:
        if change["ns"]["coll"] == KEYS:
            self._forget(change["documentKey"]["_id"])
        else:
            heard(ThreadKey(**change["fullDocument"]))
