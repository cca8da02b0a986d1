"""Transactions, and what they come to."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Posting:
    """An amount that goes to an account; a negative one comes from it."""

    account: str
    amount: Decimal


@dataclass(frozen=True)
class Transaction:
    """Postings of one day that add up to zero."""

    date: datetime.date
    text: str
    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        total = sum((posting.amount for posting in self.postings), Decimal(0))
        if total != 0:
            raise ValueError(f"'{self.text}' is off balance by {total}")


def _within(account: str, parent: str) -> bool:
    """Return whether ``account`` is ``parent`` or one of the accounts below it."""
    return account == parent or account.startswith(f"{parent}:")


def _of_period(
    transactions: Iterable[Transaction], start: datetime.date | None, end: datetime.date | None
) -> Iterator[Transaction]:
    """Yield the transactions from ``start`` on and before ``end``."""
    for transaction in transactions:
        if start is not None and transaction.date < start:
            continue
        if end is not None and transaction.date >= end:
            continue
        yield transaction


def balances(
    transactions: Iterable[Transaction],
    *,
    start: datetime.date | None = None,
    end: datetime.date | None = None,
    depth: int | None = None,
) -> dict[str, Decimal]:
    """Return the balance of each account, sorted by name; accounts at zero are left out.

    Args:
        transactions: In any order.
        start: First day that counts.
        end: First day that does not count any more.
        depth: How many parts of a name tell accounts apart: with 1, "Assets:Cash" counts for "Assets".
    """
    found: dict[str, Decimal] = {}
    for transaction in _of_period(transactions, start, end):
        for posting in transaction.postings:
            name = ":".join(posting.account.split(":")[:depth])
            found[name] = found.get(name, Decimal(0)) + posting.amount
    return {name: found[name] for name in sorted(found) if found[name] != 0}


def statement(transactions: Iterable[Transaction], account: str) -> list[tuple[datetime.date, str, Decimal, Decimal]]:
    """Return date, text, amount and new balance of each transaction that touches an account or those below it.

    They come by date; those of one day stay in their order. Postings of one transaction count together.
    """
    lines = []
    balance = Decimal(0)
    for transaction in sorted(transactions, key=lambda each: each.date):
        amounts = [posting.amount for posting in transaction.postings if _within(posting.account, account)]
        if amounts:
            amount = sum(amounts, Decimal(0))
            balance += amount
            lines.append((transaction.date, transaction.text, amount, balance))
    return lines
