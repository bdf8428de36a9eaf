"""`threadwise export`: a decision as a file, from the database alone."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from typing import get_args
from uuid import uuid4

import pytest

from app.__main__ import export
from app.cli import maintenance
from app.cli.maintenance import Erasure
from app.clock import SystemClock
from app.core.conversation.conversation import Message, Role
from app.core.state.interview import Interview
from app.decision.report.files import FORMATS
from handlers.slack import permalinks
from store.crypto.cipher import MasterKeys
from store.open import open_store
from tests.flow.command_line.test_upkeep import Place
from tests.unit.handlers.decided import changed, hub, keep
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.runtime.test_scheduler import PREPARED
from tests.wrapped import wrapping

WORKSPACE = "https://acme.slack.com/"
FRAMED = "How should we cover urgent 'no heat' requests on evenings and weekends from 1 March 2027 to 31 March 2028?"


@pytest.fixture
async def place(mongo_uri: str, tmp_path: Path) -> Place:
    """A database with one decision, in which two steps are approved."""
    key, database = MasterKeys.generate(), f"export_{uuid4().hex[:12]}"
    store = await open_store(mongo_uri, database, wrapping(key, database), SystemClock())
    now = await placed(store, hub(1, "issue_raising", "problem_frame"))
    await keep(store, now, "issue_raising", "problem_frame")
    await placed(store, talk(9, "A talk that is no decision"))
    store.close()
    return Place(mongo_uri, database, key, now, tmp_path)


async def test_the_list_names_each_decision_by_ids_and_tells_nothing_of_it(place: Place) -> None:
    now = place.conversation
    status, out, _ = await place.says("export", "--list")
    assert (status, out) == (0, f"{now.id}  {MAYA}  {now.thread.channel}  {now.thread.root}\n")


async def test_a_decision_is_found_by_its_id_its_ts_and_the_link_of_a_message(place: Place) -> None:
    now, settings = place.conversation, place.settings(place.master_key)
    for named in (now.id, now.thread.root, permalinks.link_reply(WORKSPACE, now.thread, "1770009999.000100")):
        report = await maintenance.build_report(settings, named)
        assert report is not None
        assert (report.question, len(report.versions)) == (FRAMED, 2)
    assert await maintenance.build_report(settings, permalinks.link_thread(WORKSPACE, talk(9).thread)) is None


async def test_people_are_called_as_they_were_when_they_wrote_in_a_step(place: Place) -> None:
    async with place.store(place.master_key) as store:
        led = talk(70, head=1)
        said = Message(seq=1, role=Role.PERSON, text="Where to?", author=MAYA, author_name="Maya Okafor")
        await placed(store, led, said)
        await placed(store, changed(hub(2), "issue_raising", thread=led.thread))
    report = await maintenance.build_report(place.settings(place.master_key), hub(2).thread.root)
    assert report is not None
    assert report.owner == "Maya Okafor"


async def test_a_report_is_written_under_a_name_that_tells_what_it_is(place: Place) -> None:
    status, out, _ = await place.says("export", place.conversation.id)
    (page,) = place.folder.glob("how-should-we-cover-urgent-no-heat-*.html")
    assert (status, out) == (0, f"Written to {page.name}.\n")
    assert page.read_text("utf-8").lower().startswith("<!doctype html>")


async def test_a_report_can_be_printed_with_nothing_else(place: Place) -> None:
    status, out, errors = await place.says("export", place.conversation.id, "--format", "json", "--out", "-")
    assert (status, errors) == (0, "")
    assert [each["component"] for each in json.loads(out)["versions"]] == ["issue_raising", "problem_frame"]


def test_the_command_offers_every_format() -> None:
    offered = get_args(get_args(signature(export, eval_str=True).parameters["form"].annotation)[0])
    assert offered == ("html", "markdown", "json")
    assert set(offered) == set(FORMATS)


async def test_the_file_of_a_report_is_for_its_owner_alone(place: Place) -> None:
    status, _, errors = await place.says("export", "1770000101.000100", "--out", "report.html")
    assert (status, errors) == (0, "")
    assert (place.folder / "report.html").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Say which decision. `threadwise export --list` shows those there are."),
        (["nobody"], "There is no decision nobody. `threadwise export --list` shows those there are."),
        (
            ["1770000101.000100", "--out", "no/such/f.html"],
            "no/such/f.html cannot be written: No such file or directory.",
        ),
    ],
)
async def test_what_cannot_be_exported_is_one_sentence_and_exit_status_2(
    place: Place, arguments: list[str], complaint: str
) -> None:
    assert await place.says("export", *arguments) == (2, "", f"{complaint}\n")


@pytest.mark.req("SE-03")
async def test_a_decision_is_erased_with_its_steps_and_nothing_else_is(place: Place) -> None:
    async with place.store(place.master_key) as store:
        begun = Interview(component="issue_raising", decision=hub(2).thread, prepared=PREPARED)
        asks = Message(seq=1, role=Role.PERSON, text="Where to?", author=MAYA)
        step = await placed(store, talk(70, interview=begun, head=1), asks)
        decision = await placed(store, changed(hub(2), "issue_raising", thread=step.thread))
    asked: list[int] = []
    settings = place.settings(place.master_key)
    assert (
        await maintenance.erase(settings, decision.id, lambda found, steps: bool(asked.append(steps)))
        is Erasure.DECLINED
    )
    assert await maintenance.erase(settings, decision.id, lambda found, steps: True) is Erasure.DONE
    assert asked == [1]
    async with place.store(place.master_key) as store:
        left = [await store.conversations.find(each.thread) for each in (decision, step, place.conversation)]
    assert left == [None, None, place.conversation]
