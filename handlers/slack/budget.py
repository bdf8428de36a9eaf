"""The budget of a door: how many calls Slack allows, and when, as a value that all processes share.

A door is a method, or a method in one channel. Like Slack, the budget counts the calls of the last minute, and it
learns from each refusal. Pure: it is given the time, and does not know how it waits or where it is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.ports import Entry

MINUTE = 60.0

MARGIN = 1.0
"""Seconds added to each of Slack's windows: calls may arrive closer together than they were sent, and the clocks of
machines differ a little."""

KEPT = 24 * 60 * MINUTE
"""Seconds for which an unused door is remembered."""

STATED = 2 * MINUTE
"""Seconds for which a process's number of open replies is valid, because it may have died since."""

FINALS_AT_LEAST, PREVIEWS_AT_LEAST = 0.2, 0.2
"""Shares of a scarce budget. Each open reply reserves one call for its final form, but previews never lose their
share."""

PREVIEWS_AT_ONCE = 10
"""The most previews that may be sent faster than a minute's share allows; after them, previews come evenly."""

TRUSTED = 2
"""Calls a minute of a scarce method that are made without probing. Slack may allow few, and one call too many closes
the door for all processes."""

PROBE_GAP = 0.15
"""Seconds between two calls beyond the proven number, in which Slack has usually answered the first."""

LONG = 10.0
"""Seconds. A Retry-After has another cause than the limit per minute if it is shorter and ends before our oldest
call is a minute old. Nothing is learned from it."""

LONGEST_HOLD = 32 * MINUTE
"""The longest pause before it is probed again whether Slack allows more."""

AHEAD = 4
"""Places that are taken ahead for a status: two turns, which begin and end."""

AHEAD_SECONDS = 15.0
"""Seconds for which a place that was taken ahead may be used. It is counted under the end of that time."""

FOR, BY = "for:", "answers:"
"""Beginnings of the names of an entry's numbers: the calls for a person, and the open replies of a process."""

OPEN, FULL = (0.0, 0.0), (float(PREVIEWS_AT_ONCE), 0.0)
"""The initial values: a door that Slack has not closed, and all previews available."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Slack's limit of a method: `calls` in any `seconds`, per workspace or per channel."""

    calls: int
    seconds: float = MINUTE
    margin: float = MARGIN
    per_channel: bool = False
    ahead: int = 0
    """Places that are taken with a wanted one, while half of the budget is free: more calls are soon wanted."""
    scarce: bool = False
    """True if it is contended: finals then have a reserved share, and Slack's real limit is probed."""

    @property
    def window(self) -> float:
        """Return the seconds in which we make at most `calls`."""
        return self.seconds + self.margin


