"""The README's first screen: what one gains, a picture of it, and the command that shows it."""

import re
import tomllib
from pathlib import Path

import pytest

from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage
from app.settings import Settings

HERE = Path(__file__).parents[2]
README = (HERE / "README.md").read_text("utf-8")
WORDS, FIRST_SCREEN, BYTES = 1_500, 30, 1_500_000
PICTURE = re.compile(r"^!\[(?P<told>[^\]]+)\]\((?P<path>docs/images/[^)]+)\)$", re.MULTILINE)


@pytest.mark.req("NC-01")
def test_the_readme_is_short_and_its_first_screen_holds_the_command() -> None:
    assert len(README.split()) <= WORDS
    screen = README.splitlines()[:FIRST_SCREEN]
    assert any("git clone" in line and line.endswith("make demo") for line in screen)
    assert sum(line.startswith("- **") for line in screen) == 3, "three reasons"
    assert re.match(r"# Threadwise\n\n\*\*[^*]+\.\*\* ", README), "what one gains, in a sentence"
    for page in ("docs/decisions.md", "docs/reliability.md", "SECURITY.md"):
        assert any(f"]({page})" in line for line in screen), page


@pytest.mark.req("NC-01")
def test_the_first_screen_says_the_version_and_where_it_was_not_tried() -> None:
    (state,) = re.findall(r"^\*\*State of things\.\*\* (.+(?:\n.+)*)", README.partition("\n## ")[0], re.MULTILINE)
    version = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert state.startswith(f"Version {version},")
    tried = re.search(r"\bTried on (.+?)\. Not tried yet: (.+?)\.", " ".join(state.split()))
    assert tried
    assert all(each in tried[1] for each in ("Python", "MongoDB", "emulators of Slack and of the Anthropic API"))
    assert "Slack's own servers" in tried[2]


@pytest.mark.req("NC-01")
def test_the_picture_stands_above_the_command_moves_and_is_light() -> None:
    found = PICTURE.search(README)
    assert found is not None
    assert found.start() < README.index("git clone")
    assert f'Path("{found["path"]}")' in (HERE / "tests/picture.py").read_text("utf-8"), "a script draws it"
    assert len(found["told"].split()) >= 8, "who does not see it reads what it shows"
    drawn = (HERE / found["path"]).read_bytes()
    assert len(drawn) <= BYTES
    assert drawn[:4] == b"RIFF"
    assert drawn[8:12] == b"WEBP"
    assert 8 <= drawn.count(b"ANMF") <= 14, "frames"


COST = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<typed>\d+) \|(?P<tokens>(?: [\d,]+ \|){4}) (?P<price>[\d.]+) dollars", re.MULTILINE
)


@pytest.mark.req("NC-01")
def test_what_it_costs_is_what_was_measured_at_the_prices_of_today() -> None:
    section = (HERE / "docs/performance.md").read_text("utf-8").partition("### What an answer and a decision cost")[2]
    answer, decision = COST.finditer(section.partition("\n### ")[0])
    said = README.partition("## What it costs")[2].partition("\n## ")[0]
    for row, unit in ((answer, "cent"), (decision, "cents")):
        _, written, read, output = (int(each.replace(",", "")) for each in row["tokens"].strip(" |").split(" | "))
        usage = Usage(cache_write_tokens=written, cache_read_tokens=read, output_tokens=output)
        price = float(compute_cost(Settings.model_fields["model"].default, usage))
        assert abs(price - float(row["price"])) < 0.0006, row["what"]
        assert f"about **{price * 100:.0f} {unit}**" in said, row["what"]
    assert f"typed in {decision['typed']} messages" in said


SECTIONS = (
    "For whom",
    "A real workspace",
    "What leaves your server, and for whom",
    "What it costs",
    "Limits",
)


@pytest.mark.req("NC-01")
def test_the_readme_says_for_whom_it_is_what_leaves_the_server_what_it_costs_and_where_to_get_help() -> None:
    parts = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", README, re.MULTILINE))
    assert set(SECTIONS) <= set(parts)
    assert re.findall(r"about \*\*\d+ cents?\*\*", parts["What it costs"]), "figures, and not only where they stand"
    assert "docs/performance.md#what-an-answer-and-a-decision-cost" in " ".join(parts["What it costs"].split())
    assert "\n### What an answer and a decision cost\n" in (HERE / "docs/performance.md").read_text("utf-8")
    others = [line for line in parts["For whom"].splitlines() if line.startswith("|")]
    assert len(others) - 2 >= 4, "alternatives, each with what it is better at"
    assert all(len(line.split("|")[2].split()) >= 4 for line in others[2:])
    assert {"Anthropic", "Slack", "tool", "nobody"} <= set(re.findall(r"^\| (\w+)", parts[SECTIONS[2]], re.MULTILINE))
    (asked,) = (line for line in parts[SECTIONS[2]].splitlines() if line.startswith("| Anthropic"))
    assert all(
        each in asked for each in ("words with their writers' names", "files", "tools have read", "earlier steps")
    )
    assert re.match(r"\nFor teams that .+?\n\nIt is not for ", parts["For whom"], re.DOTALL)
    assert len(parts["Limits"].split()) >= 30, "what it does not do"
    assert "**Help:** open an issue" in README
    assert re.search(r"\*\*A hole:\*\* write privately, as\s\[SECURITY\.md\]\(SECURITY\.md\)", README)


PAGES = {
    "settings": r"\n\| `THREADWISE_\w+` \|",
    "decisions": r"\n\| 1 \| Issue raising \|(?:.*\n)+?\| 9 \| Notes and next steps \|",
    "architecture": r"\n## Overview\n\n```\n(?:.*\n)+?```\n(?:.*\n)*"
    r"## Life of a message, in eight steps\n\n1\. (?:.*\n)+?8\. (?:.*\n)*## Vocabulary\n",
    "tools": r"\n## Permissions\n",
    "installation": r"\n## 1\. ",
}
"""What each of the docs holds that the README does not."""


@pytest.mark.req("NC-01")
@pytest.mark.parametrize("page", PAGES)
def test_settings_drawing_eight_steps_and_vocabulary_stand_in_docs_to_which_the_readme_leads(page: str) -> None:
    assert re.search(PAGES[page], (HERE / f"docs/{page}.md").read_text("utf-8"))
    assert not re.search(PAGES[page], README)
    assert f"](docs/{page}.md)" in README.partition("## More to read")[2]
