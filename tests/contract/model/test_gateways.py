"""What stands between us and the model, and answers in its place: read by its status, whatever its body is."""

from __future__ import annotations

from base64 import b64encode

import pytest
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.agent.claude.retry import RetryingModel
from app.core.errors import FailureKind, ModelFailed, SettingsError
from app.ports import ModelReply, ModelRequest
from tests.contract.model.gateway import HTML, OPENAI, PLAIN, Gateway, standing
from tests.contract.store.clock import ManualClock

REQUEST = ModelRequest(
    model="claude-sonnet-5-5", system="Be kind.", messages=[{"role": "user", "content": "hi"}], max_tokens=1_000
)
KINDS = {
    302: FailureKind.MISCONFIGURED,
    400: FailureKind.INVALID,
    401: FailureKind.MISCONFIGURED,
    402: FailureKind.SPENT,
    403: FailureKind.MISCONFIGURED,
    404: FailureKind.MISCONFIGURED,
    405: FailureKind.MISCONFIGURED,
    407: FailureKind.MISCONFIGURED,
    408: FailureKind.TIMEOUT,
    413: FailureKind.TOO_LONG,
    422: FailureKind.INVALID,
    429: FailureKind.LIMITED,
    500: FailureKind.BUSY,
    502: FailureKind.BUSY,
    503: FailureKind.BUSY,
    504: FailureKind.BUSY,
    524: FailureKind.BUSY,
}
BODIES = [
    (HTML, "text/html", False),
    (b"", "text/html", False),
    (OPENAI, "application/json", False),
    (PLAIN, "application/json", False),
    (HTML, "text/event-stream", False),
    (HTML, "application/json", False),
    (b'["error"]', "application/json", False),
    (OPENAI, "application/json", True),
]
"""A page, nothing, the error of another API, one of its own, what is called by another name, and what breaks off."""


async def failures(*gateways: Gateway) -> list[ModelFailed]:
    """How asking each of them fails, at one address and by one client."""
    failed: list[ModelFailed] = []
    async with standing(gateways[0]) as gateway:
        claude = Claude(SecretStr("key"), gateway.url, idle_seconds=30)
        for each in gateways:
            gateway.becomes(each)
            with pytest.raises(ModelFailed) as failure:
                async for _ in claude.stream(REQUEST):
                    pass
            failed.append(failure.value)
        await claude.close()
    return failed


async def found(gateway: Gateway) -> str:
    """What a look at the model's description tells whoever runs the program; nothing if all is well."""
    async with standing(gateway):
        claude = Claude(SecretStr("key"), gateway.url.replace("//", "//name:secret@"), idle_seconds=30)
        try:
            await claude.check("claude-sonnet-5-5")
        except ModelFailed as failed:
            return failed.told.replace(gateway.url, "https://gw.example")
        except SettingsError as error:
            return str(error).replace(gateway.url, "https://gw.example")
        finally:
            await claude.close()
    return ""


async def test_name_and_password_in_the_address_of_a_gateway_reach_it() -> None:
    gateway = Gateway(200, b'{"id": "claude-sonnet-5-5", "object": "model"}', "application/json")
    assert not await found(gateway)
    assert gateway.authorization == f"Basic {b64encode(b'name:secret').decode()}"


@pytest.mark.req("MW-19")
@pytest.mark.parametrize("status", KINDS)
async def test_a_gateways_status_counts_whatever_stands_beside_it(status: int) -> None:
    said = await failures(*[Gateway(status, body, kind, torn=torn) for body, kind, torn in BODIES])
    assert [each.kind for each in said] == [KINDS[status]] * len(BODIES)


