"""What a person does within a modal that is a small tool: lists with menus, buttons that add, fields of every kind."""

from typing import Any

import pytest

from app.playground.slack import SlackPlayground, View
from tests.contract.playground_slack.conftest import user_id
from tests.contract.playground_slack.kit import (
    Json,
    acknowledging,
    actions,
    button,
    field,
    listening,
    modal,
    opened,
    opening,
    option,
    plain,
    select,
)

MENU: Json = {"type": "overflow", "action_id": "menu", "options": [option("edit", "Edit"), option("drop", "Drop")]}


def row(name: str, accessory: Json) -> Json:
    return {"type": "section", "block_id": name, "text": plain(name), "accessory": accessory}


WORKBENCH = modal(
    {"type": "header", "text": plain("Objectives")},
    row("cost", MENU),
    row("time", MENU),
    {"type": "divider"},
    field("name", max_length=50, block={"optional": True, "hint": plain("In a few words")}),
    field("people", "multi_users_select", max_selected_items=2),
    field("weight", "number_input", is_decimal_allowed=True, min_value="0", max_value="10"),
    field(
        "kind",
        "static_select",
        option_groups=[
            {"label": plain("Ends"), "options": [option("end", "An end")]},
            {"label": plain("Means"), "options": [option("mean", "A means")]},
        ],
    ),
    field("sure", "radio_buttons", options=[option("yes"), option("no")]),
    field("tags", "checkboxes", options=[option("a"), option("b")], block={"optional": True}),
    field("day", "datepicker", block={"optional": True}),
    actions(button("move", "up"), select("move_to", "top", "end"), block_id="moves"),
    private_metadata="x" * 3000,
)


async def heard_by(slack: SlackPlayground, heard: list[Json]) -> Json:
    """Wait for the next thing the app hears."""
    found = await slack.people.waits(lambda: heard[:1])
    heard.clear()
    return found[0]


async def test_entry_of_a_menu_in_a_row_is_told_with_the_row_and_all_that_stands_in_the_view(slack: SlackPlayground):
    heard: list[Json] = []
    app = opening(slack, WORKBENCH)
    app.action("menu")(acknowledging(heard))
    async with listening(slack, app):
        view = await opened(slack)
        await slack.people.fills("Maya", name="Answer within ten minutes", weight="7.5", sure="yes")
        await slack.people.clicks_in_modal("Maya", "time/menu", "Drop")
        payload = await heard_by(slack, heard)
    action = payload["actions"][0]
    assert (action["type"], action["block_id"], action["selected_option"]) == (
        "overflow",
        "time",
        option("drop", "Drop"),
    )
    assert (payload["view"]["id"], payload["view"]["hash"]) == (view.id, view.hash)
    assert payload["container"] == {"type": "view", "view_id": view.id}
    assert payload["view"]["private_metadata"] == "x" * 3000
    values = payload["view"]["state"]["values"]
    assert values["name"]["name"]["value"] == "Answer within ten minutes"
    assert values["weight"]["weight"]["value"] == "7.5"
    assert "time" not in values  # a menu keeps no state


async def test_buttons_of_one_action_are_told_apart_by_value(slack: SlackPlayground):
    heard: list[Json] = []
    app = opening(slack, modal(row("cost", button("drop", "cost")), row("time", button("drop", "time"))))
    app.action("drop")(acknowledging(heard))
    async with listening(slack, app):
        await opened(slack)
        await slack.people.clicks_in_modal("Maya", "drop", "time")
        pressed = (await heard_by(slack, heard))["actions"][0]
        await slack.people.clicks_in_modal("Maya", "drop")
        first = (await heard_by(slack, heard))["actions"][0]
        with pytest.raises(LookupError, match="No button 'drop' with value 'risk' on Goal; its buttons are: drop=cost"):
            await slack.people.clicks_in_modal("Maya", "drop", "risk")
    assert [(action["block_id"], action["value"]) for action in (pressed, first)] == [
        ("time", "time"),
        ("cost", "cost"),
    ]


def changed(now: View | None, before: View) -> View | None:
    return now if now and now.id == before.id and now.hash != before.hash else None


async def test_click_opens_a_second_modal_whose_answer_changes_the_first(slack: SlackPlayground):
    # The way a list is edited: press, fill in on top, submit, and the list below is another one.
    app = opening(slack, modal(row("cost", MENU), field("name", block={"optional": True})))

    async def edit(ack: Any, body: Json) -> None:
        await ack()
        view = modal(field("title"), callback_id="edit", private_metadata=body["view"]["id"], title="Edit")
        await app.client.views_push(trigger_id=body["trigger_id"], view=view)

    async def save(ack: Any, body: Json) -> None:
        below = body["view"]["private_metadata"]
        title = body["view"]["state"]["values"]["title"]["title"]["value"]
        await ack()
        rows = modal(row(title, MENU), field("name", block={"optional": True}))
        await app.client.views_update(view_id=below, view=rows)

    app.action("menu")(edit)
    app.view("edit")(save)
    async with listening(slack, app):
        list_view = await opened(slack)
        await slack.people.fills("Maya", name="typed before")
        await slack.people.clicks_in_modal("Maya", "menu", "edit")
        await slack.people.waits(lambda: (top := slack.people.modal("Maya")) and top.callback_id == "edit")
        await slack.people.fills("Maya", title="Lower cost")
        assert await slack.people.submits("Maya") == {}
        shown = await slack.people.waits(lambda: changed(slack.people.modal("Maya"), list_view))
    assert shown
    assert shown.blocks[0]["block_id"] == "Lower cost"
    assert shown.values["name", "name"]["value"] == "typed before"


async def test_all_fields_filled_in_are_submitted_together(slack: SlackPlayground):
    heard: list[Json] = []
    app = opening(slack, WORKBENCH)
    app.view("goal")(acknowledging(heard))
    async with listening(slack, app):
        await opened(slack)
        errors = await slack.people.submits("Maya")
        assert set(errors) == {"people", "weight", "kind", "sure"}
        await slack.people.fills(
            "Maya", people=["Sam", "Priya"], weight="11", kind="A means", sure="no", tags=["b"], day="2026-12-01"
        )
        assert await slack.people.submits("Maya") == {"weight": "This must be at most 10."}
        await slack.people.fills("Maya", weight="2.5")
        assert await slack.people.submits("Maya") == {}
    values = heard[0]["view"]["state"]["values"]
    assert values["people"]["people"]["selected_users"] == [user_id(slack, "Sam"), user_id(slack, "Priya")]
    assert values["kind"]["kind"]["selected_option"] == option("mean", "A means")
    assert values["sure"]["sure"]["selected_option"]["value"] == "no"
    assert values["tags"]["tags"]["selected_options"] == [option("b")]
    assert (values["weight"]["weight"]["value"], values["day"]["day"]["selected_date"]) == ("2.5", "2026-12-01")
    assert values["name"]["name"]["value"] is None


async def test_modal_of_a_hundred_blocks_is_taken(slack: SlackPlayground):
    async with listening(slack, opening(slack, modal(*[row(str(number), MENU) for number in range(100)]))):
        view = await opened(slack)
    assert len(view.blocks) == 100
