"""Is ``F' = f``? Ball arithmetic at keyed points: proven wrong, agreed everywhere that counts, or left open."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from flint import acb, arb

from rlvr_gym.verifiers.calculus.breaks import Breaks
from rlvr_gym.verifiers.calculus.dual import differentiate
from rlvr_gym.verifiers.calculus.points import REAL_LINE, Cell, Domain, Point, Stream, cells, shown
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.resolution import GUARD_BITS, Resolution, magnitude
from rlvr_gym.verifiers.calculus.search import Places, numeric_zeros
from rlvr_gym.verifiers.calculus.tape import Ball, Tape, rational_ball

PRECISIONS: Final = (160, 480, 1440)
"""Bits of the attempts at one point."""
_COST: Final = {160: 1, 480: 2, 1440: 6}
"""What a step costs at each precision, about 2 microseconds per unit."""
_BUDGET: Final = 200_000
"""Cost after which a pair is left open, whatever it is."""
_FULL: Final = PRECISIONS[-1] - GUARD_BITS
_NARROW: Final = 60
"""Relative accuracy in bits that both sides need before they can agree."""
_NEEDED: Final = 4
"""Agreeing points needed."""
_PER_CELL: Final = 2
"""Points in each cell; 0 always splits the line, so there are at least two cells."""
_MAX_CELLS: Final = 40
_PROBES: Final = 6
"""Further rounds while fewer than four points have agreed."""
_DRY_PROBES: Final = 4
"""Further points in a cell where the integrand has not been defined yet."""
_FAR: Final = (3, 5, 6)
"""Indices of far points, for formulas with breaks that were only looked for near 0."""
_MAX_CONSTANT_BITS: Final = 1330
"""Constants lie between 10^-400 and 10^400: beyond, no precision used here could tell them from nothing."""


class Outcome(enum.StrEnum):
    """What is known of a pair, or of it at one point."""

    AGREE = "agree"
    DIFFER = "differ"
    OUTSIDE = "outside"
    """The integrand is not real here."""
    UNSEEN = "unseen"
    """The integrand has no value that balls can hold, or none known to enough bits."""
    OPEN = "open"
    """Both are known here, but the answer has a part too small to see."""
    NOWHERE = "nowhere"
    """The integrand is known here, the answer is undefined, or defined but out of reach of every precision."""
    BROKEN = "broken"
    """The answer holds a constant that is undefined or out of scale."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for a pair, with a reason that begins with a short code, and the number of agreeing points."""

    outcome: Outcome
    reason: str
    points: int = 0


def decide(integrand: Tape, answer: Tape, stream: Stream, domain: Domain = REAL_LINE) -> Decision:
    """Return whether the derivative of ``answer`` is ``integrand`` wherever that is real and finite.

    ``DIFFER`` is a proof, two balls without a common point, or an answer without a value wherever the
    integrand has one. ``AGREE`` takes at least four points with more than 60
    equal bits at a precision at which every part of both formulas shows, in every cell of the domain; the cells are
    cut at 0 and wherever either formula can change its analytic piece. All else is ``OPEN``, or ``OUTSIDE`` when
    the integrand was real nowhere.
    """
    broken = constant_fault(answer)
    if broken is not None:
        return Decision(Outcome.BROKEN, f"constant: {broken}")
    of_integrand, of_answer = Breaks(integrand), Breaks(answer)
    edges = [*of_integrand.kinks, *of_integrand.edges, *of_answer.kinks, *of_answer.edges]
    exact = cells(domain.low, domain.high, edges)
    num_cells = len(exact)
    exact = exact[:_MAX_CELLS]
    judge = _Judge(integrand, answer)

    def hidden() -> list[tuple[Cell, bool]]:
        live = [cell for cell in exact if judge.agrees_in(cell)]
        if not live:
            return []
        low, high = live[0].low, live[-1].high
        found = [
            numeric_zeros(tape, breaks, low, high)
            for tape, breaks in ((integrand, of_integrand), (answer, of_answer))
        ]
        return _hidden_cells(edges, found, domain, stream)

    search = hidden if of_integrand.hidden or of_answer.hidden else None
    for cell, point, must_agree in _schedule(judge, exact, search, stream):
        proof = judge.at(cell, point, must_agree)
        if proof is not None:
            return proof
        if judge.spent > _BUDGET:
            return Decision(Outcome.OPEN, "budget: the formulas take too long to evaluate", judge.agreed)
    verdict = judge.summary()
    if num_cells > _MAX_CELLS and verdict.outcome is not Outcome.DIFFER:
        return Decision(Outcome.OPEN, f"pieces: the formulas have {num_cells} analytic pieces", judge.agreed)
    if verdict.outcome is Outcome.AGREE:
        jump = _jump(integrand, answer, of_answer.kinks, domain)
        if jump is not None:
            return Decision(
                Outcome.DIFFER,
                f"jump: the answer jumps at x = {shown(jump)}, where the integrand is finite",
            )
    return verdict


