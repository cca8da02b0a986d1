"""A small double-entry ledger."""

from ledger.books import Posting, Transaction, balances, statement
from ledger.journal import JournalError, read_journal
from ledger.report import money, report

__all__ = [
    "JournalError",
    "Posting",
    "Transaction",
    "balances",
    "money",
    "read_journal",
    "report",
    "statement",
]
