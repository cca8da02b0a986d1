"""Whole numbers."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import code_problem, integer, integers


@code_problem("numbers", 1, lambda rng: (integer(rng, 0, 10**9), integer(rng, 2, 16)), [(0, 2), (1, 10)])
def digit_sum(n: int, base: int) -> int:
    """Return the sum of the digits of n >= 0 written in the given base."""
    total = 0
    while n:
        n, digit = divmod(n, base)
        total += digit
    return total


@code_problem("numbers", 1, lambda rng: (integer(rng, 1, 5_000),), [(1,), (27,)])
def collatz_steps(n: int) -> int:
    """Return after how many steps n >= 1 reaches 1, when an even n becomes n // 2 and an odd one 3 * n + 1."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@code_problem("numbers", 2, lambda rng: (integer(rng, 1, 3_999),), [(1,), (4,), (1994,), (3999,)])
def roman_numeral(n: int) -> str:
    """Return 1 <= n < 4000 as a Roman numeral in capital letters, with 4 written as IV and 900 as CM."""
    signs = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")]
    signs += [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    written = ""
    for value, sign in signs:
        written += sign * (n // value)
        n %= value
    return written


@code_problem("numbers", 2, lambda rng: (integer(rng, 1, 300), integer(rng, 1, 40)), [(1, 1), (7, 3)])
def last_in_circle(n: int, k: int) -> int:
    """Return who is left when people 1 to n stand in a circle and, counting from person 1, every k-th is sent away.

    Counting goes on with the neighbour of the one who left, until only one is left.
    """
    left = 0
    for size in range(2, n + 1):
        left = (left + k) % size
    return left + 1


@code_problem(
    "numbers", 2, lambda rng: (integer(rng, 0, 2_000), integer(rng, 0, 3_000)), [(0, 1), (2, 2), (9, 3)]
)
def primes_between(low: int, high: int) -> list[int]:
    """Return the primes p with low <= p <= high in ascending order; an empty list when there are none."""
    found = []
    for n in range(max(low, 2), high + 1):
        if all(n % d for d in range(2, int(n**0.5) + 1)):
            found.append(n)
    return found


@code_problem(
    "numbers", 3, lambda rng: (integer(rng, -500, 500), integer(rng, 1, 300)), [(0, 1), (-7, 3), (4, 2)]
)
def continued_fraction(p: int, q: int) -> list[int]:
    """Return the continued fraction [a0, a1, ...] of p / q for q >= 1.

    a0 is the floor of p / q, the rest is that of the reciprocal of the remainder, and it ends when there is none.
    """
    terms = []
    while q:
        terms.append(p // q)
        p, q = q, p % q
    return terms


@code_problem(
    "numbers", 3, lambda rng: (integer(rng, 2, 20) ** integer(rng, 1, 6) + integer(rng, 0, 1),), [(2,), (64,)]
)
def perfect_power(n: int) -> list[int]:
    """Return [b, e] with b ** e == n and the greatest possible e, for n >= 2."""
    for exponent in range(n.bit_length(), 0, -1):
        base = round(n ** (1 / exponent))
        for candidate in (base - 1, base, base + 1):
            if candidate >= 2 and candidate**exponent == n:
                return [candidate, exponent]
    return [n, 1]


@code_problem(
    "numbers",
    4,
    lambda rng: (integers(rng, 1, 7, low=1, high=40), integer(rng, 0, 60)),
    [([3, 5], 7), ([2], 0)],
)
def coin_ways(coins: list[int], amount: int) -> int:
    """Return in how many ways an amount can be paid with coins of the given values, each as often as wanted.

    The order of coins does not matter, values that are listed twice count once, and 0 can be paid in one way.
    """
    ways = [1] + [0] * amount
    for coin in sorted(set(coins)):
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]
