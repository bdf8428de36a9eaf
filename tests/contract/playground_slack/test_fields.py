"""Fields of a modal: what each type makes of what is entered, and what Slack's client checks before it asks the app."""

from typing import Any, cast

import pytest

from app.playground.slack import SlackPlayground
from tests.contract.playground_slack.conftest import channel_id, user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    field,
    listening,
    modal,
    opened,
    opening,
    option,
    plain,
    search,
    select,
)

REQUIRED = "Please complete this required field."
OPTIONS: Json = {"options": [option("1", "one"), option("2", "two")]}


@pytest.mark.parametrize(
    ("element", "entered", "state"),
    [
        ({"kind": "plain_text_input"}, "a b", {"value": "a b"}),
        ({"kind": "plain_text_input"}, None, {"value": None}),
        ({"kind": "number_input", "is_decimal_allowed": False}, "7", {"value": "7"}),
        ({"kind": "email_text_input"}, "a@b.example", {"value": "a@b.example"}),
        ({"kind": "url_text_input"}, "https://b.example", {"value": "https://b.example"}),
        ({"kind": "static_select", **OPTIONS}, "2", {"selected_option": option("2", "two")}),
        ({"kind": "static_select", **OPTIONS}, "two", {"selected_option": option("2", "two")}),
        ({"kind": "radio_buttons", **OPTIONS}, "1", {"selected_option": option("1", "one")}),
        ({"kind": "radio_buttons", **OPTIONS}, None, {"selected_option": None}),
        ({"kind": "checkboxes", **OPTIONS}, ["2", "1"], {"selected_options": [option("2", "two"), option("1", "one")]}),
        ({"kind": "checkboxes", **OPTIONS}, None, {"selected_options": []}),
        ({"kind": "multi_static_select", **OPTIONS}, "1", {"selected_options": [option("1", "one")]}),
        ({"kind": "datepicker"}, "2026-11-21", {"selected_date": "2026-11-21"}),
        ({"kind": "timepicker"}, "09:30", {"selected_time": "09:30"}),
        ({"kind": "datetimepicker"}, "1795253400", {"selected_date_time": 1795253400}),
        ({"kind": "users_select"}, "Sam", {"selected_user": "U:Sam"}),
        ({"kind": "multi_users_select"}, ["Sam", "Maya"], {"selected_users": ["U:Sam", "U:Maya"]}),
        ({"kind": "conversations_select"}, "#ops", {"selected_conversation": "C:ops"}),
        ({"kind": "multi_channels_select"}, ["#ops"], {"selected_channels": ["C:ops"]}),
    ],
)
async def test_each_type_of_field_has_its_own_form_of_state(
    slack: SlackPlayground, element: Json, entered: Any, state: Json
):
    # Slack's reference of view_submission: state.values by block_id and action_id.
    heard: list[Json] = []
    app = opening(slack, modal(field("it", block={"optional": True}, **element)))
    app.view("goal")(acknowledging(heard))
    async with listening(slack, app):
        await opened(slack)
        await slack.people.fills("Maya", it=entered)
        assert await slack.people.submits("Maya") == {}
    expected = {name: _ids(slack, value) for name, value in state.items()}
    assert heard[0]["view"]["state"]["values"] == {"it": {"it": {"type": element["kind"], **expected}}}
    assert slack.people.modal("Maya") is None


def _ids(slack: SlackPlayground, value: Any) -> Any:
    if isinstance(value, list):
        return [_ids(slack, item) for item in cast(list[Any], value)]
    kind, colon, name = value.partition(":") if isinstance(value, str) else ("", "", "")
    if colon and kind in ("U", "C"):
        return user_id(slack, name) if kind == "U" else channel_id(slack, name)
    return value


async def test_initial_values_are_the_state_of_what_nobody_touched(slack: SlackPlayground):
    heard: list[Json] = []
    blocks = (
        field("name", initial_value="Rota"),
        field("day", "datepicker", initial_date="2026-12-01"),
        field("tags", "checkboxes", initial_options=[option("1", "one")], **OPTIONS),
        actions(select("size", "small", "big", initial_option=option("big", "Big"))),
        field("who", "users_select", block={"optional": True}),
    )
    app = opening(slack, modal(*blocks))
    app.view("goal")(acknowledging(heard))
    async with listening(slack, app):
        await opened(slack)
        await slack.people.submits("Maya")
    values = heard[0]["view"]["state"]["values"]
    assert values["name"]["name"]["value"] == "Rota"
    assert values["day"]["day"]["selected_date"] == "2026-12-01"
    assert values["tags"]["tags"]["selected_options"] == [option("1", "one")]
    assert values["controls"]["size"]["selected_option"] == option("big", "Big")
    assert values["who"]["who"] == {"type": "users_select", "selected_user": None}


