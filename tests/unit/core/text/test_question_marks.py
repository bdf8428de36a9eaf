"""Whether a text asks something: by its last paragraph, in any script."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.text.question_marks import asks, ends_asking, repeats

PLAIN = st.text(st.characters(categories=("L", "N", "Zs")), max_size=60)


@pytest.mark.req("FA-01")
@pytest.mark.parametrize(
    "text",
    [
        "What else?",
        "**What else?**",
        "_What else?_ 🙂",
        "What matters most? Take your time.",
        "I see.\n\nWho decides (you, or the board?)",
        "Which of these?\n\n1. The hall\n2. The van\n\n- or neither",
        "还有吗？",
        "ماذا بعد؟",
        "Ինչո՞ւ",
        "Τι άλλο;",
        "Τι άλλο\u037e",
        "ምን አለ፧",
        "See https://example.com/a?b=1. Does it fit?",
        'You said "yes". Is that so?',
        "She said “yes. Why not?",
        "Run `ls`. Does that work?",
    ],
)
def test_a_question_in_the_last_paragraph_is_found(text: str) -> None:
    assert asks(text)


@pytest.mark.req("FA-01")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "Noted.",
        "Who pays? That was the question.\n\nNow I have it all.",
        'Noted: "Who pays?" is settled.',
        "Noted: “Who pays?” is settled.",
        "Noted: «Qui paie ?» is settled.",
        "Noted: „Wer zahlt?“ is settled.",
        "Noted:\n> Who pays?",
        "It is in https://example.com/a?b=1",
        "It is in [the list](/list?b=1).",
        "It is in `a?b:c`.",
        "Like this:\n```\na?\n\nb?\n```",
        "Like this:\n```\na?",
        "One; two; three.",
        "- Who pays.\n- Who decides.",
    ],
)
def test_what_only_looks_like_a_question_does_not_count(text: str) -> None:
    assert not asks(text)


@given(PLAIN, PLAIN)
def test_a_question_mark_in_the_last_paragraph_counts_wherever_it_stands(before: str, after: str) -> None:
    assert asks(f"I see.\n\n{before}x?{after}")
    assert not asks(f"{before}x?\n\nI see {after}")


DAIRY = "Losing the dairy: is that something you decide, something you want to achieve, or are you uncertain about it?"


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("Noted.\n\nOpen is the DAIRY: is it something you want to achieve, or something you are unsure about?", True),
        ("Is the dairy something to achieve, uncertain, or about something you decide?\n\nI noted the price.", False),
        ("I put the dairy down as something to achieve, as you are uncertain about it.", False),
        ("What does the power cost?", False),
        ("", False),
    ],
)
def test_a_question_is_asked_again_by_a_last_paragraph_that_asks_with_its_words(text: str, again: bool) -> None:
    assert repeats(text, DAIRY) is again


def test_a_question_of_a_few_short_words_is_never_known_again() -> None:
    assert not repeats("Which one?", "Which one?")


@pytest.mark.parametrize("part", ['"', "“", "`", "``", "<", "](", "```\n", "> ", "«", "„", "\n\n- a", "https://"])
def test_a_hostile_text_is_read_at_once(part: str) -> None:
    text = part * (100_000 // len(part))
    begun = time.process_time()
    asks(text)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "What else?",
        "I see.\n\n_**What else?**_ 🙂",
        "Is it `firm`?",
        "还有吗？",
        "Τι άλλο;",
        'Is it "firm"?',
        "So (why?)",
    ],
)
def test_a_text_that_ends_with_its_question_is_found(text: str) -> None:
    assert ends_asking(text)


@pytest.mark.parametrize(
    "text",
    ["", "Noted.", "What else? I note that first.", "Which?\n- This\n- That", "One; two;", 'It was "why?"', "`a?`"],
)
def test_a_text_in_which_more_comes_after_a_question_does_not_end_with_it(text: str) -> None:
    assert not ends_asking(text)
