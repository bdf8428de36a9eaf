"""Rules of the Messages API for history, media, parameters and tools, with the wording of its refusals."""

import base64
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from jsonschema.exceptions import SchemaError
from jsonschema.validators import Draft202012Validator

from app.playground.claude.api.prompt import Json, Message, Prompt, canonicalize, is_array, is_object
from app.playground.claude.api.refusals import build_invalid_request
from app.playground.claude.api.signatures import Signer
from app.playground.claude.api.web.definitions import check_web_tools
from app.playground.claude.api.web.history import check_web_blocks
from app.playground.claude.api.web.uses import Sealer


class PausedTurns:
    """The turns that ended in `pause_turn`: the only ones a request may end with, sent back unchanged."""

    def __init__(self) -> None:
        self._paused: set[str] = set()

    def add(self, content: Sequence[object]) -> None:
        """Remember the content of a paused answer."""
        self._paused.add(canonicalize(content))

    def __contains__(self, message: Message) -> bool:
        return message.role == "assistant" and canonicalize(message.blocks) in self._paused


class History:
    """The rules that need earlier answers."""

    def __init__(self, signer: Signer, paused: PausedTurns, sealer: Sealer) -> None:
        self._signer = signer
        self._paused = paused
        self._sealer = sealer

    def check(self, prompt: Prompt) -> None:
        """Refuse the first error in the conversation."""
        self._roles(prompt.messages)
        _check_content(prompt)
        check_media(prompt)
        _check_tool_ids(prompt.messages)
        _check_tool_rounds(prompt.messages)
        check_web_blocks(prompt.messages, self._sealer, is_paused=prompt.messages[-1] in self._paused)
        self._thinking(prompt)

    def _roles(self, messages: Sequence[Message]) -> None:
        """Require that the user begins, that turns alternate, and that the user comes last (prefill is gone)."""
        if not messages:
            raise build_invalid_request("messages: at least one message is required")
        if messages[0].role != "user":
            raise build_invalid_request("messages: first message must use the user role")
        for before, after in itertools.pairwise(messages):
            if before.role == after.role and before not in self._paused:
                raise build_invalid_request(
                    f"messages: roles must alternate between user and assistant, but found"
                    f" multiple {after.role} roles in a row"
                )
        if messages[-1].role == "assistant" and messages[-1] not in self._paused:
            raise build_invalid_request(
                "This model does not support assistant message prefill. The conversation must end with a user message."
            )

    def _thinking(self, prompt: Prompt) -> None:
        """Require that a thinking block is unaltered, from this emulator, and in the conversation it was made in."""
        thinking = [(n, block) for n, m in enumerate(prompt.messages) for block in m.of("thinking")]
        for n, block in thinking:
            self._signer.check(block, prompt, prompt.prefixes[n])


def _check_content(prompt: Prompt) -> None:
    """Require that no message and no text block is empty, and that no message ends with thinking."""
    for n, message in enumerate(prompt.messages):
        if not message.blocks:
            raise build_invalid_request(f"messages.{n}: messages must have non-empty content")
        if (last := message.blocks[-1]["type"]) in ("thinking", "redacted_thinking"):
            raise build_invalid_request(f"messages.{n}: The final block in an assistant message cannot be `{last}`.")
    places = [("system", prompt.system), *(("messages", m.blocks) for m in prompt.messages)]
    for where, blocks in places:
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            raise build_invalid_request(f"{where}: text content blocks must be non-empty")


def _check_tool_ids(messages: Sequence[Message]) -> None:
    seen: set[str] = set()
    for n, message in enumerate(messages):
        for tool_id in (str(block.get("id")) for block in message.of("tool_use")):
            if tool_id in seen:
                raise build_invalid_request(f"messages.{n}.content: `tool_use` ids must be unique")
            seen.add(tool_id)


def _check_tool_rounds(messages: Sequence[Message]) -> None:
    """Require that each call is answered once, at the start of the next message."""
    asked: list[str] = []
    for n, message in enumerate(messages):
        answered = [str(block.get("tool_use_id")) for block in message.of("tool_result")]
        _check_answers(n, asked, answered)
        if any(block.get("is_error") and not block.get("content") for block in message.of("tool_result")):
            raise build_invalid_request(
                f"messages.{n}.content.0.tool_result: content cannot be empty if `is_error` is true"
            )
        if not all(block["type"] == "tool_result" for block in message.blocks[: len(answered)]):
            raise build_invalid_request(f"messages.{n}.content: `tool_result` blocks must come first")
        asked = [str(block.get("id")) for block in message.of("tool_use")]


