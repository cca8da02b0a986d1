"""What one test asks, and what its answer has to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rlvr_gym.verifiers.code_tests.compare import close, number, same, truthy

Relation: TypeAlias = Literal[
    "equal", "different", "is", "true", "false", "close", "among", "<", "<=", ">", ">="
]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a returned value has to be; it stays outside the sandbox."""

    relation: Relation
    wanted: Any = None
    """Tree of the expected value, or of each of several that will do."""
    rel: float = 0.0
    abs_: float = 0.0
    tuples_are_lists: bool = False
    """For expected values from JSON, which has no tuples."""

    def holds(self, given: Any, tolerance: float) -> bool:
        """Return whether the value of a tree that anybody may have written is right.

        Raises:
            NotPlainError: it is no tree of a value.
        """
        flat = self.tuples_are_lists
        if self.relation == "equal":
            return same(self.wanted, given, tolerance=tolerance, tuples_are_lists=flat)
        if self.relation == "different":
            return not same(self.wanted, given)
        if self.relation == "is":
            return type(given) is type(self.wanted) and given == self.wanted
        if self.relation == "among":
            return any(same(each, given, tolerance=tolerance, tuples_are_lists=flat) for each in self.wanted)
        if self.relation in ("true", "false"):
            return truthy(given) == (self.relation == "true")
        numbers = number(given), number(self.wanted)
        if numbers[0] is None or numbers[1] is None:
            return False
        if self.relation == "close":
            return close(numbers[0], numbers[1], rel=self.rel, abs_=self.abs_)
        return {
            "<": numbers[0] < numbers[1],
            "<=": numbers[0] <= numbers[1],
            ">": numbers[0] > numbers[1],
            ">=": numbers[0] >= numbers[1],
        }[self.relation]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one function. Arguments go in, the value comes out, and the rule judges it outside."""

    function: str
    args: Sequence[Any]
    """Trees of values."""
    rule: Rule
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    wraps: Sequence[tuple[str, Any]] = ()
    """Builtin functions applied to the value, the innermost first, with the tree of their further arguments."""


@dataclass(frozen=True, slots=True)
class Script:
    """One run of the code as a program."""

    stdin: str
    stdout: str


@dataclass(frozen=True, slots=True)
class Check:
    """Tests that are more than calls: they run in a sandbox, in another process than the candidate."""

    source: str
    names: Sequence[str]
    """Names that the candidate defines."""
    in_place: bool = False
    """Whether the tests look at arguments that a call has changed."""
    catches: bool = True
    """Whether the tests can go on after an exception of the candidate's."""


Test: TypeAlias = Call | Script | Check


@dataclass(frozen=True, slots=True)
class Suite:
    """All tests of a task, and what the candidate's code may count on."""

    tests: Sequence[Test]
    prelude: str = ""
    """Trusted code that runs before the candidate's, such as imports of the prompt."""

    @property
    def entry_points(self) -> tuple[str, ...]:
        """Names that the candidate has to define, without repeats."""
        found: dict[str, None] = {}
        for test in self.tests:
            if isinstance(test, Call):
                found[test.function] = None
            elif isinstance(test, Check):
                found.update(dict.fromkeys(test.names))
        return tuple(found)
