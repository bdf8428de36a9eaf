"""Finding people and channels by name: as far as the owner sees, as far as readers may hear, and never by a guess."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.tools.external import find_channels, find_people, naming
from app.agent.tools.external.audience import KEPT_BACK
from app.core.state.permission import Sharing
from app.ports import ListedChannel, Person
from tests.unit.agent.tools.outer.afield import DIRECT, OPS, Afield
from tests.unit.core.threads import THREAD

MARKET = replace(OPS, id="C0MARKET00", name="#market-münchen")
BOARD = replace(OPS, id="C0BOARD000", name="#market-board", private=True)
HERE = replace(OPS, id=THREAD.channel, name="#marketing")
SAM, SAMUEL = Person(user="USAM", name="Sam", full_name="Sam Lee"), Person(user="USAMUEL", name="Samuel")


def with_channels(at: Afield) -> Afield:
    at.reach.listed = tuple(ListedChannel(spot=spot, joined=spot is not MARKET) for spot in (MARKET, BOARD, HERE, OPS))
    at.reach.spots |= {THREAD.channel: HERE, BOARD.id: BOARD}
    return at


async def channels(at: Afield, words: str) -> list[str]:
    return [each["channel"] for each in (await at.does("find_channels", words=words))["channels"]]


async def people(at: Afield, name: str) -> list[str]:
    return [each["user"] for each in (await at.does("find_people", name=name))["people"]]


@pytest.mark.req("AG-08")
async def test_a_channel_is_found_by_parts_of_its_name_and_tells_whether_it_can_be_read() -> None:
    at = with_channels(Afield(DIRECT))
    at.reach.listed = (
        *at.reach.listed,
        ListedChannel(spot=replace(OPS, id="C9", name="#far"), purpose="Far </message>"),
    )
    told = await at.does("find_channels", words="Munchen  MARKET")
    [found] = told["channels"]
    assert found == {"channel": "#market-münchen", "id": MARKET.id, "you_are_in_it": False}
    assert naming.SEVERAL not in told["action"]
    assert at.came_from == (MARKET.id,)
    assert (await at.does("find_channels", words="board"))["channels"][0]["private"] is True
    assert (await at.does("find_channels", words="far"))["channels"][0]["purpose"] == "Far ‹/message>"
    nothing = await at.does("find_channels", words="-")
    assert (nothing["result"], nothing["channels"]) == ("no_results", [])
    assert find_channels.NOTHING in nothing["action"]


@pytest.mark.req("AG-08")
async def test_where_several_fit_the_owner_is_asked_and_nothing_is_chosen() -> None:
    at = with_channels(Afield(DIRECT))
    told = await at.does("find_channels", words="market")
    assert [each["channel"] for each in told["channels"]] == ["#market-board", "#market-münchen", "#marketing"]
    assert naming.SEVERAL in told["action"]
    at.reach.staff[""] = (SAMUEL, SAM)
    told = await at.does("find_people", name="sam")
    assert [each["user"] for each in told["people"]] == ["USAM", "USAMUEL"], "the whole name goes first"
    assert naming.SEVERAL in told["action"]
    assert naming.SEVERAL not in (await at.does("find_people", name="sam lee"))["action"]


@pytest.mark.req("AG-08")
async def test_the_channel_that_is_called_exactly_so_comes_before_those_that_are_only_like_it() -> None:
    at = Afield(DIRECT)
    at.reach.listed = tuple(
        ListedChannel(spot=replace(OPS, id=f"C{name}", name=f"#{name}")) for name in ("devops", "a-ops", "ops")
    )
    assert await channels(at, "ops") == ["#ops", "#a-ops", "#devops"]


@pytest.mark.req("AG-08", "SE-04")
async def test_a_private_channel_is_named_in_itself_and_in_direct_messages_alone() -> None:
    assert "#market-board" in await channels(with_channels(Afield(DIRECT)), "market")
    assert "#market-board" in await channels(with_channels(Afield(replace(THREAD, channel=BOARD.id))), "market")
    elsewhere = with_channels(Afield())
    assert await channels(elsewhere, "market") == ["#market-münchen", "#marketing"]
    assert BOARD.id not in elsewhere.came_from
    assert KEPT_BACK in (await elsewhere.does("find_channels", words="board"))["action"]


@pytest.mark.req("AG-08", "SE-04")
async def test_where_other_companies_read_along_only_this_channel_and_its_members_are_named() -> None:
    at = with_channels(Afield())
    at.reach.spots[THREAD.channel] = replace(HERE, sharing=Sharing.COMPANIES)
    assert await channels(at, "market") == ["#marketing"]
    at.reach.staff = {"": (SAM, SAMUEL), THREAD.channel: (SAM,)}
    told = await at.does("find_people", name="sam")
    assert [each["user"] for each in told["people"]] == ["USAM"]
    assert find_people.ONLY_HERE in told["action"]
    assert at.came_from == (THREAD.channel,)
    assert at.reach.looks[-1] == f"people of {THREAD.channel}"


@pytest.mark.req("AG-08")
async def test_a_person_is_found_by_either_name_and_told_apart_by_what_they_do(at: Afield) -> None:
    at.reach.spots[THREAD.channel] = HERE
    ann = Person(user="UANN", name="annie", full_name="Ann O’Neil", title="Buyer\n<state>", guest=True)
    at.reach.staff[""] = (ann, SAM)
    for name in ("Annie", "o’neil", "ann oneil", "neil ann"):
        expected = ["UANN"] if name != "ann oneil" else []
        assert await people(at, name) == expected
    [told] = (await at.does("find_people", name="annie"))["people"]
    assert (told["full_name"], told["guest"]) == ("Ann O’Neil", True)
    assert told["title"] == "Buyer\n‹state>"
    assert at.came_from == ("tool:find_people",)
    nobody = await at.does("find_people", name="zoe")
    assert (nobody["result"], find_people.NOTHING in nobody["action"]) == ("no_results", True)


@pytest.mark.req("AG-08")
async def test_of_many_the_first_ten_are_told_and_that_there_are_more() -> None:
    at = Afield(DIRECT)
    at.reach.staff[""] = tuple(Person(user=f"U{number:02}", name=f"Sam {number:02}") for number in range(12))
    told = await at.does("find_people", name="sam")
    assert len(told["people"]) == naming.HITS
    assert naming.MORE.format(count=2) in told["action"]
    assert naming.NOT_ALL not in told["action"]
    cut = Afield(DIRECT)
    cut.reach.is_cut = True
    assert naming.NOT_ALL in (await cut.does("find_people", name="sam"))["action"]


def plain(name: str) -> str:
    return " ".join(name.replace("é", "e").replace("-", " ").replace("_", " ").split())


words = st.lists(st.text("abcé-_ ", min_size=1, max_size=4), min_size=1, max_size=3)


@pytest.mark.req("AG-08")
@given(names=st.lists(words.map("-".join), max_size=8), wanted=words.map(" ".join))
def test_whatever_is_found_has_all_the_words_and_whoever_is_called_exactly_so_comes_first(
    names: list[str], wanted: str
) -> None:
    found = naming.find_named(wanted, [((name,), name) for name in names])
    parts = plain(wanted).split()
    assert all(part in plain(name) for name in found for part in parts)
    assert not parts or {name for name in names if all(part in plain(name) for part in parts)} == set(found)
    exact = [plain(name) == " ".join(parts) for name in found]
    assert exact == sorted(exact, reverse=True)
