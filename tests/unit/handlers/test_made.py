"""The line below a reply that tells what was made."""

from __future__ import annotations

from app.core.state.tool_use import ToolOutput
from handlers.views.kit.blocks import MOST_MADE, render_outputs

ADDRESS = "https://acme.example/files/U1/F1/rota.csv?a=1&b=2"


def line(*things: ToolOutput) -> str:
    return render_outputs(things)["elements"][0]["text"]


def test_what_has_an_address_is_a_link_and_what_has_none_is_named() -> None:
    shown = line(ToolOutput(name="Rota.csv", address=ADDRESS), ToolOutput(name="a summary"))
    assert shown == f"📎 Made: <{ADDRESS.replace('&', '&amp;')}|Rota.csv> · a summary"


def test_no_name_pings_links_or_breaks_its_line() -> None:
    shown = line(ToolOutput(name="<!channel>|\n<https://evil.example|Rota>", address=ADDRESS))
    assert shown.count("<") == shown.count(">") == 1
    assert "\n" not in shown


def test_a_long_list_and_long_names_fit_slacks_small_print() -> None:
    shown = line(*[ToolOutput(name="&" * 500, address=ADDRESS)] * (MOST_MADE + 3))
    assert shown.endswith("and 3 more")
    assert shown.count("…") == MOST_MADE
    assert shown.count("&amp;amp;") == 0
    assert len(shown) < 3_000
    assert " more" not in line(*[ToolOutput(name="x")] * MOST_MADE)
