"""The sentences of the scripted demo model."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.playground.claude.demo.request import Heard, quoted, shortened

STATUS_QUO = "Keep things as they are"

_NEXT_QUESTIONS = (
    "What makes this come up now – what happened?",
    "Who else is affected, and what would they say matters most?",
    "What would a good outcome look like, in one sentence?",
    "What have you already ruled out, and why?",
    "What would you need to find out before you could choose?",
)
INTRODUCTION = (
    "I am a rehearsal: a small script that stands in for Claude, so that you can try the app "
    "without a key. I read your words and answer from patterns; I know nothing beyond this thread.\n\n"
    "Things to try with me:\n\n"
    "- tell me a situation: *our evening calls go unanswered*\n"
    "- ask me to choose: *should we hire someone or use an agency?*\n"
    "- ask for more: *please give me a long answer*\n"
    "- let me work: *post to #ops: we close at five*, or *what is new in #ops?*\n"
    "- let me use a tool of somebody else: *open a ticket: the lamp in the kitchen is broken*\n\n"
    "**What would you like to think through?**"
)
LISTENING = "I am listening.\n\n**What situation is on your mind?**"
CALLED_OFF = "It is called off: I will not do that any more.\n\n**What would help you instead?**"
OFFERED = (
    "That is worth a guided decision: nine short steps, from what worries you to a report that you can hand on.\n\n"
    "The button below begins it, and you choose where. Or go on here: what makes it hard?"
)
WILLING = "Gladly. First I need to see what there is to choose from."
LET_GO = "All right, I let it go: nothing of it goes on.\n\n**What would you like to do instead?**"
DIFFERENT = "Good that I asked.\n\n**What shall be different?**"
NO_WEB = "There is no web here: I am a script, and nothing left this machine."
LEFT = "Then I leave it: nothing was done.\n\n**What would help you instead?**"
WHAT_TO_PUT = "Gladly. Say it with what belongs into it: *make a CSV of …, …*\n\n**What shall be in it?**"


def greeting(heard: Heard) -> str:
    """Welcome the person, or welcome them back."""
    hello = f"Hello {heard.name}!" if heard.name else "Hello!"
    if heard.remembered:
        return (
            f"{hello} Good to have you back. Earlier you said {quoted(heard.remembered)}.\n\n"
            "**Shall we go on from there, or is there something new on your mind?**"
        )
    return (
        f"{hello} I help people get from “something is bothering us” to a decision they can explain "
        "to others. We take it one small step at a time, and you can stop whenever you like.\n\n"
        "**What situation is on your mind?** A rough sentence is plenty."
    )


def thanks(heard: Heard, *, made: bool = False) -> str:
    """Close, and leave a way to come back; about something that was `made`, without a question."""
    name = f", {heard.name}" if heard.name else ""
    if made:
        begun = f"You're welcome{name}." if "thank" in heard.words.casefold() else f"I am glad that it fits{name}."
        return f"{begun} All of it stays here in the thread: write here whenever you want to go on."
    kept = f" Your words – {quoted(heard.topic)} – stay here in the thread." if heard.topic else ""
    return (
        f"You're welcome{name}.{kept}\n\n**Is there one small thing you could do this week that would move this on?**"
    )


def choice(heard: Heard) -> str:
    """Lay the options out in a table, with the option to do nothing among them."""
    return (
        f"{laid_out(heard, with_status_quo(heard.options))}\n\n{_beside(heard)}"
        "**Before we fill it in:** when you look back in a year, what would have to be better for you "
        "to call it a good choice?"
    )


def laid_out(heard: Heard, options: Sequence[str]) -> str:
    """Return the table of a choice with an option to do nothing, and its explanation."""
    name = f"{heard.name}, that" if heard.name else "That"
    today = next(option for option in options if _is_status_quo(option))
    return (
        f"{offer(heard)}"
        f"{name} is a real choice, so let us see the options side by side before anyone argues for one.\n\n"
        f"{options_table(options)}\n\n"
        f"I left the cells open: you know your situation, I do not. *{today}* has a special place: it is "
        "what happens if nobody decides, and every other option has to beat it."
    )


def offer(heard: Heard) -> str:
    """Return an offer to begin a decision or a goal, for the first words of a thread; empty later."""
    if heard.turn:
        return ""
    return (
        "To decide it with reasons you can show, write `/decide` in the channel: I then lead you through nine short "
        "steps. If you want something made instead, say so: *I want to write …* gives you a goal and a plan.\n\n"
    )


def with_status_quo(options: Sequence[str]) -> Sequence[str]:
    """Return the options, with the option to do nothing added if it is missing."""
    return options if any(map(_is_status_quo, options)) else [*options, STATUS_QUO]


def _is_status_quo(option: str) -> bool:
    return re.match(r"(keep|stay|do nothing|wait|leave (it|things|everything))\b", option, re.I) is not None


def options_table(options: Sequence[str]) -> str:
    """Return a pros-and-cons table in Markdown, with cells for the person to fill."""
    rows = [f"| **{option}** | … | … |" for option in options]
    return "\n".join(["| Option | Speaks for it | Speaks against it |", "|---|---|---|", *rows])


def _beside(heard: Heard) -> str:
    """Return a paragraph that puts the earlier words beside the new ones; empty if there are none."""
    if heard.remembered is None:
        return ""
    return f"Earlier you said {quoted(heard.remembered)} – keep that beside it.\n\n"


def question(heard: Heard) -> str:
    """Turn a question that the script cannot answer into one that the person can."""
    return (
        f"You ask: {quoted(heard.words)}\n\n{offer(heard)}"
        "I can't look that up, and I won't guess. But a question like this usually stands in front of "
        "a decision, so two things are worth a minute:\n\n"
        "- **If you knew the answer,** what would you do differently?\n"
        "- **Who could know it,** and what would it cost to ask?\n\n"
        f"If the answer would change nothing, you can let the question go.\n\n{_beside(heard)}"
        "**Which decision is waiting for this answer?**"
    )


def doubt(heard: Heard) -> str:
    """Divide a worry into a part that can be learnt and a part that has to be accepted."""
    return (
        f"Something is uncertain here: {quoted(heard.words)}. Better on the table than in the back of "
        "your head. Uncertainties come in two kinds:\n\n"
        "1. **You can find out** – by asking, counting or trying it small.\n"
        "2. **You can't find out in time** – then choose something that is fine either way.\n\n"
        f"{_beside(heard)}"
        "**Which kind is yours, and what is the worst that could plausibly happen?**"
    )


def wish(heard: Heard) -> str:
    """Acknowledge a goal, and ask for the one behind it."""
    return (
        f"I hear a goal in that: {quoted(heard.words)}.\n\n"
        "Two checks make a goal useful later:\n\n"
        "- **Why does it matter?** Keep asking until the answer is “it just does”. That one is the goal; "
        "the others are ways to get there.\n"
        "- **How would you see it?** Something you could count, and whether more or less is better.\n\n"
        f"{_beside(heard)}"
        "**So: why does it matter to you?**"
    )


def statement(heard: Heard) -> str:
    """Take a thought down, put it beside the earlier ones, and ask the next question."""
    next_question = _NEXT_QUESTIONS[heard.turn % len(_NEXT_QUESTIONS)]
    if heard.remembered:
        return (
            f"Earlier you said {quoted(heard.remembered)}. Now I add {quoted(heard.words)}.\n\n"
            "Side by side: is one the cause of the other, or do both come from something third? "
            "If you are not sure, that is worth knowing too.\n\n"
            f"**{next_question}**"
        )
    hello = f"Thank you, {heard.name}." if heard.name else "Thank you."
    return (
        f"{hello} I have noted {quoted(heard.words)}.\n\n"
        "A first thought is usually one of four things: a **decision** to make, a **goal** behind it, "
        "an **uncertainty**, or **background**. No need to sort it yet.\n\n"
        f"**{next_question}**"
    )


def files(names: str) -> str:
    """Say that a script does not look into files."""
    return f"You have sent me {names}. Claude would read it now; a script cannot look inside."


_RECALLED = 3
"""Number of the person's own thoughts in a draft."""


