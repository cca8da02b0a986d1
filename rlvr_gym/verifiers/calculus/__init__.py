"""Elementary formulas in one variable: parsing, printing, and deciding whether one is the derivative of another."""

from rlvr_gym.verifiers.calculus.continuity import find_jump
from rlvr_gym.verifiers.calculus.decide import Decision, Outcome, constant_fault, decide, same_values
from rlvr_gym.verifiers.calculus.derivative import derivative
from rlvr_gym.verifiers.calculus.extract import Mode, extract, visible
from rlvr_gym.verifiers.calculus.fingerprint import value_hash
from rlvr_gym.verifiers.calculus.forms import Answer, parse_answer, parse_integrand
from rlvr_gym.verifiers.calculus.limits import Limits, ParseError
from rlvr_gym.verifiers.calculus.parser import parse
from rlvr_gym.verifiers.calculus.points import Domain, Stream
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.render import render
from rlvr_gym.verifiers.calculus.tape import Tape, compile_tape, constant_value
from rlvr_gym.verifiers.calculus.tree import Expr, depth, size, symbols
from rlvr_gym.verifiers.calculus.trivial import is_trivial

__all__ = [
    # Text and trees.
    "parse",
    "parse_integrand",
    "parse_answer",
    "render",
    "extract",
    "visible",
    "Mode",
    "Answer",
    "Expr",
    "Limits",
    "ParseError",
    "size",
    "depth",
    "symbols",
    # Deciding.
    "decide",
    "constant_fault",
    "find_jump",
    "same_values",
    "constant_value",
    "derivative",
    "Decision",
    "Domain",
    "Outcome",
    "Stream",
    "Tape",
    "compile_tape",
    "ball_precision",
    # Telling formulas apart.
    "value_hash",
    "is_trivial",
]
