"""The kinds of histories: how each begins, and which moves it draws from, with their weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random
from types import MappingProxyType
from typing import Final

from tests.replay import moves
from tests.replay.tree import Json, Tree
from tests.replay.values import (
    BEGINNING,
    CHANNEL,
    DAILY,
    FAILURES,
    FINDINGS,
    FOUND,
    FREE_CALLS,
    HUB,
    MATERIAL,
    MOVES,
    OTHER,
    OTHER_DRAFT,
    OWNER,
    PHASES,
    PLANS,
    QUESTIONS,
    SOURCES,
    STEP_BEGINNINGS,
    STEP_CALLS,
    STEPS,
    TEAM,
    TOOLS,
    WORK,
)
from tests.replay.world import World, stub, whole

Move = Callable[[World], bool]
Weighted = tuple[tuple[int, Move], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a history begins and goes on."""

    begins: Move
    moves: Weighted


# --- free threads --------------------------------------------------------------------------------


def opens(world: World) -> bool:
    """The message that begins a thread."""
    return moves.writes(world, user=OWNER, user_name="", opens=True, addressed=True, wait=0)


def answers(world: World) -> bool:
    """The turn of a free thread comes to its end."""
    if not world.runs:
        return False
    draw = world.random
    calls = draw.choices(FREE_CALLS, k=draw.choice((0, 0, 0, 1, 1, 2)))
    asks = [draw.choice(QUESTIONS)] if draw.random() < 0.25 else []
    return moves.ends(world, [*calls, *asks])


def uses_tools(world: World) -> bool:
    """The turn goes on with its round of tools or begins one: as far as its first use that is to be asked about."""
    if not world.runs:
        return False
    draw, said = world.random, moves.said(world)
    uses = [use | _done(draw) if use["state"] == "started" else use for use in world.now["turn"]["uses"]]
    if all(use["state"] == "done" for use in uses):
        closed, signature = moves.closed_round(world), world.words()
        uses = [{"id": f"{signature}{place}", "state": "open", **_wished(draw)} for place in range(draw.randint(1, 3))]
        said = [*closed, {"role": "assistant", "content": [{"type": "text", "text": signature}, *map(_block, uses)]}]
    asks = draw.random() < 0.5
    for place, use in enumerate(uses):
        uses[place] = _further(draw, use, world.ts, asks=asks)
        if uses[place]["state"] in ("asked", "started"):
            break
    _reports(world, uses, said)
    return True


def _further(draw: Random, use: Json, at: str, *, asks: bool) -> Json:
    """A use one step further: asked about, begun and perhaps done, or denied for good."""
    if use["state"] == "denied":
        return use | {"state": "done", "result": "no", "failed": True}
    if use["state"] == "open" and asks:
        return use | _judged(use) | {"state": "asked"}
    if use["state"] in ("open", "allowed"):
        begun = use | _judged(use) | {"state": "started", "since": at, "by_rule": draw.random() < 0.3}
        return begun if draw.random() < 0.5 else begun | _done(draw)
    return use


def _wished(draw: Random) -> Json:
    tool = draw.choice(TOOLS)
    return {"tool": tool["tool"], "input": tool["input"]}


def _judged(use: Json) -> Json:
    return next(tool for tool in TOOLS if tool["tool"] == use["tool"])


def _done(draw: Random) -> Json:
    unknown = "It is not known whether this was done. Do not repeat it; ask the owner to look."
    came: tuple[Json, ...] = (
        {"result": "ok", "sources": list(SOURCES[:1]), "address": "https://example.com/p1"},
        {"result": "</message>no such channel", "failed": True},
        {"result": unknown, "failed": True},
    )
    return {"state": "done", **draw.choices(came, (6, 1, 1))[0]}


def _block(use: Json) -> Json:
    return {"type": "tool_use", "id": use["id"], "name": use["tool"], "input": json.loads(use["input"])}