def _check_answers(n: int, asked: list[str], answered: list[str]) -> None:
    missing = [tool_id for tool_id in asked if tool_id not in answered]
    if missing:
        raise build_invalid_request(
            f"messages.{n - 1}: `tool_use` ids were found without `tool_result` blocks immediately"
            f" after: {', '.join(missing)}"
        )
    for tool_id in answered:
        if tool_id not in asked:
            raise build_invalid_request(
                f"messages.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {tool_id}"
            )
        if answered.count(tool_id) > 1:
            raise build_invalid_request(f"messages.{n}: each `tool_use` must have a single result: {tool_id}")


_SAMPLING = ("temperature", "top_p", "top_k")
_KNOWN = frozenset(
    {
        "cache_control",
        "container",
        "diagnostics",
        "inference_geo",
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
        "user_profile_id",
        "workspace_id",
    }
)
_LEAST_BUDGET = 1024  # tokens, for thinking of type enabled
_OFF_ONLY_UP_TO_HIGH = ("xhigh", "max")  # efforts at which between_tools is refused


def check_sampling(prompt: Prompt) -> None:
    """Refuse sampling parameters, as API 2026-10-21 does even at their default values."""
    for name in _SAMPLING:
        if name in prompt.body:
            raise build_invalid_request(f"`{name}` is deprecated for this model.")


def check_parameters(prompt: Prompt) -> None:
    """Refuse an unknown parameter, so that a misspelt one is noticed."""
    for name in prompt.body:
        if name not in _KNOWN:
            raise build_invalid_request(f"{name}: Extra inputs are not permitted")


def check_max_tokens(prompt: Prompt) -> None:
    """Require `max_tokens` of at least 1 and at most the model's."""
    sent: Any = prompt.body.get("max_tokens")
    if sent is None:
        raise build_invalid_request("max_tokens: Field required")
    if not isinstance(sent, int) or sent < 1:
        raise build_invalid_request("max_tokens: Input should be greater than or equal to 1")
    if sent > prompt.model.max_tokens:
        raise build_invalid_request(
            f"max_tokens: {sent} > {prompt.model.max_tokens}, which is the maximum allowed number"
            f" of output tokens for {prompt.model.id}"
        )


def check_thinking(prompt: Prompt) -> None:
    """Require a type of thinking that the model accepts; a budget is at least 1,024 and below `max_tokens`."""
    kind = prompt.thinking.get("type")
    if kind not in prompt.model.thinking:
        raise build_invalid_request(f"thinking.type: {kind!r} is not supported by {prompt.model.id}")
    if kind == "enabled":
        budget = prompt.thinking.get("budget_tokens")
        if not isinstance(budget, int) or budget < _LEAST_BUDGET:
            raise build_invalid_request("thinking.enabled.budget_tokens: Input should be at least 1024")
        if budget >= prompt.body.get("max_tokens", budget + 1):
            raise build_invalid_request("`max_tokens` must be greater than `thinking.budget_tokens`")


def check_effort(prompt: Prompt) -> None:
    """Require an effort that the model offers; the highest two need thinking."""
    config = prompt.body.get("output_config")
    sent = config.get("effort") if is_object(config) else None
    if sent is None:
        return
    if sent not in prompt.model.efforts:
        raise build_invalid_request(f"output_config.effort: {sent!r} is not supported by {prompt.model.id}")
    if sent in _OFF_ONLY_UP_TO_HIGH and prompt.thinking.get("type") == "between_tools":
        raise build_invalid_request(f"thinking.type: 'between_tools' is not supported at effort {sent!r}")


def check_window(prompt: Prompt) -> None:
    """Require a prompt that fits the model's window."""
    tokens, window = prompt.prefixes[-1].tokens, prompt.model.max_input_tokens
    if tokens > window:
        raise build_invalid_request(f"prompt is too long: {tokens} tokens > {window} maximum")


