"""Two answers of which at least one is no scalar: the reference decides how the other one is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import (
    All,
    Brackets,
    Call,
    Chain,
    Decision,
    Expr,
    Interval,
    ListOf,
    Matrix,
    Mul,
    NamedSet,
    Node,
    Num,
    Outcome,
    Pow,
    Ratio,
    Relation,
    SetBuilder,
    SetOf,
    Sym,
    TupleOf,
    tree,
)
from rlvr_gym.verifiers.answers.logic import every, matched, without_repeats
from rlvr_gym.verifiers.answers.regions import Region, region, same_region
from rlvr_gym.verifiers.answers.relations import is_solved, renamed, same_relation, same_solution
from rlvr_gym.verifiers.answers.scalars import Rules, same_scalar
from rlvr_gym.verifiers.answers.vectors import components, dimension

_MAX_ITEMS = 60
_REGIONS = (Interval, algebra.Union, algebra.Intersection, algebra.Minus, NamedSet, SetBuilder, Chain)


def same_node(gold: Node, answer: Node, rules: Rules) -> Decision:
    """Return whether ``answer`` gives what ``gold`` is; the type of ``gold`` decides how ``answer`` is read."""
    if isinstance(gold, Expr):
        size = 0 if isinstance(answer, Expr) else dimension(gold)
        if size and (axes := components(gold, size)) is not None:
            given = _items(answer)
            return _other(gold, answer) if given is None else _in_order(axes, given, rules)
        value = _value(answer)
        if (
            isinstance(value, ListOf | SetOf)
            and (letters := _factors(gold))
            and all(letter in "ABCDEFGH" for letter in letters)
        ):
            # ACD, the letters of several choices.
            return _unordered(ListOf(tuple(map(Sym, letters))), value, rules)
        return same_scalar(gold, value, rules) if isinstance(value, Expr) else _other(gold, answer)
    if isinstance(gold, Ratio):
        return _ratio(gold, answer, rules)
    if isinstance(gold, Matrix):
        return _matrix(gold, answer, rules)
    named = assignments(gold)
    if named is not None and (len(named) > 1 or isinstance(gold, All)):
        return _named(named, answer, rules)
    if isinstance(gold, ListOf) and all(map(_is_region, gold.items)) and isinstance(answer, _REGIONS):
        # Conditions that all hold: x > 0 and x is not 1.
        gold = All(gold.items)
    if isinstance(gold, _REGIONS) or _is_region(gold):
        return _region(gold, answer, rules)
    if isinstance(gold, Relation):
        return _relation(gold, answer, rules)
    if isinstance(gold, TupleOf | Brackets):
        return _ordered(gold, answer, rules)
    return _unordered(gold, answer, rules)


def alone(gold: Expr, answer: Node) -> Node:
    r"""Return the one value of ``x \in \{3\}`` or of a set of one, and a ratio of two as a quotient where one is asked for."""
    membership = isinstance(answer, SetOf) or (isinstance(answer, Relation) and answer.op == "in")
    if membership and len(items := values(answer) or []) == 1:
        return items[0]
    if (
        isinstance(answer, Ratio)
        and len(answer.parts) == 2
        and isinstance(gold, Num)
        and gold.value.denominator > 1
    ):
        return tree.div(*answer.parts)
    return answer


def _other(gold: Node, answer: Node) -> Decision:
    return Decision(
        Outcome.DIFFERENT, f"a {_NAMES.get(type(answer), 'scalar')}, not a {_NAMES.get(type(gold), 'scalar')}"
    )


_NAMES = {
    ListOf: "list", SetOf: "set", TupleOf: "tuple", Interval: "interval", algebra.Union: "union", Relation: "relation", Chain: "chain",
    Matrix: "matrix", Ratio: "ratio", algebra.Any: "choice between answers", All: "list", Brackets: "list in brackets", NamedSet: "set",
    SetBuilder: "set", algebra.Minus: "set", algebra.Intersection: "set",
}  # fmt: skip


def _value(node: Node) -> Node:
    """Return the right side of ``x = ...``, anything else as it is."""
    if isinstance(node, Relation) and node.op in ("=", "approx") and _is_name(node.left):
        return node.right
    return node


def _is_name(node: Node) -> bool:
    """Return whether a left side names something: ``x``, ``f(x)`` or ``(x, y)``."""
    if isinstance(node, Sym):
        return True
    if isinstance(node, Mul):
        first, *rest = node.factors
        inverse = isinstance(first, Pow) and first.exponent == tree.num(-1) and isinstance(first.base, Sym)
        return (inverse or isinstance(first, Sym)) and all(isinstance(factor, Sym) for factor in rest)
    if isinstance(node, Call):
        # The size of something, or a function of an angle.
        return all(_is_name(arg) for arg in node.args)
    parts = node.parts if isinstance(node, Ratio) else node.items if isinstance(node, TupleOf) else ()
    return bool(parts) and all(isinstance(part, Sym) for part in parts)


def assignments(node: Node) -> dict[str, Node] | None:
    """Return values by name for ``x = 1, y = 2``; None when a name repeats or an item is nothing like it."""
    if isinstance(node, Chain) and set(node.ops) == {"="} and isinstance(node.terms[-1], Expr):
        # Several letters with one value.
        names = [term.name for term in node.terms[:-1] if isinstance(term, Sym)]
        if len(names) == len(node.ops) == len({*names}) and not algebra.symbols(node.terms[-1]):
            return dict.fromkeys(names, node.terms[-1])
    parts = node.parts if isinstance(node, All) else node.items if isinstance(node, ListOf) else (node,)
    found: dict[str, Node] = {}
    for part in parts:
        if (
            not isinstance(part, Relation)
            or part.op != "="
            or not isinstance(part.left, Sym)
            or part.left.name in found
        ):
            return None
        found[part.left.name] = part.right
    return found


def values(node: Node) -> list[Node] | None:
    """Return the items of a list or set, or the solutions of ``x = 1 or x = 2``; None for anything else."""
    if isinstance(node, SetOf | ListOf):
        parts: Sequence[Node] = node.items
    elif isinstance(node, algebra.Any | All):
        parts = node.parts
    elif isinstance(node, algebra.Union) and all(isinstance(part, SetOf) for part in node.parts):
        return [item for part in node.parts for item in values(part) or ()]
    elif isinstance(node, Relation) and _is_name(node.left) and node.op in ("=", "in"):
        return values(node.right) if not isinstance(node.right, Expr | TupleOf) else [node.right]
    elif isinstance(node, Expr):
        return [node]
    else:
        return None
    cycles = _cycles(parts)
    if cycles is not None:
        return cycles
    names: set[Node] = set()
    found: list[Node] = []
    for part in parts:
        if isinstance(part, Relation) and part.op in ("=", "in") and _is_name(part.left):
            # x_1 and x_2 are solutions for one letter.
            names.add(Sym(part.left.name.partition("_")[0]) if isinstance(part.left, Sym) else part.left)
            inner = values(part)
            if inner is None:
                return None
            found += inner
        elif isinstance(part, ListOf | algebra.Any):
            found += values(part) or [part]
        else:
            found.append(part)
    return found if len(names) <= 1 and len(found) <= _MAX_ITEMS else None


def _cycles(parts: Sequence[Node]) -> list[Node] | None:
    """Return tuples for several solutions in several letters, ``x = 1, y = 2 or x = 3, y = 4``; None for others."""
    names = [
        part.left.name
        for part in parts
        if isinstance(part, Relation) and part.op == "=" and isinstance(part.left, Sym)
    ]
    size = len({*names})
    if not 1 < size < len(parts) == len(names) or names != names[:size] * (len(names) // size):
        return None
    groups = [ListOf(tuple(parts[at : at + size])) for at in range(0, len(parts), size)]
    named = list(map(assignments, groups))
    tuples = [_arranged(group) for group in named if group is not None]
    if len(tuples) != len(groups):
        return None
    return [
        TupleOf(tuple(item for item in found if isinstance(item, Expr)))
        for found in tuples
        if all(isinstance(item, Expr) for item in found)
    ]


def _unordered(gold: Node, answer: Node, rules: Rules) -> Decision:
    wanted = values(gold)
    if wanted is None:
        return Decision(Outcome.SAME if gold == answer else Outcome.DIFFERENT, "compared as written")
    if isinstance(answer, Relation) and answer.op == "=" and _is_name(answer.left):
        answer = answer.right if isinstance(answer.right, SetOf | ListOf | TupleOf) else answer
    if isinstance(gold, ListOf) and (
        isinstance(answer, TupleOf | Brackets) or (isinstance(answer, Interval) and len(wanted) == 2)
    ):
        return _in_order(wanted, _items(answer) or (), rules)
    if isinstance(answer, TupleOf) and len(wanted) == 1:
        return same_node(wanted[0], answer, rules)
    given = values(answer)
    if given is None and isinstance(gold, ListOf) and assignments(answer) is not None:
        # A = 3, B = 4 for 3, 4.
        return _in_order(wanted, _items(answer) or (), rules)
    if given is None:
        return _other(gold, answer)

    def same(a: Node, b: Node) -> Decision:
        return same_node(a, b, rules)

    if not isinstance(gold, ListOf) or not isinstance(answer, ListOf | Expr):
        wanted, given = without_repeats(wanted, same), without_repeats(given, same)
    return matched(wanted, given, same)


def _factors(node: Node) -> tuple[str, ...]:
    """Return the letters of a product of nothing but different letters."""
    names = (
        tuple(factor.name for factor in node.factors if isinstance(factor, Sym))
        if isinstance(node, Mul)
        else ()
    )
    return names if isinstance(node, Mul) and len({*names}) == len(node.factors) else ()


def _items(node: Node) -> Sequence[Node] | None:
    """Return the items of an answer in its order: a tuple, a list, a vector, closed brackets."""
    if isinstance(node, Relation) and node.op == "=" and _is_name(node.left):
        given = _items(node.right)
        if given is None or not isinstance(node.left, TupleOf):
            return given
        names = [item.name for item in node.left.items if isinstance(item, Sym)]
        return _arranged(dict(zip(names, given, strict=True))) if len(names) == len(given) else None
    named = assignments(node)
    if named is not None:
        return _arranged(named)
    if isinstance(node, ListOf) and any(isinstance(item, Relation) for item in node.items):
        return None
    if isinstance(node, TupleOf | Brackets | ListOf):
        return node.items
    if isinstance(node, Interval) and node.low_closed and node.high_closed:
        return node.low, node.high
    if isinstance(node, Matrix) and (len(node.rows) == 1 or len(node.rows[0]) == 1):
        return [entry for row in node.rows for entry in row]
    return None


def _arranged(named: dict[str, Node]) -> list[Node]:
    """Return values in the order of their names when these are neighbours, as x and y are, else as they stand."""
    names = sorted(named)
    neighbours = all(len(name) == 1 for name in names) and ord(names[-1]) - ord(names[0]) < len(names)
    indexed = len({name.partition("_")[0] for name in names}) == 1
    return [named[name] for name in (names if neighbours or indexed else named)]


def _in_order(wanted: Sequence[Node], given: Sequence[Node], rules: Rules) -> Decision:
    if len(wanted) != len(given):
        return Decision(Outcome.DIFFERENT, f"{len(given)} items, not {len(wanted)}")
    return every(same_node(a, b, rules) for a, b in zip(wanted, given, strict=True))


def _ordered(gold: TupleOf | Brackets, answer: Node, rules: Rules) -> Decision:
    interval = isinstance(gold, TupleOf) and len(gold.items) == 2 and not rules.point
    if interval and answer == Sym("R"):
        answer = NamedSet("R")
    valued = isinstance(answer, Chain) and assignments(answer) is not None
    if interval and not valued and (isinstance(answer, _REGIONS) or _is_region(answer)):
        return _region(gold, answer, rules)
    if isinstance(gold, TupleOf) and isinstance(answer, Interval):
        return Decision(Outcome.DIFFERENT, "square brackets, not round ones")
    if isinstance(answer, SetOf) and len(answer.items) == 1:
        answer = answer.items[0]
    # A named list: x = 1, y = 2.
    given = components(answer, len(gold.items)) if isinstance(answer, Expr) else _items(answer)
    return _other(gold, answer) if given is None else _in_order(gold.items, given, rules)


def _named(gold: dict[str, Node], answer: Node, rules: Rules) -> Decision:
    named = assignments(answer)
    if named is not None:
        if named.keys() != gold.keys():
            return Decision(Outcome.DIFFERENT, "other letters")
        return every(same_node(gold[name], named[name], rules) for name in gold)
    given = _items(answer)
    return _other(All(()), answer) if given is None else _in_order(list(gold.values()), given, rules)


def _is_region(node: Node) -> bool:
    """Return whether ``node`` is an inequality in one letter, or some joined by "and" or "or"."""
    if isinstance(node, Relation):
        return node.op in ("<", "<=", ">", ">=", "!=", "in", "not in") and region(node) is not None
    if isinstance(node, algebra.Any | All):
        return any(map(_is_region, node.parts)) and region(node) is not None
    return False


def _region(gold: Node, answer: Node, rules: Rules) -> Decision:
    wanted = region(gold)
    if (
        isinstance(answer, Relation)
        and answer.op == "="
        and isinstance(answer.left, Sym)
        and not isinstance(answer.right, Expr)
    ):
        answer = answer.right
    if answer == Sym("R"):
        answer = NamedSet("R")
    given = (
        (_listed_region(answer) if isinstance(answer, ListOf) else region(answer))
        if not isinstance(answer, Expr)
        else None
    )
    if isinstance(answer, algebra.Any) and any(
        (part := region(option)) is not None and not part.pieces for option in answer.parts
    ):
        return Decision(Outcome.DIFFERENT, "one of two answers is empty")
    if wanted is not None and given is not None:
        return same_region(wanted, given, rules)
    if isinstance(gold, Relation) and gold.op == "in" and isinstance(gold.right, SetOf):
        return _unordered(gold.right, answer, rules)
    if (
        isinstance(gold, Interval)
        and gold.low_closed
        and gold.high_closed
        and isinstance(answer, Brackets | Matrix)
    ):
        return _in_order((gold.low, gold.high), _items(answer) or (), rules)
    if wanted is None and given is None and type(gold) is type(answer):
        return _as_written(gold, answer, rules)
    return _other(gold, answer)


def _is_interval(node: Node) -> bool:
    return isinstance(node, Interval) or (
        isinstance(node, TupleOf)
        and any(isinstance(item, Expr) and algebra.infinite_sign(item) for item in node.items)
    )


def _listed_region(answer: ListOf) -> Region | None:
    """Return the set that several intervals, or inequalities, beside each other describe."""
    if all(isinstance(item, Interval | TupleOf) for item in answer.items):
        # Points have no square brackets and no infinite coordinates.
        return region(algebra.Union(answer.items)) if any(map(_is_interval, answer.items)) else None
    if not all(isinstance(item, Relation | Chain) for item in answer.items):
        return None
    both = region(All(answer.items))
    return both if both is None or both.pieces else region(algebra.Any(answer.items))


_TURNED: Final[dict[algebra.Op, algebra.Op]] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _as_written(gold: Node, answer: Node, rules: Rules) -> Decision:
    """Compare two sets that are no unions of intervals part by part."""
    if isinstance(gold, Chain) and isinstance(answer, Chain):
        if set(gold.ops) == {"="} == set(answer.ops):
            return matched(gold.terms, answer.terms, lambda a, b: same_node(a, b, rules))
        if gold.ops != answer.ops:
            turned = tuple(_TURNED.get(op, op) for op in reversed(answer.ops))
            answer = Chain(tuple(reversed(answer.terms)), turned)
        if gold.ops == answer.ops:
            return _in_order(gold.terms, answer.terms, rules)
    if isinstance(gold, algebra.Union | algebra.Intersection) and isinstance(answer, type(gold)):
        return matched(gold.parts, answer.parts, lambda a, b: same_node(a, b, rules))
    if isinstance(gold, algebra.Minus) and isinstance(answer, algebra.Minus):
        return _in_order((gold.left, gold.right), (answer.left, answer.right), rules)
    if isinstance(gold, SetBuilder) and isinstance(answer, SetBuilder):
        return _in_order((gold.element, gold.condition), (answer.element, answer.condition), rules)
    return Decision(Outcome.SAME if gold == answer else Outcome.DIFFERENT, "compared as written")


def _relation(gold: Relation, answer: Node, rules: Rules) -> Decision:
    if isinstance(gold.left, Expr) and isinstance(gold.right, Expr):
        if isinstance(answer, SetOf) and len(answer.items) == 1 and is_solved(gold):
            answer = answer.items[0]
        if isinstance(answer, Relation):
            if answer.op == "equiv" and gold.op == "=":
                answer = Relation("=", answer.left, answer.right)
            if answer.op == "in" and isinstance(answer.right, SetOf) and len(answer.right.items) == 1:
                answer = Relation("=", answer.left, answer.right.items[0])
            if is_solved(gold):
                return same_solution(gold, answer, rules)
            decision = same_relation(gold, answer, rules)
            if decision.outcome is not Outcome.SAME and gold.op == "=" and answer.op == "=":
                return renamed(gold, answer, rules) or decision
            return decision
        if gold.op == "=" and _is_name(gold.left) and isinstance(answer, Expr):
            return same_scalar(gold.right, answer, rules)
        return _other(gold, answer)
    if isinstance(gold.left, TupleOf) and isinstance(gold.right, TupleOf) and _is_name(gold.left):
        names = [item.name for item in gold.left.items if isinstance(item, Sym)]
        if assignments(answer) is not None and len(names) == len(gold.right.items):
            return _named(dict(zip(names, gold.right.items, strict=True)), answer, rules)
    if isinstance(answer, Relation) and answer.op == gold.op:
        return _in_order((gold.left, gold.right), (answer.left, answer.right), rules)
    if gold.op == "=" and _is_name(gold.left):
        return same_node(gold.right, answer, rules)
    return _other(gold, answer)


def _matrix(gold: Matrix, answer: Node, rules: Rules) -> Decision:
    answer = _value(answer)
    vector = len(gold.rows) == 1 or len(gold.rows[0]) == 1
    if isinstance(answer, Matrix):
        if (len(answer.rows), len(answer.rows[0])) != (len(gold.rows), len(gold.rows[0])):
            return Decision(Outcome.DIFFERENT, "a matrix of another shape")
    elif not vector:
        return _other(gold, answer)
    entries = [entry for row in gold.rows for entry in row]
    given = [entry for row in answer.rows for entry in row] if isinstance(answer, Matrix) else _items(answer)
    if isinstance(answer, Expr):
        given = components(answer, len(entries))
    if given is None:
        return _other(gold, answer)
    return _in_order(entries, given, rules)


def _ratio(gold: Ratio, answer: Node, rules: Rules) -> Decision:
    answer = _value(answer)
    if isinstance(answer, Expr) and len(gold.parts) == 2:
        # 3 : 4 as the quotient 3/4.
        return same_scalar(Mul((gold.parts[0], algebra.Pow(gold.parts[1], tree.num(-1)))), answer, rules)
    if not isinstance(answer, Ratio) or len(answer.parts) != len(gold.parts):
        return _other(gold, answer)
    if any(algebra.value(part) == 0 for part in answer.parts):
        # Everything is in proportion to 0 : 0.
        return Decision(Outcome.DIFFERENT, "a ratio with a zero")
    (first, *rest), (given, *others) = gold.parts, answer.parts
    return every(
        same_scalar(Mul((a, given)), Mul((b, first)), rules) for a, b in zip(rest, others, strict=True)
    )
