"""What a draft is traced to: the threads of its decision, the question, approved results, and what was entered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.agent.extraction.extraction import Extraction
from app.core.conversation.conversation import Conversation, Message
from app.core.decisions import approval
from app.core.state.decision import Decision, DecisionStep
from app.core.state.interview import JudgedDraft, Mode, Phase, Stage, VouchedFigure
from app.decision.drafts.quote_sources import Sources
from app.decision.playbook.step_prompt import TalkSoFar, build_block
from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures, Statement
from app.runtime.record.extracting import hear_more
from app.runtime.record.step_context import StepContext
from tests.unit.agent.extracted import ISSUES, ROWS, Research, hears_nothing, judge, keeps_nothing, leading
from tests.unit.core.interviews import HUB
from tests.unit.core.threads import said
from tests.unit.decision.components.worked import PLAYBOOK, before, minimal, named
from tests.unit.handlers.payloads import MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision, approved

LEASE = {"handle": "U1", "description": "Whether they renew the lease", "driver": "the landlord"}


async def judged(stored: StoredDecision, words: str, *said: str) -> list[str]:
    found = await stored.book.judge(await stored.step("issue_raising", *said), named(words))
    assert found is not None
    return unsaid(found)


def unsaid(found: JudgedDraft) -> list[str]:
    return [each.text for each in found.unsaid]


@pytest.mark.req("FA-14")
async def test_people_of_this_thread_count_and_so_do_the_question_and_the_other_steps(stored: StoredDecision) -> None:
    other = await stored.step("problem_frame", "At most 12k.")
    steps = tuple(
        DecisionStep(key=key, title=key, thread=thread)
        for key, thread in (("problem_frame", other.thread), ("gone", replace(other.thread, root="1.1")), ("new", None))
    )
    decision = Decision(question="How do we close the hole of 60k?", steps=steps)
    await placed(stored.store, replace(talk(90), thread=HUB, decision=decision))
    words = "15k, 12,000 and 60.000 but not 7k"
    assert await judged(stored, words, "We have 15,000.") == ["7k"]
    assert await judged(StoredDecision(), words, "We have 15,000.") == ["12,000", "60.000", "7k"]


@pytest.mark.req("FA-14")
async def test_an_approved_version_counts_and_so_does_what_somebody_stands_for(stored: StoredDecision) -> None:
    await stored.approves("issue_raising", named("It costs 15k"))
    now = await stored.step("issue_raising")
    lead = now.interview
    assert lead is not None
    vouched = (VouchedFigure(text="7k", by="U1", at="9.9"), VouchedFigure(text="8k", by="U1", at="9.9"))
    now = replace(now, interview=replace(lead, vouched=vouched))
    found = await stored.book.judge(now, named("15,000, 7,000 or 9k"))
    assert found is not None
    assert unsaid(found) == ["9k"]
    version = await stored.book.version(now, approved(named("It costs 7k")), 2)
    assert version.vouched == vouched[:1], "only what it holds"


@pytest.mark.req("FA-14")
async def test_what_a_person_enters_in_a_window_is_theirs_and_what_stood_there_before_is_not(
    stored: StoredDecision,
) -> None:
    now = await stored.step("issue_raising", draft=named("It costs 7k"))
    found = await stored.book.judge_edit(now, named("It costs 7k, and 15k later"))
    assert found is not None
    assert (found.entered, unsaid(found)) == (("15k",), ["7k"])


@pytest.mark.req("FA-04")
async def test_what_the_model_suggested_stays_a_suggestion_in_the_record_though_it_was_approved(
    stored: StoredDecision,
) -> None:
    draft = {**minimal("issue_raising"), "uncertainties": [LEASE]}
    now = await stored.step("issue_raising", "Will they renew the lease?")
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    assert judged.suggested == ("U1.driver",)
    assert now.interview is not None
    shown = replace(now, interview=replace(now.interview, drafted=judged))
    version = await stored.book.version(shown, approved(dict(judged.draft)), 1)
    assert version.suggested == ("U1.driver",)
    told = repr(stored.book.laid_out([version], "")["issue_raising"].sections)
    assert "💡 Depends on: the landlord (suggested by Threadwise)" in told
    assert (await stored.book.version(shown, approved(minimal("issue_raising")), 2)).suggested == (), "another draft"


@pytest.mark.req("FA-04")
async def test_the_model_of_a_later_step_is_told_which_approved_facts_nobody_said(stored: StoredDecision) -> None:
    now = await stored.step("issue_raising")
    kept = await stored.book.version(now, approved({**minimal("issue_raising"), "uncertainties": [LEASE]}), 1)
    await stored.store.versions.keep(now, replace(kept, suggested=("U1.driver",)))
    later = await stored.step("problem_frame")
    assert later.interview is not None
    so_far = await stored.book.so_far(later)
    told = build_block(PLAYBOOK["problem_frame"], Phase.GATHER, later.interview, so_far)
    assert "(depends on: the landlord [suggested, nobody said it])" in told


@pytest.mark.req("FA-04")
async def test_a_step_that_is_discussed_again_is_told_which_of_its_own_notes_nobody_said() -> None:
    stored, draft = StoredDecision(), {**minimal("issue_raising"), "uncertainties": [LEASE]}
    now = await stored.step("issue_raising", "Will they renew the lease?", draft=draft)
    kept = await stored.book.version(now, approved(draft), 1)
    await stored.store.versions.keep(now, replace(kept, suggested=("U1.driver",)))
    assert now.interview is not None
    so_far = await stored.book.so_far(now)
    told = build_block(PLAYBOOK["issue_raising"], Phase.GATHER, now.interview, so_far)
    assert "driver: the landlord [suggested, nobody said it]" in told
    heard = TalkSoFar(said=("That is up to the landlord.",))
    said = build_block(PLAYBOOK["issue_raising"], Phase.GATHER, now.interview, so_far, heard)
    assert "driver: the landlord\n" in said.replace("; origin: user", "")


@pytest.mark.req("FA-04")
async def test_a_result_that_the_model_looks_up_is_marked_where_nobody_said_it() -> None:
    stored, draft = StoredDecision(), {**minimal("issue_raising"), "uncertainties": [LEASE]}
    now = await stored.step("issue_raising")
    kept = await stored.book.version(now, approved(draft), 1)
    await stored.store.versions.keep(now, replace(kept, suggested=("U1.driver",)))
    [found] = (await stored.book.results(HUB))["issue_raising"]["uncertainties"]
    assert found["driver"] == "the landlord [suggested, nobody said it]"


@pytest.mark.req("FA-04", "FA-09")
async def test_a_suggestion_that_was_approved_cannot_be_quoted_by_a_later_draft_as_if_it_was_said() -> None:
    stored, own = StoredDecision(), "peace over pence"
    issues = {**minimal("issue_raising"), "uncertainties": [LEASE]}
    first = await stored.step("issue_raising", "Will they renew the lease?")
    version = await stored.book.version(first, approved(issues), 1)
    await stored.store.versions.keep(first, replace(version, suggested=("U1.driver",)))
    leaning = {**minimal("recommendation"), "user_leaning": own}
    await stored.approves_all("objectives", "alternatives", "consequences")
    now = await stored.step("recommendation", "Two remain.", draft=leaning)
    version = await stored.book.version(now, approved(leaning), 1)
    await stored.store.versions.keep(now, replace(version, suggested=("user_leaning",)))
    quoting = f'Maya said "the landlord", she said "{own}" and said "two remain"'
    judged = await stored.book.judge(now, {**leaning, "key_considerations": [quoting]})
    assert judged is not None
    told = 'Maya said the landlord, she said peace over pence and said "two remain"'
    assert judged.draft["key_considerations"] == [told], "neither an earlier step's nor its own"


@pytest.mark.req("FA-04")
async def test_a_change_to_what_nobody_said_is_told_to_the_model_as_a_suggestion() -> None:
    stored, decider = StoredDecision(), minimal("problem_frame")["decision_maker"]
    both, alone = (
        {**minimal("problem_frame"), "decision_maker": {**decider, "authority": each}} for each in ("joint", "sole")
    )
    await stored.approves("problem_frame", both)
    now = await stored.step("problem_frame")
    kept = await stored.book.version(now, approved(alone), 2)
    await stored.store.versions.keep(now, replace(kept, suggested=("decision_maker.authority",)))
    later = await stored.step("objectives")
    assert later.interview is not None
    so_far = await stored.book.so_far(replace(later, interview=replace(later.interview, based_on={"problem_frame": 1})))
    assert so_far.changes[1:] == ("- decision_maker.authority: joint → sole [suggested, nobody said it]",)


@pytest.mark.req("FA-04")
async def test_words_that_a_person_wrote_into_a_window_are_theirs_from_then_on(stored: StoredDecision) -> None:
    now = await stored.step("issue_raising", "Will they renew it?", draft=minimal("issue_raising"))
    written = {**minimal("issue_raising"), "uncertainties": [LEASE]}
    judged = await stored.book.judge_edit(now, written)
    assert judged is not None
    assert (judged.entered, judged.suggested) == (("the landlord",), ())
    assert now.interview is not None
    known = approval.vouch(now.interview, judged.entered, MAYA, "1")
    again = await stored.book.judge(replace(now, interview=known), written)
    assert again is not None
    assert again.suggested == ()


@pytest.mark.req("FA-04")
async def test_the_first_page_leaves_out_words_that_nobody_said(stored: StoredDecision) -> None:
    notes = {**minimal("notes_next_steps"), "decision": {"status": "decided", "in_the_users_words": "Peace over pence"}}
    await stored.approves_all("objectives", "alternatives", "consequences", "recommendation")
    version = await stored.approves("notes_next_steps", notes)
    kept = [each for each in await stored.store.versions.list(HUB) if each.component != "notes_next_steps"]
    assert "Peace over pence" in repr(stored.book.first_page([*kept, version], ""))
    suggested = replace(version, suggested=("decision.in_the_users_words",))
    assert "Peace over pence" not in repr(stored.book.first_page([*kept, suggested], ""))


@pytest.mark.req("FA-14")
async def test_no_step_of_the_worked_example_waits_for_a_number(stored: StoredDecision) -> None:
    found = await stored.book.read_example(HUB, "issue_raising")
    assert found is not None
    assert found.unsaid == ()


@pytest.mark.req("FA-09")
async def test_a_quote_that_is_in_no_message_is_not_kept_and_an_approved_one_is() -> None:
    stored, before, draft = StoredDecision(), named("Where to meet"), named("Where to meet")
    now = await stored.step("issue_raising", "I do not know WHERE we meet.")
    before["potential_decisions"][0]["evidence"] = [{"quote": "we meet, or not"}]
    await stored.approves("issue_raising", before)
    quotes = [{"quote": each} for each in ("where we meet", "where … meet", "We meet, or not")]
    draft["potential_decisions"][0]["evidence"] = quotes
    found = await stored.book.judge(now, draft)
    assert found is not None
    kept = found.draft["potential_decisions"][0]["evidence"]
    assert [each["quote"] for each in kept] == ["where we meet", "We meet, or not"]


@pytest.mark.req("FA-09")
async def test_words_in_marks_are_checked_against_all_threads_and_what_a_person_entered_stays() -> None:
    stored, false = StoredDecision(), 'Meet, as Maya said "we met in May"'
    other = await stored.step("problem_frame", "We always met in June.")
    steps = (DecisionStep(key="problem_frame", title="Frame", thread=other.thread),)
    await placed(stored.store, replace(talk(90), thread=HUB, decision=Decision(question="Where?", steps=steps)))
    now = await stored.step("issue_raising", "We meet in winter.")
    for words, kept in ((false, "Meet, as Maya said we met in May"), *((each, each) for each in TRUE)):
        found = await stored.book.judge(now, named(words))
        assert found is not None
        assert found.draft["potential_decisions"][0]["description"] == kept
    assert now.interview is not None
    edited = await stored.book.judge_edit(
        replace(now, interview=replace(now.interview, draft=named("x"))), named(false)
    )
    assert edited is not None
    assert edited.draft["potential_decisions"][0]["description"] == false
    later = replace(now, interview=replace(now.interview, drafted=edited))
    again = await stored.book.judge(later, named(false))
    assert again is not None
    assert again.draft["potential_decisions"][0]["description"] == false, "it was entered before"


TRUE = ('Meet, as Maya said "we meet in winter"', 'Meet, as Maya said "always met in June"', 'The "good place"')


@pytest.mark.req("FA-04")
@pytest.mark.parametrize("marked", [(), ("U1.driver",)])
async def test_what_was_approved_as_peoples_own_does_not_become_a_suggestion_when_a_step_is_discussed_again(
    marked: tuple[str, ...],
) -> None:
    stored, draft = StoredDecision(), {**minimal("issue_raising"), "uncertainties": [LEASE]}
    now = await stored.step("issue_raising", "Will they renew the lease?", draft=draft)
    kept = await stored.book.version(now, approved(draft), 1)
    await stored.store.versions.keep(now, replace(kept, suggested=marked))
    judged = await stored.book.judge(now, draft)
    assert judged is not None
    assert judged.suggested == marked
    other = await stored.book.judge(now, {**draft, "uncertainties": [{**LEASE, "driver": "the market"}]})
    assert other is not None
    assert other.suggested == ("U1.driver",), "it was changed since"


WAIT = said(5, "Wait: “rent nothing”, and 20 vans", author_name="Maya")
MORE = said(6, "by 1 March 2027", author_name="Maya")


async def grounded(_: Conversation, rows: tuple[Message, ...]) -> StepContext:
    """The basis of these messages."""
    told = tuple(row.text for row in rows)
    statements = tuple(map(Statement, told))
    return StepContext(ISSUES, before(ISSUES.key), {}, told, Sources.of_step(rows, before(ISSUES.key)), statements)


async def reaches(_: Stage) -> None:
    """Nobody follows its stages."""


def extraction() -> Extraction:
    return Extraction(
        conversation=leading(),
        rows=ROWS,
        component=ISSUES,
        so_far=before(ISSUES.key),
        mode=Mode.INTERACTIVE,
        judge=judge,
        said=SaidFigures,
        unquote=lambda text: text.replace("“", "").replace("”", ""),
        tools=Research(),
        reached=reaches,
        hear=hears_nothing,
        keep=keeps_nothing,
    )


@pytest.mark.req("AG-03")
async def test_what_was_written_meanwhile_may_be_quoted_and_its_figures_count_as_said() -> None:
    asked = list[int]()

    async def news(after: int) -> tuple[Message, ...]:
        asked.append(after)
        return {4: (WAIT,), 5: (MORE,)}.get(after, ())

    first = await hear_more(grounded, news, extraction())
    assert first is not None
    assert first.unquote("Maya said “rent nothing”") == "Maya said “rent nothing”"
    assert first.unquote("Maya said “buy all”") == "Maya said buy all"
    then = await hear_more(grounded, news, first)
    assert then is not None
    assert [row.seq for row in then.heard] == [5, 6]
    (day,) = read_figures("1 March 2027")
    assert [each.said().knows(day) for each in (first, then)] == [False, True]
    assert then.judge != judge
    assert await hear_more(grounded, news, then) is None
    assert asked == [4, 5, 6], "each message is read once"