def run(heard: Heard) -> str:
    """Do the scheduled work, as far as a script can."""
    return (
        f"It is time: {quoted(heard.words)}\n\n"
        "Claude would do it now. I am a script, so this reminder is all there is – but it came by itself."
    )


def scheduled(told: str) -> str:
    """Confirm a schedule; `told` is the app's description of it."""
    return (
        f"Noted: {told}. The card shows it: *Pause* there holds it, and *Cancel* ends it.\n\n"
        "**Is there anything else that I shall do then?**"
    )


def planned(plan: str) -> str:
    """Tell the plan as the app describes it."""
    return f"This is planned: {plan.removesuffix('.')}. Its card above says when it comes next, or that it is paused."


def not_scheduled(told: str) -> str:
    """Say why it cannot be scheduled; `told` is the app's reason."""
    return f"{told}\n\n**When exactly shall it be?**"


def aside(heard: Heard) -> str:
    """Reply to a message that is no answer, and leave the question open."""
    return (
        f"You say {quoted(heard.words)}. I keep that beside my question, which can wait: "
        "press one of its buttons, or answer in your own words, whenever you like."
    )


def understood(told: str) -> str:
    """Say how an answer was taken; `told` is the app's description."""
    return f"{told} If you meant something else, just say so.\n\n**What speaks for it, in one sentence?**"