def constant_fault(tape: Tape) -> str | None:
    """Return what is wrong with a constant part of a formula: undefined or out of scale."""
    for bits in PRECISIONS:
        resolved = True
        with ball_precision(bits):
            slots = tape.constants()
            for step in tape.constant:
                ball = slots[step.out]
                if not ball.is_finite():
                    return "a constant part is undefined or far out of scale"
                size = magnitude(ball)
                if math.isnan(size):
                    # Too few bits, as for (3/7)^(9^91), or a difference that is 0.
                    resolved = False
                    size = max(0.0, magnitude(acb(ball.abs_upper())))
                if size != -math.inf and abs(size) > _MAX_CONSTANT_BITS:
                    return "a constant part is out of scale"
        if resolved:
            break
    return None


def _schedule(
    judge: _Judge, exact: list[Cell], search: Callable[[], list[tuple[Cell, bool]]] | None, stream: Stream
) -> Iterator[tuple[Cell, Point, bool]]:
    """Yield where to look and whether it must agree there: every cell, more of those that gave points, then of those that gave none.

    ``search`` finds further cells, where either formula has zeros that matter but are no polynomial's.
    """
    for cell in exact:
        for index in range(_PER_CELL):
            yield cell, stream.point(cell, index), True
    for index in range(_PER_CELL, _PER_CELL + _PROBES):
        live = [cell for cell in exact if judge.agrees_in(cell)]
        if judge.agreed >= _NEEDED:
            break
        for cell in live or exact:
            yield cell, stream.point(cell, index), True
    for index in range(_DRY_PROBES):
        for cell in exact:
            # The domain may be a small part of a cell, as for the logarithm of a sine.
            if not judge.agrees_in(cell):
                yield cell, stream.point(cell, _PER_CELL + index), True
    if search is not None:
        for cell, must_agree in search():
            yield cell, stream.point(cell, 0), must_agree
        for cell in (exact[0], exact[-1]):
            yield from ((cell, stream.point(cell, index), True) for index in _FAR)


def _hidden_cells(
    edges: list[Fraction], found: list[Places], domain: Domain, stream: Stream
) -> list[tuple[Cell, bool]]:
    """Return the cells at zeros that only a search finds: narrow ones, near ones, far ones, and samples.

    The second part says whether the cell must agree: a sample may lie where nothing can be computed, and then only a
    proof counts. Each kind comes in keyed order, since not all may be looked at: in a regular order the pieces of a periodic
    formula would be met at one phase only.
    """
    kinds = [[place for places in found for place in kind(places)] for kind, *_ in _KINDS]
    parts = cells(domain.low, domain.high, [*edges, *(place for kind in kinds for place in kind)])
    chosen: dict[Cell, bool] = {}
    for kind, (_, most, must_agree) in zip(kinds, _KINDS, strict=True):
        wanted = set(kind)
        fresh = [cell for cell in parts if cell not in chosen and (cell.low in wanted or cell.high in wanted)]
        fresh.sort(key=lambda _: stream.unit())
        chosen.update((cell, must_agree) for cell in fresh[:most])
    return list(chosen.items())


