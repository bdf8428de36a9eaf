"""The web report of the worked examples as a phone shows it and as paper does: nothing is cut, and colours stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from playwright.async_api import Browser
from pypdf import PageObject, PdfReader

from app.core.state.decision import ComponentStatus
from app.decision.drafts.draft import Accepted, read
from app.decision.layout.first_page import build_first_page
from app.decision.layout.sheets import build_sheet
from app.decision.playbook import example
from app.decision.record import DecisionRecord
from app.decision.report.dossier import Report, ReportStep
from app.decision.report.html_report import write_html
from app.decision.schema.paths import Draft
from tests.unit.decision.components.worked import KEYS, PLAYBOOK

pytestmark = pytest.mark.asyncio(loop_scope="session")

APPROVED_AT, TODAY = "2026-12-03T09:30:00Z", date(2026, 11, 22)
PHONE, A4 = 390, (595, 842)
EXAMPLES = pytest.mark.parametrize("question", example.list_questions(), ids=("first", "second"))

MUCH_BETTER, MUCH_WORSE = (0x21, 0x66, 0xAC), (0xB3, 0x58, 0x06)


def list_colours(drawn: PageObject) -> set[tuple[int, ...]]:
    """The colours that shapes and words on a page of a PDF are filled with."""
    content = drawn.get_contents()
    assert content is not None
    words = content.get_data().decode("latin-1").split()
    fills = (words[at - 3 : at] for at, each in enumerate(words) if each == "rg")
    return {tuple(round(float(part) * 255) for part in fill) for fill in fills}


def report_on(question: str) -> Report:
    """A worked example with all its steps approved."""
    results: dict[str, Draft] = {}
    steps: list[ReportStep] = []
    for number, key in enumerate(KEYS, 1):
        so_far = DecisionRecord(dict(results), TODAY)
        judged = read(PLAYBOOK[key], dict(example.load_drafts(question)[key]), so_far)
        assert isinstance(judged, Accepted)
        results[key] = judged.draft
        step = ReportStep(
            key=key,
            number=number,
            title=PLAYBOOK[key].title,
            status=ComponentStatus.COMPLETE,
            version=1,
            approved_by="Maya Okafor",
            approved_at=APPROVED_AT,
            sheet=build_sheet(PLAYBOOK[key], judged.draft, so_far),
        )
        steps.append(step)
    return Report(
        question=question,
        owner="Maya Okafor",
        made_at=APPROVED_AT,
        deadline="2026-12-18",
        first_page=build_first_page(PLAYBOOK["consequences"], DecisionRecord(results, TODAY), APPROVED_AT),
        steps=tuple(steps),
    )


@pytest.fixture
def page_of(question: str, tmp_path: Path) -> str:
    """The address of its report."""
    report = tmp_path / "report.html"
    report.write_text(write_html(report_on(question)), "utf-8")
    return report.as_uri()


@EXAMPLES
@pytest.mark.req("FA-23")
async def test_on_a_phone_nothing_is_wider_than_the_screen_and_tables_of_words_have_one_row_a_line(
    chromium: Browser, page_of: str
) -> None:
    page = await chromium.new_page(viewport={"width": PHONE, "height": 800})
    await page.goto(page_of)
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE
    tables = page.locator(".wide")
    assert await tables.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth).length") == 0
    lefts = "all => new Set(all.map((each) => Math.round(each.getBoundingClientRect().left))).size"
    assert await page.locator(".grid td:not(:empty)").evaluate_all(lefts) == 1
    assert await page.locator(".board dt, .board dd").evaluate_all(lefts) == 1
    await page.close()


async def test_each_fact_of_the_cover_stands_on_one_line_of_a_wide_screen(chromium: Browser, tmp_path: Path) -> None:
    first = next(iter(example.list_questions()))
    report = replace(report_on(first), example=True, zone="New York")
    (tmp_path / "report.html").write_text(write_html(report), "utf-8")
    page = await chromium.new_page(viewport={"width": 1280, "height": 800})
    await page.goto((tmp_path / "report.html").as_uri())
    heights: list[float] = await page.locator("header dd").evaluate_all("all => all.map((each) => each.clientHeight)")
    assert len(heights) >= 5
    assert max(heights) < 40
    await page.close()


@EXAMPLES
@pytest.mark.req("FA-23")
async def test_on_paper_the_page_for_a_board_is_one_sheet_of_a4_with_its_colours(
    chromium: Browser, page_of: str
) -> None:
    page = await chromium.new_page()
    await page.goto(page_of)
    await page.emulate_media(media="print")
    shades = "all => [...new Set(all.map((each) => getComputedStyle(each).fill))]"
    tiles = await page.locator(".board td .tile:not(.unknown) rect").evaluate_all(shades)
    assert {f"rgb{MUCH_BETTER}", f"rgb{MUCH_WORSE}"} <= set(tiles)
    paper = PdfReader(BytesIO(await page.pdf(prefer_css_page_size=True))).pages
    await page.close()
    assert (round(paper[0].mediabox.width), round(paper[0].mediabox.height)) == A4
    first, second = (each.extract_text() for each in paper[:2])
    told = ("Leaning", "Contender", "Weakest link", "Next steps", "Ratings against", "not rated")
    assert [each for each in told if each not in first] == []
    assert second.startswith("Contents")
    assert {MUCH_BETTER, MUCH_WORSE} <= list_colours(paper[0])
