"""Requests that the API refuses: what each breaks, how, and what the refusal says.

From the fact sheets of API version 2026-10-21; each claim is one rule.
"""

from base64 import b64encode
from typing import Any, NamedTuple

from tests.contract.playground_claude.asking import OLD_HAIKU, OPUS, SONNET, ask, result, text, tool, used


class Refused(NamedTuple):
    """A request that the API refuses, and what it says."""

    claim: str
    params: dict[str, Any]
    says: str
    status: int = 400


def sends(claim: str, name: str, value: object, says: str) -> Refused:
    """A parameter that the SDK's signature does not have any more."""
    return Refused(claim, ask(extra_body={name: value}), says)


def schema(**changes: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {}, **changes}


STRICT = {"type": "object", "additionalProperties": False}


def optional(count: int, **changes: Any) -> dict[str, Any]:
    """A strict tool with so many parameters that need not be there."""
    properties = {f"word_{number}": {"type": "string"} for number in range(count)}
    return tool(strict=True, input_schema={**STRICT, "properties": properties}, **changes)


PIXEL = b64encode(b"\x89PNG\r\n\x1a\nrest").decode()
PAGE = b64encode(b"%PDF-1.7 rest").decode()


def media(kind: str, type_: str, data: str, **more: Any) -> dict[str, Any]:
    """An image or a document, as its bytes."""
    return {"type": kind, "source": {"type": "base64", "media_type": type_, "data": data}, **more}


MEDIA = [
    Refused("an_image_is_of_a_known_kind", ask([media("image", "image/tiff", PIXEL)]), "media_type: Input should be"),
    Refused("an_image_is_what_it_says", ask([media("image", "image/gif", PIXEL)]), "Could not process image"),
    Refused("an_image_is_not_empty", ask([media("image", "image/png", "")]), "cannot be empty"),
    Refused("an_image_is_in_base64", ask([media("image", "image/png", "§")]), "invalid base64"),
    Refused(
        "an_image_has_at_most_5_megabytes",
        ask([media("image", "image/png", PIXEL.rstrip("=") + "A" * 5 * 1024**2)]),
        "image exceeds 5 MB maximum",
    ),
    Refused("a_document_is_a_pdf", ask([media("document", "application/pdf", PIXEL)]), "The PDF specified was not"),
    Refused("a_document_has_a_source", ask([{"type": "document"}]), "source: Field required"),
    Refused(
        "citations_are_for_all_documents_or_none",
        ask(
            [
                media("document", "application/pdf", PAGE, citations={"enabled": True}),
                media("document", "application/pdf", PAGE),
            ]
        ),
        "all documents or none",
    ),
]

PARAMETERS = [
    sends("temperature_is_gone_even_at_its_default", "temperature", 1.0, "`temperature` is deprecated"),
    sends("top_p_is_gone", "top_p", 0.9, "`top_p` is deprecated"),
    sends("top_k_is_gone", "top_k", 5, "`top_k` is deprecated"),
    sends("an_unknown_parameter_is_not_ignored", "max_token", 5, "max_token: Extra inputs"),
    Refused("a_model_is_required", ask(model=None), "model: Field required"),
    Refused("an_unknown_model_is_not_found", ask(model="claude-2"), "model: claude-2", 404),
    sends("max_tokens_is_required", "max_tokens", None, "max_tokens: Field required"),
    Refused("max_tokens_is_at_least_one", ask(max_tokens=0), "greater than or equal to 1"),
    Refused(
        "max_tokens_ends_at_the_model_s_output",
        ask(model=OLD_HAIKU, max_tokens=64_001, timeout=60),
        "64001 > 64000",
    ),
    Refused(
        "sonnet_5_5_cannot_stop_thinking",
        ask(thinking={"type": "disabled"}),
        "thinking.type: 'disabled'",
    ),
    Refused(
        "opus_5_5_cannot_think_between_tools_only",
        ask(model=OPUS, thinking={"type": "between_tools"}),
        "thinking.type: 'between_tools'",
    ),
    Refused(
        "fable_5_1_cannot_stop_thinking",
        ask(model="claude-fable-5-1", thinking={"type": "disabled"}),
        "thinking.type: 'disabled'",
    ),
    Refused(
        "newer_models_have_no_thinking_budget",
        ask(thinking={"type": "enabled", "budget_tokens": 2000}, max_tokens=4000),
        "thinking.type: 'enabled'",
    ),
    Refused(
        "a_thinking_budget_is_at_least_1024",
        ask(model=OLD_HAIKU, thinking={"type": "enabled", "budget_tokens": 1023}),
        "at least 1024",
    ),
    Refused(
        "a_thinking_budget_is_below_max_tokens",
        ask(model=OLD_HAIKU, thinking={"type": "enabled", "budget_tokens": 1024}, max_tokens=1024),
        "must be greater than `thinking.budget_tokens`",
    ),
    Refused(
        "between_tools_is_refused_at_the_highest_efforts",
        ask(thinking={"type": "between_tools"}, output_config={"effort": "xhigh"}),
        "not supported at effort 'xhigh'",
    ),
    Refused(
        "effort_is_the_model_s_to_offer",
        ask(model=OLD_HAIKU, output_config={"effort": "low"}),
        "output_config.effort: 'low'",
    ),
    Refused(
        "a_prompt_longer_than_the_window_is_too_long",
        ask("word " * 160_100, model=OLD_HAIKU),
        "prompt is too long",
    ),
]

