"""Posting elsewhere and creating files: what is asked, and what is done."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.agent.tools.context import PermissionPrompt
from app.agent.tools.external.audience import UNNAMED_TARGET
from app.agent.tools.external.create_file import FORMULAS, LARGEST
from app.core.errors import OutOfReach
from app.core.state.permission import ChannelKind, Sharing, Target
from app.core.thread import ThreadKey
from app.core.turns.rate_limits import Creation
from tests.unit.agent.tools.outer.afield import DIRECT, OPS, THREAD, Afield

TEXT = "Rota draft is *ready*.\n" + "x" * 3_000


async def test_who_is_asked_about_a_post_sees_the_channel_and_the_whole_text() -> None:
    asked = await Afield().prompt("post_message", channel="#ops", text=TEXT)
    assert asked == PermissionPrompt(
        title="post to #ops",
        shown=TEXT,
        scope=f"channel:{OPS.id}",
        covers="posting to #ops",
        makes="message in #ops",
        target=Target(place=OPS.id, name="#ops", kind=ChannelKind.PUBLIC),
    )


async def test_no_gap_hides_words_from_who_is_asked() -> None:
    gaps = "All is well." + "\n \t\n" * 400 + "Fire everybody." + " " * 900 + "Today.\n\n    code   stays\n"
    plain = "All is well.\n\nFire everybody. Today.\n\n    code   stays"
    assert (await Afield().prompt("post_message", channel="#ops", text=gaps)).shown == plain
    at = Afield()
    await at.does("post_message", channel="#ops", text=gaps)
    assert [text for _, text in at.reach.posts.values()] == [plain]


async def test_who_is_asked_reads_that_people_of_other_companies_read_along(at: Afield) -> None:
    at.reach.spots["#ops"] = replace(OPS, sharing=Sharing.COMPANIES)
    asked = await at.prompt("post_message", channel="#ops", text="Hi")
    assert asked.title == "post to #ops, which people of other companies read"
    assert (asked.covers, asked.scope) == (f"posting{asked.title[4:]}", f"channel:{OPS.id}")


async def test_the_scope_of_a_post_is_the_channel_however_it_is_called() -> None:
    scopes = [(await Afield().prompt("post_message", channel=name, text="x")).scope for name in ("#ops", OPS.id)]
    assert scopes == [f"channel:{OPS.id}"] * 2


async def test_a_post_is_made_once_for_its_call_and_its_address_told(at: Afield) -> None:
    told, again = [await at.does("post_message", channel="#ops", text=TEXT) for _ in range(2)]
    assert told == again
    assert at.reach.posts == {"here:call1": (OPS.id, TEXT)}
    assert told["query"] == {"channel": "#ops", "characters": len(TEXT)}
    assert told["address"].endswith("here:call1")


@pytest.mark.parametrize("text", ["", " \n", "x" * 3_901])
async def test_a_post_without_words_or_with_too_many_is_refused_before_anybody_is_asked(text: str) -> None:
    with pytest.raises(ValidationError):
        await Afield().prompt("post_message", channel="#ops", text=text)


async def test_a_post_where_the_owner_cannot_go_asks_nobody() -> None:
    with pytest.raises(OutOfReach):
        await Afield().prompt("post_message", channel="#secret", text="x")


@pytest.mark.parametrize("thread", [THREAD, DIRECT, replace(THREAD, channel=OPS.id)])
async def test_a_card_that_others_read_tells_no_name_of_a_private_channel_that_was_not_said(thread: ThreadKey) -> None:
    at = Afield(thread)
    at.reach.spots |= dict.fromkeys(("#ops", "#OPS ", OPS.id), replace(OPS, private=True))
    for said in ("#ops", "#OPS "):
        assert (await at.prompt("post_message", channel=said, text=TEXT)).title == "post to #ops"
    if thread != THREAD:
        assert (await at.prompt("post_message", channel=OPS.id, text=TEXT)).title == "post to #ops"
        return
    with pytest.raises(OutOfReach) as raised:
        await at.prompt("post_message", channel=OPS.id, text=TEXT)
    assert raised.value.words == UNNAMED_TARGET


async def created(**given: Any) -> tuple[str, str]:
    """Name and content of what stands in the thread; it is what the owner was shown."""
    at = Afield()
    asked = await at.prompt("create_file", **given)
    told = await at.does("create_file", **given)
    ((name, content, title),) = at.reach.files
    assert (asked.shown.encode(), asked.scope) == (content, "file:thread")
    assert name in asked.title
    assert asked.makes == name
    assert title == name.rpartition(".")[0], "nothing stands above the file that its owner was not shown"
    assert (told["file"], told["bytes"]) == (name, len(content))
    return name, content.decode()


async def test_each_format_is_written_as_it_is_read_elsewhere() -> None:
    assert await created(name="Notes", format="markdown", content="# Hi\n\nthere ") == ("Notes.md", "# Hi\n\nthere\n")
    name, content = await created(name="Data.json", format="json", content='{"b":[1,{"ü":null}]}')
    assert (name, content) == ("Data.json", '{\n  "b": [\n    1,\n    {\n      "ü": null\n    }\n  ]\n}\n')
    rows = [["who", "n"], ['Sam "S"', 2.5], [None, True]]
    assert await created(name="R", format="csv", rows=rows) == ("R.csv", 'who,n\r\n"Sam ""S""",2.5\r\n,True\r\n')
    assert await created(name="R", format="csv", content='a,"b\nc"\n1,2\n') == ("R.csv", 'a,"b\nc"\r\n1,2\r\n')


