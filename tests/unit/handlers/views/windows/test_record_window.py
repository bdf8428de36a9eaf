"""The window of a record: whatever was approved is in it, and Slack takes each of its pages."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from app.core.copy import decision_record, decision_steps, texts
from app.core.state.decision import ComponentStatus
from app.core.state.sheet import Prose, Sheet
from app.decision.report.dossier import Report
from app.playground.slack.blocks.views import check_view
from handlers.views.kit.blocks import Block
from handlers.views.kit.plain_text import extract_text
from handlers.views.windows import record_window
from handlers.views.windows.forms import View, read_address
from handlers.views.windows.record_window import build_record_window
from tests.properties import limit_examples
from tests.unit.decision.report.dossiers import example_report, report_of, step_of
from tests.unit.handlers.decided import hub
from tests.unit.handlers.payloads import ANN, MAYA, TEAM
from tests.unit.handlers.sheets_of import SHEETS, read, squeezed
from tests.unit.handlers.talks import talk

THREAD = hub(1).thread


def pages(report: Report) -> list[View]:
    """Every page, each of which Slack must take."""
    first = build_record_window(report, THREAD)
    marks = [each["elements"][0]["text"] for each in first["blocks"] if each["type"] == "context"]
    many = next((int(mark.rpartition(" ")[2]) for mark in marks if mark.startswith("Page ")), 1)
    shown = [build_record_window(report, THREAD, number) for number in range(many)]
    for page in shown:
        names = count()
        assert check_view(page, "modal", lambda names=names: f"b{next(names)}")
    return shown


def _words(block: Block) -> str:
    match block["type"]:
        case "section":
            return str(block["text"]["text"])
        case "context":
            return str(block["elements"][0]["text"])
        case _:
            return extract_text([block])


def actions(view: View) -> dict[str, str]:
    """The value of each button, by its action."""
    rows = [block["elements"] for block in view["blocks"] if block["type"] == "actions"]
    return {button["action_id"]: button["value"] for row in rows for button in row}


def test_the_worked_example_is_shown_with_what_is_not_approved_and_what_has_changed() -> None:
    told = squeezed("\n".join(_words(block) for view in pages(example_report()) for block in view["blocks"]))
    assert squeezed("✅ *3 Objectives*") in told
    assert squeezed("Version 1 · approved by Maya Okafor on 3 December 2026") in told
    assert squeezed("⚠ *5 Consequences*") in told
    assert squeezed("Changed since: based on Alternatives v1; v2 is approved") in told
    assert squeezed("○ *9 Implementation*\nNothing is approved in this step yet.") in told
    assert squeezed("Owner: Maya Okafor · Decide by: 18 December 2026") in told


@limit_examples(15)
@given(st.lists(SHEETS, min_size=1, max_size=1))
def test_slack_takes_every_page_of_any_record_and_no_word_of_prose_is_lost(sheets: list[Sheet]) -> None:
    steps = tuple(
        replace(step_of(number=number, key=f"k{number}"), sheet=sheet) for number, sheet in enumerate(sheets, 1)
    )
    told = read(block for page in pages(replace(report_of(), steps=steps)) for block in page["blocks"])
    prose = [section.text for sheet in sheets for section in sheet.sections if isinstance(section, Prose)]
    assert all(squeezed(text) in told for text in prose)


def test_a_short_record_has_one_page_and_no_buttons_to_turn_it() -> None:
    view = build_record_window(report_of(Prose(text="Short.")), THREAD)
    assert actions(view) == {f"record_export:{word}": word for word in ("html", "markdown", "json")}


def test_a_long_record_goes_on_under_its_title_and_every_page_leads_to_its_neighbours() -> None:
    long = report_of(*(Prose(text=f"{number} " * 900) for number in range(120)))
    first, *_, last = shown = pages(long)
    turns = [{name: value for name, value in actions(page).items() if "page" in name} for page in shown]
    assert turns[0] == {"record_page:next": "1"}
    assert turns[1] == {"record_page:previous": "0", "record_page:next": "2"}
    assert turns[-1] == {"record_page:previous": str(len(shown) - 2)}
    assert decision_record.STEP_GOES_ON.format(title="1 Objectives") == last["blocks"][1]["text"]["text"]
    assert "(continued)" not in json.dumps(first)
    assert build_record_window(long, THREAD, 999) == last


def test_the_window_is_called_as_the_button_that_opens_it_so_far_or_at_the_end() -> None:
    so_far, done = report_of(), [replace(each, status=ComponentStatus.COMPLETE) for each in example_report().steps]
    begun = replace(done[0], status=ComponentStatus.IN_PROGRESS)
    for report, title in (
        (replace(so_far, steps=tuple(done)), decision_steps.WHOLE_RECORD),
        (replace(so_far, steps=(*done[1:], begun)), decision_record.RECORD_TITLE),
        (replace(so_far, steps=(begun,), closed=True), decision_steps.WHOLE_RECORD),
    ):
        assert build_record_window(report, THREAD)["title"]["text"] == title


def test_a_window_knows_its_decision_and_one_of_others_is_about_none() -> None:
    assert read_address(build_record_window(report_of(), THREAD), TEAM) == THREAD
    assert read_address({"private_metadata": '{"address": "x"}'}, TEAM) is None
    assert read_address({}, TEAM) is None


def test_what_people_wrote_is_no_markup_in_it() -> None:
    report = report_of(Prose(text="<!channel> *bold*"), question="<!here> & co", owner="<@U1>")
    view = build_record_window(replace(report, steps=(replace(report.steps[0], title="<!everyone>"),)), THREAD)
    markup = json.dumps([block["text"] for block in view["blocks"] if block.get("text", {}).get("type") == "mrkdwn"])
    assert "<!" not in markup
    assert "<@" not in markup


def test_only_the_owner_of_a_decision_gets_anything_of_it() -> None:
    assert record_window.explain_refusal(hub(1), MAYA) == ""
    assert record_window.explain_refusal(hub(1), ANN) == texts.NOT_OWNER.format(owner=f"<@{MAYA}>")
    assert record_window.explain_refusal(None, MAYA) == decision_record.NO_DECISION
    assert record_window.explain_refusal(talk(1), MAYA) == decision_record.NO_DECISION
