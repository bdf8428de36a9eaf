"""What decisions show in the page: tables, files, a modal that is a small tool, a channel of their own."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from app.playground.slack import SlackPlayground
from tests.browser.bot import Bot
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import (
    become,
    do,
    goes_to,
    message,
    opened_modal,
    parts_wider_than_their_place,
    place,
    run,
    say,
)
from tests.browser.surface_app import Json, actions, button, field, modal, option, section, text
from tests.contract.playground_slack.kit import acknowledging, listening
from tests.contract.playground_slack.sdk import bolt_app

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
PAGE = "<!doctype html><title>Night cover</title><h1>Night cover</h1><script>document.title = 'no'</script>"
CONFIRM = {
    "title": text("Drop it?"),
    "text": text("Nobody sees it then."),
    "confirm": text("Drop"),
    "deny": text("Keep"),
}
MENU: Json = {"type": "overflow", "action_id": "menu", "options": [option("Edit"), option("Drop")]}
GROUPS = [
    {"label": text("Ends"), "options": [option("Fast answers"), option("Calm nights")]},
    {"label": text("Means"), "options": [option("More nurses")]},
]
WORKBENCH = modal(
    "objectives",
    "Objectives",
    section("*Response time*", accessory=MENU | {"confirm": CONFIRM}, block_id="time"),
    {"type": "divider"},
    field("name", "plain_text_input", initial_value="Answer families", max_length=40, hint=text("In a few words")),
    field("people", "multi_users_select"),
    field("owner", "users_select", optional=True),
    field("weight", "number_input", is_decimal_allowed=True, min_value="0", max_value="10"),
    field("kind", "multi_static_select", option_groups=GROUPS),
    field("sure", "radio_buttons", options=[option("Yes"), option("No")]),
    field("cost", "number_input", is_decimal_allowed=True, optional=True),
    actions(button("add", "Add another")),
    submit="Save",
)


@pytest_asyncio.fixture(loop_scope="session")
async def heard(slack: SlackPlayground) -> AsyncIterator[list[Json]]:
    """What an app hears that opens the workbench on /decide."""
    told: list[Json] = []
    app: Any = bolt_app(slack)

    async def open_workbench(ack: Any, body: Json, client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=WORKBENCH)

    app.command("/decide")(open_workbench)
    app.action(re.compile(".*"))(acknowledging(told))
    app.view("objectives")(acknowledging(told))
    async with listening(slack, app):
        yield told


def cell(words: str) -> Json:
    return {"type": "raw_text", "text": words}


def table() -> Json:
    rows = [
        ["Objective", "Hire two nurses", "Change the rota", "Agency for the winter"],
        ["Families reach a nurse within ten minutes, whatever the hour", "12 min", "31 min", "18 min"],
        ["Cost a year", "€96,000", "€4,000", "€61,500"],
    ]
    settings = [{"is_wrapped": True}, *[{"align": "right"}] * 3]
    return {"type": "table", "rows": [list(map(cell, row)) for row in rows], "column_settings": settings}


async def shares(bot: Bot, thread_ts: str) -> None:
    """Post a table and two files in a thread of #general."""
    blocks = [{"type": "header", "text": text("Consequences")}, table(), actions(button("ok", "Approve"), MENU)]
    await bot.posts("Consequences", blocks=blocks, thread_ts=thread_ts)
    files = [
        {"filename": "decision.html", "title": "Decision: night cover", "content": PAGE},
        {"filename": "everything-that-was-said-and-decided-about-it.json", "content": "{}" * 6000},
    ]
    general = bot.channel("general")
    await bot.client.files_upload_v2(
        channel=general, thread_ts=thread_ts, initial_comment="As it is.", file_uploads=files
    )


async def shared(page: Page, slack: SlackPlayground, bot: Bot) -> Locator:
    """Start a thread, share into it, look at it; returns the files in it."""
    await say(page, "compare them")
    [root] = slack.people.sees("Maya", "#general")
    await shares(bot, root.ts)
    await do(page, "compare them", "Reply in thread")
    files = page.locator("#thread .file")
    await expect(files).to_have_count(2)
    return files


