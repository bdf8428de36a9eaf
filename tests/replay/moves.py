"""What happens in any thread: people write and press, turns end, processes die, time passes, what is asked for is done.

Each move is tried on a world and tells whether it could be made.
"""

from __future__ import annotations

import json
from typing import Any

from tests.replay.tree import Json
from tests.replay.values import CLICKS, ENDINGS, FAILURES, MANNERS, PEOPLE, REPLIES, SAYINGS, SOURCES, TYPED, ZONES
from tests.replay.world import LASTING, World

RARE = 20
"""One time in so many."""


def writes(world: World, **values: Any) -> bool:
    """Somebody writes, as the worker completes it."""
    draw = world.random
    opens, addressed = draw.choice(MANNERS)
    user = draw.choice(PEOPLE)
    text = draw.choice(SAYINGS) if draw.random() < 0.6 else world.words()
    said: Json = {"text": text, "opens": opens, "addressed": addressed, "idle": draw.random() < 0.15}
    said["user_name"] = "" if user == world.owner else "Ann </state>"
    if user == world.owner:
        said["zone"] = draw.choice(ZONES)
    if draw.randrange(RARE) == 0:
        said["wait"] = 7
    ts = world.ticks()
    if draw.randrange(RARE) == 0:
        ts = f"{float(ts) - 90:.6f}"
    receipt = f"message:{ts}"
    here: Json = {"receipt": receipt, "thread": world.now["thread"], "ts": ts, "user": user}
    world.happens("message_posted", receipt, **here | said | values)
    return True


def owner_writes(world: World) -> bool:
    """The owner says something to us."""
    return writes(world, user=world.owner, user_name="", opens=False, addressed=True, wait=0)


def answers_in_words(world: World) -> bool:
    """The owner writes where a question is open."""
    text = world.random.choice(TYPED)
    asked = bool(world.now["question"])
    return asked and writes(
        world, user=world.owner, user_name="", opens=False, addressed=True, wait=0, text=text, signal=None
    )


def takes_back(world: World) -> bool:
    """A message is edited or deleted."""
    said = [row for row in world.transcript if row["role"] == "person" and row["ts"]]
    if not said:
        return False
    row, draw = world.random.choice(said), world.random
    if draw.random() < 0.5:
        world.acts("message_deleted", user=row["author"], ts=row["ts"])
    else:
        world.acts("message_edited", user=row["author"], ts=row["ts"], text=draw.choice((world.words(), "yes", "")))
    return True


def presses(world: World) -> bool:
    """Somebody presses *Retry* or *Continue* under a reply."""
    replies = [row for row in world.transcript if row["role"] == "assistant"][-3:]
    if not replies:
        return False
    row, draw = world.random.choice((*replies, replies[-1], replies[-1])), world.random
    ts = {"ts": row["parts"][-1]} if row["parts"] and draw.random() < 0.7 else {}
    user = world.somebody(0.9)
    world.acts(draw.choice(("retry_pressed", "retry_pressed", "continue_pressed")), user, reply=row["seq"], **ts)
    return True


def clicks(world: World, value: str = "") -> bool:
    """Somebody answers a question by a button; now and then one of an old card."""
    asked, draw = world.now["question"], world.random
    cards = [row["seq"] for row in world.transcript if row["card"]]
    if not asked and not (cards and draw.randrange(4) == 0):
        return False
    card = asked["card"] if asked and draw.random() < 0.9 else draw.choice(cards or [0])
    question = draw.choice(("", "", asked["id"] if asked else "", "9.9" if draw.randrange(4) == 0 else ""))
    user = world.somebody(0.9)
    world.acts("question_answered", user, card=card, value=value or draw.choice(CLICKS), question=question)
    return True


def steers(world: World) -> bool:
    """The owner, or somebody else, stops, asks or puts away."""
    draw = world.random
    user = world.somebody(0.85)
    written = draw.random() < 0.5
    kind = draw.choice(
        ("stop_requested", "stop_requested", "archive_requested", "word_asked", "erase_requested", "archive_confirmed")
    )
    fields: Json = {}
    match kind:
        case "stop_requested":
            turn = world.now["turn"]
            fields = {"written": written, "reply": draw.choice((0, turn["reply"] if turn else 1, 1))}
        case "archive_requested":
            fields = {"written": written, "ends": draw.choice(("", "2026-05-01T00:00:00+00:00"))}
        case "archive_confirmed":
            fields = {"silent": draw.choice(("", "", world.now["newest"], "1.0")), "ends": ""}
        case "word_asked":
            fields = {"word": draw.choice(("status", "help"))}
        case _:
            pass
    world.acts(kind, user, **fields)
    return True


def reopens(world: World, **found: Any) -> bool:
    """Somebody reopens; where there is nothing to reopen, seldom."""
    if world.now["status"] != "archived" and world.random.randrange(5):
        return False
    user = world.somebody(0.85)
    world.acts("reopen_requested", user, written=world.random.random() < 0.5, **found)
    return True


def cancels_schedule(world: World) -> bool:
    """Somebody wants what was planned not to be done any more."""
    draw = world.random
    if not world.now["schedule"] and draw.randrange(4):
        return False
    cards = world.now["cards"]
    world.acts("schedule_cancelled", world.somebody(0.9), card=draw.choice((0, *cards, 1)))
    return True


def erases(world: World) -> bool:
    """Somebody presses the button that erases, or the time has come that the note of the archiving named."""
    draw = world.random
    if draw.randrange(4):
        return False
    ends = draw.choice(("", "", world.now["ends"], "2026-01-01T00:00:00+00:00"))
    world.acts("erase_confirmed", world.somebody(0.85), ends=ends)
    return True


