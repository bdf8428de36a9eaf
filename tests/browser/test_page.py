"""The page itself: safe, findable by keyboard and screen reader, readable in the dark and when narrow."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, FilePayload, expect
from slack_sdk.errors import SlackApiError

from app.playground.slack import SlackPlayground
from app.playground.slack.page.http import NO_TOKEN
from tests.browser.bot import Bot, buttons, markdown
from tests.browser.conftest import ColorScheme, OpenPage
from tests.browser.places import become, box, do, goes_to, message, parts_wider_than_their_place, place, say

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
ATTACK = "<img src=x onerror='window.ran = 1'><script>window.ran = 1</script><javascript:window.ran=1|press>"


async def test_nothing_in_a_message_runs(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await bot.posts(f"plain {ATTACK}")
    await bot.posts("x", blocks=markdown(f"marked {ATTACK} [press](javascript:window.ran=1)"))
    await say(page, "typed <b>bold</b>")
    await expect(message(page, "marked")).to_be_visible()
    assert await page.locator(".text :is(img, script, a, b)").count() == 0
    assert await page.evaluate("window.ran") is None


async def test_no_script_but_the_pages_own_may_run(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
    content = await policy.get_attribute("content") or ""
    assert content.startswith("default-src 'self';")
    assert "unsafe" not in content


async def test_the_banner_says_who_answers(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await expect(page.locator("#banner")).to_have_text("This is a rehearsal.")


async def test_a_message_elsewhere_marks_its_channel_until_one_looks(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    maya = slack.workspace.member("Maya")
    assert maya
    await bot.posts(f"news for <@{maya.id}>", channel="ops")
    dot = place(page, "ops").get_by_role("img", name="unread")
    await expect(dot).to_be_visible()
    await goes_to(page, "ops")
    await expect(message(page, "news")).to_be_visible()
    await expect(dot).to_have_count(0)
    await expect(page.locator("#announcer")).to_have_text("Threadwise: news for Maya Okafor")


@pytest.mark.req("NC-07")
async def test_the_page_tells_times_in_the_zone_of_the_persons_profile_whatever_the_browsers_is(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)  # the browser's own zone is that of the machine
    told, general = "<!date^1772460000^{date_short} at {time}|2 Mar 14:00 UTC>", bot.channel("general")
    await bot.client.chat_update(channel=general, ts=await bot.posts(told), text=f"So {told}")
    await expect(message(page, "Mar 2, 2026 at 9:00")).to_be_visible()  # Maya lives in New York
    await expect(page.locator("#strip .chip")).to_contain_text("So Mar 2, 2026 at 9:00")
    await become(page, "Priya Nair")
    await expect(message(page, "Mar 2, 2026 at 7:30")).to_be_visible()  # in Kolkata
    await expect(page.locator("#strip .chip")).to_contain_text("So Mar 2, 2026 at 7:30")


@pytest.mark.req("NC-06")
async def test_what_is_read_aloud_of_a_message_holds_no_markup(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    maya, general = slack.workspace.member("Maya"), slack.workspace.channel_named("#general")
    assert maya
    assert general
    said = f"<@{maya.id}> &amp; <#{general.id}>: <!date^1772460000^{{date_short}}|2 Mar>, <https://a.b/c|the plan>"
    await bot.posts(said)
    await expect(page.locator("#announcer")).to_have_text("Threadwise: Maya Okafor & #general: Mar 2, 2026, the plan")


async def test_a_page_loaded_again_shows_the_same_person_channel_and_thread(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    root = await bot.posts("the root", channel="ops")
    await bot.posts("the reply", channel="ops", thread_ts=root)
    await become(page, "Priya Nair")
    await goes_to(page, "ops")
    await message(page, "the root").locator(".replies").click()
    await page.reload()
    await expect(message(page, "the reply", "thread")).to_be_visible()
    await expect(page.locator("#me")).to_contain_text("Priya Nair")


async def test_a_link_to_a_message_is_followed_within_the_page(
    slack: SlackPlayground, bot: Bot, chromium: Browser
) -> None:
    page = await (await chromium.new_context()).new_page()
    await page.goto(slack.page_url)
    there = await bot.posts("over there", channel="ops")
    link = await bot.links_to(there, "ops")
    await bot.posts(f"<{link}|look>")
    await page.get_by_role("link", name="look").click()
    await expect(message(page, "over there")).to_be_visible()
    assert len(page.context.pages) == 1
    elsewhere = await page.context.new_page()
    await elsewhere.goto(link)
    await expect(message(elsewhere, "over there")).to_be_visible()


async def test_the_theme_is_the_systems_until_one_is_chosen(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url, scheme="dark")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.get_by_role("button", name="Switch to light").click()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")


async def test_the_strip_shows_what_slack_refused_and_can_be_hidden(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    with pytest.raises(SlackApiError):
        await bot.calls("no.such.method")
    await expect(page.locator("#strip .refusal")).to_contain_text("no.such.method – unknown_method")
    await page.get_by_role("button", name="Hide this strip").click()
    await expect(page.locator("#strip")).to_have_text("Show edits and errors")
    await page.reload()
    await page.get_by_role("button", name="Show edits and errors").click()
    await expect(page.locator("#strip .refusal")).to_be_visible()


async def test_at_900_pixels_nothing_is_cut_off_and_the_thread_takes_the_channels_place(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url, width=900)
    root = await bot.posts("the root " + "x" * 300)
    await bot.posts("the reply", thread_ts=root)
    await message(page, "the root").locator(".replies").click()
    await expect(message(page, "the reply", "thread")).to_be_visible()
    await expect(page.locator("#channel")).to_be_hidden()
    assert await parts_wider_than_their_place(page) == 0


async def test_every_control_has_a_name(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await bot.posts("?", blocks=buttons("Yes"))
    await say(page, "mine")
    await do(page, "mine", "Reply in thread")
    await expect(box(page, "thread")).to_be_focused()
    nameless = """[...document.querySelectorAll('button, textarea, [role=group], main, aside, nav')]
        .filter((part) => !(part.ariaLabel || part.textContent.trim() || part.getAttribute('aria-labelledby')))
        .map((part) => part.outerHTML)"""
    assert await page.evaluate(nameless) == []


@pytest.mark.parametrize(
    ("scheme", "width", "in_thread"), [("light", 1440, False), ("dark", 1440, True), ("light", 900, True)]
)
async def test_the_page_is_drawn_for_people_to_judge(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage, scheme: ColorScheme, width: int, in_thread: bool
) -> None:
    page = await page_on(slack.page_url, scheme=scheme, width=width, height=900)
    await say(page, "@Threadwise how do we cover no-heat calls this winter?")
    root = (await bot.reads_last())["ts"]
    answer = "Before we look for answers, is this the **right question**?\n\n- Who decides?\n- By when?\n"
    for blocks in (markdown(answer), buttons("Allow this time", "Never allow")):
        await bot.posts(answer, blocks=blocks, thread_ts=root)
    await bot.reacts(root, "eyes")
    await expect(page.locator(".reaction")).to_be_visible()
    if in_thread:
        await page.locator(".replies").click()
        await expect(box(page, "thread")).to_be_focused()
    picture = SCREENSHOTS / f"{scheme}-{width}{'-thread' if in_thread else ''}.png"
    await page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000


@pytest.mark.req("SE-16")
async def test_without_the_token_the_page_says_which_address_to_open_and_shows_nothing(
    slack: SlackPlayground, chromium: Browser
) -> None:
    await slack.people.says("Maya", "#general", "the plan")
    for address in (slack.url, f"{slack.url}/?token=guessed"):
        page = await chromium.new_page()
        await page.goto(address)
        await expect(page.get_by_text(NO_TOKEN)).to_be_visible()
        await expect(page.locator(".workspace")).to_be_hidden()
        await expect(page.get_by_text("the plan")).to_have_count(0)


@pytest.mark.req("SE-16")
async def test_the_token_goes_from_the_address_bar_and_holds_for_reloads_and_further_tabs(
    slack: SlackPlayground, chromium: Browser
) -> None:
    await slack.people.says("Maya", "#general", "the plan")
    context = await chromium.new_context()
    page = await context.new_page()
    await page.goto(slack.page_url)
    await expect(message(page, "the plan")).to_be_visible()
    assert "token" not in page.url
    await page.reload()
    await expect(message(page, "the plan")).to_be_visible()
    tab = await context.new_page()
    await tab.goto(slack.url)
    await expect(message(tab, "the plan")).to_be_visible()
    assert await context.cookies() == []


async def test_the_link_of_a_file_in_a_message_opens_it(slack: SlackPlayground, bot: Bot, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    await bot.client.files_upload_v2(channel=bot.channel("general"), filename="plan.txt", content="by Monday")
    [file] = slack.people.files("Maya", "#general")
    await bot.posts(f"Here: {file.permalink}")
    async with page.context.expect_page() as opened:
        await message(page, "Here:").get_by_role("link").click()
    await expect((await opened.value).get_by_text("by Monday")).to_be_visible()


DROP = """([list, name, words]) => {
    const dragged = new DataTransfer();
    dragged.items.add(new File([words], name));
    for (const kind of ["dragover", "drop"]) {
        list.dispatchEvent(new DragEvent(kind, { dataTransfer: dragged, bubbles: true, cancelable: true }));
    }
}"""


@pytest.mark.parametrize("how", ["dropped", "chosen"])
async def test_a_file_is_dropped_onto_a_thread_or_chosen_there_and_sent_with_the_words(
    slack: SlackPlayground, page_on: OpenPage, how: str
) -> None:
    root = await slack.people.says("Maya", "#general", "the plan")
    await slack.people.says("Maya", "#general", "it begins", root)
    page = await page_on(slack.page_url)
    await message(page, "the plan").locator(".replies").click()
    composer = page.locator("#thread .composer")
    if how == "dropped":
        for name in ("plan.txt", "other.txt"):
            await page.evaluate(DROP, [await page.locator("#thread .list").element_handle(), name, "by Monday"])
    else:
        both: list[FilePayload] = [
            {"name": name, "mimeType": "text/plain", "buffer": b"by Monday"} for name in ("plan.txt", "other.txt")
        ]
        await composer.locator("input[type=file]").set_input_files(both)
    await composer.get_by_role("button", name="Remove other.txt").click()
    assert slack.people.files("Maya", "#general", root) == [], "nothing is sent before its words are"
    await page.locator("#thread-composer").fill("Here it is")
    await page.locator("#thread-composer").press("Enter")
    await expect(message(page, "Here it is", "thread").get_by_role("link", name="Download plan.txt")).to_be_visible()
    (sent,) = slack.people.files("Maya", "#general", root)
    assert (sent.name, sent.content) == ("plan.txt", b"by Monday")
    await expect(composer.get_by_role("button", name="Remove plan.txt")).to_have_count(0)


async def test_a_file_of_no_known_kind_has_a_sign_like_those_of_others(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    for name in ("plan.txt", "film.mp4"):
        await bot.client.files_upload_v2(channel=bot.channel("general"), filename=name, content="by Monday")
    page = await page_on(slack.page_url)
    signs = page.locator(".file-icon")
    await expect(signs).to_have_count(2)
    look = "sign => ['border', 'padding', 'borderRadius'].map((each) => getComputedStyle(sign)[each]).join()"
    assert len({await sign.evaluate(look) for sign in await signs.all()}) == 1


async def test_files_that_are_too_large_are_told_of_and_left_out(slack: SlackPlayground, page_on: OpenPage) -> None:
    page = await page_on(slack.page_url)
    large: FilePayload = {"name": "film.mp4", "mimeType": "video/mp4", "buffer": bytes(10_000_001)}
    await page.locator("#channel input[type=file]").set_input_files([large])
    await expect(page.get_by_text("film.mp4 was not added")).to_be_visible()
    await expect(page.get_by_role("button", name="Remove film.mp4")).to_have_count(0)
