"""The audit on verifiers that are wrong on purpose: each must be caught, and by the probes that mean it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from rlvr_gym.envs import ENVS
from rlvr_gym.testing import Example, load_file
from rlvr_gym.testing.audit import audit
from rlvr_gym.verifiers import VERIFIERS

FILE = Path(__file__).parents[1] / "data" / "planted_verifiers.py"
EXAMPLES = [
    Example("4217", "4217", "How many apples are in 4218 baskets less one?"),
    Example("-358", "\\boxed{-358}", "What is left of 10 after 368?"),
    Example("60", "60", "Add twenty and forty."),
    Example("7" * 5_000, "7" * 5_000),
]
NAMES = [
    "substring",
    "last_number",
    "any_candidate",
    "always",
    "form",
    "echo",
    "evaluates",
    "prefix",
    "tolerance",
    "fuzzy",
    "asks_for_injection",
    "unclosed_thought",
    "hedge",
    "last_side",
    "first_box",
    "no_reference",
    "any_known",
    "white_space",
    "swallows",
    "long_numbers",
    "backtracks",
    "loops",
    "sleeps",
    "computes",
    "surrogate",
    "nul",
    "exits",
    "digits",
    "blames_the_task",
    "dies_in_worker",
    "stalls_in_worker",
    "throws_dice",
    "first_call",
    "hash_order",
    "alarm",
    "takes_the_alarm",
    "seeds",
    "recursion",
    "shared",
    "leaks",
    "id_pays",
]


@pytest.fixture(scope="module")
def plants() -> Iterator[ModuleType]:
    """The plants, registered while this file is tested and no longer."""
    registries = (VERIFIERS, ENVS)
    before = [set(registry) for registry in registries]
    yield load_file(FILE)
    for registry, known in zip(registries, before, strict=True):
        for name in set(registry) - known:
            del registry._entries[name]


def test_every_plant_is_tried(plants):
    assert set(plants.WRONG) == {f"planted_{name}" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_planted_verifier_is_caught_by_the_probes_that_mean_it(plants, name):
    fault, family = plants.WRONG[f"planted_{name}"]
    # Short only where the limit is what is waited for: a busy machine is no fault of the others.
    limit_s = 0.5 if fault == "hung" else 2.0
    report = audit(f"planted_{name}", examples=EXAMPLES, limit_s=limit_s, only=[family])
    assert not report.clean
    assert report.row(family).num(fault), list(report.findings)


@pytest.mark.parametrize("name", ["planted_shaped", "planted_unmasked", "planted_forgetful"])
def test_a_planted_environment_is_caught_by_the_probes_that_mean_it(plants, name):
    fault, family = plants.WRONG_ENVS[name]
    report = audit(name, only=[family])
    assert report.row(family).num(fault)
    assert not report.clean


def test_what_is_paid_by_design_can_be_said(plants):
    assert audit("planted_shaped", only=["right", "form only", "null"], partial=0.1).clean


@pytest.mark.parametrize("name", ["planted_sound", "planted_env", "sound_function", "in_lists"])
def test_a_sound_one_passes(plants, name):
    thing = name if name.startswith("planted_") else getattr(plants, name)
    report = audit(thing, examples=() if name == "planted_env" else EXAMPLES)
    assert report.findings == []
    assert report.clean


@pytest.mark.parametrize(
    ("name", "fault", "family"),
    [("above_one", "other", "right"), ("not_a_number", "other", "empty"), ("negative", "other", "null")],
)
def test_scores_are_numbers_from_0_to_1(plants, name, fault, family):
    report = audit(getattr(plants, name), examples=EXAMPLES, only=[family])
    assert report.row(family).num(fault)


def test_the_usual_function_for_gsm8k_pays_for_the_last_number(plants):
    report = audit(plants.with_source, examples=EXAMPLES[:3])
    assert report.row("near miss").num("paid")
    assert report.row("in thought").num("paid")
