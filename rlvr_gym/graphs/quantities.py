"""Numbers with units: read from text, converted and compared in exact arithmetic.

A quantity equals another when the units measure the same thing and the values agree after conversion, exactly. Only a
value in another unit may be rounded, and only where the units are no decimal multiples of each other: it must have four
significant digits or more and be right to the last of them. A number without a unit is no length, and money is not
converted. Temperatures are converted as they stand, not as differences. A number of people is a plain number too. Signs of
units have a case, words have none. Numbers are written with digits, or with words up to a hundred.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from rlvr_gym.errors import UsageError

Dims: TypeAlias = tuple[tuple[str, int], ...]
"""Powers of what is measured, sorted."""
_MOST_CHARS: Final = 120
_MOST_EXPONENT: Final = 300
_LEAST_DIGITS: Final = 4
"""Significant digits of a value that may be rounded."""

_LENGTHS: Final = """
1/1000000000 nm|nanometre|nanometres|nanometer|nanometers
1/1000000 µm|μm|micrometre|micrometres|micrometer|micrometers|micron|microns
1/1000 mm|millimetre|millimetres|millimeter|millimeters
1/100 cm|centimetre|centimetres|centimeter|centimeters
1/10 dm|decimetre|decimetres|decimeter|decimeters
1 m|metre|metres|meter|meters
1000 km|Km|KM|kilometre|kilometres|kilometer|kilometers
0.0254 in|inch|inches
0.3048 ft|foot|feet
0.9144 yd|yard|yards
1609.344 mi|mile|miles
1852 nmi|nautical mile|nautical miles
"""
_OTHERS: Final = """
mass 1/1000 mg|milligram|milligrams
mass 1 g|gram|grams|gramme|grammes
mass 1000 kg|Kg|KG|kilogram|kilograms|kilogramme|kilogrammes|kilo|kilos
mass 1000000 t|tonne|tonnes|metric ton|metric tons
mass 453.59237 lb|lbs|pound|pounds
mass 28.349523125 oz|ounce|ounces
time 1/1000 ms|millisecond|milliseconds
time 1 s|sec|secs|second|seconds
time 60 min|mins|minute|minutes
time 3600 h|hr|hrs|hour|hours
time 86400 d|day|days
time 604800 wk|week|weeks
calendar 1 month|months
calendar 12 yr|yrs|year|years
calendar 120 decade|decades
calendar 1200 century|centuries
ratio 1/100 %|percent|per cent|pct
ratio 1/1000 ‰|per mille|permille
dollar 1 $|usd|USD|dollar|dollars|us dollar|us dollars|US$
dollar 1/100 cent|cents|¢
euro 1 €|eur|EUR|euro|euros
sterling 1 £|gbp|GBP|pound sterling|pounds sterling
yen 1 ¥|jpy|JPY|yen
rupee 1 ₹|inr|INR|rupee|rupees
celsius 1 °C|degree celsius|degrees celsius|celsius
fahrenheit 1 °F|degree fahrenheit|degrees fahrenheit|fahrenheit
kelvin 1 K|kelvin|kelvins
angle 1 °|degree|degrees|deg
person 1 person|persons|people|inhabitant|inhabitants|resident|residents
power 1 W|watt|watts
power 1000 kW|kilowatt|kilowatts
power 1000000 MW|megawatt|megawatts
power 1000000000 GW|gigawatt|gigawatts
energy 1 J|joule|joules
energy 1000 kJ|kilojoule|kilojoules
frequency 1 Hz|hertz
frequency 1000 kHz|kilohertz
frequency 1000000 MHz|megahertz
data 1 B|byte|bytes
data 1000 kB|kilobyte|kilobytes
data 1000000 MB|megabyte|megabytes
data 1000000000 GB|gigabyte|gigabytes
"""
_VOLUMES: Final = """
1/1000000 ml|mL|millilitre|millilitres|milliliter|milliliters
1/1000 l|L|litre|litres|liter|liters
0.003785411784 gal|gallon|gallons
"""
_AREAS: Final = """
10000 ha|hectare|hectares
4046.8564224 ac|acre|acres
"""
_SPEEDS: Final = {
    "km/h": Fraction(1000, 3600),
    "kmh": Fraction(1000, 3600),
    "kph": Fraction(1000, 3600),
    "mph": Fraction("1609.344") / 3600,
    "knot": Fraction(1852, 3600),
    "knots": Fraction(1852, 3600),
}
_SCALES: Final = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""Words that multiply the number before them, as powers of ten."""


def _listed(words: str) -> list[str]:
    return words.split()