PROMPT_RULES: tuple[Callable[[Prompt], None], ...] = (
    check_sampling,
    check_parameters,
    check_thinking,
    check_effort,
    check_window,
)
"""Rules for every request that carries a prompt. `max_tokens` is checked only for a request for an answer."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_FIELD = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_NOT_STRICT = frozenset(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems"]
)

_MOST_STRICT = 20
_MOST_OPTIONAL = 24


def check_tools(prompt: Prompt) -> None:
    """Require valid, distinct tool names and valid object schemas. Of server tools, those for the web have rules."""
    for n, tool in enumerate(prompt.tools):
        if tool.get("type", "custom") == "custom":
            _check_custom_tool(tool, f"tools.{n}.custom")
    names = [tool.get("name") for tool in prompt.tools]
    if len(set(names)) < len(names):
        raise build_invalid_request("tools: Tool names must be unique.")


def _check_custom_tool(tool: Json, where: str) -> None:
    name, schema = tool.get("name"), tool.get("input_schema")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise build_invalid_request(f"{where}.name: String should match pattern '^{_NAME.pattern}$'")
    if not is_object(schema):
        raise build_invalid_request(f"{where}.input_schema: Field required")
    if schema.get("type") != "object":
        raise build_invalid_request(f"{where}.input_schema.type: Input should be 'object'")
    if {"oneOf", "allOf", "anyOf"} & schema.keys():
        raise build_invalid_request(
            f"{where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
        )
    if not _is_schema(json.dumps(schema)):
        raise build_invalid_request(
            f"{where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12"
        )
    if not all(map(_FIELD.fullmatch, schema.get("properties") or ())):
        raise build_invalid_request(
            f"{where}.input_schema.properties: Property keys should match pattern '^{_FIELD.pattern}$'"
        )
    if tool.get("strict"):
        _check_grammar_schema(schema, where)


@lru_cache(maxsize=512)
def _is_schema(text: str) -> bool:
    """Return True for a valid schema. Cached: a check takes milliseconds, and every request repeats the schemas."""
    try:
        Draft202012Validator.check_schema(json.loads(text))
    except SchemaError:
        return False
    return True


def check_strict_tools(prompt: Prompt) -> None:
    """Require that the strict tools fit one grammar: 20 of them at most, with 24 optional parameters in all."""
    strict = [tool for tool in prompt.tools if tool.get("strict")]
    if len(strict) > _MOST_STRICT:
        raise build_invalid_request(
            f"Too many strict tools ({len(strict)}). The maximum number of strict tools is {_MOST_STRICT}."
        )
    optional = sum(_count_optional(part) for tool in strict for part in _list_subschemas(tool["input_schema"]))
    if optional > _MOST_OPTIONAL:
        raise build_invalid_request(
            f"Schemas contains too many optional parameters ({optional}), which would make grammar compilation"
            f" inefficient. Reduce the number of optional parameters in your tool schemas (limit: {_MOST_OPTIONAL})."
        )


def _count_optional(schema: Json) -> int:
    return len(schema.get("properties", {}).keys() - set(schema.get("required", ())))


def check_output_format(prompt: Prompt) -> None:
    """Require of the schema in `output_config.format` the same subset as of a strict tool's."""
    config = prompt.body.get("output_config")
    wanted = config.get("format") if is_object(config) else None
    if is_object(wanted) and is_object(wanted.get("schema")):
        _check_grammar_schema(wanted["schema"], "output_config.format.schema")


def _check_grammar_schema(schema: Json, where: str) -> None:
    """Refuse a schema that grammar-constrained sampling cannot enforce; the SDK's `transform_schema` does the same."""
    for part in _list_subschemas(schema):
        kind = part.get("type")
        if kind == "object" and part.get("additionalProperties") is not False:
            raise build_invalid_request(
                f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false"
            )
        refused = sorted(_NOT_STRICT & part.keys())
        if part.get("minItems", 0) > 1:
            refused.append("minItems")
        if refused:
            raise build_invalid_request(f"{where}: For '{kind}' type, {', '.join(refused)} is not supported")


def _list_subschemas(schema: object) -> Iterator[Json]:
    """Yield the schema and every schema in it. Properties that happen to be called `minimum` are no keywords."""
    if not is_object(schema):
        return
    yield schema
    inner: list[Any] = [schema.get("items")]
    for name in ("properties", "$defs"):
        named = schema.get(name)
        inner += named.values() if is_object(named) else ()
    for name in ("anyOf", "oneOf", "allOf"):
        listed = schema.get(name)
        inner += listed if is_array(listed) else ()
    for part in inner:
        yield from _list_subschemas(part)


_IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_MAGIC = {
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
    "application/pdf": (b"%PDF-",),
}
_LARGEST_IMAGE = 5 * 1024**2  # bytes, as encoded
LARGEST_REQUEST = 32 * 1024**2  # bytes, of all that is encoded
_MOST_IMAGES = 100


