"""Text of the demo model beside its calls and after them: short, and with no question beside one with buttons.

What has no buttons ends in one bold question, as every other reply does, unless nobody is there to answer. Pure.
"""

from app.playground.claude.rehearsal_hearing import Heard, quoted, shortened

_RECALLED = 3
"""How many of the person's own thoughts a draft is made of."""


def run(heard: Heard) -> str:
    """Do what was planned, as far as a script can."""
    return (
        f"It is time: {quoted(heard.words)}\n\n"
        "Claude would do it now. I am a script, so this reminder is all there is – but it came by itself."
    )


def scheduled(told: str) -> str:
    """Confirm what is planned; `told` is how the app put it."""
    return (
        f"Noted: {told}. The card shows it, and its button calls it off.\n\n"
        "**What shall be different once that has happened?**"
    )


def not_scheduled(told: str) -> str:
    """Say why something cannot be planned; `told` is how the app put it."""
    return f"{told}\n\n**When exactly shall it be?**"


def called_off() -> str:
    """Confirm that nothing is planned any more."""
    return "It is called off: I will not do that any more.\n\n**What would help you instead?**"


def aside(heard: Heard) -> str:
    """Answer what is no answer, and leave the question where it is."""
    return (
        f"You say {quoted(heard.words)} I keep that beside my question, which can wait: "
        "press one of its buttons, or answer in your own words, whenever you like."
    )


def understood(told: str) -> str:
    """Say how an answer was taken; `told` is how the app put it."""
    return f"{told} If you meant something else, just say so.\n\n**What speaks for it, in one sentence?**"


def leaning(heard: Heard) -> str:
    """Take a first preference for what it is."""
    return (
        f"So today it is {quoted(heard.words)}. A first preference is worth writing down: it tells what matters to "
        "you before the arguments come.\n\n"
        "Two checks before you trust it:\n\n"
        "- **Turn it around.** Imagine you had chosen otherwise: what would you miss?\n"
        "- **Ask the one who loses.** Who carries the cost of it, and what would they say?\n\n"
        "**What would have to be true for another option to be better?**"
    )


def willing(_heard: Heard) -> str:
    """Be ready to help with a choice."""
    return "Gladly. First I need to see what there is to choose from."


def wanted(heard: Heard) -> str:
    """Hear what shall be made."""
    return f"I hear what you want: {quoted(heard.words)}. Two things I need to know for it, one after the other."


def noted(heard: Heard) -> str:
    """Confirm a piece of information."""
    return f"Noted: {quoted(heard.words)}. One more thing."


def plan(goal: str) -> str:
    """Propose how to go about it."""
    return (
        f"That is enough to begin. My plan for {quoted(goal)}:\n\n"
        "1. a first draft from what you told me,\n"
        "2. you say what is wrong with it,\n"
        "3. a second draft, and then it is yours."
    )


def changed(heard: Heard) -> str:
    """Take a change into the plan."""
    return f"Understood: {quoted(heard.words)}. Everything else stays as planned."


def different() -> str:
    """Ask what to change."""
    return "Good that I asked.\n\n**What shall be different?**"


def draft(goal: str, heard: Heard) -> str:
    """Show a result: made of the person's own words, since a script has no others."""
    told = [shortened(words) for words in heard.earlier[-_RECALLED:]]
    points = "\n".join(f"- [ ] {words}" for words in told)
    return (
        f"Here is the first draft.\n\n### {shortened(goal, 80)}\n\n{points}\n\n"
        "Claude would write it out; a script can only put your own words in order.\n\n"
        "**Is this what you wanted, or shall something change?**"
    )
