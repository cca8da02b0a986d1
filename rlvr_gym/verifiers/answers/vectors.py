r"""Vectors by the names of the axes: ``2\mathbf{i} - 3\mathbf{j} + \mathbf{k}``."""

from __future__ import annotations

from typing import Final

from rlvr_gym.verifiers.algebra import Add, Const, Expr, Mul, Sym, tree

_AXES: Final = ("i", "j", "k")
_ZERO: Final = tree.num(0)
_ONE: Final = tree.num(1)


def components(expr: Expr, size: int) -> list[Expr] | None:
    """Return the components of a sum of multiples of i, j and k, None when it is nothing like it."""
    found: dict[str, list[Expr]] = {}
    for term in expr.terms if isinstance(expr, Add) else (expr,):
        factors = term.factors if isinstance(term, Mul) else (term,)
        axes = [axis for factor in factors if (axis := _axis(factor))]
        rest = [factor for factor in factors if not _axis(factor)]
        if len(axes) != 1 or any(_axis(part) for factor in rest for part in tree.walk(factor)):
            return None
        scale: Expr = _ONE
        for factor in rest:
            scale = factor if scale == _ONE else Mul((scale, factor))
        found.setdefault(axes[0], []).append(scale)
    if not found or any(axis not in _AXES[:size] for axis in found):
        return None
    return [tree.add(found[axis]) if axis in found else _ZERO for axis in _AXES[:size]]


def dimension(expr: Expr) -> int:
    """Return 2 or 3 for a vector in i and j, or in i, j and k; 0 for anything else, plain complex numbers included."""
    names = {axis for part in tree.walk(expr) if (axis := _axis(part))}
    others = {part.name for part in tree.walk(expr) if isinstance(part, Sym)} - {"j", "k"}
    if others or "j" not in names or not names <= set(_AXES):
        return 0
    size = 3 if "k" in names else 2
    return size if components(expr, size) is not None else 0


def _axis(expr: Expr) -> str:
    if isinstance(expr, Const) and expr.name == "i":
        return "i"
    return expr.name if isinstance(expr, Sym) and expr.name in ("j", "k") else ""
