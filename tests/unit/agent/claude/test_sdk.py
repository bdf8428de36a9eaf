"""The SDK without its unused parts, each time in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

COUNT = "print(sum(name.startswith('anthropic') for name in sys.modules))"
LEAN = "from app.agent.claude import sdk; import sys; "


def run(code: str) -> list[str]:
    """Run Python code in a new process, and give what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.req("MW-09")
def test_the_program_imports_a_third_of_the_sdk() -> None:
    (lean,), (whole,) = run(f"{LEAN}{COUNT}"), run(f"import anthropic, sys; {COUNT}")
    assert int(lean) < 0.35 * int(whole)


def test_a_part_that_is_used_later_is_the_real_one() -> None:
    use = "client = sdk.AsyncAnthropic(api_key='key'); print(type(client.beta.messages).__module__)"
    assert run(f"{LEAN}{use}") == ["anthropic.resources.beta.messages.messages"]


def test_a_version_that_cannot_do_without_a_part_is_imported_whole() -> None:
    again = (
        "[sys.modules.pop(name) for name in [*sys.modules] if name.startswith('anthropic')]; "
        "sdk.UNUSED = ('anthropic._models',); sdk.import_lean(); import anthropic; "
        "print(anthropic.BaseModel.__module__)"
    )
    assert run(f"{LEAN}{again}")[-1] == "anthropic"