async def test_no_cell_is_carried_out_by_a_spreadsheet_and_numbers_stay_numbers() -> None:
    cells = ["=1+1", "+A1", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1"]
    numbers = ["-5", "+3.5", "-12 %", "a=b"]
    _, content = await created(name="R", format="csv", rows=[cells, numbers, [-5, 2.5]])
    safe = ["'=1+1", "'+A1", "'-2+3", "'@SUM(A1)", "\t'=1", "' =1", "'＝1"]
    assert list(csv.reader(io.StringIO(content))) == [safe, numbers, ["-5", "2.5"]]
    assert (await created(name="R", format="csv", content="=1+1,b"))[1] == "'=1+1,b\r\n"


async def test_no_cell_is_carried_out_where_a_spreadsheet_parts_cells_by_other_signs() -> None:
    cells = ["a;=1+1;b", "a\t@SUM(A1)", "note\n=1+1", "a|  +A1", "1;-2"]
    safe = ["a;'=1+1;b", "a\t'@SUM(A1)", "note\n'=1+1", "a|  '+A1", "1;'-2"]
    _, content = await created(name="R", format="csv", rows=[cells])
    assert list(csv.reader(io.StringIO(content, newline=""))) == [safe]


@given(text=st.text(st.sampled_from('=+-@1a;|\t\n ,"'), max_size=12), parting=st.sampled_from(";|\t"))
async def test_whatever_parts_its_cells_none_of_a_file_begins_like_a_formula(text: str, parting: str) -> None:
    _, content = await created(name="R", format="csv", rows=[["x", text]])
    naive = re.split(rf"[\n{re.escape(parting)}]", content.replace('"', ""))
    begun = [piece.strip() for piece in naive if piece.strip()[:1] in tuple(FORMULAS) and piece.strip()]
    assert all(not set(piece) & set("=@a") for piece in begun if piece)


@given(cell=st.text(st.sampled_from("=+-@1.,'% aA(\t|!＝"), max_size=8))
async def test_a_cell_that_begins_like_a_formula_is_a_number_or_text(cell: str) -> None:
    _, content = await created(name="R", format="csv", rows=[[cell, "x"]])
    ((written, _),) = csv.reader(io.StringIO(content, newline=""))
    if written.lstrip()[:1] in tuple(FORMULAS):
        assert not set(written) & set("(|!aA=@＝")
    assert written.replace("'", "") == cell.replace("'", "")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../../etc/passwd", "etc-passwd.md"),
        ("a\\b:c\n*?", "a-b-c.md"),
        ("...", "file.md"),
        ("Rota für März (2)", "Rota für März (2).md"),
        ("x" * 200, "x" * 80 + ".md"),
        ("run.exe", "run.exe.md"),
        ("https://a.example/?q=Leeds", "https-a.example-q-Leeds.md"),
        ("x" * 85 + " Close Leeds", "x" * 80 + ".md"),
    ],
)
async def test_a_file_name_names_no_place(name: str, file: str) -> None:
    assert (await created(name=name, format="markdown", content="x"))[0] == file


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("format_", "given_"),
    [
        ("json", {"content": '{"secret": '}),
        ("json", {"content": "NaN"}),
        ("json", {"content": DEEP}),
        ("json", {"content": " "}),
        ("json", {"rows": [["a"]]}),
        ("markdown", {"rows": [["a"]], "content": "secret"}),
        ("csv", {"rows": [["a"]], "content": "secret"}),
        ("csv", {}),
        ("docx", {"content": "secret"}),
    ],
)
async def test_what_cannot_be_written_is_refused_before_anybody_is_asked(format_: str, given_: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as raised:
        await Afield().prompt("create_file", name="x", format=format_, **given_)
    assert "secret" not in str([(each["loc"], each["msg"]) for each in raised.value.errors(include_input=False)])


async def test_a_file_that_is_too_large_is_refused_before_anybody_is_asked() -> None:
    at, given_ = Afield(), {"name": "x", "format": "csv", "rows": [["x" * 1000]] * 1000}
    for act in (at.prompt, at.does):
        with pytest.raises(OutOfReach, match=str(LARGEST)):
            await act("create_file", **given_)
    assert at.reach.files == []


async def test_the_data_of_a_file_stays_data() -> None:
    wild = {"a": "<script>", "n": 10**18, "s": "=1+1"}
    _, content = await created(name="x", format="json", content=json.dumps(wild))
    assert json.loads(content) == wild


@pytest.mark.req("SE-13")
async def test_an_owner_who_has_had_too_many_files_gets_none_and_the_model_hears_until_when(at: Afield) -> None:
    at.wait = 600
    with pytest.raises(OutOfReach, match="in 10 min"):
        await at.does("create_file", name="Notes", format="markdown", content="# Hi")
    assert (at.reach.files, at.made) == ([], [Creation.FILE])
