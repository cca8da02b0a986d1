"""Integrals as both roles meet them: views, reading, forms, demonstrations."""

from __future__ import annotations

import numpy as np
import pytest

from rlvr_gym.agents import claimed, make_domain
from rlvr_gym.agents.integral import IntegralDomain
from rlvr_gym.errors import UsageError
from rlvr_gym.types import Task

TABLE = {"name": "integral-v0", "families": ["table_sum"], "style": "compact"}


@pytest.fixture(scope="module")
def domain() -> IntegralDomain:
    made = make_domain(TABLE)
    assert isinstance(made, IntegralDomain)
    return made


def read(domain: IntegralDomain, text: str) -> Task | None:
    parent = domain.seed(np.random.default_rng(0))
    return domain.read(text, parent, trajectory="t", step=3)


def test_a_proposal_becomes_a_task_that_its_own_answer_solves(domain: IntegralDomain) -> None:
    task = read(domain, "<problem>9cos(2x)+3x^6</problem><answer>9sin(2x)/2+3x^7/7</answer>")
    assert task is not None
    assert task.reference == "9cos(2x)+3x^6"
    assert task.provenance.trajectory == "t"
    assert domain.judge.check(task, "9sin(2x)/2+3x^7/7").passed
    assert not domain.judge.check(task, "9sin(2x)+3x^7").passed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9cos(2x)",
        "<problem>9os(2x)</problem><answer>x</answer>",
        "<problem>x+x^2</problem>",
        "<problem>x+x^2</problem><answer>x^2/2</answer> and more",
        "<problem>__import__('os')</problem><answer>x</answer>",
        "<problem>x</problem><problem>x</problem><answer>x</answer>",
        "<think><problem>x+x^2</problem><answer>x</answer>",
    ],
)
def test_what_is_no_proposal_is_no_task(domain: IntegralDomain, text: str) -> None:
    assert read(domain, text) is None


def test_invariant_12_the_solver_sees_no_trace_of_the_claimed_answer(domain: IntegralDomain) -> None:
    task = read(domain, "<problem>2cos(2x)+3x^6</problem><answer>sin(2x)+3x^7/7</answer>")
    assert task is not None
    shown = "".join(message.content for message in domain.solver_view(task))
    assert shown == "2cos(2x)+3x^6"
    seed = domain.seed(np.random.default_rng(1))
    setter_sees = "".join(message.content for message in domain.proposer_view(seed))
    assert seed.reference in setter_sees
    assert seed.hidden["antiderivative"] not in setter_sees


def test_the_naive_control_judges_by_the_claim_and_nothing_else(domain: IntegralDomain) -> None:
    task = read(domain, "<problem>2cos(2x)+3x^6</problem><answer>x^2</answer>")
    assert task is not None
    assert domain.judge.check(claimed(task), "x^2").passed
    assert not domain.judge.check(claimed(task), "sin(2x)+3x^7/7").passed


def test_multiples_and_rewritings_have_one_form(domain: IntegralDomain) -> None:
    forms = {
        domain.form(Task("t", "", reference=text))
        for text in ["x^2+sin(x)", "2x^2+2sin(x)", "sin(x)+x*x", "x^2-sin(-x)"]
    }
    assert len(forms) == 1
    assert domain.form(Task("t", "", reference="x^2-sin(x)")) not in forms


def test_a_copy_of_the_seed_is_refused_by_the_gate(domain: IntegralDomain) -> None:
    seed = domain.seed(np.random.default_rng(3))
    text = f"<problem>{seed.reference}</problem><answer>{domain.env.oracle(seed)}</answer>"
    verdict = domain.gate.check(domain.gate_task(text, seed), text)
    assert verdict.reason.partition(":")[0] in ("known", "trivial")


@pytest.mark.parametrize(("mistakes", "low", "high"), [(0.0, 1.0, 1.0), (0.6, 0.3, 0.55)])
def test_demonstrations_hold_the_mistakes_asked_for(
    domain: IntegralDomain, mistakes: float, low: float, high: float
) -> None:
    shown = domain.demonstrations(np.random.default_rng(0), 200, {"solver": mistakes, "proposer": mistakes})
    solver = [d for d in shown if d.role == "solver"]
    right = sum(
        domain.judge.check(Task("t", "", reference=d.prompt[-1].content), d.completion).passed for d in solver
    ) / len(solver)
    # A lone a/x needs no division, so that a careless answer to it is right all the same.
    assert low <= right <= high


def test_no_demonstration_seed_or_parent_is_held_out(domain: IntegralDomain) -> None:
    rng = np.random.default_rng(1)
    for demo in domain.demonstrations(rng, 100, {"solver": 0.5, "proposer": 0.5}):
        assert not domain.held_out(Task("t", "", reference=demo.prompt[-1].content))
        if demo.role == "proposer":
            problem = demo.completion.removeprefix("<problem>").partition("</problem>")[0]
            assert not domain.held_out(Task("t", "", reference=problem))
    assert not any(domain.held_out(domain.seed(rng)) for _ in range(50))


def test_an_environment_without_a_proposer_says_which_loop_takes_it() -> None:
    sums = make_domain("sums-v0")
    with pytest.raises(UsageError, match="loop 'rlvr'"):
        sums.proposer_view(Task("t", ""))


def test_words_are_used_where_the_style_says_so() -> None:
    domain = make_domain({"name": "integral-v0", "max_level": 1})
    seed = domain.seed(np.random.default_rng(0))
    assert "boxed" in domain.solver_view(seed)[0].content
    assert "<problem>" in domain.proposer_view(seed)[0].content
