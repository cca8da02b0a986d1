"""Random programs with random contracts, of which many are true and many just miss being so.

Each shape draws a function and candidate clauses for its postcondition. Those that hold on a few runs are kept, with a false
one now and then: what is left over is true, or false on rare inputs only, which is what a prover must not miss.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from rlvr_gym.verifiers.verus.errors import Stop
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.interpreter import Interpreter
from rlvr_gym.verifiers.verus.syntax.parser import parse
from tests.integration.verus_generator import data, ghost, integers, loops, provers, soup
from tests.integration.verus_generator.words import Draft

_SAMPLES = 8

SHAPES: tuple[Callable[[random.Random], Draft], ...] = (
    integers.straight,
    integers.branches,
    integers.divisions,
    integers.arithmetic,
    loops.sums,
    loops.recursive,
    loops.exits,
    loops.counted,
    data.over_vector,
    data.new_vector,
    data.changing,
    data.vector_calls,
    data.options,
    data.structures,
    data.generic,
    ghost.sequences,
    ghost.measured,
    ghost.lemmas,
    ghost.functions_as_values,
    provers.bits,
    provers.products,
    provers.computed,
    provers.sets,
    soup.soup,
    soup.soup,
)


def crate_of(source: str) -> Crate | None:
    """Return a program with its types; None where it has none."""
    try:
        return infer(parse(source))
    except Stop:
        return None


def program(rng: random.Random) -> str | None:
    """Return a random program, or None where the draw was of no use."""
    draft = rng.choice(SHAPES)(rng)
    clauses = draft.candidates
    crate = crate_of(draft.filled(clauses))
    if crate is None:
        clauses = [clause for clause in clauses if crate_of(draft.filled([clause])) is not None]
        crate = crate_of(draft.filled(clauses))
    if crate is None:
        return None
    function = crate.function("f")
    interpreter = Interpreter(crate, steps=4_000, ghost_steps=1_500)
    kept = set(range(len(clauses)))
    for _ in range(_SAMPLES):
        truths = interpreter.judged(function, rng)
        if truths is not None:
            kept -= {number for number, truth in enumerate(truths) if truth is False}
    false = [clause for number, clause in enumerate(clauses) if number not in kept]
    if false and rng.random() < 0.25:
        # Nothing but a false clause: a prover that accepts it is caught at once. The first ones are the closest misses.
        return draft.filled([rng.choice(false[:3] if rng.random() < 0.5 else false)])
    chosen = [clauses[number] for number in sorted(kept)]
    chosen = rng.sample(chosen, min(len(chosen), rng.randint(1, 3)))
    return draft.filled(chosen)
