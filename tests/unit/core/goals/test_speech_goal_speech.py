"""What a rule gets to read of a message."""

import pytest

from app.core.goals.speech import (
    LONGEST_LINE,
    Clause,
    compile_phrase,
    ends_in_question,
    extract_speech,
    format_line,
    is_reversal,
    split_clauses,
    split_requests,
    split_sentences,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<@U1> sounds  good :tada: 🎉", "sounds good"),
        ("> perfect\nnot at all", "not at all"),
        ("&gt; perfect", ""),
        ("see `go ahead` and ```never mind", "see and"),
        ("it’s “fine”", 'it\'s "fine"'),
        ("at 10:30:15 sharp", "at 10:30:15 sharp"),
    ],
)
def test_quotations_code_mentions_and_emoji_are_not_what_somebody_says(text: str, words: str):
    assert extract_speech(text) == words


def test_sentences_lose_their_polite_beginning_and_keep_their_names():
    assert split_sentences("Hello, Claude! Please use Next.js. Ok?\nThanks") == ["use Next.js.", "?"]


def test_what_follows_a_but_is_a_request_of_its_own():
    assert split_requests("Nice but make it blue. Done") == ["Nice", "make it blue.", "Done"]


def test_clauses_know_where_they_end_and_whether_they_ask():
    words = "Perfect... really? yes but - no"

    assert [(clause.text, clause.asks) for clause in split_clauses(words)] == [
        ("Perfect", False),
        ("really", True),
        ("yes", False),
        ("but", False),
        ("no", False),
    ]
    assert words[split_clauses(words)[0].end :].strip() == "really? yes but - no"


def test_a_clause_says_a_phrase_only_whole_and_only_if_it_does_not_ask():
    good = compile_phrase("good", "fine")

    assert Clause("Fine", asks=False, end=0).says(good)
    assert not Clause("fine print", asks=False, end=0).says(good)
    assert not Clause("good", asks=True, end=0).says(good)


def test_turns_and_questions_are_told():
    assert is_reversal("However, no")
    assert not is_reversal("buttons")
    assert ends_in_question("shall we?* ")
    assert not ends_in_question("we? no.")


def test_a_line_is_short_and_one():
    assert format_line("  build\n a *list*. ") == "Build a *list*"
    assert format_line("x" * (LONGEST_LINE + 1)) == "X" + "x" * (LONGEST_LINE - 2) + "…"
