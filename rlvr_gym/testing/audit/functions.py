"""Reward functions that people have already, called as their trainers call them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Json

RewardFunction = Callable[..., Any]
_COMPLETIONS = "completions"
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def adapted(function: RewardFunction) -> Callable[[str, str, Json], object]:
    """Return ``call(prompt, response, reference)`` for a function in any of three shapes, told by parameter names.

    * ``completions``: lists in, a list out, as TRL calls it. Every other parameter without a default gets the
      reference, except ``prompts``.
    * ``solution_str`` and ``ground_truth``: as verl calls it; the result may be a table with ``score``.
    * anything else: ``function(response, reference)``.

    Raises:
        UsageError: a function that takes no two arguments.
    """
    parameters = inspect.signature(function).parameters
    if _COMPLETIONS in parameters:
        return _of_lists(function, parameters)
    if {"solution_str", "ground_truth"} <= parameters.keys():
        return _of_names(function, parameters)
    positional = [p for p in parameters.values() if p.kind in _POSITIONAL]
    wanted = [p for p in positional if p.default is p.empty]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters.values())
    if len(wanted) > 2 or (len(positional) < 2 and not variadic):
        raise UsageError(
            f"{function.__name__}{inspect.signature(function)}: a reward function takes (response, reference), "
            "TRL's completions, or verl's solution_str and ground_truth."
        )
    return lambda prompt, response, reference: _score(function(response, reference))


def _of_lists(
    function: RewardFunction, parameters: Mapping[str, inspect.Parameter]
) -> Callable[[str, str, Json], object]:
    columns = [
        name
        for name, p in parameters.items()
        if name not in (_COMPLETIONS, "prompts")
        and p.default is p.empty
        and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]

    def call(prompt: str, response: str, reference: Json) -> object:
        given = {_COMPLETIONS: [response], **{name: [reference] for name in columns}}
        if "prompts" in parameters:
            given["prompts"] = [prompt]
        result = function(**given)
        if not isinstance(result, list | tuple) or len(result) != 1:
            raise TypeError(
                f"one completion was judged and {result!r:.80} came back, not a list of one reward"
            )
        return _score(result[0])

    return call


def _of_names(
    function: RewardFunction, parameters: Mapping[str, inspect.Parameter]
) -> Callable[[str, str, Json], object]:
    extra = {
        name: "audit" if name == "data_source" else None
        for name, p in parameters.items()
        if name not in ("solution_str", "ground_truth")
        and p.default is p.empty
        and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    }
    return lambda prompt, response, reference: _score(
        function(**extra, solution_str=response, ground_truth=reference)
    )


def _score(result: object) -> object:
    return result["score"] if isinstance(result, Mapping) and "score" in result else result
