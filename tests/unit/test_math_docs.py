"""Every row of the tables of choices in the docs is what the math verifier does."""

import re
from pathlib import Path

import pytest

from rlvr_gym import verify

PAGE = (Path(__file__).parents[2] / "docs" / "math.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\|(?: `([^`]*)`| [^|`]*(?:`[^`|]*`[^|`]*)*) \| `([^`]*)` \| `([^`]*)` \| (passed|failed) \|$",
    PAGE,
    re.MULTILINE,
)


def test_the_page_has_rows():
    assert len(ROWS) > 60


@pytest.mark.parametrize(("prompt", "reference", "answer", "status"), ROWS)
def test_a_row_is_what_happens(prompt, reference, answer, status):
    assert verify("math", rf"\boxed{{{answer}}}", reference=reference, prompt=prompt or None).status == status
