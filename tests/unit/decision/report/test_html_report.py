"""The HTML page of a report: what it may load, how it is built, and what its colours are."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from itertools import pairwise
from xml.etree.ElementTree import Element, fromstring

import pytest

from app.core.state.sheet import Bar, Bars, Facts, Grid, Head, Listing, Matrix, Prose, Rating
from app.decision.report.html_report import write_html
from tests.unit.decision.report.dossiers import example_report, heat, report_of

EXAMPLE = write_html(example_report())


def tree(page: str) -> Element:
    """The page as a tree, without its style sheet: it is well-formed but for the tags that HTML leaves open."""
    plain = re.sub(r"<style>.*</style>", "", page, flags=re.DOTALL).removeprefix("<!doctype html>")
    return fromstring(re.sub(r"(<meta [^>]*)>", r"\1/>", plain))


def words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def test_the_policy_lets_nothing_in_but_the_style_sheet_that_is_there() -> None:
    style = re.search(r"<style>(.*)</style>", EXAMPLE, re.DOTALL)
    policy = tree(EXAMPLE).find(".//meta[@http-equiv='Content-Security-Policy']")
    assert style is not None
    assert policy is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.get("content") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def test_nothing_on_the_page_asks_for_anything_from_elsewhere() -> None:
    assert not re.findall(r"url\(|@import|src=|https?:", EXAMPLE)
    assert {link.get("href", "")[0] for link in tree(EXAMPLE).iter("a")} == {"#"}


def test_no_element_has_a_style_of_its_own_which_the_policy_would_not_let_it() -> None:
    assert not [each for each in tree(EXAMPLE).iter() if "style" in each.attrib]


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(each.tag[1]) for each in tree(EXAMPLE).iter() if re.fullmatch(r"h\d", each.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_every_name_that_is_pointed_to_is_there_once() -> None:
    page = tree(EXAMPLE)
    names = [each.get("id") for each in page.iter() if each.get("id")]
    targets = {each.get("href", "")[1:] for each in page.iter("a")}
    labels = {label for each in page.iter() if (label := each.get("aria-labelledby"))}
    assert len(names) == len(set(names))
    assert targets | labels == set(names)


def test_the_contents_lead_to_every_step_and_say_how_it_stands() -> None:
    entries = [words(each) for each in tree(EXAMPLE).findall(".//nav//li")]
    assert len(entries) == 9
    assert entries[4] == "5. Consequences Needs another look"
    assert entries[8] == "9. Implementation Not started"


def test_a_step_says_its_version_who_approved_it_and_what_has_changed_since() -> None:
    step = tree(EXAMPLE).findall(".//section")[4]
    assert [words(each) for each in step.findall("p")] == [
        "Needs another look Version 2 · approved by Maya Okafor on 3 December 2026"
        " · based on Objectives v1 and Alternatives v1",
        "Changed since: based on Alternatives v1; v2 is approved",
    ]


def test_a_step_without_an_approved_result_says_so() -> None:
    assert words(tree(EXAMPLE).findall(".//section")[8]).endswith("Nothing is approved in this step yet.")


@pytest.mark.req("FA-16")
def test_the_cover_says_question_owner_date_and_state() -> None:
    cover = tree(EXAMPLE).find(".//header")
    assert cover is not None
    assert "How should we cover urgent 'no heat' requests" in words(cover)
    assert [words(each) for each in cover.findall("dl/div")] == [
        "OwnerMaya Okafor", "Decide by18 December 2026", "Approved7 of 9 steps, 1 to look at again",
        "As of10 December 2026, 14:02 UTC", "StateOpen",
    ]  # fmt: skip


def test_means_stand_below_the_objective_that_they_serve() -> None:
    objectives = tree(EXAMPLE).findall(".//section")[2].findall("ul[@class='items']/li")
    assert [[words(means)[:2] for means in each.findall("ul/li")] for each in objectives] == [
        ["M1", "M3"], ["M2"], ["M3"], ["M1"], [], [],
    ]  # fmt: skip


def test_every_head_of_a_table_says_what_it_is_the_head_of() -> None:
    tables = tree(EXAMPLE).findall(".//table")
    assert len(tables) == 3
    assert {each.get("scope") for table in tables for each in table.findall(".//thead//th")} == {"col"}
    assert {each.get("scope") for table in tables for each in table.findall(".//tbody//th")} == {"row"}


def tiles(matrix: Matrix) -> list[Element]:
    return tree(write_html(report_of(matrix))).findall(".//td/svg")


@pytest.mark.parametrize(
    ("rating", "shade", "number"),
    [
        (Rating(value=2), "plus-2", "+2"),
        (Rating(value=1, doubtful=True), "plus-1", "+1?"),
        (Rating(value=0), "zero", "0"),
        (Rating(value=-1), "minus-1", "−1"),
        (Rating(value=-2, doubtful=True), "minus-2", "−2?"),
        (Rating(value=None), "unknown", "·"),
        (Rating(value=None, doubtful=True, unknown=True), "unknown", "?"),
    ],
)
def test_a_tile_shows_its_number_and_hatches_doubt_so_that_colour_never_stands_alone(
    rating: Rating, shade: str, number: str
) -> None:
    (tile,) = tiles(
        Matrix(
            title="", rows=(Head(handle="A1", name="x"),), columns=(Head(handle="O1", name="y"),), cells=((rating,),)
        )
    )
    assert tile.get("class") == f"tile {shade}"
    assert tile.findtext("text") == number
    assert (tile.find("path") is not None) is rating.doubtful


def test_a_rating_of_which_people_said_that_they_do_not_know_it_is_not_called_not_rated() -> None:
    matrix = Matrix(
        title="",
        rows=(Head(handle="A1", name="x"),),
        columns=(Head(handle="O1", name="y"),),
        cells=((Rating(value=None, doubtful=True, unknown=True, note="Ask Bo"),),),
    )
    page = tree(write_html(report_of(matrix)))
    assert [each.findtext("title") for each in page.findall(".//td/svg")] == ["A1 x – O1 y: not known. Ask Bo"]
    assert [words(each) for each in page.findall(".//details//li")] == ["O1 not known Ask Bo"]
    legend = [each.findtext("title") for each in page.findall(".//li/svg")]
    assert legend[-3:] == ["in doubt", "not known", "not rated"]


def test_a_tile_tells_option_objective_rating_and_reason() -> None:
    assert tiles(heat())[9].findtext("title") == (
        "A2 Specialist partner with onboarding – O4 Give correct and friendly answers: −1, worse, in doubt. "
        "Reference customer scores 3.8; partner staff know the product less well."
    )


def test_the_heat_map_has_a_tile_for_each_option_and_objective_and_all_reasons_below_in_words() -> None:
    matrix = heat()
    page = tree(write_html(report_of(matrix)))
    assert len(page.findall(".//td/svg")) == 36
    given = [rating.note for row in matrix.cells for rating in row if rating.note]
    assert [words(each).split(" ", 2)[2] for each in page.findall(".//details//li")] == given


def test_ratings_without_reasons_have_no_place_for_reasons() -> None:
    bare = Matrix(
        title="", rows=(Head(handle="A1", name="x"),), columns=(Head(handle="O1", name="y"),),
        cells=((Rating(value=1),),),
    )  # fmt: skip
    assert tree(write_html(report_of(bare))).find(".//details") is None


@pytest.mark.parametrize(
    ("score", "reach", "widths"),
    [
        (100, "enough", ["100", "100"]), (80, "enough", ["100", "80"]), (79, "short", ["100", "79"]),
        (0, "short", ["100"]), (None, "missing", ["100"]),
    ],
)  # fmt: skip
def test_a_bar_is_as_long_as_its_score_and_a_line_stands_at_80(
    score: int | None, reach: str, widths: list[str]
) -> None:
    page = tree(write_html(report_of(Bars(title="", bars=(Bar(label="Clear Objectives", score=score),)))))
    bar = page.find(".//li/svg")
    assert bar is not None
    assert bar.get("class") == f"bar {reach}"
    assert [each.get("width") for each in bar.findall("rect")] == widths
    assert [each.get("d") for each in bar.findall("path")] == ["M80 -4V24"]
    assert bar.get("viewBox") == "0 -4 100 28"


def test_a_missing_score_is_called_missing_and_never_0() -> None:
    page = tree(write_html(report_of(Bars(title="", bars=(Bar(label="Clear Objectives", score=None),)))))
    assert words(page.findall(".//main//li")[0]).endswith("missing")
    assert page.findtext(".//li/svg/title") == "missing; acceptable from 80 %"


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (Listing(title="", items=(), empty="No issues yet."), "No issues yet."),
        (Listing(title="", items=()), "Nothing in it."),
        (Grid(title="", header=("Action",), rows=(), empty="No actions."), "No actions."),
    ],
)
def test_an_empty_section_says_that_it_is_empty(section: Listing | Grid, said: str) -> None:
    page = tree(write_html(report_of(section)))
    assert page.findtext(".//section/p[@class='nothing']") == said
    assert page.find(".//table") is None


def test_a_section_without_a_title_has_no_heading() -> None:
    assert tree(write_html(report_of(Prose(text="one\ntwo"), Facts(rows=())))).find(".//h3") is None


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


SCHEMES = [
    dict(re.findall(r"--([\w-]+): (#\w{6});", block))
    for block in (files("app.decision.report") / "styles" / "colours.css").read_text("utf-8").split("@media")
]
TILES = ("plus-2", "plus-1", "zero", "minus-1", "minus-2")
WORDS = [
    *((f"on-{tile}", tile) for tile in TILES),
    *((word, "paper") for word in ("ink", "soft", "accent")), ("alert", "alert-paper"), ("good", "good-paper"),
]  # fmt: skip


@pytest.mark.parametrize("colours", SCHEMES, ids=["light", "dark"])
def test_words_can_be_read_on_what_they_stand_on(colours: dict[str, str]) -> None:
    faint = {pair for pair in WORDS if contrast(colours[pair[0]], colours[pair[1]]) < 4.5}
    assert not faint


@pytest.mark.parametrize("colours", SCHEMES, ids=["light", "dark"])
@pytest.mark.parametrize("fill", ["good", "short"])
def test_bars_stand_out_from_what_is_behind_them(colours: dict[str, str], fill: str) -> None:
    assert contrast(colours[fill], colours["track"]) >= 3


@pytest.mark.parametrize("colours", SCHEMES, ids=["light", "dark"])
def test_better_is_blue_and_worse_is_orange(colours: dict[str, str]) -> None:
    warmth = {tile: int(colours[tile][1:3], 16) - int(colours[tile][5:7], 16) for tile in TILES}
    assert max(warmth["plus-2"], warmth["plus-1"]) < -50
    assert min(warmth["minus-2"], warmth["minus-1"]) > 50
