"""Rules for the blocks of server tools that a request sends back: whole, in their places, and as they were received."""

import re
from collections.abc import Iterator, Sequence

from app.playground.claude.api.prompt import Json, Message, is_array, is_object
from app.playground.claude.api.refusals import build_invalid_request
from app.playground.claude.api.web.definitions import FETCH, SEARCH
from app.playground.claude.api.web.uses import Sealer

_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_RESULTS = {f"{SEARCH}_tool_result": SEARCH, f"{FETCH}_tool_result": FETCH}


def check_web_blocks(messages: Sequence[Message], sealer: Sealer, *, is_paused: bool) -> None:
    """Refuse a use without its result, a result without its use, and what was changed meanwhile.

    `is_paused` tells whether the last message is a paused answer, whose last use may still be under way.
    """
    open_: dict[str, str] = {}
    for n, message in enumerate(messages):
        for m, block in enumerate(message.blocks):
            _check_block(block, message.role, f"messages.{n}.content.{m}", open_, sealer)
        is_last = n == len(messages) - 1
        goes_on = not is_last and messages[n + 1].role == message.role
        if open_ and not goes_on and not (is_last and is_paused):
            id_, name = next(iter(open_.items()))
            raise build_invalid_request(
                f"messages.{n}: `{name}` tool use with id `{id_}` was found without a corresponding"
                f" `{name}_tool_result` block"
            )


def _check_block(block: Json, role: str, where: str, open_: dict[str, str], sealer: Sealer) -> None:
    kind = block["type"]
    if role != "assistant" and (kind == "server_tool_use" or kind in _RESULTS):
        raise build_invalid_request(f"{where}: `{kind}` blocks are only permitted in assistant messages")
    if kind == "server_tool_use":
        _check_id(block.get("id"), f"{where}.{kind}.id")
        open_[block["id"]] = str(block.get("name"))
    elif kind in _RESULTS and open_.pop(str(block.get("tool_use_id")), "") != _RESULTS[kind]:
        raise build_invalid_request(f"{where}: unexpected `tool_use_id` found in `{kind}` blocks")
    for place, sealed, known in _list_sealed(block, sealer):
        if sealed != known:
            raise build_invalid_request(f"{where}.{place}: Invalid `{place.rpartition('.')[2]}`")


def _check_id(id_: object, where: str) -> None:
    if not _ID.fullmatch(str(id_)):
        raise build_invalid_request(f"{where}: String should match pattern '^{_ID.pattern}$'")


def _list_sealed(block: Json, sealer: Sealer) -> Iterator[tuple[str, object, str]]:
    """Yield the place of what is sealed, its value, and what the value has to be."""
    content = block.get("content")
    for n, each in enumerate(content if is_array(content) and block["type"] in _RESULTS else ()):
        if is_object(each):
            known = sealer.seal(str(each.get("url")), str(each.get("title")))
            yield f"content.{n}.encrypted_content", each.get("encrypted_content"), known
    cited = block.get("citations") if block["type"] == "text" else None  # a document says by it that it may be cited
    for n, each in enumerate(cited or ()):
        if each.get("type") == "web_search_result_location":
            known = sealer.seal(str(each.get("url")), str(each.get("cited_text")))
            yield f"citations.{n}.encrypted_index", each.get("encrypted_index"), known
