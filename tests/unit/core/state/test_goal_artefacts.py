"""The names of what was made: kept for as long as the thread lives, so each of them is short."""

from __future__ import annotations

import pytest

from app.core.conversation.call import Call
from app.core.state.goal import GoalNamed, GoalType, WorkFinished
from tests.unit.core.live import Live

NAMED = GoalNamed(type=GoalType.QUESTION_ANSWER, description="What a rota costs")
LONG = "rota " * 10_000


@pytest.mark.parametrize(
    ("text", "calls"),
    [("Here.", (NAMED, WorkFinished(artefacts=(LONG,)))), (f'<artifact title="{LONG}">', ())],
    ids=["told by a call", "told in words"],
)
def test_a_name_as_long_as_a_book_is_cut(text: str, calls: tuple[Call, ...]) -> None:
    live = Live().talks("Tell me about rotas", NAMED).says("Go on").replies(text, *calls)
    assert live.now.goals.goal is not None
    (name,) = live.now.goals.goal.artefacts
    assert (name[:5], len(name)) == ("rota ", 200)
