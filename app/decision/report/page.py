"""The report as one HTML page that needs no script and no request; its content policy forbids both."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from xml.etree.ElementTree import Element, tostring

from app.core.sheet import Section
from app.decision.report import wording
from app.decision.report.dossier import Report, ReportStep
from app.decision.report.elements import chip, element, pairs
from app.decision.report.sections import body

STYLES = ("colours", "page", "figures", "adapted")
"""In cascade order: a later style sheet overrides an earlier one."""


def html(report: Report) -> str:
    """Return the report as an HTML page in UTF-8, for screens, phones and paper."""
    page = element("html", _head(report.question), element("body", *_page(report)), lang="en")
    return f"<!doctype html>\n{tostring(page, encoding='unicode', method='html')}\n"


@cache
def _style() -> str:
    folder = files("app.decision.report") / "styles"
    return "\n".join((folder / f"{name}.css").read_text("utf-8") for name in STYLES)


@cache
def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _head(question: str) -> Element:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{question} – decision report"),
        element("style", _style()),
    )


def _page(report: Report) -> Iterator[Element]:
    yield element(
        "header",
        element("p", "Decision report", class_="kicker"),
        element("h1", report.question),
        pairs(wording.cover(report)),
    )
    yield _contents(report.steps)
    yield element("main", *map(_step, report.steps))
    yield element("footer", f"Made by Threadwise, {wording.moment(report.made_at)}. The decision is its owner's.")


def _contents(steps: Iterable[ReportStep]) -> Element:
    entries = (
        element("li", element("a", f"{step.number}. {step.title}", href=f"#step-{step.number}"), " ", _status(step))
        for step in steps
    )
    return element("nav", element("h2", "Contents", id="contents"), element("ol", *entries), aria_labelledby="contents")


def _step(step: ReportStep) -> Element:
    anchor = f"step-{step.number}"
    standing = wording.standing(step)
    return element(
        "section",
        element("h2", element("span", f"{step.number}.", class_="number"), f" {step.title}", id=anchor),
        element("p", _status(step), f" {standing}", class_="standing"),
        *(element("p", element("b", f"{wording.OUTDATED} "), each, class_="outdated") for each in step.outdated),
        *([element("p", wording.NOT_APPROVED, class_="nothing")] if step.sheet is None else []),
        *(each for section in (step.sheet.sections if step.sheet else ()) for each in _section(section)),
        aria_labelledby=anchor,
    )


def _section(section: Section) -> Iterator[Element]:
    if section.title:
        yield element("h3", section.title)
    yield from body(section)


def _status(step: ReportStep) -> Element:
    return chip(wording.STATUSES[step.status], step.status)
