"""The form that starts a decision: question, people, place; and the form of a draft, with its material. Pure.

Nothing is posted before it is submitted. It carries the place where it was opened, so that nothing is stored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from app.core.copy import decision_steps, texts
from app.core.text.cutting import cut
from app.core.thread import ThreadKey
from handlers.slack import action_ids
from handlers.slack.payload import (
    Payload,
    read_element,
    read_key,
    read_list,
    read_option,
    read_state,
    read_text,
    read_words,
)
from handlers.views.kit import blocks, mrkdwn
from handlers.views.kit.blocks import Block
from handlers.views.windows import forms
from handlers.views.windows.forms import MOST_CHARS, View

QUESTION_CHARS = 500
"""Limit of a decision's question, which is a single question."""

MATERIAL_CHARS = 10_000
"""Limit of the words that a step is drafted from, as for any message."""

MOST_PEOPLE = 30
NAME_CHARS = 40
"""Limit for the question's part of a channel's name; Slack allows 80 in all."""

DIRECT_OPTION = "--direct"
"""Option before the question: the first step is drafted at once."""


_SENTENCE_ENDS = re.compile(r"(?<=[?.!])\s")


class DecisionPlace(StrEnum):
    """The place of a decision."""

    PRIVATE = "private"
    DIRECT = "direct"
    HERE = "here"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOrigin:
    """The origin of a decision."""

    channel: str = ""
    """The channel of the command or message; empty at Home and in direct messages."""
    thread: str = ""
    """Root of the thread that the first step is drafted from; empty if there is none."""
    source: str = ""
    """The channel of that thread."""
    direct: bool = False
    """True if the first step is drafted from the question itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOptions:
    """The choices of the form.

    `private` says that channels may be created; `readers` counts this channel's members, us too, None if unknown.
    """

    private: bool
    readers: int | None = None
    here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDecision:
    """The submitted form."""

    asked: DecisionOrigin
    question: str
    people: tuple[str, ...]
    place: DecisionPlace | None
    material: str = ""
    """What the first step is drafted from besides the question."""


def parse_command(words: str) -> tuple[str, bool, str]:
    """Return the question typed after the command, whether direct mode was requested, and the rest as material.

    In direct mode the question is the first line, or its first sentence.
    """
    said = words.strip()
    is_direct = said.split(maxsplit=1)[:1] == [DIRECT_OPTION]
    if not is_direct:
        return " ".join(said.split())[:QUESTION_CHARS], False, ""
    said = said.removeprefix(DIRECT_OPTION).strip()
    line, _, below = said.partition("\n")
    is_sentence = len(line) > QUESTION_CHARS or not below.strip()
    asked = _SENTENCE_ENDS.split(line, maxsplit=1)[0] if is_sentence else line
    question = " ".join(asked.split())
    if len(question) <= QUESTION_CHARS:
        return question, True, said[len(asked) :].strip()[:MATERIAL_CHARS]
    return cut(question, QUESTION_CHARS), True, said[:MATERIAL_CHARS]


def suggest_question(message: str) -> str:
    """Return the first question that a message asks in a sentence of its own, else its first line."""
    lines = [line for each in message.splitlines() if (line := " ".join(each.split()))]
    sentences = (each for line in lines for each in _SENTENCE_ENDS.split(line))
    asked = (each for each in sentences if each.endswith("?") and each.strip("?.! "))
    return next(asked, lines[0] if lines else "")[:QUESTION_CHARS]


def build_form(asked: DecisionOrigin, offered: FormOptions, question: str = "", material: str = "") -> View:
    """Return the form for question, material (in direct mode), people and place."""
    note = decision_steps.FROM_THREAD if asked.thread else decision_steps.FROM_WORDS if asked.direct else ""
    missing = () if offered.here or not asked.channel else (blocks.build_context(decision_steps.NOT_FROM_HERE),)
    return forms.build_form(
        action_ids.DECIDE_WINDOW,
        asdict(asked),
        (decision_steps.DECIDE_TITLE, decision_steps.DECIDE_SUBMIT, texts.LATER),
        *((blocks.build_context(note),) if note else ()),
        _build_question_input(question),
        *(_build_material_inputs(material) if asked.direct else ()),
        _build_people_input(),
        _build_place_input(offered),
        *missing,
    )


def build_draft_form(thread: ThreadKey, title: str) -> View:
    """Return the form for the material that a step with this title is drafted from."""
    return forms.build_form(
        action_ids.DRAFT_WINDOW,
        asdict(thread),
        (decision_steps.DRAFT_IT_TITLE, decision_steps.DRAFT_IT_SUBMIT, texts.LATER),
        blocks.build_context(decision_steps.DRAFT_IT_NOTE.format(title=title)),
        *(_build_material_input(place, "") for place in range(len(action_ids.DECIDE_MATERIAL_FIELDS))),
    )


def read_draft(view: Payload) -> tuple[ThreadKey | None, str]:
    """Return the step's thread and the material of the submitted form; None without a thread."""
    return read_key(forms.read_about(view)), _read_material(read_state(view))