def time_passes(world: World) -> bool:
    """The calendar looks for what is due and for what was left."""
    draw = world.random
    world.seconds += 60 * draw.choice((0, 9, 11, 60, 8 * 60, 24 * 60))
    newest = world.now["newest"] if draw.random() < 0.85 else "1.0"
    world.told("idle_passed", f"idle:{newest}", newest=newest)
    due = world.now["next_run"] if draw.random() < 0.9 else "2026-01-01T00:00:00+00:00"
    world.told("work_due", f"due:{due}", due=due)
    return True


def is_performed(world: World) -> bool:
    """Do one of the first effects that do not take their time; an erasure when it is the last."""
    open_ = [effect for effect in world.now["effects"] if effect["kind"] not in LASTING]
    if not open_:
        last = [effect for effect in world.now["effects"] if effect["kind"] == "erase"]
        if last and len(world.now["effects"]) == 1 and world.random.randrange(3) == 0:
            world.performs(last[0])
            return True
        return False
    for effect in open_[: world.random.choice((1, 2, 9))]:
        world.performs(effect)
    return True


def place_is_lost(world: World) -> bool:
    """Slack takes the first thing that is to be said no more, where the thread is."""
    speech = [effect for effect in world.now["effects"] if effect["kind"] in ("finish_reply", "show_card")]
    if not speech or world.random.randrange(4):
        return False
    world.finds("place_lost", speech[0]["id"], effect=speech[0]["id"], at=world.ticks())
    return True


def is_parked(world: World) -> bool:
    """Work on it failed too often."""
    if world.random.randrange(4):
        return False
    reply = world.reply if world.now["turn"] else None
    effect = world.random.choice(("", *(each["id"] for each in world.now["effects"])))
    world.finds("work_parked", world.words(), reference="tw-1", at=world.ticks(), effect=effect, reply=reply)
    return True


def dies(world: World) -> bool:
    """The process dies; somebody may have written meanwhile, and some time may have passed."""
    draw = world.random
    world.seconds += draw.choice((0, 0, 30, 700))
    unheard: Json = {"kind": "message_posted", "receipt": "u", "thread": world.now["thread"], "ts": world.ts}
    unheard |= {"user": draw.choice(PEOPLE), "text": "Wait", "opens": False, "addressed": True}
    world.dies((unheard,) if draw.randrange(4) == 0 else ())
    return True


def shows_some(world: World) -> bool:
    """The answer under way is kept as far as it came, and shown."""
    if not world.runs or world.reply["status"] != "streaming":
        return False
    text = world.reply["text"] + world.words()
    standing = world.random.choice((0, len(world.reply["text"])))
    seq = world.reply["seq"]
    world.rows[seq] = world.reply | {"text": text, "standing": standing, "kept_at": world.ts, "parts": [f"{world.ts}"]}
    return True


def ends(world: World, calls: list[Json], text: str | None = None, *, is_ready: bool = False, **values: Any) -> bool:
    """The turn under way comes to its end, with what the model called for; `values` are of its row."""
    draw, status = world.random, values.get("status", "") or world.random.choice(ENDINGS)
    turn, before = world.now["turn"], world.reply
    text = draw.choice((*REPLIES, world.words(), world.words())) if text is None else text
    failed: Json = {"failure": draw.choice(FAILURES), "wait": draw.choice((0, 30)), "reference": "tw-2"}
    reply = before | {
        "text": text,
        "status": status,
        "calls": [*before["calls"], *calls],
        "acted": before["acted"] or bool(calls),
        "content": json.dumps([*closed_round(world), *content(text, world.words(), calls)]) if text or calls else "",
        "rounds": before["rounds"] + 1,
        "model": "claude",
        "usage": {"input_tokens": 900, "output_tokens": 30, "cache_read_tokens": 5, "cache_write_tokens": 7},
        "cost": draw.choice(("", "0.0042")),
        "sources": draw.choice((None, [], list(SOURCES[: draw.randint(1, 3)]))),
        **(failed if status == "failed" else {}),
        **values,
    }
    id_ = turn["id"] if draw.randrange(RARE) else "0.0"
    world.finds("turn_ended", id_, turn=id_, reply=reply, at=world.ticks(), ready=is_ready)
    return True


def said(world: World) -> list[Json]:
    """What the turn under way has said, its open round without results."""
    return json.loads(world.reply["content"]) if world.now["turn"]["uses"] and world.reply["content"] else []


def closed_round(world: World) -> list[Json]:
    """What the turn under way has said, with what came of the tools of its open round."""
    results = [{"type": "tool_result", "tool_use_id": use["id"], "content": "ok"} for use in world.now["turn"]["uses"]]
    return [*said(world), {"role": "user", "content": results}] if said(world) else []


def content(text: str, signature: str, calls: list[Json]) -> list[Json]:
    """What the model made of a turn: a round for each call, and words at its end unless that was a question."""
    words: list[Json] = [{"type": "text", "text": text}] if text else []
    blocks: list[Json] = [{"type": "thinking", "thinking": "", "signature": signature}, *words]
    messages: list[Json] = []
    for place, call in enumerate(calls):
        id_ = f"{signature}{place}"
        use: Json = {"type": "tool_use", "id": id_, "name": call["call"], "input": {}}
        messages.append({"role": "assistant", "content": [*blocks, use]})
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "ok"}]})
        blocks = [{"type": "text", "text": f"{signature}after"}]
    if not any(call["call"] == "ask_person" for call in calls):
        messages.append({"role": "assistant", "content": blocks})
    return messages
