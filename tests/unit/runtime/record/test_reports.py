"""The report of a decision: what the record holds is in it, once, as it stands now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import pytest

from app.core.conversation.conversation import Conversation
from app.core.state.decision import ComponentStatus, DecisionStep
from app.core.state.sheet import Facts
from app.decision.playbook.playbook import load_proact
from app.decision.report.dossier import Report, ReportStep
from app.decision.report.files import WRITERS, Format
from app.decision.report.wording import describe_version, list_cover
from app.decision.schema.paths import Draft
from app.ports import Profile
from app.ports.store import Store
from app.runtime.record.reader import DecisionReader
from app.runtime.record.reports import Reports
from app.runtime.record.sayings import SayingsReader
from tests.fakes import virtual
from tests.memory_store import memory_store
from tests.unit.core.interviews import HUB
from tests.unit.decision.components.worked import A5_LEADS, example, rerated
from tests.unit.decision.report.dossiers import APPROVED_AT
from tests.unit.decision.tables import COMPONENTS
from tests.unit.handlers.decided import ALL, QUESTION, changed, hub, keep
from tests.unit.handlers.payloads import ANN, MAYA
from tests.unit.handlers.talks import placed, talk
from tests.unit.stored_decision import StoredDecision, approved
from tests.virtual import VirtualClock

NAMES: Mapping[str, str] = {MAYA: "Maya Okafor", ANN: "Ann Lee"}


class Held:
    """A store with decisions in it, and who reports on them."""

    def __init__(self) -> None:
        clock = VirtualClock()
        self.store: Store = memory_store(clock)
        casebook = DecisionReader(
            self.store.versions, SayingsReader(self.store.conversations, self.store.files), load_proact(), clock
        )
        self._reports = Reports(self.store.versions, casebook, self._profile, clock)
        self.zone = ""

    async def report(self, now: Conversation) -> Report:
        return await self._reports.of(now)

    async def _profile(self, team: str, user: str) -> Profile:
        return Profile(name=NAMES[user], zone=self.zone if user == MAYA else "Asia/Tokyo")


async def _profile(team: str, user: str) -> Profile:
    return Profile(name=NAMES[user])


def steps(report: Report) -> dict[str, ReportStep]:
    return {step.key: step for step in report.steps}


@pytest.fixture
def held() -> Held:
    return Held()


@virtual
async def test_the_whole_example_is_in_its_report_in_the_order_of_the_steps(held: Held) -> None:
    now = await placed(held.store, hub(1, *ALL))
    await keep(held.store, now, *ALL)
    report = await held.report(now)
    assert (report.owner, report.deadline) == ("Maya Okafor", "2026-12-18")
    assert [(step.number, step.key, step.version) for step in report.steps] == [
        (number, key, 1) for number, key in enumerate(ALL, 1)
    ]
    assert all(step.sheet and step.sheet.sections for step in report.steps)
    assert {version.component: version.data for version in report.versions} == {key: COMPONENTS[key] for key in ALL}
    assert all(write(report) for write in WRITERS.values())


@virtual
@pytest.mark.req("TR-17")
async def test_a_report_is_headed_by_the_question_that_was_approved_and_says_below_what_was_asked_at_first(
    held: Held,
) -> None:
    now = await placed(held.store, hub(1, *ALL))
    typed = await held.report(now)
    assert (typed.question, "Asked at first" in dict(list_cover(typed))) == (QUESTION, False)
    await keep(held.store, now, *ALL)
    report = await held.report(now)
    assert report.question == COMPONENTS["problem_frame"]["focal_decision"]["statement"]
    assert dict(list_cover(report))["Asked at first"] == QUESTION
    for write in (WRITERS[Format.HTML], WRITERS[Format.MARKDOWN]):
        assert write(report).count(QUESTION) == 1, "in small print alone"


@virtual
async def test_what_stands_on_other_steps_is_laid_out_with_their_names(held: Held) -> None:
    now = await placed(held.store, hub(1, *ALL))
    await keep(held.store, now, *ALL)
    page = WRITERS[Format.MARKDOWN](await held.report(now))
    below = page.partition("## 5.")[2]
    assert all(each["name"] in below for each in COMPONENTS["alternatives"]["alternatives"])


@virtual
async def test_a_step_without_an_approved_result_is_named_and_empty(held: Held) -> None:
    now = await placed(held.store, hub(1, "issue_raising"))
    await keep(held.store, now, "issue_raising")
    held_steps = steps(await held.report(now))
    assert held_steps["issue_raising"].sheet
    frame = held_steps["problem_frame"]
    assert (frame.version, frame.sheet, frame.approved_by, frame.based_on) == (0, None, "", ())


@virtual
async def test_the_newest_version_counts_and_every_version_is_kept(held: Held) -> None:
    now = await placed(held.store, hub(1, "issue_raising"))
    await keep(held.store, now, "issue_raising")
    await keep(held.store, now, "issue_raising", number=2, by=ANN)
    report = await held.report(now)
    issues = steps(report)["issue_raising"]
    approved_at = datetime.fromisoformat(issues.approved_at)
    assert (issues.version, issues.approved_by, approved_at) == (2, "Ann Lee", datetime.fromisoformat(APPROVED_AT))
    assert [version.number for version in report.versions] == [1, 2]
    assert report.owner == "Maya Okafor", "whoever approved it"
    assert [report.people[version.approved_by] for version in report.versions] == ["Maya Okafor", "Ann Lee"]


@pytest.mark.req("NC-07")
@virtual
async def test_a_report_tells_its_moments_by_the_owners_clock_with_the_name_of_the_zone(held: Held) -> None:
    now = replace(await placed(held.store, hub(1, "issue_raising")), zone="Asia/Kolkata")
    await keep(held.store, now, "issue_raising")
    report = await held.report(now)
    for told in (report.made_at, steps(report)["issue_raising"].approved_at):
        assert told.endswith("+05:30")
    approved = datetime.fromisoformat(APPROVED_AT)
    assert datetime.fromisoformat(steps(report)["issue_raising"].approved_at) == approved.replace(microsecond=0)
    assert dict(list_cover(report))["As of"].endswith(f"{datetime.fromisoformat(report.made_at):%H:%M} (Kolkata)")
    assert dict(list_cover(await held.report(replace(now, zone=""))))["As of"].endswith(" UTC")


@pytest.mark.req("NC-07")
@virtual
@pytest.mark.parametrize("known", ["", "Europe/Berlin"])
async def test_the_zone_of_a_report_is_that_of_the_owners_profile_also_where_the_owner_never_wrote(
    held: Held, known: str
) -> None:
    now = replace(await placed(held.store, hub(1, "issue_raising")), zone=known)
    await keep(held.store, now, "issue_raising")
    held.zone = "Asia/Kolkata"
    report = await held.report(now)
    assert dict(list_cover(report))["As of"].endswith("(Kolkata)")
    assert steps(report)["issue_raising"].approved_at.endswith("+05:30")
    held.zone = "Mars/Olympus"
    assert dict(list_cover(await held.report(now)))["As of"].endswith("(Berlin)" if known else " UTC")


@pytest.mark.req("NC-07")
@virtual
async def test_the_day_of_a_decision_on_the_first_page_is_that_of_its_owner(held: Held) -> None:
    now = await placed(held.store, hub(1, *ALL))
    await keep(held.store, now, *ALL)
    days = {zone: str((await held.report(replace(now, zone=zone))).first_page) for zone in ("", "Pacific/Honolulu")}
    assert "on 3 December 2026" in days[""]
    assert "on 2 December 2026" in days["Pacific/Honolulu"], "half past nine there was late in the evening before"


@virtual
async def test_a_result_that_something_below_has_changed_for_says_so_with_both_versions(held: Held) -> None:
    now = await placed(held.store, hub(1, "issue_raising", "problem_frame", "objectives"))
    await keep(held.store, now, "issue_raising", "problem_frame", "objectives")
    await keep(held.store, now, "problem_frame", number=2)
    based_on = {"issue_raising": 1, "problem_frame": 1}
    stale = changed(now, "objectives", status=ComponentStatus.NEEDS_REVISION, based_on=based_on)
    objectives = steps(await held.report(stale))["objectives"]
    assert objectives.based_on == ("Issue raising v1", "Problem frame v1")
    assert objectives.outdated == ("based on Problem frame v1; v2 is approved",)
    fine = changed(stale, "objectives", status=ComponentStatus.COMPLETE)
    assert steps(await held.report(fine))["objectives"].outdated == ()


@virtual
async def test_a_result_found_to_be_valid_still_is_based_on_what_it_was_found_valid_with(held: Held) -> None:
    now = await placed(held.store, hub(1, "problem_frame", "objectives"))
    await keep(held.store, now, "problem_frame")
    await keep(held.store, now, "objectives", problem_frame=1)
    await keep(held.store, now, "problem_frame", number=2)
    valid = changed(now, "objectives", based_on={"problem_frame": 2})
    told = "Problem frame v2 (made with v1, found still valid)"
    (step,) = [each for each in (await held.report(valid)).steps if each.key == "objectives"]
    assert step.based_on == (told,)
    assert f"based on {told}" in describe_version(step)


@virtual
async def test_a_result_that_the_decision_has_not_heard_of_yet_is_told_as_the_record_has_it(held: Held) -> None:
    now = await placed(held.store, hub(1, "problem_frame"))
    await keep(held.store, now, "problem_frame", number=2)
    behind = changed(now, "problem_frame", based_on={"issue_raising": 7})
    frame = steps(await held.report(behind))["problem_frame"]
    assert (frame.version, frame.based_on) == (2, ())


async def test_weak_information_is_said_first_of_the_recommendation_once_the_quality_was_scored() -> None:
    stored, said = StoredDecision(), "you scored the information behind it 60 %"
    reports = Reports(stored.store.versions, stored.book, _profile, stored.clock)
    now = replace(hub(1, *ALL), thread=HUB)
    for key in ALL[: ALL.index("decision_quality")]:
        await _approve(stored, key, example(key))
    assert said not in str(steps(await reports.of(now))["recommendation"].sheet)
    await _approve(stored, "decision_quality", example("decision_quality"))
    report = await reports.of(now)
    sheet = steps(report)["recommendation"].sheet
    assert sheet is not None
    assert said in str(sheet.sections[0])
    assert all(said in WRITERS[form](report) for form in (Format.MARKDOWN, Format.HTML))
    again = await stored.book.bring_up_to_date(await stored.step("recommendation"))
    assert again is not None
    assert said in str(again.sheet.sections[0]), "whoever reopens the step reads it as well"
    assert "decision_quality" not in again.based_on


async def test_findings_newer_than_the_version_they_stand_with_say_so_and_take_no_words_from_it(
    stored: StoredDecision,
) -> None:
    for key in ALL:
        draft = example(key)
        draft.pop("swing_weights", None)
        await _approve(stored, key, draft)
    now = replace(hub(1, *ALL), thread=HUB)
    reports = Reports(stored.store.versions, stored.book, _profile, stored.clock)
    assert [key for key, step in steps(await reports.of(now)).items() if "worked out anew" in str(step.sheet)] == []
    await _approve(stored, "consequences", rerated(**A5_LEADS), 2)
    report = await reports.of(now)
    held = steps(report)
    assert [key for key, step in held.items() if "worked out anew" in str(step.sheet)] == [
        "tradeoffs", "recommendation", "notes_next_steps",
    ]  # fmt: skip
    for form in (Format.MARKDOWN, Format.HTML):
        page = WRITERS[form](report)
        said = "worked out anew from Consequences v2; it is not part of version 1 as approved."
        assert page.count(said) == 3
        assert "A5 AI triage plus paid on-call stands out" in page
        assert example("recommendation")["standout_option"]["rationale"][:40] not in page
        assert "as good as the mandatory rota" not in page
    assert {version.component: version.number for version in report.versions}["tradeoffs"] == 1
    await _approve(stored, "recommendation", example("recommendation"), 2)
    assert "worked out anew" not in str(steps(await reports.of(now))["recommendation"].sheet)


@virtual
async def test_a_report_of_an_example_does_not_say_that_somebody_has_to_close_it() -> None:
    held, now = Held(), hub(1)
    assert now.decision is not None
    report = await held.report(replace(now, decision=replace(now.decision, example=True)))
    assert dict(list_cover(report))["State"] == "An example to look at and to try things on"


@pytest.mark.parametrize("closed", [False, True])
@virtual
async def test_a_report_says_whether_the_decision_is_closed(closed: bool) -> None:
    held, now = Held(), hub(1)
    assert now.decision is not None
    report = await held.report(replace(now, decision=replace(now.decision, closed=closed)))
    assert dict(list_cover(report))["State"] == ("Closed" if closed else "Open")


@virtual
async def test_a_result_of_a_step_that_is_known_no_more_is_named_in_the_report_and_nothing_else_suffers(
    held: Held,
) -> None:
    now = await placed(held.store, hub(1, "issue_raising"))
    await keep(held.store, now, "issue_raising")
    (issues,) = await held.store.versions.list(now.thread)
    led = await placed(held.store, talk(59))
    await held.store.versions.keep(led, replace(issues, component="weather", number=1))
    assert now.decision is not None
    gone = DecisionStep(key="weather", title="Weather", status=ComponentStatus.COMPLETE, version=1)
    decision = replace(now.decision, steps=(*now.decision.steps, gone))
    told = steps(await held.report(replace(now, decision=decision)))
    assert (told["weather"].version, told["weather"].sheet) == (1, None)
    assert told["issue_raising"].sheet


@virtual
async def test_another_decisions_results_are_not_in_it(held: Held) -> None:
    mine, other = await placed(held.store, hub(1)), await placed(held.store, hub(2))
    await keep(held.store, other, "issue_raising")
    report = await held.report(mine)
    assert report.versions == ()
    assert [step.key for step in report.steps if step.sheet] == []


async def _approve(stored: StoredDecision, key: str, draft: Draft, number: int = 1) -> None:
    """Keep a version that is based on the newest results of the steps before."""
    now = await stored.step(key)
    version = await stored.book.version(now, approved(draft), number)
    based_on = (await stored.book.ground(now)).based_on
    await stored.store.versions.keep(now, replace(version, based_on=based_on))


@virtual
@pytest.mark.req("FA-16")
async def test_a_step_that_is_discussed_again_over_a_newer_basis_counts_as_to_look_at_and_not_as_approved(
    held: Held,
) -> None:
    now = await placed(held.store, hub(1, "problem_frame", "objectives"))
    await keep(held.store, now, "problem_frame", "objectives")
    await keep(held.store, now, "problem_frame", number=2)
    again = changed(now, "problem_frame", version=2)
    again = changed(again, "objectives", status=ComponentStatus.IN_PROGRESS, based_on={"problem_frame": 1})
    assert dict(list_cover(await held.report(again)))["Approved"] == "1 of 9 steps, 1 to look at again"
    current = changed(again, "objectives", based_on={"problem_frame": 2})
    assert dict(list_cover(await held.report(current)))["Approved"] == "2 of 9 steps"


@virtual
@pytest.mark.req("FA-16")
async def test_the_first_page_marks_what_people_said_for_an_older_basis_with_its_version(held: Held) -> None:
    now = await placed(held.store, hub(1, *ALL))
    await keep(held.store, now, *ALL)

    async def told(status: ComponentStatus) -> dict[str, str]:
        page = (await held.report(changed(now, "notes_next_steps", status=status))).first_page
        assert page is not None
        facts = page.sections[0]
        assert isinstance(facts, Facts)
        return {label: said.splitlines()[-1] for label, said in facts.rows}

    mark = "(From v1 of that step; what it builds on has changed since.)"
    marked = [label for label, line in (await told(ComponentStatus.NEEDS_REVISION)).items() if line == mark]
    assert marked == ["Leaning", "Next steps", "Reopened by"]
    assert mark not in (await told(ComponentStatus.COMPLETE)).values()
