"""Yes, no and which one, as people write them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.text import phrases, replies
from app.core.text.replies import CUT, LAST, LOOKED_AT, Lead, Verdict, fold

TABLES = {"yes": phrases.YES, "no": phrases.NO, "polite": phrases.POLITE, "objection": phrases.OBJECTION}


def listed(table: str, language: str | None = None) -> list[str]:
    lists = TABLES[table]
    return [word.strip() for key, words in lists.items() if language in (None, key) for word in words.split(",")]


YESES, NOES = listed("yes"), listed("no")

LONGER = st.sampled_from(
    [
        "{} we can change A2",
        "I am not sure that {} is what I want",
        "is it {} or not",
        "A2 {}",
        "{} A2",
        "{} and no and yes",
    ]
)
"""Sentences in which a word of an answer is none. None of the words beside it is one, or both verdicts are there."""


def verdict(text: str) -> Verdict | None:
    lead = replies.read_lead(text)
    return lead.verdict if lead.whole else None


@pytest.mark.parametrize("language", phrases.YES)
@pytest.mark.parametrize(("table", "meant"), [("yes", Verdict.YES), ("no", Verdict.NO)])
@pytest.mark.req("S2-039")
def test_each_word_is_an_answer_by_itself_whatever_case_spaces_and_marks_are_around_it(
    language: str, table: str, meant: Verdict
) -> None:
    for word in listed(table, language):
        capital = word if word.startswith(":") else word[:1].upper() + word[1:]
        for form in ("{}", "  {}\n", "{}!", "{}.", "{} ...", "*{}*", '"{}"', "{} 🙂"):
            assert verdict(form.format(word)) is verdict(form.format(capital)) is meant, (form, word)


@pytest.mark.parametrize("language", [key for key in phrases.YES if key != "emoji"])
def test_politeness_changes_no_answer(language: str) -> None:
    yes, no = listed("yes", language)[0], listed("no", language if language in ("de", "fr", "ja", "zh") else "en")[1]
    for polite in listed("polite", language):
        assert verdict(f"{yes}, {polite}") is Verdict.YES
        assert verdict(f"{no}, {polite}!") is Verdict.NO
        assert verdict(polite) is None


@given(st.text(st.characters(max_codepoint=127)) | st.sampled_from(["I don`t", "ok :skin-tone-2:", " A\x1c\tB "]))
def test_english_is_folded_as_it_is_beside_a_letter_of_another_language(text: str) -> None:
    assert fold(f"{text} é") == f"{fold(text)} é".lstrip()


def test_no_word_stands_in_two_tables() -> None:
    for one, other in combinations(TABLES, 2):
        assert not {fold(word) for word in listed(one)} & {fold(word) for word in listed(other)}, (one, other)


def test_every_language_has_its_words_for_yes_no_and_but() -> None:
    assert {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh"} <= set(phrases.YES) & set(phrases.OBJECTION)
    assert set(phrases.YES) == set(phrases.NO) == set(phrases.POLITE)


@pytest.mark.parametrize(
    "text",
    [
        "👍🏽",
        "👍👍",
        ":+1::skin-tone-3:",
        "✔️",
        "ok 👍",
        "yes yes",
        "yes, go ahead",
        "はい、お願いします",
        "是的 谢谢",
        "Sí, gracias",
        "+1",
    ],
)
def test_answers_may_be_said_twice_and_in_emoji(text: str) -> None:
    assert verdict(text) is Verdict.YES


@pytest.mark.parametrize(
    "text", ["incorrect", "not okay", "no good", "Absolutely not!", "of course not", "请不要", "正しくないです", "-1"]
)
def test_a_no_that_holds_a_word_for_yes_is_a_no(text: str) -> None:
    assert verdict(text) is Verdict.NO


@pytest.mark.parametrize(
    "text",
    [
        "",
        "…",
        "please",
        "yes no",
        "y/n",
        "yes or no",
        "okay?",
        "okay? thanks",
        "~yes~",
        "> yes",
        "yes 🤔",
        "yes, but",
        "good question",
        "not bad",
        "no problem at all for me",
        "oknot",
        "不是不行",
        "好不好",
        "对不起",
        "はいです",
        "@U123 yes",
        "yes " * LOOKED_AT,
    ],
)
def test_doubt_is_no_answer(text: str) -> None:
    assert verdict(text) is None


def test_bad_and_not_bad_are_told_apart_in_scripts_without_spaces() -> None:
    assert (verdict("错"), verdict("不错"), verdict("不错吧")) == (Verdict.NO, Verdict.YES, None)


@given(word=st.sampled_from(YESES + NOES), sentence=LONGER)
def test_a_word_of_an_answer_is_none_inside_a_longer_sentence(word: str, sentence: str) -> None:
    assert verdict(sentence.format(word)) is None


@pytest.mark.parametrize("language", list(phrases.OBJECTION))
def test_what_takes_an_answer_back_is_seen_in_every_language(language: str) -> None:
    yes = listed("yes", language)[0]
    for word in listed("objection", language):
        for text in (
            f"{yes} {word} A2",
            f"{yes}, {word} A2",
            f"{yes}! {word.upper()}: A2",
            f"{yes}, {word} A2 " + "so " * LOOKED_AT,
        ):
            assert replies.read_lead(text) == Lead(
                verdict=Verdict.YES, objects=True, pauses=replies.read_lead(text).pauses
            ), text


@pytest.mark.parametrize(("text", "pauses"), [("no, A2", True), ("no – A2", True), ("no - A2", True), ("no. A2", True)])
@pytest.mark.parametrize("thanks", ["", ", thanks"])
def test_a_pause_parts_an_answer_from_what_comes_next(text: str, pauses: bool, thanks: str) -> None:
    assert replies.read_lead(text.replace("no", f"no{thanks}", 1)).pauses is pauses


@pytest.mark.parametrize("text", ["no A2", "no-go", "n.a.", "no's", "n/a", "no"])
def test_without_a_pause_it_is_one_sentence(text: str) -> None:
    assert not replies.read_lead(text).pauses


@pytest.mark.parametrize(
    "text", ["why?", "why?!", "(why?)", "why? 🙂", "why? :smile: :+1:", "なぜ？", "لماذا؟", "?", 'he asked "why?"']
)
def test_a_question_is_known_by_the_mark_at_its_end(text: str) -> None:
    assert replies.is_question(text)


@pytest.mark.parametrize(
    "text", ["", "!", "why? because", "a?b", ":question:", "why? " + "a" * LOOKED_AT, "?" + "." * LOOKED_AT]
)
def test_a_mark_elsewhere_makes_no_question(text: str) -> None:
    assert not replies.is_question(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2", ("2", 2)),
        ("#2", ("2", 2)),
        ("# 2", ("2", 2)),
        ("02", ("02", 2)),
        ("option 2", ("2", 2)),
        ("option #2", ("2", 2)),
        ("number two", ("two", 2)),
        ("no. 2", ("2", 2)),
        ("nr 2", ("2", 2)),
        ("two", ("two", 2)),
        ("second", ("second", 2)),
        ("the second one", ("second", 2)),
        ("the second option", ("second", 2)),
        ("2nd", ("2", 2)),
        ("the 10th choice", ("10", 10)),
        ("last", ("last", LAST)),
        ("the last one", ("last", LAST)),
    ],
)
def test_a_place_can_be_told_in_words(text: str, meant: tuple[str, int]) -> None:
    assert replies.read_place(text) == meant


@pytest.mark.parametrize(
    "text", ["", "no one", "the one", "the two", "not 2", "-2", "1 or 2", "100", "second hand", "2 people", "option"]
)
def test_what_is_no_place_is_none(text: str) -> None:
    assert replies.read_place(text) is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("something else: paint it", "paint it"),
        (" Other : 2", "2"),
        ("other - paint\nit ", "paint\nit"),
        ("ETWAS ANDERES: streichen", "streichen"),
        ("其他：画", "画"),
        ("something else", None),
        ("something else:", None),
        ("something else…", None),
        ("other-worldly", None),
        ("another day", None),
        ("no other: x", None),
    ],
)
def test_something_else_is_what_follows_the_colon(text: str, meant: str | None) -> None:
    assert replies.read_something_else(text) == meant


@pytest.mark.parametrize(
    ("label", "said", "does"),
    [
        ("d1 evening", "d1", True),
        ("d10 evening", "d1", False),
        ("d1 evening", "d1 eve", False),
        ("d1 evening", "d1 ", True),
        ("d1", "d1", True),
        ("d1", "d1 evening", False),
        ("d1", "", False),
        ("(d1) evening", "(", True),
        ("東京の事務所", "東京", True),
        ("क\u093fताब", "क", False),
        ("a\u0330b", "a", False),
    ],
)
def test_a_label_begins_with_whole_words(label: str, said: str, does: bool) -> None:
    assert replies.begins_with(label, said) is does


def test_texts_are_compared_without_what_people_do_not_see() -> None:
    assert fold(" Ｄ１\u200b\tStraße  👍🏽 ") == "d1 strasse 👍" == fold("D1 STRASSE 👍")
    assert fold("that’s") == fold("that's")
    assert replies.trim("**d1.**") == replies.strip_politeness("oh, d1. thanks!") == "d1"
    assert (replies.strip_politeness("c++"), replies.strip_politeness("c#"), replies.strip_politeness("-5")) == (
        "c++",
        "c#",
        "-5",
    )


def test_a_longer_text_is_never_the_same_as_its_beginning() -> None:
    whole = "a" * LOOKED_AT
    assert fold(whole) == whole
    assert fold(whole + "a").endswith(CUT)
    assert CUT not in fold("…")


@given(st.text())
def test_reading_is_total_and_folding_does_no_more_the_second_time(text: str) -> None:
    once = fold(text)
    assert fold(once) == once or CUT in once
    replies.read_lead(text)
    replies.is_question(text)
    replies.read_something_else(text)
    replies.read_place(replies.strip_politeness(replies.trim(once)))


@pytest.mark.parametrize(
    "piece",
    ["yes ", "? ", "! ", ":a", "~ ", "other ", "\u200b", " ", "a\u0323\u0301", "👍", "はい", "不", "no, but ", "-- "],
)
def test_a_million_characters_are_read_in_linear_time(piece: str) -> None:
    """A quadratic rule takes minutes here, and the suite's time limit ends it."""
    text = piece * (1_000_000 // len(piece))
    assert replies.read_lead(text).verdict in (None, Verdict.YES, Verdict.NO)
    assert (replies.read_something_else("other" + text) is None) is (piece != ":a")
    assert replies.is_question(text) is ("?" in piece)
