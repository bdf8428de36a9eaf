"""The first words of a reply, where to keep them takes its time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tests.fakes import virtual
from tests.unit.handlers.outbound.test_live_reply import POST, Showing
from tests.unit.handlers.strict_slack import Notes


@dataclass(kw_only=True)
class SlowNotes(Notes):
    """Notes that take their time."""

    seconds: float

    async def record(self, text: str, parts: tuple[str, ...]) -> None:
        await asyncio.sleep(self.seconds)
        await super().record(text, parts)


@virtual
async def test_the_first_words_are_kept_while_their_turn_is_asked_for_and_shown_when_both_are_done() -> None:
    it = Showing(notes=SlowNotes(seconds=2))
    await asyncio.sleep(1)  # the status is set first
    it.ledger.before_exchange = lambda: asyncio.sleep(1)
    it.shows("Hello.")
    await asyncio.sleep(5)
    (call,) = it.slack.made(POST)
    assert call.at == 1 + 2 + it.slack.seconds / 2
    assert it.notes.texts[0] == ("Hello.\n", ())
    await it.draft.close()


@virtual
async def test_words_that_came_while_the_first_were_kept_are_kept_before_they_are_shown() -> None:
    it = Showing(notes=SlowNotes(seconds=2))
    it.shows("Hello.")
    await asyncio.sleep(1)
    it.shows("Hello you.")
    await asyncio.sleep(5)
    (call,) = it.slack.made(POST)
    assert call.arguments["text"] == "Hello you."
    assert call.at == 4 + it.slack.seconds / 2
    await it.draft.close()


@virtual
async def test_a_draft_that_is_closed_while_its_first_words_are_kept_wastes_no_turn_and_shows_them_once() -> None:
    it = Showing(notes=SlowNotes(seconds=2))
    it.shows("Hello.")
    await asyncio.sleep(1)
    await it.draft.close()
    assert [parts for _, parts in it.notes.texts] == [(), tuple(it.slack.posts)]
    assert len(it.slack.made(POST)) == 1
