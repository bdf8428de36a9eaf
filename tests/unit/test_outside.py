"""What a workspace allows and forbids is about tools that there are."""

from __future__ import annotations

import pytest

from app.agent.tools.outer.registry import OUTER
from app.core.errors import SettingsError
from app.core.permissions import ANY, Policy
from app.outside import SCOPES, agreed

TOOLS = {name: OUTER[name] for name in ("read_channel", "post_message")}
BOARD = "channel:C0BOARD00"


@pytest.mark.parametrize("policy", [Policy(), Policy(denied=(("post_message", BOARD), (ANY, BOARD)))])
def test_a_policy_about_tools_that_there_are_holds(policy: Policy) -> None:
    assert agreed(policy, TOOLS) is policy


@pytest.mark.parametrize(
    ("policy", "setting"),
    [
        (Policy(denied=(("read_channel", ANY), ("send_mail", ANY), ("post", "C1"))), "THREADWISE_DENIED_TOOLS"),
        (Policy(allowed=(("send_mail", "C1"), ("post", ANY), ("post", "C2"))), "THREADWISE_ALLOWED_TOOLS"),
    ],
)
def test_a_tool_that_there_is_not_is_told_with_its_setting_and_those_that_there_are(
    policy: Policy, setting: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        agreed(policy, TOOLS)
    told = f"{setting} names post, send_mail, and there is no such tool. There are post_message, read_channel."
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("tool", "scope"),
    [
        ("post_message", "#board"),
        ("post_message", "C0BOARD00"),
        (ANY, "channel:#board"),
        ("read_channel", "file:thread"),
        ("list_work", BOARD),
        ("create_file", BOARD),
    ],
)
def test_a_scope_that_a_tool_never_has_is_refused_since_it_would_forbid_nothing(tool: str, scope: str) -> None:
    with pytest.raises(SettingsError) as refused:
        agreed(Policy(denied=((tool, scope), ("post_message", BOARD))), OUTER)
    told = f"THREADWISE_DENIED_TOOLS names {tool}:{scope}, and there is no such scope. {SCOPES}"
    assert str(refused.value) == told
