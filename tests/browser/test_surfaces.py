"""An app's own surfaces in the page: commands, modals, elements in messages, shortcuts, the Home tab."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from app.playground.slack import SlackPlayground
from tests.browser.bot import Bot
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import box, do, goes_to, message, opened_modal, parts_wider_than_their_place, run, say
from tests.browser.surface_app import SurfaceApp, actions, button, home, open_surface_app, option, section, text

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"


@pytest_asyncio.fixture(loop_scope="session")
async def surfaces(slack: SlackPlayground) -> AsyncIterator[SurfaceApp]:
    async with open_surface_app(slack) as opened:
        yield opened


async def test_a_command_is_offered_completed_and_answered_to_its_person_alone(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await box(page).press_sequentially("/thr")
    await expect(page.get_by_role("option")).to_contain_text("/threadwise[list | archive | reopen]List, archive")
    await box(page).press("Enter")
    await expect(box(page)).to_have_value("/threadwise ")
    await box(page).press_sequentially("list")
    await box(page).press("Enter")
    await expect(message(page, "Nothing to list yet.")).to_contain_text("Only visible to you")
    await expect(box(page)).to_have_value("")


async def test_a_command_in_a_thread_is_not_offered_but_refused_in_slacks_words_and_stays_in_the_box(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    await do(page, "which van?", "Reply in thread")
    await box(page, "thread").press_sequentially("/thr")
    await expect(page.get_by_role("option")).to_have_count(0)
    await box(page, "thread").fill("/threadwise archive")
    await box(page, "thread").press("Enter")
    await expect(page.locator(".toast")).to_contain_text("/threadwise is not supported in threads. Sorry!")
    await expect(box(page, "thread")).to_have_value("/threadwise archive")


async def test_a_modal_is_filled_in_by_keyboard_corrected_and_sent(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    modal = await opened_modal(page, "New decision")
    name = modal.get_by_label("Name")
    kind, thread = (modal.get_by_role("combobox", name=each) for each in ("Kind", "Thread"))
    await expect(name).to_be_focused()
    await name.press("Enter")
    await expect(modal.locator(".input.wrong")).to_have_count(2)
    await expect(name).to_have_attribute("aria-invalid", "true")

    await name.fill("taken")
    await kind.press("ArrowDown")
    await kind.press_sequentially("to")
    await kind.press("Enter")
    await expect(kind).to_have_value("Tools")
    await thread.fill("rota")
    await expect(modal.get_by_role("option")).to_have_text(["Rota plan", "Winter rota"])
    await thread.press("ArrowDown")
    await thread.press("Enter")
    await expect(thread).to_have_value("Winter rota")
    await modal.get_by_label("Priya").check()
    await modal.get_by_role("button", name="Start").click()
    await expect(modal.get_by_text("There is one of that name.")).to_be_visible()

    await name.fill("Evening cover")
    await name.press("Enter")
    await expect(modal).to_have_count(0)
    values = (await surfaces.hears("view_submission"))["view"]["state"]["values"]
    assert values["name"]["name"]["value"] == "Evening cover"
    assert values["kind"]["kind"]["selected_option"]["value"] == "Tools"
    assert values["thread"]["thread"]["selected_option"]["value"] == "Winter rota"
    assert [found["value"] for found in values["tell"]["tell"]["selected_options"]] == ["Priya"]


async def test_a_view_that_changes_under_ones_hands_keeps_what_was_typed(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    modal = await opened_modal(page, "New decision")
    await modal.get_by_label("Name").fill("Evening cover")
    await modal.get_by_role("button", name="Add a reason").click()
    await modal.get_by_label("Reason").fill("Families wait")
    await expect(modal.get_by_text("It can be changed later.")).to_be_visible()
    await expect(modal.get_by_label("Name")).to_have_value("Evening cover")

    await modal.get_by_role("button", name="Look ahead").click()
    ahead = await opened_modal(page, "What comes next")
    await expect(ahead.get_by_role("button", name="Start")).to_have_count(0)
    await page.keyboard.press("Escape")
    assert (await surfaces.hears("view_closed"))["view"]["callback_id"] == "ahead"
    await expect(modal.get_by_label("Reason")).to_have_value("Families wait")
    await expect(modal.get_by_label("Name")).to_be_focused()
    await page.keyboard.press("Escape")
    assert (await surfaces.hears("view_closed"))["view"]["callback_id"] == "decision"
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_modal_is_busy_until_the_app_has_answered(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await run(page, "/decide")
    modal = await opened_modal(page, "New decision")
    await modal.get_by_label("Name").fill("Evening cover")
    await modal.get_by_label("Kind").click()
    await modal.get_by_role("option", name="Time").click()
    surfaces.may_answer.clear()
    await modal.get_by_role("button", name="Start").click()
    await expect(modal.locator("form")).to_have_attribute("aria-busy", "true")
    await modal.get_by_label("Name").press("Enter")
    surfaces.may_answer.set()
    await expect(modal).to_have_count(0)
    submissions = [body for body in surfaces.heard if body.get("type") == "view_submission"]
    assert len(submissions) == 1


async def test_a_choice_in_a_message_is_told_to_the_app_and_outlives_a_change_of_the_message(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    element = {"type": "static_select", "action_id": "choice", "options": [option("Evening cover"), option("Hiring")]}
    asked = await bot.posts("?", blocks=[section("Which decision?"), actions(element)])
    select = message(page, "Which decision?").get_by_role("combobox")
    await select.click()
    await page.get_by_role("option", name="Hiring").click()
    action = (await surfaces.hears("block_actions"))["actions"][0]
    assert action["selected_option"]["value"] == "Hiring"
    await bot.reacts(asked, "eyes")
    await expect(message(page, "Which decision?").locator(".reaction")).to_be_visible()
    await expect(select).to_have_value("Hiring")


async def test_a_menu_stays_open_while_its_message_changes_which_shows_once_it_is_closed(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    asked = await bot.posts("The van", blocks=[section("The van")])
    await message(page, "The van").hover()
    await message(page, "The van").get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Archive thread").wait_for()
    await bot.reacts(asked, "eyes")
    await bot.posts("And the depot", channel="ops")
    await expect(page.locator("#announcer")).to_contain_text("And the depot")
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    assert await message(page, "The van").locator(".reaction").count() == 0
    await page.get_by_role("menuitem", name="Archive thread").click()
    await expect((await opened_modal(page, "Archive thread")).locator("blockquote")).to_have_text("The van")
    await expect(message(page, "The van").locator(".reaction")).to_be_visible()


async def test_what_is_to_be_confirmed_is_told_to_the_app_only_if_it_is(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    confirm = {"title": text("Sure?"), "text": text("It is gone."), "confirm": text("Erase"), "deny": text("Keep")}
    erase = [actions(button(name, f"{name}!", confirm=confirm) | {"action_id": "choice"}) for name in ("Never", "Now")]
    await bot.posts("?", blocks=[block | {"block_id": str(at)} for at, block in enumerate(erase)])
    for button_name, answer in (("Never!", "Keep"), ("Now!", "Erase")):
        await page.get_by_role("button", name=button_name).click()
        await page.get_by_role("dialog", name="Sure?").get_by_role("button", name=answer).click()
    action = (await surfaces.hears("block_actions"))["actions"][0]
    assert action["value"] == "Now!"


async def test_a_button_that_leads_to_a_message_is_followed_within_the_page(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    there = await bot.posts("over there", channel="ops")
    link = await bot.links_to(there, "ops")
    await bot.posts("?", blocks=[section("Waits for you", accessory=button("choice", "Open thread", url=link))])
    await page.get_by_role("button", name="Open thread").click()
    await expect(message(page, "over there")).to_be_visible()
    await surfaces.hears("block_actions")
    assert len(page.context.pages) == 1


async def test_a_link_to_a_message_that_is_only_being_answered_opens_its_thread(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    asked = await bot.posts("which van?")
    await bot.works(asked, "processing")
    link = await bot.links_to(asked, "general")
    await bot.posts(
        "?", channel="ops", blocks=[section("Goes on", accessory=button("choice", "Open thread", url=link))]
    )
    await goes_to(page, "ops")
    await page.get_by_role("button", name="Open thread").click()
    await expect(message(page, "which van?", "thread")).to_be_visible()


async def test_shortcuts_are_in_the_menus_of_a_message_and_of_the_box(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    await do(page, "which van?", "More actions")
    await page.keyboard.press("Enter")
    archive = await opened_modal(page, "Archive thread")
    await expect(archive.locator("blockquote")).to_have_text("which van?")
    await archive.get_by_role("button", name="Cancel").click()
    await expect(archive).to_have_count(0)

    await page.get_by_role("button", name="Shortcuts").click()
    await page.get_by_role("menuitem", name="New decision").click()
    await opened_modal(page, "New decision")


async def test_the_home_tab_shows_what_the_app_publishes_as_it_publishes_it(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await goes_to(page, "Threadwise")
    await surfaces.hears("opened_messages")
    await page.get_by_role("button", name="Home").click()
    await expect(page.locator("#home")).to_contain_text("Decisions so far: 0")
    await page.get_by_role("button", name="Make a decision").click()
    await expect(page.locator("#home")).to_contain_text("Decisions so far: 1")
    await expect(page.get_by_role("button", name="Make a decision")).to_be_focused()
    await surfaces.hears("opened_home")
    await page.reload()
    await expect(page.locator("#home")).to_contain_text("Decisions so far")
    await surfaces.hears("opened_home")
    await page.get_by_role("button", name="Messages").click()
    await expect(box(page)).to_be_focused()


async def test_the_focus_comes_back_to_home_if_the_button_that_opened_a_modal_is_gone(
    slack: SlackPlayground, surfaces: SurfaceApp, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await goes_to(page, "Threadwise")
    await page.get_by_role("button", name="Home").click()
    await page.get_by_role("button", name="Open thread").click()
    window = await opened_modal(page, "Rota plan")
    member = slack.workspace.member("Maya")
    assert member
    await surfaces.app.client.views_publish(user_id=member.id, view=home(1) | {"blocks": [section("Nothing waits.")]})
    await expect(page.locator("#home")).to_contain_text("Nothing waits.")
    await window.get_by_role("button", name="Close").last.click()
    await expect(page.locator("#home :focus")).to_have_count(1)


async def test_a_home_that_nobody_published_says_so(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await goes_to(page, "Threadwise")
    await page.get_by_role("button", name="Home").click()
    await expect(page.locator("#home")).to_contain_text("Threadwise has put nothing here yet.")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 420)])
async def test_the_apps_surfaces_are_drawn_for_people_to_judge(
    slack: SlackPlayground, bot: Bot, surfaces: SurfaceApp, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    page = await page_on(slack.page_url, scheme=scheme, width=width, height=820)

    async def draw(name: str) -> None:
        assert await parts_wider_than_their_place(page) == 0
        picture = SCREENSHOTS / f"surfaces-{scheme}-{width}-{name}.png"
        await page.screenshot(path=picture, animations="disabled")
        assert picture.stat().st_size > 10_000

    select = {"type": "static_select", "action_id": "choice", "options": [option("Evening cover"), option("Hiring")]}
    menu = {"type": "overflow", "action_id": "menu", "options": [option("Copy link"), option("Archive")]}
    dates = {"type": "datepicker", "action_id": "date", "initial_date": "2026-12-01"}
    await bot.posts(
        "?",
        blocks=[section("Which decision, and by when?", accessory=menu), actions(select, dates, button("go", "Go on"))],
    )
    await message(page, "Which decision").hover()
    await draw("message")
    await box(page).press_sequentially("/")
    await draw("commands")
    await run(page, "/decide")
    modal = await opened_modal(page, "New decision")
    await modal.get_by_role("button", name="Start").click()
    await expect(modal.locator(".input.wrong")).to_have_count(2)
    await modal.get_by_label("Kind").click()
    await draw("modal")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await expect(modal).to_have_count(0)
    await goes_to(page, "Threadwi")
    await page.get_by_role("button", name="Home").click()
    await expect(page.locator("#home")).to_contain_text("Decisions so far: 0")
    await draw("home")