TIERS: Mapping[str, Tier] = {
    "agents.sessions.setStatus": Tier(calls=50, ahead=AHEAD),
    "assistant.threads.setStatus": Tier(calls=50, ahead=AHEAD),
    "chat.delete": Tier(calls=50),
    "chat.postEphemeral": Tier(calls=100),
    "chat.postMessage": Tier(calls=4, seconds=4.0, margin=0.25, per_channel=True),
    "chat.update": Tier(calls=50, scarce=True),
    "conversations.create": Tier(calls=20),
    "conversations.history": Tier(calls=50),
    "conversations.info": Tier(calls=50),
    "conversations.invite": Tier(calls=50),
    "conversations.list": Tier(calls=20),
    "conversations.members": Tier(calls=100),
    "conversations.open": Tier(calls=50),
    "conversations.replies": Tier(calls=50),
    "files.completeUploadExternal": Tier(calls=100),
    "files.getUploadURLExternal": Tier(calls=100),
    "files.info": Tier(calls=100),
    "reactions.add": Tier(calls=50),
    "reactions.remove": Tier(calls=20),
    "users.conversations": Tier(calls=50),
    "users.info": Tier(calls=100),
    "users.list": Tier(calls=20),
    "views.open": Tier(calls=100),
    "views.publish": Tier(calls=100),
    "views.push": Tier(calls=100),
    "views.update": Tier(calls=100),
}
"""Every method that is called. In Slack, Tier 2 is 20 calls a minute per workspace, Tier 3 is 50, Tier 4 is 100. Posts
are one a second per channel with short bursts. `assistant.threads.setStatus` is "special", and treated as Tier 3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """The proven number of calls a window, and the state of probing for more."""

    proven: int = TRUSTED
    probed: float = 0.0
    """Time of the last call beyond that."""
    held: float = 0.0
    """Time until which there is no such call, because one was refused."""
    patience: float = 0.0
    """Length of the last such pause in seconds; 0 if Slack has allowed more since."""

    @classmethod
    def of(cls, numbers: tuple[float, ...], latest: float) -> Trust:
        """Read the numbers, ignoring any that were written later than `latest`."""
        proven, probed, held, patience = numbers
        return cls(
            proven=int(proven),
            probed=probed if probed <= latest else 0.0,
            held=held if held <= latest + patience else 0.0,
            patience=patience,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The remaining budget of one door. Times are wall-clock seconds, which processes share."""

    tier: Tier
    sent: tuple[float, ...] = ()
    """Times of the calls in the last window, in order, and of the places that were taken ahead."""
    closed: tuple[float, float] = OPEN
    """Time until which nothing may be sent (Slack's Retry-After), and when Slack said so."""
    previews: tuple[float, float] = FULL
    """Number of previews that could be sent at once, and at which time."""
    trust: Trust = field(default_factory=Trust)
    answers: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    """For each process, its number of open replies, and when it stated that."""

    people: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    """For each known person, the calls that were made for them."""

    @classmethod
    def of(cls, tier: Tier, entry: Entry, now: float) -> Budget:
        """Read an entry, without numbers that have expired or lie in the future because a clock was set back.

        Slack's own count is then unknown, and is learned from refusals; no call waits for a future time.
        """
        numbers, latest = entry.numbers, now + MARGIN
        reserved = AHEAD_SECONDS if tier.ahead else 0.0
        until, refused = numbers.get("closed", OPEN)
        left, counted = numbers.get("previews", FULL)

        def lately(times: tuple[float, ...]) -> tuple[float, ...]:
            return tuple(min(at, now + reserved) for at in times if now - tier.window < at <= latest + reserved)

        theirs = {name.removeprefix(FOR): lately(said) for name, said in numbers.items() if name.startswith(FOR)}
        stated = {name.removeprefix(BY): said for name, said in numbers.items() if name.startswith(BY)}
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
        """Return the budget as an entry, to be written over that version."""
        numbers = {"sent": self.sent, "closed": self.closed}
        numbers |= {f"{FOR}{who}": times for who, times in self.people.items()}
        if self.tier.scarce:
            trust = self.trust
            numbers["previews"] = self.previews
            numbers["trust"] = (float(trust.proven), trust.probed, trust.held, trust.patience)
            numbers |= {f"{BY}{name}": stated for name, stated in self.answers.items()}
        return Entry(numbers=numbers, version=version)

    def find_retention(self, now: float) -> float:
        """Return the seconds for which the entry must be kept."""
        return max(KEPT, self.closed[0] - now)

    def wait(self, now: float, *, preview: bool, person: str = "") -> float:
        """Return the seconds until a call may be made, as far as is known now; 0 if it may be made at once.

        `person` is the person who asked for it, if any.
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
        after = replace(self, sent=tuple(sorted((*self.sent, now))), people={**self.people, **theirs})
        if not self.tier.scarce:
            return after
        if preview:
            left, _ = self._evenly(self._room(self._capacity(now)), now)
            # Several processes can overdraw the previews. A debt of more than one call would outlast a window.
            after = replace(after, previews=(max(left - 1, -1.0), max(now, self.previews[1])))
        return replace(after, trust=self._probe(now)) if len(self.sent) >= self.trust.proven else after

    def count_ahead(self) -> int:
        """Return how many places may be taken ahead: never more than leaves half of the budget to who calls at once."""
        return max(0, min(self.tier.ahead, self.tier.calls // 2 - len(self.sent)))

    def is_closed(self, now: float) -> bool:
        """Return True if Slack has said that nothing may be sent now."""
        return now < self.closed[0]

    def unspend(self, at: float, *, preview: bool, person: str = "") -> Budget:
        """Remove a call that was counted at that time and not made. An uncounted call changes nothing."""
        if at not in self.sent:
            return self
        place = self.sent.index(at)
        left, counted = self.previews
        previews = (left + 1, counted) if preview and self.tier.scarce else self.previews
        theirs = tuple(each for each in self.people.get(person, ()) if each != at)
        people = {who: times for who, times in {**self.people, person: theirs}.items() if times}
        return replace(self, sent=(*self.sent[:place], *self.sent[place + 1 :]), previews=previews, people=people)

    def refuse(self, now: float, seconds: float) -> Budget:
        """Record that Slack refused the newest call for these seconds. The longest of several refusals holds.

        If the cause is the limit per minute, no call beyond the proven number is tried for a while. The pause grows
        with each repeated refusal. A refusal right after a wait has that cause, too, however short it is.
        """
        until, said = self.closed
        closed = max(self.closed, (now + max(seconds, MARGIN), now))
        refused = replace(self, sent=self.sent[:-1], closed=closed)
        until_free = (self.sent or (now,))[0] + self.tier.seconds - now
        is_first = until > now or now - said >= self.tier.window
        return refused if is_first and seconds + MARGIN < min(LONG, until_free) else refused._learn(now)

    def _learn(self, now: float) -> Budget:
        """Return the budget after a refusal that proves this number of calls to be the limit."""
        trust = self.trust
        patience = min(max(self.tier.window, 2 * trust.patience), LONGEST_HOLD)
        believed = max(TRUSTED, min(trust.proven, len(self.sent)))
        return replace(self, trust=replace(trust, proven=believed, held=now + patience, patience=patience))

    def states(self, process: str, count: int, now: float) -> bool:
        """Return True if this process's number of open replies is stated, and recently enough."""
        said, at = self.answers.get(process, (0.0, now))
        return not self.tier.scarce or (said == count and now - at < STATED / 2)

    def state(self, process: str, count: int, now: float) -> Budget:
        """Return the budget with a process's number of open replies, each of which will need a final edit."""
        others = {name: stated for name, stated in self.answers.items() if name != process}
        return replace(self, answers=others | ({process: (float(count), now)} if count else {}))

    def _capacity(self, now: float) -> int:
        """Return the calls that may be made in a window."""
        held = self.tier.scarce and now < self.trust.held
        return min(self.trust.proven, self.tier.calls) if held else self.tier.calls

    def _room(self, capacity: int) -> int:
        """Return how many of them previews may use."""
        wanted = max(capacity * FINALS_AT_LEAST, sum(count for count, _ in self.answers.values()))
        return max(1, round(max(capacity * PREVIEWS_AT_LEAST, capacity - wanted)))

    def _evenly(self, room: int, now: float) -> tuple[float, float]:
        """Return the previews available now, and how many are added each second.

        A burst and a window fit into the room.
        """
        at_once = max(1.0, min(PREVIEWS_AT_ONCE, room / 4))
        rate = max(1.0, room - at_once) / self.tier.window
        left, at = self.previews
        # A debt may be older than the refusal that left so little room. It outlasts no window either.
        left = max(left, 1 - rate * self.tier.window)
        return min(at_once, left + max(0.0, now - at) * rate), rate

    def _until_fair(self, person: str, capacity: int, now: float) -> float:
        """Return the seconds until a call for this person leaves other people their share.

        Half of a budget goes to the first callers. Of the other half, each person has an equal share, newcomers
        included. Limits of a few seconds are not shared, because no wait for them is long.
        """
        half = capacity // 2
        if not person or self.tier.seconds < MINUTE or len(self.sent) < half:
            return 0.0
        mine = self.people.get(person, ())
        share = max(1, (capacity - half) // len({person, *self.people}))
        own = 0.0 if len(mine) < share else mine[-share] + self.tier.window - now
        return min(own, self._until_fewer(half, now))

    def _until_fewer(self, room: int, now: float) -> float:
        """Return the seconds until the last window has fewer than this many calls."""
        return 0.0 if len(self.sent) < room else self.sent[-room] + self.tier.window - now

    def _probe(self, now: float) -> Trust:
        """Return the trust after one more call beyond the proven ones.

        The previous call was allowed, or it would be lower.
        """
        patience = 0.0 if len(self.sent) > self.trust.proven else self.trust.patience
        return replace(self.trust, proven=max(self.trust.proven, len(self.sent)), probed=now, patience=patience)
