"""Whatever people and the model write, it can do nothing to the page."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.playground.slack.page.message import render_message
from tests.unit.playground.rendered import Page, drawn, shown

WHOLE_ATTACKS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "\"' onclick=x",
    "<javascript:alert(1)|x>", "[a](javascript:alert(1))", "<https://a.b\" onmouseover=x|y>", "&lt;script&gt;",
    "![i](data:text/html,x)", "</div></p>", "<@U1\"><script>", "<!here><!x|<b>",
    "<!date^1^\"><script>|x>",
]  # fmt: skip
FRAGMENTS = ["```", "|a|b|\n|-|-|\n", "](https://a.b)", "<https://a.b|", "https://a.b/", ":lock:", "{0}", "> "]
NASTY = st.sampled_from([*WHOLE_ATTACKS, *FRAGMENTS, *"`*_~[\n&<>"])
TEXT = st.lists(NASTY | st.text(max_size=8), max_size=8).map("".join)
KINDS = """
    section header divider context actions markdown table image rich_text button mrkdwn plain_text raw_text text link
    rich_text_section rich_text_list rich_text_quote rich_text_preformatted user channel broadcast emoji date
"""
FIELDS = """
    text fields accessory elements rows column_settings align url image_url alt_text style value action_id block_id
    user_id channel_id range name fallback indent bold code
"""


def shapes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.dictionaries(st.sampled_from(FIELDS.split()), inner, max_size=4)
    kind = st.sampled_from(KINDS.split()) | TEXT
    typed = st.fixed_dictionaries({"type": kind, "text": inner | TEXT, "elements": st.lists(inner, max_size=2)})
    return st.lists(inner, max_size=3) | fields | typed | st.tuples(typed, fields).map(lambda pair: pair[0] | pair[1])


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 9) | TEXT, shapes, max_leaves=12
)


@given(text=TEXT)
def test_no_text_can_do_anything_to_the_page(text: str) -> None:
    Page(shown(text))
    Page(drawn({"type": "markdown", "text": text}))


@given(blocks=st.lists(ANYTHING, min_size=1, max_size=3), text=TEXT)
def test_no_blocks_can_do_anything_to_the_page(blocks: list[Any], text: str) -> None:
    Page(render_message(text, blocks, {"U1": text}))


@given(text=st.text(st.sampled_from("abc <&\n")))
def test_no_character_of_a_plain_text_is_lost(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert "".join(Page(shown(escaped)).shown.split()) == "".join(text.split())
