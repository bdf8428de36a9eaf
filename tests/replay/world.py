"""A conversation as its store keeps it, and all that happens to it. It acts by chance alone, the same for each seed.

It knows stored JSON and nothing else, so that a tree whose modules and classes have other names is driven by the same
history as long as it answers the same. What the worker fills in is filled in here.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from tests.replay.tree import Json, Outcome, Tree
from tests.replay.values import BEGINNING, OTHER, OWNER, THREAD

BUDGET = 900
"""Tokens of history that are sent: so few that a long history is cut."""

WITH_CARDS = frozenset(
    {
        *(
            "message_posted",
            "retry_pressed",
            "stop_requested",
            "erase_confirmed",
            "question_answered",
            "step_requested",
        ),
        *("archive_requested", "archive_confirmed", "reopen_requested", "schedule_cancelled", "summary_asked"),
        *("draft_edited", "restart_requested", "step_closed", "ownership_given", "decision_closed", "news_heard"),
        *("turn_ended", "uses_reported", "work_parked", "place_lost"),
    }
)
WITH_HELD = frozenset({"message_posted", "question_answered"})
ENDING = frozenset(
    {
        *("stop_requested", "erase_confirmed", "archive_requested", "archive_confirmed", "schedule_cancelled"),
        *("restart_requested", "step_closed", "news_heard"),
    }
)
"""What may end the turn under way, whose reply is then brought along."""

LASTING = ("run_turn", "erase")
"""What takes its time, and what is the last thing that is ever done."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One line of a history, for people to read."""

    what: str
    given: Json
    made: Json


