"""Proof functions that help a recursive spec function to terminate: ``decreases n via lemma``."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.checks.recursion import called
from rlvr_gym.verifiers.verus.checks.walk import attribute, roots, walk
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax.tree import Function, Return

MARKS = ("via_fn", "verifier::decreases_by")
"""The attributes of such a helper; they mean the same."""


def check_via(crate: Crate) -> None:
    """Check that every ``via`` names a helper that fits, and that helpers serve for nothing else.

    Raises:
        Rejected: a helper without its mark, with a contract, with other parameters, or called.
        Unsupported: a helper of another module.
    """
    helpers = {function.id: function for function in crate.functions if _marked(function)}
    used: set[str] = set()
    for function in crate.functions:
        if function.via is not None:
            used.add(function.via)
            _check_helper(crate, function, function.via)
        for root in roots(function):
            for target, node in called(root):
                if target.function.id in helpers:
                    raise Rejected(
                        f"cannot call the decreases_by function `{target.function.name}`", node.place
                    )
    for helper in helpers.values():
        if helper.id not in used:
            raise Rejected(f"`{helper.name}` is marked as decreases_by and no `via` names it", helper.place)


def _marked(function: Function) -> bool:
    return any(attribute(function.attributes, mark) is not None for mark in MARKS)


def _check_helper(crate: Crate, function: Function, name: str) -> None:
    helper = crate.functions_by_id.get(name)
    # The name is not resolved: what it means is certain only for two functions that stand at the same place.
    if helper is None or _module(helper) != _module(function) or function.owner is not None:
        raise Unsupported(f"decreases via `{name}`", function.place)
    if helper.mode != "proof" or not _marked(helper):
        raise Rejected(
            f"`{name}` must be a proof function marked #[via_fn] to be used by `via`", function.place
        )
    if helper.requires or helper.ensures or helper.decreases or helper.result is not None:
        raise Rejected(f"the decreases_by function `{name}` cannot have a contract", helper.place)
    if helper.parameter_types != function.parameter_types or _names(helper) != _names(function):
        raise Rejected(f"`{name}` must have the parameters of `{function.name}`", helper.place)
    if helper.body is not None and any(isinstance(node, Return) for node in walk(helper.body)):
        # What the helper proves must hold on every way through it.
        raise Unsupported(f"`return` in the decreases_by function `{name}`", helper.place)
    if helper.generics or function.generics:
        raise Unsupported("`via` of a generic function", function.place)


def _module(function: Function) -> str:
    return function.id.rpartition("::")[0]


def _names(function: Function) -> list[str]:
    return [parameter.name for parameter in function.parameters]