@pytest.mark.parametrize(
    ("element", "entered", "words"),
    [
        ({}, None, REQUIRED),
        ({"kind": "checkboxes", **OPTIONS}, [], REQUIRED),
        ({"min_length": 3}, "ab", "This needs at least 3 characters."),
        ({"max_length": 3}, "abcd", "This takes at most 3 characters."),
        ({}, "x" * 3001, "This takes at most 3000 characters."),
        ({"kind": "number_input", "is_decimal_allowed": False}, "1.5", "Please enter a whole number."),
        ({"kind": "number_input", "is_decimal_allowed": True}, "many", "Please enter a number."),
        ({"kind": "number_input", "is_decimal_allowed": True, "min_value": "2"}, "1.5", "This must be at least 2."),
        ({"kind": "number_input", "is_decimal_allowed": True, "max_value": "2"}, "2.5", "This must be at most 2."),
        ({"kind": "email_text_input"}, "nobody", "Please enter an email address."),
        ({"kind": "url_text_input"}, "b.example", "Please enter a web address."),
        ({"kind": "multi_static_select", "max_selected_items": 1, **OPTIONS}, ["1", "2"], "Please choose at most 1."),
    ],
)
async def test_field_slacks_client_would_not_send_stays_with_the_person(
    slack: SlackPlayground, element: Json, entered: Any, words: str
):
    # Slack checks required inputs and lengths before it asks the app: the app never hears of it.
    async with listening(slack, opening(slack, modal(field("it", **element)))):
        await opened(slack)
        await slack.people.fills("Maya", it=entered)
        assert await slack.people.submits("Maya") == {"it": words}
    view = slack.people.modal("Maya")
    assert view is not None
    assert dict(view.errors) == {"it": words}
    assert [entry["payload"].get("type") for entry in slack.journal.of("delivery")] == [None]


async def test_input_that_dispatches_is_told_while_it_is_filled_in(slack: SlackPlayground):
    heard: list[Json] = []
    blocks = (field("loud", block={"dispatch_action": True}), field("silent"))
    app = opening(slack, modal(*blocks))
    app.action("loud")(acknowledging(heard))
    async with listening(slack, app):
        await opened(slack)
        await slack.people.fills("Maya", silent="a", loud="b")
        await slack.people.waits(lambda: heard)
    [payload] = heard
    assert (payload["actions"][0]["action_id"], payload["actions"][0]["value"]) == ("loud", "b")
    assert payload["view"]["state"]["values"]["silent"]["silent"]["value"] == "a"


@pytest.mark.parametrize(
    ("name", "entered", "words"),
    [
        ("nothing", "x", r"There is no 'nothing' to choose in; there is: pick \(static_select\), find"),
        ("pick", "huge", r"pick has no option 'huge'; its options are: small \(Small\), big \(Big\)"),
        ("pick", ["small", "big"], "pick takes one thing, not 2"),
        ("find", "x", "find has no option 'x'; its options are: none"),
        ("who", "Zoe", "There is nobody called 'Zoe'"),
        ("where", "#nowhere", "There is no channel '#nowhere'"),
    ],
)
async def test_what_nobody_could_choose_is_refused_with_what_there_is(
    slack: SlackPlayground, name: str, entered: Any, words: str
):
    blocks = (
        {"type": "input", "block_id": "1", "label": plain("1"), "element": select("pick", "small", "big")},
        {"type": "input", "block_id": "2", "label": plain("2"), "element": search("find")},
        field("who", "users_select"),
        field("where", "conversations_select"),
    )
    async with listening(slack, opening(slack, modal(*blocks))):
        await opened(slack)
        with pytest.raises(LookupError, match=words):
            await slack.people.fills("Maya", **{name: entered})


@pytest.mark.parametrize(("kind", "entered"), [("timepicker", "25:00"), ("datepicker", "2026-13-01")])
async def test_what_is_no_time_is_not_taken(slack: SlackPlayground, kind: str, entered: str):
    async with listening(slack, opening(slack, modal(field("it", kind)))):
        await opened(slack)
        with pytest.raises(ValueError, match=entered if kind == "timepicker" else "month"):
            await slack.people.fills("Maya", it=entered)
