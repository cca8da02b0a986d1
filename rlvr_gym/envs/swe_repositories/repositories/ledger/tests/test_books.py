import datetime
from decimal import Decimal

import pytest
from ledger import Posting, Transaction, balances, statement


def day(number):
    return datetime.date(2024, 3, number)


def move(number, text, amount, source, target):
    postings = (Posting(target, Decimal(amount)), Posting(source, -Decimal(amount)))
    return Transaction(day(number), text, postings)


BOOKS = [
    move(5, "rent", "700", "Assets:Bank", "Expenses:Rent"),
    move(1, "wages", "2000", "Income", "Assets:Bank"),
    move(5, "cash", "100", "Assets:Bank", "Assets:Cash"),
    move(9, "food", "30.5", "Assets:Cash", "Expenses:Food"),
]


def test_a_transaction_adds_up_to_zero():
    with pytest.raises(ValueError, match="'x' is off balance by 1"):
        Transaction(day(1), "x", (Posting("a", Decimal(3)), Posting("b", Decimal(-2))))


def test_balances():
    assert balances(BOOKS) == {
        "Assets:Bank": Decimal(1200),
        "Assets:Cash": Decimal("69.5"),
        "Expenses:Food": Decimal("30.5"),
        "Expenses:Rent": Decimal(700),
        "Income": Decimal(-2000),
    }
    assert list(balances(BOOKS)) == sorted(balances(BOOKS))


def test_balances_by_depth():
    assert balances(BOOKS, depth=1) == {
        "Assets": Decimal("1269.5"),
        "Expenses": Decimal("730.5"),
        "Income": Decimal(-2000),
    }


def test_accounts_at_zero_are_left_out():
    there = move(1, "there", "5", "a", "b")
    back = move(2, "back", "5", "b", "a")
    assert balances([there, back]) == {}


def test_a_period_holds_its_start_and_not_its_end():
    assert balances(BOOKS, start=day(5), end=day(9)) == {
        "Assets:Bank": Decimal(-800),
        "Assets:Cash": Decimal(100),
        "Expenses:Rent": Decimal(700),
    }


def test_a_statement_comes_by_date_with_running_balances():
    assert statement(BOOKS, "Assets:Bank") == [
        (day(1), "wages", Decimal(2000), Decimal(2000)),
        (day(5), "rent", Decimal(-700), Decimal(1300)),
        (day(5), "cash", Decimal(-100), Decimal(1200)),
    ]


def test_a_statement_counts_the_accounts_below():
    lines = statement(BOOKS, "Assets")
    assert [line[1] for line in lines] == ["wages", "rent", "cash", "food"]
    assert lines[2][2] == 0
    assert lines[-1][3] == Decimal("1269.5")


def test_an_account_whose_name_only_begins_alike_is_another():
    books = [move(1, "x", "5", "Assetsandmore", "Expenses")]
    assert statement(books, "Assets") == []
