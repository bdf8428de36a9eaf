"""An evaluation: persons play decisions with the real app on embedded parts, one after the other.

What `threadwise eval` is given and gives back: names of persons, an earlier report, lines of progress, two files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urlsplit

from app.cli.demo import headless
from app.clock import SystemClock
from app.core.errors import SettingsError
from app.decision.playbook.playbook import load_proact
from app.evaluation.person import Person, load_people
from app.evaluation.play import Play
from app.evaluation.play_reader import read_play
from app.evaluation.player import Led, Player
from app.evaluation.score_report import Report, build_report, can_compare, render_markdown
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from app.settings import Settings

SCRIPTED = "the scripted demo model"
_SCRIPTED_COST = "The scripted model costs nothing: the cost is what {model} would take for as many tokens."
REQUESTS = 4
"""Requests to the model that one message may lead to: tools, an answer, a summary and its data."""
DIGITS = 8
"""Characters of a digest that tells changed prompts from unchanged ones."""
_BRISK = Pace(chunk=400)


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
    """Return the report of these persons' plays, and `tell` one line for each step.

    Without an Anthropic key the scripted demo model answers. A person waits for an answer as long as the settings give
    the model for `REQUESTS` requests.
    """

    def describe(person: Person, led: Led) -> None:
        outcome = "approved" if led.approved else f"stuck: {led.stuck}"
        tell(f"{person.key:<22} {led.component.order} {led.component.title:<22} {led.seconds:6.1f} s  {outcome}")

    is_scripted = not settings.anthropic_api_key.get_secret_value()
    clock = SystemClock()
    plays: list[Play] = []
    async with headless.run_unhurried(settings, rehearsal(_BRISK) if is_scripted else None) as (slack, running):
        for person in people:
            player = Player(person, seed, slack, running, clock, REQUESTS * settings.request_seconds)
            await player.play(partial(describe, person))
            plays.append(await read_play(player, running.store, clock.now().date()))
    about = {
        "model": SCRIPTED if is_scripted else settings.model,
        "address": "this machine" if is_scripted else _name_host(settings.anthropic_base_url),
        "date": clock.now().date().isoformat(),
        "seed": seed,
        "remark": _SCRIPTED_COST.format(model=settings.model) if is_scripted else "",
        "prompts": list_prompt_versions(),
    }
    return build_report(plays, about)


def _name_host(url: str) -> str:
    """Return the host alone: an address may hold a key."""
    return urlsplit(url).hostname or ""


def render_files(report: Report, before: Report | None, out: str) -> dict[str, str]:
    """Return the contents of the two files by name: the report as JSON, and the page beside it."""
    page = str(Path(out).with_suffix(".md"))
    return {out: json.dumps(report, indent=2, ensure_ascii=False) + "\n", page: render_markdown(report, before)}


def list_prompt_versions() -> dict[str, str]:
    """Return the version of each step's prompt as `3 (1f2e3d4c)`.

    The digest covers the texts and the schema of the step, and the texts that all steps share.
    """
    playbook = files("app.decision.playbook")
    shared = list(_list_texts(playbook / "prompts"))
    return {
        each.key: f"{each.prompt_version} ({_digest(shared + list(_list_texts(playbook / 'components' / each.key)))})"
        for each in load_proact().components
    }


def _list_texts(folder: Traversable) -> Iterator[str]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_file():
            yield each.read_text("utf-8")


def _digest(texts: list[str]) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:DIGITS]
