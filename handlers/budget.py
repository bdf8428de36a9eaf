"""How much may be said to Slack, and when: the arithmetic of one door, as a value that all processes share.

A door is a method, or a method in one channel. Its budget counts what was sent in the last minute, because that is what
Slack counts, and it believes each refusal. Pure: it is told the time and knows neither waiting nor where it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.ports import Entry

MINUTE = 60.0

MARGIN = 1.0
"""Seconds added to each of Slack's windows: calls may arrive closer together than they were sent, and the clocks of two
machines differ a little."""

KEPT = 24 * 60 * MINUTE
"""Seconds for which a door that nobody uses is remembered."""

STATED = 2 * MINUTE
"""Seconds for which a process's word counts how many answers it has open; it may have died since."""

FINALS_AT_LEAST, PREVIEWS_AT_LEAST = 0.2, 0.2
"""Shares of a scarce budget. Finals have one place kept for each open answer, but never so many that previews end."""

PREVIEWS_AT_ONCE = 10
"""The most previews that may be made faster than a minute's share allows; then they come evenly."""

TRUSTED = 2
"""Calls a minute of a scarce method that are made without asking whether Slack allows them. It may allow few, and one
call too many closes the door for everybody."""

PROBE_GAP = 0.15
"""Seconds between two calls beyond what Slack was seen to allow: it has mostly answered the first by then."""

LONG = 10.0
"""Seconds. A Retry-After that is shorter than this, and ends before our oldest call is a minute old, has another reason
than a minute's limit, and teaches nothing about that."""

LONGEST_HOLD = 32 * MINUTE
"""The longest pause between two tries whether Slack allows more by now."""

OPEN, FULL = (0.0, 0.0), (float(PREVIEWS_AT_ONCE), 0.0)
"""A door that Slack has not closed, and previews of which none was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Slack's limit of a method: so many `calls` in any so many `seconds`, in the workspace or in each channel."""

    calls: int
    seconds: float = MINUTE
    margin: float = MARGIN
    per_channel: bool = False
    scarce: bool = False
    """True if everybody wants it at once: then finals have a share of their own, and the real limit is felt for."""

    @property
    def window(self) -> float:
        """Seconds in which we make no more than `calls`."""
        return self.seconds + self.margin


