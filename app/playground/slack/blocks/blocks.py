"""Check of the blocks of a message, with Slack's words for a refusal."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, cast

from markdown_it import MarkdownIt

from app.playground.slack.blocks.problems import find_block_problems, format_problem
from app.playground.slack.blocks.rules import MOST_IN_TABLES, MOST_MARKDOWN, MOST_TEXT
from app.playground.slack.values.block_fields import read_mappings
from app.playground.slack.values.refusal import Refusal, build_refusal
from app.playground.slack.values.surfaces import Json

MOST_BLOCKS = 50  # Slack: a message holds fifty blocks

_MARKDOWN = MarkdownIt("commonmark").enable("table")


def check_blocks(blocks: Any) -> list[Json]:
    """Return the blocks if a message may contain them; else raise Slack's refusal."""
    checked = read_mappings(blocks)
    if not isinstance(blocks, list) or len(checked) != len(cast(list[Any], blocks)):
        raise Refusal("invalid_blocks_format")
    if problems := list(dict.fromkeys(_find_problems(checked))):
        raise build_refusal("invalid_blocks", problems)
    if sum(block["type"] == "table" for block in checked) > 1:
        raise build_refusal("invalid_attachments", ["only_one_table_allowed"])
    if sum(map(_measure_text, checked)) > MOST_TEXT:
        raise Refusal("msg_blocks_too_long")
    return checked


def add_ids(blocks: list[Json], name: Callable[[], str]) -> list[Json]:
    """Return checked blocks as Slack stores them: each block and each interactive element has an id."""
    return [{"block_id": name()} | block | _add_action_ids(block, name) for block in blocks]


def _add_action_ids(block: Json, name: Callable[[], str]) -> Json:
    if block["type"] in ("actions", "context_actions"):
        return {"elements": [{"action_id": name()} | element for element in block["elements"]]}
    single = "element" if block["type"] == "input" else "accessory"
    element = block.get(single)
    return {single: {"action_id": name()} | element} if element and element["type"] != "image" else {}


def _find_problems(blocks: list[Json]) -> Iterator[str]:
    if sum(map(_count_block, blocks)) > MOST_BLOCKS:
        yield format_problem("/blocks", f"no more than {MOST_BLOCKS} items allowed")
    if sum(len(str(block.get("text"))) for block in blocks if block.get("type") == "markdown") > MOST_MARKDOWN:
        yield format_problem("/blocks", f"markdown text must be less than {MOST_MARKDOWN + 1} characters")
    if sum(_measure_text(block) for block in blocks if block.get("type") == "table") > MOST_IN_TABLES:
        yield format_problem("/blocks", f"table text must be less than {MOST_IN_TABLES + 1} characters")
    yield from find_block_problems(blocks, "/blocks")


def _count_block(block: Json) -> int:
    """Return the number of blocks that Slack counts.

    Slack splits a markdown block into headings, tables, rules, and the text between them.
    """
    if block.get("type") != "markdown":
        return 1
    tokens = _MARKDOWN.parse(str(block.get("text")))
    outer = ["", *(token.type for token in tokens if token.level == 0 and token.nesting >= 0)]
    alone = ("heading_open", "table_open", "hr")
    return sum(kind in alone or before == "" or before in alone for before, kind in pairwise(outer))


def _measure_text(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_measure_text, cast(list[Any], value)))
    if not isinstance(value, dict):
        return 0
    fields = cast(Json, value).items()
    return sum(len(item) if name == "text" and isinstance(item, str) else _measure_text(item) for name, item in fields)
