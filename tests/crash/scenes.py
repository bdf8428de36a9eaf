"""What people do while the program is killed: one scene for each state that a run can be in.

A scene is a function of a talk and its cues; to add one, write it and put it into `SCENES`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from app.playground.claude import Cut, HttpFault
from tests.crash.cues import SHOWN, TAKEN_IN_SECONDS, Cues
from tests.crash.decider import Decider
from tests.crash.poster import Poster
from tests.crash.talk import Talk
from tests.crash.verdict import Ending, Kind, Wrong

LONG_SECONDS = 30.0

Scene = Callable[[Talk, Cues], Awaitable[None]]


async def first(talk: Talk, cues: Cues) -> None:
    """Somebody begins a thread; the answer is shown as it comes, and finished."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    cues.go_on.set()
    await talk.settled(said)


async def later(talk: Talk, cues: Cues) -> None:
    """Somebody goes on with a thread that rests."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    cues.go_on.set()
    await talk.settled(await talk.says())


async def long(talk: Talk, cues: Cues) -> None:
    """An answer of several messages."""
    await cues.arm()
    await talk.settled(await talk.says("l"))


async def reading(talk: Talk, cues: Cues) -> None:
    """Something is read before the answer."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    said = await talk.says("r")
    await talk.begun(said)
    cues.go_on.set()
    await talk.settled(said)
    await cues.stage.rests(LONG_SECONDS)
    # Once for each process that could not keep what it had read.
    reads = sum(entry["method"] == "conversations.history" for entry in cues.stage.slack.journal.of("call"))
    if reads > 1 + cues.stage.kills:
        cues.wrong.append(Wrong(Kind.TWICE, f"#ops was read {reads} times"))


async def queued(talk: Talk, cues: Cues) -> None:
    """Another message comes while an answer is shown: it gets the next turn."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.says())
    cues.go_on.set()
    await talk.settled(*talk.said)


async def stopped(talk: Talk, cues: Cues) -> None:
    """*Stop* is pressed while an answer is shown."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.presses_stop(said))
    cues.go_on.set()
    await talk.settled(*talk.said)


async def edited(talk: Talk, cues: Cues) -> None:
    """What is being answered is put differently meanwhile."""
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.edits(said))
    cues.go_on.set()
    await talk.settled(said)


async def deleted(talk: Talk, cues: Cues) -> None:
    """What is being answered is taken back meanwhile."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    said = await talk.says("s")
    await talk.begun(said)
    await cues.taken_in(talk, talk.deletes(said))
    cues.go_on.set()
    await talk.settled(said)


async def erased(talk: Talk, cues: Cues) -> None:
    """What was answered long ago is taken back while the thread rests."""
    await talk.settled(await talk.says())
    await talk.settled(said := await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await cues.taken_in(talk, talk.deletes(said))


async def retried(talk: Talk, cues: Cues) -> None:
    """The model fails, and the owner presses *Retry*."""
    cues.fails.append(Cut("dropped", after=SHOWN))
    cues.go_on.set()
    await talk.settled(await talk.says("s"))
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await talk.presses_retry()


async def impatient(talk: Talk, cues: Cues) -> None:
    """The model fails for long, and *Retry* is pressed as soon as it is there, whoever is just dying."""
    cues.fails.append(HttpFault(429, retry_after=60))
    cues.go_on.set()
    await cues.arm()
    await talk.settled(await talk.says("s"))
    if talk.replies()[-1].ending is Ending.MARKED:
        await talk.presses_retry()


async def intruded(talk: Talk, cues: Cues) -> None:
    """Somebody else mentions the program in the owner's thread: that is refused, privately and with a lasting mark."""
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await cues.taken_in(talk, talk.says(who="Sam", wish="lock"))
    await cues.stage.rests(TAKEN_IN_SECONDS)


async def asked(talk: Talk, cues: Cues) -> None:
    """The model asks with buttons, and the owner presses one."""
    cues.go_on.set()
    await cues.arm()
    await talk.settled(await talk.says("a"))
    await talk.chooses()
    await talk.settled(*talk.said)


async def decided(talk: Talk, cues: Cues) -> None:
    """A step of a decision is led from talk to its record, and the next one is started."""
    cues.go_on.set()
    await talk.settled(await talk.says())
    person = Decider(cues.stage, where=talk.where, who=talk.who)
    await person.begins()
    await cues.stage.rests(TAKEN_IN_SECONDS)
    await cues.arm()
    await person.leads()
    await cues.stage.rests(LONG_SECONDS)
    cues.wrong += await person.wrong()


async def permitted(talk: Talk, cues: Cues) -> None:
    """A turn reads, wants to post twice and waits: the owner allows one post, and the next one for good."""
    cues.go_on.set()
    await talk.settled(await talk.says())
    await cues.stage.rests(TAKEN_IN_SECONDS)
    person = Poster(cues.stage)
    await cues.arm()
    await person.wishes()
    await cues.stage.rests(LONG_SECONDS)
    cues.wrong += await person.wrong()


async def unattended(talk: Talk, cues: Cues) -> None:
    """A run of a schedule posts what is allowed for good; another one goes on and asks before it posts."""
    cues.go_on.set()
    await talk.settled(await talk.says())
    person = Poster(cues.stage)
    async with cues.stage.store() as store:
        await person.plans(store)
        await cues.stage.rests(TAKEN_IN_SECONDS)
        await cues.arm()
        await person.waits(store)
        await cues.stage.rests(LONG_SECONDS)
        cues.wrong += [*await person.wrong(), *await person.still_planned(store)]


BY_ITSELF = frozenset({"first", "later", "long", "reading"})
"""Scenes in which nobody has to press anything: whoever dies over the answer, once, somebody goes on with it."""

SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (
        first,
        later,
        long,
        reading,
        queued,
        stopped,
        edited,
        deleted,
        erased,
        retried,
        impatient,
        intruded,
        asked,
        decided,
        permitted,
        unattended,
    )
}
