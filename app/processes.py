"""Protection of this process and its children: no secret leaves by a core dump or by an environment."""

from __future__ import annotations

import ctypes
import os
import resource
import sys

PR_SET_DUMPABLE = 4
KEPT = frozenset({"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"})
"""Variables that programs need to find themselves, their files and people's language."""
KEPT_PREFIX = "LC_"


def build_environment() -> dict[str, str]:
    """Return the environment for a child process: only the variables listed here.

    A list of variables to leave out would have to know every future secret.
    """
    return {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_PREFIX)}


def forbid_dumps() -> None:
    """Forbid core dumps of this process and its children, and let only root read its memory.

    The limit alone is not enough: Linux ignores it if a program receives the dumps.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
