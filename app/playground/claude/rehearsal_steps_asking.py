"""Next question of the scripted demo model in a step: what is missing first, then facilitation. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from app.playground.claude.rehearsal_steps_noting import CHOOSING, NOBODY, OWN_WORDS, SCOPE, STATEMENT, WHO
from app.playground.claude.rehearsal_steps_scene import StepScene

_FOR_NEEDS: Mapping[str, str] = {
    "what would you be choosing between": CHOOSING,
    "the decision as one question": STATEMENT,
    "who decides": WHO,
    "what is in scope": SCOPE,
    "matters for its own sake": "What outcome would you want, whatever option is taken?",
    "which option is the status quo": NOBODY,
    "at least two options": "What else could you do?",
    "the tradeoff in your own words": OWN_WORDS,
    "a consideration that matters": "What matters most for your choice, in one sentence?",
}
"""By words of what is still needed."""

_GOOD: Mapping[str, Sequence[str]] = {
    "Issue raising": (
        "What made you think about it now?",
        "What would happen if you did nothing for six months?",
        "What are you most afraid of?",
        "Who else will care?",
    ),
    "Problem frame": ("Which limits are fixed, and who set them?", "By when does it have to be decided?"),
    "Objectives": (
        "What would make you regret the choice in a year?",
        "How would you know if you achieved this?",
        "What would the people affected add?",
    ),
    "Alternatives": ("What else could you do?", "What would a newcomer do?", "Could a small trial come first?"),
    "Tradeoffs": ("What would you miss most if you took this one?",),
    "Recommendation": (
        "It is a year later and it went wrong: what happened?",
        "What would have to be true for the other one to be right?",
    ),
    "Notes and next steps": ("Who does what by when?", "What news would make you look at it again?"),
}
"""Asked in this order; after them what the app suggests."""

_FREELY = ("Issue raising",)
"""Steps in which people first talk freely, whatever is missing."""

_LAST = "Is there anything else, or was that all?"
_OF_OBJECTIVE = (
    "Write “A2 +1 because it is cheaper”, one after the other, or press *Rate…*. How do the options do on {objective}?"
)
_OF_ELEMENT = "How much would you give {element}, from 0 to 100, and why?"


def question(scene: StepScene) -> str:
    """One question that was not asked yet, but for the first and the last: they may come again."""
    if not (scene.noted or scene.outcomes) and scene.said == 1:
        return scene.opening.rpartition("\n")[2] or _LAST
    return next((each for each in _questions(scene) if each not in scene.spoken), _LAST)


def _questions(scene: StepScene) -> Iterator[str]:
    good = _GOOD.get(scene.title, ())
    if scene.title in _FREELY and scene.said == 1:
        yield from good
    for need in scene.needs:
        yield from (asked for words, asked in _FOR_NEEDS.items() if words in need)
        yield from _by_number(scene, need)
    yield from good
    yield from scene.advice


def _by_number(scene: StepScene, need: str) -> Iterator[str]:
    """A rating or score that is missing; these may be asked for again, until they are there."""
    if need.startswith("ratings on "):
        yield _unsaid(scene, _OF_OBJECTIVE.format(objective=need.removeprefix("ratings on ").partition(":")[0]))
    if need.startswith("scores for "):
        yield _unsaid(scene, _OF_ELEMENT.format(element=need.removeprefix("scores for ").partition(",")[0]))


def _unsaid(scene: StepScene, asked: str) -> str:
    return asked if asked not in scene.spoken else f"Once more, please. {asked}"
