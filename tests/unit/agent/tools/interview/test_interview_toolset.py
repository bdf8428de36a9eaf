"""The tools of an interview: what is offered, what is noted, what the model is told, and what counts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator

from app.agent.prompt import TurnPrompt
from app.agent.reply import TurnSettings
from app.agent.tools.conversation.thread_toolset import ThreadToolset, Toolset
from app.agent.tools.interview.interview_toolset import NOT_IN_DISCUSSION, UNKNOWN
from app.agent.turn import TurnTask
from app.core.conversation.call import DraftExtracted, DraftNoted, SummaryReady
from app.core.conversation.conversation import Conversation, Message, Role, Turn
from app.core.state.interview import JudgedDraft, Phase, UnsaidFigure
from app.core.state.sheet import Prose, Sheet
from app.ports import ToolUse
from tests.unit.agent.outer_tools import Workshop
from tests.unit.agent.scripted import PaperDraft, ScriptedModel, answers
from tests.unit.agent.tools.sat import DEEP, MADE, ROWS, TWO, Box, interviewed, reply
from tests.unit.decision.components.worked import KEYS, rated
from tests.unit.handlers.steps_of import DRAFT


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.req("S4-009", "S4-020", "S4-022")
def test_the_same_tools_are_offered_in_every_phase_and_told_as_the_api_wants_them(key: str) -> None:
    first, *others = [Box(interviewed(phase, component=key)).tools.specs for phase in Phase]
    assert all(other == first for other in others)
    names = [spec["name"] for spec in first]
    assert len(names) == len(set(names))
    assert {"ready_to_summarize", "ask_user", "note_item"} <= set(names)
    for spec in first:
        assert set(spec) == {"name", "description", "input_schema"}
        assert len(spec["description"].split()) >= 5, "the model learns from it what the tool is for"
        assert spec["input_schema"]["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & spec["input_schema"].keys(), "the API takes none at the top"
        assert set(spec["input_schema"].get("required", ())) <= spec["input_schema"]["properties"].keys()
        Draft202012Validator.check_schema(spec["input_schema"])
        json.dumps(spec)


def test_only_the_step_that_rates_is_offered_a_tool_to_rate_with() -> None:
    offering = [key for key in KEYS if "rate" in [each["name"] for each in Box(interviewed(component=key)).tools.specs]]
    assert offering == ["consequences"]


def test_both_boxes_are_used_in_the_same_way() -> None:
    toolbox = ThreadToolset(interviewed(), (), lambda: "1.0")
    assert isinstance(toolbox, Toolset)
    assert isinstance(Box().tools, Toolset)
    assert "note_item" not in [spec["name"] for spec in toolbox.specs]


async def test_a_tool_that_reaches_outside_can_be_offered_beside_those_of_an_interview() -> None:
    now = replace(interviewed(), turn=Turn(id="4.1", reply=4))
    tools = Box(now).tools
    wishes = (
        ToolUse(id="t1", name="look", input={"to": "rota"}),
        ToolUse(id="t2", name="note_item", input={"list": "objectives", "fields": {"description": "Sleep well"}}),
    )
    model = ScriptedModel(answers(*wishes), answers(text="Done."))
    settings = TurnSettings(model="claude-sonnet-5-5", max_tokens=1_000, context_tokens=32_000)
    prompt = TurnPrompt(now, ROWS, tools, outside=Workshop().hands)
    closed = await TurnTask(model, settings, prompt, PaperDraft()).reply()
    assert {"look", "note_item"} <= {spec["name"] for spec in model.asked[0].tools}
    looked, noted = model.asked[1].messages[-1]["content"]
    assert looked["content"] == "rota: "
    assert json.loads(noted["content"])["result"] == "noted"
    assert (closed.text, closed.calls) == ("Done.", tools.calls)


@pytest.mark.req("FA-08")
def test_what_is_needed_is_told_again_only_if_a_note_has_changed_it(box: Box) -> None:
    told = box.does("note_item", list="objectives", fields={"description": "Sleep well"})
    assert "still_needed" not in told
    assert box.does("note_item", list="potential_decisions", fields={"description": "Hire"})["still_needed"] == []
    assert "still_needed" not in box.does("note_item", list="potential_decisions", fields={"description": "Move"})


@pytest.mark.req("S4-021", "S4-022")
def test_a_note_counts_with_the_edition_it_was_made_on_and_tells_its_handle_and_what_is_still_needed(box: Box) -> None:
    told = box.does("note_item", list="objectives", fields={"description": "Sleep well"}, quote="could HIRE somebody")
    assert (told["item"], told["result"]) == ("IO1", "noted")
    assert "still_needed" not in told, "the turn began with it"
    told = box.does("note_item", list="potential_decisions", fields={"description": "Hire"})
    assert (told["item"], told["still_needed"]) == ("D1", [])
    told = box.does("drop_item", item="D1")
    assert told["still_needed"] == ["at least one decision: what would you be choosing between?"]
    (call,) = box.calls
    assert isinstance(call, DraftNoted)
    assert call.edition == 4
    assert call.draft["objectives"][0]["evidence"] == [{"quote": "could HIRE somebody", "message_id": ROWS[0].ts}]
    assert not box.tools.waits


def test_a_note_names_the_message_that_it_quotes_so_that_the_words_go_with_it(box: Box) -> None:
    box.does("note_item", list="objectives", fields={"description": "A nurse"}, quote="hire a NURSE in spring")
    assert box.draft["objectives"][0]["evidence"] == [{"quote": "hire a NURSE in spring", "message_id": ROWS[2].ts}]


@pytest.mark.req("FA-04")
def test_items_are_changed_moved_and_dropped_and_of_all_that_the_last_draft_counts(box: Box) -> None:
    box.notes("potential_decisions", description="Hire")
    box.notes("potential_decisions", description="Move")
    box.does("set_fields", fields={"focal_candidate_id": "D2"})
    assert box.does("change_item", item="D1", fields={"priority": "high"}, quote="Hire a nurse") == {
        "result": "changed"
    }
    moved = box.does("move_item", item="D2", to="considerations")
    assert (moved["item"], moved["no_longer_referred_to"]) == ("C1", ["D2"])
    box.does("drop_item", item="C1", list="considerations")
    assert box.draft["potential_decisions"] == [
        {
            "handle": "D1",
            "description": "Hire",
            "priority": "high",
            "evidence": [{"quote": "Hire a nurse", "message_id": ROWS[2].ts}],
        }
    ]
    assert box.draft["considerations"] == []


def test_of_very_many_needs_a_result_names_the_first_and_counts_the_others() -> None:
    box, needed = Box(interviewed(component="consequences")), list[str]()
    for number in range(1, 7):
        rated = [{"option": f"A{max(2, number)}", "rating": 1}, {"option": "A3", "rating": 1}][: 1 + (number == 1)]
        needed = box.does("rate", objective=f"O{number}", ratings=rated).get("still_needed", needed)
    assert needed[-1] == "and 1 more"


def test_one_rating_that_is_refused_does_not_keep_the_others_out() -> None:
    box = Box(interviewed(component="consequences"))
    ratings = [
        {"option": "A2", "rating": 2, "reason": "they promise two hours", "doubt": "high", "doubt_from": "no trial"},
        {"option": "A1", "rating": 0},
        {"option": "A3", "rating": 1, "doubt": "low"},
    ]
    told = box.does("rate", objective="O1", ratings=ratings)
    assert "item" not in told, "the call names them"
    assert "status quo" in told["refused"][0]
    assert told["still_needed"][-1] == "ratings on O2, O3, O4, O5 and O6: A2, A3, A4, A5 and A6"
    assert [each.get("uncertainty") for each in box.draft["table"]["cells"]] == [
        {"level": "high", "driver": "no trial"},
        {"level": "low"},
    ]
    assert "A1: " in box.fails("rate", objective="O2", ratings=ratings[1:2])
    assert "ratings.0.rating" in box.fails("rate", objective="O2", ratings=[{"option": "A2", "rating": 3}])


def test_a_handle_that_was_given_up_is_not_given_again_in_this_turn_or_a_later_one(box: Box) -> None:
    block = box.notes("potential_decisions", description="Hire"), box.notes("potential_decisions", description="Move")
    assert block == ("D1", "D2")
    box.does("drop_item", item="d2")
    assert box.notes("potential_decisions", description="Wait") == "D3"
    box.does("drop_item", item="D3")
    result = json.dumps([{"role": "user", "content": [{"content": json.dumps({"result": "success", "item": "D3"})}]}])
    later = Box(interviewed(draft=box.draft), reply(box, result))
    assert later.notes("potential_decisions", description="Sell") == "D4", "D3 was spoken of, and stands nowhere now"


def test_handles_of_earlier_drafts_are_not_given_again() -> None:
    shown = {"potential_decisions": [{"handle": "D5", "description": "Sell"}]}
    drafted = JudgedDraft(draft={"uncertainties": [{"handle": "U2", "description": "Snow"}]}, sheet=Sheet())
    extracted = DraftExtracted(drafted=drafted, attempts=1)
    approved = json.dumps({"objectives": [{"handle": "IO7", "description": "x"}]})
    rows = (*ROWS[:3], replace(ROWS[3], data=approved, calls=(SummaryReady(), extracted)))
    box = Box(interviewed(drafted=JudgedDraft(draft=shown, sheet=Sheet())), rows)
    assert box.notes("potential_decisions", description="Hire") == "D6"
    assert box.notes("objectives", description="Sleep") == "IO8"
    assert box.notes("uncertainties", description="Rain") == "U3"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("note_item", {"list": "potential_decisions", "fields": {"priority": "high"}}, "description is missing"),
        ("note_item", {"list": "wishes", "fields": {}}, "list: no such list"),
        ("note_item", {"list": "objectives", "fields": {"description": "x"}, "quote": "y" * 201}, "quote: String"),
        ("note_item", {"list": "objectives", "fields": {"description": DEEP}},
         "nested too deep"),
        ("note_item", {"list": "objectives", "fields": "x"}, "fields: Input should be a valid dictionary"),
        ("note_item", {"list": "objectives", "fields": {"description": "x" * 100_001}}, "too long"),
        ("change_item", {"item": "D9", "fields": {}}, "names nothing that is noted"),
        ("set_fields", {"fields": {"focal_candidate_id": "D9"}}, "names nothing that exists"),
        ("settle_inconsistency", {"about": "money"}, "Open: nothing"),
        ("resolve_question", {"value": "A"}, "no open question"),
        ("rate", {"objective": "O1", "ratings": []}, UNKNOWN),
        ("open_door", {}, UNKNOWN),
        ("submit_issue_raising", {"potential_decisions": []}, NOT_IN_DISCUSSION),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_in_words_and_does_not_count(name: str, given: dict[str, Any], words: str) -> None:
    box = Box()
    assert words in box.fails(name, **given)
    assert box.tools.used
    assert not box.tools.waits


def test_what_the_model_wrote_is_cleaned_before_it_is_noted(box: Box) -> None:
    box.notes("objectives", description="Sleep[/INST] <b>well</b>")
    assert box.draft["objectives"][0]["description"] == "Sleep well"
    assert not box.tools.verbatim


def test_a_note_that_was_taken_as_it_was_given_leaves_nothing_to_say(box: Box) -> None:
    box.does("note_item", list="objectives", fields={"description": "Sleep well"})
    assert box.tools.noted == {"t1"}
    box = Box(interviewed(inconsistencies=(MADE,)))
    box.does("settle_inconsistency", about="money")
    assert box.tools.noted == {"t1"}


@pytest.mark.parametrize(
    ("now", "name", "given"),
    [
        (interviewed(), "note_item", {"list": "objectives", "fields": {"description": "Save 4711 EUR"}}),
        (interviewed(), "note_item", {"list": "objectives", "fields": {"description": " "}}),
        (interviewed(), "flag_inconsistency", TWO),
        (interviewed(inconsistencies=(MADE, replace(MADE, about="time"))), "settle_inconsistency", {"about": "time"}),
        (interviewed(Phase.CONFIRM), "note_item", {"list": "objectives", "fields": {"description": "Sleep well"}}),
    ],
    ids=["a figure that nobody said", "refused", "a contradiction", "another is open", "the card is shown again"],
)
def test_a_call_of_which_people_may_have_to_hear_is_no_such_note(
    now: Conversation, name: str, given: dict[str, Any]
) -> None:
    box = Box(now)
    box.use(name, **given)
    assert box.tools.noted == set()


def test_words_that_were_given_as_somebodys_own_and_are_like_nobodys_are_told_below_the_reply() -> None:
    tools = Box().tools
    told = tools.build_quotation_filter()
    said = 'As you put it, "we cannot afford a second mortgage". You said: "Hire a nurse in the spring".'
    text = told.feed(said) + told.end()
    assert '"' not in text
    assert tools.find_unsaid(text, []) == ("we cannot afford a second mortgage",), "the other is near to what she said"
    assert tools.find_unsaid("Nothing of it was shown.", []) == ()
    true = tools.build_quotation_filter()
    assert '"Hire a nurse in spring"' in true.feed('You said: "Hire a nurse in spring".') + true.end()
    assert true.removed == ()


@pytest.mark.req("FA-04")
def test_a_verdict_that_changes_who_is_left_is_answered_with_the_options_that_are() -> None:
    so_far = rated({"A1": [0, 0], "A2": [2, -1], "A3": [1, -1], "A4": [-1, 1]})
    box = Box(interviewed(component="tradeoffs"), so_far=so_far)
    aside = {"alternative_id": "A3", "user_verdict": "set_aside"}
    assert "left" not in box.does("note_item", list="dominated_alternatives", fields=aside), "it was out before"
    kept = box.does("change_item", item="A3", list="dominated_alternatives", fields={"user_verdict": "keep"})
    assert kept["left"] == "A1, A2, A3, A4"
    gone = box.does("note_item", list="dropped_alternatives", fields={"alternative_id": "A4"})
    assert gone["left"] == "A1, A2, A3"
    assert box.does("drop_item", item="A4", list="dropped_alternatives")["left"] == "A1, A2, A3, A4"


def test_what_the_cards_of_the_step_show_is_no_figure_that_nobody_said_but_what_they_doubt_themselves_is() -> None:
    sheet = Sheet(sections=(Prose(text="19 of 20 ratings given (1 not known)"), Prose(text="It costs 5,500 euros")))
    doubted = (UnsaidFigure(text="5,500", where="A1"),)
    shown = Message(seq=9, role=Role.CARD, text="", card=replace(DRAFT, sheet=sheet, unsaid=doubted))
    tools = Box(rows=(*ROWS, shown)).tools
    assert tools.find_unsaid("That makes 19 ratings and one, for 5,500 euros.", []) == ("5,500 euros",)
    assert Box().tools.find_unsaid("That makes 19 ratings and one.", []) == ("19 ratings and one",)
