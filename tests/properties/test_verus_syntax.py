"""Whatever a policy writes, the front end of the Verus verifier reads it or says why it does not."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.verifiers.verus.cheats import scan
from rlvr_gym.verifiers.verus.comparison import compare
from rlvr_gym.verifiers.verus.errors import Stop
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show

PIECES = [
    "a",
    "b",
    "x",
    "0",
    "1u8",
    "'c'",
    '"s"',
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ".",
    "..",
    "..=",
    "::",
    ":",
    "->",
    "=>",
    "@",
    "?",
    "!",
    "&",
    "&&",
    "&&&",
    "|",
    "||",
    "|||",
    "==>",
    "<==>",
    "<",
    "<=",
    ">",
    ">>",
    "==",
    "=~=",
    "=",
    "+=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "as",
    "is",
    "has",
    "matches",
    "if",
    "else",
    "match",
    "while",
    "for",
    "in",
    "loop",
    "let",
    "ghost",
    "mut",
    "return",
    "break",
    "fn",
    "spec",
    "proof",
    "forall|i:int|",
    "exists|i:int|",
    "|x|",
    "assert(a)",
    "assert",
    "by",
    "requires",
    "ensures",
    "invariant",
    "decreases",
    "#[trigger]",
    "#![auto]",
    "Some(x)",
    "None",
    "S{}",
    "f(x)",
    "Vec<u8>",
    "int",
    "reveal(f)",
    "seq![a]",
    "vec![a;1]",
    "'l:",
    "unsafe",
    "struct",
    "S;",
    "use",
    "a::b;",
    "(a,b)",
]
PROGRAM = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)


@given(PROGRAM)
@settings(max_examples=400, deadline=None)
def test_any_mixture_of_pieces_is_read_and_printed_or_refused(body: str) -> None:
    try:
        file = parse(f"verus! {{ fn f() {{ {body} }} }}")
    except Stop:
        return
    text = show(file)
    assert show(parse(text)) == text
    assert compare(file, parse(text)) == []
    with contextlib.suppress(Stop):
        scan(file)


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    # Any other exception fails the test.
    with contextlib.suppress(Stop):
        parse(text)
