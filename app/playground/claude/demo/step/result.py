"""Result of a step by the scripted demo model: a summary under the headings, then the notes, as data.

Without notes, as for a draft from a thread, it takes them from the transcript now. It adds nothing that people did not
say. Pure.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.playground.claude.api.prompt import Json, Prompt, is_array, is_object
from app.playground.claude.api.script import ToolCall
from app.playground.claude.demo.request import Heard, shortened
from app.playground.claude.demo.step.notes import NOTING
from app.playground.claude.demo.step.scene import StepScene, title_of

_SUBMIT = "submit_"
_DRAFT = re.compile(r"<draft>\n(.*?)\n</draft>", re.DOTALL)
_SAID = re.compile(r'<message(?:[^>]* from="([^"]*)")?[^>]*>(.*?)</message>', re.DOTALL)
_OPENING = re.compile(r"<reply>(.*?)</reply>", re.DOTALL)
_HEADINGS = re.compile(r"under these headings:\n((?:- .+\n?)+)")
_LETTERS = re.compile(r"such as ([A-Z]{1,2})\d")
_COMPUTED = "leave it out"
"""First words of the description of what the app computes."""
_NO_REASON = "No reason was given."
_NOTHING = "not specified"


def submission(prompt: Prompt) -> ToolCall | None:
    """Return the call that submits the result; None if the request offers no such tool."""
    tool = next((tool for tool in prompt.tools if str(tool.get("name", "")).startswith(_SUBMIT)), None)
    if tool is None:
        return None
    schema = tool.get("input_schema", {})
    data = _reasoned(_draft(prompt) or _from_transcript(prompt, schema))
    for name, each in schema.get("properties", {}).items():
        if _resolved(schema, each).get("description", "").startswith(_COMPUTED):
            data.pop(name, None)
    return ToolCall(str(tool["name"]), _completed(schema, schema, data))


def _reasoned(data: Json) -> Json:
    """Return the data; a rating at an end of the scale needs a reason, so it says that none was given."""
    cells: list[Json] = data.get("table", {}).get("cells", [])
    for cell in cells:
        if abs(cell["rating"]) > 1:
            cell.setdefault("rationale", _NO_REASON)
    return data


def summary(prompt: Prompt) -> str:
    """Return what was said, under the headings that the request names, or without any."""
    text = prompt.last_user_text
    said = "\n".join(f"- “{shortened(words)}”" for _, words in _SAID.findall(text)) or f"- {_NOTHING}"
    found = _HEADINGS.search(text)
    headings = [line.removeprefix("- ") for line in found[1].splitlines()] if found else []
    noted = [list(words_in(part, _is_content)) for part in _draft(prompt).values()]
    parts = [
        f"## {heading}\n" + ("\n".join(f"- {each}" for each in words) or f"- {_NOTHING}")
        for heading, words in zip(headings, [*noted, *([[]] * len(headings))], strict=False)
    ]
    return "\n\n".join([*parts, f"## What was said\n{said}"])


def _draft(prompt: Prompt) -> Json:
    found = _DRAFT.search(prompt.last_user_text)
    return json.loads(found[1]) if found else {}


def _from_transcript(prompt: Prompt, schema: Json) -> Json:
    """Return the notes that an interview with this transcript would have made, message by message."""
    text, title, data = prompt.last_user_text, title_of(prompt), dict[str, Any]()
    opening = _OPENING.search(text)
    for writer, words in _SAID.findall(text):
        needs = [name for name in ("the decision as one question", "status quo") if not _has(data, name)]
        scene = StepScene(
            title=title,
            heard=Heard(None, words),
            words=words,
            owner=writer,
            block_needs=needs,
            opening=opening[1] if opening else "",
            noted="\n".join(f"{name}: {each}" for name, each in data.items()),
        )
        for call in NOTING[title](scene).calls if title in NOTING else ():
            _take_down(schema, data, call)
    return data


def _has(data: Json, need: str) -> bool:
    held = json.dumps(data)
    return ("statement" in held) if need.startswith("the decision") else ("is_status_quo" in held)


def _take_down(schema: Json, data: Json, call: ToolCall) -> None:
    """Apply a call to the data, as the app would during the interview."""
    match call.name:
        case "note_item":
            path = call.input["list"].split(".")
            inner = _inner(schema, path)
            listed = _holder(data, path[:-1]).setdefault(path[-1], [])
            item = _item(schema, inner, call.input, len(listed) + 1)
            if all(_spoken(item) != _spoken(each) for each in listed):  # people say some things twice
                listed.append(item)
        case "rate":
            cells = _holder(data, ["table"]).setdefault("cells", [])
            cells += [
                {"alternative_id": each["option"], "objective_id": call.input["objective"], "rating": each["rating"]}
                | ({"rationale": each["reason"]} if "reason" in each else {})
                for each in call.input["ratings"]
            ]
        case _:
            _merge(data, call.input["fields"])


def _item(schema: Json, element: Json, given: Mapping[str, Any], number: int) -> Any:
    """Return an item in the form of its list's schema, with the next handle and its quote if the schema has them."""
    fields = dict(given["fields"])
    if "properties" not in element:
        return fields.get("text", "")
    known = element["properties"]
    if "handle" in known:
        letters = _LETTERS.search(str(_resolved(schema, known["handle"]).get("description", "")))
        fields["handle"] = f"{letters[1] if letters else 'X'}{number}"
    if "evidence" in known and given.get("quote"):
        fields["evidence"] = [{"quote": given["quote"]}]
    return fields


