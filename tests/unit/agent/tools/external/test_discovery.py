"""The registry: what lies in the folder is offered, and the page on tools tells of all of it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.agent.prompt import TurnPrompt
from app.agent.reply import TurnSettings
from app.agent.tool_runner import ToolRunner
from app.agent.tools import external
from app.agent.tools.context import Access, Offer, TurnContext
from app.agent.tools.conversation.thread_toolset import TOOLS, ThreadToolset
from app.agent.tools.external.discovery import EXTERNAL_TOOLS, find_tools, select_tools
from app.agent.tools.tool import ExternalTool
from app.agent.turn import TurnTask
from app.core.conversation.conversation import Message, MessageStatus, Turn
from app.core.state.permission import Judgement, PermissionRequest, Policy, Rule
from app.core.state.permission import judge as judged_by
from app.core.state.tool_use import UseState
from app.ports import ToolUse
from tests.unit.agent.scripted import PaperDraft, ScriptedModel, answers
from tests.unit.agent.tools.outer.afield import OPS, Afield
from tests.unit.core.threads import OWNER, conversation, reply, said

PAGE = (Path(__file__).parents[5] / "docs/tools.md").read_text("utf-8")
EXAMPLE, PACKAGE = "give_thanks", "tools_of_a_test"
ROW = reply(2, "", MessageStatus.STREAMING)
OFFERED = {Offer.FREE: "free threads", Offer.STEPS: "steps", Offer.BOTH: "both"}
GIVEN = {"channel": "#ops", "who": "Sam", "reason": "Van 4 runs again."}


def rows(heading: str) -> dict[str, list[str]]:
    """The table below a heading of the page: its other cells by what stands in backticks in the first."""
    part = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| `")]
    return {first.strip(" `"): [cell.strip() for cell in rest] for first, *rest in cells}


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ModuleType]:
    """A package in which the example of the page is the only tool."""
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").touch()
    example = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert example
    (folder / f"{EXAMPLE}.py").write_text(example[1], "utf-8")
    (folder / "no_tool.py").write_text("TOOL = 'a hammer'\n", "utf-8")
    sys.path.insert(0, str(tmp_path))
    yield import_module(PACKAGE)
    sys.path.remove(str(tmp_path))
    for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
        del sys.modules[name]


def test_every_tool_of_the_folder_is_offered_under_the_name_of_its_file() -> None:
    (folder,) = external.__path__
    files = {path.stem for path in Path(folder).glob("*.py") if "\nTOOL = " in path.read_text("utf-8")}
    assert list(EXTERNAL_TOOLS) == sorted(files)
    assert len(files) == 15
    assert not EXTERNAL_TOOLS.keys() & TOOLS.keys()


def test_the_page_on_tools_tells_of_each_and_of_no_other() -> None:
    told = rows("Tools that reach outside of the thread")
    assert {name: access for name, (access, *_) in told.items()} == {
        each.name: each.access for each in EXTERNAL_TOOLS.values()
    }
    assert all(bool(covers) == (access == Access.WRITE) for access, *_, covers in told.values())
    assert {name: where for name, (_, where, *_) in told.items()} == {
        name: OFFERED[tool.offered] for name, tool in EXTERNAL_TOOLS.items()
    }
    assert list(rows("Tools within the thread")) == list(TOOLS)


def ran(package: ModuleType, rules: tuple[Rule, ...], at: Afield) -> tuple[TurnTask, ScriptedModel]:
    async def judge(wanted: PermissionRequest) -> Judgement:
        return judged_by(wanted, rules, Policy())

    def context_of(_key: str, _since: str, _reads: bool) -> TurnContext:
        return at.context

    hands = ToolRunner(tools=find_tools(package), context_of=context_of, judge=judge)
    now = conversation(head=2, turn=Turn(id="2.1", reply=2))
    model = ScriptedModel(answers(ToolUse(id="t1", name=EXAMPLE, input=GIVEN)), answers(text="Done."))
    prompt = TurnPrompt(
        now, (said(1, "Thank Sam"), ROW), ThreadToolset(now, (), lambda: "1770000000.000001"), outside=hands
    )
    settings = TurnSettings(model="claude-sonnet-5-5", max_tokens=1_000, context_tokens=32_000)
    return TurnTask(model, settings, prompt, PaperDraft()), model


async def test_the_test_that_the_page_shows_beside_its_example_is_one(package: ModuleType) -> None:
    shown = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    _imports, _, test = shown.partition("\n\n\n")
    names: dict[str, Any] = {"Afield": partial(Afield, tools=find_tools(package)), "OPS": OPS}
    exec(test, names)
    await names["test_thanks_are_posted_in_the_channel_that_was_named"]()


@pytest.mark.req("AG-07")
@pytest.mark.parametrize(
    ("offered", "where"),
    [("FREE", [Offer.FREE]), ("STEPS", [Offer.STEPS]), ("BOTH", [Offer.FREE, Offer.STEPS])],
)
def test_a_file_alone_says_whether_free_threads_or_steps_are_offered_its_tool(
    package: ModuleType, offered: str, where: list[Offer]
) -> None:
    (path,) = package.__path__
    text = Path(external.__path__[0], "read_thread.py").read_text("utf-8").replace("read_thread", "look_around")
    Path(path, "look_around.py").write_text(text.replace("Offer.BOTH", f"Offer.{offered}"), "utf-8")
    tools = find_tools(package)
    assert [each for each in (Offer.FREE, Offer.STEPS) if "look_around" in select_tools(tools, each)] == where


@pytest.mark.req("AG-07")
async def test_a_tool_is_added_by_its_file_alone_offered_asked_about_and_run(package: ModuleType) -> None:
    at = Afield()
    turn, model = ran(package, (), at)
    held: Message = await turn.reply()
    assert EXAMPLE in [spec["name"] for spec in model.asked[0].tools]
    (use,) = turn.uses
    assert (held.status, use.state, at.reach.posts) == (MessageStatus.HELD, UseState.ASKED, {})
    assert re.fullmatch(find_tools(package)[EXAMPLE].scopes, use.scope)
    assert (use.title, use.shown) == ("give thanks in #ops", "**Thank you, Sam!** Van 4 runs again.")
    always = Rule(team="T1", user=OWNER, tool=EXAMPLE, scope=use.scope, allows=True, at="2027-01-01T00:00:00+00:00")
    turn, model = ran(package, (always,), at)
    assert (await turn.reply()).text == "Done."
    assert at.reach.posts == {"here:call1": (OPS.id, use.shown)}
    (result,) = model.asked[1].messages[-1]["content"]
    assert json.loads(result["content"])["result"] == "success"


@pytest.mark.req("AG-07")
def test_a_tool_that_does_not_bear_the_name_of_its_file_is_refused(package: ModuleType) -> None:
    (path,) = package.__path__
    Path(path, f"{EXAMPLE}.py").rename(Path(path, "give_praise.py"))
    with pytest.raises(ValueError, match="give_praise"):
        find_tools(package)


@pytest.mark.req("AG-07")
@pytest.mark.parametrize(
    ("kept", "broken", "told"),
    [
        ("offered=Offer.FREE", "offered=Offer.BOTH", "writes, so that no step may offer it"),
        ("access=Access.WRITE", "access=Access.NONE", "needs an access"),
        ("    prompt=_prompt,\n    scopes=CHANNEL,\n", "", "writes, and needs a prompt"),
        ("    scopes=CHANNEL,\n", "", "needs scopes for its prompt"),
        (
            "    access=Access.WRITE,\n    offered=Offer.FREE,\n    prompt=_prompt,",
            "    access=Access.READ,",
            "needs a prompt",
        ),
    ],
)
def test_a_tool_whose_parts_do_not_fit_together_is_refused_by_its_name_and_what_it_needs(
    package: ModuleType, kept: str, broken: str, told: str
) -> None:
    (path,) = package.__path__
    example = Path(path, f"{EXAMPLE}.py")
    assert kept in example.read_text("utf-8")
    example.write_text(example.read_text("utf-8").replace(kept, broken), "utf-8")
    with pytest.raises(ValueError, match=f"{EXAMPLE}.py {told}"):
        find_tools(package)


def test_a_tool_of_the_conversation_among_those_that_reach_outside_is_refused(package: ModuleType) -> None:
    (path,) = package.__path__
    Path(path, "propose_plan.py").write_text(
        "from app.agent.tools.conversation.goal_tools import PROPOSE as TOOL\n", "utf-8"
    )
    with pytest.raises(TypeError, match="propose_plan"):
        find_tools(package)


@pytest.mark.parametrize("tool", EXTERNAL_TOOLS.values(), ids=EXTERNAL_TOOLS)
def test_a_tool_that_writes_says_for_what_it_asks(tool: ExternalTool[Any]) -> None:
    assert tool.prompt is not None or tool.access is Access.READ
    assert bool(tool.scopes) == (tool.prompt is not None)


@pytest.mark.parametrize("tool", EXTERNAL_TOOLS.values(), ids=EXTERNAL_TOOLS)
def test_the_api_is_offered_a_closed_schema_in_which_every_field_is_explained(tool: ExternalTool[Any]) -> None:
    spec = tool.describe()
    schema = spec["input_schema"]
    assert (spec["name"], tool.input.model_config.get("extra")) == (tool.name, "forbid")
    assert json.dumps(spec)
    assert all("description" in field for field in schema["properties"].values())
