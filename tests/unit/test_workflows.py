"""The workflows of the repository: what they run, and on which Pythons."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def workflow(name: str) -> dict[Any, Any]:
    return yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8"))


def test_the_checks_are_those_of_everybody_on_each_supported_python() -> None:
    job = workflow("checks")["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14", "3.15"]
    assert {"run": "make test"} in job["steps"]
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert oldest == ">=3.11"


def test_nothing_is_released_that_has_not_passed_the_checks() -> None:
    jobs = workflow("release")["jobs"]
    assert jobs["checks"]["uses"] == "./.github/workflows/checks.yml"
    assert jobs["release"]["needs"] == "checks"


def test_properties_are_searched_every_week() -> None:
    fuzz = workflow("fuzz")
    assert fuzz[True]["schedule"] == [{"cron": "17 3 * * 0"}], "`on` is read as a truth by YAML 1.1"
    assert {"run": "make fuzz"} in fuzz["jobs"]["fuzz"]["steps"]


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_every_form_and_workflow_can_be_read(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict)
