"""Files that people share in Slack: looked up, and fetched from Slack alone."""

from __future__ import annotations

import asyncio
from typing import Final

from app.core.errors import FetchFault, FileNotFetched, SlackRefused, SlackUnavailable
from app.ports import FetchedFile
from handlers.outbound.pacer import Priority
from handlers.outbound.web import Answer, SlackCaller, SlackIdentity
from handlers.slack.payload import read_text

SCOPE: Final = "files:read"
ATTEMPTS: Final = 3
FAULTS: Final = {"missing_scope": FetchFault.NO_SCOPE, "file_deleted": FetchFault.DELETED}
"""Faults by Slack's code; any other code means that the app is not shown the file."""


class SlackFiles:
    """Implementation of the `FileSource` port. What a message says of a file is not trusted: Slack is asked anew."""

    def __init__(self, line: SlackCaller, us: SlackIdentity) -> None:
        self._line, self._us = line, us

    async def fetch(self, id_: str, most: int) -> FetchedFile:
        """See `FileSource.fetch`."""
        if self._us.scopes and SCOPE not in self._us.scopes:
            raise FileNotFetched(FetchFault.NO_SCOPE)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._fetch(id_, most)
            except SlackRefused as error:
                raise FileNotFetched(FAULTS.get(error.code, FetchFault.HIDDEN)) from error
            except SlackUnavailable as error:
                if attempt == ATTEMPTS:
                    raise FileNotFetched(FetchFault.UNAVAILABLE) from error
                await asyncio.sleep(min(error.after, 5.0))
        raise AssertionError("the last attempt returns or raises")

    async def _fetch(self, id_: str, most: int) -> FetchedFile:
        told: Answer = (await self._line.say("files.info", Priority.QUESTION, file=id_))["file"]
        if fault := _find_fault(told):
            raise FileNotFetched(fault)
        size = told.get("size")
        if isinstance(size, int) and size > most:
            raise FileNotFetched(FetchFault.TOO_LARGE, most)
        address = read_text(told.get("url_private_download")) or read_text(told.get("url_private"))
        if not address:
            raise FileNotFetched(FetchFault.HIDDEN)
        return FetchedFile(name=read_text(told.get("name")), content=await self._line.web.download(address, most))


def _find_fault(told: Answer) -> FetchFault | None:
    """Return why Slack's record of a file leads to no bytes."""
    if told.get("mode") == "tombstone":
        return FetchFault.DELETED
    if told.get("is_external") or told.get("mode") == "external":
        return FetchFault.EXTERNAL
    is_visible = told.get("file_access", "visible") == "visible"
    return None if is_visible else FetchFault.HIDDEN