_KINDS: Final[tuple[tuple[Callable[[Places], list[Fraction]], int, bool], ...]] = (
    (lambda places: places.lobes, 24, True),
    (lambda places: places.near, 24, True),
    (lambda places: places.far, 12, True),
    (lambda places: places.crowd, 6, False),
)
"""For each kind of place the most cells that are compared there, and whether they must agree."""


def same_values(first: Tape, second: Tape, stream: Stream) -> bool:
    """Return whether no sampled real point tells two formulas apart, and at least one compares them."""
    compared = 0
    for cell in cells(None, None, [*Breaks(first).kinks, *Breaks(second).kinks])[:_MAX_CELLS]:
        for index in range(3):
            with ball_precision(PRECISIONS[1]):
                x = stream.point(cell, index).ball()
                a, b = first.value(x), second.value(x)
                if a.is_finite() and b.is_finite():
                    if not a.overlaps(b):
                        return False
                    compared += 1
    return compared > 0


class _Judge:
    """Compares the two sides point by point and counts the outcomes per cell."""

    def __init__(self, integrand: Tape, answer: Tape) -> None:
        self._integrand = integrand
        self._answer = answer
        self.tally: dict[Cell, dict[Outcome, int]] = {}
        self.agreed = 0
        self.spent = 0
        self._details: dict[Cell, str] = {}
        self._size = len(integrand.variable) + 2 * len(answer.variable)

    def agrees_in(self, cell: Cell) -> bool:
        """Return whether a point of ``cell`` has agreed."""
        return cell in self.tally and self.tally[cell][Outcome.AGREE] > 0

    def at(self, cell: Cell, point: Point, must_agree: bool) -> Decision | None:
        """Count the outcome at ``point``; return a decision if it is a proof."""
        counts = self.tally.get(cell) or dict.fromkeys(Outcome, 0)
        # One point per cell must show every part of both formulas; the others then need only be narrow.
        outcome, detail = self._compare(point, resolve=counts[Outcome.AGREE] == 0)
        if outcome is Outcome.DIFFER:
            return Decision(outcome, f"differs: {detail}", self.agreed)
        if not must_agree and outcome is not Outcome.AGREE:
            return None
        counts[outcome] += 1
        self.tally[cell] = counts
        if outcome is Outcome.AGREE:
            self.agreed += 1
        elif outcome is Outcome.OPEN or outcome is Outcome.NOWHERE:
            self._details.setdefault(cell, detail)
        return None

    def _compare(self, point: Point, *, resolve: bool) -> tuple[Outcome, str]:
        outcome, detail = Outcome.OUTSIDE, ""
        for bits in PRECISIONS:
            self.spent += self._size * _COST[bits]
            with ball_precision(bits):
                x = point.ball()
                settled, outcome, detail = self._attempt(x, bits - GUARD_BITS if resolve else None)
            if settled:
                break
        return outcome, detail

    def _attempt(self, x: Ball, room: int | None) -> tuple[bool, Outcome, str]:
        """Return whether more bits cannot help, and the outcome so far."""
        slots = self._integrand.values(x)
        wanted = slots[self._integrand.root]
        if not wanted.is_finite():
            # Undefined, or only too large: exp(exp(x^4)) at 1000 is no reason to look away there.
            return False, Outcome.UNSEEN, ""
        if not wanted.imag.contains(0):
            return True, Outcome.OUTSIDE, ""
        values, slopes = differentiate(self._answer, x)
        given = slopes[self._answer.root]
        if given is None:
            # The answer does not depend on the variable at all.
            if not wanted.contains(0):
                return True, Outcome.DIFFER, _difference(x, "0", wanted)
            agreed = wanted.is_zero()
            return agreed, Outcome.AGREE if agreed else Outcome.UNSEEN, ""
        finite = given.is_finite()
        if finite and not given.overlaps(wanted):
            return True, Outcome.DIFFER, _difference(x, _short(given), wanted)
        # Only now whether the integrand itself is known to enough bits here.
        if not _narrow(wanted) or (room and Resolution(self._integrand, slots, None, _FULL).value > room):
            return False, Outcome.UNSEEN, ""
        if not finite or not _narrow(given):
            return False, Outcome.NOWHERE, f"undefined: the answer has no value at x = {_short(x)}"
        if room and Resolution(self._answer, values, slopes, _FULL).slope > room:
            detail = f"precision: a part of the answer is too small to see at x = {_short(x)}"
            return False, Outcome.OPEN, detail
        return True, Outcome.AGREE, ""

    def summary(self) -> Decision:
        """Return the decision from all counts."""
        total = {outcome: sum(counts[outcome] for counts in self.tally.values()) for outcome in Outcome}
        if not (self.agreed or total[Outcome.OPEN] or total[Outcome.NOWHERE]):
            reason = "no_point: the integrand has no real value that can be computed at any point tried"
            return Decision(Outcome.OUTSIDE, reason)
        if total[Outcome.NOWHERE] >= _NEEDED and not (self.agreed or total[Outcome.OPEN]):
            # No antiderivative is like this, and it must not be left open: writing 1/(x-x) would be a way out.
            reason = f"undefined: the answer has no value at any of {total[Outcome.NOWHERE]} points"
            return Decision(Outcome.DIFFER, reason)
        for cell, counts in self.tally.items():
            lost = counts[Outcome.OPEN] + counts[Outcome.NOWHERE]
            if lost and counts[Outcome.AGREE] < 2 * lost:
                return Decision(Outcome.OPEN, f"{self._details[cell]} in {cell}", self.agreed)
            if counts[Outcome.UNSEEN] and not counts[Outcome.AGREE]:
                reason = f"unseen: the integrand cannot be computed to enough bits in {cell}"
                return Decision(Outcome.OPEN, reason, self.agreed)
        if self.agreed < _NEEDED:
            reason = f"few_points: only {self.agreed} points could be compared"
            return Decision(Outcome.OPEN, reason, self.agreed)
        return Decision(Outcome.AGREE, f"agrees at {self.agreed} points", self.agreed)


