"""What `threadwise eval` is given and gives back: names of persons, an earlier report, lines of progress, two files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from app.core.errors import SettingsError
from app.evaluation import evaluation
from app.evaluation.person import Person, load_people
from app.evaluation.player import Led
from app.evaluation.score_report import Report, can_compare, render_markdown
from app.settings import Settings


def choose_people(keys: Sequence[str]) -> tuple[Person, ...]:
    """Return the persons with these keys, all of them for none. Raise `SettingsError` for an unknown one."""
    known = load_people()
    if unknown := [each for each in keys if each not in known]:
        raise SettingsError(f"There is no person {unknown[0]}. There are: {', '.join(known)}.")
    return tuple(known[each] for each in keys or known)


def read_report(path: str) -> Report | None:
    """Return the report in this file; None for no file. Raise `SettingsError` if it cannot be compared."""
    if not path:
        return None
    try:
        report: Report = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read as a report: {error}.") from error
    if not isinstance(report, dict) or not can_compare(report):
        raise SettingsError(f"{path} is no report that this version can compare with.")
    return report


async def evaluate(settings: Settings, people: Sequence[Person], seed: int, tell: Callable[[str], None]) -> Report:
    """Play, and `tell` one line for each step."""

    def describe(person: Person, led: Led) -> None:
        outcome = "approved" if led.approved else f"stuck: {led.stuck}"
        tell(f"{person.key:<22} {led.component.order} {led.component.title:<22} {led.seconds:6.1f} s  {outcome}")

    return await evaluation.evaluate(settings, people, seed, describe)


def render_files(report: Report, before: Report | None, out: str) -> dict[str, str]:
    """Return the contents of the two files by name: the report as JSON, and the page beside it."""
    page = str(Path(out).with_suffix(".md"))
    return {out: json.dumps(report, indent=2, ensure_ascii=False) + "\n", page: render_markdown(report, before)}