MESSAGES = [
    Refused("messages_are_required", ask(messages=[]), "at least one message"),
    Refused(
        "the_user_speaks_first",
        ask(messages=[{"role": "assistant", "content": "Hi"}, {"role": "user", "content": "Hi"}]),
        "first message must use the user role",
    ),
    Refused(
        "turns_alternate",
        ask(messages=[{"role": "user", "content": "One"}, {"role": "user", "content": "Two"}]),
        "roles must alternate",
    ),
    Refused(
        "a_role_is_user_or_assistant",
        ask(messages=[{"role": "tool", "content": "One"}]),
        "messages.0.role",
    ),
    Refused("prefill_is_gone", ask("Hi", "The answer is ("), "does not support assistant message"),
    Refused("a_message_has_content", ask([]), "must have non-empty content"),
    Refused("a_text_block_is_not_empty", ask([text("")]), "must be non-empty"),
    Refused("a_text_block_is_not_blank", ask("Hi", " \n", "Ho"), "must be non-empty"),
    Refused(
        "an_answer_does_not_end_with_thinking",
        ask("Hi", [text("Ho"), {"type": "thinking", "thinking": "Hm.", "signature": "s"}], "And?"),
        "messages.1: The final block in an assistant message cannot be `thinking`.",
    ),
    Refused("a_system_block_is_not_empty", ask(system=[text("")]), "system: text content"),
    Refused("a_block_is_an_object", ask(messages=[{"role": "user", "content": [3]}]), "messages.0.content.0"),
    Refused("a_block_has_a_type", ask([{"text": "Hi"}]), "messages.0.content.0.type"),
    Refused("a_text_block_has_text", ask([{"type": "text"}]), "messages.0.content.0.text"),
    Refused("content_is_text_or_blocks", ask(messages=[{"role": "user", "content": 3}]), "array"),
    Refused("messages_are_a_list", ask(extra_body={"messages": None}), "messages: Field required"),
    Refused("a_message_is_an_object", ask(messages=["Hi"]), "messages.0: Input should be"),
]

