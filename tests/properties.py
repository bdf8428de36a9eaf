"""How properties search: the same examples in every run of the suite, a tenth with `make unit`, more with `make fuzz`.

No run of the suite is red or green by the luck of a draw. How long an example takes, to draw or to run, says more about
the machine than about the code, so nothing is held against a slow one.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

SUITE, QUICK, FUZZ = "suite", "quick", "fuzz"
EXAMPLES, FEW, FUZZED = 30, 3, 1_000
"""Of one property, in the suite, with `make unit` and with `make fuzz`."""

_PATIENT = settings(
    deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile(SUITE, _PATIENT, max_examples=EXAMPLES, derandomize=True, database=None)
settings.register_profile(QUICK, _PATIENT, max_examples=FEW, derandomize=True, database=None)
settings.register_profile(FUZZ, _PATIENT, max_examples=FUZZED)


def limit_examples(count: int) -> settings:
    """Return settings for a property whose examples are dear: so many in the suite, and in proportion elsewhere."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=max(1, count * profile.max_examples // EXAMPLES))