STREAM = "text/event-stream"
STREAMS = {
    "a page instead": (Gateway(200, HTML), FailureKind.MISCONFIGURED),
    "a page that is torn": (Gateway(200, HTML, torn=True), FailureKind.CUT),
    "an error that says all is well": (Gateway(200, OPENAI, "application/json"), FailureKind.MISCONFIGURED),
    "nothing": (Gateway(200, b""), FailureKind.MISCONFIGURED),
    "no event": (Gateway(200, b"", STREAM), FailureKind.CUT),
    "an event of another API": (Gateway(200, b'data: {"choices": []}\n\ndata: [DONE]\n\n', STREAM), FailureKind.CUT),
    "an error of another API": (Gateway(200, b"event: error\ndata: " + OPENAI + b"\n\n", STREAM), FailureKind.CUT),
    "an error in words": (Gateway(200, b"event: error\ndata: away\n\n", STREAM), FailureKind.CUT),
    "the end first": (
        Gateway(200, b'event: message_stop\ndata: {"type": "message_stop"}\n\n', STREAM),
        FailureKind.CUT,
    ),
    "a start without a message": (
        Gateway(200, b'event: message_start\ndata: {"type": "message_start"}\n\n', STREAM),
        FailureKind.CUT,
    ),
    "a piece of nothing": (
        Gateway(
            200,
            b'event: message_start\ndata: {"type": "message_start", "message": {"id": "m", "type": "message", "role": '
            b'"assistant", "model": "m", "content": [], "usage": {"input_tokens": 1, "output_tokens": 1}}}\n\n'
            b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 3, "delta": {"type": '
            b'"text_delta", "text": "x"}}\n\n',
            STREAM,
        ),
        FailureKind.CUT,
    ),
}


@pytest.mark.req("MW-19")
async def test_an_answer_that_says_all_is_well_and_is_no_stream_of_ours_fails_in_time_to_be_told() -> None:
    said = await failures(*[gateway for gateway, _ in STREAMS.values()])
    assert [(name, each.kind) for name, each in zip(STREAMS, said, strict=True)] == [
        (name, kind) for name, (_, kind) in STREAMS.items()
    ]


async def test_an_answer_that_is_not_packed_as_it_says_is_one_that_broke_off() -> None:
    packed = Gateway(200, HTML, "text/event-stream", headers={"content-encoding": "gzip"}, torn=True)
    (failed,) = await failures(packed)
    assert failed.kind is FailureKind.CUT


@pytest.mark.req("MW-19")
async def test_how_long_a_gateway_wants_us_to_wait_is_read_in_both_of_its_forms() -> None:
    now, wishes = "Sun, 22 Nov 2026 10:00:00 GMT", {
        "7": 7.0,
        "Sun, 22 Nov 2026 10:00:20 GMT": 20.0,
        "Sun, 22 Nov 2026 09:00:00 GMT": 0.0,
        "Sun, 22 Nov 2026 10:00:20 -0000": None,
        "soon": None,
        "-3": None,
        "": None,
    }  # fmt: skip
    asked = [Gateway(429, PLAIN, "application/json", {"retry-after": wish, "date": now}) for wish in wishes]
    assert [failed.after for failed in await failures(*asked)] == list(wishes.values())


@pytest.mark.req("MW-19")
async def test_a_gateways_limit_is_waited_for_until_the_date_that_it_names() -> None:
    headers = {"retry-after": "Sun, 22 Nov 2026 10:00:20 GMT", "date": "Sun, 22 Nov 2026 10:00:00 GMT"}
    gateway, clock = Gateway(429, HTML, "text/html", headers), ManualClock()
    async with standing(gateway):
        claude = Claude(SecretStr("key"), gateway.url, idle_seconds=30)
        began = clock.monotonic()
        with pytest.raises(ModelFailed):
            [
                event
                async for event in RetryingModel(claude, clock, 120).stream(REQUEST)
                if isinstance(event, ModelReply)
            ]
        await claude.close()
    assert (gateway.asked, clock.monotonic() - began) == (3, 40.0)


async def test_the_key_is_not_carried_to_another_address() -> None:
    async with standing(Gateway()) as elsewhere:
        moved = Gateway(307, b"", headers={"location": f"{elsewhere.url}/v1/messages"})
        (failed,) = await failures(moved)
        assert failed.kind is FailureKind.MISCONFIGURED
        assert elsewhere.asked == 0


OF_A_GATEWAY = "(not Anthropic's own answer). Check ANTHROPIC_BASE_URL, and at that gateway whether it takes this key"
BUSY = "(not Anthropic's own answer). Try again in a moment. If it stays so, ask whoever runs that gateway."
NOBODY = "https://gw.example gave no answer. Check ANTHROPIC_BASE_URL, proxy and network."
OWN = b'{"type": "error", "error": {"type": "%s", "message": "no"}}'


@pytest.mark.req("MW-19")
@pytest.mark.parametrize(
    ("gateway", "told"),
    [
        (Gateway(403, HTML), f"https://gw.example answered 403 {OF_A_GATEWAY}"),
        (Gateway(403, OPENAI, "application/json", torn=True), f"https://gw.example answered 403 {OF_A_GATEWAY}"),
        (Gateway(302, HTML, headers={"location": "/login"}), f"https://gw.example answered 302 {OF_A_GATEWAY}"),
        (Gateway(200, HTML), f"https://gw.example answered 200 {OF_A_GATEWAY}"),
        (Gateway(200, PLAIN, "application/json"), f"https://gw.example answered 200 {OF_A_GATEWAY}"),
        (Gateway(200, b"[]", "application/json"), f"https://gw.example answered 200 {OF_A_GATEWAY}"),
        (Gateway(502, HTML), f"https://gw.example answered 502 {BUSY}"),
        (Gateway(200, HTML, torn=True), NOBODY),
        (
            Gateway(401, OWN % b"authentication_error", "application/json"),
            "https://gw.example answered 401. Check ANTHROPIC_API_KEY and THREADWISE_MODEL.",
        ),
        (
            Gateway(400, OWN % b"billing_error", "application/json"),
            "https://gw.example answered 400. Fill up the budget of that key.",
        ),
        (
            Gateway(529, OWN % b"overloaded_error", "application/json"),
            "https://gw.example answered 529. Try again in a moment.",
        ),
        (Gateway(200, b'{"id": "claude-sonnet-5-5", "object": "model"}', "application/json"), ""),
        (Gateway(200, b'{"id": "claude-sonnet-5-5"}', "text/plain"), ""),
    ],
)  # fmt: skip
async def test_a_check_says_who_answered_what_and_what_to_do(gateway: Gateway, told: str) -> None:
    said = await found(gateway)
    assert said.startswith(told) if told else not said
    assert "secret" not in said


async def test_an_error_of_the_apis_own_that_nobody_knows_is_read_by_its_status() -> None:
    errors = ["{}", "[]", '"no"', '{"type": "tomorrows_error"}', '{"type": ["api_error"]}']
    bodies = [f'{{"type": "error", "error": {error}}}'.encode() for error in errors]
    said = await failures(*[Gateway(404, body, "application/json") for body in bodies])
    assert {failed.kind for failed in said} == {FailureKind.MISCONFIGURED}
