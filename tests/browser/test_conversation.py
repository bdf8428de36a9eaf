"""Talking with the bot in the page: what people write reaches Slack, and what the bot does shows at once."""

import pytest
from playwright.async_api import expect

from app.playground.slack import SlackPlayground
from tests.browser.bot import Bot, buttons
from tests.browser.conftest import OpenPage
from tests.browser.places import become, box, do, goes_to, message, say

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_mention_picked_from_the_list_reaches_the_bot_and_its_reply_waits_in_the_thread(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await box(page).press_sequentially("@thr")
    await expect(page.get_by_role("option")).to_have_text(["ThreadwiseApp"])
    await box(page).press("Enter")
    await box(page).press_sequentially("which van?")
    await box(page).press("Enter")
    await expect(message(page, "which van?").locator(".mention")).to_have_text("@Threadwise")
    heard = await bot.reads_last()
    assert heard["text"] == f"<@{slack.bot_user_id}> which van?"

    await bot.posts("The *blue* one.", thread_ts=heard["ts"])
    replies = message(page, "which van?").locator(".replies")
    await expect(replies).to_contain_text("1 reply")
    await expect(replies.get_by_role("img", name="unread")).to_be_visible()
    await replies.click()
    await expect(message(page, "The blue one.", "thread")).to_be_visible()
    await expect(box(page, "thread")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("#thread")).to_be_hidden()
    await expect(replies.get_by_role("img", name="unread")).to_have_count(0)


async def test_a_press_counts_even_if_what_is_pressed_changes_before_it_is_let_go(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    heard = await bot.reads_last()
    await bot.posts("The blue one.", thread_ts=heard["ts"])
    await message(page, "which van?").locator(".replies").hover()
    await page.mouse.down()
    await bot.posts("Or the red one.", thread_ts=heard["ts"])
    await bot.posts("There are two.")
    await expect(page.locator("#announcer")).to_contain_text("There are two.")
    await page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    await page.mouse.up()
    await expect(message(page, "Or the red one.", "thread")).to_be_visible()
    await expect(message(page, "There are two.")).to_be_visible()


async def test_the_page_goes_on_after_a_press_whose_end_was_kept_from_it(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await page.evaluate("document.addEventListener('pointerup', (event) => event.stopPropagation(), true)")
    await page.locator("#channel .list").click(position={"x": 5, "y": 5})
    await bot.posts("The blue one.")
    await expect(message(page, "The blue one.")).to_be_visible()


async def test_a_draft_grows_in_place_and_the_strip_counts_its_edits(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    draft = await bot.posts("One")
    await expect(message(page, "One")).to_have_count(1)
    for text in ("One two", "One two three"):
        await bot.edits(draft, text)
    await expect(message(page, "One")).to_have_count(1)
    await expect(message(page, "One two three").locator(".edited")).to_have_count(0)
    await expect(page.locator("#strip .chip")).to_have_text("One two three2 edits")


async def test_the_status_of_a_thread_shows_while_it_lasts(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    heard = await bot.reads_last()
    await bot.shows_status(heard["ts"], "is thinking…")
    await message(page, "which van?").get_by_text("Threadwise is thinking…").click()
    await expect(page.locator("#thread .pane-status")).to_have_text("Threadwise is thinking…")
    await bot.shows_status(heard["ts"], "")
    await expect(page.locator("#thread .pane-status")).to_be_empty()


async def test_an_ephemeral_message_is_shown_to_its_person_alone(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await bot.whispers("psst", to="Maya")
    await expect(message(page, "psst")).to_contain_text("Only visible to you")
    await become(page, "Sam Rivera")
    await expect(message(page, "psst")).to_have_count(0)


async def test_a_press_on_a_button_is_told_to_the_app_and_a_refused_one_to_the_person(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await bot.posts("?", blocks=buttons("Yes", "No"))
    async with page.expect_response("**/play/click") as answered:
        await page.get_by_role("button", name="Yes", exact=True).click()
    assert (await answered.value).status == 200

    await page.route("**/play/click", lambda route: route.continue_(post_data={"user": "nobody"}))
    await page.get_by_role("button", name="No", exact=True).click()
    await expect(page.locator(".toast")).to_be_visible()


async def test_the_focus_stays_at_a_card_that_was_answered_and_in_the_list_after_a_message_is_gone(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    card = await bot.posts("Shall I?", blocks=buttons("Yes", "No"))
    await page.get_by_role("button", name="Yes", exact=True).press("Enter")
    await bot.edits(card, "Allowed once")
    await expect(message(page, "Allowed once")).to_be_focused()
    await say(page, "a slip")
    await message(page, "a slip").get_by_role("button", name="Delete message").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
    await expect(message(page, "a slip")).to_have_count(0)
    await expect(page.locator("#channel .list")).to_be_focused()


async def test_what_is_written_below_a_thread_has_its_writers_name_also_before_the_page_is_loaded_again(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "which van?")
    await say(page, "or which car?")
    names = page.locator("#channel .byline strong")
    await expect(names).to_have_text(["Maya Okafor"])
    [first, _] = (await bot.client.conversations_history(channel=bot.channel("general"), oldest="0"))["messages"][::-1]
    await bot.posts("The blue one.", thread_ts=first["ts"])
    await expect(names).to_have_text(["Maya Okafor"] * 2)


async def test_people_edit_and_delete_their_own_messages_and_no_others(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    await say(page, "Tom & @Sam <3")
    await bot.posts("not yours")
    await message(page, "not yours").hover()
    await expect(message(page, "not yours").get_by_role("button", name="Edit")).to_have_count(0)

    await box(page).press("ArrowUp")
    editor = page.get_by_role("textbox", name="Edit message")
    await expect(editor).to_have_value("Tom & @Sam <3")
    await editor.fill("Tom & Priya")
    await editor.press("Enter")
    await expect(message(page, "Tom & Priya")).to_contain_text("(edited)")

    await do(page, "Tom & Priya", "Delete message")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(message(page, "Tom & Priya")).to_have_count(0)


async def test_text_that_was_not_taken_comes_back_with_the_reason(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await page.route("**/play/say", lambda route: route.abort())
    await box(page).fill("important")
    await box(page).press("Enter")
    await expect(page.locator(".toast")).to_contain_text("does not answer")
    await expect(box(page)).to_have_value("important")


async def test_shift_enter_starts_a_new_line_and_enter_sends(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await box(page).press_sequentially("one")
    await box(page).press("Shift+Enter")
    await box(page).press_sequentially("two")
    await box(page).press("Enter")
    await expect(message(page, "one").locator(".text")).to_have_text("one\ntwo", use_inner_text=True)
    await expect(box(page)).to_have_value("")


async def test_the_bot_is_added_to_a_channel_it_does_not_hear(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await goes_to(page, "random")
    await page.get_by_role("button", name="Add Threadwise").click()
    await expect(page.get_by_text("is not in #random")).to_have_count(0)


async def test_direct_messages_with_the_bot_open_on_the_first_click(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await goes_to(page, "Threadwise")
    await expect(box(page)).to_have_attribute("placeholder", "Message Threadwise")
    await say(page, "hello there")
