"""Which formulas are worth a question to computer algebra: small ones, without numbers that only grow."""

from __future__ import annotations

from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Call, Expr, Num, Pow, tree

_MAX_NODES: Final = 150
_MAX_BITS: Final = 256
_MAX_EXPONENT: Final = 200
_MAX_ARGUMENT: Final = 200
_GROWING: Final = frozenset(["factorial", "double_factorial", "binom", "gamma", "floor", "ceil", "mod"])


def within_reach(expr: Expr) -> bool:
    """Return whether computer algebra may settle something about ``expr`` in the time that it has."""
    nodes = list(tree.walk(expr))
    return len(nodes) <= _MAX_NODES and all(map(_is_small, nodes))


def _is_small(node: Expr) -> bool:
    if isinstance(node, Num):
        return max(node.value.numerator.bit_length(), node.value.denominator.bit_length()) <= _MAX_BITS
    if isinstance(node, Pow):
        return _below(node.exponent, _MAX_EXPONENT) and not _may_be_zero_to_zero(node)
    if isinstance(node, Call) and node.name in _GROWING:
        return all(_below(arg, _MAX_ARGUMENT) for arg in node.args)
    return True


def _may_be_zero_to_zero(node: Pow) -> bool:
    """Return whether a power may be 0 to the power of 0, which sympy takes for 1."""
    if isinstance(node.exponent, Num) or algebra.symbols(node.base):
        return False
    base = algebra.ball(node.base, 128)
    return base is None or bool(base.contains(0))


def _below(expr: Expr, limit: int) -> bool:
    """Return whether the numbers in an exponent or an argument stay below ``limit``, and no power stands in it."""
    if not algebra.symbols(expr):
        value = algebra.value(expr)
        if value is not None:
            return abs(value) <= limit
    return all(
        abs(node.value) <= limit if isinstance(node, Num) else not isinstance(node, Pow) or _is_root(node)
        for node in tree.walk(expr)
    )


def _is_root(node: Pow) -> bool:
    return isinstance(node.exponent, Num) and abs(node.exponent.value) <= 2
