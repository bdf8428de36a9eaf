"""The components of a decision in their order, read from folders once.

A new folder adds a component. Errors in a folder are raised when it is read, not in the middle of a conversation.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from jsonschema.exceptions import SchemaError

from app.core.state.decision import DecisionStep
from app.decision.drafts.derived import MENDS
from app.decision.layout.sheets import PRESENTERS
from app.decision.playbook.found_so_far import FINDINGS
from app.decision.playbook.opening_texts import COMPUTED
from app.decision.playbook.openings import list_slots
from app.decision.rules.checks import CRITERIA, RULES
from app.decision.schema.component import Component
from app.decision.schema.terms import load_terms

_REFERENCE = re.compile(r"#/\$defs/(\w+)")
_SECTION = re.compile(r"^# *(\w+) *$", re.MULTILINE)


@dataclass(frozen=True)
class Playbook:
    """An ordered set of components."""

    components: tuple[Component, ...]

    def __getitem__(self, key: str) -> Component:
        """Return the component with this key. Raises `KeyError`."""
        return {component.key: component for component in self.components}[key]

    def earlier(self, key: str) -> tuple[Component, ...]:
        """Return the components before this one."""
        return tuple(each for each in self.components if each.order < self[key].order)

    def later(self, key: str) -> tuple[Component, ...]:
        """Return the components after this one, which a new version of it may concern."""
        return tuple(each for each in self.components if each.order > self[key].order)

    def steps(self) -> tuple[DecisionStep, ...]:
        """Return the steps of a new decision."""
        return tuple(
            DecisionStep(
                key=each.key, title=each.title, after=each.after, concerns=each.concerns, closes=each.closes_decision
            )
            for each in self.components
        )


@cache
def load_proact() -> Playbook:
    """Return the nine components that ship with Threadwise."""
    return load_playbook(_find_shipped())


def load_playbook(*roots: Traversable) -> Playbook:
    """Read every folder in the roots. Raises `ValueError` with the folder and the error."""
    folders = [folder for root in roots for folder in root.iterdir() if (folder / "component.toml").is_file()]
    components = tuple(sorted(map(_load_component, folders), key=lambda each: each.order))
    _check_order(components)
    _check_concerns(components)
    return Playbook(components)


def _find_shipped() -> Traversable:
    return files("app.decision.playbook") / "components"


def _load_component(folder: Traversable) -> Component:
    try:
        definition = tomllib.loads((folder / "component.toml").read_text("utf-8"))
        component = Component.model_validate(
            {
                **definition,
                "json_schema": _load_schema((folder / "schema.json").read_text("utf-8")),
                "opening": (folder / "opening.txt").read_text("utf-8").strip(),
                "guidance": _split_sections((folder / "guidance.txt").read_text("utf-8")),
            }
        )
        _check_names(component)
    except (OSError, ValueError, LookupError, SchemaError) as error:
        raise ValueError(f"component {folder.name!r}: {error}") from error
    return component


def _load_schema(text: str) -> Mapping[str, Any]:
    """Return the schema with the shared definitions that it refers to."""
    shared: dict[str, Any] = json.loads((_find_shipped() / "definitions.json").read_text("utf-8"))
    used = set(_REFERENCE.findall(text))
    return {**json.loads(text), "$defs": {name: shared[name] for name in sorted(used)}}


def _split_sections(text: str) -> dict[str, str]:
    _, *parts = _SECTION.split(text)
    return {name: section.strip() for name, section in zip(parts[::2], parts[1::2], strict=True)}


def _check_names(component: Component) -> None:
    criteria = (each.rule for each in component.criteria if each.rule)
    computed = (slot for slot in list_slots(component.opening) if "." not in slot)
    named = [
        (component.rules, RULES),
        (component.mends, MENDS),
        (criteria, CRITERIA),
        (computed, COMPUTED),
        ([component.sheet], PRESENTERS),
        (component.findings, FINDINGS),
        ((*component.terms, *component.explained), {**load_terms()["terms"], **load_terms()}),
    ]
    unknown = [name for names, known in named for name in names if name not in known]
    if unknown:
        raise ValueError(f"nothing is called {', '.join(unknown)}")


def _check_order(components: tuple[Component, ...]) -> None:
    seen: list[str] = []
    orders = [each.order for each in components]
    for each in components:
        named = [*(slot for slot in list_slots(each.opening) if "." in slot), *each.lacking]
        sources = [path.partition(".")[0] for path in named]
        late = [key for key in (*sources, *filter(None, [each.after])) if key not in seen]
        if late or each.key in seen or orders.count(each.order) > 1:
            raise ValueError(f"component {each.key!r} is there twice, or out of order: {', '.join(late)}")
        seen.append(each.key)


def _check_concerns(components: tuple[Component, ...]) -> None:
    keys = [each.key for each in components]
    for index, each in enumerate(components):
        if strange := [key for key in each.concerns if key not in keys[index + 1 :]]:
            raise ValueError(f"component {each.key!r} concerns what does not come later: {', '.join(strange)}")
