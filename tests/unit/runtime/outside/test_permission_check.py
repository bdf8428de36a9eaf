"""The one place where a call is judged: who can read what is looked up then, and asked about where it is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from app.core.copy import permission_cards
from app.core.errors import OutOfReach, SlackUnavailable
from app.core.state.permission import (
    ANY,
    ChannelKind,
    PermissionRequest,
    PermissionVerdict,
    Policy,
    Sharing,
    Standing,
    Target,
    pair_scope,
)
from app.core.state.readers import Readers
from app.core.turns.sources import WEB, build_tool_label
from tests.unit.runtime.outside.judging import (
    ALL,
    BOARD,
    MEMBERS,
    OPS,
    OWNER,
    POST,
    SCOPE,
    STANDING,
    Judging,
    knowing,
    rule,
)


@pytest.mark.req("SE-04")
async def test_what_everybody_there_can_read_is_covered_by_a_rule_as_ever() -> None:
    judging = Judging(rule())
    assert (await judging.check.judge(knowing(BOARD, OPS, ALL))).verdict is PermissionVerdict.ALLOWED
    assert sorted(judging.places.looks) == sorted([OPS, BOARD, ALL]), "each is looked up once in a turn"


@pytest.mark.req("SE-04")
async def test_a_card_names_the_source_and_who_can_read_it_and_what_always_would_cover() -> None:
    judging = Judging(rule())
    judging.places.read_by[BOARD] = Readers(name="#board", people=frozenset({OWNER, "U3", "U4"}))
    asked = await judging.check.judge(knowing(BOARD))
    assert asked.verdict is PermissionVerdict.ASK
    assert asked.remarks == ("This was read in #board, which 3 people can read. #ops may have other readers.",)
    assert [(each.scope, each.label) for each in asked.covers] == [
        (pair_scope(SCOPE, BOARD), "posting to #ops with words from #board")
    ]
    assert asked.standing == STANDING


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(
    "broken", ["guest", "many guests", "slack away", "no target", "no source", "beyond", "other members"]
)
async def test_where_it_is_not_known_that_all_can_read_it_it_asks(broken: str) -> None:
    judging = Judging(rule(), policy=Policy(allowed=(("post", "*"),)))
    places, source = judging.places, ALL
    match broken:
        case "guest":
            places.abridged = frozenset({"U2"})
        case "many guests":
            places.fails = OutOfReach("too many")
        case "slack away":
            places.fails = SlackUnavailable("users.info")
        case "no target":
            del places.read_by[OPS]
        case "no source":
            source = BOARD
            del places.read_by[BOARD]
        case "beyond":
            places.read_by[OPS] = replace(places.read_by[OPS], beyond=True)
        case "other members":
            source = BOARD
            places.read_by[BOARD] = replace(places.read_by[BOARD], people=frozenset({OWNER}), beyond=True)
        case _:
            raise AssertionError(broken)
    asked = await judging.check.judge(knowing(source))
    assert (asked.verdict, len(asked.remarks), len(asked.covers)) == (PermissionVerdict.ASK, 1, 1)


@pytest.mark.req("SE-04")
async def test_a_source_whose_readers_slack_does_not_tell_is_named_as_one_that_others_may_not_read() -> None:
    judging = Judging(rule())
    del judging.places.read_by[BOARD]
    asked = await judging.check.judge(knowing(BOARD))
    source = permission_cards.SOURCE_UNKNOWN
    assert asked.remarks == (f"This was read in {source}. #ops may have other readers.",)
    assert [each.label for each in asked.covers] == [f"posting to #ops with words from {source}"]


@pytest.mark.req("SE-04")
async def test_slack_that_does_not_tell_in_time_makes_it_a_question() -> None:
    judging = Judging(rule())
    judging.places.hangs = True
    asked = await replace(judging.check, look_seconds=0.01).judge(knowing(BOARD, OPS))
    assert asked.verdict is PermissionVerdict.ASK
    assert [each.scope for each in asked.covers] == [pair_scope(SCOPE, BOARD)]


@pytest.mark.req("SE-04")
@pytest.mark.parametrize(
    ("label", "remark", "named"),
    [
        ("tool:weigh", "“weigh” does not say where this came from, so I cannot tell who may read it.", "“weigh”"),
        (
            build_tool_label("find_people"),
            "This names people of the workspace, whom guests and other companies do not all see.",
            "the list of people",
        ),
        ("thread:c1", "This thread holds what I read before I noted where things come from.", "this thread"),
    ],
)
async def test_what_nobody_can_look_up_is_asked_about(label: str, remark: str, named: str) -> None:
    asked = await Judging(rule()).check.judge(knowing(label))
    assert (asked.verdict, asked.remarks) == (PermissionVerdict.ASK, (remark,))
    assert asked.covers[0].label == f"posting to #ops with words from {named}"


@pytest.mark.req("SE-04")
async def test_a_tool_that_does_not_say_where_it_writes_is_read_by_everybody() -> None:
    judging = Judging(rule())
    nowhere = replace(POST, target=None)
    assert (await judging.check.judge(nowhere)).verdict is PermissionVerdict.ALLOWED
    asked = await judging.check.judge(replace(nowhere, sources=(ALL,)))
    assert asked.verdict is PermissionVerdict.ASK
    everybody = permission_cards.EVERYBODY
    assert asked.remarks == (
        f"This was read in #general, which {everybody} can read. What I write may have other readers.",
    )


@pytest.mark.req("SE-04", "IN-09")
async def test_what_a_server_is_told_is_asked_about_with_the_places_by_name_and_the_server_as_who_reads_it() -> None:
    served = replace(POST, tool="tracker__file", target=None, covers="using “file”")
    asked = await Judging().check.judge(replace(served, sources=(BOARD,)))
    assert asked.remarks == (
        "This was read in #board, which 3 people can read. The server tracker may have other readers.",
    )
    assert [each.label for each in asked.covers] == ["using “file” with words from #board"]


async def test_a_place_that_slack_does_not_tell_in_time_is_asked_about_without_its_name() -> None:
    judging = Judging()
    judging.places.hangs = True
    wanted = replace(POST, target=None, sources=(BOARD,))
    asked = await replace(judging.check, look_seconds=0.01).judge(wanted)
    assert permission_cards.SOURCE_UNKNOWN in asked.remarks[0]


@pytest.mark.req("SE-04")
async def test_everybody_in_the_workspace_is_said_of_a_public_source_that_guests_cannot_read() -> None:
    judging = Judging()
    judging.places.abridged = frozenset({"U2"})
    [remark] = (await judging.check.judge(knowing(ALL))).remarks
    assert remark.startswith("This was read in #general, which everybody in the workspace can read.")


@pytest.mark.req("SE-05")
async def test_the_write_after_the_last_of_an_hour_asks_and_says_why() -> None:
    judging = Judging(rule())
    verdicts = [(await judging.check.judge(POST)).verdict for _ in range(3)]
    assert verdicts == [PermissionVerdict.ALLOWED, PermissionVerdict.ALLOWED, PermissionVerdict.ASK]
    asked = await judging.check.judge(POST)
    assert asked.remarks == ("You allowed this for good, 2 times an hour. That is used up, so I ask.",)
    assert asked.standing == STANDING, "a new permission for good covers the channel as it is now"


async def test_what_the_owner_allows_by_a_click_and_what_reads_uses_no_rule() -> None:
    judging = Judging(rule())
    for _ in range(5):
        await judging.check.judge(replace(POST, granted=True))
        await judging.check.judge(replace(POST, reads=True))
        await judging.check.judge(replace(knowing(BOARD), reads=True))
    assert (await judging.uses.spans(await judging.check.rules(False)))["post", SCOPE].used is None
    assert judging.places.looks == [], "what only reads shows nobody anything"


@pytest.mark.req("SE-05")
async def test_a_rule_that_was_not_used_for_long_has_ended_and_the_card_says_so() -> None:
    judging = Judging(rule())
    judging.at = "2020-01-01T00:00:00+00:00"
    asked = await judging.check.judge(POST)
    assert asked.remarks == ("You allowed this for good, but it was not used for 90 days: so I ask again.",)
    assert asked.standing == STANDING, "a new permission for good covers the channel as it is now"


@pytest.mark.req("SE-05")
@pytest.mark.parametrize(
    ("then", "said"),
    [
        (
            replace(STANDING, kind=ChannelKind.PUBLIC),
            "You allowed this for good when #ops was a public channel, with you in it. "
            "Now it is a private channel, with you in it.",
        ),
        (
            replace(STANDING, member=False),
            "You allowed this for good when #ops was a private channel, without you in it. "
            "Now it is a private channel, with you in it.",
        ),
    ],
)
async def test_a_target_that_has_changed_is_asked_about_and_the_card_says_how(then: Standing, said: str) -> None:
    asked = await Judging(rule(standing=then)).check.judge(POST)
    assert (asked.verdict, asked.remarks) == (PermissionVerdict.ASK, (said,))


@pytest.mark.req("SE-05")
async def test_a_rule_asks_once_its_owner_has_left_the_channel() -> None:
    judging = Judging(rule())
    judging.places.read_by[OPS] = Readers(name="#ops", people=frozenset({"U2"}))
    asked = await judging.check.judge(POST)
    assert (asked.verdict, asked.standing) == (PermissionVerdict.ASK, replace(STANDING, member=False))
    assert asked.remarks[0].endswith("Now it is a private channel, without you in it.")


@pytest.mark.req("SE-05")
async def test_a_target_whose_members_nobody_tells_is_asked_about() -> None:
    judging = Judging(rule())
    del judging.places.read_by[OPS]
    asked = await judging.check.judge(POST)
    assert (asked.verdict, asked.remarks) == (
        PermissionVerdict.ASK,
        ("I could not look up who reads #ops now, so I ask.",),
    )


@pytest.mark.req("SE-05")
async def test_a_rule_from_before_asks_once_its_channel_is_shared() -> None:
    shared = replace(POST, target=replace(cast("Target", POST.target), sharing=Sharing.COMPANIES))
    asked = await Judging(rule(standing=None)).check.judge(shared)
    assert asked.verdict is PermissionVerdict.ASK
    assert "shared with nobody outside of the workspace" in asked.remarks[0]
    assert "shared with other companies" in asked.remarks[0]


async def test_what_is_denied_is_denied_before_anybody_is_looked_up() -> None:
    judging = Judging(rule(), policy=Policy(denied=(("post", "*"),)))
    assert (await judging.check.judge(knowing(BOARD))).verdict is PermissionVerdict.DENIED
    assert judging.places.looks == []


@pytest.mark.req("AG-09")
@pytest.mark.parametrize(("times", "recommended"), [(2, False), (3, True), (7, True)])
async def test_after_three_times_allow_for_one_scope_always_is_recommended(times: int, recommended: bool) -> None:
    judging = Judging()
    await judging.allows(times)
    asked = await judging.check.judge(POST)
    assert (asked.verdict, asked.recommended) == (PermissionVerdict.ASK, recommended), "and it asks as before"


@pytest.mark.req("AG-09")
async def test_what_was_allowed_elsewhere_or_before_other_readers_or_long_ago_recommends_nothing() -> None:
    judging = Judging()
    for other in (
        replace(POST, scope="channel:C2"),
        replace(POST, tool="create"),
        replace(POST, target=Target(place=OPS, name="#ops", kind=ChannelKind.PUBLIC)),
    ):
        await judging.allows(3, other)
        assert not (await judging.check.judge(POST)).recommended
    await judging.allows(3)
    judging.clock.advance(91 * 86_400)
    assert not (await judging.check.judge(POST)).recommended
    for _ in range(3):
        judging.clock.advance(60 * 86_400)
        await judging.allows(1)
    assert not (await judging.check.judge(POST)).recommended, "two of them were within 90 days"
    await judging.allows(1)
    assert (await judging.check.judge(POST)).recommended


async def test_a_permission_for_good_that_no_longer_fits_its_channel_is_asked_about_and_not_recommended() -> None:
    judging = Judging()
    await judging.allows(3)
    judging.rules = (rule(standing=replace(STANDING, kind=ChannelKind.PUBLIC)),)
    asked = await judging.check.judge(POST)
    assert (asked.verdict, asked.recommended) == (PermissionVerdict.ASK, False)


async def test_a_count_that_cannot_be_read_or_kept_costs_the_recommendation_alone() -> None:
    judging = Judging()
    judging.ledger.is_away = True
    await judging.allows(3)
    asked = await judging.check.judge(POST)
    assert (asked.verdict, asked.recommended) == (PermissionVerdict.ASK, False)


@pytest.mark.req("AG-09", "SE-04")
async def test_words_from_a_place_that_not_all_can_read_are_never_recommended_to_be_shared_for_good() -> None:
    judging = Judging()
    judging.places.read_by[BOARD] = Readers(name="#board", people=frozenset({OWNER, "U4"}))
    await judging.allows(3)
    assert not (await judging.check.judge(knowing(BOARD))).recommended
    assert (await judging.check.judge(POST)).recommended


@pytest.mark.req("AG-12")
async def test_a_look_ahead_uses_up_no_rule_and_counts_no_denial() -> None:
    judging = Judging(rule())
    for _ in range(5):  # a rule covers two writes in an hour
        assert (await judging.check.judge(replace(POST, ahead=True))).verdict is PermissionVerdict.ALLOWED
    assert (await judging.check.judge(POST)).verdict is PermissionVerdict.ALLOWED
    never = Judging(replace(rule(), allows=False))
    await never.check.judge(replace(POST, ahead=True))
    assert never.denials.tools == []


@pytest.mark.req("AG-09")
@pytest.mark.parametrize("reads", [True, False])
async def test_a_tool_that_somebody_forbade_themselves_is_denied_in_every_scope(reads: bool) -> None:
    judging = Judging(rule(), replace(rule(ANY), allows=False))
    for scope in (SCOPE, "channel:C2", ""):
        judged = await judging.check.judge(replace(POST, scope=scope, reads=reads, granted=not reads))
        assert judged.verdict is PermissionVerdict.DENIED
    other = await judging.check.judge(replace(POST, tool="create"))
    assert other.verdict is PermissionVerdict.ASK, "another tool is not forbidden"


@pytest.mark.req("AG-12")
@pytest.mark.parametrize("reads", [True, False])
async def test_each_denial_by_a_rule_of_a_person_or_the_workspace_is_counted(reads: bool) -> None:
    for judging in (
        Judging(replace(rule(), allows=False)),
        Judging(policy=Policy(denied=(("post", ANY),))),
    ):
        await judging.check.judge(replace(POST, reads=reads))
        await judging.check.judge(replace(POST, tool="create", reads=reads))
        assert judging.denials.tools == ["post"]


QUERY = PermissionRequest(
    tool="search_web",
    scope="web",
    reads=False,
    covers="searching the web",
    target=Target(place=WEB, name="A web search", kind=ChannelKind.PUBLIC, sharing=Sharing.COMPANIES),
)
ON_WEB = Standing(kind=ChannelKind.PUBLIC, sharing=Sharing.COMPANIES)


@pytest.mark.req("IN-08", "SE-04")
async def test_a_query_goes_out_by_a_rule_unless_it_may_hold_what_was_read_in_any_place() -> None:
    at = Judging(replace(rule("web", ON_WEB), tool="search_web"))
    assert (await at.check.judge(QUERY)).verdict is PermissionVerdict.ALLOWED
    assert (await at.check.judge(replace(QUERY, sources=(WEB,)))).verdict is PermissionVerdict.ALLOWED
    judged = await at.check.judge(replace(QUERY, sources=(ALL, BOARD)))
    assert judged.verdict is PermissionVerdict.ASK
    assert judged.remarks == (
        "This was read in #general, which everybody in the workspace can read. A web search may have other readers.",
        "This was read in #board, which 3 people can read. A web search may have other readers.",
    )
    assert [each.label for each in judged.covers] == [
        "searching the web with words from #general",
        "searching the web with words from #board",
    ]
    assert WEB not in at.places.looks, "nobody is asked who reads the web"


@pytest.mark.req("IN-08", "SE-04")
async def test_words_of_the_web_are_asked_about_elsewhere_and_the_card_says_why() -> None:
    judged = await Judging(rule()).check.judge(knowing(WEB))
    assert judged.verdict is PermissionVerdict.ASK
    assert judged.remarks == ("This thread holds words from the web, which anybody can write.",)
    assert [each.label for each in judged.covers] == ["posting to #ops with words from the web"]
    paired = await Judging(rule(pair_scope(SCOPE, WEB))).check.judge(knowing(WEB))
    assert paired.verdict is PermissionVerdict.ALLOWED


@pytest.mark.req("SE-04")
async def test_what_one_server_said_goes_back_to_it_alone_without_asking() -> None:
    own, other = build_tool_label("tracker__find"), build_tool_label("mailer__read")
    always = replace(rule(scope="tracker__file", standing=None), tool="tracker__file")
    wanted = replace(POST, tool="tracker__file", scope="tracker__file", target=None)
    judging = Judging(always)
    assert (await judging.check.judge(replace(wanted, sources=(own,)))).verdict is PermissionVerdict.ALLOWED
    for foreign in (other, BOARD, WEB, build_tool_label("tracker")):
        asked = await judging.check.judge(replace(wanted, sources=(own, foreign)))
        assert asked.verdict is PermissionVerdict.ASK, foreign
        assert [each.scope for each in asked.covers] == [pair_scope("tracker__file", foreign)]
    of_ours = replace(wanted, tool="tracker", sources=(own,))
    assert [each.scope for each in (await judging.check.judge(of_ours)).covers] == [pair_scope("tracker__file", own)]


async def test_a_tool_that_its_server_describes_in_other_words_is_asked_about_and_the_card_says_so() -> None:
    always = replace(rule(scope="tracker__file", standing=None), tool="tracker__file", described="d1")
    wanted = replace(POST, tool="tracker__file", scope="tracker__file", target=None, described="d2")
    asked = await Judging(always).check.judge(wanted)
    assert (asked.verdict, asked.remarks) == (PermissionVerdict.ASK, (permission_cards.TOOL_CHANGED,))
    assert (await Judging(always).check.judge(replace(wanted, described="d1"))).verdict is PermissionVerdict.ALLOWED


async def test_what_was_allowed_is_done_without_another_look_where_the_card_named_all_that_was_read() -> None:
    judging = Judging()
    granted = replace(knowing(BOARD), granted=True, named=(pair_scope(SCOPE, BOARD),))
    assert (await judging.check.judge(granted)).verdict is PermissionVerdict.ALLOWED
    assert (await judging.check.judge(replace(POST, granted=True))).verdict is PermissionVerdict.ALLOWED
    assert judging.places.looks == []


@pytest.mark.req("SE-04")
async def test_what_was_allowed_before_others_joined_the_target_is_asked_about_again() -> None:
    judging = Judging()
    granted = replace(knowing(BOARD, ALL), granted=True, named=(pair_scope(SCOPE, ALL),))
    assert (await judging.check.judge(granted)).verdict is PermissionVerdict.ALLOWED
    judging = Judging()
    judging.places.read_by[OPS] = Readers(name="#ops", people=MEMBERS | {"U9"})
    asked = [await judging.check.judge(granted) for _ in range(4)][-1]
    assert asked.verdict is PermissionVerdict.ASK
    assert [each.scope for each in asked.covers] == [pair_scope(SCOPE, BOARD)]
    assert asked.remarks == ("This was read in #board, which 3 people can read. #ops may have other readers.",)
    assert not (await judging.check.judge(POST)).recommended, "nothing was done yet"


@pytest.mark.req("AG-09")
async def test_only_what_was_allowed_once_counts_and_not_what_was_allowed_for_good() -> None:
    judging = Judging(rule(), rule(scope="channel:C2"))
    await judging.allows(3)
    judging.rules = ()
    assert not (await judging.check.judge(POST)).recommended
    judging.rules = (rule(scope="channel:C2"), replace(rule(), tool="create"))
    await judging.allows(3)
    judging.rules = ()
    assert (await judging.check.judge(POST)).recommended


@pytest.mark.parametrize(("people", "words"), [({"U9"}, "which 1 person can"), ({"U8", "U9"}, "which 2 people can")])
async def test_the_card_counts_the_readers_in_correct_words(people: set[str], words: str) -> None:
    judging = Judging(rule())
    judging.places.read_by[BOARD] = Readers(name="#board", people=frozenset(people))
    assert words in (await judging.check.judge(knowing(BOARD))).remarks[0]
