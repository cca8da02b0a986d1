"""Names of the real libraries that a program may import although the model lacks them: importing alone says nothing."""

from __future__ import annotations

OUTSIDE_CRATES = frozenset(
    ("vstd", "std", "core", "alloc", "builtin", "builtin_macros", "verus_builtin", "verus_builtin_macros")
)
"""Crates that every program is compiled with."""

# What `verus!` itself comes from.
_MACRO_SOURCES = frozenset(
    (
        ("vstd", "prelude", "*"),
        ("vstd", "prelude", "verus"),
        ("builtin_macros", "*"),
        ("builtin_macros", "verus"),
        ("verus_builtin_macros", "*"),
        ("verus_builtin_macros", "verus"),
    )
)

_MODULES = frozenset(
    (
        "vstd", "vstd::prelude", "vstd::arithmetic", "vstd::arithmetic::div_mod", "vstd::arithmetic::logarithm",
        "vstd::arithmetic::mul", "vstd::arithmetic::overflow", "vstd::arithmetic::power", "vstd::arithmetic::power2",
        "vstd::array", "vstd::bits", "vstd::bytes", "vstd::calc_macro", "vstd::compute", "vstd::function",
        "vstd::atomic", "vstd::atomic_ghost", "vstd::cell", "vstd::invariant", "vstd::modes", "vstd::pcm", "vstd::raw_ptr",
        "vstd::rwlock", "vstd::simple_pptr", "vstd::thread", "vstd::hash_map", "vstd::hash_set", "vstd::layout",
        "vstd::map", "vstd::map_lib", "vstd::math", "vstd::multiset", "vstd::pervasive", "vstd::relations", "vstd::seq", "vstd::seq_lib",
        "vstd::set", "vstd::set_lib", "vstd::slice", "vstd::std_specs", "vstd::std_specs::bits",
        "vstd::std_specs::clone", "vstd::std_specs::cmp", "vstd::std_specs::control_flow", "vstd::std_specs::core",
        "vstd::std_specs::hash", "vstd::std_specs::num", "vstd::std_specs::ops", "vstd::std_specs::option",
        "vstd::std_specs::range", "vstd::std_specs::result", "vstd::std_specs::slice", "vstd::std_specs::vec",
        "vstd::string", "vstd::view",
        "std::cmp", "std::collections", "std::convert", "std::fmt", "std::iter", "std::mem", "std::num", "std::ops",
        "std::option", "std::prelude", "std::result", "std::slice", "std::str", "std::string", "std::vec",
    )
)  # fmt: skip

_NAMES = frozenset(
    (
        "std::clone::Clone", "std::cmp::Eq", "std::cmp::Ord", "std::cmp::PartialEq", "std::cmp::PartialOrd",
        "std::default::Default", "std::marker::Copy", "std::cmp::max", "std::cmp::min", "std::cmp::Ordering", "std::collections::BTreeMap",
        "std::collections::BTreeSet", "std::collections::HashMap", "std::collections::HashSet",
        "std::collections::VecDeque", "std::convert::TryFrom", "std::convert::TryInto", "std::fmt::Debug",
        "std::fmt::Display", "std::iter::FromIterator", "std::iter::Iterator", "std::mem::swap", "std::ops::Range",
        "std::ops::Add", "std::ops::Index", "std::ops::Mul", "std::ops::Sub", "std::rc::Rc", "std::sync::Arc",
        "std::string::String", "std::vec::Vec", "std::option::Option", "std::result::Result", "std::boxed::Box",
        "std::fmt", "std::cmp", "std::collections", "std::hash::Hash", "std::marker::PhantomData",
        "vstd::assert_by_contradiction", "vstd::assert_seqs_equal", "vstd::assert_sets_equal",
        "vstd::assert_maps_equal", "vstd::calc", "vstd::calc_macro::calc", "vstd::seq_lib::assert_seqs_equal",
        "vstd::view::View", "vstd::pervasive::print_u64", "vstd::multiset::Multiset", "vstd::string::StrSlice",
    )
)  # fmt: skip

BUILT_IN_FUNCTIONS = frozenset(("old", "final", "Ghost", "Tracked", "add", "sub", "mul", "arbitrary"))
"""Functions of the language itself: they stand in no library file."""
UNMODELLED_FUNCTIONS = frozenset(
    (
        "call_ensures", "call_requires", "closure_to_fn_spec", "inv", "is_smaller_than", "is_smaller_than_lexicographic",
        "proof_from_false", "reveal_strlit", "strslice_is_ascii", "strslice_len", "strslice_get_char", "unreached",
        "use_type_invariant", "print_u64", "arch_word_bits", "signed_max", "signed_min",
        "unsigned_max", "has_resolved", "resolve", "spec_affirm", "cloned", "strictly_cloned", "runtime_assert", "vpanic",
        "spec_cast_integer", "spec_eq", "spec_literal_int", "spec_literal_integer", "spec_literal_nat", "size_of", "align_of",
    )
)  # fmt: skip
"""Functions that a program may call without any `use` and that have no meaning here."""
LANGUAGE = BUILT_IN_FUNCTIONS | {"Box", "int", "nat"}
"""Names that need no library to be known."""


def is_known_module(path: tuple[str, ...]) -> bool:
    """Return whether ``path`` names a module of the real libraries."""
    return _joined(path) in _MODULES


def is_known_name(path: tuple[str, ...]) -> bool:
    """Return whether ``path`` names something of the real libraries that may be imported."""
    return _joined(path) in _NAMES or _joined(path) in _MODULES


def brings_macro(path: tuple[str, ...]) -> bool:
    """Return whether importing ``path`` makes the macro ``verus!`` known."""
    return path in _MACRO_SOURCES


def _joined(path: tuple[str, ...]) -> str:
    first = "std" if path[0] in ("core", "alloc") else path[0]
    return "::".join((first, *path[1:]))
