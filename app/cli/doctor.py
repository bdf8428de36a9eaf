"""`threadwise doctor`: stuck work, its meaning, and possible repairs. It prints only ids, times and counts.

No repair loses data, and other processes may keep working meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from app.cli.maintenance import AWAY, find_emptiness
from app.clock import SystemClock, format_ts
from app.core.events.heard import GoalIdled
from app.ports import Acceptance, Clock
from app.runtime.intake import WakingIntake, wake_nobody
from app.settings import Settings
from app.wiring import connect_store, explain_outage
from store.admin.diagnosis import Case, Trouble
from store.crypto.cipher import SealBroken
from store.open import MongoStore

SHOWN = 5
"""Number of ids of one finding that are shown: the oldest."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Name, meaning and remedy of one kind of trouble, and the repair that `--fix` offers, if any."""

    name: str
    means: str
    helps: str
    offer: str = ""


ADVICE: Mapping[Trouble, Advice] = {
    Trouble.PARKED: Advice(
        "parked events",
        "Given up after three failed attempts; the thread was told and went on without them.",
        "Look for the receipt in the log; when the cause is gone, try again.",
        "Try them again",
    ),
    Trouble.WAITING: Advice(
        "events open for long",
        "Nobody has finished them: no process runs for this workspace, or it fails at them again and again.",
        "Is `threadwise run` running, and what does its log say of the receipt?",
        "Let them be tried at once, from the first attempt",
    ),
    Trouble.UNPERFORMED: Advice(
        "effects pending for long",
        "Something is still to be said in these threads, and no event is left that would have it said.",
        "An event that changes nothing has them claimed, and what is pending performed.",
        "Have it performed",
    ),
    Trouble.UNSAID: Advice(
        "threads that cannot be written in",
        "The app was removed from their channel, or that was archived. What they run by themselves is paused.",
        "Invite the app again. What was not said is said with the next word of the owner in the thread.",
    ),
    Trouble.FAILING: Advice(
        "schedules that fail",
        "The last runs of their schedules failed one after the other; the next one waits longer each time.",
        "Look for the conversation in the log. Its owner can cancel the schedule on its card.",
    ),
    Trouble.HELD: Advice(
        "leases held beyond their time",
        "Whoever held these conversations died; the next who works on them takes over.",
        "Nothing has to be done; releasing them moves what waits for the audit trail.",
        "Release them",
    ),
    Trouble.OVERDUE: Advice(
        "schedules overdue",
        "Nobody has looked what is due: no process runs for this workspace, or it cannot keep up.",
        "Start `threadwise run`. What was missed is made up for once.",
    ),
    Trouble.CONVERSATION_UNREADABLE: Advice(
        "conversations that cannot be opened",
        "Their key is gone or needs another master key, they were changed, or a newer version wrote them.",
        "Add the older master key after the first, start the newer version, or `threadwise erase` them.",
    ),
    Trouble.VERSION_UNREADABLE: Advice(
        "approved results that cannot be opened",
        "They need another master key, were changed, or a newer version wrote them.",
        "Add the older master key after the first, or start the newer version.",
    ),
    Trouble.KEY_UNREADABLE: Advice(
        "keys that do not open",
        "They were sealed with a master key that is not in THREADWISE_MASTER_KEY.",
        "Add that key after the first one, then run `threadwise keys rotate`.",
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """All cases of one kind of trouble, the oldest first."""

    trouble: Trouble
    cases: tuple[Case, ...]

    @property
    def advice(self) -> Advice:
        """Return the advice for this kind."""
        return ADVICE[self.trouble]


Agreed = Callable[[Finding], bool]


async def consult(settings: Settings, agreed: Agreed | None, console: Console | None = None) -> bool:
    """Print the findings and, with `agreed`, make each repair that it accepts. Return True if there were
    none, and the database is not one that lost its content.

    Raise `SettingsError`.
    """
    clock, console = SystemClock(), console or Console()
    with explain_outage(AWAY):
        async with connect_store(settings, clock) as store:
            if emptiness := await find_emptiness(settings, store):
                console.print(escape(emptiness.told))
            findings = group_cases(await store.diagnosis.cases())
            show(findings, console)
            for finding in findings:
                if agreed and finding.advice.offer and agreed(finding):
                    helped = await treat(store, finding, clock)
                    console.print(f"{finding.advice.name}: {helped} of {len(finding.cases)} done.")
    return not (findings or (emptiness and emptiness.is_lost))


def group_cases(cases: Sequence[Case]) -> tuple[Finding, ...]:
    """Group cases by kind, in the order of the kinds."""
    order = {trouble: index for index, trouble in enumerate(Trouble)}
    by_kind = groupby(sorted(cases, key=lambda case: order[case.trouble]), key=lambda case: case.trouble)
    return tuple(Finding(trouble, tuple(sorted(same, key=_rank_by_age))) for trouble, same in by_kind)


def show(findings: Sequence[Finding], console: Console) -> None:
    """Print the findings for people. An id is never broken, so that it can be copied."""
    if not findings:
        console.print("Nothing is stuck.")
        return
    for finding in findings:
        console.print(Text(_describe_cases(finding), "bold"))
        console.print(Padding(Text(f"{finding.advice.means} {finding.advice.helps}"), (0, 0, 0, 2)))
        for line in _list_ids(finding.cases):
            console.print(Text(f"    {line}"), soft_wrap=True)


async def treat(store: MongoStore, finding: Finding, clock: Clock) -> int:
    """Make the offered repair for each case. Return the number of repairs that were possible."""
    return sum([await _treat_case(store, case, clock) for case in finding.cases])


async def _treat_case(store: MongoStore, case: Case, clock: Clock) -> bool:
    remedies = store.remedies
    acts: Mapping[Trouble, Callable[[str], Awaitable[bool]]] = {
        Trouble.PARKED: remedies.retry_parked,
        Trouble.WAITING: remedies.retry_waiting,
        Trouble.HELD: remedies.release,
    }
    try:
        return await (_nudge(store, case, clock) if case.trouble not in acts else acts[case.trouble](case.id))
    except SealBroken:  # it has a finding of its own
        return False


async def _nudge(store: MongoStore, case: Case, clock: Clock) -> bool:
    """Have a conversation claimed, by an event that every state refuses without a message (guard of `GoalIdled`)."""
    assert case.thread is not None, "only a conversation has effects"
    at = format_ts(clock.now())
    event = GoalIdled(receipt=f"doctor:{case.id}:{at}", thread=case.thread, at=at, newest="doctor")
    return await WakingIntake(store.inbox, wake_nobody).accept(event) is Acceptance.NEW


def _rank_by_age(case: Case) -> tuple[bool, float]:
    return case.since is None, case.since.timestamp() if case.since else 0


def _describe_cases(finding: Finding) -> str:
    """Return the count and the oldest time (UTC)."""
    since = finding.cases[0].since
    return f"{finding.advice.name}: {len(finding.cases)}" + (f", since {since:%Y-%m-%d %H:%M} UTC" if since else "")


def _list_ids(cases: Sequence[Case]) -> list[str]:
    """Return the ids of the oldest cases, each with its count."""
    ids = [f"{case.id} ({case.count})" if case.count else case.id for case in cases[:SHOWN]]
    return [*ids, *([f"… and {len(cases) - SHOWN} more"] if len(cases) > SHOWN else [])]