_ONES: Final = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS: Final = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_WORDS: Final = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: 10 * place for place, word in enumerate(_TENS, 2)},
    **{f"{ten}-{_ONES[one]}": 10 * place + one for place, ten in enumerate(_TENS, 2) for one in range(1, 10)},
    "one hundred": 100,
    "a hundred": 100,
    "hundred": 100,
}
_POWERS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_ODD = re.compile("[\u2080-\u2089\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]")
"""Lowered and circled digits: NFKC makes plain ones of them, which changes the number beside them."""
_SPACED = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?!,?[0-9])")
"""Thousands with spaces between."""
_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
_MONEY: Final = r"US\$|[$€£¥₹]|(?:USD|EUR|GBP|JPY|INR)(?=\s)"
_TEXT = re.compile(
    rf"(?P<sign>[-+]?)(?P<money>{_MONEY})?\s?(?P<inner>[-+]?)"
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})++(?:\.[0-9]++)?|[0-9]++(?:\.[0-9]++)?|\.[0-9]++)"
    r"(?:(?:[eE]|\s?[x×*·]\s?10\s?\^)\s?[({]?(?P<exponent>[-+]?[0-9]{1,3})[)}]?)?"
    rf"(?:\s(?P<scale>{'|'.join(_SCALES)})(?![a-z]))?\s?(?P<unit>.*)",
    re.DOTALL,
)
_WORDED = re.compile(rf"(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?:\s(?P<unit>.*))?")


