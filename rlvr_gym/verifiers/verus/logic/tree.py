"""The runs of a body as one formula: satisfiable exactly when some run gets to an obligation that does not hold.

A block is a list of facts and goals in program order. Runs that part come together again at a join, which the formula
names by a truth value, so that what follows stands in it once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rlvr_gym.verifiers.verus.logic.z3api import Z3, Handle
from rlvr_gym.verifiers.verus.report import Place


@dataclass(eq=False, slots=True)
class Fact:
    """Known from here on."""

    formula: Handle


@dataclass(eq=False, slots=True)
class Goal:
    """To be proved here, and known from here on. Where it fails, ``label`` is true."""

    formula: Handle
    label: Handle
    message: str
    place: Place
    related: Place | None
    values: dict[str, Handle]
    """The variables at this point."""


@dataclass(eq=False, slots=True)
class Fork:
    """A block on the side: its goals must hold, nothing in it is known after it."""

    block: Block


@dataclass(eq=False, slots=True)
class Join:
    """Where runs come together."""

    label: Handle
    uses: int = 0


@dataclass(eq=False, slots=True)
class Region:
    """Blocks of which a run takes one; those that end with a `Jump` to ``join`` go on behind it, all others stop."""

    blocks: list[Block]
    join: Join | None


@dataclass(eq=False, slots=True)
class Jump:
    """The end of a block."""

    join: Join


Item: TypeAlias = Fact | Goal | Fork | Region | Jump
Block: TypeAlias = list[Item]


@dataclass(eq=False)
class Tree:
    """A body's block with its goals."""

    block: Block = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)


def failing(z3: Z3, tree: Tree) -> Handle:
    """Return the formula: some run fails."""
    return _failing(z3, tree.block, {})


def _failing(z3: Z3, block: Block, ends: dict[int, Handle]) -> Handle:
    after = z3.false
    facts: list[Handle] = []
    false = z3.false.value

    def with_facts() -> Handle:
        if not facts:
            return after
        made = after if after.value == false else z3.and_(*reversed(facts), after)
        facts.clear()
        return made

    for item in reversed(block):
        match item:
            case Fact():
                facts.append(item.formula)
            case Goal():
                after = with_facts()
                fails = z3.and_(item.label, z3.not_(item.formula))
                after = fails if after.value == false else z3.or_(fails, z3.and_(item.formula, after))
            case Fork():
                after = with_facts()
                after = z3.or_(_failing(z3, item.block, ends), after)
            case Jump():
                assert not facts
                after = ends[id(item.join)]
            case Region():
                after = with_facts()
                join = item.join
                if join is None or join.uses == 0:
                    after = z3.or_(*[_failing(z3, each, ends) for each in item.blocks])
                elif after.value == false or join.uses == 1:
                    ends[id(join)] = after
                    after = z3.or_(*[_failing(z3, each, ends) for each in item.blocks])
                else:
                    ends[id(join)] = join.label
                    runs = z3.or_(*[_failing(z3, each, ends) for each in item.blocks])
                    after = z3.and_(runs, z3.or_(z3.not_(join.label), after))
    return with_facts()