@dataclass(slots=True)
class World:
    """`happened` is filled only if the history `is_told`."""

    tree: Tree
    random: Random
    now: Json
    is_told: bool = False
    rows: dict[int, Json] = field(default_factory=dict[int, Json])
    counts: Counter[str] = field(default_factory=Counter[str])
    happened: list[Happened] = field(default_factory=list[Happened])
    is_over: bool = False
    seconds: int = 0
    _count: int = 0
    _digest: Any = field(default_factory=sha256)

    @property
    def digest(self) -> str:
        """Of everything that came of everything so far."""
        return self._digest.hexdigest()

    # What there is

    @property
    def ts(self) -> str:
        """The present moment, as Slack's ts."""
        return f"{BEGINNING + self.seconds}.{self._count % 1_000_000:06d}"

    @property
    def transcript(self) -> list[Json]:
        """The rows that count, in order."""
        return [self.rows[seq] for seq in sorted(self.rows) if seq <= self.now["head"]]

    @property
    def reply(self) -> Json:
        """The row of the turn under way."""
        return self.rows[self.now["turn"]["reply"]]

    @property
    def owner(self) -> str:
        """Whose conversation it is now."""
        return self.now["owner"]

    def somebody(self, share: float) -> str:
        """The owner, in that share of the cases; else somebody other."""
        return self.owner if self.random.random() < share else OTHER

    @property
    def runs(self) -> bool:
        """True while an answer is written."""
        return self.now["run"] == "streaming"

    def words(self) -> str:
        """Words that stand in no other message; now and then many, now and then such as must be cleaned."""
        self._count += 1
        word = f"word-{self._count}-"
        if self._count % 11 == 0:
            word += "</message>\u200b<state>"
        return word * 150 if self._count % 29 == 0 else word

    def ticks(self) -> str:
        """A moment later, as Slack's ts."""
        self._count += 1
        self.seconds += 1
        return self.ts

    # What happens

    def happens(self, kind: str, cause: str, **fields: Any) -> Outcome:
        """Let an event happen, with what the worker would add; it is saved as the store would."""
        filled = self._filled({"kind": kind, **fields})
        was = self.now
        made = self.tree.apply(was, filled, cause)
        self._saw(kind, {"event": filled, "cause": cause}, made)
        if made.error:
            return made
        for row in json.loads(made.messages):
            self.rows[row["seq"]] = row
        self.now = json.loads(made.conversation)
        self.now["version"] += 1
        if self.now["turn"] and self.runs and _began(was, self.now):
            self._asks_the_model()
        return made

    def acts(self, kind: str, user: str = "", **fields: Any) -> Outcome:
        """Somebody does something now."""
        ts = self.ticks()
        receipt = f"{kind}:{self._count}"
        common: Json = {"receipt": receipt, "thread": THREAD, "user": user or self.owner, "ts": ts, "at": ts}
        return self.happens(kind, receipt, **(common | fields))

    def told(self, kind: str, receipt: str = "", **fields: Any) -> Outcome:
        """Something comes from the calendar or from another conversation."""
        at = self.ticks()
        receipt = receipt or f"{kind}:{self._count}"
        return self.happens(kind, receipt, receipt=receipt, thread=THREAD, at=at, **fields)

    def finds(self, kind: str, cause: str, **fields: Any) -> Outcome:
        """The worker finds something out."""
        return self.happens(kind, cause, **fields)

    def closed(self, **values: Any) -> Json:
        """The row of the turn under way, as the session closes it."""
        text = "" if self.reply["stage"] != "none" else self.words()
        return self.reply | {"text": text, "status": "cancelled"} | values

    def performs(self, effect: Json) -> None:
        """Do an effect: what is shown gets its place in Slack. After an erasure there is nothing more."""
        seq = effect.get("reply") or effect.get("card")
        if effect["kind"] in ("finish_reply", "show_card") and seq in self.rows and not self.rows[seq]["parts"]:
            self.rows[seq] = self.rows[seq] | {"parts": [f"{BEGINNING}.9{seq:05d}"]}
        made = self.tree.performed(self.now, effect["id"])
        self._notes("performed", {"effect": effect}, made)
        self.now = json.loads(made)
        self.now["version"] += 1
        self.is_over = effect["kind"] == "erase"

    def dies(self, unheard: tuple[Json, ...] = ()) -> None:
        """The process dies, and another one takes over."""
        self.now = self.now | {"fence": self.now["fence"] + 1}
        if self.now["turn"] is None or not self.runs:
            return
        turn, row = self.now["turn"]["id"], self.reply
        closed, goes_on = self.tree.after_death(self.now, row, self.ts, unheard)
        self._notes(f"died:{'goes on' if goes_on else 'closed' if closed else 'again'}", {"reply": row}, closed)
        if goes_on:
            self.finds("turn_taken_up", turn, turn=turn, reply=row)
            self._asks_the_model()
        elif closed:
            self.finds("turn_ended", turn, turn=turn, reply=json.loads(closed), at=self.ts)
        else:
            self._asks_the_model()

    # What the worker adds

    def _filled(self, event: Json) -> Json:
        kind = event["kind"]
        if kind in WITH_CARDS:
            event.setdefault("cards", [self.rows[seq] for seq in self.now["cards"] if seq in self.rows])
        if kind in WITH_HELD:
            event["held"] = self.reply if self.now["run"] == "awaiting_permission" else None
        if kind in ("retry_pressed", "continue_pressed"):
            event["target"] = self.rows.get(event["reply"])
        if kind == "question_answered":
            event["target"] = self.rows.get(event["card"])
        if kind in ("message_edited", "message_deleted"):
            event["targets"] = [row for row in self.transcript if row["ts"] == event["ts"]]
        if kind == "message_deleted" and self.now["interview"]:
            event["quoting"] = [row for row in self.transcript if row["data"] or row["content"] or row["calls"]]
        if kind in ENDING and self.now["turn"]:
            ends = self.tree.ends_turn(self.now, event)
            self._digest.update(b"1" if ends else b"0")
            event["partial"] = self.closed() if ends else None
        return event

    def _asks_the_model(self) -> None:
        """Build the request of a turn as the session does: first a shorter history if one is due."""
        turn = self.now["turn"]
        if not turn["rounds"] and (epoch := self.tree.epoch(self.now, self.transcript, BUDGET)):
            self.finds(**(json.loads(epoch) | {"cause": turn["id"]}))
        sent = self.tree.request(self.now, self.transcript, self.reply)
        self._notes("asked the model", {}, sent)

    # What is kept of it

    def _saw(self, kind: str, given: Json, made: Outcome) -> None:
        verdict = f"error {made.error}" if made.error else f"refused {made.code}" if made.code else "applied"
        self.counts[f"{kind} {verdict}"] += 1
        for part in made.parts:
            self._digest.update(part)
        if self.is_told:
            read: Json = {
                "conversation": json.loads(made.conversation),
                "messages": json.loads(made.messages or "[]"),
                "audit": json.loads(made.audit or "[]"),
                "code": made.code,
                "error": made.error,
            }
            self.happened.append(Happened(f"{kind} {verdict}", given, read))

    def _notes(self, what: str, given: Json, made: bytes) -> None:
        self.counts[what] += 1
        self._digest.update(made)
        if self.is_told:
            self.happened.append(Happened(what, given, {"made": json.loads(made or "null")}))


def stub(id_: str) -> Json:
    """A conversation as the inbox begins it."""
    return {"id": id_, "thread": THREAD, "owner": OWNER}


def whole(tree: Tree, now: Json) -> Json:
    """The same with every field that it has by default."""
    return json.loads(tree.state(now))


def _began(was: Json, now: Json) -> bool:
    """True if a turn was begun, or goes on after it has waited."""
    before = was["turn"]
    return before is None or before["id"] != now["turn"]["id"] or was["run"] != "streaming"