@dataclass(frozen=True, slots=True)
class Unit:
    """``scale`` base units of what it measures; a plain number has no dimensions."""

    scale: Fraction
    dims: Dims


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was written, with its unit."""

    value: Fraction
    unit: Unit
    digits: int
    """Significant digits that were written."""
    last: Fraction
    """What one unit in the last written digit is worth."""


def _rows(text: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(" ", 1)) for line in text.strip().splitlines()]


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for scale, names in _rows(_LENGTHS):
        size = Fraction(scale)
        for name in names.split("|"):
            table[name] = Unit(size, (("length", 1),))
            for power, word, short in ((2, "square", "sq"), (3, "cubic", "cu")):
                for way in (f"{name}^{power}", f"{name}{power}", f"{word} {name}", f"{short} {name}"):
                    table[way] = Unit(size**power, (("length", power),))
    for power, rows in ((3, _VOLUMES), (2, _AREAS)):
        for scale, names in _rows(rows):
            table |= dict.fromkeys(names.split("|"), Unit(Fraction(scale), (("length", power),)))
    for line in _OTHERS.strip().splitlines():
        kind, scale, names = line.split(" ", 2)
        table |= dict.fromkeys(names.split("|"), Unit(Fraction(scale), ((kind, 1),)))
    speed = (("length", 1), ("time", -1))
    return table | {name: Unit(scale, speed) for name, scale in _SPEEDS.items()}


_UNITS: Final = _table()
_LONGEST_SIGN: Final = 3
_SHORT_WORDS: Final = ("sq", "cu", "per", "day", "us")
_MOST_SIGNS: Final = 5
"""Letters of an unknown unit up to which it may be a sign: mbar is not Mbar."""
_ZEROS: Final = {
    (("celsius", 1),): (Fraction(1), Fraction("273.15")),
    (("fahrenheit", 1),): (Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
    (("kelvin", 1),): (Fraction(1), Fraction(0)),
}
"""Kelvins per degree, and kelvins at zero degrees."""
_PEOPLE: Final = (("person", 1),)
_PLAIN: Final = Unit(Fraction(1), ())


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit:
    """Return a unit by its name or sign; what the table lacks measures nothing but itself.

    Example:
        >>> unit_of("km/h") == unit_of("kilometres per hour")
        True
    """
    text = " ".join(_plain(text).split()).rstrip(".")
    if not text:
        return _PLAIN
    top, slash, bottom = text.replace(" per ", "/").partition("/")
    whole = _known(text) or _known(text.replace(" per ", "/"))
    if whole is not None:
        return whole
    above, below = _known(top.strip()), _known(bottom.strip())
    if slash and above is not None and below is not None:
        powers = dict(above.dims)
        for kind, power in below.dims:
            powers[kind] = powers.get(kind, 0) - power
        dims = tuple(sorted((kind, power) for kind, power in powers.items() if power))
        return Unit(above.scale / below.scale, dims)
    return Unit(Fraction(1), ((f"~{_unknown(text)}", 1),))


def _known(name: str) -> Unit | None:
    found = _UNITS.get(name)
    # Signs have a case, words have none: Mm is no millimetre.
    return _UNITS.get(" ".join(map(_folded, name.split()))) if found is None else found


def _folded(word: str) -> str:
    lower = word.casefold()
    return lower if (len(word) > _LONGEST_SIGN and word.isalpha()) or lower in _SHORT_WORDS else word


def _unknown(name: str) -> str:
    """Return an unknown unit as it is compared: long words have no case and no plural, what may be a sign is kept."""
    letters = name.replace(" ", "")
    if len(letters) <= _MOST_SIGNS or not letters.isalpha() or not (letters.islower() or name.istitle()):
        return name
    folded = name.casefold()
    return folded.removesuffix("s") if not folded.endswith("ss") else folded


def is_known(unit: Unit) -> bool:
    """Return whether a unit is one of the table, or made of such."""
    return bool(unit.dims) and not any(kind.startswith("~") for kind, _ in unit.dims)


def _plain(text: str) -> str:
    """Return ``text`` with one kind of dashes and digits, and raised digits behind ``^``."""
    text = _SPACED.sub(lambda match: ",".join(match[0].split()), text)
    text = _RAISED.sub(lambda match: "^" + match[0].translate(_POWERS), text)
    return unicodedata.normalize("NFKC", text.translate(_DASHES))


def read_quantity(text: str) -> Quantity | None:
    """Return the quantity that ``text`` is, None where it is anything else or more than that.

    Example:
        >>> quantity = read_quantity("1.5 million km²")
        >>> quantity.value, quantity == read_quantity("1.5e6 square kilometres")
        (Fraction(1500000, 1), True)
    """
    if len(text) > _MOST_CHARS or _ODD.search(text):
        return None
    text = " ".join(_plain(text).split())
    match = _TEXT.fullmatch(text)
    if match is None:
        return _worded(text.casefold())
    if match["sign"] and match["inner"]:
        return None
    name = match["unit"]
    if match["money"]:
        if name:
            return None
        name = match["money"]
    digits = match["number"].replace(",", "")
    whole, _, decimals = digits.partition(".")
    exponent = int(match["exponent"] or 0) + _SCALES.get(match["scale"] or "", 0)
    if abs(exponent) > _MOST_EXPONENT:
        return None
    last = Fraction(10) ** (exponent - len(decimals))
    value = int(whole + decimals) * last
    if "-" in match["sign"] + match["inner"]:
        value = -value
    return Quantity(value, unit_of(name), len((whole + decimals).lstrip("0")), last)


def _worded(text: str) -> Quantity | None:
    match = _WORDED.fullmatch(text)
    if match is None:
        return None
    value = Fraction(_WORDS[match["word"]])
    return Quantity(value, unit_of(match["unit"] or ""), len(str(value)), Fraction(1))


def quantity_of(value: str, unit: str) -> Quantity:
    """Return the quantity of an entity's attributes.

    Raises:
        UsageError: a value that is no decimal number.
    """
    read = read_quantity(value)
    if read is None or read.unit != _PLAIN:
        raise UsageError(f"the value of a quantity must be a decimal number, got '{value:.60}'.")
    return Quantity(read.value, unit_of(unit), read.digits, read.last)


def as_attributes(text: str) -> dict[str, str] | None:
    """Return the ``value`` and ``unit`` of the quantity that ``text`` is, as an entity has them; None where it is none.

    Example:
        >>> as_attributes("8,849 m"), as_attributes("Everest")
        ({'value': '8849', 'unit': 'm'}, None)
    """
    read = read_quantity(text)
    if read is None:
        return None
    match = _TEXT.fullmatch(" ".join(_plain(text).split()))
    unit = "" if match is None else match["money"] or match["unit"]
    if match is None and (worded := _WORDED.fullmatch(" ".join(_plain(text).split()).casefold())) is not None:
        unit = worded["unit"] or ""
    places = 0
    while (read.value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(read.value * 10**places))).zfill(places + 1)
    value = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    if len(value) >= _MOST_CHARS:
        return None
    return {"value": f"-{value}" if read.value < 0 else value, "unit": unit}


def difference(right: Quantity, given: Quantity) -> str:
    """Return what is wrong with ``given`` where ``right`` is wanted, as a clause; empty when they are the same.

    Example:
        >>> mile = read_quantity("1 mile")
        >>> difference(mile, read_quantity("1.609 km")), difference(mile, read_quantity("1.61 km"))
        ('', 'another value')
    """
    if right.unit.dims in _ZEROS and given.unit.dims in _ZEROS:
        (size, zero), (degree, start) = _ZEROS[right.unit.dims], _ZEROS[given.unit.dims]
        exact, factor = (right.value * size + zero - start) / degree, size / degree
        return _apart(exact, given, factor)
    if given.unit.dims != right.unit.dims and not (given.unit.dims == _PEOPLE and not right.unit.dims):
        return "a unit is missing" if not given.unit.dims else "another unit"
    factor = right.unit.scale / given.unit.scale
    return _apart(right.value * factor, given, factor)


def _apart(exact: Fraction, given: Quantity, factor: Fraction) -> str:
    if given.value == exact:
        return ""
    rounded = (
        not _decimal(factor) and given.digits >= _LEAST_DIGITS and 2 * abs(given.value - exact) <= given.last
    )
    return "" if rounded else "another value"


def _decimal(factor: Fraction) -> bool:
    """Return whether a factor is a power of ten, so that conversion only moves the point."""
    digits = str(max(factor.numerator, factor.denominator))
    return min(factor.numerator, factor.denominator) == 1 and digits.strip("0") == "1"
