"""An evaluation: persons play decisions with the real app on embedded parts, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from app.cli import demo, demo_folder, headless
from app.clock import SystemClock
from app.evaluation.person import Person
from app.evaluation.play import Play
from app.evaluation.play_reader import read_play
from app.evaluation.player import Led, Player
from app.evaluation.prompt_versions import list_prompt_versions
from app.evaluation.score_report import Report, build_report
from app.playground.claude import Pace
from app.playground.claude.demo.model import rehearsal
from app.playground.slack import SlackOptions, SlackPlayground
from app.settings import Settings

SCRIPTED = "the scripted demo model"
_SCRIPTED_COST = "The scripted model costs nothing: the cost is what {model} would take for as many tokens."
REQUESTS = 4
"""Requests to the model that one message may lead to: tools, an answer, a summary and its data."""
_BRISK = Pace(chunk=400)

Tell = Callable[[Person, Led], None]


async def evaluate(settings: Settings, people: Sequence[Person], seed: int, tell: Tell) -> Report:
    """Return the report of these persons' plays. Without an Anthropic key the scripted demo model answers.

    A person waits for an answer as long as the settings give the model for `REQUESTS` requests.
    """
    is_scripted = not settings.anthropic_api_key.get_secret_value()
    clock = SystemClock()
    unhurried = settings.model_copy(update=dict.fromkeys(headless.UNLIMITED, 0))
    slack = SlackPlayground(SlackOptions(limits=False, seed=demo_folder.create_seed(), **demo.build_registration()))
    plays: list[Play] = []
    await slack.start()
    try:
        answer = rehearsal(_BRISK) if is_scripted else None
        async with demo.run_in_emulator(unhurried, slack, answer, headless.open_unpaced_store) as running:
            for person in people:
                player = Player(person, seed, slack, running, clock, REQUESTS * settings.request_seconds)
                await player.play(lambda led, person=person: tell(person, led))
                plays.append(await read_play(player, running.store, clock.now().date()))
    finally:
        await slack.stop()
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
