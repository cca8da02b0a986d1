import datetime
from decimal import Decimal

import pytest
from ledger import JournalError, Posting, read_journal

JOURNAL = """\
; the first month
2024-01-01 Opening
    Assets:Cash       100.00
    Equity

2024-01-31 Groceries   ; paid at once
    Expenses:Food    12.50
    Expenses:Household goods  1,007.5
    Assets:Cash
"""


def test_a_journal():
    opening, groceries = read_journal(JOURNAL)
    assert (opening.date, opening.text) == (datetime.date(2024, 1, 1), "Opening")
    assert opening.postings == (Posting("Assets:Cash", Decimal(100)), Posting("Equity", Decimal(-100)))
    assert groceries.text == "Groceries"
    assert groceries.postings[1] == Posting("Expenses:Household goods", Decimal("1007.5"))
    assert groceries.postings[2] == Posting("Assets:Cash", Decimal(-1020))


def test_an_empty_journal():
    assert read_journal("\n; nothing\n") == []


def test_names_may_hold_single_blanks_and_digits():
    (transaction,) = read_journal("2024-01-01 x\n  Loan 7  5\n  Cash  -5\n")
    assert transaction.postings[0] == Posting("Loan 7", Decimal(5))


def test_a_tab_parts_account_and_amount():
    (transaction,) = read_journal("2024-01-01 x\n\tLoan\t5\n\tCash\n")
    assert transaction.postings[1] == Posting("Cash", Decimal(-5))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("    Cash  1\n", "line 1: a posting before"),
        ("hello\n", "line 1: 'hello' is no date"),
        ("2024-01-01\n", "is no date with a text"),
        ("2024-02-30 x\n", "there is no day 2024-02-30"),
        ("2024-01-01 x\n  a  1\n  b\n  c\n", "line 1: 'x' leaves out 2 amounts"),
        ("\n2024-01-01 x\n  a  1\n  b  -2\n", "line 2: 'x' is off balance by -1"),
    ],
)
def test_other_texts_are_refused(text, says):
    with pytest.raises(JournalError, match=says):
        read_journal(text)
