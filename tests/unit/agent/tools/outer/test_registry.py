"""The registry: what lies in the folder is offered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.agent.tools import outer
from app.agent.tools.box import TOOLS
from app.agent.tools.outer.registry import OUTER
from app.agent.tools.outside import Effect, OuterTool

NO_TOOLS = {"__init__", "material", "own", "registry", "results"}


def test_every_file_of_the_folder_is_one_tool_of_its_name() -> None:
    (folder,) = outer.__path__
    files = {path.stem for path in Path(folder).glob("*.py")} - NO_TOOLS
    assert list(OUTER) == sorted(files)
    assert len(files) == 7
    assert not OUTER.keys() & TOOLS.keys()


@pytest.mark.parametrize("tool", OUTER.values(), ids=OUTER)
def test_a_tool_that_writes_says_for_what_it_asks_and_one_that_reads_asks_nothing(tool: OuterTool[Any]) -> None:
    assert (tool.purpose is not None) == (tool.effect is Effect.WRITE)


@pytest.mark.parametrize("tool", OUTER.values(), ids=OUTER)
def test_the_api_is_offered_a_closed_schema_in_which_every_field_is_explained(tool: OuterTool[Any]) -> None:
    spec = tool.spec()
    schema = spec["input_schema"]
    assert (spec["name"], schema["additionalProperties"]) == (tool.name, False)
    assert json.dumps(spec)
    assert all("description" in field or "$ref" in field for field in schema["properties"].values())
