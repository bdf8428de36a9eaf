"""What people read of tools: what is being done, how far it is, and the line that stays when the turn is over."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.agent.activity import describe_traces, describe_work, trace_uses
from app.agent.tools.external.discovery import EXTERNAL_TOOLS
from app.agent.tools.tool import ExternalTool
from app.core.conversation.conversation import MessageStatus
from app.core.state.permission import PermissionVerdict
from app.core.state.tool_use import UNKNOWN_OUTCOME, Use, UseState
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.outside_turns import FREELY, LOOK, PUT, Outside, resumed
from tests.unit.agent.scripted import answers


def say_nothing(_: object) -> str:
    return ""


LISTED = replace(EXTERNAL_TOOLS["date_and_time"], name="tracker__list_tickets", working=say_nothing, trace=say_nothing)
PUT_UP = replace(EXTERNAL_TOOLS["post_message"], name="tracker__put_ticket", working=say_nothing, trace=say_nothing)
TOOLS: dict[str, ExternalTool[Any]] = {**EXTERNAL_TOOLS, LISTED.name: LISTED, PUT_UP.name: PUT_UP}


def use(tool: str, **given: Any) -> Use:
    return Use(id="u1", tool=tool, input=json.dumps(given))


def reading(*channels: str) -> list[Use]:
    return [use("read_channel", channel=each) for each in channels]


def line(*results: tuple[str, Any], failed: bool = False) -> str:
    """The line after these results: of each the tool, and what it brought."""
    calls = [{"type": "tool_use", "id": str(place), "name": tool} for place, (tool, _) in enumerate(results)]
    came = [
        {"type": "tool_result", "tool_use_id": str(place), "content": json.dumps(brought), "is_error": failed}
        for place, (_, brought) in enumerate(results)
    ]
    said = [{"role": "assistant", "content": calls}, {"role": "user", "content": came}]
    return describe_traces(trace_uses(said, TOOLS))


def heard(channel: str, count: int) -> tuple[str, Any]:
    return "read_channel", {"query": {"channel": channel}, "messages": [{"text": "hi"}] * count}


OTHER: tuple[str, Any] = ("read_conversation", {"about": {"title": "Pay"}, "messages": []})
POSTED: tuple[str, Any] = ("post_message", {"query": {"channel": "#team"}, "address": "https://a.example/1"})


@pytest.mark.req("AG-04")
def test_while_tools_work_a_line_says_what_with_and_how_many_are_done() -> None:
    assert describe_work(reading("#ops"), TOOLS) == "⏳ _Reading #ops …_"
    assert describe_work(reading("ops", "#board", ""), TOOLS, 1) == (
        "⏳ _Reading #ops, reading #board and reading this channel, 1 of 3 …_"
    )
    many = describe_work(reading(*(f"#c{number}" for number in range(8))), TOOLS, 3)
    assert many == "⏳ _Reading #c0, reading #c1, reading #c2, reading #c3 and 4 more, 3 of 8 …_"
    assert describe_work([], TOOLS) == ""


@pytest.mark.req("AG-04")
def test_what_is_done_several_times_at_once_is_named_once() -> None:
    files = [use("read_file", file=name) for name in ("a.pdf", "b.pdf", "c.pdf")]
    assert describe_work(files, TOOLS, 1) == "⏳ _Reading a file, 1 of 3 …_"


@pytest.mark.req("AG-04")
def test_what_was_posted_more_than_once_says_how_often() -> None:
    assert line(POSTED, POSTED) == "Posted to #team (2 times)"


@pytest.mark.req("AG-04")
def test_a_tool_of_a_server_that_writes_was_used_and_not_looked_at() -> None:
    assert line((PUT_UP.name, {"said": "done"})) == "Used “put ticket” of the server tracker"


@pytest.mark.req("IN-11", "AG-04")
def test_people_are_told_of_a_write_that_may_have_been_done_whatever_the_model_says_of_it() -> None:
    said = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "u1", "name": "post_message", "input": {"channel": "#team"}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "u1", "content": UNKNOWN_OUTCOME, "is_error": True}],
        },
    ]
    assert describe_traces(trace_uses(said, TOOLS)) == "Posting to #team: I do not know whether it was done"


@pytest.mark.req("AG-04")
def test_the_line_names_no_id_no_address_and_no_raw_name_of_a_tool() -> None:
    for place in ("C0123ABCD", "https://acme.slack.com/archives/C0123ABCD", "ops; and `more`", "*x*"):
        assert describe_work(reading(place), TOOLS) == "⏳ _Reading a channel …_"
    assert describe_work([use("read_channel", thread="C0123ABCD:1.000001")], TOOLS) == "⏳ _Reading a thread …_"
    assert describe_work([use(LISTED.name)], TOOLS) == "⏳ _Using “list tickets” of the server tracker …_"
    assert describe_work([Use(id="u1", tool="read_channel", input="[]")], TOOLS) == "⏳ _Using read channel …_"
    assert line((LISTED.name, {"said": "T-1"})) == "Looked at “list tickets” of the server tracker"


def test_every_tool_of_ours_has_words_of_its_own_for_both() -> None:
    bare = ExternalTool.__dataclass_fields__
    mute = [
        name
        for name, tool in EXTERNAL_TOOLS.items()
        if tool.working is bare["working"].default or tool.trace is bare["trace"].default
    ]
    assert mute == []
    words = [describe_work([use(name)], TOOLS) for name in EXTERNAL_TOOLS]
    assert not [each for each in words if "Using" in each or "__" in each]


@pytest.mark.req("AG-04")
def test_when_it_is_over_one_line_says_what_was_looked_at_and_what_was_done() -> None:
    assert line(heard("#ops", 20), OTHER, OTHER, POSTED) == (
        "Looked at #ops (20 messages) and 2 conversations; posted to #team"
    )
    assert line(POSTED) == "Posted to #team"
    assert line(heard("#ops", 1), heard("#ops", 1)) == "Looked at #ops (1 message)"
    assert line(("read_step", {"query": {"step": "problem_frame"}})) == "Looked at the step problem frame"
    assert line(("create_file", {"file": "rota.md"})) == "Put rota.md into this thread"
    assert line(heard("#ops", 2), failed=True) == ""
    assert line(("set_goal", {})) == ""


def test_what_a_result_says_cannot_make_the_line_look_otherwise_or_grow() -> None:
    hostile: tuple[str, Any] = ("read_channel", {"query": {"channel": "#a*b`\n_c_" + "x" * 500}, "messages": []})
    assert "*" not in line(hostile)
    assert "\n" not in line(hostile)
    assert len(line(hostile)) < 110
    assert line(("read_channel", "cut off")) == "Looked at read channel"
    assert line(*(heard(f"#c{number}", 1) for number in range(9))).endswith("#c3 (1 message) and 5 more")


@pytest.mark.req("AG-04")
async def test_a_turn_shows_how_many_are_done_and_its_row_keeps_the_line() -> None:
    second = replace(LOOK, id="l2")
    taken = Outside(answers(LOOK, second, text="I look."), answers(PUT), answers(text="Done."), shop=Workshop(FREELY))
    closed = await taken.closed()
    shown = [each for each in taken.draft.shown if "⏳" in each]
    assert shown[:2] == [f"I look.\n\n⏳ _Using look, {done} of 2 …_" for done in (0, 1)]
    assert closed.activity == "Looked at look; used put"
    assert all(word not in closed.activity for word in ("attic", "Hi"))


async def test_a_turn_that_did_nothing_outside_or_was_refused_has_no_line() -> None:
    assert (await Outside(answers(text="Hello.")).closed()).activity == ""
    denied = Workshop({"look": PermissionVerdict.DENIED})
    taken = Outside(answers(LOOK), answers(text="I may not."), shop=denied)
    assert (await taken.closed()).activity == ""


@pytest.mark.req("AG-04")
async def test_with_the_loop_off_a_pause_has_the_line_of_its_round() -> None:
    taken = Outside(answers(ToolUse(id="l1", name="look", input={})), shop=Workshop(FREELY), autonomous=False)
    closed = await taken.closed()
    assert (closed.status, closed.activity) == (MessageStatus.LIMITED, "Looked at look")


@pytest.mark.req("AG-04")
async def test_a_turn_that_waits_to_be_allowed_something_knows_what_its_open_round_has_done_already() -> None:
    held = await Outside(answers(LOOK, PUT, replace(PUT, id="p2"))).closed()
    assert held.activity == "Looked at look"
    first = Outside(answers(LOOK, PUT, replace(PUT, id="p2", input={"to": "attic"})))
    waiting = await first.closed()
    again = await Outside(now=resumed(waiting, first.turn, UseState.ALLOWED), row=waiting).closed()
    assert (again.status, again.activity) == (MessageStatus.HELD, "Looked at look; used put")
