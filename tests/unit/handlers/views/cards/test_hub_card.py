"""The first message of a decision, and those of its steps: where everything is, and what comes next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import HubCard
from app.core.copy import decision_steps
from app.core.state.decision import ComponentStatus, Decision, DecisionStep
from app.playground.slack.blocks.blocks import check_blocks
from handlers.slack import action_ids
from handlers.views.cards.hub_card import TIE, render_first_message
from handlers.views.kit.blocks import RenderedMessage, build_draft_actions, build_interview_actions, render_turns_left
from handlers.views.kit.plain_text import extract_text
from tests.unit.handlers.sheets_of import elements
from tests.unit.handlers.shown import HARD, PLACE, ROOT, controls, markup, menu, pressed, said, show, small
from tests.unit.handlers.steps_of import (
    ALTERNATIVES,
    BEGUN,
    DECISION,
    DONE,
    FRAME,
    ISSUES,
    OBJECTIVES,
    OPEN,
    STALE,
    STEPS,
    address,
)

RECORD = ("Record so far", "record", f"C1:{ROOT}")
WHOLE = ("Record and report", *RECORD[1:])


def of(decision: Decision) -> RenderedMessage:
    return show(HubCard(decision=decision, owner="U1"))


def having(**changes: ComponentStatus) -> RenderedMessage:
    """The decision with these steps in other states; those that have not begun have no thread."""
    steps = (
        replace(
            step, status=changes[step.key], waits=False, thread=step.thread if changes[step.key] is not OPEN else None
        )
        if step.key in changes
        else step
        for step in STEPS
    )
    return of(replace(DECISION, steps=tuple(steps)))


def choices(rendered: RenderedMessage) -> dict[str, str]:
    """The other steps that can be started."""
    options: list[dict[str, Any]] = [
        option for control in controls(rendered) if control["type"] == "static_select" for option in control["options"]
    ]
    return {option["text"]["text"]: option["value"] for option in options}


@pytest.mark.req("FA-17")
def test_a_decision_and_the_threads_that_begin_then_are_headed_by_the_question_that_was_approved() -> None:
    framed = DECISION.replace_step(replace(FRAME, question="Who answers no-heat calls at night?"))
    assert extract_text(of(framed).blocks).startswith("🧭 Who answers no-heat calls at night?   <@U1>")
    assert of(framed).text.endswith("Who answers no-heat calls at night?")
    head = extract_text(render_first_message(framed, "objectives", "U1", PLACE).blocks)
    assert head.endswith("|Who answers no-heat calls at night?>")
    assert "How do we cover" not in f"{of(framed)}{head}"


def test_a_decision_shows_its_question_its_owner_and_by_when() -> None:
    rendered = of(DECISION)
    assert extract_text(rendered.blocks).split("\n")[0] == "🧭 How do we cover no-heat calls?   <@U1> · by 1 Mar 2026"
    assert rendered.text == "🧭 How do we cover no-heat calls?"


@pytest.mark.req("FA-17")
def test_each_step_shows_how_it_stands_leads_to_its_thread_and_is_never_torn_from_its_number() -> None:
    told = extract_text(of(DECISION).blocks).split("\n")[1].replace(TIE, "~")
    assert told == "   ".join(
        (
            f"✅~<{address(1)}|1~Issue~raising>~v1",
            f"✅~<{address(2)}|2~Problem~frame>~v2",
            f"▶~<{address(3)}|3~Objectives> – waiting for your OK",
            f"⚠~<{address(4)}|4~Alternatives> – based on Problem frame v1",
            "○~5~Ratings",
            "○~6~Quality",
            "○~7~Notes",
        )
    )


@pytest.mark.req("FA-17")
def test_a_step_names_the_newer_results_that_it_builds_on_in_the_order_of_the_steps_and_no_others() -> None:
    concerned = replace(FRAME, concerns=("alternatives",))
    begun = replace(OBJECTIVES, status=DONE, version=3, waits=False, concerns=("alternatives",))
    stale = replace(ALTERNATIVES, based_on={"objectives": 2, "issue_raising": 0, "frame": 1})
    told = extract_text(of(replace(DECISION, steps=(ISSUES, concerned, begun, stale))).blocks)
    assert f"{TIE}Alternatives> – based on Problem frame v1 and Objectives v2" in told
    again = replace(stale, status=BEGUN)
    told = extract_text(of(replace(DECISION, steps=(ISSUES, concerned, begun, again))).blocks)
    warned = f"▶{TIE}<{address(4)}|4{TIE}Alternatives> – ⚠{TIE}based on Problem frame v1 and Objectives v2"
    assert warned in told, "Home counts it, too"
    bare = replace(stale, based_on={"frame": 1})
    told = extract_text(of(replace(DECISION, steps=(ISSUES, concerned, begun, bare))).blocks)
    assert "based on Problem frame v1 and no Objectives" in told


@pytest.mark.req("FA-17")
@pytest.mark.parametrize(
    ("step", "leads"),
    [
        (replace(OBJECTIVES, shown="1770000209.000200"), True),
        (replace(OBJECTIVES, shown="1770000209.000200", waits=False), False),
        (replace(OBJECTIVES, shown=""), False),
        (replace(OBJECTIVES, shown="1770000209.000200", waits=False, status=STALE), True),
        (replace(OBJECTIVES, shown="1770000209.000200", waits=False, status=DONE), False),
    ],
)
def test_a_step_opens_at_the_card_that_waits_for_its_owner_and_else_at_its_beginning(
    step: DecisionStep, leads: bool
) -> None:
    at_card = "https://acme.slack.com/archives/C1/p1770000209000200?thread_ts=1770000203.000100&cid=C1"
    rendered = of(DECISION.replace_step(step))
    links = {each["text"]: each["url"] for each in elements(rendered.blocks) if each["type"] == "link"}
    assert links[f"3{TIE}Objectives"] == (at_card if leads else address(3))
    opens = [each["url"] for each in controls(rendered) if each.get("action_id") == action_ids.OPEN_STEP]
    assert (at_card in opens) == leads


def test_a_step_to_look_at_again_names_nothing_that_did_not_change() -> None:
    stale = replace(ALTERNATIVES, based_on={"frame": 2, "gone": 1})
    assert "based on" not in extract_text(of(DECISION.replace_step(stale)).blocks)


def test_what_was_found_is_small_print_in_which_nothing_is_markup() -> None:
    rendered = of(DECISION.replace_step(replace(ISSUES, gist="3 decisions <!channel>")))
    assert small(rendered) == ["Issue raising: 3 decisions <!channel>"]
    assert rendered.blocks[2]["elements"][0]["type"] == "plain_text"


@pytest.mark.req("FA-17")
def test_what_waits_for_the_owner_comes_next() -> None:
    rendered = of(DECISION)
    assert said(rendered) == ["*Next*: <@U1> confirms *Objectives*."]
    assert [(control["text"]["text"], control.get("url")) for control in controls(rendered)[:2]] == [
        ("Open step 3: Objectives", address(3)),
        ("Record so far", None),
    ]


@pytest.mark.req("FA-17")
def test_a_draft_that_lacks_something_waits_for_no_ok_but_for_what_is_missing() -> None:
    rendered = of(DECISION.replace_step(replace(OBJECTIVES, lacks=True)))
    assert said(rendered) == ["*Next*: <@U1> adds what is still missing in *Objectives*."]
    steps = extract_text(rendered.blocks)
    assert "Objectives> – something is still missing" in steps
    assert decision_steps.STEP_WAITS not in steps


def test_the_owner_is_waited_for_even_if_an_earlier_step_is_open() -> None:
    rendered = of(DECISION.replace_step(replace(FRAME, status=BEGUN)))
    assert said(rendered) == ["*Next*: <@U1> confirms *Objectives*."]


@pytest.mark.req("FA-18")
@pytest.mark.parametrize(
    ("objectives", "line", "label"),
    [
        (BEGUN, "*Next*: go on with *Objectives*.", "Open step 3: Objectives"),
        (STALE, "*Next*: look at *Objectives* again; what it is based on has changed.", "Open step 3: Objectives"),
        (DONE, "*Next*: look at *Alternatives* again; what it is based on has changed.", "Open step 4: Alternatives"),
        (OPEN, "*Next*: start *Objectives*.", "Start step 3: Objectives"),
    ],
)
def test_what_comes_next_is_the_first_step_that_is_not_done(objectives: ComponentStatus, line: str, label: str) -> None:
    rendered = having(objectives=objectives)
    assert said(rendered) == [line]
    assert controls(rendered)[0]["text"]["text"] == label


@pytest.mark.req("FA-18")
def test_the_next_step_is_started_with_one_press_and_others_that_can_begin_are_a_choice() -> None:
    rendered = having(objectives=DONE, alternatives=DONE)
    assert pressed_with_value(rendered) == [
        ("Start step 5: Ratings", "start_step", f"ratings:C1:{ROOT}"),
        RECORD,
    ]
    assert choices(rendered) == {"7 Notes": f"notes:C1:{ROOT}"}


def pressed_with_value(rendered: RenderedMessage) -> list[tuple[str, str, str]]:
    """The buttons that are no links."""
    return pressed(replace(rendered, blocks=tuple(_without_links(block) for block in rendered.blocks)))


def _without_links(block: dict[str, Any]) -> dict[str, Any]:
    return (
        block | {"elements": [each for each in block["elements"] if "url" not in each]}
        if "elements" in block
        else block
    )


def test_a_step_whose_predecessor_has_not_begun_cannot_be_started() -> None:
    assert "6 Quality" not in choices(having(objectives=DONE, alternatives=DONE))
    fresh = having(**dict.fromkeys((step.key for step in STEPS), OPEN))
    assert controls(fresh)[0]["text"]["text"] == "Start step 1: Issue raising"
    assert choices(fresh) == {}


def test_when_all_is_in_the_record_it_can_be_closed() -> None:
    rendered = having(objectives=DONE, alternatives=DONE, ratings=DONE, quality=DONE, notes=DONE)
    assert said(rendered) == [decision_steps.NEXT_NOTHING]
    assert pressed(rendered) == [WHOLE]
    assert list(menu(rendered)) == ["export:html", "export:markdown", "export:json", "hand_over", "close"]


def test_it_cannot_be_closed_before_the_step_that_closes_it_is_done() -> None:
    assert list(menu(of(DECISION))) == ["export:html", "export:markdown", "export:json", "hand_over"]


def test_a_closed_decision_says_so_and_can_be_read_exported_and_reopened() -> None:
    rendered = of(replace(DECISION, closed=True))
    assert extract_text(rendered.blocks).split("\n")[0].endswith(" · closed")
    assert pressed(rendered) == [WHOLE]
    assert choices(rendered) == {}
    assert menu(rendered)["reopen"] == "Reopen the decision"
    assert not {"close", "hand_over"} & menu(rendered).keys()


def test_an_example_can_be_read_and_exported_alone() -> None:
    done = tuple(replace(step, status=DONE, waits=False) for step in STEPS)
    rendered = of(replace(DECISION, example=True, deadline="", steps=done))
    assert said(rendered) == [decision_steps.NEXT_IN_EXAMPLE]
    assert extract_text(rendered.blocks).split("\n")[0].endswith("<@U1> · an example")
    assert pressed(rendered) == [WHOLE]
    assert list(menu(rendered)) == ["export:html", "export:markdown", "export:json"]


def test_a_step_of_an_example_that_something_has_changed_for_is_opened_with_one_press() -> None:
    stale = tuple(replace(step, status=DONE, waits=False) for step in STEPS if step != ALTERNATIVES)
    rendered = of(replace(DECISION, example=True, steps=(*stale[:3], ALTERNATIVES, *stale[3:])))
    assert controls(rendered)[0]["text"]["text"] == "Open step 4: Alternatives"
    fresh = tuple(replace(step, status=OPEN, thread=None, waits=False) for step in STEPS)
    assert pressed(of(replace(DECISION, example=True, steps=fresh))) == [RECORD]


@given(HARD, HARD, st.sampled_from(ComponentStatus), st.booleans())
def test_slack_takes_every_decision_and_reads_no_markup_in_its_words(
    question: str, gist: str, status: ComponentStatus, closed: bool
) -> None:
    steps = tuple(replace(step, gist=gist, status=status) for step in STEPS * 3)
    rendered = of(replace(DECISION, question=question * 5, steps=steps, closed=closed))
    assert {found for found in markup(rendered) if found != "<@U1>"} == set()
    assert {element["url"] for element in elements(rendered.blocks) if element["type"] == "link"} == {
        address(number) for number in range(1, 5)
    }


# --- in the thread of a step ------------------------------------------------------------------------


def test_a_step_begins_with_its_place_its_owner_the_question_and_the_way_back() -> None:
    rendered = render_first_message(DECISION, "objectives", "U1", PLACE)
    assert check_blocks([dict(block) for block in rendered.blocks])
    assert rendered.text == "Step 3 of 7 · *Objectives* · <@U1>"
    hub = f"https://acme.slack.com/archives/C1/p{ROOT.replace('.', '')}"
    assert extract_text(rendered.blocks).split("\n") == [rendered.text, f"🧭 <{hub}|How do we cover no-heat calls?>"]


@pytest.mark.req("FA-18")
def test_while_a_step_is_led_it_can_be_summarised_looked_at_and_rated_where_that_is_its_subject() -> None:
    offers, rating = build_interview_actions("1.1"), build_interview_actions("1.1", rated=True)
    assert [(each["action_id"], each["value"]) for each in offers["elements"]] == [
        (action_ids.SUMMARIZE, "1.1"),
        ("show_captured", "1.1"),
    ]
    assert [each["action_id"] for each in rating["elements"]][2:] == ["rate_column"]
    assert check_blocks([offers, rating])


@pytest.mark.req("AG-06")
def test_below_its_opening_a_step_can_be_drafted_for_its_owner_and_nowhere_else() -> None:
    opening = build_interview_actions("1.1", opens=True)
    (button,) = [each for each in opening["elements"] if each["action_id"] == action_ids.DRAFT_IT]
    assert (button["text"]["text"], button["value"]) == ("Draft it for me", "1.1")
    assert check_blocks([opening])
    assert action_ids.DRAFT_IT not in str(build_interview_actions("1.1", rated=True, ends_soon=True))


@pytest.mark.req("IN-07")
def test_a_reply_to_files_offers_a_draft_from_them_in_one_press() -> None:
    one, many = build_draft_actions(("F1",)), build_draft_actions(tuple(f"F{number:0>30}" for number in range(99)))
    (button,), (all_,) = one["elements"], many["elements"]
    assert (button["action_id"], button["text"]["text"], button["value"]) == (
        "draft_from_files",
        "Draft from this file",
        "F1",
    )
    assert all_["text"]["text"] == "Draft from these files"
    assert all_["value"].count(",") == 49
    assert check_blocks([one])
    assert check_blocks([many])


@pytest.mark.req("FA-32")
def test_below_a_reply_that_says_how_long_the_talk_still_goes_on_it_can_be_kept_up() -> None:
    ending = build_interview_actions("1.1", ends_soon=True)
    assert [(each["action_id"], each["value"]) for each in ending["elements"]][2:] == [("keep_talking", "1.1")]
    assert check_blocks([ending])
    said = [render_turns_left(count)["elements"][0]["text"] for count in (3, 1)]
    assert said == [
        "After 3 more answers I put together what we have.",
        "After my next answer that asks nothing I put together what we have.",
    ]


@pytest.mark.req("FA-16")
@pytest.mark.parametrize("status", [STALE, BEGUN])
def test_what_a_step_found_before_its_basis_changed_is_no_longer_told_as_its_result(status: ComponentStatus) -> None:
    frame = replace(FRAME, concerns=("alternatives",))
    older = replace(ALTERNATIVES, gist="9 options", status=status)
    assert "9 options" not in str(small(of(DECISION.replace_step(frame).replace_step(older))))
    newer = replace(older, status=BEGUN, based_on={"frame": 2})
    assert small(of(DECISION.replace_step(frame).replace_step(newer)))[0].endswith("Alternatives: 9 options")
