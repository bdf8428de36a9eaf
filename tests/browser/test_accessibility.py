"""The page on a phone, with a keyboard, for people who hear it, and on a machine without an emoji font."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, async_playwright, expect
from pydantic import SecretStr
from slack_sdk.errors import SlackApiError

from app.cli.demo.served_demo import run_demo
from app.core.copy import texts
from app.playground.slack import SlackPlayground
from app.playground.slack.page.http import PAGE
from tests.browser.bot import Bot
from tests.browser.conftest import ARGUMENTS, NAMES, ColorScheme, OpenPage
from tests.browser.places import message, parts_wider_than_their_place, place, say
from tests.flow.chat import unread_settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOON = 45_000.0
"""Milliseconds: nine steps are laid out at the pace that Slack allows."""

PHONE = 390
SERIOUS = ("serious", "critical")
SHOWN_NAMES = """() => [...document.querySelectorAll('button')]
    .filter((button) => button.checkVisibility()).map((button) => button.ariaLabel || button.textContent.trim())"""
REGION = """() => document.activeElement.closest('#tour, .sidebar, #channel, #thread, #strip')?.className.split(' ')[0]
    + ' ' + document.activeElement.closest('#tour, .sidebar, #channel, #thread, #strip')?.id"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(mongo_uri: str) -> AsyncIterator[str]:
    """A demo that opens on a finished decision, at which these tests only look."""
    settings = unread_settings({"mongodb_uri": SecretStr(mongo_uri)})
    async with run_demo(settings, port=0, has_tour=True) as url:
        yield url


async def find_serious(page: Page) -> list[str]:
    """Return what axe-core finds that keeps people out, with the first place of each."""
    axe: Any = Axe()
    found: list[dict[str, Any]] = (await axe.run(page)).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found if each["impact"] in SERIOUS]


@pytest.mark.req("NC-10")
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", PHONE)])
async def test_axe_finds_nothing_serious_in_messages_a_thread_a_window_and_home(
    address: str, page_on: OpenPage, scheme: ColorScheme, width: int
) -> None:
    page = await page_on(address, scheme, width)
    await message(page, "Step 9 of 9").locator(".replies").wait_for(timeout=SOON)
    assert await find_serious(page) == []
    await message(page, "Step 5 of 9").locator(".replies").click()
    thread = page.locator("#thread")
    await thread.get_by_role("button", name="Show details").wait_for()
    assert await find_serious(page) == []
    await thread.get_by_role("button", name="Show details").click()
    await page.locator("#modal[open]").wait_for()
    assert await find_serious(page) == []
    await page.keyboard.press("Escape")
    await expect(page.locator("#modal[open]")).to_have_count(0)
    await thread.get_by_role("button", name="Close the thread").click()
    await page.get_by_role("button", name="Home").click()
    await expect(page.locator("#home")).to_contain_text(texts.HOME_BEGIN)
    assert await find_serious(page) == []


@pytest.mark.req("NC-10")
async def test_every_control_of_a_finished_decision_has_a_name_of_its_own(address: str, page_on: OpenPage) -> None:
    page = await page_on(address)
    step = message(page, "Step 3 of 9")
    await message(page, "Step 9 of 9").locator(".replies").wait_for(timeout=SOON)
    await step.hover()
    await expect(step.get_by_role("button", name="More actions for Step 3 of 9 · Objectives")).to_be_visible()
    names: list[str] = await page.evaluate(SHOWN_NAMES)
    assert [name for name, count in Counter(names).items() if count > 1] == []


