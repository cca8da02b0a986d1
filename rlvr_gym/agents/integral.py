"""Indefinite integrals as both roles meet them: a setter writes (f, F), a solver sees f alone."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import cast

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.envs import SingleTurnEnv
from rlvr_gym.envs.integral import IntegralEnv
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.envs.table_terms import antiderivative, draw_terms, integrand, vary
from rlvr_gym.types import Conversation, Message, Provenance, Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.calculus import ParseError, parse_integrand, value_hash, visible
from rlvr_gym.verifiers.integral_setter import IntegralSetterConfig, read_proposal


class IntegralDomain(EnvironmentDomain):
    """Setter and solver of indefinite integrals.

    Args:
        env: An ``integral`` environment; its style is how both roles are addressed.
    """

    def __init__(self, env: IntegralEnv) -> None:
        super().__init__(env)
        self.integral_env = env
        self._gate = Verifier("integral_setter")
        self._gate_config = cast(IntegralSetterConfig, self._gate.config)

    @property
    def gate(self) -> Verifier:
        """The setter gate: a right pair of an integrand and its antiderivative, not trivial, not the seed."""
        return self._gate

    @property
    def compact(self) -> bool:
        """Whether formulas alone are exchanged, for policies that read no words."""
        return self.integral_env.config.style == "compact"

    def proposer_view(self, parent: Task) -> Conversation:
        """Return the instruction with the seed's integrand; the seed's answer is not in it."""
        if self.compact:
            return (Message("system", "set"), Message("user", parent.reference))
        return (Message("user", _setter_prompt().format(problem=parent.reference)),)

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the gate's task; the seed itself is known, so that copying it is refused."""
        return Task("gate", prompt="", reference={"known": [self.form(parent)]}, verifier=self._gate.name)

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task that ``<problem>f</problem><answer>F</answer>`` states, None if f is no formula."""
        try:
            read_proposal(text, self._gate_config)
        except ParseError:
            return None
        # As written, since that is the notation the policy knows; the parser has vouched for every character.
        problem, _, answer = visible(text).strip().removeprefix("<problem>").partition("</problem>")
        claim = answer.strip().removeprefix("<answer>").removesuffix("</answer>")
        return replace(
            self._pose(problem),
            hidden={"claim": {"antiderivative": claim}},
            provenance=Provenance("proposed", (parent.id,), trajectory, step),
        )

    def form(self, task: Task) -> str:
        """Return the value hash of the integrand: equal for multiples, rewritings and renamed variables."""
        return _form(task.reference)

    def held_out(self, task: Task) -> bool:
        """Return whether the integrand belongs to the held-out split."""
        return is_heldout(self.form(task))

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return what imitation teaches."""
        return (
            "it imitated one- and two-term table integrals, none held out, of which "
            f"{mistakes['solver']:.0%} of the solver's answers and {mistakes['proposer']:.0%} of the setter's "
            "forgot to divide by the inner factor or the new exponent"
        )

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return table integrals for both roles in turn, a share of the answers forgetting to divide."""
        found: list[Demonstration] = []
        while len(found) < number:
            terms = draw_terms(rng)
            seed = self._pose(self.integral_env.write(integrand(terms)))
            if self.held_out(seed):
                continue
            answer = self.integral_env.write(
                antiderivative(terms, careless=rng.random() < mistakes["solver"])
            )
            found.append(
                Demonstration(
                    "solver", self.solver_view(seed), answer if self.compact else f"\\boxed{{{answer}}}"
                )
            )
            other = vary(terms, rng)
            posed = self._pose(self.integral_env.write(integrand(other)))
            if not self.held_out(posed):
                claim = self.integral_env.write(
                    antiderivative(other, careless=rng.random() < mistakes["proposer"])
                )
                text = f"<problem>{posed.reference}</problem><answer>{claim}</answer>"
                found.append(Demonstration("proposer", self.proposer_view(seed), text))
        return found[:number]

    def _pose(self, problem: str) -> Task:
        return Task(
            f"integral:{problem}",
            prompt=self.integral_env.prompt(problem),
            reference=problem,
            verifier=self.judge.name,
            env=self.env.id,
        )


@functools.lru_cache(maxsize=65536)
def _form(problem: str) -> str:
    return value_hash(parse_integrand(problem))


@functools.cache
def _setter_prompt() -> str:
    return (
        (resources.files("rlvr_gym.agents") / "prompts" / "integral_setter.txt")
        .read_text(encoding="utf-8")
        .strip()
    )


def _integral(env: SingleTurnEnv) -> Domain:
    return IntegralDomain(cast(IntegralEnv, env))


DOMAINS.add(
    "integral", _integral, summary="Indefinite integrals: the setter writes an integrand with its answer."
)
