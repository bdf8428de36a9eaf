"""Registry of external tools. Each module of this package with a `TOOL` in it is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, Final

from app.agent.tools import external
from app.agent.tools.context import Access, Offer
from app.agent.tools.tool import ExternalTool, ToolSpec


def find_tools(package: ModuleType) -> Mapping[str, ExternalTool[Any]]:
    """Return the tools of a package, in the order of their files, so that every process offers the model the same list.

    Raises `ValueError` or `TypeError` with the name of the file if a tool is not whole.
    """
    tools = dict(_load(package))
    for name, tool in tools.items():
        if fault := _find_fault(tool, name):
            raise ValueError(f"the tool in {name}.py {fault}")
    return MappingProxyType(tools)


def _load(package: ModuleType) -> Iterator[tuple[str, ExternalTool[Any]]]:
    for name in sorted(module.name for module in iter_modules(package.__path__)):
        tool = getattr(import_module(f"{package.__name__}.{name}"), "TOOL", None)
        if isinstance(tool, ExternalTool):
            yield name, tool
        elif isinstance(tool, ToolSpec):
            raise TypeError(f"the tool in {name}.py is no ExternalTool")


def _find_fault(tool: ExternalTool[Any], name: str) -> str:
    """Return what the type checker cannot see: parts of a tool that do not fit together. Empty if they do."""
    faults = {
        f"is called {tool.name!r}": tool.name != name,
        "needs an access: it reads or it writes": tool.access is Access.NONE,
        "writes, and needs a prompt for its owner": tool.access is Access.WRITE and tool.prompt is None,
        "writes, so that no step may offer it": tool.access is Access.WRITE and Offer.STEPS in tool.offered,
        "needs scopes for its prompt": tool.prompt is not None and not tool.scopes,
        "needs a prompt for its scopes": tool.prompt is None and bool(tool.scopes),
    }
    return next((fault for fault, is_there in faults.items() if is_there), "")


def select_tools(tools: Mapping[str, ExternalTool[Any]], offer: Offer) -> dict[str, ExternalTool[Any]]:
    """Return the tools that are offered in such a thread, in the same order."""
    return {name: tool for name, tool in tools.items() if offer in tool.offered}


EXTERNAL_TOOLS: Final[Mapping[str, ExternalTool[Any]]] = find_tools(external)
"""By name."""