def read(view: Payload) -> NewDecision:
    """Return the submitted form. The caller refuses an empty question or place."""
    state = read_state(view)
    chosen = read_option(read_element(state, action_ids.DECIDE_PLACE_FIELD))
    about = forms.read_about(view)
    named = {name: read_text(about.get(name)) for name in ("channel", "thread", "source")}
    chosen_people = read_list(read_element(state, action_ids.DECIDE_PEOPLE_FIELD).get("selected_users"))
    people = tuple(each for each in map(read_text, chosen_people) if each)
    return NewDecision(
        asked=DecisionOrigin(**named, direct=about.get("direct") is True),
        question=" ".join(read_words(state, action_ids.DECIDE_QUESTION_FIELD).split())[:QUESTION_CHARS],
        people=people[:MOST_PEOPLE],
        place=DecisionPlace(chosen) if chosen in frozenset(DecisionPlace) else None,
        material=_read_material(state),
    )


def name_channel(question: str, mark: str) -> str:
    """Return a channel name for this decision: lower case letters, digits and hyphens, cut at the end of a word.

    `mark` makes it unique.
    """
    plain = unicodedata.normalize("NFKD", question).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    begun = slug[: NAME_CHARS + 1].rpartition("-")[0] or slug[:NAME_CHARS]
    slug = begun if len(slug) > NAME_CHARS else slug
    return "-".join(filter(None, ("decide", slug, mark)))


def render_placeholder(person: str, question: str) -> str:
    """Return the hub's text until its steps are shown."""
    return decision_steps.HUB_BEGINS.format(person=f"<@{person}>", question=mrkdwn.render_verbatim(question))


def build_started_window(address: str) -> View:
    """Return a window with a link to the decision, for a person who is elsewhere."""
    link = blocks.format_link(address, decision_steps.OPEN_IT)
    return forms.build_notice(decision_steps.STARTED_TITLE, decision_steps.STARTED.format(link=link))


def build_notice(sentence: str) -> View:
    """Return a window that contains only a sentence."""
    return forms.build_notice(decision_steps.DECIDE_TITLE, sentence)


def _build_question_input(initial: str) -> Block:
    element = {**blocks.build_text_box(QUESTION_CHARS, initial), "min_length": 3, "focus_on_load": True}
    return blocks.build_input(action_ids.DECIDE_QUESTION_FIELD, decision_steps.QUESTION, element) | {
        "hint": blocks.build_plain_text(decision_steps.QUESTION_HINT)
    }


def _build_material_inputs(initial: str) -> list[Block]:
    """Return the fields for the material: Slack allows `MOST_CHARS` in one, so a long text has several."""
    parts = [initial[at : at + MOST_CHARS] for at in range(0, len(initial), MOST_CHARS)]
    count = min(len(parts) + 1, len(action_ids.DECIDE_MATERIAL_FIELDS))
    return [_build_material_input(place, parts[place] if place < len(parts) else "") for place in range(count)]


def _build_material_input(place: int, initial: str) -> Block:
    name = action_ids.DECIDE_MATERIAL_FIELDS[place]
    label = decision_steps.MATERIAL_MORE if place else decision_steps.MATERIAL
    return blocks.build_input(name, label, blocks.build_text_box(MOST_CHARS, initial)) | {"optional": True}


def _read_material(state: Payload) -> str:
    parts = [read_words(state, name) for name in action_ids.DECIDE_MATERIAL_FIELDS]
    # A full field was cut anywhere and goes on in the next one. Texts in fields of their own are paragraphs.
    apart = "".join(part if len(part) >= MOST_CHARS else f"{part}\n\n" for part in parts if part).strip()
    return apart if len(apart) <= MATERIAL_CHARS else "".join(parts).strip()[:MATERIAL_CHARS]


def _build_people_input() -> Block:
    element = {"type": "multi_users_select", "max_selected_items": MOST_PEOPLE}
    return blocks.build_input(action_ids.DECIDE_PEOPLE_FIELD, decision_steps.PEOPLE, element) | {
        "optional": True,
        "hint": blocks.build_plain_text(decision_steps.PEOPLE_HINT),
    }


def _build_place_input(offered: FormOptions) -> Block:
    places: Mapping[str, str] = {
        **({DecisionPlace.PRIVATE: decision_steps.PRIVATE} if offered.private else {}),
        DecisionPlace.DIRECT: decision_steps.DIRECT,
        **({DecisionPlace.HERE: _label_here(offered.readers)} if offered.here else {}),
    }
    return blocks.build_radio_input(action_ids.DECIDE_PLACE_FIELD, decision_steps.PLACE, places)


def _label_here(readers: int | None) -> str:
    if readers is None:
        return decision_steps.HERE
    return decision_steps.HERE_READ.format(
        readers=decision_steps.READER if readers == 1 else decision_steps.READERS.format(count=readers)
    )
