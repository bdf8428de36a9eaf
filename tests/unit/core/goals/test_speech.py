"""What people clearly say to a goal, and the many ways of not saying it."""

import pytest

from app.core.goals.speech import Intent, MessageIntent, points_back, read_intent

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
