"""What people clearly say to a goal, and the many ways of not saying it."""

import pytest

from app.core.goals.speech import (
    LONGEST_LINE,
    Clause,
    Intent,
    MessageIntent,
    compile_phrase,
    ends_in_question,
    extract_speech,
    format_line,
    is_reversal,
    points_back,
    read_intent,
    split_clauses,
    split_requests,
    split_sentences,
)

CLEAR = {
    Intent.DROPPED: [
        "Never mind",
        "nevermind.",
        "nvm",
        "Forget it!",
        "please cancel that",
        "Drop it, I found it myself",
    ],
    Intent.LEFT: ["bye", "Goodbye!", "Thanks, bye!", "ok, see you tomorrow", "Great work. Bye-bye"],
    Intent.PLEASED: [
        "perfect!",
        "Perfect! This is exactly what I needed",
        "looks good",
        "It works perfectly, thanks",
        "that's it",
        "Thanks!",
        "great, thank you so much",
        "Great! This works",
        "exactly what I wanted",
        "Looks good to me 🎉",
        "Perfect! How did you do it?",
    ],
    Intent.FINISHED: ["done", "Done!", "I'm done", "we are done with this", "That's all"],
    Intent.APPROVED: [
        "go ahead",
        "Yes, go ahead",
        "ok please proceed",
        "Go ahead with option B",
        "I approve the plan",
        "plan approved",
        "Great, do it",
        "make it so",
        "Let's go!",
        "just write it",
        "Please just do it now",
        "Simply start",
    ],
    Intent.AGREED: [
        "sounds good",
        "Sounds good to me!",
        "<@U1> that works",
        "The plan looks good",
        "Agreed.",
        "Thanks, sounds good. When can we start?",
    ],
    Intent.GREETED: ["Hello!", "good morning", "Hi there, how are you?", "Good evening Claude :wave:", "hello again"],
    Intent.ASSENTED: ["yes", "Ok.", "yes please", "sure!", "Hi Claude, yes"],
    Intent.CHANGES: [
        "Change the title to Welcome",
        "please make it blue",
        "Could you add a search?",
        "I'd like you to rename it",
        "Not quite, the colour is off",
        "that's not what I wanted",
        "it still needs some changes",
        "Nice work. Try again, though",
        "Hm. I want something else",
    ],
}
BUTS = [
    "Sounds good, but use Vue",
    "Yes, but change A2",
    "okay, but the title is wrong",
    "Perfect but the title is wrong",
]
UNCLEAR = [
    "",
    "?",
    "🎉",
    "hello, it is me",
    "not perfect",
    "perfect?",
    "done?",
    "is it done",
    "nearly perfect",
    "I'm not satisfied",
    "the perfect is the enemy of the good",
    "what does 'sounds good' mean?",
    '"sounds good" is what he said',
    "> perfect",
    "they said never mind",
    "never mind the colour, go on",
    "Never mind, but keep the list",
    "sounds good, but is it safe?",
    "sounds good if it is cheap",
    "go ahead once you know; don't hurry",
    "yes, but why?",
    "but why",
    "Perfect! I'd not wait, though?",
    "Thanks, I'll test it tomorrow",
    "don't change anything",
    "please don't change it",
    "Change nothing",
    "Change of plans",
    "Update: all is fine",
    "did you change it?",
    "goodbyes are hard",
    "make it happen if you can",
    "already",
    "correct me",
]


@pytest.mark.req("S1-037", "S1-041", "S1-042")
@pytest.mark.parametrize("text", CLEAR[Intent.APPROVED] + CLEAR[Intent.AGREED])
def test_agreement_and_approval_are_heard(text: str):
    assert read_intent(text).saying is (Intent.AGREED if text in CLEAR[Intent.AGREED] else Intent.APPROVED)


@pytest.mark.parametrize(("saying", "text"), [(saying, text) for saying, texts in CLEAR.items() for text in texts])
def test_what_is_clear_is_heard(saying: Intent, text: str):
    assert read_intent(text).saying is saying


@pytest.mark.parametrize("text", BUTS)
def test_a_but_beats_every_approval(text: str):
    assert read_intent(text).saying is Intent.CHANGES


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_is_negated_asked_quoted_conditional_or_merely_mentioned_says_nothing(text: str):
    assert read_intent(text).saying is None


def test_the_rest_of_a_message_is_kept_for_what_it_asks_next():
    assert read_intent("Perfect, now build a calculator") == MessageIntent(Intent.PLEASED, "now build a calculator")


@pytest.mark.parametrize("text", ["make it blue", "Nice, but change that", "that's not right", "Try again"])
def test_changes_to_it_point_back(text: str):
    assert points_back(text)


@pytest.mark.parametrize("text", ["Change the title", "It is blue", "Add a button"])
def test_changes_to_something_else_do_not_point_back(text: str):
    assert not points_back(text)


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
