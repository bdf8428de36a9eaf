"""Whether a message may hold these blocks, and Slack's words for why not.

Three passes: the whole message, then each block against `block_rules`, then what the SDK's models refuse.
"""

import re
from collections.abc import Callable, Iterator, Set
from itertools import pairwise
from typing import Any, Protocol, cast

from markdown_it import MarkdownIt
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.blocks.block_elements import BlockElement

from app.playground.slack.block_rules import EVERY, MOST_MARKDOWN, RULES
from app.playground.slack.model import Json
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.render_json import mappings_in

MOST_BLOCKS = 50  # Slack: a message holds fifty blocks
MOST_TEXT = 13_200  # characters; measured: all blocks of one message together, then msg_blocks_too_long

_MARKDOWN = MarkdownIt("commonmark").enable("table")


class _Model(Protocol):
    """What the SDK's models have in common."""

    attributes: Set[str]

    def to_dict(self) -> object: ...


Parse = Callable[[Json], _Model | None]
_BLOCK = cast(Parse, Block.parse)  # pyright: ignore[reportUnknownMemberType]
_ELEMENT = cast(Parse, BlockElement.parse)  # pyright: ignore[reportUnknownMemberType]

#: What the models' constructors say → what Slack says.
_CONSTRUCTOR_WORDS = (
    (re.compile(r"missing \d+ required .*?: '(\w+)'"), "missing required field: {}"),
    (re.compile(r"unexpected keyword argument '(\w+)'"), "invalid additional property: {}"),
)


def check_blocks(blocks: Any) -> list[Json]:
    """Return the blocks if a message may hold them, else raise the refusal Slack would answer."""
    checked = mappings_in(blocks)
    if not isinstance(blocks, list) or len(checked) != len(cast(list[Any], blocks)):
        raise Refusal("invalid_blocks_format")
    if problems := list(dict.fromkeys(_problems(checked))):
        raise invalid("invalid_blocks", problems)
    if sum(block["type"] == "table" for block in checked) > 1:
        raise invalid("invalid_attachments", ["only_one_table_allowed"])
    if sum(map(_text_size, checked)) > MOST_TEXT:
        raise Refusal("msg_blocks_too_long")
    return checked


def with_ids(blocks: list[Json], name: Callable[[], str]) -> list[Json]:
    """Return checked blocks as Slack keeps them: each block and each interactive element has an id."""
    return [{"block_id": name()} | block | _with_action_ids(block, name) for block in blocks]


def _with_action_ids(block: Json, name: Callable[[], str]) -> Json:
    if block["type"] in ("actions", "context_actions"):
        return {"elements": [{"action_id": name()} | element for element in block["elements"]]}
    return {"accessory": {"action_id": name()} | block["accessory"]} if block.get("accessory") else {}


def _problems(blocks: list[Json]) -> Iterator[str]:
    if sum(map(_weight, blocks)) > MOST_BLOCKS:
        yield _at("/blocks", f"no more than {MOST_BLOCKS} items allowed")
    if sum(len(str(block.get("text"))) for block in blocks if block.get("type") == "markdown") > MOST_MARKDOWN:
        yield _at("/blocks", f"markdown text must be less than {MOST_MARKDOWN + 1} characters")
    yield from _repeated(blocks, "block_id", "/blocks")
    for index, block in enumerate(blocks):
        pointer = f"/blocks/{index}"
        elements = mappings_in(block.get("elements"))
        found = [*_broken_rules(block, pointer), *_repeated(elements, "action_id", f"{pointer}/elements")]
        yield from found or _refused_by_models(block, pointer)


def _at(pointer: str, problem: str) -> str:
    return f"{problem} [json-pointer:{pointer}]"


def _weight(block: Json) -> int:
    """Count a block; a markdown block counts as the blocks Slack makes of it: heading, table, rule, run of the rest."""
    if block.get("type") != "markdown":
        return 1
    tokens = _MARKDOWN.parse(str(block.get("text")))
    outer = ["", *(token.type for token in tokens if token.level == 0 and token.nesting >= 0)]
    alone = ("heading_open", "table_open", "hr")
    return sum(kind in alone or before == "" or before in alone for before, kind in pairwise(outer))


def _text_size(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_text_size, cast(list[Any], value)))
    if not isinstance(value, dict):
        return 0
    fields = cast(Json, value).items()
    return sum(len(item) if name == "text" and isinstance(item, str) else _text_size(item) for name, item in fields)


def _repeated(things: list[Json], name: str, pointer: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, thing in enumerate(things):
        value = thing.get(name)
        if value is not None and str(value) in seen:
            yield _at(f"{pointer}/{index}/{name}", f'{name} "{value}" already exists')
        seen.add(str(value))


# --- against the table -----------------------------------------------------------------------------


def _broken_rules(block: Json, pointer: str) -> Iterator[str]:
    for place, node in _nodes(block, pointer):
        rules = {**EVERY, **RULES.get(str(node.get("type")), {})}
        for path, check in rules.items():
            for where, value in _values(node, path.split("/"), place):
                if problem := check(value):
                    yield from _in_context(where, problem)


def _in_context(where: str, problem: str) -> Iterator[str]:
    # Slack first names the text object that nothing matched, then what is wrong inside it.
    if where.endswith("/text/text"):
        yield _at(where.removesuffix("/text"), "failed to match all allowed schemas")
    yield _at(where, problem)


def _nodes(thing: Any, pointer: str) -> Iterator[tuple[str, Json]]:
    """Walk an object and all objects within it."""
    if isinstance(thing, list):
        for index, item in enumerate(cast(list[Any], thing)):
            yield from _nodes(item, f"{pointer}/{index}")
    elif isinstance(thing, dict):
        node = cast(Json, thing)
        yield pointer, node
        for name, value in node.items():
            yield from _nodes(value, f"{pointer}/{name}")


def _values(thing: Any, path: list[str], pointer: str) -> Iterator[tuple[str, Any]]:
    if not path:
        yield pointer, thing
    elif path[0] == "*" and isinstance(thing, list):
        for index, item in enumerate(cast(list[Any], thing)):
            yield from _values(item, path[1:], f"{pointer}/{index}")
    elif isinstance(thing, dict) and path[0] in thing:
        yield from _values(thing[path[0]], path[1:], f"{pointer}/{path[0]}")


# --- against the SDK's models ----------------------------------------------------------------------


def _refused_by_models(block: Json, pointer: str) -> Iterator[str]:
    yield from _refused(_BLOCK, block, pointer)
    for index, element in enumerate(mappings_in(block.get("elements"))):
        if block["type"] in ("actions", "context", "context_actions"):
            yield from _refused(_ELEMENT, element, f"{pointer}/elements/{index}")
    if isinstance(block.get("accessory"), dict):
        yield from _refused(_ELEMENT, block["accessory"], f"{pointer}/accessory")


def _refused(parse: Parse, thing: Json, pointer: str) -> Iterator[str]:
    try:
        model = parse(thing)
        if model is None:
            yield _at(pointer, f"unsupported type: {thing.get('type')}")
            return
        model.to_dict()
    except SlackObjectFormationError as problem:
        yield _at(pointer, str(problem))
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        yield _at(pointer, _slack_words(str(problem)))
    else:
        for name in sorted(thing.keys() - model.attributes - {"type"}):
            yield _at(pointer, f"invalid additional property: {name}")


def _slack_words(problem: str) -> str:
    for pattern, words in _CONSTRUCTOR_WORDS:
        if found := pattern.search(problem):
            return words.format(found[1])
    return "failed to match all allowed schemas"
