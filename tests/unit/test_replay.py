"""The replay itself: its histories reach everything, repeat, and show where two trees part."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import pytest

from tests.replay.child import check_tree
from tests.replay.difference import describe
from tests.replay.kinds import KINDS, Played, play
from tests.replay.sessions import SESSIONS
from tests.replay.stage import noted
from tests.replay.tree import Outcome, Tree
from tests.virtual import in_virtual_time

HISTORIES = 180
"""Enough for every kind of event to be applied."""

EVENTS = frozenset(
    {
        *("message_posted", "message_edited", "message_deleted", "retry_pressed", "continue_pressed", "stop_requested"),
        *("erase_requested", "erase_confirmed", "question_answered", "archive_requested", "archive_confirmed"),
        *("reopen_requested", "schedule_cancelled", "word_asked", "summary_asked", "draft_edited", "restart_requested"),
        *("step_closed", "step_requested", "ownership_given", "decision_closed", "decision_started", "news_heard"),
        *("component_started", "idle_passed", "work_due", "turn_ended", "uses_reported", "turn_taken_up"),
        *("epoch_started", "stage_reached", "work_parked", "place_lost"),
    }
)


@cache
def tree() -> Tree:
    return Tree()


@cache
def played() -> tuple[Played, ...]:
    return tuple(play(tree(), seed) for seed in range(HISTORIES))


@cache
def calls_of(session: str) -> list[dict[str, Any]]:
    return in_virtual_time(noted(SESSIONS[session]))


def counts() -> Counter[str]:
    return sum((each.world.counts for each in played()), Counter[str]())


class OtherTree(Tree):
    """A tree that forgets to say why it refuses the stop of an answer that is over."""

    def apply(self, now: dict[str, Any], filled: dict[str, Any], cause: str) -> Outcome:
        made = super().apply(now, filled, cause)
        return replace(made, conversation=self.state(now)) if made.code == "NO_STREAM" else made


def test_histories_apply_every_kind_of_event() -> None:
    assert {what.removesuffix(" applied") for what in counts() if what.endswith(" applied")} == EVENTS


def test_histories_show_each_way_of_refusing_and_of_dying() -> None:
    codes = {what.rpartition(" ")[2] for what in counts() if " refused " in what}
    assert codes >= {"NOT_OWNER", "ARCHIVED", "ERASING", "BUSY", "STALE_RUN", "RETIRED", "PREREQUISITE", "BAD_ANSWER"}
    assert {what for what in counts() if what.startswith("died")} == {"died:again", "died:closed", "died:goes on"}


def test_histories_are_of_every_kind_in_turn() -> None:
    assert Counter(each.kind for each in played()) == dict.fromkeys(KINDS, HISTORIES // len(KINDS))


def test_a_history_is_the_same_each_time_and_whether_or_not_it_is_told() -> None:
    for seed in range(len(KINDS)):
        first, told = played()[seed], play(tree(), seed, is_told=True)
        assert (first.digest, first.world.happened) == (told.digest, [])
        assert len(told.world.happened) == told.world.counts.total()


def test_trees_that_differ_in_one_refusal_are_told_apart_at_the_event() -> None:
    seed = next(each.seed for each in played() if "stop_requested refused NO_STREAM" in each.world.counts)
    other = play(OtherTree(), seed, is_told=True)
    assert other.digest != played()[seed].digest
    before, after = ([asdict(each) for each in one.world.happened] for one in (play(tree(), seed, is_told=True), other))
    told = [*describe(before, after)]
    parting = next(place for place, line in enumerate(told) if line.startswith("→"))
    assert "reference: stop_requested refused NO_STREAM" in told[parting]
    assert all(line.startswith("  ") for line in told[:parting])
    assert any(line.startswith("-") and '"kind": "tell_privately"' in line for line in told[parting:])


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_calls_the_same_ports_in_the_same_order_each_time(name: str) -> None:
    assert calls_of(name) == in_virtual_time(noted(SESSIONS[name]))


def test_sessions_come_as_far_as_their_names_say() -> None:
    made = {name: Counter(call["what"] for call in calls_of(name)) for name in SESSIONS}
    assert made["a message and its answer"]["model.stream"] == 2
    assert made["a tool with permission, then by a rule"]["reach.post"] == 3
    assert made["a tool with permission, then by a rule"]["permissions.keep"] == 1
    assert made["a tool that is denied"]["reach.post"] == 0
    assert made["a tool that is denied"]["permissions.keep"] == 1
    assert made["an answer that is stopped"]["outlet.finish"] == 2
    assert made["an answer that failed and is tried again"]["model.stream"] == 2
    assert made["a step of a decision to its approval"]["outlet.begin_step"] == 2
    assert made["a step of a decision to its approval"]["versions.keep"] == 1
    assert made["runs of a schedule"]["model.stream"] == 4
    assert made["archived, reopened, erased"]["conversations.erase"] == 1


def test_a_port_that_is_called_with_something_else_is_told() -> None:
    before = calls_of("archived, reopened, erased")
    place = next(place for place, call in enumerate(before) if call["what"] == "outlet.tell")
    told = before[place]["made"]
    after = [*before[:place], before[place] | {"made": [*told[:-1], "erase"]}, *before[place + 1 :]]
    lines = [*describe(before, after)]
    assert [line for line in lines if line.startswith("→")] == [f"→ {place + 1:3} reference: outlet.tell"]
    assert '+  "erase"' in lines


def test_a_process_that_found_the_program_elsewhere_plays_nothing(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="was found"):
        check_tree()
