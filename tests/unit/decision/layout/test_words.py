"""Lines of the essence end where a sentence ends, if they can."""

import pytest

from app.core.text.cutting import CUT
from app.decision.layout.parts.words import add_sentence, cut_sentences
from app.decision.schema.terms import format_amount, format_change, format_signed

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