def _jump(integrand: Tape, answer: Tape, kinks: list[Fraction], domain: Domain) -> Fraction | None:
    """Return a kink inside the domain at which ``answer`` jumps although the integrand is bounded around it."""
    with ball_precision(PRECISIONS[1]):
        for kink in sorted(set(kinks)):
            if (domain.low is not None and kink <= domain.low) or (
                domain.high is not None and kink >= domain.high
            ):
                continue
            bound = integrand.value(_around(kink))
            if not bound.is_finite() or not bound.imag.contains(0):
                continue
            left, right = answer.value(_beside(kink, -1)), answer.value(_beside(kink, 1))
            rise = abs((right - left).real)
            # A function with this slope can rise by at most 2 * width * bound.
            if rise.is_finite() and rise > abs(bound.real) * _WIDTH * 3:
                return kink
    return None


_WIDTH: Final = 2.0**-100


def _around(kink: Fraction) -> Ball:
    return acb(arb(rational_ball(kink), _WIDTH))


def _beside(kink: Fraction, side: int) -> Ball:
    return acb(rational_ball(kink) + side * _WIDTH)


def _narrow(ball: Ball) -> bool:
    return bool(ball.rel_accuracy_bits() >= _NARROW or ball.is_zero())


def _short(ball: Ball) -> str:
    """Return a ball's midpoint with six digits."""
    if ball.imag.contains(0):
        return str(ball.real.str(6, radius=False))
    return f"{ball.real.str(6, radius=False)} + {ball.imag.str(6, radius=False)}j"


def _difference(x: Ball, given: str, wanted: Ball) -> str:
    return f"at x = {_short(x)} the derivative of the answer is {given}, the integrand is {_short(wanted)}"
