"""Questions of the scripted demo model in a step: what is missing first, then what else helps. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.playground.claude.demo.step.framing import BY_WHEN, LIMITS, SCOPE, STATEMENT, WHO
from app.playground.claude.demo.step.notes import CHOOSING, NOBODY, OWN_WORDS
from app.playground.claude.demo.step.ratings import options_missing, reasons_lacking
from app.playground.claude.demo.step.scene import StepScene
from app.playground.claude.demo.step.words import is_skip, is_unknown

_YES_OR_NO = re.compile(r"(?:does|do|did|is|are|was|were|has|have)\b", re.IGNORECASE)
_BETWEEN = re.compile(r", | and ")
"""Between the names in a list of missing scores."""
_UNRATED = re.compile(r"ratings on (O\d{1,3})(?: (?!and O\d)([^:]*))?")
"""The first objective with missing ratings; its name is left out where others follow it."""
_FOR_NEEDS: Mapping[str, str] = {
    "what would you be choosing between": CHOOSING,
    "the decision as one question": STATEMENT,
    "who decides": WHO,
    "what is in scope": SCOPE,
    "matters for its own sake": "What outcome would you want, whatever option is taken?",
    "which option is the status quo": NOBODY,
    "at least two options": "What else could you do?",
    "the tradeoff in your own words": OWN_WORDS,
    "consideration that matters": "What matters most for your choice, in one sentence?",
}
"""Questions by words of the app's list of needs."""

_GOOD: Mapping[str, Sequence[str]] = {
    "Issue raising": (
        "What made you think about it now?",
        "What would happen if you did nothing for six months?",
        "What are you most afraid of?",
        "Who else will care?",
    ),
    "Problem frame": (LIMITS, BY_WHEN),
    "Objectives": (
        "What would make you regret the choice in a year?",
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
"""Questions in this order. The app's suggestions come after them."""

FREE = 3
_FREELY = ("Issue raising",)
"""Steps in which people first talk freely, whatever is missing."""

_OF_FIELDS = ("Problem frame",)
"""Steps whose notes are answers to questions of this table: what else people say has no place there."""

BY_NUMBER = ("Consequences", "Decision quality")
"""Steps of figures alone: nothing else is asked there, and they are complete with the last figure."""

_MOST_NAMED = 3  # options that are asked for by name; of more, the handles are enough
_OF_MEASURE = "How would you know if you achieved this?"
"""A question of the app's that is not asked here: no words tell for certain which way a measure is better."""
_SERVES = "Which of your objectives does {means} serve? A handle is enough, such as O1."
_LAST = "Is there anything else, or was that all?"
_OF_OBJECTIVE = (
    "Press *Rate…*, or write “{option} +1 because it is cheaper”, one after the other. "
    "How {do} {options} do on {objective}?"
)
_OF_ELEMENT = "How much would you give {element}, from 0 to 100, and why?"


def question(scene: StepScene) -> str:
    """Return a question that was not asked yet; if something is missing and all was asked, what is missing again."""
    begun_with = scene.opening.rpartition("\n")[2] or _LAST
    is_answered = _YES_OR_NO.match(begun_with)  # whatever is said to such a question, the next one leads on
    if not (scene.noted or scene.outcomes or scene.chosen or is_answered) and scene.said == 1:
        return begun_with
    if scene.title in BY_NUMBER:
        return next(_by_number(scene), _LAST)
    needed = [each for need in scene.needs for each in _for_need(need)]
    fresh = [each for each in _questions(scene) if each not in scene.spoken]
    again = [each for each in needed if each in scene.spoken]
    waiting = [each for each in again if each not in scene.asked or not _is_left_open(scene)]
    if fresh and (fresh[0] in needed or not waiting or (scene.title in _FREELY and scene.said < FREE)):
        return fresh[0]
    return next((_unsaid(scene, each) for each in (*waiting, *again)), _LAST)


def about_card(scene: StepScene) -> StepScene:
    """Return the scene of a card as if its first gap had been asked for: words below the card may fill that."""
    lacking = replace(scene, block_needs=scene.first_needs, outcomes=())
    is_number = scene.title in BY_NUMBER
    asked = _by_number(lacking) if is_number else (each for need in lacking.needs for each in _for_need(need))
    return replace(scene, asked=next(asked, scene.asked))


def _is_left_open(scene: StepScene) -> bool:
    """Return True if people have said that they have no answer: something else is asked before it is asked again."""
    return is_unknown(scene.words) or is_skip(scene.words)


def _questions(scene: StepScene) -> Iterator[str]:
    good = _GOOD.get(scene.title, ())
    if scene.title in _FREELY and scene.said == 1:
        yield from good
    for need in scene.needs:
        yield from _for_need(need)
    yield from good
    yield from (each for each in scene.advice if scene.title not in _OF_FIELDS and each != _OF_MEASURE)


def _for_need(need: str) -> Iterator[str]:
    yield from (asked for words, asked in _FOR_NEEDS.items() if words in need)
    if serves := re.match(r"what (M\d{1,3})\b.* serves$", need):
        yield _SERVES.format(means=serves[1])


def _by_number(scene: StepScene) -> Iterator[str]:
    """Yield the questions for missing reasons, ratings and scores. They are repeated until there is an answer."""
    yield from (_unsaid(scene, each) for each in reasons_lacking(scene))
    for need in scene.needs:
        if found := _UNRATED.match(need):
            objective = f"{found[1]} {found[2] or scene.names.get(found[1], '')}".strip()
            yield _unsaid(scene, _of_objective(scene, found[1], objective))
        if need.startswith("scores for "):
            missing = _BETWEEN.split(need.removeprefix("scores for "))
            asked = next((place for place, each in enumerate(missing) if each in scene.asked), -1)
            yield _unsaid(scene, _OF_ELEMENT.format(element=missing[_following(scene, asked, len(missing))]))


def _of_objective(scene: StepScene, handle: str, objective: str) -> str:
    """Ask for the ratings that are missing on an objective; an example names the first of their options."""
    missing = options_missing(scene, handle)
    names = [f"{each} {scene.names.get(each, '')}".strip() if len(missing) <= _MOST_NAMED else each for each in missing]
    options = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else "".join(names)
    one = "does" if len(names) == 1 else "do"
    return _OF_OBJECTIVE.format(option=missing[0], do=one, options=options, objective=objective)


def _following(scene: StepScene, asked: int, count: int) -> int:
    """Return the place of the element to ask for: the next one if people have no answer for this one."""
    return (asked + 1) % count if _is_left_open(scene) else max(asked, 0)


def _unsaid(scene: StepScene, asked: str) -> str:
    return asked if asked not in scene.spoken else f"Once more, please. {asked}"
