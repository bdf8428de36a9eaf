"""The verdict on what was done outside: it must find what is wrong, and find nothing where nothing is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.copy import permission_cards
from app.core.state.permission import PermissionChoice
from app.playground.claude import Message, Prompt
from app.playground.claude.api.models import MODELS
from app.playground.slack import Message as Shown
from handlers.slack import action_ids
from handlers.views.kit import blocks
from tests.crash import poster
from tests.crash.poster import MENU, NEWS, ROTA, decides, told_of
from tests.crash.verdict import Kind
from tests.crash.verdict_outside import Outside, Post, judge

POSTED = Post(text=ROTA, times=1)
WELL = Outside(posts=(POSTED, replace(POSTED, text=MENU)), closing=(("All done.", 1),))


def found(**changed: Any) -> list[Kind]:
    return [wrong.kind for wrong in judge(replace(WELL, **changed))]


def posts(first: Post) -> dict[str, Any]:
    return {"posts": (first, replace(POSTED, text=MENU))}


def test_each_post_once_and_all_said_once_is_right() -> None:
    assert found() == []


@pytest.mark.parametrize(("times", "kind"), [(0, Kind.LOST), (2, Kind.TWICE)])
def test_a_post_that_is_missing_or_repeated_is_found(times: int, kind: Kind) -> None:
    assert found(**posts(replace(POSTED, times=times))) == [kind]


@pytest.mark.parametrize("times", [0, 1])
def test_of_what_nobody_knows_both_the_model_and_people_must_be_told_once(times: int) -> None:
    unsure = posts(replace(POSTED, times=times, unsure=True))
    assert found(**unsure, unsure=1) == []
    assert found(**unsure) == [Kind.LOST]
    assert found(**unsure, unsure=2) == [Kind.TWICE]
    assert found(unsure=1) == [Kind.TWICE]


def test_that_nobody_knows_about_it_excuses_no_second_post() -> None:
    assert found(**posts(replace(POSTED, times=2, unsure=True)), unsure=1) == [Kind.TWICE]


def test_a_post_that_nobody_wanted_is_found() -> None:
    assert found(strays=("Hello",)) == [Kind.STRAY]


@pytest.mark.parametrize(("times", "kind"), [(0, Kind.LOST), (2, Kind.TWICE)])
def test_words_and_rules_that_are_missing_or_repeated_are_found(times: int, kind: Kind) -> None:
    assert found(closing=(("All done.", times),)) == [kind]
    assert found(rules=times) == [kind]


def test_a_card_or_a_message_that_was_left_as_it_was_is_found() -> None:
    assert found(open_cards=1) == [Kind.HALF]
    assert found(busy=1) == [Kind.HALF]


# What it reads


def prompted(*messages: Message) -> Prompt:
    return Prompt(body={}, model=next(iter(MODELS.values())), system=(), tools=(), messages=messages)


def used(text: str, *, failed: bool) -> Prompt:
    use = {"type": "tool_use", "id": "t1", "name": "post_message", "input": {"text": text}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"} | ({"is_error": True} if failed else {})
    return prompted(Message("assistant", (use,)), Message("user", (result,)))


def noted(words: str) -> Prompt:
    return prompted(Message("user", ({"type": "text", "text": f"<note>{words}</note>\n\n{MENU}"},)))


def test_the_model_knows_what_was_done_by_its_result_and_repeats_what_failed() -> None:
    assert told_of(used(ROTA, failed=False), ROTA) == "done"
    assert told_of(used(ROTA, failed=False), MENU) == ""
    assert told_of(used(ROTA, failed=True), ROTA) == ""


def test_the_model_knows_what_was_done_by_a_note_and_what_nobody_knows_too() -> None:
    done = noted(permission_cards.DONE_FOR_MODEL.format(done=f"post to #ops (“{ROTA}”)"))
    unsure = noted(permission_cards.UNKNOWN_FOR_MODEL.format(tool="post_message", what=f"post to #ops (“{ROTA}”)"))
    assert (told_of(done, ROTA), told_of(done, MENU)) == ("done", "")
    assert (told_of(unsure, ROTA), told_of(unsure, MENU)) == ("unsure", "")


def card(text: str, covers: str = permission_cards.COVERS) -> Shown:
    shown = [{"type": "section", "text": {"type": "mrkdwn", "text": text}}, blocks.build_context(covers)]
    return Shown("C1", "2.0", "U1", "post to #ops?", "1.0", shown)


def test_she_allows_one_post_this_time_and_another_for_good_and_presses_nothing_elsewhere() -> None:
    pressed = [decides(card(text)) for text in (ROTA, MENU, NEWS)]
    assert pressed == [f"{action_ids.ANSWER_PREFIX}{place}" for place in (0, 1, 0)]
    assert poster.CHOICES[MENU] is PermissionChoice.ALWAYS
    assert decides(card("Hello")) == ""
    assert decides(card(ROTA, covers="Posted for Maya")) == ""
