"""Versions of the prompts that a report names, each with a digest that tells a changed text from an unchanged one."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from app.decision.playbook.playbook import load_proact

DIGITS = 8


def list_prompt_versions() -> dict[str, str]:
    """Return the version of each step's prompt as `3 (1f2e3d4c)`.

    The digest covers the texts and the schema of the step, and the texts that all steps share.
    """
    playbook = files("app.decision.playbook")
    shared = list(_list_texts(playbook / "prompts"))
    return {
        each.key: f"{each.prompt_version} ({_digest(shared + list(_list_texts(playbook / 'components' / each.key)))})"
        for each in load_proact().components
    }


def _list_texts(folder: Traversable) -> Iterator[str]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_file():
            yield each.read_text("utf-8")


def _digest(texts: list[str]) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:DIGITS]
