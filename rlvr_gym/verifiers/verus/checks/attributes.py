"""Attributes: those that change nothing, those that the checker acts on, and those that it does not know."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.errors import did_you_mean
from rlvr_gym.verifiers.verus.checks.via import MARKS
from rlvr_gym.verifiers.verus.checks.walk import all_nodes
from rlvr_gym.verifiers.verus.errors import Rejected, Unsupported
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.traits import DERIVABLE
from rlvr_gym.verifiers.verus.syntax.tree import Attribute, ExprNode, Let

_PLAIN = frozenset(
    (
        "allow",
        "warn",
        "deny",
        "doc",
        "must_use",
        "inline",
        "cold",
        "rustfmt::skip",
        "non_exhaustive",
        "deprecated",
    )
)
"""Of Rust, without a meaning for proofs."""
_EVERYWHERE = frozenset(("verifier::spinoff_prover", "verifier::rlimit"))
_LOOPS = frozenset(("verifier::loop_isolation", "verifier::exec_allows_no_decreases_clause"))
_FUNCTIONS = (
    frozenset(("verifier::opaque", "verifier::inline", "verifier::memoize", *MARKS)) | _EVERYWHERE | _LOOPS
)
_DATATYPES = frozenset(("derive", "verifier::ext_equal", "verifier::reject_recursive_types"))
_FILE = _LOOPS | frozenset(("feature", "crate_type")) | _EVERYWHERE
_TRIGGERS = frozenset(("trigger", "auto", "all_triggers"))
_EXPRESSIONS = _TRIGGERS | _LOOPS | _EVERYWHERE | frozenset(("verifier::truncate",))
_KNOWN = _PLAIN | _FUNCTIONS | _DATATYPES | _FILE | _EXPRESSIONS
_ON_OR_OFF = {"verifier::loop_isolation": (("true",), ("false",))}


def check_attributes(crate: Crate) -> None:
    """Check that every attribute is one whose meaning is known.

    Raises:
        Rejected: an argument that the attribute does not take.
        Unsupported: an attribute that the checker does not know, or not there.
    """
    _check(crate.file.attributes, _FILE | _PLAIN, "the file")
    for function in crate.functions:
        known = _FUNCTIONS | _PLAIN | (_TRIGGERS if function.broadcast else frozenset())
        _check(function.attributes, known, f"the function `{function.name}`")
        names = {found.path for found in function.attributes}
        if function.mode != "spec" and names & {"verifier::opaque", "verifier::inline", "verifier::memoize"}:
            raise Rejected("opaque, inline and memoize are for spec functions", function.place)
        if "verifier::inline" in names and (function.body is None or function.decreases):
            raise Rejected("inline functions need a body and cannot be recursive", function.place)
    for datatype in crate.datatypes:
        _check(datatype.attributes, _DATATYPES | _PLAIN, f"the type `{datatype.name}`")
        for found in datatype.attributes:
            for trait in found.arguments if found.path == "derive" else ():
                if trait.rpartition("::")[2] not in DERIVABLE:
                    raise Unsupported(f"deriving {trait}", found.place)
    for const in crate.consts:
        _check(const.attributes, _PLAIN | _EVERYWHERE, f"the constant `{const.name}`")
    for implementation in crate.impls:
        _check(implementation.attributes, _PLAIN | _LOOPS | _EVERYWHERE, "the impl")
    for attributes in _inside(crate):
        _check(attributes, _EXPRESSIONS | _PLAIN, "an expression")


def _inside(crate: Crate) -> Iterator[tuple[Attribute, ...]]:
    for node in all_nodes(crate):
        if isinstance(node, ExprNode | Let) and node.attributes:
            yield node.attributes


def _check(attributes: tuple[Attribute, ...], known: frozenset[str], where: str) -> None:
    for found in attributes:
        if found.path not in known:
            raise Unsupported(
                f"the attribute `{found.path}` on {where}.{did_you_mean(found.path, _KNOWN)}", found.place
            )
        allowed = _ON_OR_OFF.get(found.path)
        if allowed is not None and found.arguments not in allowed:
            raise Rejected(f"`{found.path}` takes true or false", found.place)
