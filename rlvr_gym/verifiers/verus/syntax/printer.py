"""Canonical text of any node: for comparing programs, for messages, for the arguments of attributes."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.syntax.printing import items, statements, types
from rlvr_gym.verifiers.verus.syntax.printing.base import show
from rlvr_gym.verifiers.verus.syntax.printing.expressions import expression
from rlvr_gym.verifiers.verus.syntax.printing.items import signature

__all__ = ["expression", "show", "signature"]

# Each module of the package registers its printers when it is imported.
_REGISTERED = (items, statements, types)
