"""Quantities: read from text, converted and compared exactly."""

from fractions import Fraction

import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.quantities import as_attributes, difference, quantity_of, read_quantity, unit_of


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12", "12", ""),
        ("-12.50", "-12.5", ""),
        ("−3 °C", "-3", "°C"),
        ("1,234,567.8 m", "1234567.8", "m"),
        ("12\u202f500 km", "12500", "km"),
        ("6.02e23", "602000000000000000000000", ""),
        ("6.02 × 10²³", "602000000000000000000000", ""),
        ("1.5*10^-3 kg", "0.0015", "kg"),
        ("$5", "5", "$"),
        ("-$5", "-5", "$"),
        ("5 US dollars", "5", "$"),
        ("EUR 20", "20", "€"),
        ("2.5 million people", "2500000", "inhabitants"),
        ("twenty-one days", "21", "days"),
        ("zero", "0", ""),
        ("25 per cent", "25", "%"),
        ("300 inhabitants per km²", "300", "people/km^2"),
        (".5 l", "0.5", "litres"),
    ],
)
def test_what_is_read(text, value, unit):
    read = read_quantity(text)
    assert read is not None
    assert (read.value, read.unit) == (Fraction(value), unit_of(unit))


@pytest.mark.parametrize(
    "text",
    ["", "km", "about 12", "~12", "--5", "1e999", "1₂", "1②", "٤٢", "nan", "inf", "x" * 10_000, "9" * 121],
)
def test_what_is_no_quantity(text):
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "5 Mm",
        "12.0.0",
        "1 23 km",
        "1 2345 km",
        "1 234,5 km",
        "12 km or 13 km",
        "1,23",
        "12 km²²",
        "½",
        "1²2 km",
    ],
)
def test_what_is_no_unit_measures_nothing_else(text):
    read = read_quantity(text)
    assert read is not None
    assert all(difference(quantity_of("5", unit), read) == "another unit" for unit in ("km", "mm", "km²", ""))


@pytest.mark.parametrize(
    ("right", "given"),
    [
        (("1", "km"), "1000 m"),
        (("1", "mi"), "1.609344 km"),
        (("1", "mi"), "1.609 km"),  # rounded to four digits
        (("1", "h"), "60 min"),
        (("100", "min"), "1.667 h"),
        (("2", "weeks"), "14 days"),
        (("1", "century"), "100 years"),
        (("1", "ha"), "10,000 square metres"),
        (("1", "m³"), "1000 L"),
        (("36", "km/h"), "10 m/s"),
        (("1", "tonne"), "1000 kg"),
        (("0.5", "%"), "5 ‰"),
        (("100", "cents"), "1 dollar"),
        (("3", "widgets"), "3 widget"),
        (("3", "Widgets"), "3 widgets"),
        (("100", "°C"), "212 °F"),
        (("100", "°C"), "373.15 K"),
        (("-40", "°F"), "-40 °C"),
        (("0", "K"), "-459.7 °F"),  # -459.67, rounded to four digits
        (("8849", "m"), "8 849 m"),
        (("1250000", "m"), "1\u00a0250\u202f000 m"),
        (("67000000", ""), "67 million people"),
        (("5", "KILOMETRES"), "5 km"),
    ],
)
def test_the_same_after_conversion(right, given):
    assert difference(quantity_of(*right), read_quantity(given)) == ""


@pytest.mark.parametrize(
    ("right", "given", "clause"),
    [
        (("1", "mi"), "1.61 km", "another value"),  # three digits only
        (("1", "mi"), "1.610 km", "another value"),  # four digits, the last of them wrong
        (("1.2345", "km"), "1234 m", "another value"),  # nothing is rounded between decimal multiples
        (("1.2345", "km"), "1.234 km", "another value"),
        (("12", "km"), "12", "a unit is missing"),
        (("12", ""), "12 km", "another unit"),
        (("12", "km"), "12 km²", "another unit"),
        (("12", "month"), "365 days", "another unit"),  # months have no length in days
        (("1", "$"), "1 €", "another unit"),
        (("0", "°C"), "33 °F", "another value"),
        (("100", "°C"), "373 K", "another value"),  # scales a constant apart: nothing is rounded
        (("5", "MW"), "5 mW", "another unit"),
        (("3", "MHz"), "3 mHz", "another unit"),
        (("5", "MPa"), "5 mPa", "another unit"),
        (("5", "GB"), "5 Gb", "another unit"),
        (("805", "t"), "805 T", "another unit"),
        (("5", "mg"), "5 Mg", "another unit"),
        (("5", "mm²"), "5 Mm²", "another unit"),
        (("5", "sq mm"), "5 sq Mm", "another unit"),
        (("5", "MeV"), "5 meV", "another unit"),
        (("5", "MJ"), "5 mJ", "another unit"),
        (("5", "N"), "5 Ns", "another unit"),
        (("5", "A"), "5 As", "another unit"),
        (("5", "mSievert"), "5 MSievert", "another unit"),
        (("67", "km"), "67 people", "another unit"),
        (("67", "people"), "67", "a unit is missing"),
        (("25", "%"), "0.25", "a unit is missing"),
        (("3", "widgets"), "3 gadgets", "another unit"),
    ],
)
def test_what_differs(right, given, clause):
    assert difference(quantity_of(*right), read_quantity(given)) == clause


def test_a_half_of_the_last_digit_is_the_most_that_rounding_takes_away():
    # 100 miles are 160.9344 km.
    miles = quantity_of("100", "mi")
    assert [
        n for n in range(16_000, 17_000) if not difference(miles, read_quantity(f"{n / 100:.2f} km"))
    ] == [16093]


@pytest.mark.parametrize("value", ["", "twelve km", "12 km", "x", "1/0"])
def test_a_wrong_value_is_refused_in_one_line(value):
    with pytest.raises(UsageError, match=r"the value of a quantity must be a decimal number"):
        quantity_of(value, "km")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("8,849 m", "8849", "m"),
        ("-2.50 °C", "-2.5", "°C"),
        ("67 million", "67000000", ""),
        ("$40", "40", "$"),
        ("0.028 inhabitants per km²", "0.028", "inhabitants per km^2"),
        ("twelve days", "12", "days"),
    ],
)
def test_attributes_of_what_is_read_are_the_same_quantity(text, value, unit):
    assert as_attributes(text) == {"value": value, "unit": unit}
    assert difference(quantity_of(value, unit), read_quantity(text)) == ""


@pytest.mark.parametrize("text", ["Everest", "", "1e300", "about 5 m"])
def test_what_is_no_quantity_has_no_attributes(text):
    assert as_attributes(text) is None
