"""Numbers too large for any ball, such as ``9^9^9^9``: at least how large they are."""

from __future__ import annotations

import math

from rlvr_gym.verifiers.algebra.tree import Add, Call, Const, Expr, Mul, Num, Pow


def double_log(expr: Expr) -> float | None:
    """Return a lower bound of ``log2(log2(x))`` for a number that is seen to be 1 or more, else None.

    The bound is ``-inf`` for a number that may be less than 2.
    """
    if isinstance(expr, Num):
        whole = expr.value.numerator // expr.value.denominator
        return None if whole < 1 else _log(whole.bit_length() - 1)
    if isinstance(expr, Const):
        # Both are above 2.
        return 0.0 if expr.name in ("e", "pi") else None
    if isinstance(expr, Add | Mul):
        parts = [double_log(part) for part in (expr.terms if isinstance(expr, Add) else expr.factors)]
        known = [part for part in parts if part is not None]
        return max(known) if len(known) == len(parts) else None
    if isinstance(expr, Pow):
        base, exponent = double_log(expr.base), double_log(expr.exponent)
        if base is None or exponent is None:
            return None
        # log2(log2(b^e)) is log2(e) + log2(log2(b)).
        return max(base, math.pow(2.0, min(exponent, 1000.0)) + base)
    if isinstance(expr, Call) and expr.name == "factorial":
        argument = double_log(expr.args[0])
        # From 4 on a factorial is larger than its argument.
        return argument if argument is not None and argument >= 1 else None
    return None


def _log(value: int) -> float:
    return math.log2(value) if value else -math.inf
