"""Tokens of the Verus verifier: what is one token, what is none, and where each stands."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.errors import Cheat, Rejected, Unsupported
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax.lexer import tokens
from rlvr_gym.verifiers.verus.syntax.literals import literal


def texts(source: str) -> list[str]:
    return [token.text for token in tokens(source)[:-1]]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a<==>b", ["a", "<==>", "b"]),
        ("a<==b", ["a", "<==", "b"]),
        ("a==>b", ["a", "==>", "b"]),
        ("a=~~=b=~=c!~=d", ["a", "=~~=", "b", "=~=", "c", "!~=", "d"]),
        ("a===b!==c", ["a", "===", "b", "!==", "c"]),
        ("&&&a|||b", ["&&&", "a", "|||", "b"]),
        ("0..=n", ["0", "..=", "n"]),
        ("0..n", ["0", "..", "n"]),
        ("a>>=b<<=c", ["a", ">>=", "b", "<<=", "c"]),
        ("s->0@", ["s", "->", "0", "@"]),
        ("x=-1", ["x", "=", "-", "1"]),
        ("#![trigger f(x)]", ["#", "!", "[", "trigger", "f", "(", "x", ")", "]"]),
    ],
)
def test_the_longest_operator_wins(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "a /* one */ b",
        "a /* one /* two */ still */ b",
        "a // rest */ /*\nb",
        "a /// doc\n b",
        "a /* // */ b",
    ],
)
def test_comments_are_no_tokens(source: str) -> None:
    assert texts(source) == ["a", "b"]


def test_a_comment_inside_a_string_is_text() -> None:
    assert texts('"/* // */" b') == ['"/* // */"', "b"]
    # The quote in the raw string does not end it: one `#` is still missing.
    assert texts('r#"a " /* b"# c') == ['r#"a " /* b"#', "c"]


def test_a_lifetime_is_no_character() -> None:
    kinds = [token.kind for token in tokens("'a 'a' '\\'' b'x' '\\u{1F600}'")[:-1]]
    assert kinds == ["lifetime", "char", "char", "char", "char"]


@pytest.mark.parametrize(
    ("source", "value", "suffix"),
    [
        ("0", 0, None),
        ("1_000u64", 1000, "u64"),
        ("0xFF_u8", 255, "u8"),
        ("0b1010", 10, None),
        ("0o17i32", 15, "i32"),
        # A hexadecimal number ends with its digits: `b8` is not a suffix here.
        ("0x1b8", 0x1B8, None),
        ("7int", 7, "int"),
        ("7nat", 7, "nat"),
        ("340282366920938463463374607431768211455u128", 2**128 - 1, "u128"),
    ],
)
def test_integers(source: str, value: int, suffix: str | None) -> None:
    [token, _] = tokens(source)
    found = literal(token)
    assert (found.value, found.suffix) == (value, suffix)  # type: ignore[union-attr]


@pytest.mark.parametrize("source", ["12ab", "0x", "0b12", "1u7", "0xZ"])
def test_a_bad_number_is_refused_as_one_token(source: str) -> None:
    [token, _] = tokens(source)
    with pytest.raises(Rejected):
        literal(token)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"a\\n\\"b\\""', 'a\n"b"'),
        ('r"a\\n"', "a\\n"),
        ('r##"a"#b"##', 'a"#b'),
        ('"\\u{41}\\x42"', "AB"),
        # A backslash at the end of a line swallows the line's end and the blanks behind it.
        ('"a\\\n   b"', "ab"),
    ],
)
def test_strings(source: str, value: str) -> None:
    [token, _] = tokens(source)
    assert literal(token).value == value  # type: ignore[union-attr]


def test_floats_are_not_ranges_or_fields() -> None:
    kinds = [(token.kind, token.text) for token in tokens("1.5 1. 2e3 1..2 1.max(2)")[:-1]]
    assert kinds[:3] == [("float", "1.5"), ("float", "1."), ("float", "2e3")]
    assert [text for _, text in kinds[3:]] == ["1", "..", "2", "1", ".", "max", "(", "2", ")"]


def test_places_count_lines_and_columns_from_one() -> None:
    found = tokens("ab\n /* x\n */ c")
    assert found[0].place == Place(1, 1, 1, 3)
    # The comment ends in line 3, column 4; `c` is behind one blank.
    assert found[1].place == Place(3, 5, 3, 6)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a /* /* */", "unterminated block comment"),
        ('a "b', "unterminated string"),
        ('r#"a"', "unterminated string"),
        ("'ab cd'", "a character literal without its end"),
        ("fn \u0430() {}", "outside ASCII"),
        ("a\u200bb", "invisible"),
        ('"a\u200bb"', "invisible"),
        ("a \\ b", "unknown start of a token"),
        ("a ` b", "unknown start of a token"),
        ("a\x00b", "unknown start of a token"),
        ("a\u00a0b", "outside ASCII"),
    ],
)
def test_what_is_no_token_is_refused(source: str, message: str) -> None:
    with pytest.raises(Rejected, match=message):
        tokens(source)


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f"])
@pytest.mark.parametrize("frame", ["a {} b", "// {}\na", '"{}"', "/* {} */"])
def test_marks_of_direction_are_a_cheat_even_in_comments(mark: str, frame: str) -> None:
    with pytest.raises(Cheat):
        tokens(frame.format(mark))


def test_other_scripts_are_welcome_in_comments_and_strings() -> None:
    assert texts('// größer als π\n"ÅΩ"') == ['"ÅΩ"']


def test_bounds_on_size() -> None:
    with pytest.raises(Unsupported, match="characters"):
        tokens("a" * 11, characters=10)
    with pytest.raises(Unsupported, match="tokens"):
        tokens("a b c d", limit=3)
    with pytest.raises(Unsupported, match="digits"):
        literal(tokens("9" * 5000)[0])
