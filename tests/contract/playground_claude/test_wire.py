"""The bytes themselves, without the SDK: framing, padding, the ping, the headers."""

import json
import re

from aiohttp import ClientSession

from app.playground.claude import ClaudePlayground, Pace, Text, ToolCall, Turn
from tests.contract.playground_claude.asking import ask, tool


def headers(playground: ClaudePlayground) -> dict[str, str]:
    return {
        "authorization": f"Bearer {playground.api_key}",
        "anthropic-version": "2026-10-21",
    }


async def test_a_stream_is_framed_byte_for_byte_like_the_api(playground: ClaudePlayground):
    """Verified stream of the SDK's fixtures: compact JSON, padded ends, a ping after the first block start."""
    playground.script.add(Turn(parts=[Text("Hi é"), ToolCall("look_up", {"a": 1})], pace=Pace(chunk=3)))
    async with (
        ClientSession(headers=headers(playground)) as http,
        http.post(f"{playground.url}/v1/messages", json=ask(stream=True, tools=[tool()])) as response,
    ):
        raw = (await response.read()).decode()
    raw = re.sub(r"(msg|toolu)_01\w{22}", r"\1_ID", raw)
    raw = re.sub(r'"(input|output)_tokens":\d+', r'"\1_tokens":N', raw)
    assert raw == _EXPECTED


_USAGE = '"input_tokens":N,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,'
_EXPECTED = (
    "event: message_start\n"
    'data: {"type":"message_start","message":{"model":"claude-sonnet-5-5","id":"msg_ID",'
    '"type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,'
    '"stop_details":null,"usage":{' + _USAGE + '"cache_creation":{"ephemeral_5m_input_tokens":0,'
    '"ephemeral_1h_input_tokens":0},"output_tokens":N,"service_tier":"standard",'
    '"inference_geo":"global"}}}\n\n'
    "event: content_block_start\n"
    'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n'
    "event: ping\n"
    'data: {"type": "ping"}\n\n'
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi "}'
    "      }\n\n"
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"é"}'
    "     }\n\n"
    "event: content_block_stop\n"
    'data: {"type":"content_block_stop","index":0 }\n\n'
    "event: content_block_start\n"
    'data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use",'
    '"id":"toolu_ID","name":"look_up","input":{},"caller":{"type":"direct"}}}\n\n'
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",'
    '"partial_json":""}}\n\n'
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",'
    '"partial_json":"{\\"a\\": 1}"}    }\n\n'
    "event: content_block_stop\n"
    'data: {"type":"content_block_stop","index":1  }\n\n'
    "event: message_delta\n"
    'data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null,'
    '"stop_details":null},"usage":{' + _USAGE + '"output_tokens":N,'
    '"output_tokens_details":{"thinking_tokens":0}}      }\n\n'
    "event: message_stop\n"
    'data: {"type":"message_stop"}\n\n'
)


async def test_a_stream_has_the_headers_that_the_sdk_reads(playground: ClaudePlayground):
    playground.script.add(Turn("Hi"))
    async with (
        ClientSession(headers=headers(playground)) as http,
        http.post(f"{playground.url}/v1/messages", json=ask(stream=True)) as response,
    ):
        assert response.status == 200
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert response.headers["request-id"].startswith("req_01")
        assert response.headers["anthropic-organization-id"]


async def test_a_refusal_has_the_body_and_the_request_id_of_the_api(playground: ClaudePlayground):
    async with (
        ClientSession(headers=headers(playground)) as http,
        http.post(f"{playground.url}/v1/messages", json=ask("first words said here")) as response,
    ):
        body = json.loads(await response.read())
        assert response.status == 400
    assert body == {
        "type": "error",
        "error": {
            "type": "invalid_request_error",
            "message": "playground: no scripted turn answers 'first words said here'",
        },
        "request_id": response.headers["request-id"],
    }


async def test_a_body_that_is_no_json_object_is_refused(playground: ClaudePlayground):
    async with ClientSession(headers=headers(playground)) as http:
        for raw in (b"{", b"[]"):
            async with http.post(f"{playground.url}/v1/messages", data=raw) as response:
                assert response.status == 400


async def test_an_unknown_path_is_not_found(playground: ClaudePlayground):
    async with (
        ClientSession(headers=headers(playground)) as http,
        http.get(f"{playground.url}/v1/elsewhere") as response,
    ):
        assert response.status == 404
        assert json.loads(await response.read())["error"]["type"] == "not_found_error"


async def test_a_missing_or_another_api_version_is_refused(playground: ClaudePlayground):
    """SDK 2.x sends `anthropic-version: 2026-10-21`; an older client must not pass unnoticed."""
    for version in ({}, {"anthropic-version": "2023-06-01"}):
        async with (
            ClientSession(headers={"authorization": f"Bearer {playground.api_key}"}) as http,
            http.post(f"{playground.url}/v1/messages", json=ask(), headers=version) as response,
        ):
            assert response.status == 400
            assert "anthropic-version" in await response.text()


async def test_the_old_key_header_does_not_open_the_door(playground: ClaudePlayground):
    """Since SDK 2.0 the key travels as `Authorization: Bearer`, not as `x-api-key`."""
    old = {"x-api-key": playground.api_key, "anthropic-version": "2026-10-21"}
    async with (
        ClientSession(headers=old) as http,
        http.post(f"{playground.url}/v1/messages", json=ask()) as response,
    ):
        assert response.status == 401
