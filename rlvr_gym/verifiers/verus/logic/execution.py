"""Runs a body symbolically, in passive form: each value gets a constant of its own, each obligation becomes a goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rlvr_gym.verifiers.verus.core import (
    AssertBy,
    AssertForallBy,
    Assume,
    Branch,
    BreakStep,
    BroadcastStep,
    CallStep,
    Check,
    CodeFunction,
    ContinueStep,
    DeadEnd,
    Expression,
    Havoc,
    Isolated,
    LoopStep,
    ReturnStep,
    RevealStep,
    Scope,
    Set,
    Statement,
)
from rlvr_gym.verifiers.verus.errors import Unsupported
from rlvr_gym.verifiers.verus.inference.types import Type
from rlvr_gym.verifiers.verus.logic import calls, loops
from rlvr_gym.verifiers.verus.logic.bitvectors import BitQuestion
from rlvr_gym.verifiers.verus.logic.isolated import isolated
from rlvr_gym.verifiers.verus.logic.query import Query
from rlvr_gym.verifiers.verus.logic.terms import Theory, Translator
from rlvr_gym.verifiers.verus.logic.tree import Block, Fact, Fork, Goal, Join, Jump, Region
from rlvr_gym.verifiers.verus.logic.z3api import Handle
from rlvr_gym.verifiers.verus.report import Place

Environment = dict[str, Handle]
"""From variables to the constants that hold their values now."""
End = tuple[Block, Environment]
"""Where a run got to, and its values there."""


@dataclass(eq=False)
class Body:
    """The symbolic run of one function's body.

    Args:
        theory: Of the job.
        function: Whose contract holds at returns; None for constants and the like.
        query: Where goals of the body itself go.
    """

    theory: Theory
    function: CodeFunction | None
    query: Query
    queries: list[Query] = field(default_factory=list)
    """All questions: the body's, and one for each isolated loop or proof."""
    bits: list[BitQuestion] = field(default_factory=list)
    """Questions over bit vectors."""
    types: dict[str, Type] = field(default_factory=dict)
    """Types of the variables met so far."""
    entry: Environment = field(default_factory=dict)
    """The parameters' values at entry."""
    measure: list[tuple[Type, Handle]] = field(default_factory=list)
    """The function's measure at entry, where it is recursive."""
    frames: list[loops.Frame] = field(default_factory=list)
    """The loops around, innermost last."""

    native: bool = False
    """Whether products and quotients are the solver's own."""
    assuming: bool = False
    """Whether obligations are known to hold and become facts."""

    def __post_init__(self) -> None:
        self.z3 = self.theory.world.z3
        self.queries.append(self.query)

    # ------------------------------------------------------------ parts of a block

    def scope(self, environment: Environment) -> Translator:
        """Return a translator in the body's own generic parameters."""
        made = self.theory.scope(environment, {})
        made.native = self.native
        return made

    def fact(self, block: Block, formula: Handle) -> None:
        """Add what is known."""
        if formula.value != self.z3.true.value:
            block.append(Fact(formula))

    def goal(
        self,
        block: Block,
        formula: Handle,
        message: str,
        place: Place,
        environment: Environment,
        related: Place | None = None,
    ) -> None:
        """Add what is to be proved."""
        if self.assuming:
            self.fact(block, formula)
            return
        label = self.z3.const("fails", self.z3.bool)
        made = Goal(formula, label, message, place, related, dict(environment))
        block.append(made)
        self.query.tree.goals.append(made)

    def bind(self, name: str, type: Type, value: Handle, block: Block) -> Handle:
        """Return a new constant that equals a value."""
        self.types[name] = type
        constant = self.z3.const(name, self.theory.sorts.sort(self.scope({}).type_of(type)))
        self.fact(block, self.z3.eq(constant, value))
        return constant

    def unknown(self, name: str, type: Type, block: Block) -> Handle:
        """Return a new constant of a type of which nothing else is known."""
        self.types[name] = type
        scope = self.scope({})
        constant = self.z3.const(name, self.theory.sorts.sort(scope.type_of(type)))
        self.fact(block, scope.typed(type, constant))
        return constant

    def join(self, block: Block, blocks: list[Block], ends: list[End], environment: Environment) -> bool:
        """Let the runs that got to ``ends`` go on in ``block`` behind ``blocks``; False when none did."""
        join = Join(self.z3.const("joins", self.z3.bool)) if ends else None
        block.append(Region(blocks, join))
        if join is None:
            return False
        if len(ends) == 1:
            merged = ends[0][1]
        else:
            merged = {}
            for name, value in ends[0][1].items():
                values = [end.get(name) for _, end in ends]
                if any(other is None for other in values):
                    continue
                if all(other.value == value.value for other in values if other is not None):
                    merged[name] = value
                    continue
                sort = self.theory.sorts.sort(self.scope({}).type_of(self.types[name]))
                merged[name] = fresh = self.z3.const(name, sort)
                for (end_block, _), other in zip(ends, values, strict=True):
                    end_block.append(Fact(self.z3.eq(fresh, other)))
        for end_block, _ in ends:
            end_block.append(Jump(join))
            join.uses += 1
        if merged is not environment:
            environment.clear()
            environment.update(merged)
        return True

    # ------------------------------------------------------------ statements

    def run(self, statements: Sequence[Statement], block: Block, environment: Environment) -> bool:
        """Run statements; ``environment`` changes with them. False when no run gets past them."""
        return all(self._step(statement, block, environment) for statement in statements)

    def _step(self, statement: Statement, block: Block, environment: Environment) -> bool:
        match statement:
            case Set(name=name, value=value):
                made = self.scope(environment).translate(value)
                environment[name] = self.bind(name, value.type, made, block)
            case Havoc(name=name, type=type):
                environment[name] = self.unknown(name, type, block)
            case Check():
                condition = self.scope(environment).translate(statement.condition)
                self.goal(
                    block, condition, statement.message, statement.place, environment, statement.related
                )
            case Assume():
                self.fact(block, self.scope(environment).translate(statement.condition))
            case CallStep():
                calls.call(self, statement, block, environment)
            case Branch():
                return self._branch(statement, block, environment)
            case LoopStep():
                return loops.loop(self, statement, block, environment)
            case BreakStep() | ContinueStep():
                loops.leave(self, statement, block, environment)
                return False
            case ReturnStep():
                self._return(statement, block, environment)
                return False
            case AssertBy():
                self._assert_by(statement, block, environment)
            case AssertForallBy():
                self._assert_forall(statement, block, environment)
            case Isolated():
                isolated(self, statement, block, environment)
            case RevealStep():
                self._reveal(statement, block)
            case BroadcastStep():
                for id in statement.functions:
                    self.query.broadcasts[id] = None
                    self.fact(block, self.theory.functions.visible(id))
            case DeadEnd():
                return False
            case Scope():
                return self.run(statement.body, block, environment)
        return True

    def _branch(self, statement: Branch, block: Block, environment: Environment) -> bool:
        condition = self.scope(environment).translate(statement.condition)
        blocks: list[Block] = []
        ends: list[End] = []
        for known, body in (
            (condition, statement.then),
            (self.z3.not_(condition), statement.otherwise),
        ):
            arm: Block = []
            self.fact(arm, known)
            values = dict(environment)
            if self.run(body, arm, values):
                ends.append((arm, values))
            blocks.append(arm)
        return self.join(block, blocks, ends, environment)

    def _return(self, statement: ReturnStep, block: Block, environment: Environment) -> None:
        function = self.function
        if function is None:
            return
        result = None
        if statement.value is not None:
            value = self.scope(environment).translate(statement.value)
            if function.result is not None:
                result = self.bind(function.result.name, function.result.type, value, block)
        values = self.at_exit(environment, result)
        for clause in function.ensures:
            condition = self.scope(dict(values)).translate(clause.condition)
            self.goal(
                block, condition, "postcondition not satisfied", statement.place, environment, clause.place
            )

    def at_exit(self, environment: Environment, result: Handle | None) -> Environment:
        """Return what the names in a postcondition mean when control leaves with the values of ``environment``."""
        function = self.function
        assert function is not None
        values = dict(self.entry)
        for param in function.params:
            if param.mutable_reference:
                final = f"{param.name}~final"
                values[final] = environment[final]
        if function.result is not None and result is not None:
            values[function.result.name] = result
        return values

    def _assert_by(self, statement: AssertBy, block: Block, environment: Environment) -> None:
        side: Block = []
        values = dict(environment)
        if self.run(statement.body, side, values):
            condition = self.scope(values).translate(statement.condition)
            self.goal(side, condition, statement.message, statement.place, values)
        block.append(Fork(side))
        self.fact(block, self.scope(environment).translate(statement.condition))

    def _assert_forall(self, statement: AssertForallBy, block: Block, environment: Environment) -> None:
        side: Block = []
        values = dict(environment)
        for name, type in statement.binders:
            values[name] = self.unknown(name, type, side)
        if statement.premise is not None:
            self.fact(side, self.scope(values).translate(statement.premise))
        if self.run(statement.body, side, values):
            conclusion = self.scope(values).translate(statement.conclusion)
            self.goal(side, conclusion, "assertion failed", statement.place, values)
        block.append(Fork(side))
        self.fact(block, self.scope(environment).translate(statement.fact))

    def _reveal(self, statement: RevealStep, block: Block) -> None:
        functions = self.theory.functions
        function = self.theory.world.program.specs.get(statement.function)
        if function is None:
            raise Unsupported(f"reveal of `{statement.function}`", statement.place)
        if statement.fuel == 0:
            # Hidden in the whole body: see `hidden`.
            return
        self.fact(block, functions.visible(function.id))
        if statement.fuel > 1:
            if not function.recursive:
                raise Unsupported(f"fuel for `{statement.function}`, which is not recursive", statement.place)
            self.fact(block, functions.revealed_fuel(function.id, statement.fuel))

    # ------------------------------------------------------------ measures

    def measured(self, terms: Sequence[Expression], environment: Environment) -> list[tuple[Type, Handle]]:
        """Return the values of a measure with their types."""
        scope = self.scope(environment)
        return [(scope.type_of(term.type), scope.translate(term)) for term in terms]
