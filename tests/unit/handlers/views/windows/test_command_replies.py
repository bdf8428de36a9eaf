"""`/threadwise …`: what it answers, and to whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.conversation.conversation import Conversation
from app.core.copy import texts
from app.core.state.permission import Policy
from app.core.turns.rate_limits import Allowance
from app.decision.schema.terms import load_terms, name_element
from handlers.inbound.surfaces.on_commands import WINDOWS
from handlers.views.kit.blocks import RenderedMessage
from handlers.views.windows import command_replies
from handlers.views.windows.command_replies import ANSWERS, AppPolicy, ReplyContext, answer, explain_unknown, parse_word
from tests.fakes import virtual
from tests.unit.handlers.front import RULES, URL, Front, command
from tests.unit.handlers.payloads import ANN
from tests.unit.handlers.ruled import VIEW
from tests.unit.handlers.talks import planned, put_away, talk, waiting


def told(asked_for: str, *mine: Conversation, rules: AppPolicy = RULES, zone: str = "") -> RenderedMessage:
    return answer(asked_for, ReplyContext(view=VIEW, rules=rules, conversations=mine, zone=zone))


def lines(rendered: RenderedMessage) -> list[str]:
    return [block["text"]["text"] for block in rendered.blocks]


def asking(number: int, words: str) -> Conversation:
    """One whose title and question are these words."""
    now = waiting(number, words)
    assert now.question is not None
    return replace(now, question=replace(now.question, prompt=words))


@given(st.text())
def test_every_text_is_a_word_that_is_answered_or_is_not_known(text: str) -> None:
    assert parse_word(text) in {*ANSWERS, *WINDOWS, command_replies.UNKNOWN}
    assert "/threadwise help" in explain_unknown(text)
    assert len(explain_unknown(text)) <= 150


@pytest.mark.parametrize(
    ("text", "meant"),
    [("", "help"), (" LIST  all ", "list"), ("lists", "unknown"), ("settings", "settings"), ("Export it", "export")],
)
def test_the_first_word_counts_in_any_case(text: str, meant: str) -> None:
    assert parse_word(text) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lits", "`/threadwise list`"),
        ("Schedule for me", "`/threadwise schedules`"),
        ("permission", "`/threadwise permissions`"),
        ("archive", "`/archive-thread`"),
        ("decide", "`/decide`"),
        ("erase", "*erase*"),
    ],
)
@virtual
async def test_an_unknown_word_is_answered_in_a_sentence_with_the_likeliest_one(typed: str, meant: str) -> None:
    said = await Front().sends(command("/threadwise", typed))
    assert said.startswith(f"I do not know that word. Did you mean {meant}")
    assert said.endswith("`/threadwise help` lists those that I know.")


@virtual
async def test_a_word_like_no_other_is_answered_in_a_sentence() -> None:
    assert await Front().sends(command("/threadwise", "xyzzy")) == texts.UNKNOWN_WORD


@pytest.mark.req("FA-33")
def test_words_tells_every_word_of_the_method_with_its_line_within_slacks_limit() -> None:
    said = lines(told("words"))
    assert all(len(each) <= 3_000 for each in said)
    everything = "\n".join(said)
    groups = load_terms()
    assert all(
        f"• {name_element(word)}: {line}" in everything for group in groups.values() for word, line in group.items()
    )
    assert "`/threadwise words`" in texts.HELP
    assert "`/threadwise words`" in texts.COMMAND_HELP


def test_help_names_every_word_and_command() -> None:
    said = told("help").text
    assert all(f"`/threadwise {each}`" in said for each in (*ANSWERS, *WINDOWS) if each != "help")
    assert "/archive-thread" in said
    assert "/reopen-thread" in said


@pytest.mark.req("S2-054")
def test_the_list_tells_state_title_place_and_what_comes_next() -> None:
    talks = (waiting(4), planned(3), talk(2, channel="D0DIRECT1"), put_away(1))
    _, asks, runs, active, archived = lines(told("list", *talks))
    assert asks.startswith(f"❓ <{URL}archives/C0OPS0001/p1770000104000100|Rota plan> · <#C0OPS0001> · ")
    assert asks.endswith("waiting for you: “By when?”")
    assert runs.startswith("⏰ ")
    assert "· next <!date^1772438400^{date_short_pretty} {time}|tomorrow 09:00 (Berlin)>" in runs
    assert active.startswith("💬 ")
    assert "· direct message · <!date^1770000102" in active
    assert archived.startswith("📦 ")


def test_the_list_names_the_newest_twenty_and_says_that_there_are_more() -> None:
    rendered = told("list", *(talk(number, f"Talk {number}") for number in range(25, 0, -1)))
    assert len(lines(rendered)) == 1 + command_replies.SHOWN + 1
    assert "Talk 25" in lines(rendered)[1]
    assert lines(rendered)[-1] == texts.AND_MORE.format(count=5)


def test_an_empty_list_says_how_to_begin() -> None:
    assert lines(told("list")) == [texts.NO_CONVERSATIONS]


@pytest.mark.req("S2-053")
def test_status_counts_the_states_and_names_what_waits() -> None:
    counts, asks = lines(told("status", waiting(3), talk(2), talk(1)))
    assert counts.startswith("💬 Active 2 · ⏰ In the background 0 · ❓ Waiting for you 1 · 📦 Archived 0\n")
    assert "By when?" in asks


def test_status_says_that_nothing_waits() -> None:
    assert texts.NOTHING_WAITS in told("status", talk(1)).text


@pytest.mark.req("S2-055", "NC-07")
def test_schedules_are_told_in_words_with_the_next_run() -> None:
    _, runs = lines(told("schedules", planned(2), talk(1)))
    assert "· every Monday at 09:00 (Berlin) · next <!date^" in runs
    assert "0 9 * * 1" not in runs
    assert lines(told("schedules", talk(1))) == [texts.NO_SCHEDULES]


def test_a_schedule_that_waits_for_an_answer_tells_the_question() -> None:
    paused = waiting(1, schedule=planned(2).schedule, next_run=planned(2).next_run)
    assert "waiting for you" in lines(told("schedules", paused))[1]


def test_a_schedule_that_its_owner_has_paused_tells_that_and_no_time() -> None:
    runs = lines(told("schedules", replace(planned(2), paused=True)))[1]
    assert runs.endswith("· every Monday at 09:00 (Berlin) · paused")


def test_settings_tell_what_is_in_force() -> None:
    said = told("settings", zone="Europe/Berlin").text
    assert "Europe/Berlin" in said
    assert "claude-test" in said
    assert "you 20 messages a minute and 2,000,000 tokens a day; everybody together 200 messages a minute" in said
    assert "365 days" in said
    assert "can be opened from them for 7 days more at most" in said


def test_settings_without_zone_and_limits_say_so() -> None:
    said = told(
        "settings",
        rules=AppPolicy(
            model="m", user=Allowance(), workspace=Allowance(), audit_days=1, copies_days=7, policy=Policy()
        ),
    ).text
    assert texts.UNKNOWN_ZONE in said
    assert texts.LIMITS.format(limits=texts.NO_LIMITS) in said


def test_settings_count_one_as_one() -> None:
    once = Allowance(messages=1, calls=1, at_once=1, tokens=1)
    said = told(
        "settings",
        rules=AppPolicy(model="m", user=once, workspace=Allowance(), audit_days=1, copies_days=7, policy=Policy()),
    ).text
    assert "you 1 message a minute, 1 answer a minute, 1 answer at once and 1 token a day" in said
    assert "kept for 1 day," in said


def test_a_limit_of_money_is_a_limit() -> None:
    rules = AppPolicy(
        model="m", user=Allowance(), workspace=Allowance(dollars=2.5), audit_days=1, copies_days=7, policy=Policy()
    )
    assert texts.LIMITS.format(limits="everybody together a daily AI budget") in told("settings", rules=rules).text


@given(st.lists(st.text(max_size=300), max_size=30), st.sampled_from(sorted(ANSWERS)))
@example(["&" * 300] * 30, "list")
@example(["&" * 300] * 30, "status")
def test_no_answer_is_too_long_for_slack(titles: list[str], asked_for: str) -> None:
    mine = [asking(number, title) for number, title in enumerate(titles)]
    rendered = told(asked_for, *mine)
    assert 1 <= len(rendered.blocks) <= 50
    assert all(1 <= len(line) <= 3_000 for line in lines(rendered))
    assert len("".join(lines(rendered))) <= 13_000


def test_what_has_no_room_in_an_answer_is_counted() -> None:
    mine = [asking(number, "&" * 300) for number in range(19)]
    said = lines(told("list", *mine))
    assert said[-1] == texts.AND_MORE.format(count=19 - (len(said) - 2))


def test_a_title_pings_nobody_and_leads_nowhere_else() -> None:
    said = told("list", talk(1, "<!channel> a|b <https://evil.example|x>")).blocks[1]["text"]["text"]
    assert "<!channel>" not in said
    assert "<https://evil" not in said
    assert "a¦b" in said


# Over Bolt


@virtual
async def test_it_is_answered_in_the_acknowledgement_with_the_callers_own(front: Front) -> None:
    await front.has(talk(1, "Mine"))
    await front.has(talk(2, "Hers", owner=ANN))
    answered = await front.sends(command("/threadwise", "list"))
    assert "Mine" in answered["text"]
    assert "Hers" not in answered["text"]
    assert answered.get("response_type", "ephemeral") == "ephemeral"


@virtual
async def test_settings_ask_slack_for_the_callers_clock() -> None:
    assert "Europe/Berlin" in (await Front().sends(command("/threadwise", "settings")))["text"]


@virtual
@pytest.mark.parametrize("trouble", ["away", "slow"])
async def test_a_store_that_does_not_answer_in_time_is_one_kind_sentence(front: Front, trouble: str) -> None:
    front.is_away, front.slowness = trouble == "away", 60.0 if trouble == "slow" else 0.0
    assert await front.sends(command("/threadwise", "list")) == texts.NOT_NOW
    assert front.clock.monotonic() < 3


@virtual
async def test_what_was_typed_is_no_event_and_stays_out_of_the_inbox(front: Front) -> None:
    await front.sends(command("/threadwise", "list of secrets"))
    assert front.taken == []
