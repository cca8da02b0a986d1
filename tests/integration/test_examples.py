import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SAID = {
    "custom_algorithm": "held-out accuracy",
    "custom_env": "holds the oracle scores 1",
    "custom_verifier": "passed - all used",
    "evaluate": "accuracy between",
    "first_reward": "reward 1.0",
}


def test_every_example_is_tried():
    assert {path.stem for path in EXAMPLES} == set(SAID)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_as_it_is(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", str(path)],
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert SAID[path.stem] in done.stdout
    assert "FAILS" not in done.stdout
