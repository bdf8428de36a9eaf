"""Reads the page that Prometheus would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


def samples(page: bytes) -> Iterator[Sample]:
    """Every line of ours, without those about the process."""
    for family in text_string_to_metric_families(page.decode()):
        if family.name.startswith("threadwise_"):
            yield from family.samples


def numbers(page: bytes, name: str) -> Mapping[tuple[str, ...], float]:
    """The values of one metric by its labels' values, in the order of their names; those of 0 are left out."""
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for sample in samples(page)
        if sample.name == f"threadwise_{name}" and sample.value
    }
