"""An answer on its way from the model to Slack: sanitised, harmless and in pages, at every moment of its growth."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core.text.sanitize import sanitize
from app.playground.slack.blocks.blocks import check_blocks
from app.playground.slack.page.markup import render_markdown
from handlers.views.kit.mrkdwn import disarm_mentions, disarm_mentions_prefix, split_pages, split_previews
from tests.properties import limit_examples
from tests.unit.documents import DOCUMENTS, ends_outside_of_code, words

POWER = re.compile(r"<\s*[!@#]|(?<![a-z0-9])@(?:channel|here|everyone|group)(?![a-z0-9])", re.IGNORECASE)
BAIT = st.lists(
    st.one_of(
        st.sampled_from(
            ["<@U1>", "<@U1|ann>", "<!channel>", "<!subteam^S1|@x>", "<#C1|ops>", "@here", "@every", "one", "< "]
        ),
        st.sampled_from(
            ["[IN", "[INST]", "ST]", "```sys", "tem\n", "<|system|>", "\u202e", "\u200b", "e", "\u0301", "<"]
        ),
        st.sampled_from(
            ["[a](javascript:x)", "<http://evil.com|bank>", "[bank.com](https://evil.com)", "\ud83d", "\ude00"]
        ),
        st.sampled_from(
            ["[x](https://ok.example)", "<script>", "<!-- a -->", "`x`", "```", "\n", "\n\n", " ", "word "]
        ),
        st.sampled_from(["**", "- ", "> ", "| a |", "[1]: x"]),
    ),
    max_size=25,
).map("".join)
"""What must not come through; without lone backticks, of which nobody knows what they make of what follows."""
ANSWERS = st.one_of(
    BAIT, st.tuples(DOCUMENTS, BAIT, DOCUMENTS).map("\n\n".join), st.tuples(BAIT, DOCUMENTS).map("".join)
)
IN_MID_LINE = re.compile(r"^.*[^\s>].*```|^[\s>]*```[^`\n]*`(?!``)", re.MULTILINE)
"""Three backticks behind words, or before another one in their line, may begin code or be nothing; a preview takes them
for code, whatever then comes."""

SLOWLY = limit_examples(20)


def cuts(text: str, data: st.DataObject) -> list[int]:
    return sorted({*data.draw(st.lists(st.integers(0, len(text)), max_size=6)), len(text)})


@given(BAIT, st.data())
def test_what_is_harmless_of_a_growing_text_only_ever_grows(text: str, data: st.DataObject) -> None:
    given_so_far = [disarm_mentions_prefix(text[:cut]) for cut in cuts(text, data)]
    for earlier, later in pairwise([*given_so_far, disarm_mentions(text)]):
        assert later.startswith(earlier)


@SLOWLY
@pytest.mark.req("S0-026")
@given(ANSWERS, st.data())
def test_the_words_that_people_see_only_ever_grow(text: str, data: st.DataObject) -> None:
    assume(not IN_MID_LINE.search(text))
    seen_so_far = [words("\n\n".join(split_previews(text[:cut]))) for cut in cuts(text, data)]
    for earlier, later in pairwise([*seen_so_far, words("\n\n".join(split_pages(sanitize(text))))]):
        assert later.startswith(earlier)


@SLOWLY
@given(ANSWERS, st.data())
def test_a_full_message_never_changes(text: str, data: st.DataObject) -> None:
    complete = split_pages(sanitize(text))
    for cut in cuts(text, data):
        shown = split_previews(text[:cut])
        assert shown[:-1] == complete[: max(len(shown) - 1, 0)]


@SLOWLY
@given(ANSWERS, st.data())
def test_every_message_is_one_that_slack_takes_and_that_pings_nobody(text: str, data: st.DataObject) -> None:
    for page in (
        page for cut in cuts(text, data) for page in (*split_previews(text[:cut]), *split_pages(sanitize(text[:cut])))
    ):
        assert len(page) <= 3_900
        assert not POWER.search(page)
        assert ends_outside_of_code(page)
        check_blocks([{"type": "markdown", "text": page}])
        assert 'class="mention' not in render_markdown(page, {"U1": "Ann"})


def test_a_mention_that_is_half_there_does_not_change_what_is_shown_when_it_is_whole() -> None:
    answer = "ask <@U0ANN0001|Ann Lee> now."
    assert {split_previews(answer[:cut]) for cut in range(5, 25)} == {("ask ",)}
    assert split_previews(answer[:25]) == ("ask @Ann Lee ",)


@pytest.mark.req("S0-026")
def test_a_marker_that_comes_in_two_deltas_is_never_shown() -> None:
    answer = "Before [INST] after.\n"
    assert not any("[" in page for cut in range(len(answer)) for page in split_previews(answer[:cut]))
    assert split_previews(answer) == ("Before  after.",)


def test_a_link_is_shown_when_it_is_whole() -> None:
    answer = "see [the plan](https://example.com/plan) now.\n"
    shown = {page for cut in range(len(answer) + 1) for page in split_previews(answer[:cut])}
    assert not any("](" in page and "plan)" not in page for page in shown)
    assert "see [the plan](https://example.com/plan) now." in shown


@pytest.mark.req("FA-23")
def test_a_wide_table_in_an_answer_is_shown_with_one_row_a_line_while_it_grows_and_in_the_end() -> None:
    answer = (
        "So far:\n\n| Way | Cost | Nights | Staff |\n|---|---|---|---|\n| A2 | 50 | +2 | 0 |\n| A3 | 20 | -1 | +1 |\n"
    )
    listed = "- **A2**: Cost 50 · Nights +2 · Staff 0\n- **A3**: Cost 20 · Nights -1 · Staff +1"
    assert split_pages(answer) == (f"So far:\n\n{listed}",)
    assert not any("|" in page for place in range(len(answer)) for page in split_previews(answer[:place]))
    narrow = "| Way | Cost | Nights |\n|---|---|---|\n| A2 | 50 | +2 |"
    assert split_pages(narrow) == (narrow,)


def test_no_address_becomes_a_label_of_another_by_what_a_wide_table_puts_between() -> None:
    answer = "| a | bank.example | c | d |\n|---|---|---|---|\n| [x | ](https://evil.example/) | y | z |"
    (page,) = split_pages(answer)
    assert "bank.example ](https" not in page


@pytest.mark.req("AG-03")
def test_after_a_break_there_is_a_new_page_while_it_grows_and_at_its_end() -> None:
    text, at = "I look and post it.\n\nPosted in ops **alone**.", 19
    assert split_pages(text, (0, at, len(text), 999)) == ("I look and post it.", "Posted in ops **alone**.")
    shown = [split_previews(text[:cut], (at,)) for cut in range(at + 1, len(text) + 1)]
    assert {pages[0] for pages in shown} == {"I look and post it."}
    assert {len(pages) for pages in shown} == {1, 2}
    assert all(page.strip() for pages in shown for page in pages)
    assert split_previews(text, ()) == split_previews(text)


@SLOWLY
@given(ANSWERS, ANSWERS, st.data())
def test_what_stands_before_a_break_never_changes(before: str, after: str, data: st.DataObject) -> None:
    assume(sanitize(before).strip() and after.strip())
    whole = split_pages(sanitize(before))
    for cut in cuts(after, data):
        if after[:cut].strip():
            assert split_previews(f"{before}\n\n{after[:cut]}", (len(before),))[: len(whole)] == whole
