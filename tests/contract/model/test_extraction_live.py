"""An extraction of every step by the real API, for whoever gives `THREADWISE_LIVE_API_KEY`, and perhaps a model.

The variable is one of its own: nobody pays for a run of the tests because they have set the program up.
"""

from __future__ import annotations

import os

import pytest
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.agent.extraction.extraction import Extraction, ExtractionTask
from app.agent.reply import TurnSettings
from app.core.conversation.call import DraftExtracted
from app.core.state.interview import Mode, Stage
from app.decision.tracing.said import SaidFigures
from tests.unit.agent.extracted import ROWS, Research, hears_nothing, judge, keeps_nothing, leading
from tests.unit.agent.scripted import PaperDraft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK, before

KEY = os.environ.get("THREADWISE_LIVE_API_KEY", "")
MODEL = os.environ.get("THREADWISE_LIVE_MODEL", "claude-sonnet-5-5")


async def _saved(_: Stage) -> None:
    pass


@pytest.mark.slow
@pytest.mark.skipif(not KEY, reason="THREADWISE_LIVE_API_KEY is not set")
@pytest.mark.req("S4-060")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("key", KEYS)
async def test_the_real_model_submits_every_step(key: str, mode: Mode) -> None:
    extraction = Extraction(
        conversation=leading(key),
        rows=ROWS,
        component=PLAYBOOK[key],
        so_far=before(key),
        mode=mode,
        judge=judge,
        said=SaidFigures,
        unquote=str,
        tools=Research(),
        reached=_saved,
        hear=hears_nothing,
        keep=keeps_nothing,
    )
    claude = Claude(SecretStr(KEY), None, idle_seconds=180)
    settings = TurnSettings(model=MODEL, max_tokens=8_000, context_tokens=32_000)
    closed = await ExtractionTask(claude, settings, extraction, PaperDraft()).reply()
    await claude.close()
    assert isinstance(closed.calls[0], DraftExtracted), (closed.failure, closed.reference)