def _spoken(item: Any) -> Any:
    """Return what an item says, without its handle and where it comes from."""
    if not is_object(item):
        return item
    return {name: each for name, each in item.items() if _is_content(name)}


def _completed(schema: Json, node: Json, data: Json) -> Json:
    """Return the data with its required lists, which are empty if nobody mentioned them."""
    whole = dict(data)
    for name, each in _resolved(schema, node).get("properties", {}).items():
        inner, is_due = _resolved(schema, each), name in node.get("required", ())
        if inner.get("type") == "array" and is_due:
            whole.setdefault(name, [])
        elif inner.get("type") == "object" and (name in whole or (is_due and _is_of_lists(schema, inner))):
            whole[name] = _completed(schema, inner, whole.get(name, {}))
    return whole


def _is_of_lists(schema: Json, node: Json) -> bool:
    known = node.get("properties", {})
    return all(_resolved(schema, known[name]).get("type") == "array" for name in node.get("required", ()))


def _inner(schema: Json, path: list[str]) -> Json:
    node = schema
    for step in path:
        node = _resolved(schema, node.get("properties", {}).get(step, {}))
    return _resolved(schema, node.get("items", {}))


def _resolved(schema: Json, node: Json) -> Json:
    name = str(node.get("$ref", "")).rpartition("/")[2]
    return {**schema.get("$defs", {}).get(name, {}), **node} if name else node


def _holder(data: Json, path: list[str]) -> Json:
    for step in path:
        data = data.setdefault(step, {})
    return data


def _merge(data: Json, given: Mapping[str, Any]) -> None:
    """Fill fields; null takes one out, as in the app."""
    for name, each in given.items():
        if is_object(each):
            _merge(data.setdefault(name, {}), each)
        elif each is None:
            data.pop(name, None)
        else:
            data[name] = each


def _is_content(name: str) -> bool:
    """Return True for a field of an item that is neither its handle nor where it comes from."""
    return name not in ("handle", "evidence")


def words_in(part: Any, tells: Callable[[str], bool]) -> Iterator[str]:
    """Yield the words in a part of some data, in the fields that tell something by their name."""
    if is_object(part):
        yield from (word for name, each in part.items() if tells(name) for word in words_in(each, tells))
    elif is_array(part):
        yield from (word for each in part for word in words_in(each, tells))
    else:
        yield str(part)
