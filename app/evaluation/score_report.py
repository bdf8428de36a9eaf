"""The report of an evaluation, as JSON to keep and as Markdown to read. Two reports stand side by side. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from app.decision.playbook.playbook import load_proact
from app.evaluation.play import Play, Speaker
from app.evaluation.scoring import Rule, Score, score_play

Report: TypeAlias = Mapping[str, Any]
"""A report as JSON has it."""

FORMAT: Final = 1
"""Raised when a field changes its meaning; reports of another format are not compared."""

TITLES: Final[Mapping[str, str]] = {
    Rule.QUESTIONS: "One question at a time (at most two)",
    Rule.QUOTES: "Quotes found in a message",
    Rule.FIGURES: "Numbers and dates traced",
    Rule.REFUSED: "Refused values left open",
    Rule.CHOICES: "No choice made for the person",
    Rule.CONTRADICTIONS: "Planted contradictions caught",
}
_COUNTS: Final[Mapping[str, str]] = {
    "steps_approved": "Steps approved",
    "messages": "Messages of the persons",
    "replies": "Replies of the model",
    "requests": "Requests to the model",
    "input_tokens": "Input tokens",
    "cached_tokens": "of which from the cache",
    "output_tokens": "Output tokens",
    "dollars": "Cost in dollars",
    "seconds": "Seconds",
}
_EXAMPLES = 5
"""Broken places of one rule that the page shows for one person; the JSON has all."""


def build_report(plays: Iterable[Play], about: Mapping[str, Any]) -> Report:
    """Return the report of these plays. `about` says what was tried: model, prompts, date, seed."""
    people = [_describe_play(play) for play in plays]
    return {
        "format": FORMAT,
        **about,
        "rules": {rule.value: _add_scores(each["rules"][rule.value] for each in people) for rule in Rule},
        "counts": {
            name: round(sum(each["counts"][name] for each in people), 6) for name in (*_COUNTS, "unpriced_replies")
        },
        "people": people,
    }


def render_markdown(report: Report, before: Report | None = None) -> str:
    """Return the page. With the report of an earlier run, each figure stands beside the earlier one."""
    return "\n".join([*_render_head(report, before), *_render_totals(report, before), *_render_people(report), ""])


def can_compare(before: Report) -> bool:
    """Return True if an earlier report has this format, so that its figures mean the same."""
    return before.get("format") == FORMAT


def _describe_play(play: Play) -> dict[str, Any]:
    return {
        "person": play.person.key,
        "name": play.person.name,
        "kind": play.person.kind,
        "rules": {score.rule.value: _describe_score(score) for score in score_play(play)},
        "counts": _count(play),
        "steps": [
            {
                "key": step.key,
                "title": step.title,
                "approved": step.approved,
                "messages": _count_lines(play, Speaker.PERSON, step.key),
                "replies": _count_lines(play, Speaker.FACILITATOR, step.key),
                "requests": step.spent.requests,
                "tokens": step.spent.usage.input_tokens + step.spent.usage.output_tokens,
                "dollars": round(step.spent.dollars, 6),
                "seconds": round(step.seconds, 1),
                "stuck": step.stuck,
            }
            for step in play.steps
        ],
    }


def _describe_score(score: Score) -> dict[str, Any]:
    breaks = [{"step": each.step, "what": each.what} for each in score.breaks]
    return {"tried": score.tried, "broken": len(breaks), "breaks": breaks}


def _count(play: Play) -> dict[str, float]:
    spent, usage = play.spent, play.spent.usage
    return {
        "steps_approved": play.approved,
        "messages": _count_lines(play, Speaker.PERSON),
        "replies": _count_lines(play, Speaker.FACILITATOR),
        "requests": spent.requests,
        "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "cached_tokens": usage.cache_read_tokens,
        "output_tokens": usage.output_tokens,
        "dollars": round(spent.dollars, 6),
        "unpriced_replies": spent.unpriced,
        "seconds": round(sum(each.seconds for each in play.steps), 1),
    }


def _count_lines(play: Play, speaker: Speaker, key: str = "") -> int:
    return sum(1 for step in play.steps if key in ("", step.key) for _ in step.says(speaker))


def _add_scores(scores: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    found = list(scores)
    return {name: sum(each[name] for each in found) for name in ("tried", "broken")}


def _render_head(report: Report, before: Report | None) -> Iterator[str]:
    yield f"# Evaluation of {report['model']}"
    yield ""
    for name, title in (("date", "Date"), ("address", "Address"), ("seed", "Seed")):
        yield f"- {title}: {report[name]}"
    if before:
        yield f"- Compared with {before['model']} of {before['date']}, in brackets"
    changed = [key for key, now in report["prompts"].items() if before and before["prompts"].get(key) != now]
    prompts = (f"{key} {each}{' ← changed' if key in changed else ''}" for key, each in report["prompts"].items())
    yield f"- Prompts: {', '.join(prompts)}"
    if report["remark"]:
        yield f"- {report['remark']}"
    if report["counts"]["unpriced_replies"]:
        yield f"- {report['counts']['unpriced_replies']:.0f} replies have no known price; the cost leaves them out."
    yield ""


def _render_totals(report: Report, before: Report | None) -> Iterator[str]:
    yield "| Rule | holds | tried | broken |"
    yield "|---|---|---|---|"
    for rule, title in TITLES.items():
        now = report["rules"][rule]
        then = before["rules"].get(rule) if before else None
        former = f" ({_share(then)})" if then else ""
        yield f"| {title} | {_share(now)}{former} | {now['tried']} | {now['broken']} |"
    yield ""
    most = len(report["people"]) * len(load_proact().components)
    yield "| Count | |"
    yield "|---|---|"
    for name, title in _COUNTS.items():
        then = before["counts"].get(name) if before else None
        former = f" ({_figure(name, then)})" if then is not None else ""
        of = f" of {most}" if name == "steps_approved" else ""
        yield f"| {title} | {_figure(name, report['counts'][name])}{of}{former} |"
    yield ""


def _render_people(report: Report) -> Iterator[str]:
    for person in report["people"]:
        yield f"## {person['name']} ({person['kind']})"
        yield ""
        yield "| Step | approved | messages | replies | tokens | dollars | seconds |"
        yield "|---|---|---|---|---|---|---|"
        for step in person["steps"]:
            counts = (
                step["messages"],
                step["replies"],
                f"{step['tokens']:,}",
                f"{step['dollars']:.4f}",
                step["seconds"],
            )
            cells = " | ".join(map(str, counts))
            approved = "yes" if step["approved"] else f"no: {_escape(step['stuck'])}"
            yield f"| {step['title']} | {approved} | {cells} |"
        yield ""
        yield from _render_breaks(person["rules"])


def _render_breaks(rules: Mapping[str, Any]) -> Iterator[str]:
    for rule, title in TITLES.items():
        found = rules[rule]["breaks"]
        if found:
            yield f"**{title}**: {len(found)} of {rules[rule]['tried']} do not hold."
            yield ""
            yield from (f"- {each['step']}: {_escape(each['what'])}" for each in found[:_EXAMPLES])
            if len(found) > _EXAMPLES:
                yield f"- and {len(found) - _EXAMPLES} more, in the JSON"
            yield ""


def _share(score: Mapping[str, int]) -> str:
    return f"{100 * (score['tried'] - score['broken']) / score['tried']:.0f} %" if score["tried"] else "–"


def _figure(name: str, figure: float) -> str:
    return f"{figure:,.4f}" if name == "dollars" else f"{figure:,.0f}"


def _escape(text: str) -> str:
    """Return a person's or a model's words so that Markdown shows them unchanged."""
    return "".join(f"\\{each}" if each in r"\`*_{}[]<>#|" else each for each in text)
