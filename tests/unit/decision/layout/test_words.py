"""Lines of the essence end where a sentence ends, if they can."""

import pytest

from app.core.text.cutting import CUT
from app.decision.layout.parts.words import cut_sentences

FIRST, SECOND = "A4 leads on the plain sum.", "No doubtful rating takes that away, moved to its far end."


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        (f"{FIRST} {SECOND}", 200, f"{FIRST} {SECOND}"),
        (f"{FIRST} {SECOND}", 60, f"{FIRST} {CUT}"),
        (f"{FIRST}\n {SECOND} {SECOND}", 90, f"{FIRST} {SECOND} {CUT}"),
        (f"{FIRST} {SECOND}", len(FIRST), f"{FIRST} {CUT}"),
        (SECOND, 26, f"No doubtful rating takes{CUT}"),
        ("Open after 2 p.m. and on Saturdays. Shut in May.", 26, f"Open after 2 p.m. and on{CUT}"),
    ],
)
def test_a_line_too_long_ends_after_a_whole_sentence_if_one_fits(text: str, most: int, told: str) -> None:
    assert cut_sentences(text, most) == told
