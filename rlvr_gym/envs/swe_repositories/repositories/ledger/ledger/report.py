"""Balances as text."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal

_CENT = Decimal("0.01")


def money(amount: Decimal) -> str:
    """Return an amount with two digits after the point and commas between thousands; negative ones in brackets."""
    cents = amount.quantize(_CENT, ROUND_HALF_EVEN)
    text = f"{abs(cents):,.2f}"
    return f"({text})" if cents < 0 else text


def report(balances: Mapping[str, Decimal], *, total: bool = True) -> str:
    """Return a table of balances: names left, amounts right, accounts below others indented under their last part."""
    rows: list[tuple[str, str]] = []
    shown: set[str] = set()
    for name in sorted(balances):
        parts = name.split(":")
        for depth in range(1, len(parts)):
            parent = ":".join(parts[:depth])
            if parent not in shown:
                shown.add(parent)
                if parent not in balances:
                    rows.append(("  " * (depth - 1) + parts[depth - 1], ""))
        shown.add(name)
        rows.append(("  " * (len(parts) - 1) + parts[-1], money(balances[name])))
    if total:
        rows.append(("Total", money(sum(balances.values(), Decimal(0)))))
    left = max((len(name) for name, _ in rows), default=0)
    right = max((len(amount) for _, amount in rows), default=0)
    return "\n".join(f"{name:<{left}}  {amount:>{right}}".rstrip() for name, amount in rows)
