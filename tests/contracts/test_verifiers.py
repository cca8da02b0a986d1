"""Claims that hold for every registered verifier."""

import functools
import tempfile
from pathlib import Path

import pytest

from rlvr_gym.graphs import Entity, KnowledgeGraph, Relation
from rlvr_gym.graphs import Path as GraphPath
from rlvr_gym.graphs.gate import row
from rlvr_gym.graphs.structure import GateConfig
from rlvr_gym.testing import VERIFIER_CONTRACTS, Example, check_verifier, require
from rlvr_gym.testing.audit import ALL, audit
from rlvr_gym.testing.contracts import HOSTILE_LIMIT_S
from rlvr_gym.testing.verifiers import examples_for
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers import VERIFIERS, Verifier, verifier
from tests.integration.swe_repository import make_environment, make_instance

EXAMPLES = {
    "number": [Example("42", "42"), Example(-7, r"\boxed{-7}"), Example("1/3", "2/6")],
    "integral_setter": [Example(None, "<problem>2*x*cos(x^2)</problem><answer>sin(x^2)</answer>")],
}
EXAMPLES["math"] = [
    Example("42", r"So it is \boxed{42}."),
    Example(r"\frac{\sqrt{3}}{3}", r"\boxed{1/\sqrt3}", "What is $\\tan 30^\\circ$?"),
    Example({"answer": "B", "choices": ["3", "5"]}, "(B)"),
]
NUMBERS = [Example("42", r"\boxed{42}"), Example(-7, "-7")]
EXAMPLES |= dict.fromkeys(("gate", "weighted_sum", "first_decisive", "pass_rate"), NUMBERS)
EXAMPLES["format"] = [Example(None, "<think>6 * 7</think><answer>42</answer>")]
EXAMPLES["length"] = [Example(None, "word " * 13)]
EXAMPLES["code"] = [
    Example(
        ["assert double(2) == 4", "assert double(-3) == -6"],
        "```python\ndef double(x):\n    return x + x\n```",
    ),
    Example([{"stdin": "2\n3\n", "stdout": "5\n"}], "```python\nprint(int(input()) + int(input()))\n```"),
    Example(["for n in range(9):\n    assert square(n) == n * n"], "def square(n): return n ** 2"),
]
BIRTHS = KnowledgeGraph.of(
    [("ada", "birth", "england"), ("england", "capital", "london")],
    entities={id: Entity(id, id.title()) for id in ("ada", "england", "london")},
    relations={"birth": Relation("birth", "country of birth"), "capital": Relation("capital", "capital")},
)
EXAMPLES["kg_question"] = [
    Example({"paths": [row(BIRTHS, GraphPath((0, 1, 2), (0, 1)), wording, GateConfig())]}, question)
    for wording, question in (
        ("text", "What is the capital of the country of birth of Ada?"),
        ("codes", "aAB"),
    )
]
EXAMPLES["kg"] = [
    Example(
        {
            "answers": [{"id": "Q90", "label": "Paris", "forms": ["q90", "paris", "paris, france"]}],
            "path": [{"id": "Q142", "label": "France", "forms": ["q142", "france"]}],
        },
        "Answer: Paris",
        "What is the capital of the country of birth of Ada?",
        wrong=("Answer: Paris or Lyon", "Answer: not Paris", "Answer: France"),
    ),
    Example(
        {"answers": ["Trinidad and Tobago", "Cuba"], "many": True},
        "<answer>Cuba; Trinidad and Tobago</answer>",
        wrong=("Cuba", "Cuba, Trinidad, Tobago", "Cuba, Cuba and Trinidad and Tobago"),
    ),
    Example(
        {"answers": [{"id": "k", "label": "12 km", "forms": [], "value": "12", "unit": "km"}]},
        "\\boxed{12,000 m}",
        wrong=("12", "12 m", "12 km?"),
    ),
]
SWE_FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def swe_examples():
    folder = Path(SWE_FOLDER.name)
    instance = make_instance(folder / "repository", make_environment(folder / "environment"))
    return [Example(instance.to_dict(), instance.patch)]


def examples_of(name):
    return swe_examples() if name == "swe" else EXAMPLES.get(name) or examples_for(name)


EXAMPLES["judge"] = [Example("42", "42", "6 * 7 = ?"), Example("7", "<think>8?</think>\n7")]
NEEDED = {
    "judge": {"policy": "scripted_judge"},
    "gate": {"parts": ["number", {"verifier": {"name": "length", "most": 4}}]},
    "weighted_sum": {"parts": ["number", {"verifier": "format", "weight": 0.25}]},
    "first_decisive": {"parts": ["number", {"verifier": {"name": "length", "most": 4}}]},
    "pass_rate": {"verifier": "number", "mode": "rate"},
    "length": {"least": 13, "most": 13},
}
"""Settings without which a verifier cannot be made."""
SETTINGS = [{}, {"lenient_score": 0.5}]
CASES = [
    (name, NEEDED.get(name, {}) | settings)
    for name in VERIFIERS
    for settings in SETTINGS
    if settings.keys() <= VERIFIERS[name].config.model_fields.keys()
]


@pytest.mark.parametrize("contract", VERIFIER_CONTRACTS)
@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_verifier(name, settings, contract):
    VERIFIER_CONTRACTS[contract](Verifier(name, settings), examples_of(name))


PARTIAL = {"format": 1.0, "length": 1.0, "weighted_sum": 0.25}
"""What a wrong answer may earn by design."""
LEFT_OUT = {
    "judge": {"bad references"},
    "code": {"candidates", "changed answer"},
    "swe": {"repeats"},
    "constraints": {"near miss", "other task"},
    "small_verus": {"near miss", "other task"},
    "verus": {"candidates", "changed answer"},
}
"""Many answers meet a specification, another one's too. A judge may judge by its rubric alone. Code is a block: a number above or below it is a remark, not another answer. That
the same patch gets the same verdict is a contract, and each verdict on it a run of pytest."""
LIMIT_S = {"swe": 60.0}
"""Where a verdict takes longer than hostile texts may."""


@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_the_audit_finds_nothing(name, settings):
    report = audit(
        name,
        kind="verifier",
        settings=settings,
        examples=examples_of(name),
        partial=PARTIAL.get(name, 0.0),
        limit_s=LIMIT_S.get(name, HOSTILE_LIMIT_S),
        only=[family for family in ALL if family not in LEFT_OUT.get(name, ())],
    )
    assert report.findings == []
    assert report.clean


CALLS = []


def sloppy(task, response, config):
    """Pass whatever mentions a box, for a different reason each time; raise on NUL."""
    if "\x00" in response:
        raise RuntimeError("NUL")
    CALLS.append(response)
    status = Status.PASSED if "boxed" in response else Status.FAILED
    return Verdict.of(status, f"call {len(CALLS)}")


@pytest.fixture
def _sloppy():
    verifier("test_sloppy", bounded=True)(sloppy)
    yield
    del VERIFIERS._entries["test_sloppy"]


@pytest.mark.usefixtures("_sloppy")
def test_a_bad_verifier_fails_the_checks_that_it_breaks():
    results = {check.name: check for check in check_verifier("test_sloppy", examples=[Example("1", "1")])}
    assert set(results) == set(VERIFIER_CONTRACTS)
    assert {name for name, check in results.items() if check.passed} == {
        "verdicts_survive_json",
        "scores_lie_in_the_stated_range",
    }
    assert results["any_text_gets_a_verdict"].detail == "RuntimeError: NUL"


def test_examples_come_from_an_environment_that_uses_the_verifier():
    examples = examples_for("number")
    assert examples[0].right is not None
    require(check_verifier("number"))
