"""The moving picture of the README: a browser plays the demo, and its screenshots become one file.

It needs Chromium and a font with emoji; neither is needed to run Threadwise. Called by `make picture`.
"""

from __future__ import annotations

import asyncio
import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, Page, ViewportSize, async_playwright, expect

from app.cli.demo.served_demo import run_demo
from app.core.copy import decision_steps, draft_editing, texts
from app.core.copy.decision_steps import RATE
from app.logs import configure
from app.settings import Settings
from tests.browser.conftest import ARGUMENTS, NAMES
from tests.browser.places import message, opened_modal, place, run, say

PICTURE = Path("docs/images/threadwise.webp")
VIEW: ViewportSize = {"width": 1120, "height": 720}
WIDTH = 900
"""Pixels of the picture; text of 15 px is readable there."""

MOST = 1_500_000
"""Bytes that a visitor of the README loads at most."""

SHOWN = 2_600
"""Milliseconds that each frame stands."""

PATIENCE = 120_000.0
"""Milliseconds within which anything expected has appeared, also on a busy machine."""
QUESTION = "Should we hire a second nurse for the night shift?"
REASON = "30k a year by the vendor's last offer"
WORRY = "Nights are too thin. I want nobody alone on the ward, and I don't know what the agency will charge."


class Film:
    """Frames of the page, each as wide as the picture."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []

    async def shoot(self) -> None:
        """Take the next frame, once the page has drawn what came last."""
        await self.page.mouse.move(2, 2)
        await self.page.wait_for_timeout(700)
        drawn = Image.open(io.BytesIO(await self.page.screenshot(animations="disabled"))).convert("RGB")
        drawn.thumbnail((WIDTH, WIDTH), Image.Resampling.LANCZOS)
        self.frames.append(drawn)

    def write(self, path: Path) -> int:
        """Write the frames, which repeat for ever. Return the bytes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=SHOWN, loop=0, quality=82, method=6)
        return path.stat().st_size


async def play(page: Page) -> Film:
    """Play a finished decision, a changed rating and what follows, and the beginning of one's own."""
    film = Film(page)
    await place(page, "Threadwi").click()
    await message(page, texts.WELCOME).get_by_role("button", name=texts.SEE_EXAMPLE).click()
    await opened_modal(page, texts.EXAMPLE_TITLE)
    await page.keyboard.press("Escape")
    await message(page, "Step 9 of 9").locator(".replies").wait_for()
    hub = message(page, "an example").first
    await _top(hub)
    await film.shoot()
    await _open(page, "Step 7 of 9")
    await film.shoot()
    await _change_a_rating(page, film)
    await _top(hub)
    await film.shoot()
    await _open(page, "Step 6 of 9")
    await expect(page.locator("#thread")).to_contain_text("Consequences v2")
    await film.shoot()
    await _begin_ones_own(page, film)
    return film


async def _change_a_rating(page: Page, film: Film) -> None:
    thread = page.locator("#thread")
    await _open(page, "Step 5 of 9")
    await thread.get_by_role("button", name=decision_steps.DISCUSS_AGAIN).last.click()
    await thread.get_by_role("button", name=RATE).last.click()
    window = page.locator("#modal[open]")
    await window.get_by_role("button", name=RATE).nth(2).click()
    rating = window.locator('[data-action-id="A5.rating"]')
    await rating.click()
    await page.get_by_role("option", name="−1").click()
    await window.locator('[data-action-id="A5.reason"]').fill(REASON)
    await rating.scroll_into_view_if_needed()
    await film.shoot()
    await window.get_by_role("button", name=draft_editing.SAVE).click()
    await page.wait_for_timeout(1_000)
    while await window.count():
        await page.keyboard.press("Escape")
        await page.wait_for_timeout(300)
    card = message(page, "waiting for your OK", "thread").last
    if not await card.count():
        await thread.get_by_role("button", name=decision_steps.SUMMARIZE).last.click()
    await _top(card)
    await film.shoot()
    await card.get_by_role("button", name="Approve").click()
    await expect(message(page, "Approved as v2", "thread")).to_be_visible()


async def _begin_ones_own(page: Page, film: Film) -> None:
    await page.locator("#thread").get_by_role("button", name="Close").first.click()
    await place(page, "general").click()
    await run(page, f"/decide {QUESTION}")
    window = await opened_modal(page, decision_steps.DECIDE_TITLE)
    await film.shoot()
    await window.get_by_role("button", name=decision_steps.DECIDE_SUBMIT).click()
    await opened_modal(page, decision_steps.STARTED_TITLE)
    await page.keyboard.press("Escape")
    await place(page, "decide-should").click()
    await message(page, "of 9 · Issue raising").locator(".replies").click()
    await expect(message(page, "What situation are you thinking about?", "thread")).to_be_visible()
    await say(page, WORRY, "thread")
    await expect(page.locator("#thread .message").last).to_contain_text("?")
    await expect(page.locator("#thread").get_by_role("button", name="Stop")).to_have_count(0)
    await film.shoot()


async def _open(page: Page, step: str) -> None:
    await message(page, step).locator(".replies").click()
    await page.locator("#thread", has_text=step).wait_for()


async def _top(part: Locator) -> None:
    await part.evaluate("each => each.scrollIntoView({block: 'start'})")


async def make() -> None:
    """Make the picture, or fail if it is too heavy."""
    configure("error", as_json=False)
    settings = Settings.read()
    path = next(filter(None, map(shutil.which, NAMES)), None)
    async with run_demo(settings, port=0) as url, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS.split())
        page = await browser.new_page(viewport=VIEW)
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(url)
        await page.locator("body:not([aria-busy]) #channel .list > *").first.wait_for()
        film = await play(page)
        await browser.close()
    size = film.write(PICTURE)
    print(f"{PICTURE}: {len(film.frames)} frames, {size:,} bytes")
    if size > MOST:
        raise SystemExit(f"That is more than {MOST:,} bytes.")


if __name__ == "__main__":
    asyncio.run(make())
