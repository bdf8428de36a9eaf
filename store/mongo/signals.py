"""The change feed between processes: one change stream over the whole database.

There is only one, because Motor pins an OS thread per stream.

MongoDB filters and strips the changes, so that neither content nor other teams' changes are transferred.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from pymongo.errors import PyMongoError

from app.core.errors import SettingsError, StoreUnavailable
from app.core.thread import ThreadKey
from app.ports import Clock
from store.database.connection import Database, Document, translate_errors
from store.database.schema import INBOX, KEYS

log = structlog.get_logger(__name__)

AWAIT = 500
"""Milliseconds for which MongoDB keeps a poll open without changes. A poll cannot be interrupted, so a process that
ends waits for as long."""
AGAIN = 1.0
"""Seconds before the next attempt. The driver has then retried for seconds itself."""


def build_watch_pipeline(team: str) -> list[Document]:
    """Return the pipeline for reported changes: new inbox rows of the team, and deleted or replaced keys."""
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


class MongoChangeFeed:
    """Implementation of the `Signals` port over MongoDB.

    `forget` is called with the id of each deleted or replaced key.
    """

    def __init__(self, database: Database, forget: Callable[[str], None], clock: Clock) -> None:
        self._database = database
        self._forget = forget
        self._clock = clock
        self._heard_up_to: Mapping[str, Any] | None = None

    async def listen(self, team: str, heard: Callable[[ThreadKey, str], None]) -> None:
        """See `Signals.listen`. After an outage it resumes where it was, as far back as MongoDB's oplog reaches."""
        while True:
            try:
                await self._follow(team, heard)
            except (StoreUnavailable, SettingsError) as error:  # rights can be revoked, and granted again
                log.warning("signals_interrupted", error=type(error).__name__)
            except PyMongoError as error:
                log.warning("signals_begun_anew", error=type(error).__name__)
                self._heard_up_to = None
            await self._clock.sleep(AGAIN)

    @translate_errors
    async def _follow(self, team: str, heard: Callable[[ThreadKey, str], None]) -> None:
        pipeline = build_watch_pipeline(team)
        async with self._database.watch(pipeline, resume_after=self._heard_up_to, max_await_time_ms=AWAIT) as stream:
            try:
                async for change in stream:
                    self._tell(team, heard, change)
            finally:
                self._heard_up_to = stream.resume_token

    def _tell(self, team: str, heard: Callable[[ThreadKey, str], None], change: Document) -> None:
        if change["ns"]["coll"] == KEYS:
            self._forget(change["documentKey"]["_id"])
        else:
            heard(ThreadKey(**change["fullDocument"]), change["documentKey"]["_id"])
