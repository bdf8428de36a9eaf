"""The Markdown of a report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from app.core.state.sheet import Bar, Bars, Grid, Head, Item, Listing, Mark, Matrix, Prose, Rating
from app.decision.report.markdown_report import escape_text, write_markdown
from tests.unit.decision.report.any_report import HARMFUL, in_one_line
from tests.unit.decision.report.dossiers import example_report, report_of

EXAMPLE = write_markdown(example_report())


def after(title: str, text: str) -> str:
    """What stands below this heading, up to the next."""
    return text.partition(f"# {title}\n\n")[2].partition("\n\n#")[0]


def test_it_begins_with_the_question_and_how_the_decision_stands() -> None:
    assert EXAMPLE.startswith(
        "# How should we cover urgent 'no heat' requests on evenings and weekends from 1 March 2027 to 31 March 2028?\n"
        "\n"
        "- **Owner:** Maya Okafor\n"
        "- **Decide by:** 18 December 2026\n"
        "- **Approved:** 7 of 9 steps, 1 to look at again\n"
        "- **As of:** 10 December 2026, 14:02 UTC\n"
        "- **State:** Open\n"
        "\n"
        "| Step | Status | Result |\n"
        "| --- | --- | --- |\n"
        "| 1\\. Issue raising | Complete | Version 1 · approved by Maya Okafor on 3 December 2026 |\n"
    )


def test_a_closed_decision_without_a_date_says_both() -> None:
    text = write_markdown(replace(report_of(), closed=True))
    assert "- **Decide by:** No date set\n" in text
    assert "- **State:** Closed\n" in text


def test_a_step_says_what_has_changed_since_each_in_a_line_of_its_own() -> None:
    report = example_report()
    step = replace(report.steps[4], outdated=("based on Objectives v1; v2 is approved", "based on a|b"))
    text = after("5. Consequences", write_markdown(replace(report, steps=(step,))))
    assert text.startswith(
        "Needs another look · Version 2 · approved by Maya Okafor on 3 December 2026"
        " · based on Objectives v1 and Alternatives v1\n"
        "\n"
        "> **Changed since:** based on Objectives v1; v2 is approved\n"
        ">\n"
        "> **Changed since:** based on a\\|b"
    )


def test_a_step_without_an_approved_result_says_so() -> None:
    assert after("9. Implementation", EXAMPLE) == "Not started\n\nNothing is approved in this step yet.\n"


def test_items_carry_handles_notes_marks_and_what_belongs_to_them() -> None:
    items = (
        Item(
            text="Fast help", handle="O1", notes=("hours",), marks=(Mark.CHECK, Mark.GAP),
            inner=(Item(text="Someone awake", handle="M1", notes=("at night",)),),
        ),
        Item(text="No handle"),
    )  # fmt: skip
    assert after("Wishes", write_markdown(report_of(Listing(title="Wishes", items=items)))) == (
        "- **O1** Fast help _(please check)_ _(incomplete)_\n"
        "  - hours\n"
        "  - **M1** Someone awake\n"
        "    - at night\n"
        "- No handle\n"
    )


def test_ratings_are_a_table_with_their_reasons_below() -> None:
    matrix = Matrix(
        title="How they do",
        rows=(Head(handle="A1", name="Today", marks=(Mark.BASELINE,)), Head(handle="A2", name="Partner")),
        columns=(Head(handle="O1", name="Speed"), Head(handle="O2", name="Cost")),
        cells=(
            (Rating(value=0), Rating(value=None, doubtful=True, unknown=True)),
            (Rating(value=2, note="two hours"), Rating(value=-1, doubtful=True, note="50|60 k")),
        ),
    )
    assert after("How they do", write_markdown(report_of(matrix))) == (
        "|  | O1 Speed | O2 Cost |\n"
        "| --- | --- | --- |\n"
        "| A1 Today _(baseline)_ | 0 | not known |\n"
        "| A2 Partner | +2 | −1? |\n"
        "\n"
        "+2 much better; +1 better; 0 about the same; −1 worse; −2 much worse, all against the baseline; ? in doubt;"
        " · not rated\n"
        "\n"
        "- A2, O1: **+2** two hours\n"
        "- A2, O2: **−1?** 50\\|60 k\n"
    )


def test_scores_are_a_table_with_bars_and_their_total_in_bold() -> None:
    bars = Bars(
        title="Quality",
        bars=(
            Bar(label="Frame", score=85), Bar(label="Options", score=60, note="add one", weakest=True),
            Bar(label="Facts", score=None),
        ),
        total="Overall: 60 %",
    )  # fmt: skip
    assert after("Quality", write_markdown(report_of(bars))) == (
        "|  | Score |  | Note |\n"
        "| --- | --- | --- | --- |\n"
        "| Frame | 85 % | ████████▌░ |  |\n"
        "| Options | 60 %, weakest | ██████░░░░ | add one |\n"
        "| Facts | missing | ░░░░░░░░░░ |  |\n"
        "\n"
        "**Overall: 60 %**\n"
    )
    assert "**" not in after("Quality", write_markdown(report_of(replace(bars, total=""))))


def test_each_line_of_a_paragraph_is_a_paragraph() -> None:
    assert after("Summary", write_markdown(report_of(Prose(title="Summary", text="one\ntwo")))) == "one\n\ntwo\n"


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (Listing(title="Here", items=(), empty="No issues yet."), "No issues yet.\n"),
        (Grid(title="Here", header=("Action",), rows=()), "Nothing in it.\n"),
    ],
)
def test_an_empty_section_says_that_it_is_empty(section: Listing | Grid, said: str) -> None:
    assert after("Here", write_markdown(report_of(section))) == said


@pytest.mark.parametrize("place", ["{}", "# {}", "- {}", "> {}", "| {} |\n| --- |"])
@pytest.mark.parametrize("text", HARMFUL)
def test_a_text_reads_as_it_was_written_wherever_it_stands(text: str, place: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(place.format(escape_text(text)))
    shown = "".join(child.content for token in tokens for child in token.children or ())
    assert in_one_line(shown) == in_one_line(text)


def test_addresses_and_names_with_underscores_stay_readable() -> None:
    assert (
        escape_text("https://example.com/a_b?c=1&d=2 and snake_case")
        == "https://example.com/a_b?c=1&d=2 and snake_case"
    )
