"""A name stands in full once, a line of the essence ends with a sentence, and of one thing a unit is singular."""

from __future__ import annotations

import pytest
from hypothesis import given

from app.core.state.sheet import Bars, Facts, Grid, Head, Item, Listing, Matrix, Prose, Section
from app.core.text import cutting
from app.core.text.cutting import CUT
from app.decision.layout.parts.short_names import shorten_lines, shorten_repeats
from app.decision.layout.parts.words import add_sentence, cut_sentences
from app.decision.rows import describe_amount
from app.decision.schema.terms import count_unit, format_amount, format_change, format_signed
from tests.unit.decision.components.worked import KEYS, example, rated
from tests.unit.decision.sheets.walls import laid, lines
from tests.unit.handlers.sheets_of import SECTIONS

NAMES = {"A1": "Volunteer overtime rota (today)", "A2": "Oslo", "O1": "Solve urgent problems as quickly as we can"}
FULL, SHORT = f"A1 {NAMES['A1']}", "A1 Volunteer overtime rota"


def name(handle: str) -> str:
    return NAMES.get(handle, "")


def read(section: Section) -> str:
    return "\n".join(lines(section))


@pytest.mark.req("TR-18")
@pytest.mark.parametrize("key", KEYS)
def test_no_section_of_the_example_has_a_long_name_twice(key: str) -> None:
    known = {each["handle"]: each for each in _items(key)}
    for section in laid(key, example(key)).sections:
        told = read(section)
        twice = [full["name"] for h, full in known.items() if told.count(f"{h} {full['name']}") > 1]
        assert [each for each in twice if len(each) > cutting.SHORT + cutting.SPARE] == []


def test_the_mark_of_an_earlier_table_is_whole_on_the_first_note_of_a_list_and_short_on_the_next() -> None:
    mark, other = (f"Written for version {version} of the ratings; some have changed since." for version in (1, 2))
    noted = [Item(text=f"It is dear. {mark}"), Item(text="Oslo", notes=(f"It is far. {mark}", f"It rains. {other}"))]
    assert read(shorten_repeats(Listing(title="Noted", items=tuple(noted)), name)).splitlines() == [
        "# Noted",
        f"It is dear. {mark}",
        "Oslo",
        "  It is far. Also written for version 1.",
        f"  It rains. {other}",
    ]


def _items(key: str) -> list[dict[str, str]]:
    drafts = [example(each) for each in KEYS[: KEYS.index(key) + 1]]
    listed = [*drafts[3]["alternatives"]] if len(drafts) > 3 else []
    ends: list[dict[str, str]] = drafts[2]["fundamental_objectives"] if len(drafts) > 2 else []
    return [*listed, *({"handle": each["handle"], "name": each["description"]} for each in ends)]


@pytest.mark.req("TR-18")
def test_a_name_is_whole_where_it_is_read_first_in_each_kind_of_section() -> None:
    listing = Listing(
        title=f"Against {FULL}",
        items=(
            Item(handle="A1", text=NAMES["A1"], notes=(f"As {FULL}",), inner=(Item(text=f"{FULL}, A2 Oslo"),)),
            Item(handle="O1", text=NAMES["O1"]),
            Item(text=f"O1 {NAMES['O1']}"),
        ),
    )
    assert read(shorten_repeats(listing, name)).splitlines() == [
        f"# Against {FULL}",
        SHORT,
        f"  As {SHORT}",
        f"  {SHORT}, A2 Oslo",
        f"O1 {NAMES['O1']}",
        "O1 Solve urgent problems as…",
    ]
    facts = Facts(rows=(("One", FULL), ("Two", FULL)))
    assert read(shorten_repeats(facts, name)) == f"One: {FULL}\nTwo: {SHORT}"
    assert read(shorten_repeats(Prose(text=f"{FULL} and {FULL}"), name)) == f"{FULL} and {SHORT}"
    grid = Grid(title="", header=(FULL, ""), rows=((FULL, "A9 Nobody"),))
    assert read(shorten_repeats(grid, name)) == f"{FULL} | \n{SHORT} | A9 Nobody"
    heads = (Head(handle="A1", name=NAMES["A1"]),)
    matrix = Matrix(title=f"Against {FULL}", rows=heads, columns=(), cells=((),))
    assert read(shorten_repeats(matrix, name)) == f"# Against {FULL}\n{SHORT}"
    bars = Bars(title="Scores", bars=())
    assert shorten_repeats(bars, name) == bars


@pytest.mark.req("TR-18")
def test_each_section_begins_anew_and_lines_that_belong_together_do_not() -> None:
    said = Prose(text=FULL)
    assert [shorten_repeats(said, name), shorten_repeats(said, name)] == [said, said]
    assert shorten_lines((FULL, FULL, "A1 Vol"), name) == (FULL, SHORT, "A1 Vol")


