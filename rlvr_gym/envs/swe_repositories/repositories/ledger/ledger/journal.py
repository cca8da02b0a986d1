"""Reading journals."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

from ledger.books import Posting, Transaction

_HEAD = re.compile(r"(\d{4}-\d{2}-\d{2})\s+(\S.*)")
_POSTING = re.compile(r"(\S(?:.*?\S)?)(?:\s{2,}|\t)\s*(-?[\d,]*\.?\d+)")


class JournalError(ValueError):
    """A text that is no journal; says in which line."""


def read_journal(text: str) -> list[Transaction]:
    """Return the transactions of a journal, in its order.

    A transaction begins with a date and a text at the left; its postings follow, indented. What follows a semicolon
    is a remark. An account and its amount stand at least two blanks apart; commas in amounts do not matter.

    Raises:
        JournalError: a line that is neither, amounts that do not add up to zero, or two that are left out.
    """
    found: list[Transaction] = []
    head: tuple[int, datetime.date, str] | None = None
    postings: list[tuple[str, Decimal | None]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition(";")[0].rstrip()
        if not line.strip():
            continue
        if line[0].isspace():
            if head is None:
                raise JournalError(f"line {number}: a posting before any transaction")
            postings.append(_posting(line.strip()))
            continue
        if head is not None:
            found.append(_transaction(head, postings))
        head, postings = _head(number, line), []
    if head is not None:
        found.append(_transaction(head, postings))
    return found


def _head(number: int, line: str) -> tuple[int, datetime.date, str]:
    match = _HEAD.fullmatch(line)
    if match is None:
        raise JournalError(f"line {number}: '{line}' is no date with a text")
    try:
        date = datetime.date.fromisoformat(match[1])
    except ValueError:
        raise JournalError(f"line {number}: there is no day {match[1]}") from None
    return number, date, match[2]


def _posting(line: str) -> tuple[str, Decimal | None]:
    match = _POSTING.fullmatch(line)
    if match is None:
        return line, None
    return match[1], Decimal(match[2].replace(",", ""))


def _transaction(
    head: tuple[int, datetime.date, str], postings: list[tuple[str, Decimal | None]]
) -> Transaction:
    number, date, text = head
    left_out = [account for account, amount in postings if amount is None]
    if len(left_out) > 1:
        raise JournalError(f"line {number}: '{text}' leaves out {len(left_out)} amounts")
    rest = -sum((amount for _, amount in postings if amount is not None), Decimal(0))
    filled = tuple(Posting(account, rest if amount is None else amount) for account, amount in postings)
    try:
        return Transaction(date, text, filled)
    except ValueError as error:
        raise JournalError(f"line {number}: {error}") from None
