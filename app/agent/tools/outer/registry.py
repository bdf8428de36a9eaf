"""All outer tools, found by their files: a module of this package that has a `TOOL` is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final

from app.agent.tools import outer
from app.agent.tools.outside import OuterTool


def _found() -> Iterator[OuterTool[Any]]:
    """In the order of their names, so that the model is offered the same list by every process."""
    for name in sorted(module.name for module in iter_modules(outer.__path__)):
        tool = getattr(import_module(f"{outer.__name__}.{name}"), "TOOL", None)
        if isinstance(tool, OuterTool):
            yield tool


OUTER: Final[Mapping[str, OuterTool[Any]]] = MappingProxyType({tool.name: tool for tool in _found()})
"""By name."""
