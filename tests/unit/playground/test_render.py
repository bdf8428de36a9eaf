"""What people and the model write is shown as Slack shows it."""

from typing import Any

import pytest

from app.core.conversation.transition import QUEUED
from app.core.machine.refusals import MARKS
from app.playground.slack.page.inline import EMOJI
from tests.unit.playground.rendered import Page, drawn, shown

# --- mrkdwn ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*bold* _it_ ~no~", "<p><strong>bold</strong> <em>it</em> <s>no</s></p>"),
        ("*bold _and it_*", "<p><strong>bold <em>and it</em></strong></p>"),
        ("2*3*4 and snake_case_name", "<p>2*3*4 and snake_case_name</p>"),
        ("* not bold *", "<p>* not bold *</p>"),
        ("*not\nbold*", "<p>*not<br>bold*</p>"),
        ("`*code* <b>`", "<p><code>*code* &lt;b&gt;</code></p>"),
        ("a\n\nb", "<p>a</p><p>b</p>"),
        ("&gt; said\n> twice\nafter", "<blockquote>said<br>twice</blockquote><p>after</p>"),
        ("see\n```\nx = *1*\n```\nok", "<p>see</p><pre>x = *1*</pre><p>ok</p>"),
        ("a &lt;b&gt; &amp;amp; <c d>", "<p>a &lt;b&gt; &amp;amp; c d</p>"),
        pytest.param(
            "<@U9> <@U7|sam> <#C1> <#C2|random>",
            '<p><span class="mention" data-user="U9">@Threadwise</span> '
            '<span class="mention" data-user="U7">@sam</span> '
            '<span class="mention" data-channel="C1">#ops</span> '
            '<span class="mention" data-channel="C2">#random</span></p>',
            id="mentions are shown by name and carry the id",
        ),
        pytest.param(
            "<!channel> <!subteam^S1|@crew>",
            '<p><span class="mention broadcast">@channel</span> @crew</p>',
            id="a broadcast is highlighted, and a user group shows its label",
        ),
        pytest.param(
            ":lock: :nope: 10:30:00",
            '<p><span class="emoji" title=":lock:">🔒</span> :nope: 10:30:00</p>',
            id="known emoji are drawn, and others keep their short name",
        ),
    ],
)
def test_mrkdwn_is_shown_as_slack_shows_it(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_date_carries_its_moment_for_the_readers_clock_and_else_shows_its_fallback() -> None:
    assert shown("<!date^1772438400^{date_short} at {time}^https://a.b|1 Mar>") == (
        '<p><time data-moment="1772438400" data-form="{date_short} at {time}">1 Mar</time></p>'
    )
    assert shown("<!date^soon^{date}|1 Mar> <!date^1|2 Mar>") == "<p>1 Mar 2 Mar</p>"


def test_labelled_and_bare_addresses_become_links_that_open_elsewhere() -> None:
    page = Page(shown("<https://a.b/?x=1&amp;y=2|the page> and https://c.d/e_f_g."))
    assert page.tags[1:] == [
        ("a", {"href": href, "target": "_blank", "rel": "noopener noreferrer"})
        for href in ("https://a.b/?x=1&y=2", "https://c.d/e_f_g")
    ]
    assert page.shown == "the page and https://c.d/e_f_g."


@pytest.mark.parametrize("address", ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "xmailto:a@b.c", "/"])
def test_an_address_of_another_scheme_is_shown_but_is_no_link(address: str) -> None:
    markdown = {"type": "markdown", "text": f"[press]({address})"}
    assert shown(f"<{address}|press>") == "<p>press</p>"
    assert "<a" not in drawn(markdown)


# --- blocks ----------------------------------------------------------------------------------


def test_blocks_are_shown_in_place_of_the_text() -> None:
    assert drawn({"type": "divider"}) == '<div class="block divider"><hr></div>'


def test_a_section_shows_text_fields_and_accessory() -> None:
    section = {
        "type": "section",
        "block_id": "b1",
        "text": {"type": "mrkdwn", "text": "*Pick*"},
        "fields": [{"type": "plain_text", "text": "*as is*"}],
        "accessory": {"type": "button", "action_id": "go", "text": {"text": "Go"}},
    }
    assert drawn(section) == (
        '<div class="block section"><div class="body"><p><strong>Pick</strong></p></div>'
        '<div class="fields"><div class="field">*as is*</div></div>'
        '<div class="accessory">'
        '<button type="button" data-action-id="go" data-block-id="b1">Go</button></div></div>'
    )


def test_a_button_carries_what_a_click_needs_and_its_style() -> None:
    text = {"type": "plain_text", "text": "Allow :lock:"}
    button = {"type": "button", "action_id": "ok", "value": '"1"', "style": "primary", "text": text}
    link = {"type": "button", "action_id": "l", "url": "https://a.b", "style": "x", "text": text}
    page = Page(drawn({"type": "actions", "block_id": "b1", "elements": [button, link]}))
    assert [attributes for tag, attributes in page.tags if tag == "button"] == [
        {
            "type": "button",
            "data-action-id": "ok",
            "data-block-id": "b1",
            "data-value": '"1"',
            "class": "primary",
        },
        {
            "type": "button",
            "data-action-id": "l",
            "data-block-id": "b1",
            "data-url": "https://a.b",
        },
    ]
    assert page.shown == "Allow 🔒" * 2


