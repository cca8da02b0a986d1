"""Units by name: how many of a base unit one of them is, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.answers.words import listed

_ROWS: Final = """
m 1 m meter meters metre metres
m 1/100 cm centimeter centimeters centimetre centimetres
m 1/1000 mm millimeter millimeters millimetre millimetres
m 1/10 dm decimeter decimeters decimetre decimetres
m 1/1000000 µm um μm micrometer micrometers micron microns
m 1/1000000000 nm nanometer nanometers
m 1000 km kilometer kilometers kilometre kilometres
m 0.0254 in inch inches
m 0.3048 ft foot feet
m 0.9144 yd yds yard yards
m 1609.344 mi mile miles
g 1 g gram grams gm
g 1/1000 mg milligram milligrams
g 1000 kg kgs kilogram kilograms kilo kilos
g 1000000 tonne tonnes
g 453.59237 lb lbs pound pounds
g 28.349523125 oz ounce ounces
s 1 s sec secs second seconds
s 1/1000 ms millisecond milliseconds
s 60 min mins minute minutes
s 3600 h hr hrs hour hours
s 86400 day days
s 604800 week weeks wk wks
month 1 month months
month 12 year years yr yrs
dollar 1 dollar dollars usd $ buck bucks
dollar 1/100 cent cents ¢
dollar 1/20 nickel nickels
dollar 1/10 dime dimes
dollar 1/4 quarter quarters
euro 1 euro euros € eur
pound_sterling 1 £ gbp
yen 1 ¥ yen jpy
yuan 1 yuan rmb
rupee 1 ₹ rupee rupees rs inr
deg 1 deg degs degree degrees ° \\degree
rad 1 rad rads radian radians
K 1 K kelvin kelvins
degC 1 °C celsius degC
degF 1 °F fahrenheit degF
N 1 N newton newtons
N 1000 kN kilonewton kilonewtons
J 1 J joule joules
J 1000 kJ kilojoule kilojoules
W 1 W watt watts
W 1000 kW kilowatt kilowatts
V 1 V volt volts
A 1 A amp amps ampere amperes
Ω 1 Ω ohm ohms
C 1 C coulomb coulombs
T 1 T tesla teslas
F 1 F farad farads
Pa 1 Pa pascal pascals
Pa 1000 kPa kilopascal kilopascals
Hz 1 Hz hertz
Hz 1000 kHz kilohertz
mol 1 mol mole moles
bit 1 bit bits
bit 8 byte bytes
unit 1 unit units
"""
_MULTIPLE: Final = {
    # Litres, hectares and acres as powers of the metre; speeds as quotients.
    **dict.fromkeys(("L", "l", "liter", "liters", "litre", "litres"), (Fraction(1, 1000), (("m", 3),))),
    **dict.fromkeys(("mL", "ml", "milliliter", "milliliters", "millilitre", "millilitres", "cc"), (Fraction(1, 10**6), (("m", 3),))),
    **dict.fromkeys(("ha", "hectare", "hectares"), (Fraction(10**4), (("m", 2),))),
    **dict.fromkeys(("acre", "acres"), (Fraction("4046.8564224"), (("m", 2),))),
    **dict.fromkeys(("gallon", "gallons", "gal"), (Fraction("0.003785411784"), (("m", 3),))),
    **dict.fromkeys(("quart", "quarts"), (Fraction("0.000946352946"), (("m", 3),))),
    **dict.fromkeys(("pint", "pints"), (Fraction("0.000473176473"), (("m", 3),))),
    "mph": (Fraction("1609.344") / 3600, (("m", 1), ("s", -1))),
    "kph": (Fraction(1000, 3600), (("m", 1), ("s", -1))),
    "kmh": (Fraction(1000, 3600), (("m", 1), ("s", -1))),
    "fps": (Fraction("0.3048"), (("m", 1), ("s", -1))),
    "%": (Fraction(1, 100), ()),
    "percent": (Fraction(1, 100), ()),
    "pct": (Fraction(1, 100), ()),
}  # fmt: skip

Dims = tuple[tuple[str, int], ...]


def _table() -> dict[str, tuple[Fraction, Dims]]:
    table: dict[str, tuple[Fraction, Dims]] = dict(_MULTIPLE)
    for row in _ROWS.strip().splitlines():
        base, scale, *names = row.split()
        for name in names:
            table[name] = Fraction(scale), ((base, 1),)
    return table


UNITS: Final = _table()
"""Name to scale and powers of base units."""
BARE_LETTERS: Final = listed(
    """
    m g s h N J W V A L l K C T F
    """
)
"""Units of one letter, which without ``\\text`` may as well be variables."""
UPRIGHT_LETTERS: Final = listed("C T F")
"""Those that are units in upright letters only."""
COMMON_LETTERS: Final = listed("m g s h L")
"""Those that are taken for units after a blank, even where the reference has none."""
SCALES: Final = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}
"""Words that multiply the number before them."""
NO_UNITS: Final = listed(
    """
    or and not nor plus minus times over mod modulo squared cubed half halves third thirds fourth fourths
    fifth fifths sixth sixths eighth eighths tenth tenths hundredth hundredths if maybe perhaps possibly
    approximately approx about is are was equals equal the factorial choose to by of in into with without
    than less more least most at between through from then so but because either neither none all any
    some no yes wrong right correct incorrect false true base sin cos tan log ln exp sqrt pi infinity inf
    oo undefined wait actually answer solution solutions otherwise else inverse reciprocal thousandth thousandths millionth millionths hundredth hundredths percentile decreased increased
    gross opposite negated reversed root zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety negative positive pair pairs double
    triple half-life mole per unless except score
    """
)
"""Words after a number that are no unit: they change the number, or leave it open."""
TRAILING: Final = listed(
    """
    old long tall high wide deep each total altogether left remaining away apart ago
    """
)
"""Words after a unit that add nothing."""
COUNTED: Final = listed(
    """
    way person people student teacher child children boy girl man men woman women friend family player team member worker guest adult
    apple orange banana egg cookie cake pizza slice sandwich candy candies sweet muffin cupcake pie bottle cup glass box bag basket
    book page word letter pencil pen crayon card coin stamp sticker ticket toy marble ball balloon bead button shirt shoe sock hat
    dog cat bird fish chicken cow horse sheep rabbit animal tree flower plant seed leaf leaves stone car bus bike wheel truck train
    house room door window chair table seat row column floor street city cities country countries state school class classes
    game point goal vote step block tile brick piece part item object group set pack team number integer digit value solution root
    prime factor divisor multiple term subset element edge vertex vertices face side angle diagonal triangle square rectangle cube
    circle line segment lattice region arrangement permutation combination handshake pair path route outcome possibility possibilities
    move color colour operation turn crossing digit
    time day-off lesson song movie minute problem question answer mark inch sample trip lap round shot clip crate jar can loaf loaves
    different distinct possible total red blue green yellow white black new old extra more positive whole square-free
    """
)
"""What is counted in the problems of schools, and words before it; a plural may have an s more."""
