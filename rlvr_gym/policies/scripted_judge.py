"""A judge without a model, for tests: it reads the prompt of the verifier ``judge`` and answers by a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.quoting import AnswerForm, plain, unquoted
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.seeding import generator
from rlvr_gym.types import SampleRequest

Ruling: TypeAlias = str | Mapping[str, str]
"""The word to answer with, or one for each criterion."""


def scripted_judge(
    rule: Callable[[Mapping[str, str], AnswerForm, int], Ruling], *, version: str = "scripted_judge:0"
) -> ScriptedPolicy:
    """Return a policy that rules by a function and answers in the form that the judge's prompt asks for.

    Args:
        rule: From the texts shown (``task``, ``reference``, ``response``; ``answer_a`` and ``answer_b`` of a
            comparison), the form with the words to choose from, and the seed of the vote, to the ruling.
        version: Version that completions carry.

    Example:
        >>> judge = scripted_judge(lambda texts, form, seed: "pass" if "please" in texts["response"] else "fail")
    """

    def script(prompt: str, request: SampleRequest) -> str:
        form = AnswerForm.last_in(prompt)
        if form is None:
            return "There is nothing to judge."
        ruling = rule(unquoted(prompt, form.code), form, request.seed)
        words = dict.fromkeys(form.choices, ruling) if isinstance(ruling, str) else ruling
        return f"Judged by a rule.\n{form.line(words)}"

    return ScriptedPolicy(script, version=version)


class ScriptedJudge(Config):
    """Settings of the scripted judge."""

    rule: Literal["equals", "contains"] = "equals"
    """What a good text does with ``text``."""
    text: str | None = None
    """The task's reference when left out."""
    noise: float = Field(default=0.0, ge=0.0, le=1.0)
    """Share of votes that are turned round, drawn by the seed of each vote."""


def _scripted_judge(config: ScriptedJudge) -> ScriptedPolicy:
    def good(texts: Mapping[str, str], name: str) -> bool:
        wanted = texts.get("reference", "") if config.text is None else plain(config.text)
        given = texts.get(name, "").strip()
        return given == wanted.strip() if config.rule == "equals" else wanted.strip() in given

    def rule(texts: Mapping[str, str], form: AnswerForm, seed: int) -> Ruling:
        turned = generator(seed, "noise").random() < config.noise
        if "answer_a" in texts:
            a, b = good(texts, "answer_a"), good(texts, "answer_b")
            return "tie" if a == b else "A" if a != turned else "B"
        best = good(texts, "response") != turned
        return {name: _extreme(choices, best=best) for name, choices in form.choices.items()}

    return scripted_judge(rule)


def _extreme(choices: Sequence[str], *, best: bool) -> str:
    """Return the best or worst word: pass or fail, the highest or lowest number."""
    if "pass" in choices:
        return "pass" if best else "fail"
    return (max if best else min)(choices, key=int)


POLICIES.add(
    "scripted_judge",
    _scripted_judge,
    config=ScriptedJudge,
    summary="Answers the verifier judge by a rule; for tests and demonstrations.",
)
