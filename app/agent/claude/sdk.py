"""What is used of Anthropic's SDK. It is imported here alone, without the parts that nothing uses.

The SDK imports the types of its whole API at once, those of its beta and organization parts and its clients for other
clouds too: two thirds of its modules, and 30 MB. While it is imported, empty modules stand in their place. Whoever
imports such a part later gets the real one. A version of the SDK that cannot do without them is imported whole.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import structlog

log = structlog.get_logger(__name__)

SDK = "anthropic"
UNUSED = tuple(
    f"{SDK}.{part}"
    for part in (
        "lib.aws",
        "lib.bedrock",
        "lib.foundry",
        "lib.google_cloud",
        "lib.streaming",
        "lib.tools",
        "lib.vertex",
        "resources.beta",
        "resources.organization",
        "types.beta",
        "types.organization",
    )
)
"""Packages and modules of the SDK that are left out, with all that is in them."""

BROKEN = (ImportError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError)
"""What a module raises that cannot do without one of them."""


class _Empty(ModuleType):
    """A module that gives an empty class for each name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _LeavingOut(MetaPathFinder, Loader):
    """Finder of the parts that are left out."""

    def __init__(self) -> None:
        self.empty: list[str] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        """Return an empty module's spec for a part that is left out, None for any other module."""
        if not any(fullname == part or fullname.startswith(f"{part}.") for part in UNUSED):
            return None
        self.empty.append(fullname)
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the empty module."""
        return _Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it stays empty."""


@contextmanager
def _leaving_out() -> Generator[None]:
    finder = _LeavingOut()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in finder.empty:
            sys.modules.pop(name, None)


def import_lean() -> None:
    """Import the SDK without the unused parts, unless it is imported already."""
    if SDK in sys.modules:
        return
    try:
        with _leaving_out():
            import_module(SDK)
    except BROKEN as error:
        log.warning("sdk_imported_whole", error=type(error).__name__)
        for name in [name for name in sys.modules if name == SDK or name.startswith(f"{SDK}.")]:
            del sys.modules[name]


import_lean()

from anthropic import (  # noqa: E402 - after it is known which parts are left out
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    AsyncStream,
    DefaultAsyncHttpxClient,
    transform_schema,
)

__all__ = [
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncAnthropic",
    "AsyncStream",
    "DefaultAsyncHttpxClient",
    "transform_schema",
]
