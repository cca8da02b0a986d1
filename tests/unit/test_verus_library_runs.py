"""The model of the library says nothing that running its functions would contradict."""

from __future__ import annotations

import random

import pytest

from rlvr_gym.verifiers.verus.inference.library import library
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.interpreter import Interpreter, Unknown
from rlvr_gym.verifiers.verus.interpreter.calls import short
from rlvr_gym.verifiers.verus.interpreter.draw import Draw
from rlvr_gym.verifiers.verus.interpreter.ghost_library import GHOST
from rlvr_gym.verifiers.verus.syntax.parser import parse

_RUNS = 25
_CRATE = infer(parse("use vstd::prelude::*;\nverus! {\nfn nothing() {}\n}"))
_CONTRACTS = [id for id, each in library().functions.items() if each.mode != "spec"]
# Quantified over all values of a type, chosen from several, or a generic constant: their definitions cannot be run.
_NOT_RUN = {"Set::subset_of", "Set::disjoint", "Seq::index_of", "array::spec_array_len"}
_DEFINITIONS = [
    id
    for id, each in library().functions.items()
    if each.mode == "spec" and each.body is not None and short(each) in GHOST.keys() - _NOT_RUN
]


def test_contracts_lemmas_and_axioms_hold_on_random_values() -> None:
    rng, silent = random.Random(5), []
    interpreter = Interpreter(_CRATE, trusting=False)
    for id in _CONTRACTS:
        tally = interpreter.tally(library().function(id), rng, _RUNS)
        assert not tally.violations, str(tally.violations[0])
        if not tally.runs:
            silent.append(id)
    # Arrays have no length here, and some preconditions are hard to meet by chance.
    assert len(silent) < len(_CONTRACTS) / 12, silent


@pytest.mark.parametrize("id", _DEFINITIONS)
def test_definitions_are_what_they_are_called(id: str) -> None:
    rng, same = random.Random(7), 0
    interpreter, function = Interpreter(_CRATE), library().function(id)
    for _ in range(60):
        draw = Draw(_CRATE, rng)
        arguments = [draw.value(type) for type in function.parameter_types]
        try:
            meant = interpreter.spec(function, arguments)
            found = interpreter.spec(function, arguments, by_definition=True)
        except Unknown:
            continue
        assert found == meant, arguments
        same += 1
    assert same > 3
