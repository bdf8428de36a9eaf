"""A lock on an open file, which the kernel frees when its process ends."""

from __future__ import annotations

import fcntl


def try_lock(descriptor: int, kind: int) -> bool:
    """Take a lock (`fcntl.LOCK_SH` or `LOCK_EX`) without waiting. Return False if another process is in the way."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
