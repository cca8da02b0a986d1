"""Rational functions at random whole numbers: exactly, or modulo two random primes when the values would be long.

Schwartz and Zippel: a polynomial of degree d that is not zero vanishes at a random element of a set of n with a
probability of at most d/n (J. T. Schwartz 1980, R. Zippel 1979). The primes must be random as well, or else a
constant that both of them divide would pass for zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flint import fmpq, fmpz

from rlvr_gym.verifiers.algebra.folding import Rational
from rlvr_gym.verifiers.algebra.keys import Stream
from rlvr_gym.verifiers.algebra.tape import Op, Tape

_MAX_EXACT_BITS: Final = 20_000
"""Length up to which values are worked out exactly; the degree is then below 2^9, the chance of error below 2^-50."""
_MAX_DEGREE: Final = float(1 << 30)
"""With two primes of 61 bits the chance of error stays below 2^-60."""
_MAX_HEIGHT: Final = float(1 << 40)
"""A number of so many bits has so few prime factors of 61 bits that both being among them has a chance below 2^-40."""
_MAX_EXPONENT_BITS: Final = 200_000
_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """How large two rational functions are, both together."""

    height: float
    """A bound on the bits of numerators and denominators at integers of 62 bits."""
    degree: float


def extent(tape: Tape, roots: tuple[int, int]) -> Extent:
    """Return how large the two slots of a rational tape are."""
    heights: list[float] = []
    degrees: list[float] = []
    for op, a, b, extra in tape.steps:
        height = degree = 0.0
        if op == Op.NUM:
            height = float(int(extra.p).bit_length() + int(extra.q).bit_length())
        elif op == Op.SYM:
            height, degree = 62.0, 1.0
        elif op == Op.INT_POW:
            times = float(min(abs(extra), 1 << 400))
            height, degree = heights[a] * times, degrees[a] * times
        elif op == Op.FUNCTION:
            height = float(tape.values[a].p) * 20
        else:
            height, degree = heights[a] + heights[b] + 1, degrees[a] + degrees[b]
        heights.append(height)
        degrees.append(degree)
    return Extent(heights[roots[0]] + heights[roots[1]], degrees[roots[0]] + degrees[roots[1]])


def fits_exact(size: Extent) -> bool:
    """Return whether the values at whole numbers of 62 bits stay short enough to be worked out."""
    return size.height <= _MAX_EXACT_BITS


def fits_residues(tape: Tape, size: Extent) -> bool:
    """Return whether residues decide with a chance of error below 10^-12."""
    # Symbols count with 62 bits in the height, which is the size of the coefficients only without them.
    return (
        size.degree <= _MAX_DEGREE
        and (size.degree > 0 or size.height <= _MAX_HEIGHT)
        and size.height <= _MAX_HEIGHT * 64
        and tape.exponent_bits <= _MAX_EXPONENT_BITS
    )


def exact_equal(tape: Tape, roots: tuple[int, int], stream: Stream) -> bool | None:
    """Return whether two rational functions agree at a random whole number, or None if one is never defined."""
    for _ in range(_TRIES if tape.symbols else 1):
        point: list[Rational] = [fmpq(stream.word() >> 2) for _ in tape.symbols]
        try:
            values = _exact(tape, point)
        except ZeroDivisionError:
            continue
        return bool(values[roots[0]] == values[roots[1]])
    return None


def _exact(tape: Tape, point: list[Rational]) -> list[Rational]:
    values: list[Rational] = []
    append = values.append
    for op, a, b, extra in tape.steps:
        if op == Op.NUM:
            append(extra)
        elif op == Op.SYM:
            append(point[extra])
        elif op == Op.ADD:
            append(values[a] + values[b])
        elif op == Op.MUL:
            append(values[a] * values[b])
        elif op == Op.DIV:
            append(values[a] / values[b])
        elif extra > 0:
            append(values[a] ** extra)
        elif extra:
            append(1 / values[a] ** -extra)
        elif values[a] == 0:
            raise ZeroDivisionError
        else:
            append(fmpq(1))
    return values


def residues_equal(tape: Tape, roots: tuple[int, int], stream: Stream) -> bool | None:
    """Return whether two rational functions agree modulo two random primes at a random point.

    None when one of them has no value at any try.
    """
    for _ in range(_TRIES):
        # One pass modulo the product is as good as one pass for each prime.
        modulus = _prime(stream) * _prime(stream)
        point = [stream.word() * stream.word() % modulus for _ in tape.symbols]
        try:
            values = _residues(tape, point, modulus)
        except ValueError:
            continue
        return bool(values[roots[0]] == values[roots[1]])
    return None


def _residues(tape: Tape, point: list[int], modulus: int) -> list[int]:
    values: list[int] = []
    append = values.append
    for op, a, b, extra in tape.steps:
        if op == Op.NUM:
            append(int(extra.p) * pow(int(extra.q), -1, modulus) % modulus)
        elif op == Op.SYM:
            append(point[extra])
        elif op == Op.ADD:
            append((values[a] + values[b]) % modulus)
        elif op == Op.MUL:
            append(values[a] * values[b] % modulus)
        elif op == Op.DIV:
            append(values[a] * pow(values[b], -1, modulus) % modulus)
        elif op == Op.FUNCTION:
            append(_factorial(int(tape.values[a].p), modulus))
        elif extra > 0:
            append(pow(values[a], extra, modulus))
        else:
            # Raises when the base is 0, also for an exponent of 0.
            append(pow(pow(values[a], -1, modulus), -extra, modulus))
    return values


def _factorial(n: int, modulus: int) -> int:
    result = 1
    for factor in range(2, n + 1):
        result = result * factor % modulus
    return result


def _prime(stream: Stream) -> int:
    """Return the first prime from a random number of 61 bits on."""
    candidate: Any = (stream.word() >> 4) | (1 << 60) | 1
    while not fmpz(candidate).is_prime():
        candidate += 2
    return int(candidate)
