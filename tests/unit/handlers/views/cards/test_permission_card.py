"""The card on which something is allowed or forbidden: all that would be done in plain words, and four answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation.card import PermissionCard
from app.core.copy import permission_cards
from app.core.state.permission import LABELS, Coverage, PermissionChoice, list_options
from app.core.state.question import Origin, Question, QuestionKind
from app.core.state.tool_use import Use, UseState
from handlers.slack import action_ids
from handlers.views.cards import thread_cards
from handlers.views.cards.permission_card import MOST_NAMED, SHOWN_CHARS, SHOWN_LINES
from handlers.views.kit.blocks import RenderedMessage
from tests.unit.handlers.shown import AT, AT_0244, HARD, PLACE, controls, markup, pressed, said, show, small

USE = Use(
    id="t1",
    tool="post_message",
    input="{}",
    state=UseState.ASKED,
    title="post to #ops",
    shown="The rota is ready.",
    scope="channel:C1",
    covers="posting to #ops",
)
QUESTION = Question(
    id="1.2",
    kind=QuestionKind.CHOICE,
    prompt="post to #ops",
    options=tuple(label for _, label in LABELS),
    origin=Origin.PERMISSION,
)
SHORT = HARD.map(lambda text: text[:300])
"""What tools say in a line: names of channels, people and files are no longer."""

CARD = PermissionCard(question=QUESTION, owner="U1", use=USE, place=1, count=1)


def quoted(rendered: RenderedMessage) -> str:
    """What would be done, as it is quoted."""
    parts = [part for block in rendered.blocks if block["type"] == "rich_text" for part in block["elements"]]
    assert {part["type"] for part in parts} <= {"rich_text_quote"}
    return "".join(element["text"] for part in parts for element in part["elements"])


def asides(rendered: RenderedMessage) -> list[tuple[str, str, str]]:
    """Label, action and value of each button beside a paragraph."""
    buttons = [block["accessory"] for block in rendered.blocks if "accessory" in block]
    return [(each["text"]["text"], each["action_id"], each["value"]) for each in buttons]


def ask(**changes: Any) -> RenderedMessage:
    about = {
        name: changes.pop(name)
        for name in ("title", "shown", "said_of", "covers", "remarks", "ruled", "recommended")
        if name in changes
    }
    return show(replace(CARD, use=replace(USE, **about), **changes))


@pytest.mark.req("S3-017", "AG-09")
def test_it_mentions_who_is_asked_says_what_would_be_done_and_has_the_four_answers_in_order() -> None:
    rendered = ask()
    assert rendered.text == "<@U1>, post to #ops?"
    assert (said(rendered), quoted(rendered)) == (["<@U1>, post to #ops?"], "The rota is ready.")
    assert pressed(rendered) == [
        ("Allow this time", "answer:0", "12:0"),
        ("Always allow", "answer:1", "12:1"),
        ("Wait and tell Claude what to do differently", "answer:2", "12:2"),
        ("Never allow", "answer:3", "12:3"),
    ]
    assert small(rendered) == [
        "Always = posting to #ops, for you only. Never forbids you the same.",
        permission_cards.HINT,
    ]


@pytest.mark.req("SE-04")
def test_it_names_each_place_that_not_all_readers_can_read_and_what_always_would_cover() -> None:
    remark, label = "This was read in #board, which 3 people can read.", "posting to #ops with words from #board"
    rendered = ask(remarks=(remark,), ruled=(Coverage(scope="s", label=label), Coverage(scope="t", label="more")))
    assert small(rendered) == [
        f"🔒 {remark}",
        f"Always = {label}; more, for you only. Never forbids you the same.",
        permission_cards.HINT,
    ]


def test_places_of_one_name_are_named_once_in_what_always_would_cover() -> None:
    alike = tuple(Coverage(scope=scope, label="with words from a place") for scope in ("s", "t"))
    assert small(ask(ruled=alike))[0] == "Always = with words from a place, for you only. Never forbids you the same."


@pytest.mark.req("AG-09")
def test_several_places_are_named_in_one_sentence_on_what_always_would_cover() -> None:
    places = [f"#c{number}" for number in range(MOST_NAMED + 2)]
    ruled = tuple(Coverage(scope=each, label=f"posting to #ops with words from {each}") for each in places)
    assert small(ask(ruled=ruled[:2]))[0].startswith(
        "Always = posting to #ops with words from #c0 and #c1, for you only"
    )
    assert "#c7 and 2 more, for you" in small(ask(ruled=ruled))[0]


@pytest.mark.req("IN-10")
def test_what_a_server_says_of_its_tool_stands_below_the_action_as_small_print_and_is_no_part_of_it() -> None:
    words = "The server board says of it: “Puts *a* ticket.”"
    rendered = ask(said_of=words)
    assert (quoted(rendered), asides(rendered)) == ("The rota is ready.", [])
    plain = {"type": "context", "elements": [{"type": "plain_text", "text": words}]}
    assert rendered.blocks[2] == plain, "nothing in it is markup"
    long = ask(said_of="x" * (SHOWN_CHARS + 9))
    assert "more characters" in said(long)[1]
    assert asides(long) == [("Show all", "show_all", "12")]


def test_of_many_places_it_names_some_and_counts_the_others() -> None:
    many = [f"place {number}" for number in range(MOST_NAMED + 3)]
    rendered = ask(remarks=tuple(many), ruled=tuple(Coverage(scope=each, label=each) for each in many))
    *named, more, covers, _ = small(rendered)
    assert named == [f"🔒 {each}" for each in many[:MOST_NAMED]]
    assert more == "🔒 and 3 more of this kind"
    assert "place 7; and 3 more of this kind, for you" in covers
    assert asides(rendered) == [("Show all", "show_all", "12")]
    assert asides(ask(remarks=tuple(many[:MOST_NAMED]))) == []


@pytest.mark.req("AG-09")
def test_a_card_recommends_always_after_three_times_and_keeps_all_four_choices() -> None:
    plain, advised = ask(), ask(recommended=True)
    assert pressed(plain) == pressed(advised)
    assert [primary(each) for each in (plain, advised)] == [["Allow this time"], ["Always allow"]]
    assert small(advised)[0] == "💡 You have allowed this 3 times. *Always allow* saves you the question."
    assert "💡" not in str(small(plain))


@pytest.mark.req("AG-09")
def test_a_card_of_several_writes_lists_them_all_and_has_a_fifth_button_for_them() -> None:
    together = ("post to #ops (“The rota is ready.”)", "post to #kitchen (“Soup.”)")
    asked = replace(QUESTION, options=list_options(2))
    rendered = ask(question=asked, together=together, count=2)
    assert pressed(rendered)[:4] == pressed(ask())
    assert pressed(rendered)[4:] == [("Allow all 2 this time", "answer:4", "12:4")]
    assert f"1. {together[0]}\n2. {together[1]}" in said(rendered)[1]
    assert asides(rendered) == [("Show all", "show_all", "12")]
    closed = ask(question=asked, together=together, all_allowed=True, decision=PermissionChoice.ALLOW, by="U1", at=AT)
    assert small(closed) == [f"1. {together[0]}\n2. {together[1]}", f"✅ All 2 allowed once · <@U1> · {AT_0244}"]


@pytest.mark.req("AG-09")
def test_of_several_that_were_allowed_it_says_how_many_were_forbidden_meanwhile() -> None:
    together = ("post “a”", "post “b”", "post “c”")
    asked = ask(together=together, all_allowed=True, decision=PermissionChoice.ALLOW, by="U1", at=AT, forbidden=1)
    told = str(asked.blocks)
    assert "✅ 2 of 3 allowed once, the rest was forbidden meanwhile · <@U1>" in told
    assert "`/threadwise permissions` shows by what" in told
    assert "All 3" not in told


@pytest.mark.req("AG-09")
def test_never_says_before_and_after_what_it_forbids() -> None:
    ruled = (Coverage(scope="s", label="posting to #ops with words from #board"),)
    before, after = ask(ruled=ruled), ask(ruled=ruled, decision=PermissionChoice.NEVER, by="U1", at=AT)
    assert "with words from #board, for you only. Never forbids you the same." in small(before)[0]
    assert "Never allowed" in small(after)[0]
    assert "posting to #ops with words from #board" in small(after)[0]


def primary(rendered: RenderedMessage) -> list[str]:
    """The labels of the buttons that stand out."""
    buttons = [each for block in rendered.blocks if block["type"] == "actions" for each in block["elements"]]
    return [each["text"]["text"] for each in buttons if each.get("style") == "primary"]


def test_of_several_it_says_which_one_it_is() -> None:
    assert ask(place=2, count=3).text == "<@U1>, post to #ops? (2 of 3)"


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (PermissionChoice.ALLOW, f"✅ Allowed once · <@U1> · {AT_0244}"),
        (
            PermissionChoice.ALWAYS,
            f"✅ Always allowed · <@U1> · {AT_0244} · posting to #ops · `/threadwise permissions` revokes it",
        ),
        (PermissionChoice.WAIT, f"✋ Told to wait · <@U1> · {AT_0244}"),
        (
            PermissionChoice.NEVER,
            f"🚫 Never allowed · <@U1> · {AT_0244} · posting to #ops · `/threadwise permissions` revokes it",
        ),
    ],
)
def test_what_was_decided_by_whom_and_when_takes_the_place_of_the_buttons(
    decision: PermissionChoice, told: str
) -> None:
    rendered = ask(decision=decision, by="U1", at=AT)
    assert (small(rendered), controls(rendered)) == ([told], [])
    assert quoted(rendered) == "The rota is ready."


def test_what_nobody_needs_any_more_says_so() -> None:
    rendered = ask(withdrawn=True, at=AT)
    assert (small(rendered), controls(rendered)) == ([permission_cards.WITHDRAWN], [])


def test_it_waits_for_somebody_until_it_is_decided_or_withdrawn() -> None:
    assert thread_cards.is_waiting(CARD)
    assert not thread_cards.is_waiting(replace(CARD, decision=PermissionChoice.ALLOW))
    assert not thread_cards.is_waiting(replace(CARD, withdrawn=True))


@pytest.mark.parametrize("text", ["x" * SHOWN_CHARS, "\n".join("x" * SHOWN_LINES)])
def test_a_text_that_fits_is_shown_whole_and_has_nothing_more_to_show(text: str) -> None:
    rendered = ask(shown=f"\n{text}\n\n")
    assert (quoted(rendered), asides(rendered)) == (text, [])
    assert len(said(rendered)) == 1


@pytest.mark.parametrize(
    ("text", "shown", "more"),
    [
        ("x" * SHOWN_CHARS + "y" * 1_234, "x" * SHOWN_CHARS, "1,234"),
        ("\n".join("x" * SHOWN_LINES) + "\nyz", "\n".join("x" * SHOWN_LINES), "3"),
        (f"{'word ' * (SHOWN_CHARS // 5)}last word", ("word " * (SHOWN_CHARS // 5)).rstrip(), "10"),
    ],
)
def test_of_a_longer_text_the_beginning_is_shown_and_how_much_more_there_is_with_a_button_that_shows_it(
    text: str, shown: str, more: str
) -> None:
    rendered = ask(shown=text)
    assert quoted(rendered) == shown
    assert said(rendered)[1:] == [f"… and {more} more characters"]
    assert asides(rendered) == [("Show all", action_ids.SHOW_ALL, "12")]


def test_once_it_is_decided_a_longer_text_is_counted_and_there_is_nothing_to_press() -> None:
    rendered = ask(shown="x" * SHOWN_CHARS + "yz", withdrawn=True, at=AT)
    assert small(rendered) == ["… and 2 more characters", permission_cards.WITHDRAWN]
    assert (asides(rendered), controls(rendered)) == ([], [])


def test_a_text_of_spaces_alone_is_not_quoted() -> None:
    assert [block["type"] for block in ask(shown=" \n ").blocks] == ["section", "context", "actions", "context"]


@pytest.mark.parametrize(
    "changes", [{}, {"decision": PermissionChoice.NEVER, "by": "U1", "at": AT}, {"withdrawn": True}]
)
@given(title=SHORT, shown=HARD | st.just(""), covers=SHORT)
def test_slack_takes_every_card_and_nothing_that_somebody_wrote_is_markup(
    changes: dict[str, Any], title: str, shown: str, covers: str
) -> None:
    rendered = ask(title=title, shown=shown, covers=covers, **changes)
    assert markup(rendered) <= {"<@U1>", AT_0244}


def test_a_card_that_slack_refuses_to_render_says_its_words_all_the_same() -> None:
    (plain,) = thread_cards.render_plain_text(replace(CARD, use=replace(USE, shown="a < b")), 12, PLACE)
    assert plain.text.splitlines()[:3] == ["<@U1>, post to #ops?", "a &lt; b", "1. Allow this time"]
