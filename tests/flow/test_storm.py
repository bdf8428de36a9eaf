"""A sample of `make soak`."""

from __future__ import annotations

import pytest

from tests import soak


@pytest.mark.timeout(120)
async def test_in_a_storm_every_message_is_answered_once_or_marked(mongo_uri: str) -> None:
    verdict = await soak.run(mongo_uri, turns=60, seed=20)
    assert verdict.wrong == ()
    assert verdict.whole > verdict.failed > 0
