"""A draft that grows during the conversation: its start, its text form, and its gaps.

Such a draft may be incomplete anywhere. `app.decision.drafts.notebook` changes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from app.core.copy import decision_steps
from app.core.state.interview import JudgedDraft
from app.decision.drafts.draft import Accepted, read
from app.decision.drafts.rating_edits import CHOSEN
from app.decision.record import DecisionRecord
from app.decision.rules.checks import list_missing
from app.decision.schema.component import Component, find_subschema
from app.decision.schema.corrections import EVIDENCE
from app.decision.schema.feedback import list_corrections
from app.decision.schema.outline import GIVEN_FOR, find_element, list_lists
from app.decision.schema.paths import Draft, find_value, find_values, is_list, is_object, merge, nest

_KEPT: Final = (EVIDENCE, *GIVEN_FOR)

NEEDS: Final = 5
"""How many missing parts of a draft the result of a tool lists. More would bury what was done."""


def begin_draft(component: Component, draft: Mapping[str, Any]) -> Draft:
    """Return a copy with all required lists, empty if need be, and without empty objects."""
    kept = {name: deepcopy(each) for name, each in draft.items() if not _is_bare(each)}
    _fill_lists(component, [], kept)
    return kept


def list_blockers(component: Component, draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[str, ...]:
    """Return what keeps the draft from approval, in words: unmet criteria, and errors."""
    data = begin_draft(component, draft)
    judged = read(component, data, so_far)
    if isinstance(judged, Accepted):
        return judged.missing
    return (*list_missing(component, data, so_far), *list_corrections(component, data, judged.issues))


def list_gaps(component: Component, draft: Mapping[str, Any], so_far: DecisionRecord) -> tuple[str, ...]:
    """Return the same as far as the talk can bring it: not what the write-up makes."""
    written = {each.need for each in component.criteria if each.is_written_up}
    return tuple(each for each in list_blockers(component, draft, so_far) if each not in written)


def list_needs(
    component: Component, draft: Mapping[str, Any], so_far: DecisionRecord, drafted: JudgedDraft | None
) -> tuple[str, ...]:
    """Return the same with the figures that nobody said, as far as this very draft was judged."""
    unsaid = drafted.unsaid if drafted and drafted.draft == draft else ()
    figures = (decision_steps.CONFIRM_FIGURE.format(figure=each.text) for each in unsaid)
    return (*list_gaps(component, draft, so_far), *figures)


def render_draft(component: Component, draft: Mapping[str, Any]) -> str:
    """Return the draft as text for the model, in the order of its schema: a line for each field and each item."""
    names = component.json_schema["properties"]
    return render_text({name: draft[name] for name in names if name in draft})


def remove_evidence(data: Mapping[str, Any]) -> Draft:
    """Return the data without what the server keeps: the quotes of its items, and what its texts were written for."""
    return {name: _remove_quotes(each) for name, each in data.items() if name not in _KEPT}


def remove_kept(component: Component, draft: Mapping[str, Any]) -> Draft:
    """Return the draft with what a submission may hold: without quotes, and without what the server fills in."""
    bare = remove_evidence(draft)
    for path in component.kept:
        outer, _, name = path.rpartition(".")
        for holder in find_values(bare, outer) if outer else [bare]:
            holder.pop(name, None)
    return bare


def remove_defaults(component: Component, draft: Mapping[str, Any]) -> Draft:
    """Return the draft without fields of items that say what holds without them: a default, or that a person said it.

    Whether the server or somebody else wrote such a field makes no difference then.
    """
    kept = dict(draft)
    for path in list_lists(component):
        known = find_element(component, path).get("properties", {})
        usual = {name: each["default"] for name, each in known.items() if "default" in each} | {"origin": CHOSEN}
        if items := find_value(kept, path):
            bare = [_leave_out(item, usual) if is_object(item) else item for item in items]
            kept = merge(kept, nest({path: bare}))
    return kept


def _leave_out(item: Mapping[str, Any], usual: Mapping[str, Any]) -> Draft:
    return {name: each for name, each in item.items() if name not in usual or usual[name] != each}


def _remove_quotes(each: Any) -> Any:
    if is_object(each):
        return remove_evidence(each)
    return [_remove_quotes(inner) for inner in each] if is_list(each) else each


def render_text(data: Mapping[str, Any]) -> str:
    """Return any result as lines of text, without empty values."""
    return "\n".join(_list_lines(data, ""))


def _is_bare(each: Any) -> bool:
    return is_object(each) and all(inner == [] or _is_bare(inner) for inner in each.values())


def _fill_lists(component: Component, steps: list[Any], holder: Draft) -> None:
    here = find_subschema(component.json_schema, steps) or {}
    for name in here.get("properties", {}):
        inner, required = find_subschema(component.json_schema, [*steps, name]) or {}, name in here.get("required", ())
        if inner.get("type") == "array" and required:
            holder.setdefault(name, [])
        elif inner.get("type") == "object" and (name in holder or (required and _is_of_lists(component, inner))):
            _fill_lists(component, [*steps, name], holder.setdefault(name, {}))


def _is_of_lists(component: Component, schema: dict[str, Any]) -> bool:
    inner = (find_subschema({**component.json_schema, **schema}, [name]) or {} for name in schema.get("required", ()))
    return all(each.get("type") == "array" for each in inner)


def _list_lines(data: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, each in data.items():
        here = f"{path}.{name}".lstrip(".")
        if is_object(each):
            yield from _list_lines(each, here)
        elif not is_list(each):
            yield f"{here}: {_render_inline(each)}"
        elif each:
            yield f"{here}:"
            yield from (f"- {_render_inline(item)}" for item in each)


def _render_inline(each: Any) -> str:
    if is_object(each):
        fields = "; ".join(f"{name}: {_render_nested(inner)}" for name, inner in each.items() if name != "handle")
        return f"{each.get('handle', '')} {fields}".strip()
    return " ".join(str(each).split())


def _render_nested(each: Any) -> str:
    if is_list(each):
        return ", ".join(map(_render_nested, each))
    return f"({_render_inline(each)})" if is_object(each) else _render_inline(each)
