"""The ids that Slack sends back, by their kind."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.slack import action_ids

SUFFIXES = ("_PREFIX", "_WINDOW", "_FIELD", "_BLOCK", "_SHORTCUT")


def ids(suffix: str) -> Mapping[str, str]:
    """Those whose name ends so, by their name."""
    named = {name: value for name, value in vars(action_ids).items() if name.isupper() and isinstance(value, str)}
    return {name: value for name, value in named.items() if name.endswith(suffix)}


def actions() -> Mapping[str, str]:
    """What a single control is called, by its name."""
    answers = {f"ANSWER_BUTTONS[{place}]": value for place, value in enumerate(action_ids.ANSWER_BUTTONS)}
    return answers | {name: value for name, value in ids("").items() if not name.endswith(SUFFIXES)}