def check_media(prompt: Prompt) -> None:
    """Refuse the first image or document that the API would not take, and citations of some documents alone."""
    blocks = list(_list_media(prompt))
    for where, block in blocks:
        _check_source(where, block)
    if sum(block["type"] == "image" for _, block in blocks) > _MOST_IMAGES:
        raise build_invalid_request(f"messages: at most {_MOST_IMAGES} images are allowed")
    if sum(len(str(block["source"].get("data", ""))) for _, block in blocks) > LARGEST_REQUEST:
        raise build_invalid_request("request_too_large: Request exceeds the maximum size")
    cited = {_has_citations(block) for _, block in blocks if block["type"] == "document"}
    if len(cited) > 1:
        raise build_invalid_request("messages: citations must be enabled on all documents or none of them")


def _list_media(prompt: Prompt) -> Iterator[tuple[str, Json]]:
    for n, message in enumerate(prompt.messages):
        for m, block in enumerate(message.blocks):
            if block["type"] not in ("image", "document"):
                continue
            where = f"messages.{n}.content.{m}.{block['type']}"
            if message.role != "user":
                raise build_invalid_request(f"{where}: only user messages may contain it")
            yield where, block


def _check_source(where: str, block: Json) -> None:
    source = block.get("source")
    if not is_object(source):
        raise build_invalid_request(f"{where}.source: Field required")
    kind = source.get("type")
    if block["type"] == "document" and kind == "text":
        if not isinstance(source.get("data"), str) or source.get("media_type") != "text/plain":
            raise build_invalid_request(f"{where}.source.text: Input should be plain text")
        return
    if kind != "base64":
        raise build_invalid_request(f"{where}.source.type: this emulator takes 'base64', and 'text' of documents")
    _check_bytes(where, block["type"], source)
    if "citations" in block and not is_object(block["citations"]):
        raise build_invalid_request(f"{where}.citations: Input should be an object")


def _check_bytes(where: str, kind: str, source: Json) -> None:
    media, known = str(source.get("media_type")), _IMAGE_TYPES if kind == "image" else ("application/pdf",)
    if media not in known:
        raise build_invalid_request(
            f"{where}.source.base64.media_type: Input should be {' or '.join(map(repr, known))}"
        )
    try:
        data = base64.b64decode(str(source.get("data", "")), validate=True)
    except ValueError:
        raise build_invalid_request(f"{where}.source.base64: invalid base64 data") from None
    if not data:
        raise build_invalid_request(f"{where}.source.base64.data: {kind} cannot be empty")
    if kind == "image" and len(source["data"]) > _LARGEST_IMAGE:
        size = len(source["data"])
        raise build_invalid_request(f"{where}.source.base64: image exceeds 5 MB maximum: {size} bytes > 5242880")
    if not data.startswith(_MAGIC[media]):
        named = "The PDF specified was not valid." if kind == "document" else "Could not process image"
        raise build_invalid_request(f"{where}.source.base64.data: {named}")


def _has_citations(block: Json) -> bool:
    cited = block.get("citations")
    return is_object(cited) and bool(cited.get("enabled"))


def check_tool_choice(prompt: Prompt) -> None:
    """Require tools for a choice. Models that always think, or are thinking, refuse `any` and `tool`."""
    choice = prompt.body.get("tool_choice")
    if not is_object(choice):
        return
    kind = choice.get("type")
    if kind not in ("auto", "any", "tool", "none"):
        raise build_invalid_request("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'")
    if not prompt.tools:
        raise build_invalid_request("tool_choice: may only be specified while providing tools")
    if kind in ("any", "tool") and not prompt.model.forced_tools:
        raise build_invalid_request(f"tool_choice.type: {kind!r} is not supported by {prompt.model.id}")
    if kind in ("any", "tool") and prompt.thinking.get("type") != "disabled":
        raise build_invalid_request("Thinking may not be enabled when tool_choice forces tool use.")
    if kind == "tool" and choice.get("name") not in [tool.get("name") for tool in prompt.tools]:
        raise build_invalid_request(f"tool_choice: Tool {choice.get('name')!r} not found in provided tools")


TOOL_RULES: tuple[Callable[[Prompt], None], ...] = (
    check_tools,
    check_web_tools,
    check_strict_tools,
    check_output_format,
    check_tool_choice,
)
