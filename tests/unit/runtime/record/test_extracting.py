"""What an extraction may quote and count once it has read what was written meanwhile."""

from __future__ import annotations

import pytest

from app.agent.extraction.extraction import Extraction
from app.core.conversation.conversation import Conversation, Message
from app.core.state.interview import Mode, Stage
from app.decision.drafts.quote_sources import Sources
from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.runtime.record.extracting import hear_more
from app.runtime.record.step_context import StepContext
from tests.unit.agent.extracted import ISSUES, ROWS, Research, hears_nothing, judge, keeps_nothing, leading
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import before

WAIT = said(5, "Wait: “rent nothing”, and 20 vans", author_name="Maya")
MORE = said(6, "by 1 March 2027", author_name="Maya")


async def grounded(_: Conversation, rows: tuple[Message, ...]) -> StepContext:
    """The basis of these messages."""
    told = tuple(row.text for row in rows)
    statements = tuple(map(Statement, told))
    return StepContext(ISSUES, before(ISSUES.key), {}, told, Sources.of_step(rows, before(ISSUES.key)), statements)


async def reaches(_: Stage) -> None:
    """Nobody follows its stages."""


def extraction() -> Extraction:
    return Extraction(
        conversation=leading(),
        rows=ROWS,
        component=ISSUES,
        so_far=before(ISSUES.key),
        mode=Mode.INTERACTIVE,
        judge=judge,
        said=SaidFigures,
        unquote=lambda text: text.replace("“", "").replace("”", ""),
        tools=Research(),
        reached=reaches,
        hear=hears_nothing,
        keep=keeps_nothing,
    )


@pytest.mark.req("AG-03")
async def test_what_was_written_meanwhile_may_be_quoted_and_its_figures_count_as_said() -> None:
    asked = list[int]()

    async def news(after: int) -> tuple[Message, ...]:
        asked.append(after)
        return {4: (WAIT,), 5: (MORE,)}.get(after, ())

    first = await hear_more(grounded, news, extraction())
    assert first is not None
    assert first.unquote("Maya said “rent nothing”") == "Maya said “rent nothing”"
    assert first.unquote("Maya said “buy all”") == "Maya said buy all"
    then = await hear_more(grounded, news, first)
    assert then is not None
    assert [row.seq for row in then.heard] == [5, 6]
    (day,) = read_figures("1 March 2027")
    assert [each.said().knows(day) for each in (first, then)] == [False, True]
    assert then.judge != judge
    assert await hear_more(grounded, news, then) is None
    assert asked == [4, 5, 6], "each message is read once"