async def test_a_file_says_what_it_is_opens_harmless_and_downloads(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    files = await shared(page, slack, bot)
    await expect(files.first).to_contain_text("Decision: night coverdecision.html · HTML · 99 bytes")
    await expect(files.last).to_contain_text("JSON · 12 KB")
    async with page.expect_popup() as popup:
        await files.first.get_by_role("link", name="Decision: night cover").click()
    opened = await popup.value
    await expect(opened.get_by_role("heading")).to_have_text("Night cover")
    assert await opened.title() == "Night cover"  # its script did not run
    async with page.expect_download() as download:
        await files.first.get_by_role("link", name="Download decision.html").click()
    kept = await download.value
    assert (kept.suggested_filename, Path(await kept.path()).read_text()) == ("decision.html", PAGE)


async def test_a_wide_table_scrolls_in_its_box_and_the_page_does_not(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url, width=420)
    await shared(page, slack, bot)
    box = page.locator("#thread .block.table")
    assert await box.evaluate("box => box.scrollWidth > box.clientWidth && box.clientWidth > 200")
    assert await parts_wider_than_their_place(page) == 0
    first, second = box.locator("td").nth(0), box.locator("td").nth(1)
    heights = [await each.evaluate("cell => cell.getClientRects()[0].height") for each in (first, second)]
    assert heights[0] == heights[1] > 40  # the first column wraps
    await expect(second).to_have_css("text-align", "right")
    await expect(second).to_have_css("white-space", "nowrap")


async def test_a_menu_in_a_modal_is_told_with_what_was_typed_and_only_if_confirmed(
    slack: SlackPlayground, heard: list[Json], page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    shown = await opened_modal(page, "Objectives")
    await shown.get_by_label("Name").fill("Answer in time")
    for answer, entry in (("Keep", "Edit"), ("Drop", "Drop")):
        await shown.get_by_role("button", name="More").click()
        await page.get_by_role("menuitem", name=entry).click()
        await page.get_by_role("dialog", name="Drop it?").get_by_role("button", name=answer).click()
    [payload] = await slack.people.waits(lambda: heard)
    assert (payload["actions"][0]["block_id"], payload["actions"][0]["selected_option"]["value"]) == ("time", "Drop")
    assert payload["view"]["state"]["values"]["name"]["name"]["value"] == "Answer in time"
    await expect(shown.get_by_label("Name")).to_have_value("Answer in time")


async def test_people_groups_and_numbers_are_chosen_and_sent(
    slack: SlackPlayground, heard: list[Json], page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    shown = await opened_modal(page, "Objectives")
    await expect(shown.get_by_label("Name")).to_have_value("Answer families")
    await shown.get_by_label("People").click()
    for person in ("Sam Rivera", "Priya Nair"):
        await shown.get_by_role("option", name=person).click()
    await shown.get_by_label("Kind").click()
    await expect(shown.locator(".options .group:visible")).to_have_text(["Ends", "Means"])
    await shown.get_by_role("option", name="Calm nights").click()
    await shown.get_by_role("option", name="More nurses").click()
    await shown.get_by_label("Yes").check()
    await shown.get_by_label("Weight").fill("12")
    await shown.get_by_role("button", name="Save").click()
    await expect(shown.get_by_text("This must be at most 10.")).to_be_visible()
    await shown.get_by_label("Weight").fill("2.5")
    await shown.get_by_role("button", name="Save").click()
    await expect(shown).to_have_count(0)
    [payload] = await slack.people.waits(lambda: heard)
    values = payload["view"]["state"]["values"]
    sam, priya = (slack.workspace.member(name) for name in ("Sam", "Priya"))
    assert sam
    assert priya
    assert values["people"]["people"]["selected_users"] == [sam.id, priya.id]
    assert [each["value"] for each in values["kind"]["kind"]["selected_options"]] == ["Calm nights", "More nurses"]
    assert values["weight"]["weight"]["value"] == "2.5"
    assert values["owner"]["owner"]["selected_user"] is None


@pytest.mark.parametrize("typed", ["abc", "-5e", "1.500,5", "   ", "5 €", "12🙂"])
async def test_what_is_no_number_is_refused_at_its_field_and_stays_there(
    slack: SlackPlayground, heard: list[Json], page_on: OpenPage, typed: str
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    shown = await opened_modal(page, "Objectives")
    await shown.get_by_label("Cost").press_sequentially(typed)
    await shown.get_by_role("button", name="Save").click()
    wrong = shown.locator(".input.wrong", has_text="Cost")
    await expect(wrong).to_contain_text("Please enter a number.")
    await expect(shown.get_by_label("Cost")).to_have_value(typed)
    assert heard == []


async def test_the_button_that_clears_a_choice_says_which(
    slack: SlackPlayground, heard: list[Json], page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    shown = await opened_modal(page, "Objectives")
    owner = shown.get_by_role("combobox", name="Owner")
    await owner.click()
    await shown.get_by_role("option", name="Priya Nair").click()
    await shown.get_by_role("button", name="Clear Owner", exact=True).click()
    await expect(owner).to_have_value("")


async def test_a_private_channel_stands_in_the_side_bar_of_its_members_at_once(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    made = await bot.client.conversations_create(name="decision-night-cover", is_private=True)
    maya = slack.workspace.member("Maya")
    assert maya
    await bot.client.conversations_invite(channel=made["channel"]["id"], users=maya.id)
    await goes_to(page, "decision-night-cover")
    await expect(page.locator("#channel-title")).to_have_text("decision-night-cover")
    await expect(message(page, "has joined the channel")).to_have_count(2)
    await bot.posts("Let us begin.", channel="decision-night-cover")
    await expect(message(page, "Let us begin.")).to_be_visible()
    await become(page, "Sam")
    await expect(place(page, "general")).to_be_visible()
    await expect(place(page, "decision-night-cover")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 420)])
async def test_tables_files_and_workbench_are_drawn_for_people_to_judge(
    slack: SlackPlayground, bot: Bot, heard: list[Json], page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    page = await page_on(slack.page_url, scheme=scheme, width=width, height=820)

    async def draw(name: str) -> None:
        assert await parts_wider_than_their_place(page) == 0
        picture = SCREENSHOTS / f"decisions-{scheme}-{width}-{name}.png"
        await page.screenshot(path=picture, animations="disabled")
        assert picture.stat().st_size > 10_000

    await run(page, "/decide")
    shown = await opened_modal(page, "Objectives")
    await shown.get_by_role("button", name="Save").click()
    await expect(shown.locator(".input.wrong")).to_have_count(4)
    await draw("workbench")
    await page.keyboard.press("Escape")
    await expect(shown).to_have_count(0)
    await shared(page, slack, bot)
    await draw("thread")