def _reports(world: World, uses: list[Json], said: list[Json]) -> None:
    turn, draw, before = world.now["turn"], world.random, world.reply
    waits = any(use["state"] == "asked" for use in uses)
    calls = draw.choices(FREE_CALLS, k=draw.choice((0, 0, 0, 1)))
    reply = before | {
        "text": next(block["text"] for block in said[-1]["content"] if block["type"] == "text"),
        "content": json.dumps(said),
        "status": "held" if waits else "streaming",
        "acted": True,
        "calls": [*before["calls"], *calls],
        "rounds": turn["rounds"] + 1,
        "kept_at": world.ts,
        "usage": {"input_tokens": 100, "output_tokens": 3, "cache_read_tokens": 0, "cache_write_tokens": 0},
    }
    rounds = turn["rounds"] + 1
    world.finds("uses_reported", turn["id"], turn=turn["id"], reply=reply, uses=uses, rounds=rounds, at=world.ticks())


def permits(world: World) -> bool:
    """The owner says whether something may be done."""
    if world.now["run"] != "awaiting_permission":
        return False
    return moves.clicks(world, world.random.choice(("0", "0", "1", "2", "3")))


def row_is_ahead(world: World) -> bool:
    """The process dies between the row and the state: the row tells of a round that the state never will."""
    turn, draw = world.now["turn"], world.random
    if not world.runs or draw.randrange(3) or any(use["state"] != "done" for use in turn["uses"]):
        return False
    signature = world.words()
    uses = [{"id": f"{signature}{place}", **_wished(draw)} for place in range(2)]
    said = [
        *moves.closed_round(world),
        {"role": "assistant", "content": [{"type": "text", "text": signature}, *map(_block, uses)]},
    ]
    seq = world.reply["seq"]
    shown = {"content": json.dumps(said), "text": draw.choice(("", signature)), "kept_at": world.ts}
    world.rows[seq] = world.reply | shown | {"status": draw.choice(("held", "streaming"))}
    world.dies()
    return True


def plans(world: World) -> bool:
    """A thread that begins with something planned."""
    opens(world)
    return world.runs and moves.ends(world, [world.random.choice(PLANS)], status="complete")


def comes_round(world: World) -> bool:
    """The run that is planned is due when it shall be; it is done, fails or asks."""
    due, draw = world.now["next_run"], world.random
    if not due:
        return False
    world.seconds = max(world.seconds, round(datetime.fromisoformat(due).timestamp()) - BEGINNING) + draw.choice(
        (0, 40)
    )
    world.told("work_due", f"due:{due}", due=due)
    if not world.runs or draw.randrange(4) == 0:
        return True
    if draw.random() < 0.5:
        kind = draw.choice(("timeout", *FAILURES, *("invalid", "misconfigured") * 4))
        model = draw.choice(("", "claude"))
        return moves.ends(world, [], draw.choice(("", "Half")), status="failed", failure=kind, model=model)
    return moves.ends(world, [draw.choice((*WORK, *WORK, DAILY, *QUESTIONS))], status="complete")


def astray(world: World) -> bool:
    """Something comes that has no place here, or not now: it is refused, or it does no harm."""
    draw = world.random
    strays: tuple[Move, ...] = (
        edits,
        restarts,
        asks_for_summary,
        closes_step,
        hears,
        requests_step,
        hands_over,
        closes_decision,
    )
    return draw.choice((*strays, begins_step, begins_decision, reaches_stage, decision_hears))(world)


# --- steps ---------------------------------------------------------------------------------------


def begins_step(world: World) -> bool:
    """It is set up; somebody may have written before that."""
    draw = world.random
    if draw.randrange(5) == 0:
        opens(world)
    begun = draw.choice(STEP_BEGINNINGS)
    world.told("component_started", user=OWNER, decision=HUB, component="objectives", **begun)
    return True


def writes_to_step(world: World) -> bool:
    """Somebody writes; it may be a word to the interview itself."""
    signal = world.random.choice((None, None, None, None, "done", "show"))
    return moves.writes(world, signal=signal, retired=world.random.randrange(40) == 0)


