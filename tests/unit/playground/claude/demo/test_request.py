"""What the demo model takes for people's own words in a request."""

from __future__ import annotations

from app.core.text import marks
from app.playground.claude.demo import request


def test_words_in_tags_of_their_own_are_peoples_and_only_elements_of_the_program_are_not() -> None:
    text = "<b>Quality</b> must not drop\n<step>Phase: gather</step>\nThe <i>COO</i> agrees"
    assert request.own_lines_of(text) == "<b>Quality</b> must not drop\nThe <i>COO</i> agrees"
    assert request.shortened("<b>Quality</b> must not drop") == "Quality must not drop"


def test_the_name_of_a_channel_keeps_its_sign_and_a_heading_does_not() -> None:
    assert request.shortened("## Lunch\ntell #random: at noon") == "Lunch tell #random: at noon"


def test_it_knows_the_elements_that_the_program_writes() -> None:
    assert request.ELEMENTS == marks.TAGS


def test_the_line_that_names_the_files_of_a_message_is_nobodys_words() -> None:
    text = "what is in this file?\n[shared: board.csv, [old] plan.pdf]\n<file>…</file>"
    assert request.own_lines_of(text) == request.lines_of(text) == "what is in this file?"