def leaning(heard: Heard) -> str:
    """Acknowledge a first preference."""
    return (
        f"So today it is {quoted(heard.words)}. A first preference is worth writing down: it tells what matters to "
        "you before the arguments come.\n\n"
        "Two checks before you trust it:\n\n"
        "- **Turn it around.** Imagine you had chosen otherwise: what would you miss?\n"
        "- **Ask the one who loses.** Who carries the cost of it, and what would they say?\n\n"
        "**What would have to be true for another option to be better?**"
    )


def wanted(heard: Heard) -> str:
    """Acknowledge the wish for a result."""
    return f"I hear what you want: {quoted(heard.words)}. Two things I need to know for it, one after the other."


def noted(heard: Heard) -> str:
    """Confirm a piece of information."""
    return f"Noted: {quoted(heard.words)}. One more thing."


def builds(heard: Heard) -> str:
    """Acknowledge the wish for something that is built."""
    return f"I hear what you want: {quoted(heard.words)}. One thing I need to know before I plan it."


def plan_built(goal: str, kind: str, *, plain: bool) -> str:
    """Propose a plan for something that is built with this."""
    named = "You named nothing to make it with, so I take plain HTML." if plain else f"It is made with {kind}."
    return (
        f"That is enough to begin. My plan for {quoted(goal)}:\n\n"
        "1. a frame with a part for each thing that you named,\n"
        "2. you say what is wrong with it,\n"
        "3. a second frame, and then it is yours.\n\n"
        f"{named}"
    )


@dataclass(frozen=True)
class Frame:
    """Something that is built, in the person's own words."""

    goal: str
    parts: Sequence[str]
    changes: Sequence[str]
    tag: str
    """The HTML element of each part."""


def built(frame: Frame, *, again: bool) -> str:
    """Show a frame of the person's own words, because a script cannot write the rest."""
    parts = [f"  <{frame.tag}>{html.escape(shortened(part, 80))}</{frame.tag}>" for part in frame.parts]
    lines = ["<main>", f"  <h1>{html.escape(shortened(frame.goal, 80))}</h1>", *parts, "</main>"]
    code = "\n".join(lines)
    changes = "\n".join(f"- {shortened(each)}" for each in frame.changes)
    noted = f"You want it otherwise here:\n\n{changes}\n\n" if changes else ""
    return (
        f"{_which_draft(again=again)}\n\n```html\n{code}\n```\n\n"
        f"{noted}Claude would write the code behind it; a script can only put your own words into a frame.\n\n"
        "**Is this what you wanted, or shall something change?**"
    )


def _which_draft(*, again: bool) -> str:
    return "Here is the next draft." if again else "Here is the first draft."


def plan(goal: str) -> str:
    """Propose a plan."""
    return (
        f"That is enough to begin. My plan for {quoted(goal)}:\n\n"
        "1. a first draft from what you told me,\n"
        "2. you say what is wrong with it,\n"
        "3. a second draft, and then it is yours."
    )


def changed(words: str) -> str:
    """Take a change into the plan."""
    return f"Understood: {quoted(words)}. Everything else stays as planned."


def draft(goal: str, said: Sequence[str], *, again: bool) -> str:
    """Show a result that consists of the person's own words, because a script has no others."""
    told = [shortened(words) for words in said[-_RECALLED:]]
    points = "\n".join(f"- [ ] {words}" for words in told)
    return (
        f"{_which_draft(again=again)}\n\n### {shortened(goal, 80)}\n\n{points}\n\n"
        "Claude would write it out; a script can only put your own words in order.\n\n"
        "**Is this what you wanted, or shall something change?**"
    )


Said = tuple[str, str]
"""Author and text of a message."""

Told = tuple[str, str]
"""Result of a call, and the question that follows from it."""

_WHY = 400  # characters of a reason


def together(told: Sequence[Told], alone: bool) -> str:
    """Combine the results of several calls, with the last one's question."""
    words = "\n\n".join(words for words, _ in told)
    return words if alone else f"{words}\n\n**{told[-1][1]}**"


def posted(came: Mapping[str, Any]) -> Told:
    """Say where the post is."""
    where = f"[It stands in {came['query']['channel']}]({came['address']})"
    return f"Done. {where}, with your name below it.", "What else shall they know?"