TOOL_ROUNDS = [
    Refused(
        "a_failed_result_says_something",
        ask("Hi", [used("toolu_1")], [{**result("toolu_1"), "content": "", "is_error": True}]),
        "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    ),
    Refused(
        "a_call_is_answered_in_the_next_message",
        ask("Hi", [used("toolu_1")], "Never mind"),
        "without `tool_result` blocks immediately after: toolu_1",
    ),
    Refused(
        "every_call_is_answered",
        ask("Hi", [used("toolu_1"), used("toolu_2")], [result("toolu_1")]),
        "immediately after: toolu_2",
    ),
    Refused(
        "results_come_before_words",
        ask("Hi", [used("toolu_1")], [text("Here:"), result("toolu_1")]),
        "`tool_result` blocks must come first",
    ),
    Refused(
        "a_result_answers_a_call",
        ask("Hi", "Ho", [result("toolu_1")]),
        "unexpected `tool_use_id`",
    ),
    Refused(
        "a_call_is_answered_once",
        ask("Hi", [used("toolu_1")], [result("toolu_1"), result("toolu_1")]),
        "a single result",
    ),
    Refused(
        "a_call_s_id_is_used_once",
        ask("Hi", [used("toolu_1")], [result("toolu_1")], [used("toolu_1")], [result("toolu_1")]),
        "`tool_use` ids must be unique",
    ),
]

TOOLS = [
    Refused(
        "a_tool_s_input_is_one_object_and_no_choice_of_objects",
        ask(tools=[tool(input_schema=schema(anyOf=[{"required": ["word"]}]))]),
        "input_schema does not support oneOf, allOf, or anyOf at the top level",
    ),
    Refused(
        "a_tool_s_fields_have_plain_names",
        ask(tools=[tool(input_schema={"type": "object", "properties": {"filter[id]": {"type": "string"}}})]),
        "tools.0.custom.input_schema.properties: Property keys should match pattern",
    ),
    Refused("a_tool_name_has_no_spaces", ask(tools=[tool("look up")]), "tools.0.custom.name"),
    Refused("a_tool_name_has_an_end", ask(tools=[tool("x" * 129)]), "tools.0.custom.name"),
    Refused("tool_names_are_unique", ask(tools=[tool(), tool()]), "must be unique"),
    Refused(
        "a_tool_has_a_schema",
        ask(tools=[{"name": "look_up"}]),
        "input_schema: Field required",
    ),
    Refused(
        "a_tool_s_input_is_an_object",
        ask(tools=[tool(input_schema={"type": "string"})]),
        "input_schema.type",
    ),
    Refused(
        "a_tool_s_schema_is_json_schema",
        ask(tools=[tool(input_schema=schema(required="word"))]),
        "JSON Schema draft 2020-12",
    ),
    Refused(
        "a_strict_tool_closes_its_objects",
        ask(tools=[tool(strict=True, input_schema=schema())]),
        "'additionalProperties' must be explicitly set to false",
    ),
    Refused(
        "a_strict_tool_has_no_bounds",
        ask(
            tools=[
                tool(
                    strict=True,
                    input_schema={
                        **STRICT,
                        "properties": {"n": {"anyOf": [{"type": "integer", "minimum": 1}]}},
                    },
                )
            ]
        ),
        "For 'integer' type, minimum is not supported",
    ),
    Refused(
        "a_strict_tool_asks_for_one_item_at_most",
        ask(
            tools=[
                tool(
                    strict=True,
                    input_schema={**STRICT, "properties": {"n": {"type": "array", "minItems": 2}}},
                )
            ]
        ),
        "minItems is not supported",
    ),
    Refused(
        "strict_tools_have_24_optional_parameters_at_most",
        ask(tools=[optional(20), optional(5, name="other")]),
        "too many optional parameters (25)",
    ),
    Refused(
        "twenty_tools_at_most_are_strict",
        ask(tools=[optional(0, name=f"tool_{number}") for number in range(21)]),
        "Too many strict tools (21)",
    ),
    Refused(
        "a_model_that_thinks_is_not_forced",
        ask(
            model=OLD_HAIKU,
            tools=[tool()],
            tool_choice={"type": "any"},
            thinking={"type": "enabled", "budget_tokens": 1024},
            max_tokens=2000,
        ),
        "Thinking may not be enabled",
    ),
    Refused(
        "an_output_format_is_strict",
        ask(output_config={"format": {"type": "json_schema", "schema": schema()}}),
        "output_config.format.schema",
    ),
    *(
        Refused(
            f"{model}_chooses_its_tools_itself_{kind}",
            ask(model=model, tools=[tool()], tool_choice={"type": kind, "name": "look_up"}),
            f"tool_choice.type: '{kind}'",
        )
        for model in (SONNET, OPUS, "claude-haiku-5-5", "claude-fable-5-1")
        for kind in ("any", "tool")
    ),
    Refused("a_choice_needs_tools", ask(tool_choice={"type": "auto"}), "while providing tools"),
    Refused(
        "a_choice_is_of_a_known_type",
        ask(tools=[tool()], tool_choice={"type": "some"}),
        "tool_choice.type",
    ),
    Refused(
        "a_chosen_tool_exists",
        ask(model=OLD_HAIKU, tools=[tool()], tool_choice={"type": "tool", "name": "other"}),
        "'other' not found",
    ),
]


def web(name: str = "web_search", version: str = "20260318", **changes: Any) -> dict[str, Any]:
    """A request that offers one of the server tools for the web."""
    return ask(tools=[{"type": f"{name}_{version}", "name": name, **changes}])


def served(name: str = "web_search", id_: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": id_, "name": name, "input": {"query": "x"}}


def failed(id_: str = "srvtoolu_1", name: str = "web_search") -> dict[str, Any]:
    content = {"type": f"{name}_tool_result_error", "error_code": "unavailable"}
    return {"type": f"{name}_tool_result", "tool_use_id": id_, "content": content}


FORGED = {"type": "web_search_result", "url": "https://a.example.org/", "title": "A", "encrypted_content": "mine"}
CITING = {
    "type": "text",
    "text": "So.",
    "citations": [
        {
            "type": "web_search_result_location",
            "url": "https://a.example.org/",
            "title": "A",
            "cited_text": "x",
            "encrypted_index": "mine",
        }
    ],
}

WEB = [
    Refused("a_web_tool_is_of_a_known_version", web(version="20240101"), "does not match any of the expected tags"),
    Refused("a_web_tool_has_its_own_name", ask(tools=[{"type": "web_fetch_20260318", "name": "get"}]), "'web_fetch'"),
    Refused("a_web_tool_has_no_unknown_field", web(max_pages=1), "max_pages: Extra inputs are not permitted"),
    Refused("a_search_has_no_sources", web(url_sources={}), "url_sources: Extra inputs are not permitted"),
    Refused("a_field_is_of_its_version", web("web_fetch", "20260209", use_cache=True), "use_cache: Extra inputs"),
    Refused("the_web_is_used_at_least_once", web(max_uses=0), "max_uses: Input should be greater than 0"),
    Refused("domains_have_no_scheme", web(allowed_domains=["https://a.org"]), "must not include a scheme"),
    Refused("domains_are_a_list", web(blocked_domains="a.org"), "Input should be a list of domains"),
    Refused(
        "domains_are_allowed_or_blocked",
        web(allowed_domains=["a.org"], blocked_domains=["b.org"]),
        "allowed_domains and blocked_domains cannot be used together",
    ),
    Refused("callers_are_known", web(allowed_callers=["me"]), "allowed_callers: Input should be 'direct'"),
    Refused("citations_are_on_or_off", web("web_fetch", citations={}), "citations.enabled"),
    Refused("sources_are_known", web("web_fetch", url_sources={"web": {"type": "all"}}), "should have the fields"),
    Refused("a_source_is_chosen", web("web_fetch", url_sources={"user_input": {"type": "only"}}), "'all', 'none'"),
    Refused(
        "a_filter_names_tools_of_the_request",
        web(
            "web_fetch",
            url_sources={
                "server_tool_results": {"type": "only", "tools": [{"type": "tool_reference", "name": "web_search"}]}
            },
        ),
        "each must name a tool of this request",
    ),
    Refused(
        "a_search_has_its_result",
        ask("Hi", [served()], "And?"),
        "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block",
    ),
    Refused("a_result_has_its_search", ask("Hi", [failed()], "And?"), "unexpected `tool_use_id`"),
    Refused(
        "a_result_is_of_its_tool", ask("Hi", [served(), failed(name="web_fetch")], "And?"), "unexpected `tool_use_id`"
    ),
    Refused("a_search_is_the_model_s", ask([served(), failed()]), "only permitted in assistant messages"),
    Refused("a_search_has_an_id_of_the_api", ask("Hi", [served(id_="x"), failed("x")], "And?"), "should match pattern"),
    Refused(
        "what_was_found_is_as_it_was_received",
        ask("Hi", [served(), {**failed(), "content": [FORGED]}], "And?"),
        "content.0.encrypted_content: Invalid `encrypted_content`",
    ),
    Refused("a_citation_is_as_it_was_received", ask("Hi", [CITING], "And?"), "Invalid `encrypted_index`"),
]

REFUSED = [*MEDIA, *PARAMETERS, *MESSAGES, *TOOL_ROUNDS, *TOOLS, *WEB]
