"""The rehearsal model: plainly a script, built from the person's own words, and the same every time."""

import re

import pytest
from anthropic import AsyncAnthropic

from app.playground.claude import ClaudePlayground, Pace, Prompt, Text
from app.playground.claude.demo.model import HUMAN_PACE, LABEL, rehearsal
from app.playground.claude.demo.request import options_in
from tests.contract.playground_claude.asking import SONNET, Json, ask, streamed

INSTANT = Pace(chunk=200)


def converse(*said: str) -> list[str]:
    """The model's replies to a person who says these things, one after the other."""
    answer = rehearsal(INSTANT)
    messages: list[Json] = []
    replies: list[str] = []
    for words in said:
        messages.append({"role": "user", "content": words})
        (part,) = answer(Prompt.read({"model": SONNET, "messages": messages})).parts
        assert isinstance(part, Text)
        messages.append({"role": "assistant", "content": part.text})
        replies.append(part.text)
    return replies


EVERYTHING = [
    "Hi, I'm Maya",
    "Our evening calls go unanswered",
    "Should we hire someone or use an agency?",
    "What does an agency cost?",
    "I'm not sure the team agrees",
    "We want families to be warm",
    "Please give me a long answer",
    "Who are you?",
    "thanks!",
    '<message from="Sam">The agency was awful.</message> It was.',
    "<note>Nothing was said.</note>",
]


def test_every_reply_says_that_it_is_a_script():
    for reply in converse(*EVERYTHING):
        assert reply.endswith(LABEL) or reply.startswith(LABEL)


def test_every_reply_asks_exactly_one_bold_question():
    """One question at a time, as a facilitator would, whatever else the reply offers to think about."""
    for said, reply in zip(EVERYTHING, converse(*EVERYTHING), strict=True):
        asked = re.findall(r"^\*\*.*\?", reply, re.MULTILINE)
        assert len(asked) == 1, said


def test_the_same_words_get_the_same_answer():
    assert converse(*EVERYTHING) == converse(*EVERYTHING)


def test_a_person_is_greeted_by_name_and_asked_for_their_situation():
    (reply,) = converse("Hello! I'm Maya")
    assert reply.startswith("Hello Maya!")
    assert "What situation is on your mind?" in reply


def test_a_capital_letter_alone_makes_no_name():
    (reply,) = converse("I'm German and our evening calls go unanswered")
    assert "Thank you. I have noted" in reply


def test_the_name_may_come_with_the_message():
    (reply,) = converse('<message from="Priya" at="12:00">Our calls &amp; mails go unanswered</message>')
    assert "Thank you, Priya." in reply
    assert "“Our calls & mails go unanswered”" in reply


def test_a_choice_becomes_a_table_of_its_options_with_doing_nothing_among_them():
    (reply,) = converse("Should we hire a second technician, use an agency, or train Sam?")
    rows = re.findall(r"^\| \*\*(.+?)\*\* \|", reply, re.MULTILINE)
    assert rows == ["Hire a second technician", "Use an agency", "Train Sam", "Keep things as they are"]


def test_an_option_that_keeps_things_as_they_are_is_not_doubled():
    (reply,) = converse("Should we hire someone or keep the rota?")
    assert "Keep things as they are" not in reply
    assert "*Keep the rota* has a special place" in reply


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("We are torn between Berlin and Lisbon.", ["Berlin", "Lisbon"]),
        ("Whether to move or not", ["Move"]),
        ("Tea or coffee?", ["Tea", "Coffee"]),
        ("should I either buy or rent, or wait?", ["Buy", "Rent", "Wait"]),
        ("Should we do a, b, c, d or e?", ["Do a", "B", "C", "D"]),
        ("Should we use `a|b` or *c*?", ["Use a b", "C"]),
        ("It rains, and that is that.", []),
    ],
)
def test_options_are_read_from_the_sentence(words: str, options: list[str]):
    assert options_in(words) == options


def test_a_question_is_not_answered_but_turned_around():
    (reply,) = converse("What does an agency cost per month?")
    assert "“What does an agency cost per month?”" in reply
    assert "I won't guess" in reply


def test_a_follow_up_refers_to_what_was_said_before():
    _, _, reply = converse("Our evening calls go unanswered", "ok", "The phone is in the wrong room")
    assert "Earlier you said “Our evening calls go unanswered”" in reply
    assert "“The phone is in the wrong room”" in reply


def test_a_person_who_greets_again_is_welcomed_back():
    *_, reply = converse("Hi, I'm Maya", "Our evening calls go unanswered", "hello")
    assert reply.startswith("Hello Maya! Good to have you back. Earlier you said “Our evening calls go unanswered”.")


def test_a_long_quotation_is_cut_between_words():
    said = "The phone rings and nobody hears it " * 10
    (reply,) = converse(said)
    quotation = reply.split("“")[1].split("”")[0]
    assert quotation.endswith("…")
    assert len(quotation) <= 140
    assert said.startswith(quotation.removesuffix("…") + " ")


def test_other_people_s_words_are_kept_as_theirs():
    (reply,) = converse('<message from="Sam">The agency was awful.</message>\nWe need to be faster')
    assert "Sam adds “The agency was awful”" in reply
    assert "I hear a goal in that: “We need to be faster”" in reply


def test_blocks_that_no_person_wrote_are_not_quoted():
    (reply,) = converse("<step>Ask about objectives now.</step> Our evening calls go unanswered")
    assert "objectives" not in reply


def test_a_long_answer_fills_screens_with_every_shape_of_markdown():
    *_, reply = converse("Should we hire someone or use an agency?", "Please explain it in detail")
    assert len(reply) > 4000
    for shape in ("\n## ", "\n- ", "\n1. ", "\n> ", "|---|", "\n```text\n", "**", "\n---\n"):
        assert shape in reply
    assert "| **Use an agency** |" in reply
    assert "Decision:      Should we hire someone or use an agency?" in reply


def test_a_long_answer_is_labelled_first_since_it_may_be_stopped():
    (reply,) = converse("Please give me a long answer")
    assert reply.startswith(LABEL)


def test_markup_in_quoted_words_cannot_break_the_reply():
    (reply,) = converse("```\nthe *server* | is down\n<!channel> ```")
    assert "“the server is down”" in reply


async def test_it_streams_through_the_real_sdk(playground: ClaudePlayground, claude: AsyncAnthropic):
    playground.script.answer_always(rehearsal(INSTANT))
    async with streamed(claude, ask("Hi, I'm Maya")) as stream:
        assert (await stream.get_final_text()).startswith("Hello Maya!")


def test_its_own_pace_is_a_person_s():
    """Four characters are about one token: 25 to 40 of them a second."""
    assert 25 <= HUMAN_PACE.chunk / 4 / HUMAN_PACE.seconds <= 40