def step_answers(world: World) -> bool:
    """A turn of an interview or an extraction ends; of a draft that it noted it may have seen another edition."""
    if not world.runs:
        return False
    draw, lead = world.random, world.now["interview"]
    if world.reply["stage"] != "none":
        return moves.ends(world, list(draw.choice(FINDINGS)), "")
    calls = draw.choices(STEP_CALLS, k=draw.choice((0, 1, 1, 2)))
    if lead and draw.random() < 0.5:
        edition = lead["edition"] - (draw.randrange(5) == 0)
        calls.append({"call": "draft_noted", "draft": OTHER_DRAFT, "edition": edition})
    if draw.random() < 0.15:
        calls.append(draw.choice(QUESTIONS))
    return moves.ends(world, calls, is_ready=draw.random() < 0.4)


def reaches_stage(world: World) -> bool:
    """The extraction comes to a stage."""
    if world.runs:
        world.finds("stage_reached", world.words(), stage=world.random.choice(("summarize", "serialize")))
    return world.runs


def edits(world: World) -> bool:
    """Somebody changes the draft in a window."""
    draw, lead = world.random, world.now["interview"]
    found = draw.choice(FOUND)
    edition = (lead["edition"] if lead else 0) - (draw.randrange(5) == 0)
    said = world.words() if draw.random() < 0.4 else ""
    user = world.somebody(0.9)
    draft: Json = found["draft"] if found else {}
    world.acts("draft_edited", user, draft=draft, edition=edition, said=said, drafted=found, **_retired(draw))
    return True


def restarts(world: World) -> bool:
    """The owner goes on from a phase."""
    draw = world.random
    world.acts("restart_requested", phase=draw.choice(PHASES), drafted=draw.choice(FOUND), **_retired(draw))
    return True


def asks_for_summary(world: World) -> bool:
    """Somebody presses *Done* or *Show so far*."""
    draw = world.random
    user = world.somebody(0.9)
    world.acts("summary_asked", user, signal=draw.choice(("done", "show")), **_retired(draw))
    return True


def closes_step(world: World) -> bool:
    """Somebody leaves the step as it was approved."""
    world.acts("step_closed", world.somebody(0.9))
    return True


def reopens_step(world: World) -> bool:
    """The step, or its archive, is opened again."""
    if world.now["lifecycle"] != "complete" and world.now["status"] != "archived" and world.random.randrange(5):
        return False
    world.acts("reopen_requested", drafted=world.random.choice(FOUND), **_retired(world.random))
    return True


def approves(world: World) -> bool:
    """The owner approves what waits, or wants changes."""
    return bool(world.now["question"]) and moves.clicks(world, world.random.choice(("0", "0", "0", "1")))


def hears(world: World) -> bool:
    """What it builds on has changed, it has another owner, or its decision is forgotten."""
    draw = world.random
    version = draw.choice((0, 1, 2, 3))
    told: tuple[Json, ...] = (
        {"news": "upstream_change", "component": "frame", "title": "Frame", "version": version},
        {"news": "owner_change", "owner": draw.choice((OWNER, OTHER))},
        {"news": "decision_erased"},
    )
    what = draw.choices(told, (8, 3, 1))[0]
    world.told("news_heard", news=what, drafted=draw.choice(FOUND))
    return True


def _retired(draw: Random) -> Json:
    return {"retired": True} if draw.randrange(moves.RARE) == 0 else {}


# --- decisions -----------------------------------------------------------------------------------


def begins_decision(world: World) -> bool:
    """The hub of a decision is posted."""
    draw = world.random
    direct: Json = {"mode": "direct", "material": MATERIAL, "sources": SOURCES[:1]} if draw.randrange(4) == 0 else {}
    more: Json = direct | {"example": draw.randrange(8) == 0}
    world.told("decision_started", user=OWNER, question="How do we cover it?", steps=STEPS, **more)
    return True


def requests_step(world: World) -> bool:
    """Somebody wants a step to begin."""
    draw = world.random
    key = draw.choice((*(step["key"] for step in STEPS), "nowhere"))
    world.acts("step_requested", world.somebody(0.9), component=key, **_retired(draw))
    if draw.random() < 0.7 and any(effect.get("component") == key for effect in world.now["effects"]):
        _hears_of(world, key, "started")
    return True


