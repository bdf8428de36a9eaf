"""Where things are on the page, as people would say it."""

from playwright.async_api import Locator, Page


def box(page: Page, pane: str = "channel") -> Locator:
    return page.locator(f"#{pane}-composer")


def message(page: Page, text: str, pane: str = "channel") -> Locator:
    return page.locator(f"#{pane} .message", has_text=text)


async def say(page: Page, text: str, pane: str = "channel") -> None:
    await box(page, pane).fill(text)
    await box(page, pane).press("Enter")
    await message(page, text, pane).first.wait_for()  # what the app shows may quote it already


async def run(page: Page, command: str) -> None:
    """Send a slash command, which leaves no message."""
    await box(page).fill(command)
    await box(page).press("Enter")


async def opened_modal(page: Page, title: str) -> Locator:
    modal = page.get_by_role("dialog", name=title)
    await modal.wait_for()
    return modal


async def do(page: Page, text: str, deed: str) -> None:
    """Press one of the buttons that appear on a message under the mouse."""
    await message(page, text).hover()
    await message(page, text).get_by_role("button", name=deed).click()


async def become(page: Page, name: str) -> None:
    await page.locator("#me").click()
    await page.locator("#people").get_by_role("button", name=name).click()
    await page.locator("#me", has_text=name).wait_for()


async def parts_wider_than_their_place(page: Page) -> int:
    """Count what is cut off, or would have to be scrolled sideways."""
    wide = "[...document.querySelectorAll('body, .list')].filter((part) => part.scrollWidth > part.clientWidth).length"
    return await page.evaluate(wide)


def place(page: Page, name: str) -> Locator:
    return page.locator("#channels").get_by_role("button", name=name)


async def goes_to(page: Page, name: str) -> None:
    """Choose a channel by its name. On a phone the list is folded, and is opened first."""
    unfold = page.get_by_role("button", name="Show channels and people")
    if await unfold.is_visible():
        await unfold.click()
    await place(page, name).click()
