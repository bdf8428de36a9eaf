"""A lock on an open file, which the kernel frees when its process ends."""

from __future__ import annotations

import fcntl

from app.core.errors import SettingsError

NO_LOCKS = (
    "A folder of Threadwise cannot be locked ({cause}). Keep it on a disk of this machine: some shared ones cannot."
)


def try_lock(descriptor: int, kind: int) -> bool:
    """Take a lock (`fcntl.LOCK_SH` or `LOCK_EX`) without waiting. Return False if another process is in the way.

    Raise `SettingsError` where the file system keeps no locks, as some network file systems do not.
    """
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise SettingsError(NO_LOCKS.format(cause=error.strerror)) from error
    return True
