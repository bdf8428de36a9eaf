"""Problems of single blocks, in Slack's words: against `rules`, then against the SDK's models.

Knows no whole message and no view; `blocks` and `views` judge those.
"""

import json
import re
from collections.abc import Callable, Iterator, Set
from functools import lru_cache
from typing import Any, Protocol, cast

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.blocks.block_elements import BlockElement

from app.playground.slack.blocks.rules import EVERY, PLACES, REQUIRED, RULES
from app.playground.slack.values.block_fields import read_mapping, read_mappings
from app.playground.slack.values.surfaces import Json


class _Model(Protocol):
    """The common interface of the SDK's models."""

    attributes: Set[str]

    def to_dict(self) -> object: ...


Parse = Callable[[Json], _Model | None]
_BLOCK = cast(Parse, Block.parse)  # pyright: ignore[reportUnknownMemberType]
_ELEMENT = cast(Parse, BlockElement.parse)  # pyright: ignore[reportUnknownMemberType]

#: Sentence of the models' constructors → Slack's sentence.
_CONSTRUCTOR_WORDS = (
    (re.compile(r"missing \d+ required .*?: '(\w+)'"), "missing required field: {}"),
    (re.compile(r"unexpected keyword argument '(\w+)'"), "invalid additional property: {}"),
)
_WITH_ELEMENTS = ("actions", "context", "context_actions")


def format_problem(pointer: str, problem: str) -> str:
    """Add the place of the problem, as Slack does."""
    return f"{problem} [json-pointer:{pointer}]"


def find_block_problems(blocks: list[Json], pointer: str) -> Iterator[str]:
    """Yield the problems of each block, and of their ids; `pointer` leads to their array."""
    yield from _find_repeated(blocks, "block_id", pointer)
    for index, block in enumerate(blocks):
        if not _is_sound(json.dumps(block)):
            yield from _find_own_problems(block, f"{pointer}/{index}")


@lru_cache(maxsize=2_000)
def _is_sound(block: str) -> bool:
    """Return True for a block without problems, given as JSON. Most of an edited message was judged before its edit."""
    return not any(_find_own_problems(json.loads(block), ""))


def _find_own_problems(block: Json, place: str) -> Iterator[str]:
    elements = read_mappings(block.get("elements"))
    found = [
        *find_broken_rules(block, place),
        *_find_repeated(elements, "action_id", f"{place}/elements"),
        *_find_misplaced(block, place),
        *_find_unoffered(block, place),
    ]
    yield from found or _find_model_refusals(block, place)


def _list_elements(block: Json, pointer: str) -> Iterator[tuple[str, Json]]:
    """Yield the elements directly in a block, with their places."""
    if block.get("type") in _WITH_ELEMENTS:
        for index, element in enumerate(read_mappings(block.get("elements"))):
            yield f"{pointer}/elements/{index}", element
    for name in ("accessory", "element"):
        if element := read_mapping(block.get(name)):
            yield f"{pointer}/{name}", element


def _find_misplaced(block: Json, pointer: str) -> Iterator[str]:
    for where, element in _list_elements(block, pointer):
        kind = str(element.get("type"))
        if block["type"] not in PLACES.get(kind, block["type"]):
            yield format_problem(f"{where}/type", f"unsupported type: {kind}")


def _find_unoffered(block: Json, pointer: str) -> Iterator[str]:
    """Yield initial values of an element that are not among its options."""
    for where, element in _list_elements(block, pointer):
        groups = [element, *read_mappings(element.get("option_groups"))]
        offered = [option.get("value") for group in groups for option in read_mappings(group.get("options"))]
        for name in ("initial_option", "initial_options"):
            initial = element.get(name)
            begun = read_mappings(initial) or read_mappings([initial])
            if offered and any(option.get("value") not in offered for option in begun):
                yield format_problem(f"{where}/{name}", "must match one of the options")


def _find_repeated(things: list[Json], name: str, pointer: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, thing in enumerate(things):
        value = thing.get(name)
        if value is not None and str(value) in seen:
            yield format_problem(f"{pointer}/{index}/{name}", f'{name} "{value}" already exists')
        seen.add(str(value))


# --- against the table -----------------------------------------------------------------------------


def find_broken_rules(block: Json, pointer: str) -> Iterator[str]:
    """Yield the violations of the rules of their types in an object and all objects within it."""
    for place, node in _walk_nodes(block, pointer):
        kind = str(node.get("type", ""))
        for name in REQUIRED.get(kind, ()):
            if name not in node:
                yield format_problem(place, f"missing required field: {name}")
        # An object without a type, such as an option, is checked with its parent.
        rules = {**EVERY, **RULES.get(kind, {})} if kind else {}
        for path, check in rules.items():
            for where, value in _walk_values(node, path.split("/"), place):
                if problem := check(value):
                    yield from _report_in_context(where, problem)


def _report_in_context(where: str, problem: str) -> Iterator[str]:
    # Slack first names the text object that nothing matched, then the problem inside it.
    if where.endswith("/text/text"):
        yield format_problem(where.removesuffix("/text"), "failed to match all allowed schemas")
    yield format_problem(where, problem)


def _walk_nodes(thing: Any, pointer: str) -> Iterator[tuple[str, Json]]:
    """Yield an object and all objects within it."""
    if isinstance(thing, list):
        for index, item in enumerate(cast(list[Any], thing)):
            yield from _walk_nodes(item, f"{pointer}/{index}")
    elif isinstance(thing, dict):
        node = cast(Json, thing)
        yield pointer, node
        for name, value in node.items():
            yield from _walk_nodes(value, f"{pointer}/{name}")


def _walk_values(thing: Any, path: list[str], pointer: str) -> Iterator[tuple[str, Any]]:
    if not path:
        yield pointer, thing
    elif path[0] == "*" and isinstance(thing, list):
        for index, item in enumerate(cast(list[Any], thing)):
            yield from _walk_values(item, path[1:], f"{pointer}/{index}")
    elif isinstance(thing, dict) and path[0] in thing:
        yield from _walk_values(thing[path[0]], path[1:], f"{pointer}/{path[0]}")


# --- against the SDK's models ----------------------------------------------------------------------


def _find_model_refusals(block: Json, pointer: str) -> Iterator[str]:
    yield from _find_refusal(_BLOCK, block, pointer)
    for where, element in _list_elements(block, pointer):
        yield from _find_refusal(_ELEMENT, element, where)


def _find_refusal(parse: Parse, thing: Json, pointer: str) -> Iterator[str]:
    try:
        model = parse(thing)
        if model is None:
            yield format_problem(pointer, f"unsupported type: {thing.get('type')}")
            return
        model.to_dict()
    except SlackObjectFormationError as problem:
        yield format_problem(pointer, str(problem))
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        yield format_problem(pointer, _translate_problem(str(problem)))
    else:
        for name in sorted(thing.keys() - model.attributes - {"type"}):
            yield format_problem(pointer, f"invalid additional property: {name}")


def _translate_problem(problem: str) -> str:
    for pattern, words in _CONSTRUCTOR_WORDS:
        if found := pattern.search(problem):
            return words.format(found[1])
    return "failed to match all allowed schemas"
