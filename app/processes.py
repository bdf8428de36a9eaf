"""Our own process and those that it starts: no secret leaves by a core dump or by an environment."""

from __future__ import annotations

import ctypes
import os
import resource
import sys

PR_SET_DUMPABLE = 4
KEPT = frozenset({"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"})
"""What programs need to find themselves, their files and people's language."""
KEPT_PREFIX = "LC_"


def clean_environment() -> dict[str, str]:
    """Return the environment for a process that we start: what is listed here of ours, and nothing else.

    A list of what is left out would have to know every secret there will ever be.
    """
    return {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_PREFIX)}


def forbid_dumps() -> None:
    """Leave no core dump of this process, nor of those that it starts, and let nobody but root read its memory.

    The limit alone would not do: Linux ignores it where a program takes dumps in.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