async def test_of_threads_that_look_alike_it_is_heard_that_they_are_unread_and_of_no_picture(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    roots = [await bot.posts(words) for words in ("about the van", "about the car")]
    page = await page_on(slack.page_url)
    for root in roots:
        await slack.people.says("Sam", "#general", "mine is for sale", root)
    for words in ("van", "car"):
        name = re.compile(f"^1 reply unread Last reply today at .* for about the {words}$")
        await expect(page.get_by_role("button", name=name)).to_be_visible()


@pytest.mark.req("NC-10")
async def test_the_keyboard_goes_through_the_page_in_the_order_of_the_eye(address: str, page_on: OpenPage) -> None:
    page = await page_on(address)
    await message(page, "Step 9 of 9").locator(".replies").wait_for(timeout=SOON)
    await message(page, "Step 9 of 9").locator(".replies").click()
    await page.locator("#thread").get_by_role("button", name="Show details").wait_for()
    await page.locator(".skip").focus()
    walked: list[str] = []
    for _ in range(120):
        await page.keyboard.press("Tab")
        walked.append(await page.evaluate(REGION))
        if "strip" in walked[-1]:
            break
    assert [region.split()[0] for region, _ in groupby(walked)] == ["tour", "sidebar", "pane", "pane", "strip"]


@pytest.mark.req("NC-10")
async def test_what_can_be_done_to_a_message_is_one_stop_of_the_keyboard_and_the_arrows_lead_through_it(
    slack: SlackPlayground, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url)
    for words in ("one", "two"):
        await say(page, words)
    tools = message(page, "one").get_by_role("toolbar")
    await message(page, "one").focus()
    await page.keyboard.press("Tab")
    await expect(tools.get_by_role("button", name="Reply in thread")).to_be_focused()
    for key, name in (("ArrowRight", "Edit message"), ("ArrowRight", "Delete message"), ("End", "More actions")):
        await page.keyboard.press(key)
        await expect(tools.get_by_role("button", name=name)).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(tools.get_by_role("button", name="Reply in thread")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Tab")
    await expect(message(page, "two").get_by_role("button", name="Reply in thread")).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await expect(tools.get_by_role("button", name="More actions")).to_be_focused()
    await tools.get_by_role("button", name="Edit message").focus()  # as a click does, or a message that is drawn anew
    await page.keyboard.press("Tab")
    await expect(message(page, "two").get_by_role("button", name="Reply in thread")).to_be_focused()


@pytest.mark.req("NC-10")
async def test_on_a_phone_the_list_of_channels_folds_and_leaves_the_whole_width_to_the_messages(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url, width=PHONE)
    await bot.posts("a long message " * 20)
    await message(page, "a long message").wait_for()
    await expect(page.locator("#channels")).to_be_hidden()
    shown = await page.locator("#channel").bounding_box()
    assert shown
    assert shown["width"] == PHONE
    await page.get_by_role("button", name="Show channels and people").click()
    await expect(page.locator("#channel")).to_be_hidden()
    await place(page, "ops").click()
    await expect(page.locator("#channels")).to_be_hidden()
    await expect(page.locator("#channel")).to_contain_text("ops")
    assert await parts_wider_than_their_place(page) == 0


COVERED = """(row) => {
    const tools = row.querySelector('.toolbar').getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(row.querySelector('.text'));
    return [...words.getClientRects()].some((word) => word.right > tools.left && word.top < tools.bottom);
}"""


@pytest.mark.req("NC-10")
async def test_on_a_phone_what_can_be_done_to_a_message_covers_none_of_its_words(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url, width=PHONE)
    for words in ("one of two ", "the other of two "):
        await bot.posts(words * 20)
        row = message(page, words)
        await row.hover()
        await expect(row.locator(".toolbar")).to_have_css("opacity", "1")
        assert not await row.evaluate(COVERED), words


CUT_OFF = """() => [...document.querySelectorAll('#strip > *')]
    .filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
    .map((part) => part.textContent)"""


@pytest.mark.req("NC-10")
async def test_on_a_phone_a_tall_message_is_shown_from_its_beginning_and_the_strip_cuts_nothing_off(
    address: str, page_on: OpenPage
) -> None:
    early = await page_on(address, width=PHONE)
    await message(early, "Step 9 of 9").locator(".replies").wait_for(timeout=SOON)
    page = await page_on(address, width=PHONE)
    title = message(page, "· an example").get_by_text("How should we cover").first
    await expect(title).to_be_in_viewport()
    await page.locator("#tour").get_by_role("button", name="Leave the tour").click()
    await expect(page.locator("#strip").get_by_role("button", name="Take the tour")).to_be_visible()
    assert await page.evaluate(CUT_OFF) == []
    lines = (
        "[...new Set([...document.querySelectorAll('#strip > *')].filter((part) => part.checkVisibility()).map(%s))]"
    )
    middle = "(part) => Math.round((part.getBoundingClientRect().top + part.getBoundingClientRect().bottom) / 20)"
    assert len(await page.evaluate(lines % middle)) == 1, "its parts stand in one line"


@pytest.mark.req("NC-10")
@pytest.mark.parametrize("width", [PHONE, 320])
async def test_on_a_phone_the_newest_refusal_is_read_whole(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage, width: int
) -> None:
    page = await page_on(slack.page_url, width=width)
    await bot.posts("Hello")
    for method in ("chat.first", "chat.second", "a.method.of.a.long.name.that.no.one.has.heard.of.before"):
        with pytest.raises(SlackApiError):
            await bot.calls(method)
    newest = page.locator("#strip .refusal:visible")
    await expect(newest).to_contain_text("heard.of.before – unknown_method")
    assert await page.evaluate(CUT_OFF) == []
    hide = page.locator("#strip").get_by_role("button", name="Hide this strip")
    await expect(hide).to_be_in_viewport(ratio=1)
    assert await parts_wider_than_their_place(page) == 0


@pytest.mark.req("NC-10")
async def test_on_a_phone_a_wide_table_is_scrolled_by_itself_and_by_keys(
    slack: SlackPlayground, bot: Bot, page_on: OpenPage
) -> None:
    page = await page_on(slack.page_url, width=PHONE)
    row = [{"type": "raw_text", "text": f"a column of its own {number}"} for number in range(8)]
    await bot.posts("table", blocks=[{"type": "table", "rows": [row, row]}])
    table = page.locator("#channel .table").first
    await table.wait_for()
    assert await parts_wider_than_their_place(page) == 0
    assert await table.evaluate("each => each.scrollWidth > each.clientWidth")
    await table.focus()
    await expect(table).to_be_focused()
    await page.keyboard.press("ArrowRight")
    async with asyncio.timeout(10):
        while not await table.evaluate("each => each.scrollLeft"):
            await asyncio.sleep(0.05)


LOOKS = 20


@pytest.mark.req("NC-10")
async def test_signs_are_drawn_on_a_machine_without_an_emoji_font(slack: SlackPlayground, tmp_path: Path) -> None:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium on this machine")
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(
        f"<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{tmp_path}</cachedir></fontconfig>"
    )
    known: dict[str, str] = json.loads((PAGE / "emoji.json").read_text("utf-8"))
    pictures = sorted({sign for sign in known.values() if len(sign) == 1 or ord(sign[0]) > 0x1F000} | find_signs())
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS.split(), env={"FONTCONFIG_FILE": str(fonts)}
        )
        page = await browser.new_page()
        await page.goto(slack.page_url)
        await page.locator("body:not([aria-busy])").wait_for()
        draw = """pictures => {
            document.body.replaceChildren(...["\u2b50", ...pictures].map((picture) => {
                const drawn = document.createElement("p");
                drawn.textContent = picture;
                return drawn;
            }));
            const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            const loaded = document.fonts.load("15px Signs", pictures.join(""));
            return loaded.then((fonts) => drawn().then(() => fonts.length));
        }"""
        assert await page.evaluate(draw, pictures) > 0
        devtools: Any = await page.context.new_cdp_session(page)
        await devtools.send("DOM.enable")
        await devtools.send("CSS.enable")
        root = (await devtools.send("DOM.getDocument"))["root"]["nodeId"]
        nodes = (await devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"}))["nodeIds"]
        missing: list[str] = []
        for picture, node in zip(pictures, nodes[1:], strict=True):  # the first one has made the page load the font
            for _ in range(LOOKS):  # an answer can be too early
                used = (await devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node}))["fonts"]
                if any(font["isCustomFont"] for font in used):
                    break
                await asyncio.sleep(0.1)
            else:
                missing.append(picture)
        await browser.close()
    assert missing == []


def find_signs() -> set[str]:
    """Return the pictures in the texts that people see."""
    written = "".join(each.read_text("utf-8") for each in Path("app/core/copy").rglob("*.py"))
    return set(re.findall("[\u231a-\u23ff\u2600-\u27bf\u2b1b-\u2b55\U0001f300-\U0001faff]", written))
