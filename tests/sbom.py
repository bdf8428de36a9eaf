"""The bill of materials of what runs, made from the lock file: `python -m tests.sbom` writes `sbom.json` (CycloneDX).

Asks nobody: what is locked, with its hashes, is all there is to tell. The same lock file gives the same bytes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK, BILL = ROOT / "requirements.lock", ROOT / "sbom.json"

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill(lock: str, name: str, version: str) -> dict[str, Any]:
    """Make the bill of the packages of a lock file, for a program of that name and version."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": name, "version": version}},
        "components": [*components(lock)],
    }


def components(lock: str) -> Iterator[dict[str, Any]]:
    """Give each pinned package with its version and the hashes of all its files. Raises `ValueError` without any."""
    for entry in re.split(r"\n(?=[A-Za-z0-9])", lock):
        pinned, hashes = _PINNED.match(entry), _HASH.findall(entry)
        if pinned is None:
            continue
        if not hashes:
            raise ValueError(f"{pinned['name']} is locked without a hash")
        purl = f"pkg:pypi/{re.sub(r'[-_.]+', '-', pinned['name']).lower()}@{pinned['version']}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": pinned["name"],
            "version": pinned["version"],
            "purl": purl,
            "hashes": [{"alg": "SHA-256", "content": each} for each in hashes],
        }


def main() -> None:
    """Write the bill beside the lock file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    made = bill(LOCK.read_text("utf-8"), project["name"], project["version"])
    BILL.write_text(json.dumps(made, indent=2) + "\n", "utf-8")
    print(f"{BILL.name}: {len(made['components'])} packages")


if __name__ == "__main__":
    main()
