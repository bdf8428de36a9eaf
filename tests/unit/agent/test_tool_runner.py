"""The hands of a turn: what is judged, in which order things are done, and what is told before and after."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from app.agent.tool_runner import ATTEMPTS, AWAY, FAILED, NO_TOOLS, RENAMED, ToolRunner, open_use
from app.core.errors import ForbiddenMeanwhile, OutcomeUnknown, OutOfReach, SlackRefused, SlackUnavailable
from app.core.state.permission import PermissionRequest, PermissionVerdict
from app.core.state.tool_use import DENIED, UNKNOWN_OUTCOME, Use, UseState
from tests.fakes import virtual
from tests.unit.agent.outer_tools import Given, Workshop, fails, forever

AWAY_NOW = SlackUnavailable("secret", after=0.0)
ALLOWED = {"ops": PermissionVerdict.ALLOWED}


def put(id_: str = "p1", to: str = "ops", text: str = "Hi") -> Use:
    return open_use(id_, "put", {"to": to, "text": text})


def look(id_: str = "l1", text: str = "Hi") -> Use:
    return open_use(id_, "look", {"text": text})


async def written(shop: Workshop, *uses: Use) -> list[Use]:
    return await shop.hands.write(uses, shop.report)


@pytest.mark.req("S3-091")
async def test_what_only_reads_runs_side_by_side_and_keeps_its_order() -> None:
    met = asyncio.Barrier(3)

    async def meets(given: Given) -> str:
        await met.wait()
        return given.text

    shop = Workshop(looks=meets)
    async with asyncio.timeout(5):
        done = await shop.hands.read([look("l1", "a"), put(), look("l2", "b"), look("l3", "c")])
    assert [(use.id, use.state, use.result) for use in done] == [
        ("l1", UseState.DONE, "a"),
        ("p1", UseState.OPEN, ""),
        ("l2", UseState.DONE, "b"),
        ("l3", UseState.DONE, "c"),
    ]
    assert shop.done == []


async def test_what_was_read_is_not_read_again() -> None:
    shop = Workshop(looks=fails(AssertionError()))
    known = replace(look(), state=UseState.DONE, result="known")
    assert await shop.hands.read([known]) == [known]


async def test_what_the_workspace_denies_is_not_read() -> None:
    shop = Workshop({"look": PermissionVerdict.DENIED})
    (use,) = await shop.hands.read([look()])
    assert (use.state, use.failed, use.result) == (UseState.DONE, True, DENIED.format(tool="look"))
    assert use.result.startswith("Permission to use look denied")
    assert shop.judged == [PermissionRequest(tool="look", scope="", reads=True)]


async def test_what_is_allowed_is_told_before_it_begins_and_after_it_is_done_in_order() -> None:
    shop = Workshop(ALLOWED)
    uses = await written(shop, put("p1", text="one"), put("p2", text="two"))
    assert shop.told == [
        (("p1", "started"), ("p2", "open")),
        (("done", "one"),),
        (("p1", "done"), ("p2", "open")),
        (("p1", "done"), ("p2", "started")),
        (("done", "two"),),
        (("p1", "done"), ("p2", "done")),
    ]
    assert [(use.state, use.result, use.failed, use.since) for use in uses] == [
        (UseState.DONE, "ops: one", False, "1770000000.000009"),
        (UseState.DONE, "ops: two", False, "1770000000.000009"),
    ]


async def test_it_is_done_under_the_models_own_id_so_that_it_is_done_once() -> None:
    shop = Workshop(ALLOWED)
    await written(shop, put("p1"))
    assert shop.done == [("p1", "Hi")]
    assert shop.contexts[-1] == ("p1", "")


async def test_the_first_that_is_to_be_asked_about_stops_the_rest() -> None:
    shop = Workshop(ALLOWED)
    uses = await written(shop, put("p1"), put("p2", "attic", "secret plans"), put("p3"))
    assert [use.state for use in uses] == [UseState.DONE, UseState.ASKED, UseState.OPEN]
    asked = uses[1]
    assert (asked.title, asked.shown, asked.scope, asked.covers) == (
        "post to #attic",
        "secret plans",
        "attic",
        "posting to #attic",
    )
    assert shop.judged[-2] == PermissionRequest(tool="put", scope="attic", reads=False, covers="posting to #attic")
    assert shop.judged[-1].ahead, "the next one is only looked at, and nothing of it is counted"
    assert [key for key, _ in shop.done] == ["p1"]


@pytest.mark.req("AG-09")
async def test_every_later_write_that_would_be_asked_about_is_asked_about_with_the_first() -> None:
    shop = Workshop(ALLOWED)
    wanted = put("p1", "attic"), put("p2"), put("p3", "attic", "more plans"), look("p4")
    uses = await written(shop, *wanted)
    assert [use.state for use in uses] == [UseState.ASKED, UseState.OPEN, UseState.ASKED, UseState.OPEN]
    assert (uses[2].title, uses[2].shown) == ("post to #attic", "more plans")
    assert uses[1] == wanted[1], "a rule covers it, which is judged when its turn comes"
    assert shop.done == []


@pytest.mark.req("AG-09")
async def test_a_later_write_that_cannot_be_done_ends_at_once_and_is_not_counted_among_those_to_be_allowed() -> None:
    shop = Workshop(ALLOWED)
    broken = open_use("p2", "put", {"place": "attic"})
    asked, ended = await written(shop, put("p1", "attic"), broken)
    assert asked.state is UseState.ASKED
    assert (ended.state, ended.failed, ended.title) == (UseState.DONE, True, "")


@pytest.mark.req("SE-04")
async def test_what_was_allowed_and_is_not_covered_by_that_any_more_is_asked_about_again() -> None:
    shop = Workshop({"attic": PermissionVerdict.ASK})
    [asked] = await written(shop, put("p1", "attic"))
    [again] = await written(shop, replace(asked, state=UseState.ALLOWED))
    assert (again, shop.done) == (asked, [])


async def test_what_is_denied_by_rule_or_click_is_told_and_the_next_one_goes_on() -> None:
    shop = Workshop(ALLOWED | {"attic": PermissionVerdict.DENIED})
    uses = await written(shop, put("p1", "attic"), replace(put("p2"), state=UseState.DENIED), put("p3"))
    words = DENIED.format(tool="put")
    assert [(use.result, use.failed) for use in uses] == [(words, True), (words, True), ("ops: Hi", False)]
    assert [key for key, _ in shop.done] == ["p3"]


@pytest.mark.req("S3-088")
async def test_whoever_denies_a_use_its_tool_is_named_in_the_log() -> None:
    shop = Workshop({"look": PermissionVerdict.DENIED, "attic": PermissionVerdict.DENIED})
    with capture_logs() as lines:
        await shop.hands.read([look()])
        await written(shop, put("p1", "attic"), replace(put("p2"), state=UseState.DENIED))
    assert [(line["event"], line["kind"]) for line in lines] == [
        ("tool_denied", "look"),
        ("tool_denied", "put"),
        ("tool_denied", "put"),
    ]


async def test_what_its_owner_has_allowed_is_done_without_a_rule() -> None:
    shop = Workshop()
    (use,) = await written(shop, replace(put(), state=UseState.ALLOWED, scope="ops", title="post to #ops"))
    assert (use.state, use.failed, use.title) == (UseState.DONE, False, "post to #ops")


async def test_a_name_that_means_something_else_by_now_is_not_allowed_any_more() -> None:
    shop = Workshop(places={"ops": "C2"})
    (use,) = await written(shop, replace(put(), state=UseState.ALLOWED, scope="C1"))
    assert (use.result, use.failed, shop.done) == (RENAMED, True, [])


async def test_what_was_denied_for_good_meanwhile_is_not_done_although_it_was_allowed_this_time() -> None:
    shop = Workshop({"ops": PermissionVerdict.DENIED})
    (use,) = await written(shop, replace(put(), state=UseState.ALLOWED, scope="ops"))
    assert (use.failed, shop.done) == (True, [])


async def test_what_is_done_and_what_belongs_to_others_is_left_as_it_is() -> None:
    shop = Workshop(ALLOWED)
    uses = (replace(put(), state=UseState.DONE, result="known"), open_use("x", "set_goal", {}))
    assert tuple(await written(shop, *uses)) == uses
    assert (shop.told, shop.done) == ([], [])


@pytest.mark.req("S3-055")
async def test_what_is_away_for_a_moment_is_tried_again_under_the_same_key() -> None:
    shop = Workshop(ALLOWED, puts=fails(AWAY_NOW, AWAY_NOW))
    (use,) = await written(shop, put())
    assert (use.result, use.failed) == ("at last", False)
    assert shop.done == [("p1", "Hi")] * ATTEMPTS


async def test_what_stays_away_is_told_without_a_word_of_the_error() -> None:
    shop = Workshop(ALLOWED, puts=fails(*[AWAY_NOW] * ATTEMPTS))
    (use,) = await written(shop, put())
    assert (use.result, use.failed, len(shop.done)) == (AWAY, True, ATTEMPTS)
    assert shop.told[-1] == (("p1", "done"),)


@pytest.mark.req("AG-01")
@pytest.mark.parametrize("puts", [forever, fails(*[SlackUnavailable("x", after=0.0, ambiguous=True)] * ATTEMPTS)])
async def test_what_may_have_been_done_all_the_same_is_told_as_unknown(puts: object) -> None:
    shop = Workshop(ALLOWED, puts=puts, seconds=0.05)  # pyright: ignore[reportArgumentType]
    (use,) = await written(shop, put())
    assert (use.result, use.failed, use.state) == (UNKNOWN_OUTCOME, True, UseState.DONE)


@pytest.mark.req("IN-11")
async def test_a_server_that_does_not_say_whether_it_has_done_it_is_asked_once_and_its_call_is_told_as_unknown() -> (
    None
):
    shop = Workshop(ALLOWED, puts=fails(OutcomeUnknown("The server did not answer in time.")))
    (use,) = await written(shop, put())
    assert (use.result, use.failed, use.state) == (UNKNOWN_OUTCOME, True, UseState.DONE)
    assert len(shop.done) == 1


@pytest.mark.req("AG-01")
async def test_what_takes_too_long_to_read_is_away() -> None:
    (use,) = await Workshop(looks=forever, seconds=0.05).hands.read([look()])
    assert (use.result, use.failed) == (AWAY, True)


@pytest.mark.req("AG-01")
@virtual
async def test_a_tool_may_take_half_a_minute() -> None:
    hands = Workshop(looks=forever).hands
    (use,) = await ToolRunner(tools=hands.tools, context_of=hands.context_of).read([look()])
    assert (use.result, asyncio.get_running_loop().time()) == (AWAY, 30)


@pytest.mark.req("S3-083")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OutOfReach("No such channel."), "No such channel."),
        (SlackRefused("chat.postMessage", "secret"), AWAY),
        (ZeroDivisionError("secret"), FAILED),
    ],
)
async def test_a_tool_that_fails_is_a_result_and_keeps_no_other_from_its_turn(error: Exception, words: str) -> None:
    with capture_logs() as lines:
        shop = Workshop(ALLOWED, puts=fails(error), looks=fails(error))
        uses = await written(shop, put("p1"), put("p2"))
        (read,) = await shop.hands.read([look()])
    is_bug = isinstance(error, ZeroDivisionError)
    written_off = UNKNOWN_OUTCOME if is_bug else words
    assert [(use.result, use.failed) for use in uses] == [(written_off, True), ("at last", False)]
    assert (read.result, read.failed) == (words, True)
    known = "tool_broken" if is_bug else "tool_failed"
    assert [line["event"] for line in lines] == [known, "tool_used", known]
    assert "secret" not in str([{**line, "exc_info": ""} for line in lines])


@pytest.mark.parametrize(("error", "words"), [(OutOfReach("Nowhere."), "Nowhere."), (ZeroDivisionError(), FAILED)])
async def test_what_cannot_even_be_told_is_not_asked_about(error: Exception, words: str) -> None:
    shop = Workshop(names=fails(error))
    (use,) = await written(shop, put())
    assert (use.result, use.failed, shop.done) == (words, True, [])


async def test_what_takes_too_long_to_be_told_is_not_asked_about() -> None:
    (use,) = await written(Workshop(names=forever, seconds=0.05), put())
    assert (use.result, use.failed) == (AWAY, True)


async def test_an_input_that_is_wrong_is_told_field_by_field_and_not_quoted() -> None:
    shop = Workshop(ALLOWED)
    wrong = open_use("p1", "put", {"to": ["secret"], "more": 1})
    (use,) = await written(shop, wrong)
    (read,) = await shop.hands.read([replace(wrong, tool="look")])
    for told in (use, read):
        assert told.failed
        assert "to: " in told.result
        assert "secret" not in told.result


def test_the_tools_are_offered_as_the_api_wants_them() -> None:
    assert [spec["name"] for spec in Workshop().hands.specs] == ["look", "put"]
    assert NO_TOOLS.specs == ()


async def test_a_write_that_is_forbidden_between_its_judgement_and_its_beginning_is_not_begun() -> None:
    shop = Workshop(verdicts=ALLOWED)

    async def report(uses: tuple[Use, ...]) -> None:
        if any(use.id == "p1" and use.state is UseState.STARTED for use in uses):
            raise ForbiddenMeanwhile
        await shop.report(uses)

    first, second = await shop.hands.write([put("p1"), put("p2", text="Ho")], report)
    assert (first.state, first.failed, first.result) == (UseState.DONE, True, DENIED.format(tool="put"))
    assert (second.state, second.failed) == (UseState.DONE, False)
    assert [text for _, text in shop.done] == ["Ho"]
