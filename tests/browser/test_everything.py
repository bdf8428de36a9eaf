"""Every control of a conversation and of a decision is pressed, and nothing of it stays unanswered."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, TimeoutError

from app.core.copy import texts
from app.playground.claude import ClaudePlayground, Turn
from handlers.slack import action_ids
from tests.browser.places import goes_to, message, opened_modal, say
from tests.browser.threadwise import AGREED, EVERY_MONDAY, OPTIONS, WHICH, begin, open_home
from tests.flow.called import asks

pytestmark = pytest.mark.asyncio(loop_scope="session")

ANSWERED_WITHIN = 3.5
"""Seconds: after three Slack, and the look-alike too, count a press as one that nobody answers."""

SHOWN = """all => all.map((each) => ({
    action: each.dataset.actionId,
    label: each.getAttribute("aria-label") || each.innerText || "",
    kind: each.getAttribute("aria-haspopup") === "menu" ? "menu" : each.getAttribute("role") || each.localName,
}))"""
TOO_LATE = re.compile(r"views\.update – (?:hash_conflict|not_found)\b")
"""A window that was redrawn or closed meanwhile is not changed any more: on a busy machine we press faster than it."""
WRITTEN = ("textarea", "input")
LAST = (action_ids.ARCHIVE, action_ids.HOME_ARCHIVE, action_ids.ERASE, action_ids.CANCEL_SCHEDULE)
"""Controls after which others are gone."""

PATIENCE = 30
"""Seconds, or windows, that somebody bears with before they press once more."""

MOST = 40
"""How often something new may appear in one place."""


@dataclass
class Presser:
    """Presses each control once, by what it does and what it says; windows are gone through and closed."""

    page: Page
    pressed: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    async def all_of(self, where: str) -> None:
        """Press what is there, and then what is there by that."""
        for _ in range(MOST):
            controls = self.page.locator(f"{where} [data-action-id]:visible")
            found = [
                (shown["action"] in LAST, at, shown["kind"], (shown["action"], shown["label"]))
                for at, shown in enumerate(await controls.evaluate_all(SHOWN))
                if shown["kind"] not in WRITTEN and (shown["action"], shown["label"]) not in self.pressed
            ]
            if not found:
                return
            _, at, kind, name = min(found)
            self.pressed.add(name)
            alike = self.page.locator(f'{where} [data-action-id="{name[0]}"]:visible')
            await self._press(alike.first if kind == "menu" else controls.nth(at), kind)
            await self._look_into_windows()

    async def _press(self, control: Locator, kind: str) -> None:
        match kind:
            case "menu":
                items = self.page.locator("[role=menu]:popover-open [role=menuitem]")
                await self.click(control)
                for at in reversed(range(await items.count())):
                    await items.nth(at).click()
                    await self._look_into_windows()
                    if at:
                        await self.click(control)
            case "combobox":
                await control.click()
                await self.page.get_by_role("option").first.click()
                await self.page.keyboard.press("Tab")
            case "group" | "radiogroup":
                await control.get_by_role("radio").or_(control.get_by_role("checkbox")).first.click()
            case _:
                await self.click(control)

    async def click(self, control: Locator) -> None:
        """Click it; what was pressed before may open its window late, and that stands in the way."""
        for _ in range(PATIENCE):
            try:
                return await control.click(timeout=1_000)
            except TimeoutError:
                await self._look_into_windows()
        raise AssertionError("something stands in the way")

    async def _look_into_windows(self) -> None:
        """Say yes if we are asked whether we are sure; go through a window that has opened, and close it."""
        await asyncio.sleep(0.25)  # nothing tells that no window will open
        if await self.page.locator("#confirm[open]").count():
            await self.page.locator("#confirm button[value=yes]").click()
            await asyncio.sleep(0.25)
        window = self.page.locator("#modal[open]")
        if not await window.count():
            return
        await self.all_of("#modal[open]")
        while await window.count():
            await self.page.keyboard.press("Escape")
            await asyncio.sleep(0.1)


PRESSED = Path(__file__).parents[1] / "screenshots" / "pressed.txt"
"""The list of every control that was pressed, by the test that pressed it."""


def write_pressed(press: Presser, where: str) -> None:
    """List what was pressed in this test: what it does, and what it says. `pytest -s` prints it."""
    lines = [f"{where}: {action} · {' '.join(label.split())}" for action, label in sorted(press.pressed)]
    PRESSED.parent.mkdir(exist_ok=True)
    kept = PRESSED.read_text("utf-8").splitlines() if PRESSED.exists() else []
    others = [line for line in kept if not line.startswith(f"{where}: ")]
    PRESSED.write_text("\n".join([*others, *lines, ""]), "utf-8")
    print(*lines, sep="\n")


async def nothing_was_left_unanswered(page: Page) -> None:
    """Wait as long as an answer may take, and look at what the strip says."""
    await asyncio.sleep(ANSWERED_WITHIN)
    refused = (await page.locator("#strip").inner_text()).split("API errors")[1].splitlines()
    assert {each.strip() for each in refused if not TOO_LATE.search(each)} <= {"none", ""}


@pytest.mark.req("NC-05")
async def test_every_control_of_a_conversation_and_of_home_is_answered(page: Page, claude: ClaudePlayground) -> None:
    press = Presser(page)
    claude.script.add(*EVERY_MONDAY, asks(WHICH, *OPTIONS, allow_something_else=True))
    claude.script.add(Turn(text="And then", stop_reason="max_tokens"))
    await begin(page, "ask me every Monday", until=AGREED)
    await say(page, "and there is a lot to decide", "thread")
    await message(page, WHICH, "thread").wait_for()
    await press.all_of("#thread")
    await say(page, "a story", "thread")
    await say(page, "@Threadwise archive", "thread")
    await press.all_of("#thread")
    await goes_to(page, "Threadwi")
    await message(page, texts.WELCOME).wait_for()
    await press.all_of("#channel")
    await open_home(page)
    await press.all_of("#home")
    did = {action for action, _ in press.pressed}
    write_pressed(press, "conversation and Home")
    assert {f"{action_ids.START_PREFIX}task", action_ids.EXAMPLE, action_ids.CANCEL_SCHEDULE} <= did
    await nothing_was_left_unanswered(page)


@pytest.mark.req("NC-05")
async def test_every_control_of_a_decision_and_of_its_steps_is_answered(page: Page) -> None:
    press = Presser(page)
    await goes_to(page, "Threadwi")
    await message(page, texts.WELCOME).get_by_role("button", name=texts.SEE_EXAMPLE).click()
    await opened_modal(page, texts.EXAMPLE_TITLE)
    await page.keyboard.press("Escape")
    await page.locator(f'#channel [data-action-id="{action_ids.OPEN_STEP}"]').wait_for()
    await press.all_of("#channel")
    await message(page, "Step 5 of 9").locator(".replies").wait_for(timeout=60_000)
    for step in ("Step 6 of 9", "Step 5 of 9", "Step 1 of 9"):
        await press.click(message(page, step).locator(".replies"))
        await page.locator("#thread [data-action-id]").first.wait_for()
        await press.all_of("#thread")
    await press.all_of("#channel")
    did = {action for action, _ in press.pressed}
    write_pressed(press, "decision")
    assert {action_ids.RECORD, action_ids.HUB_MENU, action_ids.OPEN_STEP} <= did
    await nothing_was_left_unanswered(page)