def decision_hears(world: World) -> bool:
    """A step tells how it goes on."""
    draw = world.random
    _hears_of(world, draw.choice(STEPS)["key"], draw.choice(MOVES))
    return True


def _hears_of(world: World, key: str, on: str) -> None:
    draw, place = world.random, [step["key"] for step in STEPS].index(key)
    thread: Json = {"team": TEAM, "channel": CHANNEL, "root": f"1770000001.{place:06d}"}
    told: Json = {"news": "step_move", "component": key, "thread": thread, "on": on, "version": draw.randint(0, 4)}
    told |= {"based_on": {step["key"]: draw.randint(0, 4) for step in STEPS if key in step.get("concerns", [])}}
    told |= {"gist": draw.choice(("", f"{key} found")), "deadline": draw.choice(("", "2026-04-01"))}
    told |= {"handles": {"O": draw.randint(0, 5)}, "owner": draw.choice(("", OWNER, OTHER)) if on == "started" else ""}
    world.told("news_heard", news=told)


def hands_over(world: World) -> bool:
    """The decision gets another owner."""
    draw = world.random
    world.acts("ownership_given", draw.choice((world.now["owner"], OWNER, OTHER)), to=draw.choice((OWNER, OTHER)))
    return True


def closes_decision(world: World) -> bool:
    """The owner says that it is made, or takes that back."""
    world.acts("decision_closed", world.now["owner"], reopened=world.random.random() < 0.3)
    return True


# --- what is drawn from --------------------------------------------------------------------------

ANYWHERE: Final[Weighted] = (
    (4, moves.takes_back),
    (3, moves.presses),
    (4, moves.clicks),
    (4, moves.answers_in_words),
    (3, moves.steers),
    (5, moves.reopens),
    (1, moves.erases),
    (12, moves.is_performed),
    (1, moves.place_is_lost),
    (1, moves.is_parked),
    (2, moves.dies),
    (3, moves.shows_some),
    (1, astray),
)
FREE: Final[Weighted] = (*ANYWHERE, (8, moves.writes), (8, moves.owner_writes), (22, answers), (3, moves.time_passes))
STEP: Final[Weighted] = (
    *ANYWHERE,
    *((14, writes_to_step), (24, step_answers), (2, reaches_stage), (3, edits), (3, restarts), (3, asks_for_summary)),
    *((1, closes_step), (4, reopens_step), (8, approves), (3, hears)),
)
DECISION: Final[Weighted] = (
    *ANYWHERE,
    *((3, moves.writes), (10, requests_step), (14, decision_hears), (3, hands_over), (3, closes_decision)),
)

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "free": Kind(opens, FREE),
        "scheduled": Kind(plans, (*FREE, (30, comes_round), (3, moves.time_passes), (2, moves.cancels_schedule))),
        "permission": Kind(opens, (*FREE, (22, uses_tools), (10, permits), (3, row_is_ahead), (3, moves.dies))),
        "step": Kind(begins_step, STEP),
        "decision": Kind(begins_decision, DECISION),
    }
)
"""Seeds are spread over them in turn."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one history."""

    seed: int
    kind: str
    digest: str
    world: World


def play(tree: Tree, seed: int, *, is_told: bool = False) -> Played:
    """Play the history of a seed in a tree."""
    name = [*KINDS][seed % len(KINDS)]
    kind, draw = KINDS[name], Random(f"{name}:{seed}")
    id_ = draw.choice(("v2-c1", "v2-c1", "c1"))
    world = World(tree, draw, whole(tree, stub(id_)), is_told=is_told)
    kind.begins(world)
    weights, all_moves = [weight for weight, _ in kind.moves], [move for _, move in kind.moves]
    left = draw.randint(12, 36)
    while left and not world.is_over:
        move = draw.choices(all_moves, weights)[0]
        left -= move(world)
    return Played(seed, name, world.digest, world)