def test_headers_contexts_and_images_show_their_words() -> None:
    image = {"type": "image", "image_url": "https://a.b/c.png", "alt_text": "a <chart>"}
    page = Page(
        drawn(
            {"type": "header", "text": {"type": "plain_text", "text": "Rota"}},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": "by _1 Mar_"}, image]},
            {"type": "section", "accessory": image},
            image,
        )
    )
    assert page.shown == "Rotaby 1 Mar" + "a <chart>" * 3
    assert not any(tag == "img" for tag, _ in page.tags)


def test_markdown_has_tables_strikethrough_and_mentions_but_no_html() -> None:
    text = (
        "# Plan\n~~old~~ **new** <@U1> <b>raw</b> https://a.b/c. `:lock:` :lock:\n\n"
        "| who | hours |\n|:-|-:|\n| Sam | 3 |\n\n```python\nx < 1\n```\n"
    )
    assert drawn({"type": "markdown", "text": text}).replace("\n", "") == (
        '<div class="block markdown"><h1>Plan</h1><p><s>old</s> <strong>new</strong> '
        '<span class="mention" data-user="U1">@Maya</span> &lt;b&gt;raw&lt;/b&gt; '
        '<a href="https://a.b/c" target="_blank" rel="noopener noreferrer">https://a.b/c</a>. '
        '<code>:lock:</code> <span class="emoji" title=":lock:">🔒</span></p>'
        '<div class="table"><table><thead><tr><th class="left">who</th><th class="right">hours</th>'
        '</tr></thead><tbody><tr><td class="left">Sam</td><td class="right">3</td></tr></tbody>'
        "</table></div><pre>x &lt; 1</pre></div>"
    )


def test_a_markdown_link_holds_no_second_link() -> None:
    text = "[see **https://a.b** ![chart](https://c.d)](https://e.f)\nthen ![x](https://g.h)"
    page = Page(drawn({"type": "markdown", "text": text}))
    assert [attributes["href"] for tag, attributes in page.tags if tag == "a"] == [
        "https://e.f",
        "https://g.h",
    ]
    assert page.shown == "see https://a.b chartthen x\n"


def test_a_table_shows_its_first_row_as_heads_and_aligns_its_columns() -> None:
    rich = {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "8"}]},
        ],
    }
    table = {
        "type": "table",
        "column_settings": [None, {"align": "right"}],
        "rows": [[{"type": "raw_text", "text": "who"}, {"type": "raw_text", "text": "h"}],
                 [{"type": "raw_text", "text": "Sam"}, rich, {"type": "raw_text", "text": "!"}]],
    }  # fmt: skip
    assert drawn(table) == (
        '<div class="block table"><table>'
        '<tr><th class="left">who</th><th class="right">h</th></tr>'
        '<tr><td class="left">Sam</td><td class="right"><p>8</p></td><td class="left">!</td></tr>'
        "</table></div>"
    )


def test_rich_text_shows_styles_lists_quotes_and_references() -> None:
    def section(kind: str, *elements: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"type": f"rich_text_{kind}", "elements": list(elements), **more}

    block = {
        "type": "rich_text",
        "elements": [
            section(
                "section",
                {"type": "text", "text": "hi ", "style": {"bold": True, "italic": True}},
                {"type": "user", "user_id": "U1"},
                {"type": "channel", "channel_id": "C1"},
                {"type": "broadcast", "range": "here"},
                {"type": "emoji", "name": "eyes"},
                {"type": "date", "timestamp": 1, "fallback": "1 Mar"},
            ),
            section(
                "list",
                section("section", {"type": "link", "url": "https://a.b", "text": "b"}),
                style="ordered",
                indent=1,
            ),
            section("quote", {"type": "text", "text": "q"}),
            section("preformatted", {"type": "text", "text": "{p}"}),
        ],
    }
    assert drawn(block) == (
        '<div class="block rich_text"><p><em><strong>hi </strong></em>'
        '<span class="mention" data-user="U1">@Maya</span>'
        '<span class="mention" data-channel="C1">#ops</span>'
        '<span class="mention broadcast">@here</span>'
        '<span class="emoji" title=":eyes:">👀</span>1 Mar</p>'
        '<ol class="indent-1"><li>'
        '<a href="https://a.b" target="_blank" rel="noopener noreferrer">b</a></li></ol>'
        "<blockquote>q</blockquote><pre>{p}</pre></div>"
    )


def test_a_block_or_element_that_cannot_be_drawn_says_what_it_is() -> None:
    actions = {"type": "actions", "elements": [{"type": "workflow_button"}]}
    page = Page(drawn({"type": "video"}, actions, {}))
    assert page.shown.split(", not drawn here") == [
        "video block",
        "workflow_button element",
        "unnamed block",
        "",
    ]


def test_a_select_keeps_a_place_for_the_page_to_draw_it_in() -> None:
    select = {"type": "static_select", "action_id": "pick<"}
    page = Page(drawn({"type": "actions", "block_id": "b", "elements": [select]}))
    assert page.tags[-1] == ("span", {"class": "control", "data-block-id": "b", "data-action-id": "pick<"})
    assert page.shown == ""


def test_an_input_has_its_label_and_hint_around_its_place() -> None:
    words = {"type": "plain_text", "text": "How <many>?"}
    element = {"type": "plain_text_input", "action_id": "a"}
    page = Page(drawn({"type": "input", "block_id": "b", "label": words, "hint": words, "element": element}))
    assert page.shown == "How <many>?How <many>?"
    assert ("span", {"class": "control", "data-block-id": "b", "data-action-id": "a"}) in page.tags


@pytest.mark.parametrize("name", sorted({*MARKS.values(), QUEUED}))
def test_a_mark_that_the_program_puts_on_a_message_is_drawn(name: str) -> None:
    assert name in EMOJI
