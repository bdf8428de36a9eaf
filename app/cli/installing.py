"""Pip with one line of progress. `make` runs this file before anything is installed, so it imports nothing of ours.

`python app/cli/installing.py LOCK PIP ARGUMENT …` runs the pip command. Its own output is shown only if it fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

_LOCKED = re.compile(r"^[\w.-]+==", re.MULTILINE)
_STEPS = {"Collecting": "found", "Requirement": "found", "Installing": "installing"}
"""What the first word of a line of pip says."""


def main(lock: str, *command: str) -> int:
    """Run the command, and return its exit status. The lock file tells how many packages there are at most."""
    with open(lock, encoding="utf-8") as file:
        packages = len(_LOCKED.findall(file.read()))
    shown: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in report_progress(_keep(pip.stdout or (), shown), packages):
            if sys.stdout.isatty():
                sys.stdout.write(f"\r  {line}\033[K")
                sys.stdout.flush()
    if sys.stdout.isatty():
        sys.stdout.write("\r\033[K")
    if pip.returncode:
        sys.stdout.writelines(shown)
    return pip.returncode


def report_progress(lines: Iterable[str], packages: int) -> Iterator[str]:
    """Yield what to show after each line of pip that is a step."""
    found = 0
    for line in lines:
        match _STEPS.get(line.partition(" ")[0]):
            case "found":
                found += 1
                yield f"{min(found, packages)} of {packages} packages"
            case "installing":
                yield f"unpacking {packages} packages"
            case _:
                pass


def _keep(lines: Iterable[str], kept: list[str]) -> Iterator[str]:
    for line in lines:
        kept.append(line)
        yield line


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
