"""What is sent to the model of each tool, by digest: thinking is bound to it, and the cache too.

Where one differs on purpose, its line in the fixture is replaced by what the failing test shows.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.agent.extraction.submission import build_submission_tool
from app.agent.tool_runner import ToolRunner
from app.agent.tools.context import Offer
from app.agent.tools.conversation.thread_toolset import ThreadToolset
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, select_tools
from app.decision.playbook.playbook import load_proact
from tests.unit.agent.tools.sat import Box, interviewed
from tests.unit.decision.components.worked import KEYS

Json = dict[str, Any]

SENT: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parents[3] / "fixtures" / "tools.json").read_text("utf-8")
)
"""Of a free thread and of each step the tools in order: name, and digest of the spec as it is sent."""


def listed(*specs: Json) -> list[list[str]]:
    return [[spec["name"], sha256(json.dumps(spec).encode()).hexdigest()[:16]] for spec in specs]


def outside(offer: Offer) -> list[Json]:
    runner = ToolRunner(tools=select_tools(EXTERNAL_TOOLS, offer))
    return [*(runner.fold_lookups() if offer is Offer.STEPS else runner).specs]


def test_a_free_thread_sends_the_tools_that_it_always_sent_in_their_order() -> None:
    assert listed(*ThreadToolset.specs, *outside(Offer.FREE)) == SENT["free"]


@pytest.mark.parametrize("key", KEYS)
def test_a_step_sends_the_tools_that_it_always_sent_in_their_order(key: str) -> None:
    specs = Box(interviewed(component=key)).tools.specs
    assert listed(*specs, *outside(Offer.STEPS), build_submission_tool(load_proact()[key])) == SENT[key]


def test_every_step_has_its_list() -> None:
    assert {*SENT} == {"free", *KEYS}
