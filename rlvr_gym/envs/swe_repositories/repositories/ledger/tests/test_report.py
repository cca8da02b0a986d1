from decimal import Decimal

import pytest
from ledger import money, report


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "0.00"),
        ("12.5", "12.50"),
        ("1234567.891", "1,234,567.89"),
        ("-1000", "(1,000.00)"),
        ("0.125", "0.12"),
        ("0.135", "0.14"),
        ("-0.001", "0.00"),
    ],
)
def test_money(amount, text):
    assert money(Decimal(amount)) == text


def test_a_report_indents_accounts_below_others():
    found = report({"Assets:Bank": Decimal(1200), "Assets:Cash": Decimal("-69.5"), "Income": Decimal(5)})
    assert found.split("\n") == [
        "Assets",
        "  Bank  1,200.00",
        "  Cash   (69.50)",
        "Income      5.00",
        "Total   1,135.50",
    ]


def test_a_parent_with_a_balance_of_its_own_is_shown_once():
    found = report({"A": Decimal(1), "A:B": Decimal(2)}, total=False)
    assert found.split("\n") == ["A    1.00", "  B  2.00"]


def test_a_report_of_nothing():
    assert report({}) == "Total  0.00"
    assert report({}, total=False) == ""