TIERS: Mapping[str, Tier] = {
    "agents.sessions.setStatus": Tier(calls=50),
    "assistant.threads.setStatus": Tier(calls=50),
    "chat.delete": Tier(calls=50),
    "chat.postEphemeral": Tier(calls=100),
    "chat.postMessage": Tier(calls=4, seconds=4.0, margin=0.25, per_channel=True),
    "chat.update": Tier(calls=50, scarce=True),
    "conversations.create": Tier(calls=20),
    "conversations.history": Tier(calls=50),
    "conversations.info": Tier(calls=50),
    "conversations.invite": Tier(calls=50),
    "conversations.members": Tier(calls=100),
    "conversations.open": Tier(calls=50),
    "conversations.replies": Tier(calls=50),
    "files.completeUploadExternal": Tier(calls=100),
    "files.getUploadURLExternal": Tier(calls=100),
    "reactions.add": Tier(calls=50),
    "reactions.remove": Tier(calls=20),
    "users.conversations": Tier(calls=50),
    "users.info": Tier(calls=100),
    "views.open": Tier(calls=100),
    "views.publish": Tier(calls=100),
    "views.push": Tier(calls=100),
    "views.update": Tier(calls=100),
}
"""Every method that is called. Slack: Tier 2 is 20 calls a minute in a workspace, Tier 3 is 50, Tier 4 is 100;
posts are one a second in a channel with short bursts; `assistant.threads.setStatus` is "special", taken as Tier 3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How many calls a window Slack was seen to allow, and how carefully more is asked of it."""

    proven: int = TRUSTED
    probed: float = 0.0
    """When a call beyond that was made last."""
    held: float = 0.0
    """Until when no such call is made, because one was refused."""
    patience: float = 0.0
    """How long the last such pause was, in seconds; 0 if Slack has allowed more since."""

    @classmethod
    def of(cls, numbers: tuple[float, ...], latest: float) -> Trust:
        """Read it; what was written later than `latest` counts for nothing."""
        proven, probed, held, patience = numbers
        return cls(
            proven=int(proven),
            probed=probed if probed <= latest else 0.0,
            held=held if held <= latest + patience else 0.0,
            patience=patience,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What is left of one door. Times are seconds of the clock on the wall, which processes share."""

    tier: Tier
    sent: tuple[float, ...] = ()
    """When calls were made in the last window, in order."""
    closed: tuple[float, float] = OPEN
    """Until when nothing may be sent (Slack's Retry-After), and when Slack said so."""
    previews: tuple[float, float] = FULL
    """How many previews could be made at once, and when that was so."""
    trust: Trust = field(default_factory=Trust)
    answers: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    """For each process how many answers it has open, and when it said so."""

    people: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    """Of what was sent, what was sent for each person, where that is known."""

    @classmethod
    def of(cls, tier: Tier, entry: Entry, now: float) -> Budget:
        """Read an entry and forget what is over, and what lies in the future: the clock has been set back since.

        Then Slack's own count is no longer known, and its refusals teach it anew; but nobody waits for that time.
        """
        numbers, latest = entry.numbers, now + MARGIN
        until, refused = numbers.get("closed", OPEN)
        left, counted = numbers.get("previews", FULL)

        def lately(times: tuple[float, ...]) -> tuple[float, ...]:
            return tuple(min(at, now) for at in times if now - tier.window < at <= latest)

        theirs = {who: lately(numbers[f"for:{who}"]) for name in numbers if (who := _person(name))}
        stated = {name.partition(":")[2]: said for name, said in numbers.items() if name.startswith("answers:")}
        return cls(
            tier=tier,
            sent=lately(numbers.get("sent", ())),
            closed=(until, refused) if refused <= latest else OPEN,
            previews=(left, counted) if counted <= latest else FULL,
            trust=Trust.of(numbers.get("trust", (TRUSTED, 0.0, 0.0, 0.0)), latest),
            people={who: times for who, times in theirs.items() if times},
            answers={name: (count, at) for name, (count, at) in stated.items() if now - STATED < at <= latest},
        )

    def entry(self, version: int) -> Entry:
        """The same as numbers, to be written over that version."""
        numbers = {"sent": self.sent, "closed": self.closed}
        numbers |= {f"for:{who}": times for who, times in self.people.items()}
        if self.tier.scarce:
            trust = self.trust
            numbers["previews"] = self.previews
            numbers["trust"] = (float(trust.proven), trust.probed, trust.held, trust.patience)
            numbers |= {f"answers:{name}": stated for name, stated in self.answers.items()}
        return Entry(numbers=numbers, version=version)

    def kept(self, now: float) -> float:
        """For how many seconds the entry must not be forgotten."""
        return max(KEPT, self.closed[0] - now)

    def wait(self, now: float, *, preview: bool, person: str = "") -> float:
        """Seconds until a call may be made, as far as is known now; 0 if it may be made at once.

        `person` is for whom it is made, where somebody has asked for it.
        """
        capacity = self._capacity(now)
        waits = [self.closed[0] - now, self._until_fewer(capacity, now), self._until_fair(person, capacity, now)]
        if self.tier.scarce and len(self.sent) >= self.trust.proven:
            waits.append(self.trust.probed + PROBE_GAP - now)
        if self.tier.scarce and preview:
            room = self._room(capacity)
            left, rate = self._evenly(room, now)
            waits += [self._until_fewer(room, now), (1 - left) / rate]
        return max(0.0, *waits)

    def spend(self, now: float, *, preview: bool, person: str = "") -> Budget:
        """Count a call that is made now."""
        theirs = {person: (*self.people.get(person, ()), now)} if person else {}
        after = replace(self, sent=(*self.sent, now), people={**self.people, **theirs})
        if not self.tier.scarce:
            return after
        if preview:
            left, _ = self._evenly(self._room(self._capacity(now)), now)
            # What several processes took at once is a debt; of more than one call it would outlast a window.
            after = replace(after, previews=(max(left - 1, -1.0), max(now, self.previews[1])))
        return replace(after, trust=self._probe(now)) if len(self.sent) >= self.trust.proven else after

    def unspend(self, at: float, *, preview: bool, person: str = "") -> Budget:
        """Uncount a call that was counted at that time and not made. If it is not counted, nothing changes."""
        if at not in self.sent:
            return self
        place = self.sent.index(at)
        left, counted = self.previews
        previews = (left + 1, counted) if preview and self.tier.scarce else self.previews
        theirs = tuple(each for each in self.people.get(person, ()) if each != at)
        people = {who: times for who, times in {**self.people, person: theirs}.items() if times}
        return replace(self, sent=(*self.sent[:place], *self.sent[place + 1 :]), previews=previews, people=people)

    def refuse(self, now: float, seconds: float) -> Budget:
        """Slack refused the newest call and said when to ask again: of several refusals the longest holds.

        If that speaks of the minute's limit, no call beyond what it allowed so far is tried for a while, and longer
        each time that one is refused again. It does, however short the wait, where the last wait was not enough.
        """
        until, said = self.closed
        closed = max(self.closed, (now + max(seconds, MARGIN), now))
        refused = replace(self, sent=self.sent[:-1], closed=closed)
        until_free = (self.sent or (now,))[0] + self.tier.seconds - now
        is_first = until > now or now - said >= self.tier.window
        return refused if is_first and seconds + MARGIN < min(LONG, until_free) else refused._learned(now)

    def _learned(self, now: float) -> Budget:
        """The same after a refusal that means that no more than this can be sent in a window."""
        trust = self.trust
        patience = min(max(self.tier.window, 2 * trust.patience), LONGEST_HOLD)
        believed = max(TRUSTED, min(trust.proven, len(self.sent)))
        return replace(self, trust=replace(trust, proven=believed, held=now + patience, patience=patience))

    def states(self, process: str, count: int, now: float) -> bool:
        """True if it is known that this process has so many answers open; being told in time to stay known counts."""
        said, at = self.answers.get(process, (0.0, now))
        return not self.tier.scarce or (said == count and now - at < STATED / 2)

    def stating(self, process: str, count: int, now: float) -> Budget:
        """The same with the word of a process how many answers it has open: each will want a final edit."""
        others = {name: stated for name, stated in self.answers.items() if name != process}
        return replace(self, answers=others | ({process: (float(count), now)} if count else {}))

    def _capacity(self, now: float) -> int:
        """Calls that may be made in a window."""
        held = self.tier.scarce and now < self.trust.held
        return min(self.trust.proven, self.tier.calls) if held else self.tier.calls

    def _room(self, capacity: int) -> int:
        """How many of them previews may use."""
        wanted = max(capacity * FINALS_AT_LEAST, sum(count for count, _ in self.answers.values()))
        return max(1, round(max(capacity * PREVIEWS_AT_LEAST, capacity - wanted)))

    def _evenly(self, room: int, now: float) -> tuple[float, float]:
        """How many previews could be made at once, and how many more each second: a burst and a window fit the room."""
        at_once = max(1.0, min(PREVIEWS_AT_ONCE, room / 4))
        rate = max(1.0, room - at_once) / self.tier.window
        left, at = self.previews
        # A debt may be older than the refusal that left so little room; it outlasts no window either.
        left = max(left, 1 - rate * self.tier.window)
        return min(at_once, left + max(0.0, now - at) * rate), rate

    def _until_fair(self, person: str, capacity: int, now: float) -> float:
        """Seconds until a call for this person leaves the others theirs.

        One half of a budget is for whoever comes first; of the other each has an equal share, newcomers included. What
        is over in a few seconds is not shared: nobody waits long for it.
        """
        half = capacity // 2
        if not person or self.tier.seconds < MINUTE or len(self.sent) < half:
            return 0.0
        mine = self.people.get(person, ())
        share = max(1, (capacity - half) // len({person, *self.people}))
        own = 0.0 if len(mine) < share else mine[-share] + self.tier.window - now
        return min(own, self._until_fewer(half, now))

    def _until_fewer(self, room: int, now: float) -> float:
        """Seconds until fewer than so many calls were made in the last window."""
        return 0.0 if len(self.sent) < room else self.sent[-room] + self.tier.window - now

    def _probe(self, now: float) -> Trust:
        """The trust after one more call beyond what is proven; the one before was allowed, or it would be lower."""
        grown = len(self.sent) > self.trust.proven
        patience = 0.0 if grown else self.trust.patience
        return replace(self.trust, proven=max(self.trust.proven, len(self.sent)), probed=now, patience=patience)


def _person(name: str) -> str:
    """Whose calls stand under this name; empty if it names something else."""
    return name.removeprefix("for:") if name.startswith("for:") else ""
