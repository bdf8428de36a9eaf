"""Replies of the scripted demo model: short, in a facilitator's voice, with the person's own words in it.

One good question at the end of each reply. It claims no knowledge: it is a script, and says so. Pure.
"""

import re
from collections.abc import Sequence

from app.playground.claude.rehearsal_hearing import Heard, quoted

STATUS_QUO = "Keep things as they are"

_NEXT_QUESTIONS = (
    "What makes this come up now – what happened?",
    "Who else is affected, and what would they say matters most?",
    "What would a good outcome look like, in one sentence?",
    "What have you already ruled out, and why?",
    "What would you need to find out before you could choose?",
)


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


def thanks(heard: Heard) -> str:
    """Close, and leave a way to come back."""
    name = f", {heard.name}" if heard.name else ""
    kept = f" Your words – {quoted(heard.topic)} – stay here in the thread." if heard.topic else ""
    return (
        f"You're welcome{name}.{kept}\n\n**Is there one small thing you could do this week that would move this on?**"
    )


def introduction(_heard: Heard) -> str:
    """Say what this is, and what it is not."""
    return (
        "I am a rehearsal: a small script that stands in for Claude, so that you can try the app "
        "without a key. I read your words and answer from patterns; I know nothing beyond this thread.\n\n"
        "Things to try with me:\n\n"
        "- tell me a situation: *our evening calls go unanswered*\n"
        "- ask me to choose: *should we hire someone or use an agency?*\n"
        "- ask for more: *please give me a long answer*\n"
        "- let me work: *post to #ops: we close at five*, or *what is new in #ops?*\n\n"
        "**What would you like to think through?**"
    )


def choice(heard: Heard) -> str:
    """Lay the options out in a table, with doing nothing among them."""
    return (
        f"{laid_out(heard, with_status_quo(heard.options))}\n\n{_beside(heard)}"
        "**Before we fill it in:** when you look back in a year, what would have to be better for you "
        "to call it a good choice?"
    )


def laid_out(heard: Heard, options: Sequence[str]) -> str:
    """The table of a choice, one of whose options is to do nothing, and what it means."""
    name = f"{heard.name}, that" if heard.name else "That"
    today = next(option for option in options if _is_status_quo(option))
    return (
        f"{name} is a real choice, so let us see the options side by side before anyone argues for one.\n\n"
        f"{options_table(options)}\n\n"
        f"I left the cells open: you know your situation, I do not. *{today}* has a special place: it is "
        "what happens if nobody decides, and every other option has to beat it."
    )


def with_status_quo(options: Sequence[str]) -> Sequence[str]:
    """The options, with doing nothing added unless one of them says so already."""
    return options if any(map(_is_status_quo, options)) else [*options, STATUS_QUO]


def _is_status_quo(option: str) -> bool:
    return re.match(r"(keep|stay|do nothing|wait|leave (it|things|everything))\b", option, re.I) is not None


def options_table(options: Sequence[str]) -> str:
    """A pros-and-cons table in Markdown, its cells for the person to fill."""
    rows = [f"| **{option}** | … | … |" for option in options]
    return "\n".join(["| Option | Speaks for it | Speaks against it |", "|---|---|---|", *rows])


def _beside(heard: Heard) -> str:
    """A paragraph that puts the earlier words beside the new ones; nothing if there are none."""
    if heard.remembered is None:
        return ""
    return f"Earlier you said {quoted(heard.remembered)} – keep that beside it.\n\n"


def question(heard: Heard) -> str:
    """Turn a question the script cannot answer into one the person can."""
    return (
        f"You ask: {quoted(heard.words)}\n\n"
        "I can't look that up, and I won't guess. But a question like this usually stands in front of "
        "a decision, so two things are worth a minute:\n\n"
        "- **If you knew the answer,** what would you do differently?\n"
        "- **Who could know it,** and what would it cost to ask?\n\n"
        f"If the answer would change nothing, you can let the question go.\n\n{_beside(heard)}"
        "**Which decision is waiting for this answer?**"
    )


def doubt(heard: Heard) -> str:
    """Take a worry apart into what could be learnt and what must be lived with."""
    return (
        f"Something is uncertain here: {quoted(heard.words)}. Better on the table than in the back of "
        "your head. Uncertainties come in two kinds:\n\n"
        "1. **You can find out** – by asking, counting or trying it small.\n"
        "2. **You can't find out in time** – then choose something that is fine either way.\n\n"
        f"{_beside(heard)}"
        "**Which kind is yours, and what is the worst that could plausibly happen?**"
    )


def wish(heard: Heard) -> str:
    """Hear a goal, and ask for the one behind it."""
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


def listening(_heard: Heard) -> str:
    """Answer when nothing was said."""
    return "I am listening.\n\n**What situation is on your mind?**"
