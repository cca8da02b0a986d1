"""Every block of the README and of the docs does what it says: commands succeed, outputs are as shown."""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from rlvr_gym.config import build
from rlvr_gym.learner import LearnerConfig
from rlvr_gym.selfplay import load_recipe

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BREAK = "\x1e"

# Training commands run at a size that tests what they say, not what they learn.
SMALL = (
    'policies.main={name="tiny", layers=1, width=16, heads=2}',
    *("environment.style=compact", "sampling.max_new_tokens=4", "steps=1", "threads=1", "evaluation.tasks=2"),
)
SELF_PLAY = (
    *("loop.parents=1", "loop.siblings=2", "loop.attempts=2", "loop.practice=1", "loop.practice_attempts=2"),
    *("warm_start.steps=1", "warm_start.warmup_steps=0", "warm_start.examples=8", "evaluation.proposals=2"),
)
TINY = {
    "rlvr-gym demo": (*SMALL, *SELF_PLAY, "sampling_of={}"),
    "rlvr-gym train recipes/vhg_integral_smollm2.toml": (*SMALL, *SELF_PLAY),
    "rlvr-gym train recipes/grpo_sums_smollm2.toml": (*SMALL, "loop.prompts=2", "loop.attempts=2"),
    "rlvr-gym train recipes/spark_synthetic.toml": (
        *("policies.main={name='tiny', layers=1, width=16, heads=2, context=1024}", "steps=1", "threads=1"),
        *("loop.parents=1", "loop.siblings=2", "loop.attempts=2", "sampling.max_new_tokens=4"),
        *("warm_start.steps=1", "warm_start.warmup_steps=0", "warm_start.examples=8"),
        *("evaluation.tasks=2", "evaluation.proposals=2"),
    ),
}
# These would install or test this very checkout from inside its tests.
ELSEWHERE = re.compile(r"^(pip install|make) ")


@dataclass(frozen=True)
class Block:
    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    return [Block(*match.groups()) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def python_with_outputs(page: Path) -> list[tuple[str, str | None]]:
    blocks = blocks_of(page)
    found = []
    for block, following in itertools.pairwise([*blocks, Block("", "")]):
        if block.language == "python":
            found.append((block.text, following.text if following.language == "text" else None))
    return found


def run(command: list[str], folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "page", [page for page in PAGES if python_with_outputs(page)], ids=lambda page: page.stem
)
def test_python_blocks_print_what_is_shown(page, tmp_path):
    blocks = python_with_outputs(page)
    script = tmp_path / "page.py"
    script.write_text(f'\nprint("{BREAK}", end="")\n'.join(code for code, _ in blocks), encoding="utf-8")
    printed = run([sys.executable, str(script)], tmp_path).split(BREAK)
    for (code, shown), out in zip(blocks, printed, strict=True):
        assert shown is None or out == shown, code


SHELL = [
    (page, number, block.text)
    for page in PAGES
    for number, block in enumerate(blocks_of(page))
    if block.language == "bash"
    and any(line and not ELSEWHERE.match(line) for line in block.text.splitlines())
]


def shrunk(line: str) -> str:
    for command, overrides in TINY.items():
        if line.startswith(command):
            line, comment, rest = line.partition("  #")
            return (
                line + "".join(f" --set {shlex.quote(override)}" for override in overrides) + comment + rest
            )
    return line


@pytest.mark.parametrize(
    ("page", "number", "text"), SHELL, ids=[f"{page.stem}-{number}" for page, number, _ in SHELL]
)
def test_shell_blocks_succeed(page, number, text, tmp_path):
    (tmp_path / "recipes").symlink_to(ROOT / "recipes")
    # A block that looks at a run needs the block that made it.
    earlier = [t for p, n, t in SHELL if p == page and n < number and "runs/" in text]
    lines = "\n".join([*earlier, text]).replace("\\\n", "").splitlines()
    script = "\n".join(shrunk(line) for line in lines if not ELSEWHERE.match(line))
    run(["bash", "-euo", "pipefail", "-c", script], tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_toml_blocks_are_settings_that_exist(page):
    for block in blocks_of(page):
        if block.language == "toml":
            tables = tomllib.loads(block.text)
            if "project" in tables:
                continue
            recipe = load_recipe({"loop": "vhg", "environment": "integral-v0", **tables})
            build(LearnerConfig, recipe.learner, where=str(page.name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_tables_of_what_is_registered_are_not_stale(tmp_path):
    made = run(
        [sys.executable, "-c", "from rlvr_gym.cli.main import main; main(['list', '--markdown'])"], tmp_path
    )
    assert made == (ROOT / "docs" / "registered.md").read_text(encoding="utf-8"), (
        "run: rlvr-gym list --markdown > docs/registered.md"
    )


def test_the_readme_names_everything_it_counts():
    from rlvr_gym.report.catalog import catalog

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for kind in ("env", "verifier", "loop", "algorithm", "policy"):
        for thing in catalog(kind)[0].things:
            assert f"`{thing.name}`" in text, f"{kind} {thing.name} is missing in the README"