def filed(came: Mapping[str, Any]) -> Told:
    """Describe the file."""
    what = f"The file {came['file']} is in this thread now ({came['bytes']:,} bytes). It holds what you listed."
    return what, "What shall be different in it?"


def time_there(came: Mapping[str, Any]) -> Told:
    """Tell the date and the time."""
    now = str(came["now"])
    told = f"In {came['query']['zone']} it is {now[11:16]} on {came['date']}, in week {came['week']}."
    return told, "What do you need the time for?"


def board_said(came: Mapping[str, Any]) -> Told:
    """Pass on what the demo's tool server says."""
    return f"The server {came['server']} says:\n\n{came['said']}", "What else shall go on the board?"


def channel_read(came: Mapping[str, Any], said: Sequence[Said], left_out: str) -> Told:
    """List the authors and their messages; a script has no summary to offer."""
    where = came["query"]["channel"]
    if not said:
        return f"I have read {where}: nobody has written there in this time.", "Shall I look again later?"
    listed = "\n".join(
        [*([f"- {left_out}"] if left_out else []), *(f"- {who}: {quoted(words)}" for who, words in said)]
    )
    told = f"I have read {where}. A script cannot sum it up, so here is who said what:\n\n{listed}"
    return told, "What of this matters to you?"


def found(came: Mapping[str, Any]) -> Told:
    """List the conversations that were found."""
    words = came["query"]["words"]
    about = f"about {quoted(words)}" if words else "with me"
    if not came["found"]:
        told = f"I found no other conversation of yours {about}. I looked at titles, goals and decisions."
        return told, "What was it called?"
    listed = "\n".join(f"- {_hit(hit)}" for hit in came["found"])
    return f"Your other conversations {about}:\n\n{listed}", "Which one do you mean?"


def nothing_on_web(came: Mapping[str, Any]) -> Told:
    """Tell that the script has no web to search; the query was asked about as a real one is."""
    return (
        f"{NO_WEB} So I found nothing for {quoted(came['query']['query'])}.",
        "What do you know about it yourselves?",
    )


def _hit(hit: Mapping[str, Any] | str) -> str:
    if isinstance(hit, str):
        return hit
    about = f": {quoted(hit['about'][0])}" if hit["about"] else ""
    day = str(hit["newest"]).partition(" ")[0]
    marks = ", ".join(filter(None, ("" if hit["kind"] == "free" else hit["kind"], hit["status"], day)))
    return f"{quoted(hit['title'] or 'Untitled')} ({marks}){about}"


def not_allowed(channel: str, content: str) -> Told:
    """Say that it was forbidden, and show its content here, if there is any."""
    what = f"do that in {channel}" if channel else "do that"
    said = f"I may not {what}: it was forbidden, so I have not done it."
    if not content:
        return said, "What would help instead?"
    given = "\n".join(f"> {line}" for line in content.splitlines())
    return f"{said} Here it is, for you to use as you like:\n\n{given}", "Shall it be said in another way here?"


def not_there(channel: str) -> Told:
    """Explain how to add the app to a channel."""
    told = f"I cannot see {channel}: there is no such channel, or I am not in it."
    return (
        f"{told} If there is one, write `/invite @Threadwise` in it, and then say it again.",
        "Where else could it go?",
    )


def not_done(told: str) -> Told:
    """Say why it was not done; `told` is the app's reason."""
    return f"That did not work. What I was told: “{shortened(told, _WHY)}”", "What shall I do instead?"


def as_short_as_can_be(text: str) -> str:
    """Say that a script cannot shorten the text further."""
    return f"{quoted(text)} is as short as a script can make it.\n\n**What shall I write instead?**"


def what_to_post(channel: str) -> str:
    """Ask for the text to post."""
    return f"Gladly, to {channel}. Say it with the words: *post to {channel}: …*\n\n**What shall stand there?**"


def digest(came: Mapping[str, Any], said: Sequence[Said]) -> str:
    """Return the news of a channel. The caller asks next which part matters, if there are several."""
    listed = "\n".join(f"- {who}: {quoted(words)}" for who, words in said)
    return f"New in {came['query']['channel']}:\n\n{listed}"


def followed(words: str) -> str:
    """Go on with an answer."""
    return f"I follow up {quoted(words)}. Claude would ask the people now; I am a script, and only keep it in mind."


def counted(count: int, last: int) -> str:
    """Count one further."""
    return f"{count} of {last}" if count < last else f"{count} of {last}. That was all."