def test_a_sentence_that_ends_with_a_name_cut_short_has_no_stop_behind_the_cut() -> None:
    whole = f"O1 {NAMES['O1']}"
    told = read(shorten_repeats(Prose(text=f"Look at {whole}. Then at {whole}. Worth it?"), name))
    assert told == f"Look at {whole}. Then at O1 Solve urgent problems as… Worth it?"
    assert read(shorten_repeats(Prose(text=f"{FULL}. {FULL}."), name)) == f"{FULL}. {SHORT}."


@given(SECTIONS)
def test_a_section_without_known_names_stays_as_it_is(section: Section) -> None:
    assert shorten_repeats(section, lambda handle: "") == section


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("hours", "hour"), ("euros a year", "euro a year"), ("days", "day"), ("times a week", "time a week"),
        ("kEUR", "kEUR"), ("%", "%"), ("business", "business"), ("bonus", "bonus"), ("basis", "basis"), ("gas", "gas"),
        ("boxes", "boxes"), ("parties", "parties"), ("", ""), ("steps", "step"), ("euros net", "euro net"),
        ("kbps", "kbps"), ("mbps", "mbps"), ("news", "news"), ("lens", "lens"), ("chaos", "chaos"), ("fps", "fps"),
        ("volunteer hours", "volunteer hour"), ("volunteer hours per week", "volunteer hour per week"),
        ("sales calls a day", "sales call a day"), ("square metres", "square metre"), ("business days", "business day"),
        ("share of buildings", "share of buildings"), ("days of news", "day of news"), ("hours/week", "hour/week"),
    ],
)  # fmt: skip
def test_a_unit_is_in_the_singular_of_one_alone(unit: str, one: str) -> None:
    assert (count_unit(1, unit), count_unit(2, unit), count_unit(1.5, unit)) == (one, unit, unit)


def test_an_amount_of_one_is_told_so_everywhere() -> None:
    assert describe_amount({"quant_value": 1, "quant_unit": "hours"}) == "1 hour"
    so_far = rated({"A1": [0], "A2": [1]})
    measure = {"metric": "Hours at the phone", "direction": "minimize", "units": "hours"}
    so_far.results["objectives"]["fundamental_objectives"][0]["performance_measure"] = measure
    cells = so_far.results["consequences"]["table"]["cells"]
    cells[-1] |= {"quant_value": 1.0, "quant_unit": "hours"}
    assert so_far.describe_amount(("A2", "O1")) == "1 hour"


FIRST, SECOND = "A4 leads on the plain sum.", "No doubtful rating takes that away, moved to its far end."


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        (f"{FIRST} {SECOND}", 200, f"{FIRST} {SECOND}"),
        (f"{FIRST} {SECOND}", 60, f"{FIRST} {CUT}"),
        (f"{FIRST}\n {SECOND} {SECOND}", 90, f"{FIRST} {SECOND} {CUT}"),
        (f"{FIRST} {SECOND}", len(FIRST), f"{FIRST} {CUT}"),
        (SECOND, 26, f"No doubtful rating takes{CUT}"),
        ("Open after 2 p.m. and on Saturdays. Shut in May.", 26, f"Open after 2 p.m. and on{CUT}"),
    ],
)
def test_a_line_too_long_ends_after_a_whole_sentence_if_one_fits(text: str, most: int, told: str) -> None:
    assert cut_sentences(text, most) == told


@pytest.mark.parametrize(
    ("number", "amount", "signed"),
    [
        (0, "0", "0"),
        (-0.0, "0", "0"),
        (-2, "−2", "−2"),
        (1, "1", "+1"),
        (1.5, "1.5", "+1.5"),
        (-88_000, "−88,000", "−88,000"),
        (0.1 + 0.2, "0.3", "+0.3"),
        (12_345_678_901, "12,345,678,901", "+12,345,678,901"),
        (999_999_999_999_999, "999,999,999,999,999", "+999,999,999,999,999"),
        (0.00001, "0.00001", "+0.00001"),
    ],
)
def test_a_figure_has_one_form_and_its_minus_is_no_hyphen(number: float, amount: str, signed: str) -> None:
    assert format_amount(number) == amount
    assert format_amount(number, "EUR/year") == f"{amount} EUR/year"
    assert format_signed(number) == signed


def test_a_level_is_called_by_its_number_and_other_amounts_have_their_unit_behind() -> None:
    assert format_amount(2, "level") == "level 2"
    assert format_amount(2, "levels") == "2 levels"
    assert format_change(0, 2, "level") == ("level 0", "level 2")
    assert format_change(50, 75, "kEUR") == ("50", "75 kEUR")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Speed costs money", "Speed costs money. Next."),
        ("Speed costs money.", "Speed costs money. Next."),
        ("Does it pay?", "Does it pay? Next."),
        ("They said “no.”", "They said “no.” Next."),
        ("", "Next."),
    ],
)
def test_a_sentence_of_the_app_begins_behind_the_end_of_peoples_words(text: str, told: str) -> None:
    assert add_sentence(text, "Next.") == told
    assert add_sentence(text, "") == text
