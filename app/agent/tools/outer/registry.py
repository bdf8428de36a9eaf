"""All outer tools, found by their files: a module of this package that has a `TOOL` is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, Final

from app.agent.tools import outer
from app.agent.tools.outside import OuterTool


def found(package: ModuleType) -> Mapping[str, OuterTool[Any]]:
    """The tools of a package, in the order of their files, so that every process offers the model the same list.

    Raises `ValueError` for a tool that does not bear the name of its file.
    """
    return MappingProxyType({tool.name: tool for tool in _tools(package)})


def _tools(package: ModuleType) -> Iterator[OuterTool[Any]]:
    for name in sorted(module.name for module in iter_modules(package.__path__)):
        tool = getattr(import_module(f"{package.__name__}.{name}"), "TOOL", None)
        if isinstance(tool, OuterTool):
            if tool.name != name:
                raise ValueError(f"the tool in {name}.py is called {tool.name!r}")
            yield tool


OUTER: Final[Mapping[str, OuterTool[Any]]] = found(outer)
"""By name."""
